"""What it costs that a thousand calls wait for the person, each host getting progress every ten seconds."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from bridge.api import Bridge, Home
from tests.bench import rig
from tests.bench.hosts import HELLO, StdioHost, call

HOSTS, CALLS = 10, 100
SECONDS = 60


def report() -> None:
    print(f"waiting: {HOSTS * CALLS} calls for {SECONDS} seconds", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home, ExitStack() as stack:
        told = "port = 0\nquestion_timeout = 3600\n[desktop]\nquestions_per_minute = 0\n"
        told += '[hosts."*"]\npatience = "none"\n'
        Path(home, "config.toml").write_text(told + rig.stdio_server("asking", rig.ASKING))
        app = subprocess.Popen(
            [sys.executable, "-m", __name__, home], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
        )
        stack.callback(_stop, app)
        assert app.stdout
        app.stdout.readline()
        hosts = [_host(home, number) for number in range(HOSTS)]
        for host in hosts:
            stack.callback(host.close)
        time.sleep(15)  # until every host has had its first progress
        before, began = rig.worked(app.pid), time.monotonic()
        time.sleep(SECONDS)
        spent, took = rig.worked(app.pid) - before, time.monotonic() - began
        notes = sum(map(_progress, hosts))
    rows = [
        ["processor time", f"{spent * 1000:.0f} ms in {took:.0f} s"],
        ["of one core", f"{spent / took:.2%}"],
        ["progress notifications since the calls began", str(notes)],
    ]
    rig.table((f"{HOSTS * CALLS} calls that wait for the person", ""), rows)


def _stop(app: subprocess.Popen[str]) -> None:
    assert app.stdin
    app.stdin.close()
    app.wait(10)


def _host(home: str, number: int) -> StdioHost:
    """A host of its own name: one host may have at most a hundred questions of a server on the desk."""
    host = StdioHost([*rig.SHIM, "stdio", "--server", "asking"], {**os.environ, "DESKBELL_HOME": home})
    host.request("initialize", {**HELLO, "clientInfo": {"name": f"bench {number}", "version": "1"}})
    for one in range(CALLS):
        params = {"name": "ask", "arguments": {}, "_meta": {"progressToken": one}}
        host.tell(call(1000 + one, "tools/call", params))
    return host


def _progress(host: StdioHost) -> int:
    """Return how many notifications the host got."""
    host.tell(call(1, "tools/list"))
    count = 0
    while b'"result"' not in (line := host.line()):
        count += b"notifications/progress" in line
    return count


def _serve(home: str) -> None:
    bridge = Bridge(Home(Path(home)), on_status=lambda status: None)
    bridge.start()
    print("ready", flush=True)
    sys.stdin.read()
    bridge.stop()


if __name__ == "__main__":
    _serve(sys.argv[1])
