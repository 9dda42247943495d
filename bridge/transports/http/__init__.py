"""Streamable HTTP for hosts of both eras. `endpoint` has port and token, `lazy_port` imports `server`."""
