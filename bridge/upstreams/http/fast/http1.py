"""HTTP/1.1 to one origin: connections that are kept, answers as they come. Knows nothing of MCP.

Our own, because it is on the way of every call to such a server: a request is one write, and an answer that
comes at once is there in one read. How a connection is made is dialer.py's to know.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import cast

import httptools

from bridge.i18n import say
from bridge.upstreams.http.fast.content_encoding import NAMES, BadlyPacked, Unpacking
from bridge.upstreams.http.fast.dialer import Route

_KEEP = 4.0  # uvicorn and Node drop an idle connection after 5 s; a POST that meets that moment is lost
_MARGIN = 1.0  # seconds before the moment a server has told
_TOLD = re.compile(r"timeout\s*=\s*(\d{1,9})", re.IGNORECASE)
_READ = 5 << 18  # bytes at once: a megabyte and what is around it comes in one piece
_UNREAD = 4 << 20  # bytes that may wait to be taken, until the server has to
_MOST_BARREN = 1 << 17  # bytes that may come without any of a body: headers, and what else servers send
_LONGEST_REASON = 100


class Lost(OSError):
    """The connection ended before the answer was complete."""


class Unreadable(Lost):
    """What came is no answer; says why. The connection was ended over it."""


class Response:
    """What came back. Its body comes in parts, which are held back while nobody takes them."""

    __slots__ = (
        "_error",
        "_headers",
        "_line",
        "_parts",
        "_unpacking",
        "_unread",
        "_waits",
        "reason",
        "status",
        "whole",
    )

    def __init__(self, line: _Line, status: int, reason: str, headers: dict[str, list[str]]) -> None:
        self.status = status
        self.reason = reason
        self.whole = False  # all of it is here
        self._headers = headers
        self._line = line
        self._parts: list[bytes] = []
        self._unread = 0
        self._error: Lost | None = None
        self._waits: asyncio.Future[None] | None = None
        self._unpacking = Unpacking() if self.header("content-encoding").lower() in NAMES else None

    @property
    def ok(self) -> bool:
        return self.status < 400

    @property
    def content_type(self) -> str:
        return self.header("content-type").partition(";")[0].strip().lower()

    def header(self, name: str) -> str:
        """By its name in lower case; "" if there is none."""
        found = self._headers.get(name)
        return found[0] if found else ""

    def headers(self, name: str) -> list[str]:
        """All of that name."""
        return self._headers.get(name, [])

    async def parts(self) -> AsyncGenerator[bytes, None]:
        """The body as it comes. Raises Lost."""
        while True:
            if self._parts:
                yield self.take()
            elif self.whole:
                return
            elif self._error is not None:
                raise self._error
            else:
                self._waits = asyncio.get_running_loop().create_future()
                await self._waits

    def take(self) -> bytes:
        """As much of the body as is here."""
        parts, self._parts, unread, self._unread = self._parts, [], self._unread, 0
        if unread > _UNREAD and not self.whole:
            self._line.go_on()
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def close(self) -> None:
        """Nobody wants the rest."""
        if not self.is_over:
            self._line.close()

    @property
    def is_over(self) -> bool:
        """No more of it comes."""
        return self.whole or self._error is not None

    # --- told by its line ------------------------------------------------------------------------------

    def came(self, part: bytes) -> None:
        if self._unpacking is not None:
            try:
                part = self._unpacking.feed(part)
            except BadlyPacked as error:
                raise Unreadable(error.args[0]) from error
        if part:
            self._parts.append(part)
            self._unread += len(part)
            if self._unread > _UNREAD:
                self._line.hold_back()
        self._wake()

    def ended(self, error: Lost | None = None) -> None:
        if error is None and self._unpacking is not None and self._unpacking.is_cut:
            error = Unreadable(say("it broke off"))
        self.whole, self._error = error is None, error
        self._wake()

    def _wake(self) -> None:
        if self._waits is not None and not self._waits.done():
            self._waits.set_result(None)


def _told(keep_alive: str) -> float:
    """For how long the server keeps the connection, as it says (RFC 2068, 19.7.1.1), with a margin."""
    found = _TOLD.search(keep_alive)
    return int(found[1]) - _MARGIN if found else _KEEP


Heard = Callable[["Response | Lost"], None]


class _Reads(threading.local):
    """Where lines read to. One for all of a thread: what is there has been used when the next one reads."""

    buffer = memoryview(b"")  # until one reads


_reads = _Reads()


class _Line(asyncio.BufferedProtocol):
    """One connection: a request, its answer, the next request."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._parser = httptools.HttpResponseParser(self)
        # As all others are to a server; where an answer ends is never a matter of opinion.
        self._parser.set_dangerous_leniencies(
            lenient_headers=True, lenient_optional_cr_before_lf=True, lenient_spaces_after_chunk_size=True
        )
        self._heard: Heard | None = None  # who waits for the head of an answer
        self._response: Response | None = None
        self._reason = b""
        self._headers: dict[str, list[str]] = {}
        self._barren = 0  # bytes since the last ones of a body
        self._interim = False
        self._stays = False  # after this answer
        self.until = 0.0  # when it has rested too long

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def ask(self, head: bytes, body: bytes | None, heard: Heard) -> None:
        self._heard = heard
        self._response = None
        self._barren = 0
        self._transport.writelines((head, body) if body else (head,))

    @property
    def is_usable(self) -> bool:
        return not self._transport.is_closing()

    def hold_back(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._transport.pause_reading()

    def go_on(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._transport.resume_reading()

    def close(self) -> None:
        self._transport.abort()

    def leave(self, heard: Heard) -> None:
        """Whoever asked does not wait any more. By now the line may serve another."""
        if self._heard is heard:
            self.close()

    def get_buffer(self, sizehint: int) -> memoryview:
        if not _reads.buffer:
            _reads.buffer = memoryview(bytearray(_READ))
        return _reads.buffer

    def buffer_updated(self, size: int) -> None:
        self._barren += size
        try:
            self._parser.feed_data(_reads.buffer[:size])
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            cause = error.__context__
            self._fail(cause if isinstance(cause, Lost) else Unreadable(say("it is no HTTP")))
            return
        if self._barren > _MOST_BARREN:
            self._fail(Unreadable(say("its headers are too long")))
            return
        response = self._response
        if response is None:
            return
        if response.is_over:
            self._response = None
            self._end(response)
        if self._heard is not None:
            heard, self._heard = self._heard, None
            heard(response)

    def connection_lost(self, error: Exception | None) -> None:
        self._pool.forget(self)
        response = self._response
        if (
            response is not None
            and error is None
            and not response.header("content-length")
            and "chunked" not in response.header("transfer-encoding").lower()
        ):
            self._response = None
            response.ended()  # that is how an answer without a length ends
        self._fail(Lost("the connection was lost"))

    def _end(self, response: Response) -> None:
        """It may carry the next request, unless the server answered before it had read all of this one."""
        if response.whole and self._stays and not self._transport.get_write_buffer_size():
            self.go_on()
            told = response.header("keep-alive")
            self._pool.rest(self, min(_KEEP, _told(told)) if told else _KEEP)
        else:
            self.close()

    def _fail(self, error: Lost) -> None:
        heard, self._heard = self._heard, None
        response, self._response = self._response, None
        if response is not None:
            response.ended(error)
        if heard is not None:
            heard(error)
        self.close()

    # --- told by the parser ----------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        if self._heard is None or self._response is not None:
            raise Unreadable(say("there is more than one"))
        self._reason, self._headers, self._interim = b"", {}, False

    def on_status(self, reason: bytes) -> None:
        self._reason += reason

    def on_header(self, name: bytes, value: bytes) -> None:
        if b"\0" in value:
            raise Unreadable(say("it is no HTTP"))
        self._headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("utf-8", "replace"))

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        self._interim = status < 200
        if not self._interim:
            self._response = Response(
                self, status, self._reason[:_LONGEST_REASON].decode("latin-1"), self._headers
            )

    def on_body(self, part: bytes) -> None:
        self._barren = 0
        if self._response is not None:
            self._response.came(part)

    def on_message_complete(self) -> None:
        if self._response is not None and not self._interim:
            self._stays = self._parser.should_keep_alive()  # the parser knows it just now
            self._response.ended()


class Pool:
    """The connections along one route. Their number has no limit: the answer to a server's question must not
    queue behind the calls that wait for it."""

    def __init__(self, route: Route) -> None:
        self._route = route
        self._loop = asyncio.get_running_loop()  # to ask for it takes a system call before Python 3.12
        self._lines: set[_Line] = set()
        self._resting: list[_Line] = []  # the last used at the end
        self._timer: asyncio.TimerHandle | None = None
        self._retired = False

    async def request(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> Response:
        """The response, its body still to come. Raises OSError and ValueError."""
        head = self._route.head(method, url, headers, body)
        line = self._rested() or await self._connected()
        heard: asyncio.Future[Response] = self._loop.create_future()

        def hear(said: Response | Lost) -> None:
            if isinstance(said, Lost):
                if not heard.done():
                    heard.set_exception(said)
            elif heard.done():
                said.close()
            else:
                heard.set_result(said)

        line.ask(head, body, hear)
        try:
            return await heard
        except BaseException:
            if heard.done() and not heard.cancelled() and heard.exception() is None:
                heard.result().close()  # it came at the last moment
            line.leave(hear)
            raise

    @property
    def resting(self) -> int:
        """How many connections wait for a next request."""
        return len(self._resting)

    def retire(self) -> None:
        """Nothing new goes this way; what is under way may still end well."""
        self._retired = True
        self._leave(self._resting)

    def close(self) -> None:
        self.retire()
        for line in tuple(self._lines):
            line.close()

    async def _connected(self) -> _Line:
        line = await self._route.connect(lambda: _Line(self))
        self._lines.add(line)
        return line

    def _rested(self) -> _Line | None:
        while self._resting:
            line = self._resting.pop()
            if line.is_usable and self._loop.time() < line.until:
                return line
            line.close()
        return None

    # --- told by the lines -----------------------------------------------------------------------------

    def rest(self, line: _Line, seconds: float) -> None:
        if self._retired or seconds <= 0:
            line.close()
            return
        line.until = self._loop.time() + seconds
        self._resting.append(line)
        if self._timer is None:
            self._timer = self._loop.call_at(line.until, self._look)

    def forget(self, line: _Line) -> None:
        self._lines.discard(line)
        with contextlib.suppress(ValueError):
            self._resting.remove(line)

    def _look(self) -> None:
        """Who was not used for long, is not used again."""
        self._timer = None
        old = [line for line in self._resting if self._loop.time() >= line.until]
        self._leave(old)
        if self._resting:
            self._timer = self._loop.call_at(self._resting[0].until, self._look)

    def _leave(self, lines: list[_Line]) -> None:
        for line in tuple(lines):
            self.forget(line)
            line.close()
        if not self._resting and self._timer is not None:
            self._timer.cancel()
            self._timer = None
