"""MCP on the wire, in both eras: JSON-RPC as bytes, handshake, tasks. Values and functions, no state."""
