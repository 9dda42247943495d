"""What a call costs through the bridge, beside the same call without it. Rounds alternate."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from tests.bench import rig
from tests.bench.hosts import Calls, HttpHost, StdioHost
from tests.bench.rig import Bridge, Figures

ROUNDS = 5
HEAD = (
    "path (200 B a call)",
    "ms a call (× direct)",
    "added ms",
    "µs of processor time a call",
    "calls/s, 64 in flight",
    "1 MB result (× direct)",
    "spawn → tools/list",
    "shim RSS, PSS",
    "app RSS",
)


def report() -> None:
    rounds: dict[str, list[Figures]] = {}
    for number in range(ROUNDS):
        print(f"paths: round {number + 1} of {ROUNDS}", file=sys.stderr)
        with http_server() as (server, port):
            for name, measured in _round(server, port):
                rounds.setdefault(name, []).append(measured())
    found = {name: rig.median(figures) for name, figures in rounds.items()}
    bases = {"stdio": found["direct stdio"], "HTTP": found["direct HTTP"]}
    rig.table(HEAD, [_row(name, got, bases[name.split()[-1]]) for name, got in found.items()])


def _round(server: int, port: int) -> list[tuple[str, Callable[[], Figures]]]:
    return [
        ("direct stdio", lambda: without_bridge(rig.ECHO)),
        ("bare relay, stdio", lambda: without_bridge([*rig.BARE, *rig.ECHO])),
        ("direct HTTP", lambda: direct_http(server, port)),
        ("bare relay, HTTP", lambda: without_bridge([*rig.BARE_HTTP, str(port)], server)),
        ("stdio ← stdio", lambda: through_stdio(rig.stdio_server("echo"))),
        ("HTTP ← stdio", lambda: through_http(rig.stdio_server("echo"))),
        ("stdio ← all servers, stdio", lambda: through_stdio(rig.stdio_server("echo"), words=())),
        ("stdio ← HTTP", lambda: through_stdio(remote(port), server)),
    ]


def _row(name: str, got: Figures, base: Figures) -> list[str]:
    return [
        name,
        f"{got['ms']:.3f} ({got['ms'] / base['ms']:.1f})",
        f"{got['ms'] - base['ms']:.3f}",
        rig.shown(got, "app µs", "{:.0f}"),
        f"{got['calls/s']:,.0f}",
        f"{got['1 MB ms']:.2f} ms ({got['1 MB ms'] / base['1 MB ms']:.1f})",
        rig.shown(got, "cold ms", "{:.0f} ms"),
        rig.shown(got, "shim MB", "{:.1f}") + ", " + rig.shown(got, "shim PSS MB", "{:.1f} MB"),
        rig.shown(got, "app MB", "{:.1f} MB"),
    ]


@contextmanager
def http_server() -> Iterator[tuple[int, int]]:
    """Its process and its port."""
    with subprocess.Popen([*rig.ECHO_HTTP, "0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process.pid, int(process.stdout.readline())
        finally:
            process.kill()


def remote(port: int) -> str:
    return f'[servers.echo]\nurl = "http://127.0.0.1:{port}/mcp"\n'


class Effort(NamedTuple):
    """How many calls of each kind."""

    warm: int = 300
    small: int = 1000
    large: int = 20
    burst: int = 10_000


FULL = Effort()


def measure(host: StdioHost | HttpHost, others: list[int], app: int = 0, effort: Effort = FULL) -> Figures:
    """`others`: all processes that take part."""
    calls, big = Calls(host.tool(), rig.SMALL), Calls(host.tool(), rig.BIG)
    host.sequential(calls, effort.warm)
    with rig.one_processor(others):
        before = rig.worked(app) if app else 0.0
        times = host.sequential(calls, effort.small)
        spent = (rig.worked(app) - before) / len(times) if app else 0.0
        large = host.sequential(big, effort.large)
    figures = {
        "ms": statistics.median(times) * 1000,
        "1 MB ms": statistics.median(large) * 1000,
        "calls/s": max(host.pipelined(calls, effort.burst, 64) for _ in range(2)),
    }
    return {**figures, "app µs": spent * 1e6} if app else figures


def without_bridge(command: list[str], server: int = 0) -> Figures:
    host = StdioHost(command, dict(os.environ))
    host.open()
    others = [host.process.pid, *rig.children(host.process.pid), *([server] if server else [])]
    try:
        return measure(host, others)
    finally:
        host.close()


def direct_http(server: int, port: int) -> Figures:
    host = HttpHost(port, "/mcp", "")
    host.open()
    try:
        return measure(host, [server])
    finally:
        host.close()


def through_stdio(config: str, server: int = 0, words: Sequence[str] = ("--server", "echo")) -> Figures:
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home, rig.bridge(home, config) as app:
        empty = rig.resident(app.pid)
        command = [*rig.SHIM, "stdio", *words]
        _listed(command, app)  # the server's first start is the server's own
        began = time.perf_counter()
        host = _listed(command, app, keep=True)
        assert host is not None
        cold = time.perf_counter() - began
        shim = host.process.pid
        others = [shim, app.pid, *rig.children(app.pid), *([server] if server else [])]
        try:
            return {
                **measure(host, others, app.pid),
                "cold ms": cold * 1000,
                "shim MB": rig.resident(shim),
                "shim PSS MB": rig.shared_out(shim),
                "app MB": empty,
            }
        finally:
            host.close()


def _listed(command: list[str], app: Bridge, keep: bool = False) -> StdioHost | None:
    host = StdioHost(command, app.env)
    host.open()
    host.tool()
    if keep:
        return host
    host.close()
    return None


def through_http(config: str) -> Figures:
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home, rig.bridge(home, config) as app:
        empty = rig.resident(app.pid)
        host = HttpHost(app.port, "/mcp/echo", app.token)
        host.open()
        host.tool()
        try:
            return {**measure(host, [app.pid, *rig.children(app.pid)], app.pid), "app MB": empty}
        finally:
            host.close()
