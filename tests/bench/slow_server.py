"""How soon a host has the tools of a known server that takes 3 seconds to start.

Each round is a new process of the AI application's side, and a new process of the server. In the second row
Deskbell has just been started as well, and knows the server from its memory on disk.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time

from tests.bench import rig
from tests.bench.hosts import StdioHost

ROUNDS = 15
STARTS = 5
SECONDS = 3
SLOW = [
    sys.executable,
    "-I",
    "-S",
    "-c",
    f"import os, time; time.sleep({SECONDS}); os.execv({rig.ECHO[0]!r}, {rig.ECHO!r})",
]
COMMANDS = {
    "wrap": [*rig.SHIM, "wrap", "--name", "echo", "--", *SLOW],
    "stdio": [*rig.SHIM, "stdio", "--server", "echo"],
}


def report() -> None:
    rows = []
    for name, command in COMMANDS.items():
        print(f"slow server: {name}", file=sys.stderr)
        with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home:
            rows.append([f"`{name}`", *_measure(home, command)])
    rig.table((f"known server, {SECONDS} s to start", "spawn → tools/list", "Deskbell just started"), rows)


def _measure(home: str, command: list[str]) -> list[str]:
    config = rig.stdio_server("echo", SLOW)
    with rig.bridge(home, config) as app:
        while _listed(command, app.env)[1] == 0:  # it is known once it has been up
            time.sleep(SECONDS)
        running = [_listed(command, app.env)[0] for _ in range(ROUNDS)]
    fresh = []
    for _ in range(STARTS):
        with rig.bridge(home, config) as app:
            fresh.append(_listed(command, app.env)[0])
    return [_shown(running), _shown(fresh)]


def _listed(command: list[str], env: dict[str, str]) -> tuple[float, int]:
    """Return the milliseconds from the start of the process to its tools, and how many they are."""
    began = time.perf_counter()
    host = StdioHost(command, env)
    try:
        host.open()
        tools = host.request("tools/list")["tools"]
        return (time.perf_counter() - began) * 1000, len(tools)
    finally:
        host.close()


def _shown(times: list[float]) -> str:
    return f"{statistics.median(times):.0f} ms ({min(times):.0f}–{max(times):.0f}, {len(times)} rounds)"
