"""Servers over Streamable HTTP: the connection, the client under it, server-sent events."""
