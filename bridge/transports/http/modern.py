"""Streamable HTTP of revision 2026-07-28: one POST, one Link, one answer. Nothing is kept between two POSTs.

The checks come in the order of the mcp SDK's ladder (mcp/shared/inbound.py), so that a host that is wrong in
two ways hears the same complaint from us as from the server behind us. `Mcp-Param-*` headers are checked
once the server's list of tools went by, which has the schemas they come from.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from bridge.core.ports import Caller, Front
from bridge.core.protocol.jsonrpc import (
    ABSENT,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    Envelope,
    Malformed,
    failure,
    peek,
)
from bridge.core.protocol.param_headers import PREFIX, Mirrors, decoded, learn
from bridge.core.protocol.param_headers import headers as repeated
from bridge.core.protocol.revisions import (
    CAPABILITIES_KEY,
    INFO_KEY,
    LEGACY_REVISIONS,
    MODERN_REVISION,
    UNSUPPORTED_VERSION,
    VERSION_KEY,
)
from bridge.transports.http.fast.fast_reply import QuickOutlet
from bridge.transports.http.request import Incoming, Refusal, answer_empty, envelope_of, refuse
from bridge.transports.http.response import SHUTTING_DOWN, Outlet, frame

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
_TASKS = frozenset({"tasks/get", "tasks/update", "tasks/cancel"})  # SEP-2663; hosts may leave the header out
_LEGACY = frozenset(revision.encode() for revision in LEGACY_REVISIONS)
_VERSION_KEY = VERSION_KEY.encode()


class _Params(msgspec.Struct, frozen=True):
    """Of any type: what is wrong with them is said by the ladder, in its order."""

    meta: Any = msgspec.field(default=None, name="_meta")
    name: Any = None
    uri: Any = None
    task: Any = msgspec.field(default=None, name="taskId")
    arguments: Any = None


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
        self._mirrors: dict[str, dict[str, Mirrors]] = {}  # server → tool → what its calls repeat in headers

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
            known = self._mirrors.setdefault(incoming.server, {})
            if refusal := check(incoming.headers, envelope, params, known):
                await refuse(incoming.send, refusal)
            else:
                listed = known if envelope.method == "tools/list" else None
                post = _Post(bytes(envelope.id), Outlet(incoming.abort), listed)
                await self._exchange(incoming, _caller(incoming.server, params), post, body)

    def quick(
        self, server: str, headers: Mapping[bytes, bytes], body: bytes, make: Callable[[], QuickOutlet]
    ) -> bool:
        """One request with which nothing is wrong, the rest of which is up to the Outlet. Else False."""
        envelope = envelope_of(body)
        if isinstance(envelope, Refusal) or not envelope.method or not len(envelope.id):
            return False
        params, known = _read_params(envelope), self._mirrors.setdefault(server, {})
        if check(headers, envelope, params, known):
            return False
        outlet = make()
        post = _Post(bytes(envelope.id), outlet, known if envelope.method == "tools/list" else None)
        link = self._front.open_link(_caller(server, params), post.deliver, post.hang_up)
        self._open.add(post)
        outlet.served_by(None, partial(self._ended, post, link))
        self._front.host_sent(link, body)
        return True

    def _ended(self, post: _Post, link: int) -> None:
        """The engine is told later, not in the middle of its own doing."""
        self._open.discard(post)
        asyncio.get_running_loop().call_soon(self._front.close_link, link)

    async def _notify(self, incoming: Incoming, envelope: Envelope, body: bytes) -> None:
        """A posted `cancelled` goes nowhere: it could name anybody's request. Here a hang-up cancels."""
        if refusal := _unsupported(incoming.headers.get(VERSION_HEADER, b"").decode("latin-1")):
            await refuse(incoming.send, refusal)
            return
        if envelope.method != "notifications/cancelled":
            post = _Post(b"", Outlet(incoming.abort))
            caller = _caller(incoming.server, _read_params(envelope))
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

    __slots__ = ("about", "listed", "outlet")

    def __init__(self, about: bytes, outlet: Outlet, listed: dict[str, Mirrors] | None = None) -> None:
        self.about = about
        self.listed = listed  # where to note what a list of tools says of headers
        self.outlet = outlet

    def deliver(self, message: bytes, about: bytes, final: bool, /) -> None:
        if not final:
            self.outlet.say(frame(message))
        else:
            if self.listed is not None:
                _note(message, self.listed)
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


