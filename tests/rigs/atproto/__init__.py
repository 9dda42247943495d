"""A real Bluesky network on loopback: see network.py."""
