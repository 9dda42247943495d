"""A loopback forwarder that shows the bridge's token for a program that cannot: the suite has no such option.

Bytes pass as they come, both ways; only a request's head is touched. A foreign Host or Origin stays as it
is, so that the bridge can refuse it.
"""

from __future__ import annotations

import asyncio
import re
import threading

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)


class Forwarder:
    """`with Forwarder(port, token) as forwarder:` – what comes to `forwarder.port` goes on to `port`."""

    def __init__(self, port: int, token: str) -> None:
        self._target = port
        self._token = token.encode()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._writers: set[asyncio.StreamWriter] = set()
        self.port = 0

    def __enter__(self) -> Forwarder:
        self._thread.start()
        self.port = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(5)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    async def _listen(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def _end(self) -> None:
        self._server.close()
        for writer in self._writers:
            writer.close()
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers |= {writer, back}
        ways = [asyncio.create_task(self._requests(reader, back)), asyncio.create_task(_copy(there, writer))]
        # When one side hangs up the other must hear it: in the modern era that cancels a request.
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        writer.close()
        back.close()
        await asyncio.wait(ways)
        self._writers -= {writer, back}

    async def _requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(self._rewritten(head))
                await _body(head, reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass

    def _rewritten(self, head: bytes) -> bytes:
        here, there = b"127.0.0.1:%d" % self.port, b"127.0.0.1:%d" % self._target
        line, _, headers = head.replace(here, there).partition(b"\r\n")
        return b"%b\r\nAuthorization: Bearer %b\r\n%b" % (line, self._token, headers)


async def _body(head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    if length := _LENGTH.search(head):
        writer.write(await reader.readexactly(int(length[1])))
    elif _CHUNKED.search(head):
        size = -1
        while size:
            line = await reader.readuntil(b"\r\n")
            size = int(line, 16)
            writer.write(line + await reader.readexactly(size + 2))
    await writer.drain()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while part := await reader.read(65536):
            writer.write(part)
            await writer.drain()
    except ConnectionError:
        pass