def _note(message: bytes, known: dict[str, Mirrors]) -> None:
    """A list that says nothing of headers, and never did, is not read."""
    if not known and b'"x-mcp-header"' not in message:
        return
    with contextlib.suppress(Malformed, msgspec.DecodeError):
        learn(bytes(peek(message).result), known)


def check(
    headers: Mapping[bytes, bytes], envelope: Envelope, params: _Params, known: Mapping[str, Mirrors]
) -> Refusal | None:
    """The first reason to refuse this request."""
    about = bytes(envelope.id)
    meta = _meta(params)
    if missing := [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]:
        words = f"params._meta lacks {' and '.join(missing)}."
        return Refusal(400, words, INVALID_PARAMS, about=about)
    if wrong := _mismatch(headers, envelope, params, meta[VERSION_KEY]):
        words = f"The header {wrong} is missing, or says something else than the body."
        return Refusal(400, words, HEADER_MISMATCH, about=about)
    if refusal := _unsupported(meta[VERSION_KEY], about):
        return refusal
    if envelope.method == "tools/call" and (wrong := _unlike(headers, params, known)):
        words = f"The header {wrong} is missing, or says something else than the body."
        return Refusal(400, words, HEADER_MISMATCH, about=about)
    return None


def _unlike(headers: Mapping[bytes, bytes], params: _Params, known: Mapping[str, Mirrors]) -> str:
    """The first `Mcp-Param-*` header that does not repeat its argument; "" if all do."""
    wanted = known.get(params.name) if isinstance(params.name, str) else None
    if not wanted:
        return ""
    body = repeated(wanted, params.arguments if isinstance(params.arguments, dict) else {})
    for name in (PREFIX + mirror.lower() for mirror in wanted.values()):
        said = decoded(_said(headers, name.encode())) if name.encode() in headers else ABSENT
        if said != body.get(name, ABSENT):
            return name
    return ""


def _mismatch(headers: Mapping[bytes, bytes], envelope: Envelope, params: _Params, version: object) -> str:
    """The first header that does not say what the body says; "" if all do."""
    if VERSION_HEADER not in headers or _said(headers, VERSION_HEADER) != version:
        return "MCP-Protocol-Version"
    if _said(headers, _METHOD_HEADER) != envelope.method:
        return "Mcp-Method"
    method = envelope.method or ""
    if method in _TASKS and _NAME_HEADER in headers:
        return "" if decoded(_said(headers, _NAME_HEADER)) == params.task else "Mcp-Name"
    named = _NAMED.get(method)
    if named is None or (name := getattr(params, named)) is None:
        return ""
    return "" if decoded(_said(headers, _NAME_HEADER)) == name else "Mcp-Name"


def _said(headers: Mapping[bytes, bytes], name: bytes) -> str:
    """Without the white space around it, which the parser leaves (RFC 9110 §5.5)."""
    return headers.get(name, b"").strip(b" \t").decode("latin-1")


def _unsupported(version: str, about: bytes = b"") -> Refusal | None:
    if version == MODERN_REVISION:
        return None
    data = {"supported": [MODERN_REVISION], "requested": version}
    return Refusal(400, "Unsupported protocol version", UNSUPPORTED_VERSION, data, about)


def _read_params(envelope: Envelope) -> _Params:
    try:
        return _params.decode(envelope.params) if len(envelope.params) else _Params()
    except (msgspec.ValidationError, RecursionError):
        return _Params()


def _meta(params: _Params) -> dict[str, Any]:
    return params.meta if isinstance(params.meta, dict) else {}


def _caller(server: str, params: _Params) -> Caller:
    info = _meta(params).get(INFO_KEY)
    who = info if isinstance(info, dict) else {}
    tenant = f"http:{server}:{who.get('name', '')}:{who.get('version', '')}"
    return Caller("http", server, tenant=tenant)


def _status(reply: bytes) -> int:
    """Only a reply that may hold an error is looked into."""
    if b'"error"' not in reply:
        return 200
    error = _reply.decode(reply).error
    code = error.get("code") if isinstance(error, dict) else None
    return _STATUS.get(code, 200) if isinstance(code, int) else 200
