"""Streamable HTTP for hosts of both eras. `endpoint` has port and token, `lazy_server` imports `server`."""
