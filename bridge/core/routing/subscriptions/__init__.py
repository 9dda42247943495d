"""Subscriptions of hosts to changed lists and resources, across both eras of MCP."""
