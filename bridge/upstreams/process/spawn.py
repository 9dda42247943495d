"""Start a server process by vfork, in place of the event loop's `subprocess_exec`.

uvloop forks, which copies the page tables of the whole application, windows included, and blocks every thread
for 4 to 6 ms; `subprocess` uses vfork and needs less than one. Interface: `asyncio.SubprocessProtocol` and
`SubprocessTransport`, as with `subprocess_exec`, which is the plain twin and in use on Windows;
tests/bridge/upstreams/test_spawn.py compares the callbacks of both. It does not decide when a process ends,
or what that means.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from bridge.system.pipe_file import PipeFile
from bridge.system.process import descriptors, memory_protection
from bridge.system.process.process_group import DETACHED


async def spawn(
    protocol: asyncio.SubprocessProtocol, argv: Sequence[str], env: Mapping[str, str], cwd: str | None
) -> None:
    """Start `argv`; `protocol` gets its output and its end. Raises OSError."""
    loop, pipe = asyncio.get_running_loop(), subprocess.PIPE
    if sys.platform == "win32":
        await loop.subprocess_exec(
            lambda: protocol, *argv, stdin=pipe, stdout=pipe, stderr=pipe, env=dict(env), cwd=cwd, **DETACHED
        )
        return
    with contextlib.ExitStack() as theirs:
        ours: list[int] = []
        try:
            ends = [_pipe(fd, ours, theirs) for fd in range(3)]
            if descriptors.is_scarce(max(*ends, *ours)):
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            process = subprocess.Popen(  # noqa: ASYNC220 - vfork returns once the program runs
                argv, stdin=ends[0], stdout=ends[1], stderr=ends[2], env=env, cwd=cwd, **DETACHED
            )
            descriptors.lower_limit_of(process.pid)
            memory_protection.restore_core_limit_of(process.pid)
        except BaseException:
            for end in ours:
                os.close(end)
            raise
    await _Spawned(loop, process, protocol).connect(ours)


def _pipe(fd: int, ours: list[int], theirs: contextlib.ExitStack) -> int:
    """Return the child's end of a new pipe, closed with `theirs`; our end is added to `ours`."""
    reads, writes = os.pipe()
    own, other = (writes, reads) if fd == 0 else (reads, writes)
    ours.append(own)
    theirs.callback(os.close, other)
    return other


class _Spawned(asyncio.SubprocessTransport):
    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        process: subprocess.Popen[bytes],
        protocol: asyncio.SubprocessProtocol,
    ) -> None:
        super().__init__()
        self._loop = loop
        self._process = process
        self._protocol = protocol
        self._pipes: dict[int, asyncio.BaseTransport] = {}
        self._open_pipes = {0, 1, 2}
        self._early: list[Callable[[], None]] | None = []  # callbacks until `connection_made`; then None

    async def connect(self, ends: list[int]) -> None:
        """Attach our ends of its stdin, stdout and stderr to the loop."""
        loop = self._loop
        try:
            for fd, connect in enumerate((loop.connect_write_pipe, *[loop.connect_read_pipe] * 2)):
                self._pipes[fd], _ = await connect(partial(_PipeProtocol, self, fd), PipeFile(ends[fd]))
        except BaseException:  # too many open files, or cancelled
            for end in ends[len(self._pipes) :]:
                os.close(end)
            self.close()
            raise
        self._watch()
        self._protocol.connection_made(self)
        early, self._early = self._early or [], None
        for callback in early:
            callback()

    def _watch(self) -> None:
        try:
            if sys.platform != "linux":
                raise OSError
            handle = os.pidfd_open(self._process.pid)
        except (AttributeError, OSError):  # not Linux, an old one, or a sandbox that forbids it
            threading.Thread(target=self._wait, name="deskbell-wait", daemon=True).start()
            return

        def ended() -> None:
            self._loop.remove_reader(handle)
            os.close(handle)
            self._exited()

        self._loop.add_reader(handle, ended)

    def _wait(self) -> None:
        self._process.wait()
        with contextlib.suppress(RuntimeError):  # the loop has ended before
            self._loop.call_soon_threadsafe(self._exited)

    # --- asyncio.SubprocessTransport ---------------------------------------------------------------------

    def get_pid(self) -> int:
        return self._process.pid

    def get_returncode(self) -> int | None:
        return self._process.returncode

    def get_pipe_transport(self, fd: int) -> asyncio.BaseTransport | None:
        return self._pipes.get(fd)

    def close(self) -> None:
        for pipe in self._pipes.values():
            pipe.close()
        if self._process.returncode is None:
            self._process.kill()

    # --- events ------------------------------------------------------------------------------------------

    def received(self, fd: int, data: bytes) -> None:
        if self._early is None:
            self._protocol.pipe_data_received(fd, data)
        else:
            self._call(lambda: self._protocol.pipe_data_received(fd, data))

    def lost(self, fd: int, error: Exception | None) -> None:
        self._open_pipes.discard(fd)
        self._call(lambda: self._protocol.pipe_connection_lost(fd, error))
        self._check_lost()

    def _exited(self) -> None:
        self._process.wait()  # the process has ended: this fetches its exit code
        self._call(self._protocol.process_exited)
        self._check_lost()

    def _check_lost(self) -> None:
        if not self._open_pipes and self._process.returncode is not None:
            self._call(lambda: self._protocol.connection_lost(None))

    def _call(self, callback: Callable[[], None]) -> None:
        if self._early is None:
            callback()
        else:
            self._early.append(callback)


class _PipeProtocol(asyncio.Protocol):
    def __init__(self, owner: _Spawned, fd: int) -> None:
        self._owner = owner
        self._fd = fd

    def data_received(self, data: bytes) -> None:
        self._owner.received(self._fd, data)

    def connection_lost(self, error: Exception | None) -> None:
        self._owner.lost(self._fd, error)
