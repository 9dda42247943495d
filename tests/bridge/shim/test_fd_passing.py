"""The ends of a host's pipes that the shim hands over: what others hold too is left as it was found."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from bridge import shim
from bridge.transports import fd_passing
from bridge.transports.host_socket import HostSocket
from tests.bridge.shim.shim_process import BY_PATH, until
from tests.bridge.transports.socket_rig import Recorder
from tests.fixtures.patience import WITHIN


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


class Shared:
    """A shim whose ends of stdin and stdout the test holds as well, as a script around it would."""

    def __init__(self, kind: str, home: Path) -> None:
        self.theirs, self.stdin = self._pair(kind)
        self.stdout, theirs = self._pair(kind)
        self.theirs += theirs
        self.process = subprocess.Popen(
            [*BY_PATH, "stdio"],
            stdin=self.theirs[0],
            stdout=self.theirs[1],
            env={**os.environ, "DESKBELL_HOME": str(home)},
        )

    @staticmethod
    def _pair(kind: str) -> tuple[list[int], list[int]]:
        if kind == "pipe":
            reader, writer = os.pipe()
        else:  # as Node makes them, or a shell that closes the half of each that it does not need
            one, other = socket.socketpair()
            one.shutdown(socket.SHUT_WR)
            reader, writer = one.detach(), other.detach()
        return [reader], [writer]

    def write(self, line: bytes) -> None:
        os.write(self.stdin[0], line)

    async def line(self) -> bytes:
        with os.fdopen(os.dup(self.stdout[0]), "rb", buffering=0) as stdout:
            return await asyncio.wait_for(asyncio.to_thread(stdout.readline), WITHIN)

    def is_as_it_was(self) -> bool:
        return all(map(os.get_blocking, self.theirs))

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for end in (*self.theirs, *self.stdin, *self.stdout):
            os.close(end)


def inheritable() -> set[int]:
    """What each program that this process starts gets as well."""
    found = set()
    for fd in map(int, os.listdir("/proc/self/fd")):
        with suppress(OSError):  # the one that listed them
            if os.get_inheritable(fd):
                found.add(fd)
    return found


async def used_and_left(kind: str, home: Path) -> None:
    front = Recorder()
    transport = HostSocket(front, shim.socket_path(str(home)), front.control)
    await transport.start()
    open_files, before = len(os.listdir("/proc/self/fd")), inheritable()
    host = Shared(kind, home)
    try:
        host.write(b"up\n")
        await front.until(lambda front: front.heard == [(0, b"up")])
        front.say(b"down")
        assert await host.line() == b"down\n"
        assert kind != "pipe" or host.is_as_it_was(), "others write and read there meanwhile"
        assert inheritable() <= before, "a program started now would hold the host's pipes open"
        host.process.kill()
        await front.until(lambda front: front.closed == [0])
        await until(host.is_as_it_was)
    finally:
        host.close()
    await until(lambda: len(os.listdir("/proc/self/fd")) == open_files)
    await transport.stop()


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="of Linux")


@needs_proc
@pytest.mark.parametrize("kind", ["pipe", "socket"])
async def test_what_others_hold_too_is_left_as_it_was_even_if_it_is_killed(kind: str, home: Path) -> None:
    await used_and_left(kind, home)


@needs_proc
async def test_a_pipe_it_copies_to_blocks_for_others_as_before_even_if_it_is_killed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fd_passing, "POSSIBLE", False)
    await used_and_left("pipe", home)


@needs_proc
@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_uvloop_leaves_it_as_well(kind: str, home: Path) -> None:
    uvloop = pytest.importorskip("uvloop")
    uvloop.run(used_and_left(kind, home))


@needs_proc
def test_uvloop_closes_no_file_of_another_thread() -> None:
    uvloop = pytest.importorskip("uvloop")

    async def story() -> None:
        loop = asyncio.get_running_loop()
        reader, writer = os.pipe()
        end, closed = fd_passing.PassedFd(reader), asyncio.Event()

        class Reading(asyncio.Protocol):
            def connection_lost(self, error: Exception | None) -> None:
                end.release()
                closed.set()

        transport = await end.connect(Reading(), loop.connect_read_pipe)
        pipe = transport.get_extra_info("pipe")
        os.close(writer)
        await closed.wait()
        other = os.open(os.devnull, os.O_RDONLY)
        os.dup2(other, pipe.fileno())  # as if another thread's file had got its number
        pipe.close()
        os.fstat(pipe.fileno())
        os.close(pipe.fileno())
        with suppress(OSError):
            os.close(other)  # or it had the number itself

    uvloop.run(story())


@pytest.mark.parametrize("given", [0, 1, 2], ids=["nothing", "one end", "files"])
async def test_what_cannot_be_used_is_copied(given: int, home: Path, tmp_path: Path) -> None:
    front = Recorder()
    transport = HostSocket(front, shim.socket_path(str(home)), front.control)
    await transport.start()
    file = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT)
    with socket.socket(socket.AF_UNIX) as caller:
        caller.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(caller, shim.socket_path(str(home)))
        await loop.sock_sendall(caller, b'{"deskbell":2,"verb":"stdio"}\n')
        assert await asyncio.wait_for(loop.sock_recv(caller, 100), WITHIN) == fd_passing.WANTED
        socket.send_fds(caller, [b"\n"], [file] * given)
        os.close(file)
        assert await asyncio.wait_for(loop.sock_recv(caller, 100), WITHIN) == fd_passing.UNWANTED
        await loop.sock_sendall(caller, b"up\n")
        await front.until(lambda front: front.heard == [(0, b"up")])
    await front.until(lambda front: front.closed == [0])
    await transport.stop()
