"""The steps of the first-run window (window.py). Each draws Status; each can be
skipped."""
