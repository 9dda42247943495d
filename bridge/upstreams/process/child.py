"""Child: one running server process, its three pipes, and how it is stopped. POSIX and Windows.

Bytes only: connection.py knows what they mean, and the words for a person.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from itertools import count
from typing import cast

from bridge.i18n import Words, say
from bridge.system.process.process_group import ProcessGroup
from bridge.system.process.reaper import MARK, Reaper, kill_daemons, programs_of_group
from bridge.upstreams.process.launch import Launch
from bridge.upstreams.process.spawn import spawn

# With asyncio's 256 KiB, glibc maps and unmaps memory on every read.
_READ_SIZE = 65536
_AFTER_TERMINATE = 0.5  # seconds
_AFTER_KILL = 0.3
_numbers = count(1)


async def within(seconds: float, *events: asyncio.Event) -> bool:
    """True if all events are set within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            for event in events:
                await event.wait()
    except TimeoutError:
        return False
    return True


class Child(asyncio.SubprocessProtocol):
    """`on_output` and `on_errors` get the bytes of stdout and stderr, `on_break` each sign of the end."""

    def __init__(
        self,
        on_output: Callable[[bytes], None],
        on_errors: Callable[[bytes], None],
        on_break: Callable[[], None],
    ) -> None:
        self.exited = asyncio.Event()
        self.output_ended = asyncio.Event()  # stdout and stderr are closed
        self._pipes = {0, 1, 2}  # still open
        self._stdin_open = True
        self._lost = asyncio.Event()
        self._on_output = on_output
        self._on_errors = on_errors
        self._on_break = on_break
        self._mark = f"{os.getpid()}.{next(_numbers)}"
        self._programs: set[str] = set()  # that the server's processes were seen to run
        self._reaper: Reaper
        self._transport: asyncio.SubprocessTransport
        self._stdin: asyncio.WriteTransport
        self._group: ProcessGroup

    async def start(self, launch: Launch, reaper: Reaper) -> None:
        """Start the process. Raises OSError."""
        self._reaper = reaper
        await spawn(self, launch.argv, {**launch.env, MARK: self._mark}, launch.cwd)

    @property
    def code(self) -> int | None:
        """The exit code, negative for a signal; None while the process runs."""
        return self._transport.get_returncode()

    @property
    def backlog(self) -> int:
        """The number of bytes that wait in this process for the server to read."""
        return self._stdin.get_write_buffer_size() if self._stdin_open else 0

    def write(self, data: bytes) -> None:
        if self._stdin_open:
            try:  # noqa: SIM105 - suppress() costs every call 1 µs
                self._stdin.write(data)
            except RuntimeError:  # uvloop, if the process has just died
                pass

    def close_stdin(self) -> None:
        """Close its stdin, after all that was written."""
        if self._stdin_open:
            self._stdin_open = False
            self._stdin.close()

    async def stop(self, patience: float) -> None:
        """Close stdin, wait `patience` seconds, SIGTERM, 0.5 s, SIGKILL; with patience 0, SIGKILL at once."""
        try:
            self.close_stdin()
            if patience:
                await within(patience, self.exited)
                if not self._gone():
                    self._group.terminate()
                    await self._wait_until_gone(_AFTER_TERMINATE)
        finally:
            if not self._gone():
                self._group.kill()
        await self._wait_until_gone(_AFTER_KILL)
        if sys.platform == "linux":
            await asyncio.to_thread(kill_daemons, self._mark, self._programs)
        await self._release()

    def _gone(self) -> bool:
        return self.exited.is_set() and self._group.gone()

    async def _wait_until_gone(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        # No event reports the end of a process group: it has to be polled.
        while not self._gone() and loop.time() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async def _release(self) -> None:
        self._group.release()
        if 0 in self._pipes:
            self._stdin.abort()
        with contextlib.suppress(ProcessLookupError):  # uvloop kills without a check
            self._transport.close()
        await within(0.2, self._lost)

    # asyncio.SubprocessProtocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._stdin = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))
        self._group = ProcessGroup(self._transport.get_pid(), self._reaper)
        for fd in (1, 2):
            pipe = self._transport.get_pipe_transport(fd)
            if hasattr(pipe, "max_size"):
                pipe.max_size = _READ_SIZE  # type: ignore[union-attr]

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if not self._programs:  # now it runs what it will run, also below a shell, `env` or uvx
            self._programs = programs_of_group(self._transport.get_pid()) or {""}
            for program in self._programs:
                self._reaper.add_program(program)
        (self._on_output if fd == 1 else self._on_errors)(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._pipes.discard(fd)
        if not self._pipes & {1, 2}:
            self.output_ended.set()
        if fd == 0:
            self._stdin_open = False
        if fd != 2:  # a server may well close its stderr
            self._on_break()

    def process_exited(self) -> None:
        self.exited.set()
        self._on_break()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost.set()


def ending(server: str, code: int | None) -> Words:
    """Return how the process ended, in words."""
    if code is None:
        return say("{server} closed the connection and kept running", server=server)
    if code >= 0:
        return say("{server} ended with code {code}", server=server, code=code)
    try:
        return say("{server} was ended by {signal}", server=server, signal=signal.Signals(-code).name)
    except ValueError:
        return say("{server} was ended by signal {number}", server=server, number=-code)
