"""Streamable HTTP of revision 2026-07-28: one POST, one Link, one reply. No sessions.

The checks have the order of the mcp SDK (mcp/shared/inbound.py), so that a request with two mistakes gets the
same error from Deskbell as from the server. `Mcp-Param-*` headers are checked after the server's tools/list
was relayed, because its schemas define these headers.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from bridge.core.ports import Caller, HostPort
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
from bridge.core.protocol.param_headers import PREFIX, ParamHeaders, decoded, read_tools_list
from bridge.core.protocol.param_headers import headers as expected_headers
from bridge.core.protocol.revisions import (
    CAPABILITIES_KEY,
    INFO_KEY,
    LEGACY_REVISIONS,
    MODERN_REVISION,
    UNSUPPORTED_VERSION,
    VERSION_KEY,
)
from bridge.transports.http.fast.fast_reply import FastReply
from bridge.transports.http.request import HttpRefusal, HttpRequest, parse_envelope, send_empty
from bridge.transports.http.response import SHUTTING_DOWN, HttpResponse, frame

VERSION_HEADER = b"mcp-protocol-version"
_METHOD_HEADER = b"mcp-method"
_NAME_HEADER = b"mcp-name"
ROUTING_HEADERS = (VERSION_HEADER, _METHOD_HEADER, _NAME_HEADER)

HEADER_MISMATCH = -32020
_HTTP_STATUS = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    -32021: 400,  # the request needs a capability that the host did not declare
    UNSUPPORTED_VERSION: 400,
    METHOD_NOT_FOUND: 404,
}
_NAME_PARAM = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_TASK_METHODS = frozenset({"tasks/get", "tasks/update", "tasks/cancel"})  # SEP-2663: Mcp-Name is optional
_LEGACY = frozenset(revision.encode() for revision in LEGACY_REVISIONS)
_VERSION_KEY = VERSION_KEY.encode()


class _Params(msgspec.Struct, frozen=True):
    """Members may have any type: `check` reports wrong ones, in its order."""

    meta: Any = msgspec.field(default=None, name="_meta")
    name: Any = None
    uri: Any = None
    task: Any = msgspec.field(default=None, name="taskId")
    arguments: Any = None


class _Reply(msgspec.Struct, frozen=True):
    error: Any = None


_params_decoder = msgspec.json.Decoder(_Params)
_reply_decoder = msgspec.json.Decoder(_Reply)


def is_modern(headers: Mapping[bytes, bytes], body: bytes) -> bool:
    """Decide by the version header; without it, and without a session id, by the version in the body."""
    header = headers.get(VERSION_HEADER)
    if header is not None and header not in _LEGACY:
        return True
    if b"mcp-session-id" in headers or _VERSION_KEY not in body:
        return False
    envelope = parse_envelope(body)
    if isinstance(envelope, HttpRefusal):
        return False
    version = _meta(_read_params(envelope)).get(VERSION_KEY)
    return isinstance(version, str) and version >= MODERN_REVISION


class ModernHttp:
    """Serves the POSTs of modern hosts."""

    def __init__(self, front: HostPort) -> None:
        self._front = front
        self._open_posts: set[_Post] = set()
        self._param_headers: dict[str, dict[str, ParamHeaders]] = {}  # server → tool → its headers

    def end(self) -> None:
        """Reply to open requests with an error."""
        for post in self._open_posts:
            post.hang_up()

    async def post(self, request: HttpRequest, body: bytes) -> HttpRefusal | None:
        """Serve a POST, or return why not."""
        envelope = parse_envelope(body)
        if isinstance(envelope, HttpRefusal):
            return envelope
        if not envelope.method:
            return HttpRefusal(400, "In this revision a host sends no responses.")
        if not len(envelope.id):
            return await self._notify(request, envelope, body)
        params, known = _read_params(envelope), self._param_headers.setdefault(request.server, {})
        if refusal := check(request.headers, envelope, params, known):
            return refusal
        learned = known if envelope.method == "tools/list" else None
        post = _Post(bytes(envelope.id), HttpResponse(request.abort), learned)
        await self._serve(request, _caller(request.server, request.identity, params), post, body)
        return None

    def serve_fast(
        self,
        server: str,
        identity: str,
        headers: Mapping[bytes, bytes],
        body: bytes,
        make_reply: Callable[[], FastReply],
    ) -> bool:
        """Serve one valid request without an ASGI task; False if this request needs one."""
        envelope = parse_envelope(body)
        if isinstance(envelope, HttpRefusal) or not envelope.method or not len(envelope.id):
            return False
        params, known = _read_params(envelope), self._param_headers.setdefault(server, {})
        if check(headers, envelope, params, known):
            return False
        response = make_reply()
        post = _Post(bytes(envelope.id), response, known if envelope.method == "tools/list" else None)
        link = self._front.open_link(_caller(server, identity, params), post.deliver, post.hang_up)
        self._open_posts.add(post)
        response.set_callbacks(None, partial(self._close, post, link))
        self._front.host_sent(link, body)
        return True

    def _close(self, post: _Post, link: int) -> None:
        """Close the Link later, because the engine is not reentrant."""
        self._open_posts.discard(post)
        asyncio.get_running_loop().call_soon(self._front.close_link, link)

    async def _notify(self, request: HttpRequest, envelope: Envelope, body: bytes) -> HttpRefusal | None:
        """Forward a notification, except `cancelled`, which could name another host's request: here closing
        the connection cancels."""
        if refusal := _unsupported(request.headers.get(VERSION_HEADER, b"").decode("latin-1")):
            return refusal
        if envelope.method != "notifications/cancelled":
            post = _Post(b"", HttpResponse(request.abort))
            caller = _caller(request.server, request.identity, _read_params(envelope))
            link = self._front.open_link(caller, post.deliver, post.hang_up)
            self._front.host_sent(link, body)
            self._front.close_link(link)
        await send_empty(request.send, 202)
        return None

    async def _serve(self, request: HttpRequest, caller: Caller, post: _Post, body: bytes) -> None:
        """Serve one request. Its Link ends with the reply or, cancelling it, with the connection."""
        link = self._front.open_link(caller, post.deliver, post.hang_up)
        self._open_posts.add(post)
        try:
            self._front.host_sent(link, body)
            await post.response.serve(request.receive, request.send)
        finally:
            self._open_posts.discard(post)
            self._front.close_link(link)


class _Post:
    """One request, as the engine's Link sees it."""

    __slots__ = ("about", "learned", "response")

    def __init__(
        self, about: bytes, response: HttpResponse, learned: dict[str, ParamHeaders] | None = None
    ) -> None:
        self.about = about
        self.learned = learned  # param headers of the server, for a tools/list to update
        self.response = response

    def deliver(self, message: bytes, about: bytes, final: bool, /) -> None:
        if not final:
            self.response.send_event(frame(message))
        else:
            if self.learned is not None:
                _learn(message, self.learned)
            self._reply(message, _status(message))

    def hang_up(self) -> None:
        self._reply(failure(self.about, SHUTTING_DOWN), 503)

    def _reply(self, message: bytes, status: int) -> None:
        if self.response.is_over:
            return
        if self.response.is_unstarted:
            self.response.reply(message, status)
        else:
            self.response.send_event(frame(message))
            self.response.end()


