"""The Activity page: history with filters and details, running and held calls."""
