"""A server that does what it should not: told of in the history, and another application hardly notices."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from bridge.core.routing.peer_limits import MOST_NOTES
from bridge.journal import Journal, JournalRow
from tests.journeys.app_under_test import FIXTURES, WAIT, App, asking, fixture, server, until
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import said_in

ROOM = 400 * 2**20  # bytes; a line may have 64 MiB, and is held a few times over while it is taken apart
ENDS: dict[str, tuple[str, str]] = {  # how it misbehaves → how its call ends, what the history says
    "flood": ("flooded", "notifications in a second"),
    "line": ("more than 64 MiB in one line", "more than 64 MiB in one line"),
    "strays": ("first", "what nobody asked"),
    "bytes": ("caf\ufffd", ""),
    "rounds": ("asked for input 10 times", "asked too often"),
}


def peak(app: App) -> int:
    """Of the app's memory, in bytes."""
    status = Path(f"/proc/{app.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def told(app: App, words: str) -> JournalRow | None:
    found = Journal(app.home.journal).search("hostile", 1000)
    return next((row for row in found if words in f"{row.outcome} {row.detail}"), None)


@contextlib.contextmanager
def endless(how: str) -> Iterator[str]:
    command = [sys.executable, "-I", "-S", str(FIXTURES / "endless_server.py"), how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def still_read(address: str) -> int:
    with urllib.request.urlopen(f"{address.removesuffix('/mcp')}/open", timeout=WAIT) as said:
        return int(said.read())


def outcome(call: Future[Any]) -> str:
    reply = call.result(WAIT)
    return reply["error"]["message"] if "error" in reply else reply["result"]["content"][0]["text"]


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("how", ENDS)
def test_a_hostile_server_is_contained(how: str, start: Start, spawn: Spawn):
    hostile = server("hostile", fixture("hostile_server.py", how))
    app = start(config=hostile + server("quiz", asking("legacy")))
    host, other = spawn("stdio", "--server", "hostile"), spawn("stdio", "--server", "quiz", name="other")
    host.open()
    other.open()
    pid = said_in(other.call("count"))["pid"]
    call = host.begin_call("go")
    calls = 1
    while not call.done():
        calls += 1
        assert said_in(other.call("count")) == {"pid": pid, "calls": calls, "era": "legacy"}
    said, history = ENDS[how]
    assert said in outcome(call)
    # A flood is not passed on whole, unless the machine is too slow for a flood.
    assert until(lambda: told(app, history) or len(host.heard) >= 200_000)
    assert peak(app) < ROOM


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize(
    ("how", "history"),
    [("notes", "notifications in a second"), ("event", "an event of more than 64 MiB")],
)
def test_a_remote_answer_that_never_ends_is_left(how: str, history: str, start: Start, spawn: Spawn):
    """With the call that a host gives up; one event that only grows, by itself."""
    with endless(how) as address:
        hostile = f'[servers.hostile]\nurl = "{address}"\n'
        app = start(config=hostile + server("quiz", asking("legacy")))
        host, other = spawn("stdio", "--server", "hostile"), spawn("stdio", "--server", "quiz", name="other")
        host.open()
        other.open()
        call = host.begin_call("go")
        # A slow machine may hear more notes than that, but never so many in a second.
        until(lambda: said_in(other.call("count")) and (told(app, history) or len(host.heard) > MOST_NOTES))
        if how == "notes":
            assert still_read(address) == 1
            host.write(
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": host.last}}
            )
        else:
            assert history in outcome(call)
        until(lambda: still_read(address) == 0)
        assert peak(app) < ROOM
        assert host.request("ping") == {}  # nothing else is lost


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_hostile_host_is_contained(start: Start, spawn: Spawn):
    app = start(config=server("quiz", asking("legacy")))
    host, other = (spawn("stdio", "--server", "quiz", name=name) for name in ("hostile", "other"))
    host.open()
    other.open()
    pipe = host.process.stdin
    assert pipe
    said = b"".join(
        [
            b"\xff\xfe {\n",
            b'{"jsonrpc":"2.0","id":12345,"result":{}}\n',
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}\n' * 2,
            b'{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}\n' * 100_000,
        ]
    )

    def misbehave() -> None:
        with contextlib.suppress(BrokenPipeError):
            pipe.write(said)
            pipe.write(b"x" * (65 << 20))
            pipe.flush()

    flood = threading.Thread(target=misbehave)
    flood.start()
    calls = 0
    while flood.is_alive():
        calls += 1
        assert said_in(other.call("count"))["calls"] == calls
    flood.join()
    for words in ("no message", "nobody asked", "id again", "more than 64 MiB"):
        line = until(lambda words=words: told(app, words))  # type: ignore[misc]
        assert line
        assert line.host == "hostile"
    assert peak(app) < ROOM
    host.ended()
