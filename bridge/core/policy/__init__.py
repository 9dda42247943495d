"""Verdicts: rules for calls, pins of tools, links that may be opened, hosts that decline unseen."""
