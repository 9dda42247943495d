"""HTTP/1.1 on httptools, in place of httpx, because every call to a server over HTTP goes through it.

A small POST and its reply over one connection take 0.03 ms of CPU here and 0.83 ms by httpx (a bare server
included, Python 3.11 with uvloop); a whole relayed call adds 0.08 to 0.18 ms (docs/performance.md). A request
is one write, and a reply that arrives in one piece needs one read. `http1` has the connections, `dialer`
makes them.

Interface: `prepare`, ConnectionPool and Response of http1.py. The plain twin on httpx is
tests/fixtures/plain_http.py; tests/bridge/upstreams/test_fast_http.py sends the same requests by both.
"""
