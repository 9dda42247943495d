"""The steps of the first-run window (desktop/windows/welcome.py). Each draws Status; each can be skipped."""
