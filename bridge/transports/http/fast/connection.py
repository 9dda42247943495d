"""Limits on one TCP connection to the HTTP port, before its token was checked.

Every user of this computer can connect. uvicorn has no limit on the size or duration of a request's headers,
on pipelined requests that wait, or on the number of connections, which would exhaust file descriptors.
"""

from __future__ import annotations

import asyncio
import random
from typing import cast

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from bridge.system.process.descriptors import is_scarce

MAX_CONNECTIONS = 512  # half of the usual limit of 1024 files: stdio hosts and servers need the rest
MAX_HEADER_BYTES = 256 * 1024  # of request line and headers, or of trailers
HEADER_TIMEOUT = 20.0  # seconds
MAX_PIPELINED = 64  # requests waiting behind the current one
UNAUTHENTICATED_KEEP_ALIVE = 5  # seconds between requests until a token was accepted


class HttpConnection(HttpToolsProtocol):
    """Adds to `scope["state"]` what ASGI lacks: `abort` drops the connection, `trust` marks it authenticated.

    When all connections are in use, a new one evicts an unauthenticated one.
    """

    _trusted = False
    _header_bytes = 0  # received since the last complete headers or body part
    _header_timer: asyncio.TimerHandle | None = None
    _reading = False
    _pending: tuple[RequestResponseCycle, ASGI3Application] | None = None  # request read, but not started

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, "abort": transport.abort, "trust": self._trust}
        self._keep_alive, self.timeout_keep_alive = self.timeout_keep_alive, UNAUTHENTICATED_KEEP_ALIVE
        descriptor = transport.get_extra_info("socket").fileno()
        full = len(self.connections) > MAX_CONNECTIONS or is_scarce(descriptor)
        if full and not self._evict_another():
            transport.abort()
        else:
            self._header_timer = self.loop.call_later(HEADER_TIMEOUT, transport.abort)

    def _evict_another(self) -> bool:
        """Evict a random unauthenticated connection: an attacker with most of them mostly hits their own."""
        others = cast("set[HttpConnection]", self.connections) - {self}
        candidates = [other for other in others if not other._trusted]
        if not candidates:
            return False
        evicted = random.choice(candidates)  # noqa: S311 — no secret
        self.connections.discard(evicted)
        evicted.transport.abort()
        return True

    def _trust(self) -> None:
        self._trusted, self.timeout_keep_alive = True, self._keep_alive

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._restart_header_limits()

    def data_received(self, data: bytes) -> None:
        self._header_bytes += len(data)
        self._reading = True
        super().data_received(data)
        self._reading = False
        self._start_pending()
        if len(self.pipeline) > MAX_PIPELINED:
            self.transport.abort()
        elif self._header_bytes > MAX_HEADER_BYTES:
            self.send_400_response("The headers are too long.")
        elif self._header_bytes and self._header_timer is None:
            self._header_timer = self.loop.call_later(HEADER_TIMEOUT, self.transport.abort)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        """Wait until all received bytes are parsed: a complete request may need no ASGI task."""
        if self._reading:
            self._pending = (cycle, app)
        else:
            super()._start_asgi_task(cycle, app)

    def _start_pending(self) -> None:
        if self._pending is not None:
            (cycle, app), self._pending = self._pending, None
            complete = not cycle.more_body and not self.transport.is_closing()
            if not (complete and self.app_state["serve_fast"](cycle, super()._start_asgi_task)):
                super()._start_asgi_task(cycle, app)

    def on_headers_complete(self) -> None:
        self._restart_header_limits()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._restart_header_limits()
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._restart_header_limits()
        super().on_message_complete()

    def _restart_header_limits(self) -> None:
        self._header_bytes = 0
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None
