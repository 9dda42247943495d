"""One legacy host over HTTP: a Link that outlives its connections, and its streams. No HTTP parsing.

Each POST with requests has a stream of its own; one more, opened by GET, belongs to no request. What is about
a request goes on its stream. A stream whose connection broke can be resumed for a moment; then its requests
are cancelled. A host that never had a stream of its own is between two calls, not gone.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from bridge.core.ports import Caller, Front
from bridge.core.protocol.jsonrpc import INTERNAL_ERROR, error_body, failure, notification
from bridge.transports.http.event_replay import Log
from bridge.transports.http.response import SHUTTING_DOWN, Outlet

GRACE = 1.5  # seconds for a broken stream to be resumed
IDLE = (
    300.0  # seconds without request or stream; a host that comes back later hears 404, and introduces itself
)
RECHECK = 60.0  # seconds, for a Link that was busy when its time was over
KEPT = 256  # messages about no request, while no stream is open

_LEFT = error_body(INTERNAL_ERROR, "The host ended its session.")
_CANCELLED = error_body(-32800, "Request cancelled")  # code of the mcp SDK, after LSP


class Stream:
    """What goes to the host in one sequence: on a response, or on several, one after the other."""

    __slots__ = ("grace", "number", "outlet", "owed", "plain")

    def __init__(self, number: int, owed: Iterable[bytes] = (), plain: bool = False) -> None:
        self.number = number
        self.owed = set(owed)  # raw ids of requests without a reply
        self.plain = plain  # carries its reply and nothing else
        self.outlet: Outlet | None = None  # the response it is written to now
        self.grace: asyncio.TimerHandle | None = None


class LegacyLink:
    """`on_end` is called once, however it ends."""

    def __init__(self, front: Front, server: str, on_end: Callable[[LegacyLink], None]) -> None:
        self.server = server
        self.key = ""  # its Mcp-Session-Id, once the host was told
        self.requests: dict[bytes, Stream] = {}  # by raw id, not yet replied to
        self.standalone = Stream(0)
        self._had_own_stream = False
        self._streams = {0: self.standalone}  # those that may be resumed
        self._log = Log(lambda number: self._streams.pop(number, None))
        self._kept: deque[bytes] = deque(maxlen=KEPT)
        self._count = 0
        self._on_end = on_end
        self._ended = False
        self._front = front
        self._loop = asyncio.get_running_loop()
        self._used = self._loop.time()
        self._idle = self._loop.call_later(IDLE, self._check_idle)
        self._link = front.open_link(Caller("http", server), self.deliver, self.hang_up)

    # --- from the host -------------------------------------------------------------------------------

    def sent(self, message: bytes) -> None:
        self._used = self._loop.time()
        self._front.host_sent(self._link, message)

    def cancel(self, about: bytes) -> None:
        """The host cancelled it and gets no reply any more, but its response must end."""
        if about in self.requests:
            self._settle(about, failure(about, _CANCELLED))

    def expect(self, owed: Iterable[bytes], plain: bool = False) -> Stream:
        """A stream for the replies to these requests."""
        self._count += 1
        stream = Stream(self._count, owed, plain)
        for about in stream.owed:
            self.requests[about] = stream
        return stream

    def find(self, number: int) -> Stream | None:
        """The stream that `Last-Event-ID` names, if it can still be resumed."""
        return self._streams.get(number)

    def prime(self, stream: Stream) -> bytes:
        """The first event of a response; with its id the host can resume."""
        self._streams[stream.number] = stream
        return self._log.prime(stream.number)

    # --- responses -----------------------------------------------------------------------------------

    def attach(self, stream: Stream, outlet: Outlet) -> None:
        """From now on the stream is written there; a response it had before is over."""
        if stream.grace is not None:
            stream.grace.cancel()
        if stream.outlet is not None:
            stream.outlet.end()
        stream.outlet = outlet
        self._had_own_stream |= stream is self.standalone

    def resume(self, stream: Stream, outlet: Outlet, seen: int | None) -> None:
        """Attach, and say again what came after event number `seen` (None: it is a first time)."""
        self.attach(stream, outlet)
        outlet.open()
        for event in () if seen is None else self._log.after(stream.number, seen):
            outlet.say(event)
        if self._log.is_finished(stream.number):
            outlet.end()
        while stream is self.standalone and self._kept:
            self._push(stream, self._kept.popleft())

    def detach(self, stream: Stream, outlet: Outlet) -> None:
        """That response is over. If it still owed a reply the host hung up, and may come back if it can."""
        self._used = self._loop.time()
        if stream.outlet is not outlet:
            return
        stream.outlet = None
        if stream.owed and stream.number in self._log:
            stream.grace = self._loop.call_later(GRACE, self._give_up, stream)
        elif stream.owed:
            self._give_up(stream)
        self._listen_for_life()

    def _listen_for_life(self) -> None:
        """Hosts keep their own stream open while they live: one that dropped it and says no more is gone.

        If it is not, its next request is answered 404, and it introduces itself again.
        """
        if self._had_own_stream and self.standalone.outlet is None:
            self._loop.call_later(GRACE, self._leave_unless_heard, self._used)

    def _leave_unless_heard(self, since: float) -> None:
        if self._used == since and self.standalone.outlet is None and not self.requests:
            self.close()

    def _give_up(self, stream: Stream) -> None:
        for about in stream.owed:
            del self.requests[about]
            gone = b'{"requestId":%b,"reason":"the host went away"}' % about
            self._front.host_sent(self._link, notification("notifications/cancelled", gone))
        stream.owed.clear()
        self._log.forget(stream.number)
        self._listen_for_life()

    # --- to the host ---------------------------------------------------------------------------------

    def deliver(self, message: bytes, about: bytes, final: bool, /) -> None:
        if final:
            if about in self.requests:
                self._settle(about, message)
        elif (stream := self._stream_for(about)) is not None:
            self._push(stream, message)
        else:
            self._kept.append(message)

    def _stream_for(self, about: bytes) -> Stream | None:
        """Its request's own stream; for all else the standalone one, or any that is open."""
        own = self.requests.get(about)
        if own is not None and not own.plain:
            return own
        if self.standalone.outlet is not None:
            return self.standalone
        return next((s for s in self.requests.values() if s.outlet is not None and not s.plain), None)

    def _settle(self, about: bytes, reply: bytes, status: int = 200) -> None:
        stream = self.requests.pop(about)
        stream.owed.discard(about)
        if stream.outlet is not None and stream.outlet.fresh:
            stream.outlet.reply(reply, status)
            return
        self._push(stream, reply)
        if not stream.owed:
            self._log.finish(stream.number)
            if stream.outlet is not None:
                stream.outlet.end()

    def _push(self, stream: Stream, message: bytes) -> None:
        if stream.outlet is not None:
            stream.outlet.open()  # its first event comes before this one
        self._streams[stream.number] = stream
        event = self._log.add(stream.number, message)
        if stream.outlet is not None:
            stream.outlet.say(event)

    # --- the end -------------------------------------------------------------------------------------

    def hang_up(self) -> None:
        """The engine ends the Link; it is told so later, not in the middle of its own doing."""
        if not self._ended:
            self._end(SHUTTING_DOWN, 503)
            self._loop.call_soon(self._front.close_link, self._link)

    def close(self, quitting: bool = False) -> None:
        """The host has left; or, `quitting`, we do."""
        if not self._ended:
            self._end(*((SHUTTING_DOWN, 503) if quitting else (_LEFT, 404)))
            self._front.close_link(self._link)

    def _end(self, error: bytes, status: int) -> None:
        self._ended = True
        self._idle.cancel()
        for about in list(self.requests):
            self._settle(about, failure(about, error), status)
        if self.standalone.outlet is not None:
            self.standalone.outlet.end()
        self._on_end(self)

    def _check_idle(self) -> None:
        idle = self._loop.time() - self._used
        if self.requests or self.standalone.outlet is not None:
            self._idle = self._loop.call_later(RECHECK, self._check_idle)
        elif idle < IDLE:
            self._idle = self._loop.call_later(IDLE - idle, self._check_idle)
        else:
            self.close()