def _learn(message: bytes, known: dict[str, ParamHeaders]) -> None:
    """Update the param headers from a tools/list. Skips parsing a list that has none, if none were known."""
    if not known and b'"x-mcp-header"' not in message:
        return
    with contextlib.suppress(Malformed, msgspec.DecodeError, RecursionError):
        read_tools_list(bytes(peek(message).result), known)


def check(
    headers: Mapping[bytes, bytes], envelope: Envelope, params: _Params, known: Mapping[str, ParamHeaders]
) -> HttpRefusal | None:
    """Return the first reason to refuse this request."""
    about = bytes(envelope.id)
    meta = _meta(params)
    if missing := [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]:
        text = f"params._meta lacks {' and '.join(missing)}."
        return HttpRefusal(400, text, INVALID_PARAMS, about=about)
    if wrong := _mismatch(headers, envelope, params, meta[VERSION_KEY]):
        text = f"The header {wrong} is missing, or says something else than the body."
        return HttpRefusal(400, text, HEADER_MISMATCH, about=about)
    if refusal := _unsupported(meta[VERSION_KEY], about):
        return refusal
    if envelope.method == "tools/call" and (wrong := _param_mismatch(headers, params, known)):
        text = f"The header {wrong} is missing, or says something else than the body."
        return HttpRefusal(400, text, HEADER_MISMATCH, about=about)
    return None


