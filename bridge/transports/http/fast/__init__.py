"""Parts of the HTTP server that use uvicorn's private API, for speed and for limits that uvicorn lacks.

`connection` limits what a TCP connection may cost before its token was checked. `fast_reply` writes a JSON
reply without an ASGI task: a request and its reply over one connection take 53 µs of CPU instead of 72
(client included, Python 3.11 with uvloop), of about 180 µs that a relayed call adds by HTTP
(docs/performance.md).

Interface: `HttpServer` sets `app_state["serve_fast"]`, a function of a request and of the function that
starts its ASGI task; it returns False if the ASGI task must be started. The plain twin is the ASGI
application itself (`HttpServer.fast = False`); tests/bridge/transports/http/test_fast_reply.py compares the
bytes of both. pyproject.toml bounds uvicorn to the versions whose private API was checked.
"""
