"""Streamable HTTP of revision 2026-07-28: one POST, one Link, one answer. Nothing is kept between two POSTs.

The checks come in the order of the mcp SDK's ladder (mcp/shared/inbound.py), so that a host that is wrong in
two ways hears the same complaint from us as from the server behind us. `Mcp-Param-*` headers are not
checked: only the server knows the schema they come from.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from bridge.core.eras import (
    CAPABILITIES_KEY,
    INFO_KEY,
    LEGACY_REVISIONS,
    MODERN_REVISION,
    UNSUPPORTED_VERSION,
    VERSION_KEY,
)
from bridge.core.messages import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    Envelope,
    failure,
)
from bridge.core.ports import Caller, Front
from bridge.transports.incoming import Incoming, Refusal, answer_empty, envelope_of, refuse
from bridge.transports.streams import SHUTTING_DOWN, Outlet, frame

VERSION_HEADER = b"mcp-protocol-version"
_METHOD_HEADER = b"mcp-method"
_NAME_HEADER = b"mcp-name"
ROUTING_HEADERS = (VERSION_HEADER, _METHOD_HEADER, _NAME_HEADER)

HEADER_MISMATCH = -32020
_STATUS = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    -32021: 400,  # the request needs a capability that the host did not declare
    UNSUPPORTED_VERSION: 400,
    METHOD_NOT_FOUND: 404,
}
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_BASE64 = re.compile(rb"=\?base64\?(.*)\?=", re.DOTALL)
_LEGACY = frozenset(revision.encode() for revision in LEGACY_REVISIONS)
_VERSION_KEY = VERSION_KEY.encode()


class _Params(msgspec.Struct, frozen=True):
    """Of any type: what is wrong with them is said by the ladder, in its order."""

    meta: Any = msgspec.field(default=None, name="_meta")
    name: Any = None
    uri: Any = None


class _Reply(msgspec.Struct, frozen=True):
    error: Any = None


_params = msgspec.json.Decoder(_Params)
_reply = msgspec.json.Decoder(_Reply)


def is_modern(headers: Mapping[bytes, bytes], body: bytes) -> bool:
    """By its header; where nothing says legacy, also by what the body says of itself."""
    version = headers.get(VERSION_HEADER)
    if version is not None and version not in _LEGACY:
        return True
    if b"mcp-session-id" in headers or _VERSION_KEY not in body:
        return False
    envelope = envelope_of(body)
    if isinstance(envelope, Refusal):
        return False
    said = _meta(_read_params(envelope)).get(VERSION_KEY)
    return isinstance(said, str) and said >= MODERN_REVISION


class Modern:
    """Serves the POSTs of modern hosts."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self._open: set[_Post] = set()

    def end(self) -> None:
        """Every request still open gets an error and its Link is closed."""
        for post in self._open:
            post.hang_up()

    async def post(self, incoming: Incoming, body: bytes) -> None:
        envelope = envelope_of(body)
        if isinstance(envelope, Refusal):
            await refuse(incoming.send, envelope)
        elif not envelope.method:
            await refuse(incoming.send, Refusal(400, "In this revision a host sends no responses."))
        elif not len(envelope.id):
            await self._notify(incoming, envelope, body)
        else:
            params = _read_params(envelope)
            if refusal := check(incoming.headers, envelope, params):
                await refuse(incoming.send, refusal)
            else:
                post = _Post(bytes(envelope.id), Outlet(incoming.abort))
                await self._exchange(incoming, _caller(incoming, params), post, body)

    async def _notify(self, incoming: Incoming, envelope: Envelope, body: bytes) -> None:
        """A posted `cancelled` goes nowhere: it could name anybody's request. Here a hang-up cancels."""
        if refusal := _unsupported(incoming.headers.get(VERSION_HEADER, b"").decode("latin-1")):
            await refuse(incoming.send, refusal)
            return
        if envelope.method != "notifications/cancelled":
            post = _Post(b"", Outlet(incoming.abort))
            caller = _caller(incoming, _read_params(envelope))
            link = self._front.open_link(caller, post.deliver, post.hang_up)
            self._front.host_sent(link, body)
            self._front.close_link(link)
        await answer_empty(incoming.send, 202)

    async def _exchange(self, incoming: Incoming, caller: Caller, post: _Post, body: bytes) -> None:
        """The reply ends the Link. So does the host when it hangs up before that: it is how it cancels."""
        link = self._front.open_link(caller, post.deliver, post.hang_up)
        self._open.add(post)
        try:
            self._front.host_sent(link, body)
            await post.outlet.serve(incoming.receive, incoming.send)
        finally:
            self._open.discard(post)
            self._front.close_link(link)