def _param_mismatch(
    headers: Mapping[bytes, bytes], params: _Params, known: Mapping[str, ParamHeaders]
) -> str:
    """Return the first `Mcp-Param-*` header that differs from its argument; "" if all are equal."""
    param_headers = known.get(params.name) if isinstance(params.name, str) else None
    if not param_headers:
        return ""
    body = expected_headers(param_headers, params.arguments if isinstance(params.arguments, dict) else {})
    for name in (PREFIX + mirror.lower() for mirror in param_headers.values()):
        value = decoded(_header(headers, name.encode())) if name.encode() in headers else ABSENT
        if value != body.get(name, ABSENT):
            return name
    return ""


def _mismatch(headers: Mapping[bytes, bytes], envelope: Envelope, params: _Params, version: object) -> str:
    """Return the first routing header that differs from the body; "" if all are equal."""
    if VERSION_HEADER not in headers or _header(headers, VERSION_HEADER) != version:
        return "MCP-Protocol-Version"
    if _header(headers, _METHOD_HEADER) != envelope.method:
        return "Mcp-Method"
    method = envelope.method or ""
    if method in _TASK_METHODS and _NAME_HEADER in headers:
        return "" if decoded(_header(headers, _NAME_HEADER)) == params.task else "Mcp-Name"
    param = _NAME_PARAM.get(method)
    if param is None or (name := getattr(params, param)) is None:
        return ""
    return "" if decoded(_header(headers, _NAME_HEADER)) == name else "Mcp-Name"


def _header(headers: Mapping[bytes, bytes], name: bytes) -> str:
    """Return a header without surrounding white space, which the parser leaves (RFC 9110 §5.5)."""
    return headers.get(name, b"").strip(b" \t").decode("latin-1")


def _unsupported(version: str, about: bytes = b"") -> HttpRefusal | None:
    if version == MODERN_REVISION:
        return None
    data = {"supported": [MODERN_REVISION], "requested": version}
    return HttpRefusal(400, "Unsupported protocol version", UNSUPPORTED_VERSION, data, about)


def _read_params(envelope: Envelope) -> _Params:
    try:
        return _params_decoder.decode(envelope.params) if len(envelope.params) else _Params()
    except (msgspec.ValidationError, RecursionError):
        return _Params()


def _meta(params: _Params) -> dict[str, Any]:
    return params.meta if isinstance(params.meta, dict) else {}


def _caller(server: str, identity: str, params: _Params) -> Caller:
    info = _meta(params).get(INFO_KEY)
    client = info if isinstance(info, dict) else {}
    tenant = f"http:{server}:{identity}:{client.get('name', '')}:{client.get('version', '')}"
    return Caller("http", server, identity=identity, tenant=tenant)


def _status(reply: bytes) -> int:
    """Return the HTTP status of a reply. Parses only a reply that may be an error."""
    if b'"error"' not in reply:
        return 200
    error = _reply_decoder.decode(reply).error
    code = error.get("code") if isinstance(error, dict) else None
    return _HTTP_STATUS.get(code, 200) if isinstance(code, int) else 200
