"""The Approvals page, and texts it shares with approval windows."""