class _Post:
    """One request and its response."""

    __slots__ = ("about", "outlet")

    def __init__(self, about: bytes, outlet: Outlet) -> None:
        self.about = about
        self.outlet = outlet

    def deliver(self, message: bytes, about: bytes, final: bool, /) -> None:
        if not final:
            self.outlet.say(frame(message))
        else:
            self._settle(message, _status(message))

    def hang_up(self) -> None:
        self._settle(failure(self.about, SHUTTING_DOWN), 503)

    def _settle(self, message: bytes, status: int) -> None:
        if self.outlet.settled:
            return
        if self.outlet.fresh:
            self.outlet.reply(message, status)
        else:
            self.outlet.say(frame(message))
            self.outlet.end()


def check(headers: Mapping[bytes, bytes], envelope: Envelope, params: _Params) -> Refusal | None:
    """The first reason to refuse this request."""
    about = bytes(envelope.id)
    meta = _meta(params)
    if missing := [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]:
        words = f"params._meta lacks {' and '.join(missing)}."
        return Refusal(400, words, INVALID_PARAMS, about=about)
    if wrong := _mismatch(headers, envelope, params, meta[VERSION_KEY]):
        words = f"The header {wrong} is missing, or says something else than the body."
        return Refusal(400, words, HEADER_MISMATCH, about=about)
    return _unsupported(meta[VERSION_KEY], about)


def _mismatch(headers: Mapping[bytes, bytes], envelope: Envelope, params: _Params, version: object) -> str:
    """The first header that does not say what the body says; "" if all do."""
    if VERSION_HEADER not in headers or _said(headers, VERSION_HEADER) != version:
        return "MCP-Protocol-Version"
    if _said(headers, _METHOD_HEADER) != envelope.method:
        return "Mcp-Method"
    named = _NAMED.get(envelope.method or "")
    if named is None or (name := getattr(params, named)) is None:
        return ""
    return "" if _decoded(headers.get(_NAME_HEADER, b"")) == name else "Mcp-Name"


def _said(headers: Mapping[bytes, bytes], name: bytes) -> str:
    return headers.get(name, b"").decode("latin-1")


def _decoded(value: bytes) -> str | None:
    """A header's text, also from its `=?base64?…?=` form; None if that is not as an encoder writes it."""
    wrapped = _BASE64.fullmatch(value)
    if wrapped is None:
        return value.decode("latin-1")
    try:
        text = base64.b64decode(wrapped[1], validate=True)
        return text.decode() if base64.b64encode(text) == wrapped[1] else None
    except (binascii.Error, UnicodeDecodeError):
        return None


def _unsupported(version: str, about: bytes = b"") -> Refusal | None:
    if version == MODERN_REVISION:
        return None
    data = {"supported": [MODERN_REVISION, *LEGACY_REVISIONS], "requested": version}
    return Refusal(400, "Unsupported protocol version", UNSUPPORTED_VERSION, data, about)


def _read_params(envelope: Envelope) -> _Params:
    try:
        return _params.decode(envelope.params) if len(envelope.params) else _Params()
    except (msgspec.ValidationError, RecursionError):
        return _Params()


def _meta(params: _Params) -> dict[str, Any]:
    return params.meta if isinstance(params.meta, dict) else {}


def _caller(incoming: Incoming, params: _Params) -> Caller:
    info = _meta(params).get(INFO_KEY)
    who = info if isinstance(info, dict) else {}
    party = f"http:{incoming.server}:{who.get('name', '')}:{who.get('version', '')}"
    return Caller("http", incoming.server, party=party)


def _status(reply: bytes) -> int:
    """Only a reply that may hold an error is looked into."""
    if b'"error"' not in reply:
        return 200
    error = _reply.decode(reply).error
    code = error.get("code") if isinstance(error, dict) else None
    return _STATUS.get(code, 200) if isinstance(code, int) else 200
