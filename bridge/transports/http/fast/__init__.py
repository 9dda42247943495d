"""Replies without an ASGI task, and limits on connections: what reaches into uvicorn, for speed."""
