"""Streamable HTTP up to revision 2025-11-25: POST, GET and DELETE of hosts known by `Mcp-Session-Id`.

It finds the Link and the stream; what happens on them is in legacy_link.py.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from functools import partial

import msgspec
from msgspec import Raw

from bridge.core.ports import Front
from bridge.core.protocol.jsonrpc import ABSENT, Envelope, Malformed, elements, peek
from bridge.core.protocol.revisions import NEWEST_LEGACY
from bridge.transports.http.event_replay import parse_event_id
from bridge.transports.http.fast.fast_reply import QuickOutlet
from bridge.transports.http.legacy_link import LegacyLink, Stream
from bridge.transports.http.modern import VERSION_HEADER
from bridge.transports.http.request import (
    NOT_A_MESSAGE,
    Incoming,
    Refusal,
    accepts,
    answer,
    answer_empty,
    envelope_of,
    refuse,
)
from bridge.transports.http.response import Outlet

KEY_HEADER = b"mcp-session-id"
MOST_AT_ONCE = 1000  # messages of a batch; the other hosts wait while it is read
_PRIMED = NEWEST_LEGACY.encode()  # earlier hosts choke on an event without data

_NO_KEY = Refusal(400, "The header Mcp-Session-Id is missing: send initialize first.")
_UNKNOWN_KEY = Refusal(404, "This session is over: send initialize again.")
_BUSY_ID = Refusal(400, "A request with this id is still being worked on.")
_TOO_MANY = Refusal(400, f"A batch may hold at most {MOST_AT_ONCE} messages.")
_NO_EVENTS = Refusal(406, "The header Accept must allow text/event-stream.")
_ONE_STREAM = Refusal(409, "This session already has an open GET stream.")
_UNKNOWN_EVENT = Refusal(400, "The stream that Last-Event-ID names can no longer be resumed.")


class _Cancelled(msgspec.Struct, frozen=True, rename="camel"):
    request_id: Raw = ABSENT


_cancelled = msgspec.json.Decoder(_Cancelled)


class Legacy:
    """Serves legacy hosts; knows their Links."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self._links: dict[str, LegacyLink] = {}  # by key
        self._greeting: set[LegacyLink] = set()  # no key yet

    def end(self) -> None:
        """Every request still open gets an error, every stream ends, all Links are closed."""
        for link in [*self._links.values(), *self._greeting]:
            link.close(quitting=True)

    async def post(self, incoming: Incoming, body: bytes) -> None:
        link = self._known(incoming.server, incoming.headers)
        if body.lstrip()[:1] == b"[":
            refusal = await self._post_batch(incoming, link, body)
        else:
            envelope = envelope_of(body)
            if isinstance(envelope, Refusal):
                refusal = envelope
            elif isinstance(link, LegacyLink):
                refusal = await self._post_one(incoming, link, envelope, body)
            elif link is _NO_KEY and envelope.method == "initialize" and len(envelope.id):
                refusal = await self._greet(incoming, bytes(envelope.id), body)
            else:
                refusal = link
        if refusal is not None:
            await refuse(incoming.send, refusal)

    def quick(
        self, server: str, headers: Mapping[bytes, bytes], body: bytes, make: Callable[[], QuickOutlet]
    ) -> bool:
        """One request of a host that is known, the rest of which is up to the Outlet. Else False."""
        link = self._known(server, headers)
        if not isinstance(link, LegacyLink) or body.lstrip()[:1] == b"[":
            return False
        envelope = envelope_of(body)
        if isinstance(envelope, Refusal) or not envelope.method:
            return False
        about = bytes(envelope.id)
        if not about or about in link.requests:
            return False
        stream, outlet = link.expect((about,)), make()
        outlet.served_by(_opener(headers, link, stream), partial(link.detach, stream, outlet))
        link.attach(stream, outlet)
        link.sent(body)
        return True

    async def get(self, incoming: Incoming) -> None:
        """Opens the stream that belongs to no request, or resumes the one that `Last-Event-ID` names."""
        found = self._known(incoming.server, incoming.headers)
        refusal = found if isinstance(found, Refusal) else await self._stream(incoming, found)
        if refusal is not None:
            await refuse(incoming.send, refusal)

    async def delete(self, incoming: Incoming) -> None:
        link = self._known(incoming.server, incoming.headers)
        if isinstance(link, Refusal):
            await refuse(incoming.send, link)
        else:
            link.close()
            await answer_empty(incoming.send, 204)

    def _known(self, server: str, headers: Mapping[bytes, bytes]) -> LegacyLink | Refusal:
        key = headers.get(KEY_HEADER)
        if key is None:
            return _NO_KEY
        link = self._links.get(key.decode("latin-1"))
        return link if link is not None and link.server == server else _UNKNOWN_KEY

    def _forget(self, link: LegacyLink) -> None:
        self._links.pop(link.key, None)
        self._greeting.discard(link)

    async def _greet(self, incoming: Incoming, about: bytes, body: bytes) -> Refusal | None:
        """`initialize`: only a result makes the Link known, so its reply is waited for, however long."""
        link = LegacyLink(self._front, incoming.server, self._forget)
        self._greeting.add(link)
        outlet = Outlet(incoming.abort)
        link.attach(link.expect((about,), plain=True), outlet)
        link.sent(body)
        if not await outlet.replied(incoming.receive) or outlet.message is None:
            link.close()
            return None
        if len(peek(outlet.message).error):
            link.close()
            await answer(incoming.send, outlet.status, outlet.message)
            return None
        self._greeting.discard(link)
        link.key = secrets.token_urlsafe(24)
        self._links[link.key] = link
        await answer(incoming.send, 200, outlet.message, ((KEY_HEADER, link.key.encode()),))
        return None

    async def _post_one(
        self, incoming: Incoming, link: LegacyLink, envelope: Envelope, body: bytes
    ) -> Refusal | None:
        about = bytes(envelope.id)
        if not about or not envelope.method:
            link.sent(body)
            _note_cancel(link, envelope)
            await answer_empty(incoming.send, 202)
            return None
        if about in link.requests:
            return _BUSY_ID
        await self._respond(incoming, link, link.expect((about,)), [body])
        return None

    async def _post_batch(
        self, incoming: Incoming, link: LegacyLink | Refusal, body: bytes
    ) -> Refusal | None:
        """A batch (2025-03-26): each message by itself, all replies on one stream."""
        if isinstance(link, Refusal):
            return link
        try:
            parts = elements(body)
        except Malformed:
            return NOT_A_MESSAGE
        if len(parts) > MOST_AT_ONCE:
            return _TOO_MANY
        envelopes = [envelope_of(part) for part in parts]
        asked = [bytes(e.id) for e in envelopes if isinstance(e, Envelope) and e.method and len(e.id)]
        if not parts or any(isinstance(e, Refusal) for e in envelopes):
            return NOT_A_MESSAGE
        if len(set(asked)) < len(asked) or not link.requests.keys().isdisjoint(asked):
            return _BUSY_ID
        if asked:
            await self._respond(incoming, link, link.expect(asked), parts)
            return None
        for part in parts:
            link.sent(part)
        await answer_empty(incoming.send, 202)
        return None

    async def _respond(
        self, incoming: Incoming, link: LegacyLink, stream: Stream, parts: list[bytes]
    ) -> None:
        outlet = Outlet(incoming.abort, _opener(incoming.headers, link, stream))
        link.attach(stream, outlet)
        if len(parts) > 1:
            outlet.open()
        try:
            for part in parts:
                link.sent(part)
            await outlet.serve(incoming.receive, incoming.send)
        finally:
            link.detach(stream, outlet)

    async def _stream(self, incoming: Incoming, link: LegacyLink) -> Refusal | None:
        if not accepts(incoming.headers.get(b"accept", b""), b"text/event-stream"):
            return _NO_EVENTS
        stream: Stream | None = link.standalone
        seen = None
        if b"last-event-id" in incoming.headers:
            named = parse_event_id(incoming.headers[b"last-event-id"])
            stream = link.find(named[0]) if named else None
            seen = named[1] if named else None
        elif link.standalone.outlet is not None:
            return _ONE_STREAM
        if stream is None:
            return _UNKNOWN_EVENT
        outlet = Outlet(incoming.abort, _opener(incoming.headers, link, stream))
        link.resume(stream, outlet, seen)
        try:
            await outlet.serve(incoming.receive, incoming.send)
        finally:
            link.detach(stream, outlet)
        return None


def _opener(headers: Mapping[bytes, bytes], link: LegacyLink, stream: Stream) -> Callable[[], bytes] | None:
    """What gives the first event of a response."""
    return partial(link.prime, stream) if headers.get(VERSION_HEADER) == _PRIMED else None


def _note_cancel(link: LegacyLink, envelope: Envelope) -> None:
    if envelope.method == "notifications/cancelled" and len(envelope.params):
        try:
            link.cancel(bytes(_cancelled.decode(envelope.params).request_id))
        except msgspec.DecodeError:
            return  # it names no request of ours
