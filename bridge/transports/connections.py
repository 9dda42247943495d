"""One TCP connection to the HTTP port, kept within bounds before anybody has shown a token.

Every user of this computer can connect. uvicorn reads a request's head without end in size or time, takes
pipelined requests faster than it answers them, and accepts connections until no file is left for anybody.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST = 512  # connections; half of the usual 1024 files, so that stdio hosts and servers keep theirs
HEAD_LIMIT = 256 * 1024  # bytes of request line and headers, or of trailers
HEAD_WITHIN = 20.0  # seconds for all of them to come
PIPELINED = 64  # requests that wait behind the one being answered


class HttpConnection(HttpToolsProtocol):
    """Also tells each request how to drop its connection: ASGI has no word for that."""

    _head = 0  # bytes that have come and neither ended a head nor belong to a body
    _due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, "abort": transport.abort}
        if len(self.connections) > MOST:
            transport.abort()
        else:
            self._due = self.loop.call_later(HEAD_WITHIN, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._moved_on()

    def data_received(self, data: bytes) -> None:
        self._head += len(data)
        super().data_received(data)
        if len(self.pipeline) > PIPELINED:
            self.transport.abort()
        elif self._head > HEAD_LIMIT:
            self.send_400_response("The headers are too long.")
        elif self._head and self._due is None:
            self._due = self.loop.call_later(HEAD_WITHIN, self.transport.abort)

    def on_headers_complete(self) -> None:
        self._moved_on()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._moved_on()
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._moved_on()
        super().on_message_complete()

    def _moved_on(self) -> None:
        self._head = 0
        if self._due is not None:
            self._due.cancel()
            self._due = None
