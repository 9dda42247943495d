"""The Activity page: history, its filters and details, calls that run, load of servers."""
