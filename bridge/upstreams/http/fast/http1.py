"""An HTTP/1.1 client for one origin: a pool of connections that are kept alive.

Connections are made by dialer.py. Nothing here knows MCP.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from functools import partial
from typing import cast

import httptools

from bridge.http_client.content_encoding import ENCODINGS, BadEncoding, Decoder
from bridge.i18n import say
from bridge.upstreams.http.failures import ConnectionLost, UnreadableReply
from bridge.upstreams.http.fast.dialer import Dialer

_KEEP = 4.0  # uvicorn and Node drop an idle connection after 5 s; a POST that meets that moment is lost
_MARGIN = 1.0  # seconds before the end that the server's Keep-Alive header names
_TIMEOUT = re.compile(r"timeout\s*=\s*(\d{1,9})", re.IGNORECASE)
_READ = 5 << 18  # bytes at once: a message of a megabyte arrives in one piece
_UNREAD = 4 << 20  # bytes of a body in memory; above it, reading pauses
_MAX_OVERHEAD = 1 << 17  # bytes that may arrive without any of a body: headers, chunk extensions
_MAX_REASON = 100


class Response:
    """A reply whose head has arrived. While nobody takes the body, reading from the server pauses."""

    __slots__ = (
        "_connection",
        "_decoder",
        "_error",
        "_headers",
        "_parts",
        "_unread",
        "_waiter",
        "complete",
        "reason",
        "status",
    )

    def __init__(
        self, connection: _Connection, status: int, reason: str, headers: dict[str, list[str]]
    ) -> None:
        self.status = status
        self.reason = reason
        self.complete = False  # the whole body has arrived
        self._headers = headers
        self._connection = connection
        self._parts: list[bytes] = []
        self._unread = 0
        self._error: ConnectionLost | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._decoder = Decoder() if self.header("content-encoding").lower() in ENCODINGS else None

    @property
    def ok(self) -> bool:
        return self.status < 400

    @property
    def content_type(self) -> str:
        """The media type in lower case, without parameters."""
        return self.header("content-type").partition(";")[0].strip().lower()

    def header(self, name: str) -> str:
        """Return the first header of this name (in lower case); "" if there is none."""
        found = self._headers.get(name)
        return found[0] if found else ""

    def headers(self, name: str) -> list[str]:
        return self._headers.get(name, [])

    async def parts(self) -> AsyncGenerator[bytes, None]:
        """Yield the body as it arrives, decoded. Raises ConnectionLost."""
        while True:
            if self._parts and self._decoder is None:
                yield self.take()
            elif self._parts:
                for piece in self._unpacked(self.take()):
                    yield piece
                    await asyncio.sleep(
                        0
                    )  # a few bytes may become many: between pieces others have their turn
            elif self.complete:
                if self._decoder is not None and self._decoder.is_truncated:
                    raise UnreadableReply(say("it broke off"))
                return
            elif self._error is not None:
                raise self._error
            else:
                self._waiter = asyncio.get_running_loop().create_future()
                await self._waiter

    def _unpacked(self, part: bytes) -> Iterator[bytes]:
        assert self._decoder is not None  # noqa: S101 - checked by the caller
        try:
            yield from self._decoder.pieces(part)
        except BadEncoding as error:
            raise UnreadableReply(error.args[0]) from error

    @property
    def is_at_hand(self) -> bool:
        """True if `take` returns the whole body."""
        return self.complete and self._decoder is None

    def take(self) -> bytes:
        """Return and remove the part of the body that has arrived, as it was sent."""
        parts, self._parts, unread, self._unread = self._parts, [], self._unread, 0
        if unread > _UNREAD and not self.complete:
            self._connection.resume()
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def close(self) -> None:
        """Drop the rest of the body, and the connection with it."""
        if not self.is_over:
            self._connection.close()

    @property
    def is_over(self) -> bool:
        """True if no more of the body will arrive."""
        return self.complete or self._error is not None

    # --- called by its connection ----------------------------------------------------------------------

    def feed(self, part: bytes) -> None:
        self._parts.append(part)
        self._unread += len(part)
        if self._unread > _UNREAD:
            self._connection.pause()
        self._wake()

    def finish(self, error: ConnectionLost | None = None) -> None:
        self.complete, self._error = error is None, error
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


OnReply = Callable[["Response | ConnectionLost"], None]


class _ReadBuffer(threading.local):
    """One buffer for all connections of a thread: each consumes its data before the next one reads."""

    view = memoryview(b"")  # allocated at the first read


_read_buffer = _ReadBuffer()


class _Connection(asyncio.BufferedProtocol):
    """One request at a time: the next one follows when its reply is complete."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool
        self._parser = httptools.HttpResponseParser(self)
        # As lenient as other clients, except about where a reply ends (response splitting).
        self._parser.set_dangerous_leniencies(
            lenient_headers=True, lenient_optional_cr_before_lf=True, lenient_spaces_after_chunk_size=True
        )
        self._on_reply: OnReply | None = None  # set while the head of a reply is awaited
        self._response: Response | None = None
        self._reason = b""
        self._headers: dict[str, list[str]] = {}
        self._overhead = 0  # bytes since the last ones of a body
        self._interim = False  # status 1xx
        self._keep_alive = False  # after this reply
        self.idle_until = 0.0  # loop time

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def send(self, head: bytes, body: bytes | None, on_reply: OnReply) -> None:
        self._on_reply = on_reply
        self._response = None
        self._overhead = 0
        self._transport.writelines((head, body) if body else (head,))

    @property
    def is_usable(self) -> bool:
        return not self._transport.is_closing()

    def pause(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._transport.pause_reading()

    def resume(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._transport.resume_reading()

    def close(self) -> None:
        self._transport.abort()

    def abandon(self, on_reply: OnReply) -> None:
        """Close the connection, unless it already serves another request."""
        if self._on_reply is on_reply:
            self.close()

    def get_buffer(self, sizehint: int) -> memoryview:
        if not _read_buffer.view:
            _read_buffer.view = memoryview(bytearray(_READ))
        return _read_buffer.view

    def buffer_updated(self, size: int) -> None:
        self._overhead += size
        try:
            self._parser.feed_data(_read_buffer.view[:size])
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            cause = error.__context__
            self._fail(cause if isinstance(cause, ConnectionLost) else UnreadableReply(say("it is no HTTP")))
            return
        if self._overhead > _MAX_OVERHEAD:
            self._fail(UnreadableReply(say("its headers are too long")))
            return
        response = self._response
        if response is None:
            return
        if response.is_over:
            self._response = None
            self._end(response)
        if self._on_reply is not None:
            on_reply, self._on_reply = self._on_reply, None
            on_reply(response)

    def connection_lost(self, error: Exception | None) -> None:
        self._pool.discard(self)
        response = self._response
        if (
            response is not None
            and error is None
            and not response.header("content-length")
            and "chunked" not in response.header("transfer-encoding").lower()
        ):
            self._response = None
            response.finish()  # the end of the connection ends a reply without a length
        self._fail(ConnectionLost("the connection was lost"))

    def _end(self, response: Response) -> None:
        """Keep the connection for another request, unless the server replied before reading all of this."""
        if response.complete and self._keep_alive and not self._transport.get_write_buffer_size():
            self.resume()
            found = _TIMEOUT.search(response.header("keep-alive"))  # RFC 2068, 19.7.1.1
            self._pool.keep(self, min(_KEEP, int(found[1]) - _MARGIN) if found else _KEEP)
        else:
            self.close()

    def _fail(self, error: ConnectionLost) -> None:
        on_reply, self._on_reply = self._on_reply, None
        response, self._response = self._response, None
        if response is not None:
            response.finish(error)
        if on_reply is not None:
            on_reply(error)
        self.close()

    # --- called by the parser --------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        if self._on_reply is None or self._response is not None:
            raise UnreadableReply(say("there is more than one"))
        self._reason, self._headers, self._interim = b"", {}, False

    def on_status(self, reason: bytes) -> None:
        self._reason += reason

    def on_header(self, name: bytes, value: bytes) -> None:
        if b"\0" in value:
            raise UnreadableReply(say("it is no HTTP"))
        self._headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("utf-8", "replace"))

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        self._interim = status < 200
        if not self._interim:
            self._response = Response(
                self, status, self._reason[:_MAX_REASON].decode("latin-1"), self._headers
            )

    def on_body(self, part: bytes) -> None:
        self._overhead = 0
        if self._response is not None:
            self._response.feed(part)

    def on_message_complete(self) -> None:
        if self._response is not None and not self._interim:
            self._keep_alive = self._parser.should_keep_alive()  # only known at this moment
            self._response.finish()


class ConnectionPool:
    """The connections to one origin. Their number is not limited: the answer to a server's question must not
    queue behind the calls that wait for it."""

    def __init__(self, dialer: Dialer) -> None:
        self._dialer = dialer
        self._loop = asyncio.get_running_loop()  # once: it takes a system call before Python 3.12
        self._connections: set[_Connection] = set()
        self._idle: list[_Connection] = []  # the last used at the end
        self._timer: asyncio.TimerHandle | None = None
        self._retired = False

    async def request(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> Response:
        """Send a request to the origin; return as its reply begins. Raises OSError and ValueError."""
        head = self._dialer.head(method, url, headers, body)
        connection = self._take_idle() or await self._connect()
        reply: asyncio.Future[Response] = self._loop.create_future()

        def on_reply(result: Response | ConnectionLost) -> None:
            if isinstance(result, ConnectionLost):
                if not reply.done():
                    reply.set_exception(result)
            elif reply.done():
                result.close()
            else:
                reply.set_result(result)

        connection.send(head, body, on_reply)
        try:
            return await reply
        except BaseException:
            if reply.done() and not reply.cancelled() and reply.exception() is None:
                reply.result().close()  # the reply arrived in the same turn as the cancellation
            connection.abandon(on_reply)
            raise

    @property
    def idle(self) -> int:
        """The number of connections that wait for a next request."""
        return len(self._idle)

    def retire(self) -> None:
        """Send no further request; replies under way may still end well."""
        self._retired = True
        self._drop(self._idle)

    def close(self) -> None:
        self.retire()
        for connection in tuple(self._connections):
            connection.close()

    async def _connect(self) -> _Connection:
        connection = await self._dialer.connect(lambda: _Connection(self))
        self._connections.add(connection)
        return connection

    def _take_idle(self) -> _Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_usable and self._loop.time() < connection.idle_until:
                return connection
            connection.close()
        return None

    # --- called by the connections ---------------------------------------------------------------------

    def keep(self, connection: _Connection, seconds: float) -> None:
        if self._retired or seconds <= 0:
            connection.close()
            return
        connection.idle_until = self._loop.time() + seconds
        self._idle.append(connection)
        if self._timer is None:
            self._timer = self._loop.call_at(connection.idle_until, self._expire)

    def discard(self, connection: _Connection) -> None:
        self._connections.discard(connection)
        with contextlib.suppress(ValueError):
            self._idle.remove(connection)

    def _expire(self) -> None:
        """Close the connections that were idle for too long."""
        self._timer = None
        now = self._loop.time()
        self._drop([connection for connection in self._idle if now >= connection.idle_until])
        if self._idle:
            self._timer = self._loop.call_at(self._idle[0].idle_until, self._expire)

    def _drop(self, connections: list[_Connection]) -> None:
        for connection in tuple(connections):
            self.discard(connection)
            connection.close()
        if not self._idle and self._timer is not None:
            self._timer.cancel()
            self._timer = None


def prepare(url: str, headers: Mapping[str, str]) -> Callable[[], ConnectionPool]:
    """Return a function that makes pools for the origin of `url`. Blocks; raises UnusableProxy."""
    return partial(ConnectionPool, Dialer(url, headers))
