"""What a call costs when there is more of everything else: three sizes each. Nothing of it should matter."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from bridge.journal import Journal, JournalEntry
from tests.bench import rig
from tests.bench.hosts import Calls, HttpHost, StdioHost, call
from tests.bench.rig import Bridge

CALLS = 1000
SLEEPER = f"command:{sys.executable} -I -S -c \"__import__('time').sleep(600)\""
UNLIMITED = "[desktop]\nquestions_per_minute = 0\n"


def report() -> None:
    print("growth: servers, hosts, history, questions, tools", file=sys.stderr)
    rig.table(
        (
            "servers",
            "ms a call, one of them",
            "ms a call, all as one",
            "the same by HTTP, `/mcp`",
            "tools/list, first",
            "again",
            "app RSS, all running",
        ),
        [_servers(size) for size in (1, 10, 100)],
    )
    rig.table(
        ("hosts connected", "ms a call", "app RSS", "KB in the app for each more"),
        [_hosts(size) for size in (1, 10, 50)],
    )
    rig.table(("lines of history", "ms a call", "app RSS"), [_history(size) for size in (0, 10_000, 100_000)])
    rig.table(("questions waiting", "ms a call", "app RSS"), [_questions(size) for size in (0, 100, 1000)])
    rig.table(
        ("tools of a server", "tools/list direct", "through Deskbell", "all as one"),
        [_tools(size) for size in (20, 200, 2000)],
    )


@contextmanager
def _bridge(config: str, presenter: str = "silent", home: str = "") -> Iterator[Bridge]:
    with ExitStack() as stack:
        home = home or stack.enter_context(tempfile.TemporaryDirectory(prefix="deskbell-bench-"))
        yield stack.enter_context(rig.bridge(home, config, presenter))


@contextmanager
def _host(command: list[str], env: Mapping[str, str]) -> Iterator[StdioHost]:
    host = StdioHost(command, env)
    host.open()
    try:
        yield host
    finally:
        host.close()


def _through(app: Bridge, *more: str) -> AbstractContextManager[StdioHost]:
    return _host([*rig.SHIM, "stdio", *more], app.env)


def _one(app: Bridge) -> float:
    with _through(app, "--server", "echo") as host:
        return _ms(host, app, host.tool())


def _ms(host: StdioHost | HttpHost, app: Bridge, tool: str) -> float:
    """On one processor: the sum of the work, whatever it takes to wake another one."""
    calls = Calls(tool, rig.SMALL)
    host.sequential(calls, 200)
    shim = [host.process.pid] if isinstance(host, StdioHost) else []
    with rig.one_processor([*shim, app.pid, *rig.children(app.pid)]):
        return statistics.median(host.sequential(calls, CALLS)) * 1000


def _listing(host: StdioHost, times: int = 1) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        host.request("tools/list")
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def _servers(size: int) -> list[str]:
    others = "".join(rig.stdio_server(f"other{number}") for number in range(1, size))
    with _bridge("[bluesky]\nenabled = false\n" + rig.stdio_server("echo") + others) as app:
        alone = _one(app)
        with _through(app) as host:
            first, again = _listing(host), _listing(host, 9)
            merged, weight = _ms(host, app, "echo_echo"), rig.resident(app.pid)
        http = _by_http(app, "echo_echo")
    calls = (f"{ms:.3f}" for ms in (alone, merged, http))
    return [str(size), *calls, f"{first:.0f} ms", f"{again:.1f} ms", f"{weight:.1f} MB"]


def _by_http(app: Bridge, tool: str) -> float:
    host = HttpHost(app.port, "/mcp", app.token)
    host.open()
    try:
        return _ms(host, app, tool)
    finally:
        host.close()


def _hosts(size: int) -> list[str]:
    with _bridge(rig.stdio_server("echo")) as app, ExitStack() as stack:
        stack.enter_context(_through(app, "--server", "echo")).tool()
        before = rig.resident(app.pid)
        for _ in range(size - 1):
            stack.enter_context(_through(app, "--server", "echo")).tool()
        after = rig.resident(app.pid)
        each = f"{(after - before) * 1024 / (size - 1):.0f}" if size > 1 else "–"
        return [str(size), f"{_one(app):.3f}", f"{after:.1f} MB", each]


def _history(size: int) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="deskbell-bench-") as home:
        journal = Journal(Path(home, "journal.db"))
        for number in range(size):
            journal.record(
                JournalEntry("call", "bench", "echo", "echo", "ok", 1.0, number, at=time.time() - number)
            )
        journal.flush(120)
        journal.close()
        with _bridge(rig.stdio_server("echo"), home=home) as app:
            return [f"{size:,}", f"{_one(app):.3f}", f"{rig.resident(app.pid):.1f} MB"]


def _questions(size: int) -> list[str]:
    config = UNLIMITED + rig.stdio_server("echo") + rig.stdio_server("asking", rig.ASKING)
    with _bridge(config, SLEEPER) as app, _through(app, "--server", "asking") as asker:
        for number in range(size):
            asker.tell(call(1000 + number, "tools/call", {"name": "ask", "arguments": {}}))
        return [f"{size:,}", f"{_one(app):.3f}", f"{rig.resident(app.pid):.1f} MB"]


def _tools(size: int) -> list[str]:
    server = [*rig.ECHO, str(size)]
    with _host(server, {}) as host:
        direct = _listing(host, 9)
    with _bridge("[bluesky]\nenabled = false\n" + rig.stdio_server("echo", server)) as app:
        with _through(app, "--server", "echo") as host:
            through = _listing(host, 9)
        with _through(app) as host:
            merged = _listing(host, 9)
    ratios = [f"{ms:.1f} ms ({ms / direct:.1f} ×)" for ms in (through, merged)]
    return [f"{size:,}", f"{direct:.1f} ms", *ratios]
