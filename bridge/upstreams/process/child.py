"""One running server process: its three pipes, its end, and how it is made to end. POSIX and Windows.

Bytes only: what they mean, and what a person is told, is connection.py's business.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable
from typing import cast

from bridge.i18n import Words, say
from bridge.system.reaper import Reaper
from bridge.upstreams.process.launch import Launch
from bridge.upstreams.process.process_group import Family, family
from bridge.upstreams.process.spawn import spawn

# asyncio's 256 KiB make glibc map and unmap memory on every single read.
_READ_SIZE = 65536
_AFTER_TERMINATE = 0.5
_AFTER_KILL = 0.3


async def within(seconds: float, *events: asyncio.Event) -> bool:
    """Whether all of it happened in time."""
    try:
        async with asyncio.timeout(seconds):
            for event in events:
                await event.wait()
    except TimeoutError:
        return False
    return True


class Child(asyncio.SubprocessProtocol):
    """`on_output` and `on_errors` get bytes as they come, `on_break` is called at each sign of the end."""

    def __init__(
        self,
        on_output: Callable[[bytes], None],
        on_errors: Callable[[bytes], None],
        on_break: Callable[[], None],
    ) -> None:
        self.exited = asyncio.Event()
        self.silent = asyncio.Event()  # stdout and stderr have ended
        self._pipes = {0, 1, 2}  # those not lost yet
        self._listens = True
        self._lost = asyncio.Event()
        self._on_output = on_output
        self._on_errors = on_errors
        self._on_break = on_break
        self._reaper: Reaper
        self._transport: asyncio.SubprocessTransport
        self._stdin: asyncio.WriteTransport
        self._family: Family

    async def start(self, launch: Launch, reaper: Reaper) -> None:
        """Raises OSError when the system refuses."""
        self._reaper = reaper
        await spawn(self, launch.argv, launch.env, launch.cwd)

    @property
    def code(self) -> int | None:
        """Exit code, negative for a signal; None while it runs."""
        return self._transport.get_returncode()

    @property
    def backlog(self) -> int:
        """Bytes the server has not read yet and the system has not taken either."""
        return self._stdin.get_write_buffer_size() if self._listens else 0

    def write(self, data: bytes) -> None:
        if self._listens:
            with contextlib.suppress(RuntimeError):  # uvloop, of a process that has just died
                self._stdin.write(data)

    def hang_up(self) -> None:
        """Closes its stdin, once all that was written is out."""
        if self._listens:
            self._listens = False
            self._stdin.close()

    async def stop(self, patience: float) -> None:
        """Closed stdin, `patience` seconds, SIGTERM, 0.5 s, SIGKILL; without patience, SIGKILL at once."""
        try:
            self.hang_up()
            if patience:
                await within(patience, self.exited)
                if not self._gone():
                    self._family.terminate()
                    await self._wait_until_gone(_AFTER_TERMINATE)
        finally:
            if not self._gone():
                self._family.kill()
        await self._wait_until_gone(_AFTER_KILL)
        await self._let_go()

    def _gone(self) -> bool:
        return self.exited.is_set() and self._family.gone()

    async def _wait_until_gone(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        # Nothing tells when a group of strangers' children has ended; it has to be asked.
        while not self._gone() and loop.time() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async def _let_go(self) -> None:
        self._family.release()
        if 0 in self._pipes:
            self._stdin.abort()
        with contextlib.suppress(ProcessLookupError):  # uvloop kills without looking first
            self._transport.close()
        await within(0.2, self._lost)

    # asyncio.SubprocessProtocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._stdin = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))
        self._family = family(self._transport.get_pid(), self._reaper)
        for fd in (1, 2):
            pipe = self._transport.get_pipe_transport(fd)
            if hasattr(pipe, "max_size"):
                pipe.max_size = _READ_SIZE  # type: ignore[union-attr]

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        (self._on_output if fd == 1 else self._on_errors)(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self._pipes.discard(fd)
        if not self._pipes & {1, 2}:
            self.silent.set()
        if fd == 0:
            self._listens = False
        if fd != 2:  # a server may well close its stderr
            self._on_break()

    def process_exited(self) -> None:
        self.exited.set()
        self._on_break()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost.set()


def ending(server: str, code: int | None) -> Words:
    """How it ended, for a person."""
    if code is None:
        return say("{server} closed the connection and kept running", server=server)
    if code >= 0:
        return say("{server} ended with code {code}", server=server, code=code)
    try:
        return say("{server} was ended by {signal}", server=server, signal=signal.Signals(-code).name)
    except ValueError:
        return say("{server} was ended by signal {number}", server=server, number=-code)
