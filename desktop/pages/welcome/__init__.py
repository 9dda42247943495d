"""The first-run window and its steps."""
