"""The tray icon with its menu, and whether there is a tray."""
