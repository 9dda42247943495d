"""Processes started by vfork behave to their protocol as those of asyncio's own `subprocess_exec` do."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import cast

import pytest

from bridge.system.process.process_group import DETACHED
from bridge.upstreams.process.spawn import spawn
from tests.fixtures.patience import WITHIN

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there, subprocess_exec is in use")

Start = Callable[[asyncio.SubprocessProtocol, Sequence[str], Mapping[str, str], str], Awaitable[None]]

SCRIPTS = {
    "writes and ends": "import os; os.write(1, b'out' * 70_000); os.write(2, b'err'); raise SystemExit(3)",
    "echoes its stdin": "import sys; sys.stdout.write(sys.stdin.read())",
    "is ended by a signal": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "closes its stdout first": "import os, sys; os.close(1); sys.stdin.read()",
    "ends at once": "",
    "shows where it runs": "import os; print(os.getcwd(), os.environ, os.getpid() == os.getsid(0))",
}


async def plainly(
    protocol: asyncio.SubprocessProtocol, argv: Sequence[str], env: Mapping[str, str], cwd: str
) -> None:
    loop, pipe = asyncio.get_running_loop(), subprocess.PIPE
    await loop.subprocess_exec(
        lambda: protocol, *argv, stdin=pipe, stdout=pipe, stderr=pipe, env=dict(env), cwd=cwd, **DETACHED
    )


class Recorder(asyncio.SubprocessProtocol):
    """Writes to the process as soon as it may; keeps what is heard of it."""

    def __init__(self) -> None:
        self.output = {1: b"", 2: b""}
        self.events: list[str] = []
        self.over = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.SubprocessTransport, transport)
        self.events.append("made")
        stdin = cast(asyncio.WriteTransport, self.transport.get_pipe_transport(0))
        stdin.write(b"hello" * 50_000)
        stdin.close()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        assert self.events[0] == "made"
        self.output[fd] += data

    def pipe_connection_lost(self, fd: int, error: Exception | None) -> None:
        self.events.append(f"lost {fd}")

    def process_exited(self) -> None:
        self.events.append(f"exited {self.transport.get_returncode()}")

    def connection_lost(self, error: Exception | None) -> None:
        self.events.append(f"over {error}")
        self.over.set()


async def observed(start: Start, script: str, cwd: str) -> tuple[dict[int, bytes], str, list[str], str]:
    """What a protocol hears of a process; the order of the pipes and of the exit is the system's."""
    protocol = Recorder()
    await start(protocol, (sys.executable, "-I", "-S", "-c", script), {"COLOUR": "blue"}, cwd)
    async with asyncio.timeout(WITHIN):
        await protocol.over.wait()
    first, *between, last = protocol.events
    return protocol.output, first, sorted(between), last


@pytest.mark.parametrize("name", SCRIPTS)
async def test_a_process_is_heard_of_as_by_subprocess_exec(name: str, tmp_path: object):
    plain = await observed(plainly, SCRIPTS[name], str(tmp_path))
    assert await observed(spawn, SCRIPTS[name], str(tmp_path)) == plain


@pytest.mark.parametrize("start", [plainly, spawn])
async def test_a_program_that_does_not_exist_is_an_oserror(start: Start, tmp_path: object):
    with pytest.raises(FileNotFoundError):
        await start(Recorder(), ("/nowhere/program",), {}, str(tmp_path))


@pytest.mark.parametrize("start", [plainly, spawn])
async def test_closing_the_transport_kills_the_process(start: Start, tmp_path: object):
    protocol = Recorder()
    await start(protocol, (sys.executable, "-I", "-S", "-c", "while True: pass"), {}, str(tmp_path))
    protocol.transport.close()
    async with asyncio.timeout(WITHIN):
        await protocol.over.wait()
    assert "exited -9" in protocol.events
