"""How Deskbell reaches servers: child processes, HTTP, and those built in. Connections decide nothing."""
