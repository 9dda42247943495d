"""The programs in C: `deskbell-mcp`, which AI apps start on Linux, and the runtime of the AppImage."""
