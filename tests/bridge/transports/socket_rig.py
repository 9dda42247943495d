"""Both sides of the owner-only socket: an engine that records what it receives, and a host."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from typing import Any

from bridge.core.ports import Caller, DeliverCallback, HangUpCallback
from bridge.transports.host_socket import HostSocket
from tests.fixtures.patience import WITHIN

STDIO = b'{"deskbell":1,"verb":"stdio","server":"","host_name":""}\n'


class Recorder:
    """A Front that writes down what it hears."""

    def __init__(self) -> None:
        self.callers: list[Caller] = []
        self.deliver: list[DeliverCallback] = []
        self.hang_up: list[HangUpCallback] = []
        self.heard: list[tuple[int, bytes]] = []
        self.closed: list[int] = []
        self.why: list[str] = []
        self.asked: list[dict[str, Any]] = []
        self._changed = asyncio.Event()

    def open_link(self, caller: Caller, deliver: DeliverCallback, hang_up: HangUpCallback) -> int:
        self.callers.append(caller)
        self.deliver.append(deliver)
        self.hang_up.append(hang_up)
        self._changed.set()
        return len(self.callers) - 1

    def host_sent(self, link: int, message: bytes) -> None:
        self.heard.append((link, message))
        self._changed.set()

    def close_link(self, link: int, why: str = "") -> None:
        self.closed.append(link)
        self.why.append(why)
        self._changed.set()

    async def control(self, hello: dict[str, Any]) -> AsyncIterator[bytes]:
        self.asked.append(hello)
        yield b'{"ok":true}'

    def say(self, message: bytes, link: int = 0) -> None:
        self.deliver[link](message, b"", False)

    async def until(self, done: Callable[[Recorder], bool], within: float = WITHIN) -> None:
        async with asyncio.timeout(within):
            while not done(self):
                self._changed.clear()
                await self._changed.wait()

    async def linked(self, count: int = 1) -> None:
        await self.until(lambda front: len(front.callers) == count)


class Host:
    """The other end of the socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def at(cls, path: str, first: bytes = STDIO) -> Host:
        host = cls(*await asyncio.open_unix_connection(path, limit=16 << 20))
        host.writer.write(first)
        return host

    async def line(self) -> bytes:
        return await asyncio.wait_for(self.reader.readline(), WITHIN)

    async def everything(self) -> bytes:
        return await asyncio.wait_for(self.reader.read(), WITHIN)

    async def leave(self) -> None:
        self.writer.close()
        await self.writer.wait_closed()


def transport_at(path: str, front: Recorder | None = None) -> HostSocket:
    front = front or Recorder()
    return HostSocket(front, path, front.control)


def names_beside(path: str) -> list[str]:
    return os.listdir(os.path.dirname(path))
