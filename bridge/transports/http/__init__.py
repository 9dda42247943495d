"""Streamable HTTP for hosts of both eras. `endpoint` owns port and token, `lazy_port` loads `server`."""
