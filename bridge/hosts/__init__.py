"""AI applications on this machine: where they keep their MCP servers (places), and what is there (reading).

Reads their files, and never writes them.
"""
