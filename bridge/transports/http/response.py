"""What goes back to a host over HTTP: a JSON body, or a stream of server-sent events. Which message belongs
on which response is not decided here.

An Outlet is one HTTP response in the making. A reply that comes first and soon leaves as plain JSON;
anything else opens an event stream. Every event is flushed at once: a buffered question is never answered.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from starlette.types import Message, Receive, Send

from bridge.core.protocol.jsonrpc import INTERNAL_ERROR, error_body
from bridge.transports.http.request import END, answer

WATCH_AFTER = 0.2  # seconds; most replies are faster, and watching for a hang-up costs a task
STREAM_AFTER = 1.0  # seconds without any message until the host gets its event stream
HEARTBEAT = 15.0  # seconds; the mcp SDK's own interval
BACKLOG = 64 * 1024 * 1024  # bytes waiting for a host that does not read
_CHUNK = 64 * 1024
SHUTTING_DOWN = error_body(INTERNAL_ERROR, "Deskbell is shutting down.")

_EVENTS_START: Message = {
    "type": "http.response.start",
    "status": 200,
    "headers": [
        (b"content-type", b"text/event-stream"),
        (b"cache-control", b"no-cache, no-transform"),
        (b"x-accel-buffering", b"no"),
    ],
}
_HEARTBEAT_FRAME = b": still here\n\n"


def frame(message: bytes, event_id: bytes = b"") -> bytes:
    """One message as a server-sent event. Line breaks are legal JSON white space, but end an SSE field."""
    if b"\n" in message or b"\r" in message:
        message = b"\ndata: ".join(message.splitlines())
    if event_id:
        return b"id: %b\nevent: message\ndata: %b\n\n" % (event_id, message)
    return b"event: message\ndata: %b\n\n" % message


class Outlet:
    """One HTTP response. Callers hand in (`reply`, `say`, `end`) at any time; one coroutine writes out.

    `on_open` gives the first frame of the event stream, asked for only if there is one.
    """

    __slots__ = (
        "_abort",
        "_ended",
        "_frames",
        "_loop",
        "_on_open",
        "_queued",
        "_streaming",
        "_waker",
        "gone",
        "message",
        "status",
    )

    def __init__(self, abort: Callable[[], None], on_open: Callable[[], bytes] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._abort = abort
        self._on_open = on_open
        self._frames: deque[bytes] | None = None
        self._queued = 0
        self._streaming = False
        self._ended = False
        self._waker: asyncio.Future[bool] | None = None
        self.gone = False  # the host hung up before the end
        self.message: bytes | None = None
        self.status = 200

    @property
    def fresh(self) -> bool:
        """Nothing has been said, so that a plain JSON reply is still possible."""
        return self.message is None and not self._streaming

    @property
    def settled(self) -> bool:
        """Nothing more can be said here."""
        return self.gone or self._ended or self.message is not None

    def reply(self, message: bytes, status: int = 200) -> None:
        """The one and only message, as JSON. Only while fresh."""
        self.message = message
        self.status = status
        self._wake()

    def open(self) -> None:
        """From now on this is an event stream."""
        if not self.fresh:
            return
        self._streaming = True
        self._frames = deque()
        if self._on_open is not None:
            self._queue(self._on_open())

    def say(self, event: bytes) -> None:
        self.open()
        self._queue(event)
        if self._queued > BACKLOG:
            self._lose()
            self._abort()

    def end(self) -> None:
        """Nothing follows what was said."""
        self._ended = True
        self._wake()

    async def replied(self, receive: Receive) -> bool:
        """Waits, however long, for a plain reply; False if the host hung up first."""
        if self.fresh:
            await self._watched(receive, self._pause(None))
        return not self.gone

    async def serve(self, receive: Receive, send: Send) -> bool:
        """Writes the response; False if the host hung up before its end."""
        if self.fresh:
            await self._pause(WATCH_AFTER)
        if self.message is not None:
            await answer(send, self.status, self.message)
            return True
        await self._watched(receive, self._serve_slowly(send))
        return not self.gone

    async def _serve_slowly(self, send: Send) -> None:
        if self.fresh:
            await self._pause(STREAM_AFTER - WATCH_AFTER)
        if self.gone:
            return
        if self.message is not None:
            await answer(send, self.status, self.message)
            return
        self.open()
        await send(_EVENTS_START)
        await self._write_events(send)

    async def _write_events(self, send: Send) -> None:
        while not self.gone:
            if self._queued:
                chunk = self._take()
                done = self._ended and not self._queued
                await send({"type": "http.response.body", "body": chunk, "more_body": not done})
                if done:
                    return
            elif self._ended:
                await send(END)
                return
            elif await self._pause(HEARTBEAT):
                self._queue(_HEARTBEAT_FRAME)

    async def _watched(self, receive: Receive, work: Awaitable[object]) -> None:
        watch = self._loop.create_task(self._watch(receive))
        try:
            await work
        finally:
            watch.cancel()

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._lose()

    def _lose(self) -> None:
        self.gone = True
        self._frames = deque()
        self._queued = 0
        self._wake()

    def _queue(self, event: bytes) -> None:
        if self._frames is not None and not self.gone:
            self._frames.append(event)
            self._queued += len(event)
            self._wake()

    def _take(self) -> bytes:
        """What is waiting, in portions: a host that reads slowly must not make us copy it all."""
        frames, size = [], 0
        while self._frames and size < _CHUNK:
            frames.append(self._frames.popleft())
            size += len(frames[-1])
        self._queued -= size
        return frames[0] if len(frames) == 1 else b"".join(frames)

    async def _pause(self, limit: float | None) -> bool:
        """Until something happens; True if nothing did in `limit` seconds."""
        waker: asyncio.Future[bool] = self._loop.create_future()
        self._waker = waker
        timer = None if limit is None else self._loop.call_later(limit, _set, waker, True)
        try:
            return await waker
        finally:
            self._waker = None
            if timer is not None:
                timer.cancel()

    def _wake(self) -> None:
        if self._waker is not None:
            _set(self._waker, False)


def _set(waker: asyncio.Future[bool], timed_out: bool) -> None:
    if not waker.done():
        waker.set_result(timed_out)
