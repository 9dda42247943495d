"""Decisions without state: rules for calls, changed tools, URLs to open, hosts that decline by themselves."""
