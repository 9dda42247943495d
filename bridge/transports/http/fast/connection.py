"""One TCP connection to the HTTP port, kept within bounds before anybody has shown a token.

Every user of this computer can connect. uvicorn reads a request's head without end in size or time, takes
pipelined requests faster than it answers them, and accepts connections until no file is left for anybody.
"""

from __future__ import annotations

import asyncio
import random
from typing import cast

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

MOST = 512  # connections; half of the usual 1024 files, so that stdio hosts and servers keep theirs
HEAD_LIMIT = 256 * 1024  # bytes of request line and headers, or of trailers
HEAD_WITHIN = 20.0  # seconds for all of them to come
PIPELINED = 64  # requests that wait behind the one being answered
STRANGER_IDLE = 5  # seconds between requests while no token was shown


class HttpConnection(HttpToolsProtocol):
    """Also tells each request how to drop its connection, how to say that a token was shown (`trust`): ASGI
    has no word for either. When all places are taken, a stranger gives up his for the next to come."""

    _trusted = False
    _head = 0  # bytes that have come and neither ended a head nor belong to a body
    _due: asyncio.TimerHandle | None = None
    _reading = False
    _begun: tuple[RequestResponseCycle, ASGI3Application] | None = None  # by what is being read

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, "abort": transport.abort, "trust": self._trust}
        self._patience, self.timeout_keep_alive = self.timeout_keep_alive, STRANGER_IDLE
        if len(self.connections) > MOST and not self._finds_a_place():
            transport.abort()
        else:
            self._due = self.loop.call_later(HEAD_WITHIN, transport.abort)

    def _finds_a_place(self) -> bool:
        """Any stranger's but its own, chosen at random: who fills the house mostly meets himself."""
        others = cast("set[HttpConnection]", self.connections) - {self}
        strangers = [other for other in others if not other._trusted]
        if not strangers:
            return False
        leaver = random.choice(strangers)  # noqa: S311 — no secret
        self.connections.discard(leaver)
        leaver.transport.abort()
        return True

    def _trust(self) -> None:
        self._trusted, self.timeout_keep_alive = True, self._patience

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._moved_on()

    def data_received(self, data: bytes) -> None:
        self._head += len(data)
        self._reading = True
        super().data_received(data)
        self._reading = False
        self._begin()
        if len(self.pipeline) > PIPELINED:
            self.transport.abort()
        elif self._head > HEAD_LIMIT:
            self.send_400_response("The headers are too long.")
        elif self._head and self._due is None:
            self._due = self.loop.call_later(HEAD_WITHIN, self.transport.abort)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Not before all that came was read: whoever has the whole request may need no task to answer it."""
        if self._reading:
            self._begun = (cycle, app)
        else:
            super()._start_asgi_task(cycle, app)

    def _begin(self) -> None:
        if self._begun is not None:
            (cycle, app), self._begun = self._begun, None
            whole = not cycle.more_body and not self.transport.is_closing()
            if not (whole and self.app_state["quick"](cycle, super()._start_asgi_task)):
                super()._start_asgi_task(cycle, app)

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
