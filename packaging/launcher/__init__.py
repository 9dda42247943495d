"""The programs in C: `deskbell-mcp`, which AI apps start (Linux, Windows), and the AppImage's runtime."""
