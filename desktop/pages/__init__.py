"""The pages of the main window and the first-run window. Each is drawn from Status."""
