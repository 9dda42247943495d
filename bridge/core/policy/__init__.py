"""Decisions without state: rules for calls, changed tools, URLs that may be opened, hosts that
auto-decline."""
