"""Connections to servers: opening, handshakes, restarts, limits, sign-ins."""
