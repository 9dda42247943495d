"""The Activity page: history with filters and details, running calls, load chart."""
