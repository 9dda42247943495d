"""What Deskbell does while nobody wants anything: it sleeps. And how soon the bridge is up."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time

from tests.bench import rig
from tests.bench.hosts import StdioHost

SECONDS = 60
STARTS = 5


def report() -> None:
    print(f"idle: {SECONDS} seconds of nothing", file=sys.stderr)
    starts = [_start() for _ in range(STARTS)]
    rows = [["`deskbell serve` → listening", f"{statistics.median(starts) * 1000:.0f} ms"], *_asleep()]
    rig.table(("the bridge without windows", ""), rows)


def _start() -> float:
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home:
        began = time.perf_counter()
        with rig.bridge(home, rig.stdio_server("echo")):
            return time.perf_counter() - began


def _asleep() -> list[list[str]]:
    """With a host connected and its server running."""
    with (
        tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home,
        rig.bridge(home, rig.stdio_server("echo")) as app,
    ):
        host = StdioHost([*rig.SHIM, "stdio", "--server", "echo"], {**os.environ, "DESKBELL_HOME": home})
        host.open()
        host.tool()
        time.sleep(5)  # until what the start left to be done is done
        before, turns = rig.worked(app.pid), rig.woken(app.pid)
        time.sleep(SECONDS)
        spent, turns = rig.worked(app.pid) - before, rig.woken(app.pid) - turns
        host.close()
    return [
        [f"processor time in {SECONDS} idle seconds, one host connected", f"{spent * 1000:.1f} ms"],
        ["wake-ups in that time", str(turns)],
    ]
