"""`python -m tests.chaos.floods [SECONDS]`: how long another host waits at worst while one server floods us.

Times differ between machines and mean nothing on a busy one; the tests count turns instead
(tests/bridge/upstreams/http/test_http_modern.py, tests/bridge/upstreams/test_http1.py). The goal is 100 ms.
"""

from __future__ import annotations

import contextlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench import rig
from tests.bench.hosts import Calls, StdioHost, call

SECONDS = 10.0
FIXTURES = Path(__file__).parents[1] / "fixtures"
HOSTILE = [sys.executable, "-I", "-S", str(FIXTURES / "hostile_http_server.py")]
STDIO = [sys.executable, "-I", "-S", str(FIXTURES / "hostile_server.py"), "flood"]
REMOTE = ("endless_events", "endless_comments", "endless_packed_events", "endless_packed_comments")


def main(seconds: float) -> None:
    rows = [measured(flood, seconds) for flood in ("none", *REMOTE, "stdio")]
    rig.table(("flood", "calls of another host", "median, ms", "99 %, ms", "worst, ms"), rows)


def measured(flood: str, seconds: float) -> list[str]:
    print(f"floods: {flood}", file=sys.stderr)
    with (
        hostile() as address,
        tempfile.TemporaryDirectory(prefix="deskbell-floods-") as home,
        rig.bridge(home, config(flood, address)) as app,
    ):
        other = StdioHost([*rig.SHIM, "stdio", "--server", "echo"], app.env)
        other.open()
        calls = Calls(other.tool(), rig.SMALL)
        other.sequential(calls, 200)
        host = StdioHost([*rig.SHIM, "stdio", "--server", "hostile"], app.env)
        if flood != "none":
            host.open()
            host.tell(call(1000, "tools/call", {"name": "go", "arguments": {}}))
        times: list[float] = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            times += other.sequential(calls, 10)
        for one in (host, other):
            one.close()
    times.sort()
    shown = statistics.median(times), times[len(times) * 99 // 100], times[-1]
    return [flood, str(len(times)), *(f"{1000 * each:.2f}" for each in shown)]


def config(flood: str, address: str) -> str:
    if flood == "stdio":
        return rig.stdio_server("echo") + rig.stdio_server("hostile", STDIO)
    return rig.stdio_server("echo") + f'[servers.hostile]\nurl = "{address}/{flood}"\n'


@contextlib.contextmanager
def hostile() -> Iterator[str]:
    with subprocess.Popen(HOSTILE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().split()[0]
        finally:
            process.kill()


if __name__ == "__main__":
    main(float(sys.argv[1]) if sys.argv[1:] else SECONDS)
