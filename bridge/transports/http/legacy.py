"""Streamable HTTP up to revision 2025-11-25: POST, GET and DELETE of hosts identified by `Mcp-Session-Id`.

This module parses HTTP and finds the session; legacy_link.py has its streams.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from functools import partial

import msgspec
from msgspec import Raw

from bridge.core.ports import HostPort
from bridge.core.protocol.jsonrpc import ABSENT, Envelope, Malformed, elements, peek
from bridge.core.protocol.revisions import NEWEST_LEGACY
from bridge.transports.http.event_replay import parse_event_id
from bridge.transports.http.fast.fast_reply import FastReply
from bridge.transports.http.legacy_link import LegacyLink, Stream
from bridge.transports.http.modern import VERSION_HEADER
from bridge.transports.http.request import (
    NOT_A_MESSAGE,
    HttpRefusal,
    HttpRequest,
    accepts,
    parse_envelope,
    send_empty,
    send_json,
)
from bridge.transports.http.response import HttpResponse

SESSION_HEADER = b"mcp-session-id"
MOST_SESSIONS = 256  # beyond it, the idlest ends
MAX_BATCH = 1000  # messages; other hosts wait while a batch is read
_PRIMED_VERSION = NEWEST_LEGACY.encode()  # older hosts fail on an event without data

_NO_SESSION_ID = HttpRefusal(400, "The header Mcp-Session-Id is missing: send initialize first.")
_UNKNOWN_SESSION = HttpRefusal(404, "This session is over: send initialize again.")
_DUPLICATE_ID = HttpRefusal(400, "A request with this id is still being worked on.")
_LONG_BATCH = HttpRefusal(400, f"A batch may hold at most {MAX_BATCH} messages.")
_SSE_NOT_ACCEPTED = HttpRefusal(406, "The header Accept must allow text/event-stream.")
_SECOND_STREAM = HttpRefusal(409, "This session already has an open GET stream.")
_UNKNOWN_EVENT = HttpRefusal(400, "The stream that Last-Event-ID names can no longer be resumed.")


class _Cancelled(msgspec.Struct, frozen=True, rename="camel"):
    request_id: Raw = ABSENT


_cancelled_decoder = msgspec.json.Decoder(_Cancelled)


class LegacyHttp:
    """Serves POST, GET and DELETE of legacy hosts; finds their Links by Mcp-Session-Id."""

    def __init__(self, front: HostPort) -> None:
        self._front = front
        self._links: dict[str, LegacyLink] = {}  # Mcp-Session-Id → Link
        self._initializing: set[LegacyLink] = set()

    def end(self) -> None:
        """Reply to open requests with an error, end all streams, close all Links."""
        for link in [*self._links.values(), *self._initializing]:
            link.close(quitting=True)

    async def post(self, request: HttpRequest, body: bytes) -> HttpRefusal | None:
        """Serve a POST, or return why not."""
        link = self._find_link(request.server, request.identity, request.headers)
        if body.lstrip()[:1] == b"[":
            return await self._post_batch(request, link, body)
        envelope = parse_envelope(body)
        if isinstance(envelope, HttpRefusal):
            return envelope
        if isinstance(link, LegacyLink):
            return await self._post_message(request, link, envelope, body)
        if link is _NO_SESSION_ID and envelope.method == "initialize" and len(envelope.id):
            await self._initialize(request, bytes(envelope.id), body)
            return None
        return link

    def serve_fast(
        self,
        server: str,
        identity: str,
        headers: Mapping[bytes, bytes],
        body: bytes,
        make_reply: Callable[[], FastReply],
    ) -> bool:
        """Serve one request of a known session without an ASGI task; False if this request needs one."""
        link = self._find_link(server, identity, headers)
        if not isinstance(link, LegacyLink) or body.lstrip()[:1] == b"[":
            return False
        envelope = parse_envelope(body)
        if isinstance(envelope, HttpRefusal) or not envelope.method:
            return False
        about = bytes(envelope.id)
        if not about or about in link.requests:
            return False
        stream, response = link.expect((about,)), make_reply()
        response.set_callbacks(_first_frame(headers, link, stream), partial(link.detach, stream, response))
        link.attach(stream, response)
        link.forward(body)
        return True

    async def get(self, request: HttpRequest) -> HttpRefusal | None:
        """Open the stream for messages about no request, or resume the stream named by `Last-Event-ID`."""
        link = self._find_link(request.server, request.identity, request.headers)
        return link if isinstance(link, HttpRefusal) else await self._open_stream(request, link)

    async def delete(self, request: HttpRequest) -> HttpRefusal | None:
        link = self._find_link(request.server, request.identity, request.headers)
        if isinstance(link, HttpRefusal):
            return link
        link.close()
        await send_empty(request.send, 204)
        return None

    def _find_link(
        self, server: str, identity: str, headers: Mapping[bytes, bytes]
    ) -> LegacyLink | HttpRefusal:
        """Return the session that a request names; a session is for the token that began it alone."""
        session_id = headers.get(SESSION_HEADER)
        if session_id is None:
            return _NO_SESSION_ID
        link = self._links.get(session_id.decode("latin-1"))
        fits = link is not None and (link.server, link.identity) == (server, identity)
        return link if link is not None and fits else _UNKNOWN_SESSION

    def _forget(self, link: LegacyLink) -> None:
        self._links.pop(link.session_id, None)
        self._initializing.discard(link)

    def _end_idlest(self) -> None:
        """End the session that was silent longest, if there are too many: a script may begin one for each
        call, and never end it. If its host is still there, it gets 404 and initializes again."""
        if len(self._links) >= MOST_SESSIONS:
            idle = [link for link in self._links.values() if link.is_idle]
            for link in sorted(idle, key=lambda one: one.last_used)[:1]:
                link.close()

    async def _initialize(self, request: HttpRequest, about: bytes, body: bytes) -> None:
        """Wait without limit for the reply to `initialize`: only a result gets an Mcp-Session-Id."""
        self._end_idlest()
        link = LegacyLink(self._front, request.server, request.identity, self._forget)
        self._initializing.add(link)
        response = HttpResponse(request.abort)
        link.attach(link.expect((about,), plain=True), response)
        link.forward(body)
        if not await response.wait_for_reply(request.receive) or response.message is None:
            link.close()
            return
        if len(peek(response.message).error):
            link.close()
            await send_json(request.send, response.status, response.message)
            return
        self._initializing.discard(link)
        link.session_id = secrets.token_urlsafe(24)
        self._links[link.session_id] = link
        await send_json(request.send, 200, response.message, ((SESSION_HEADER, link.session_id.encode()),))

    async def _post_message(
        self, request: HttpRequest, link: LegacyLink, envelope: Envelope, body: bytes
    ) -> HttpRefusal | None:
        about = bytes(envelope.id)
        if not about or not envelope.method:
            link.forward(body)
            _cancel_if_asked(link, envelope)
            await send_empty(request.send, 202)
            return None
        if about in link.requests:
            return _DUPLICATE_ID
        await self._respond(request, link, link.expect((about,)), [body])
        return None

    async def _post_batch(
        self, request: HttpRequest, link: LegacyLink | HttpRefusal, body: bytes
    ) -> HttpRefusal | None:
        """Forward each message of a batch (2025-03-26); send all replies on one stream."""
        if isinstance(link, HttpRefusal):
            return link
        try:
            parts = elements(body)
        except Malformed:
            return NOT_A_MESSAGE
        if len(parts) > MAX_BATCH:
            return _LONG_BATCH
        envelopes = [parse_envelope(part) for part in parts]
        ids = [bytes(e.id) for e in envelopes if isinstance(e, Envelope) and e.method and len(e.id)]
        if not parts or any(isinstance(e, HttpRefusal) for e in envelopes):
            return NOT_A_MESSAGE
        if len(set(ids)) < len(ids) or not link.requests.keys().isdisjoint(ids):
            return _DUPLICATE_ID
        if ids:
            await self._respond(request, link, link.expect(ids), parts)
            return None
        for part in parts:
            link.forward(part)
        await send_empty(request.send, 202)
        return None

    async def _respond(
        self, request: HttpRequest, link: LegacyLink, stream: Stream, parts: list[bytes]
    ) -> None:
        response = HttpResponse(request.abort, _first_frame(request.headers, link, stream))
        link.attach(stream, response)
        if len(parts) > 1:
            response.open_stream()
        try:
            for part in parts:
                link.forward(part)
            await response.serve(request.receive, request.send)
        finally:
            link.detach(stream, response)

    async def _open_stream(self, request: HttpRequest, link: LegacyLink) -> HttpRefusal | None:
        if not accepts(request.headers.get(b"accept", b""), b"text/event-stream"):
            return _SSE_NOT_ACCEPTED
        stream: Stream | None = link.standalone
        last_seen = None
        if b"last-event-id" in request.headers:
            event_id = parse_event_id(request.headers[b"last-event-id"])
            stream = link.find_stream(event_id[0]) if event_id else None
            last_seen = event_id[1] if event_id else None
        elif link.standalone.response is not None:
            return _SECOND_STREAM
        if stream is None:
            return _UNKNOWN_EVENT
        response = HttpResponse(request.abort, _first_frame(request.headers, link, stream))
        link.resume(stream, response, last_seen)
        try:
            await response.serve(request.receive, request.send)
        finally:
            link.detach(stream, response)
        return None


def _first_frame(
    headers: Mapping[bytes, bytes], link: LegacyLink, stream: Stream
) -> Callable[[], bytes] | None:
    """Return the function that makes the first event of a stream, for hosts that understand it."""
    return partial(link.prime, stream) if headers.get(VERSION_HEADER) == _PRIMED_VERSION else None


def _cancel_if_asked(link: LegacyLink, envelope: Envelope) -> None:
    if envelope.method == "notifications/cancelled" and len(envelope.params):
        try:
            link.cancel(bytes(_cancelled_decoder.decode(envelope.params).request_id))
        except (msgspec.DecodeError, RecursionError):
            return  # no request id: nothing to cancel
