"""The life of one request: its states, the events that change them, the commands that follow. Pure."""
