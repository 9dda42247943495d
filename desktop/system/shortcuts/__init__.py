"""One key combination that opens the oldest question from anywhere: by X11, Windows or the portal."""
