"""JSON replies written without an ASGI task, as most replies are.

A request gets an ASGI task, which serves its HttpResponse, only if the reply takes longer than WATCH_AFTER,
needs an event stream, or the connection is closing or its write buffer is full.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from bridge.transports.http import response as http_response
from bridge.transports.http.response import HttpResponse

StartAsgiTask = Callable[[RequestResponseCycle, Any], None]  # the second argument is the ASGI application
_HEADERS = b"content-type: application/json\r\ncontent-length: %d\r\n\r\n"


class FastReply(HttpResponse):
    """The response to a request that has no ASGI task yet."""

    __slots__ = ("_cycle", "_on_end", "_replies", "_start_asgi_task", "since")

    def __init__(
        self, replies: FastReplies, cycle: RequestResponseCycle, start_asgi_task: StartAsgiTask
    ) -> None:
        super().__init__(cycle.transport.abort)
        self._replies = replies
        self._cycle: RequestResponseCycle | None = cycle  # None once the reply or its ASGI task has begun
        self._start_asgi_task = start_asgi_task
        self._on_end: Callable[[], object] = bool
        self.since = self._loop.time()

    def set_callbacks(self, on_open: Callable[[], bytes] | None, on_end: Callable[[], object]) -> None:
        """`on_open` supplies the first SSE frame, `on_end` is called once, when the response is over."""
        self._on_open = on_open
        self._on_end = on_end

    def serve_by_asgi(self) -> None:
        cycle, self._cycle = self._cycle, None
        if cycle is not None:
            self._replies.remove(self)
            self._start_asgi_task(cycle, self._serve)

    def _wake(self) -> None:
        cycle = self._cycle
        if cycle is None:
            super()._wake()
        elif self.message is None or cycle.disconnected or cycle.flow.write_paused or not cycle.keep_alive:
            self.serve_by_asgi()
        else:
            self._cycle = None
            self._replies.remove(self)
            head = STATUS_LINE[self.status] + _HEADERS % len(self.message)
            cycle.transport.writelines((head, self.message))
            cycle.response_started = cycle.response_complete = True
            self._on_end()
            cycle.on_response()

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.serve(receive, send)
        finally:
            self._on_end()


class FastReplies:
    """All requests that wait for a reply without an ASGI task; starts the task after WATCH_AFTER seconds."""

    def __init__(self) -> None:
        self._waiting: dict[FastReply, None] = {}  # oldest first
        self._timer: asyncio.TimerHandle | None = None

    def add(self, cycle: RequestResponseCycle, start_asgi_task: StartAsgiTask) -> FastReply:
        reply = FastReply(self, cycle, start_asgi_task)
        self._waiting[reply] = None
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(http_response.WATCH_AFTER, self._time_passed)
        return reply

    def remove(self, reply: FastReply) -> None:
        self._waiting.pop(reply, None)

    def end(self) -> None:
        for reply in list(self._waiting):
            reply.serve_by_asgi()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_passed(self) -> None:
        """Start the ASGI tasks that are due. One timer for all: one for each would cost too much."""
        loop = asyncio.get_running_loop()
        until = loop.time() - http_response.WATCH_AFTER
        for reply in [reply for reply in self._waiting if reply.since <= until]:
            reply.serve_by_asgi()
        self._timer = None
        if self._waiting:
            oldest = next(iter(self._waiting))
            self._timer = loop.call_later(oldest.since - until, self._time_passed)
