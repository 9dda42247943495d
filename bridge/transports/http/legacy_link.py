"""The session of one legacy host over HTTP: its Link and its event streams. No HTTP parsing.

Each POST with requests has a stream for messages about these requests; one stream, opened by GET, is for
messages about no request. A stream whose connection broke can be resumed within GRACE seconds; then its
requests are cancelled. The Link stays open between connections, until the host drops its GET stream or is
idle.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from bridge.core.ports import Caller, HostPort
from bridge.core.protocol.jsonrpc import INTERNAL_ERROR, error_body, failure, notification
from bridge.transports.http.event_replay import EventReplay
from bridge.transports.http.response import SHUTTING_DOWN, HttpResponse

GRACE = 1.5  # seconds for a broken stream to be resumed
IDLE = 300.0  # seconds without request or stream; a later request gets 404, and the host initializes again
RECHECK = 60.0  # seconds between checks of a Link that is busy after IDLE seconds
MAX_UNSENT = 256  # messages about no request, while no stream is open

_LEFT = error_body(INTERNAL_ERROR, "The host ended its session.")
_CANCELLED = error_body(-32800, "Request cancelled")  # code of the mcp SDK, after LSP


class Stream:
    """A sequence of messages to the host, on one HTTP response or on several, one after the other."""

    __slots__ = ("grace_timer", "number", "owed", "plain", "response")

    def __init__(self, number: int, owed: Iterable[bytes] = (), plain: bool = False) -> None:
        self.number = number
        self.owed = set(owed)  # raw ids of requests that have no reply yet
        self.plain = plain  # sends only the reply
        self.response: HttpResponse | None = None  # None while no connection is open
        self.grace_timer: asyncio.TimerHandle | None = None


class LegacyLink:
    """`on_end` is called once, when the session ends for any reason."""

    def __init__(
        self, front: HostPort, server: str, identity: str, on_end: Callable[[LegacyLink], None]
    ) -> None:
        self.server = server
        self.identity = identity
        self.session_id = ""  # Mcp-Session-Id; empty until `initialize` succeeded
        self.requests: dict[bytes, Stream] = {}  # raw id → stream, until the reply
        self.standalone = Stream(0)
        self._had_get_stream = False
        self._streams = {0: self.standalone}  # number → stream that can be resumed
        self._replay = EventReplay(lambda number: self._streams.pop(number, None))
        self._unsent: deque[bytes] = deque(maxlen=MAX_UNSENT)
        self._stream_count = 0
        self._on_end = on_end
        self._ended = False
        self._front = front
        self._loop = asyncio.get_running_loop()
        self.last_used = self._loop.time()  # of the loop's clock
        self._idle_timer = self._loop.call_later(IDLE, self._check_idle)
        self._link = front.open_link(Caller("http", server, identity=identity), self.deliver, self.hang_up)

    @property
    def is_idle(self) -> bool:
        """True if no request is open, nor a stream."""
        return not self.requests and self.standalone.response is None

    # --- from the host -----------------------------------------------------------------------------------

    def forward(self, message: bytes) -> None:
        self.last_used = self._loop.time()
        self._front.host_sent(self._link, message)

    def cancel(self, about: bytes) -> None:
        """End the response of a request that the host cancelled; the server will not reply to it."""
        if about in self.requests:
            self._reply(about, failure(about, _CANCELLED))

    def expect(self, owed: Iterable[bytes], plain: bool = False) -> Stream:
        """Open a stream for the replies to these requests."""
        self._stream_count += 1
        stream = Stream(self._stream_count, owed, plain)
        for about in stream.owed:
            self.requests[about] = stream
        return stream

    def find_stream(self, number: int) -> Stream | None:
        """Return a stream by its number, if it can still be resumed."""
        return self._streams.get(number)

    def prime(self, stream: Stream) -> bytes:
        """Return the first event of a response: its id lets the host resume the stream."""
        self._streams[stream.number] = stream
        return self._replay.prime(stream.number)

    # --- responses ---------------------------------------------------------------------------------------

    def attach(self, stream: Stream, response: HttpResponse) -> None:
        """Write the stream to this response, and end the response it had before."""
        if stream.grace_timer is not None:
            stream.grace_timer.cancel()
        if stream.response is not None:
            stream.response.end()
        stream.response = response
        self._had_get_stream |= stream is self.standalone

    def resume(self, stream: Stream, response: HttpResponse, last_seen: int | None) -> None:
        """Attach, and repeat the events after number `last_seen` (None: the stream is new)."""
        self.attach(stream, response)
        response.open_stream()
        for event in () if last_seen is None else self._replay.after(stream.number, last_seen):
            response.send_event(event)
        if self._replay.is_finished(stream.number):
            response.end()
        while stream is self.standalone and self._unsent:
            self._push(stream, self._unsent.popleft())

    def detach(self, stream: Stream, response: HttpResponse) -> None:
        """Forget a response that is over. If it lacks a reply, the host may resume the stream."""
        self.last_used = self._loop.time()
        if stream.response is not response:
            return
        stream.response = None
        if stream.owed and stream.number in self._replay:
            stream.grace_timer = self._loop.call_later(GRACE, self._cancel_requests, stream)
        elif stream.owed:
            self._cancel_requests(stream)
        self._start_leave_timer()

    def _start_leave_timer(self) -> None:
        """Close the Link if the host dropped its GET stream and sends nothing for GRACE seconds.

        If the host is still there, its next request gets 404, and it initializes again.
        """
        if self._had_get_stream and self.standalone.response is None:
            self._loop.call_later(GRACE, self._close_if_unused, self.last_used)

    def _close_if_unused(self, since: float) -> None:
        if self.last_used == since and self.is_idle:
            self.close()

    def _cancel_requests(self, stream: Stream) -> None:
        for about in stream.owed:
            del self.requests[about]
            params = b'{"requestId":%b,"reason":"the host went away"}' % about
            self._front.host_sent(self._link, notification("notifications/cancelled", params))
        stream.owed.clear()
        self._replay.forget(stream.number)
        self._start_leave_timer()

    # --- to the host -------------------------------------------------------------------------------------

    def deliver(self, message: bytes, about: bytes, final: bool, /) -> None:
        if final:
            if about in self.requests:
                self._reply(about, message)
        elif (stream := self._stream_for(about)) is not None:
            self._push(stream, message)
        else:
            self._unsent.append(message)

    def _stream_for(self, about: bytes) -> Stream | None:
        """Return the stream of the request; for a message about none, the GET stream or any open stream."""
        own = self.requests.get(about)
        if own is not None and not own.plain:
            return own
        if self.standalone.response is not None:
            return self.standalone
        return next((s for s in self.requests.values() if s.response is not None and not s.plain), None)

    def _reply(self, about: bytes, reply: bytes, status: int = 200) -> None:
        stream = self.requests.pop(about)
        stream.owed.discard(about)
        if stream.response is not None and stream.response.is_unstarted:
            stream.response.reply(reply, status)
            return
        self._push(stream, reply)
        if not stream.owed:
            self._replay.finish(stream.number)
            if stream.response is not None:
                stream.response.end()

    def _push(self, stream: Stream, message: bytes) -> None:
        if stream.response is not None:
            stream.response.open_stream()  # its first event must get a lower number
        self._streams[stream.number] = stream
        event = self._replay.add(stream.number, message)
        if stream.response is not None:
            stream.response.send_event(event)

    # --- ending the session ------------------------------------------------------------------------------

    def hang_up(self) -> None:
        """End the session for the engine; close the Link later, because the engine is not reentrant."""
        if not self._ended:
            self._end(SHUTTING_DOWN, 503)
            self._loop.call_soon(self._front.close_link, self._link)

    def close(self, quitting: bool = False) -> None:
        """Close the Link because the host ended its session or, if `quitting`, Deskbell ends."""
        if not self._ended:
            self._end(*((SHUTTING_DOWN, 503) if quitting else (_LEFT, 404)))
            self._front.close_link(self._link)

    def _end(self, error: bytes, status: int) -> None:
        self._ended = True
        self._idle_timer.cancel()
        for about in list(self.requests):
            self._reply(about, failure(about, error), status)
        if self.standalone.response is not None:
            self.standalone.response.end()
        self._on_end(self)

    def _check_idle(self) -> None:
        idle = self._loop.time() - self.last_used
        if not self.is_idle:
            self._idle_timer = self._loop.call_later(RECHECK, self._check_idle)
        elif idle < IDLE:
            self._idle_timer = self._loop.call_later(IDLE - idle, self._check_idle)
        else:
            self.close()
