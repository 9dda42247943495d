"""One HTTP response to a host: a JSON body, or a stream of server-sent events (SSE).

A reply that is the first message, and comes within STREAM_AFTER seconds, is sent as JSON; anything else opens
an event stream. Each event is written at once: the user could not answer a question that is buffered. Which
message belongs on which response is decided by the callers.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from starlette.types import Message, Receive, Send

from bridge.core.protocol.jsonrpc import INTERNAL_ERROR, error_body
from bridge.transports.http.request import END, send_json

WATCH_AFTER = 0.2  # seconds; most replies are faster, and watching for a disconnect costs a task
STREAM_AFTER = 1.0  # seconds without a message until the event stream is opened
HEARTBEAT = 15.0  # seconds; the mcp SDK's own interval
MAX_BACKLOG = 64 * 1024 * 1024  # bytes that a host has not read
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
    """Format a message as a server-sent event. Line breaks are white space in JSON, but end an SSE field."""
    if b"\n" in message or b"\r" in message:
        message = b"\ndata: ".join(message.splitlines())
    if event_id:
        return b"id: %b\nevent: message\ndata: %b\n\n" % (event_id, message)
    return b"event: message\ndata: %b\n\n" % message


class HttpResponse:
    """Callers add messages (`reply`, `send_event`, `end`) at any time; the coroutine `serve` writes them.

    `on_open` returns the first frame of the event stream; it is called only if a stream is opened.
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
        self._queued = 0  # bytes
        self._streaming = False
        self._ended = False
        self._waker: asyncio.Future[bool] | None = None
        self.gone = False  # the host disconnected before the end
        self.message: bytes | None = None
        self.status = 200

    @property
    def is_unstarted(self) -> bool:
        """True while a JSON reply is still possible."""
        return self.message is None and not self._streaming

    @property
    def is_over(self) -> bool:
        """True if no message can be added."""
        return self.gone or self._ended or self.message is not None

    def reply(self, message: bytes, status: int = 200) -> None:
        """Send the only message, as JSON. Allowed only while unstarted."""
        self.message = message
        self.status = status
        self._wake()

    def open_stream(self) -> None:
        """Make this response an event stream."""
        if not self.is_unstarted:
            return
        self._streaming = True
        self._frames = deque()
        if self._on_open is not None:
            self._queue(self._on_open())

    def send_event(self, event: bytes) -> None:
        self.open_stream()
        self._queue(event)
        if self._queued > MAX_BACKLOG:
            self._mark_gone()
            self._abort()

    def end(self) -> None:
        """End the response after the events added so far."""
        self._ended = True
        self._wake()

    async def wait_for_reply(self, receive: Receive) -> bool:
        """Wait without limit for a JSON reply; return False if the host disconnected first."""
        if self.is_unstarted:
            await self._run_watched(receive, self._pause(None))
        return not self.gone

    async def serve(self, receive: Receive, send: Send) -> bool:
        """Write the response; return False if the host disconnected before its end."""
        if self.is_unstarted:
            await self._pause(WATCH_AFTER)
        if self.message is not None:
            await send_json(send, self.status, self.message)
            return True
        await self._run_watched(receive, self._serve_watched(send))
        return not self.gone

    async def _serve_watched(self, send: Send) -> None:
        if self.is_unstarted:
            await self._pause(STREAM_AFTER - WATCH_AFTER)
        if self.gone:
            return
        if self.message is not None:
            await send_json(send, self.status, self.message)
            return
        self.open_stream()
        await send(_EVENTS_START)
        await self._write_events(send)

    async def _write_events(self, send: Send) -> None:
        while not self.gone:
            if self._queued:
                chunk = self._take_chunk()
                done = self._ended and not self._queued
                await send({"type": "http.response.body", "body": chunk, "more_body": not done})
                if done:
                    return
            elif self._ended:
                await send(END)
                return
            elif await self._pause(HEARTBEAT):
                self._queue(_HEARTBEAT_FRAME)

    async def _run_watched(self, receive: Receive, work: Awaitable[object]) -> None:
        watch = self._loop.create_task(self._watch_disconnect(receive))
        try:
            await work
        finally:
            watch.cancel()

    async def _watch_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._mark_gone()

    def _mark_gone(self) -> None:
        self.gone = True
        self._frames = deque()
        self._queued = 0
        self._wake()

    def _queue(self, event: bytes) -> None:
        if self._frames is not None and not self.gone:
            self._frames.append(event)
            self._queued += len(event)
            self._wake()

    def _take_chunk(self) -> bytes:
        """Take about _CHUNK bytes of the queue: joining all of it would copy it for a slow reader."""
        frames, size = [], 0
        while self._frames and size < _CHUNK:
            frames.append(self._frames.popleft())
            size += len(frames[-1])
        self._queued -= size
        return frames[0] if len(frames) == 1 else b"".join(frames)

    async def _pause(self, limit: float | None) -> bool:
        """Wait for `_wake`; return True if `limit` seconds passed first."""
        waker: asyncio.Future[bool] = self._loop.create_future()
        self._waker = waker
        timer = None if limit is None else self._loop.call_later(limit, _set_result, waker, True)
        try:
            return await waker
        finally:
            self._waker = None
            if timer is not None:
                timer.cancel()

    def _wake(self) -> None:
        if self._waker is not None:
            _set_result(self._waker, False)


def _set_result(waker: asyncio.Future[bool], timed_out: bool) -> None:
    if not waker.done():
        waker.set_result(timed_out)
