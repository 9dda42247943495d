"""What Deskbell adds to a model's own time: from the server's request for a model until it has the answer,
beside the same body posted straight to the same provider. Rounds alternate."""

from __future__ import annotations

import http.client
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.bench import rig
from tests.bench.hosts import StdioHost

ROUNDS, ASKED = 5, 100
_PIECES = [f"word{number} " for number in range(20)]


class Provider(BaseHTTPRequestHandler):
    """Streams twenty pieces at once, as fast as it can."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(_STREAM)))
        self.end_headers()
        self.wfile.write(_STREAM)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _event(delta: dict[str, str], stop: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": stop}
    return f"data: {json.dumps({'model': 'tiny', 'choices': [choice]})}\n\n"


_STREAM = "".join(
    [*(_event({"content": one}) for one in _PIECES), _event({}, "stop"), "data: [DONE]\n\n"]
).encode()


@contextmanager
def provider() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def report() -> None:
    print(f"sampling: {ROUNDS} rounds of {ASKED} requests", file=sys.stderr)
    direct: list[float] = []
    through: list[float] = []
    with provider() as port, tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home:
        rules = '[sampling]\nallow = ["model"]\nrequests_per_hour = 0\nrequests_per_call = 0\n'
        model = f'[models.tiny]\nkind = "openai"\nurl = "http://127.0.0.1:{port}/v1"\nmodel = "tiny"\n'
        config = f"port = 0\n{rules}{model}{rig.stdio_server('model', rig.SAMPLING)}"
        with rig.bridge(home, config) as bridge:
            host = StdioHost([*rig.SHIM, "stdio", "--server", "model"], bridge.env)
            host.open()
            _asked(host)  # loads the HTTP client
            worked = rig.worked(bridge.pid)
            for _ in range(ROUNDS):
                direct += _straight(port)
                through += [_asked(host) for _ in range(ASKED)]
            worked = (rig.worked(bridge.pid) - worked) / (ROUNDS * ASKED) * 1000
            host.close()
    alone, here = statistics.median(direct), statistics.median(through)
    slow = statistics.quantiles(through, n=20)[-1] - statistics.quantiles(direct, n=20)[-1]
    rows = [
        ["the provider's own time, p50", f"{alone:.2f} ms"],
        ["server asks → server has the answer, p50", f"{here:.2f} ms"],
        ["added, p50", f"{here - alone:.2f} ms"],
        ["added, p95", f"{slow:.2f} ms"],
        ["Deskbell's processor time for one", f"{worked:.2f} ms"],
    ]
    rig.table((f"a request for a model, {ROUNDS * ASKED} times", ""), rows)


def _asked(host: StdioHost) -> float:
    result = host.request("tools/call", {"name": "sample", "arguments": {}})
    assert not result["isError"], result
    return float(result["content"][0]["text"])


def _straight(port: int) -> list[float]:
    """Milliseconds of each request on one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    body = json.dumps({"model": "tiny", "messages": [{"role": "user", "content": "x" * 640}], "stream": True})
    took = []
    for _ in range(ASKED):
        begun = time.monotonic()
        connection.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
        connection.getresponse().read()
        took.append((time.monotonic() - begun) * 1000)
    connection.close()
    return took
