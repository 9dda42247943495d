"""Replies that need no task of their own, which is nearly all of them.

A reply that comes soon, as one JSON body, is written the moment it is there. Whatever else comes of a request
goes the long way, as an ASGI task that serves its Outlet: nothing was said for a while, an event stream is
needed, the host reads slowly or hangs up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from bridge.transports.http import response
from bridge.transports.http.response import Outlet

LongWay = Callable[[RequestResponseCycle, Any], None]  # serves a request by an ASGI application
_HEAD = b"content-type: application/json\r\ncontent-length: %d\r\n\r\n"


class QuickOutlet(Outlet):
    """Not served by anybody, until it must be. `on_end` is called once, when its response is over."""

    __slots__ = ("_cycle", "_house", "_long_way", "on_end", "since")

    def __init__(self, house: Quick, cycle: RequestResponseCycle, long_way: LongWay) -> None:
        super().__init__(cycle.transport.abort)
        self._house = house
        self._cycle: RequestResponseCycle | None = cycle
        self._long_way = long_way
        self.on_end: Callable[[], None] = _nothing
        self.since = self._loop.time()

    def served_by(self, on_open: Callable[[], bytes] | None, on_end: Callable[[], None]) -> None:
        """Who gives the first frame of an event stream, and who hears of the end."""
        self._on_open = on_open
        self.on_end = on_end

    def take_the_long_way(self) -> None:
        cycle, self._cycle = self._cycle, None
        if cycle is not None:
            self._house.forget(self)
            self._long_way(cycle, self._serve)

    def _wake(self) -> None:
        cycle = self._cycle
        if cycle is None:
            super()._wake()
        elif self.message is None or cycle.disconnected or cycle.flow.write_paused or not cycle.keep_alive:
            self.take_the_long_way()
        else:
            self._cycle = None
            self._house.forget(self)
            head = STATUS_LINE[self.status] + _HEAD % len(self.message)
            cycle.transport.writelines((head, self.message))
            cycle.response_started = cycle.response_complete = True
            self.on_end()
            cycle.on_response()

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.serve(receive, send)
        finally:
            self.on_end()


class Quick:
    """Knows who waits for a reply, and when that was long enough."""

    def __init__(self) -> None:
        self._waiting: dict[QuickOutlet, None] = {}  # oldest first
        self._timer: asyncio.TimerHandle | None = None

    def outlet(self, cycle: RequestResponseCycle, long_way: LongWay) -> QuickOutlet:
        outlet = QuickOutlet(self, cycle, long_way)
        self._waiting[outlet] = None
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(response.WATCH_AFTER, self._look)
        return outlet

    def forget(self, outlet: QuickOutlet) -> None:
        self._waiting.pop(outlet, None)

    def end(self) -> None:
        for outlet in list(self._waiting):
            outlet.take_the_long_way()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """One clock for all: to set one for each request takes as long as to answer it."""
        loop = asyncio.get_running_loop()
        until = loop.time() - response.WATCH_AFTER
        for outlet in [one for one in self._waiting if one.since <= until]:
            outlet.take_the_long_way()
        self._timer = None
        if self._waiting:
            oldest = next(iter(self._waiting))
            self._timer = loop.call_later(oldest.since - until, self._look)


def _nothing() -> None:
    """Nobody wants to know."""
