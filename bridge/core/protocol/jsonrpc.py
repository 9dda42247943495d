"""Read, edit and build JSON-RPC messages as bytes. Pure.

Rule 1: whatever is not edited leaves as it came, byte for byte. Only the envelope is parsed; values stay raw
JSON. Numbers of any size, unknown members, key order and every spelling of Unicode survive.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Raw

from bridge.core.protocol import fast_json_edit
from bridge.core.protocol.fast_json_edit import HEAD

T = TypeVar("T")

ABSENT = Raw(b"")
NULL = b"null"

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNREACHED = -32000  # our error for an HTTP server that did not accept the request
UNANSWERED = -32001  # our error for a timeout, as in the TypeScript SDK


class Malformed(ValueError):
    """Not a JSON-RPC message that can be relayed; the text says why."""


class Envelope(msgspec.Struct, frozen=True, gc=False):
    """The members of one message, unparsed."""

    id: Raw = ABSENT
    method: str | None = None
    params: Raw = ABSENT
    result: Raw = ABSENT
    error: Raw = ABSENT


_envelope = msgspec.json.Decoder(Envelope)
_members = msgspec.json.Decoder(dict[str, Raw])
_batch = msgspec.json.Decoder(list[Raw])
_key = re.compile(rb'[\s,]*("(?:[^"\\]|\\.)*")\s*:\s*')
_open = re.compile(rb"\s*\{")
_escape = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..)|\\.")
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def _whole(data: bytes | Raw) -> bytes:
    """Replace escaped lone surrogates by U+FFFD, keeping the length.

    JavaScript writes them when a string was cut inside an emoji; msgspec rejects them.
    """
    return _escape.sub(lambda found: b"\\ufffd" if found[1] else found[0], bytes(data))


def _again(decoder: msgspec.json.Decoder[T], data: bytes | Raw, error: Exception) -> T:
    """Decode again without lone surrogates; raise Malformed if that fails too."""
    whole = _whole(data)
    try:
        if whole != bytes(data):
            return decoder.decode(whole)
    except _UNREADABLE as still:
        error = still
    raise Malformed(str(error)) from error


def peek(data: bytes) -> Envelope:
    """Return the envelope of one message. Raises Malformed."""
    try:
        return _envelope.decode(data)
    except _UNREADABLE as error:
        return _again(_envelope, data, error)


def envelope_of(data: bytes) -> Envelope | None:
    """Return the envelope of one message; None if it is not one."""
    try:
        return peek(data)
    except Malformed:
        return None


def elements(data: bytes | Raw) -> list[bytes]:
    """Return the elements of a JSON array, unparsed."""
    try:
        found = _batch.decode(data)
    except _UNREADABLE as error:
        found = _again(_batch, data, error)
    return [bytes(raw) for raw in found]


def is_object(data: bytes | Raw) -> bool:
    return bytes(memoryview(data)[:1]) == b"{"


def members(data: bytes | Raw) -> dict[str, Raw]:
    """Return the members of a JSON object, values unparsed; {} for an absent one."""
    if not len(data):
        return {}
    try:
        return _members.decode(data)
    except _UNREADABLE as error:
        return _again(_members, data, error)


def edit(data: bytes | Raw, changes: Mapping[str, bytes | None]) -> bytes:
    """Return the JSON object `data` with members replaced, added (at the end) or, by None, removed.

    The other members keep their bytes and order. Raises Malformed for a repeated key: two parsers might read
    two different messages.
    """
    text = bytes(data) or b"{}"
    try:
        plain, found = text, _members.decode(text)
    except _UNREADABLE as error:
        plain, found = _whole(text), _again(_members, text, error)
    opened = _open.match(text)
    at = opened.end() if opened else 0
    parts: list[bytes] = []
    for name, raw in found.items():
        key = _key.match(plain, at)
        end = key.end() + len(raw) if key else 0
        if key is None or msgspec.json.decode(key[1]) != name or plain[key.end() : end] != bytes(raw):
            raise Malformed(f"the key {name!r} appears twice")
        if name not in changes:
            parts.append(text[key.start(1) : end])
        elif (value := changes[name]) is not None:
            parts.append(text[key.start(1) : key.end()] + value)
        at = end
    if text[at:].strip() != b"}":
        raise Malformed("a key appears twice")
    parts += [quote(k) + b":" + v for k, v in changes.items() if k not in found and v is not None]
    return b"{" + b",".join(parts) + b"}"


def set_id(data: bytes, envelope: Envelope, new_id: bytes, params: bytes = b"") -> bytes:
    """Return the message with another id, and with other `params` if any are given."""
    return fast_json_edit.set_id(data, envelope, new_id, params) or edit(
        data, {"id": new_id, "params": params} if params else {"id": new_id}
    )


def set_name(named: bytes | Raw, old: str, new: str) -> bytes:
    """Return the object with `name` replaced."""
    text, name = bytes(named), quote(new)
    return fast_json_edit.set_name(text, quote(old), name) or edit(text, {"name": name})


def quote(text: str) -> bytes:
    """Return the text as a JSON string."""
    return msgspec.json.encode(text)


def request(request_id: bytes, method: str, params: bytes | Raw = b"") -> bytes:
    head = HEAD + request_id + b',"method":' + quote(method)
    return head + (b',"params":' + bytes(params) if len(params) else b"") + b"}"


def notification(method: str, params: bytes | Raw = b"") -> bytes:
    head = b'{"jsonrpc":"2.0","method":' + quote(method)
    return head + (b',"params":' + bytes(params) if len(params) else b"") + b"}"


def response(request_id: bytes, result: bytes | Raw) -> bytes:
    return HEAD + request_id + b',"result":' + bytes(result) + b"}"


def failure(request_id: bytes, error: bytes | Raw) -> bytes:
    return HEAD + (request_id or NULL) + b',"error":' + bytes(error) + b"}"


class ErrorBody(msgspec.Struct, frozen=True):
    """The error member of a response, as far as it is read."""

    code: int = 0
    message: Any = ""
    data: Raw = ABSENT

    def read_data(self, kind: type[T]) -> T:
        """Decode `data` as `kind`; as an empty `kind` if that fails."""
        try:
            return read(kind, self.data)
        except Malformed:
            return kind()


def read_error(error: bytes | Raw) -> ErrorBody:
    """Return an error member; one without a code if it cannot be read."""
    try:
        return read(ErrorBody, error)
    except Malformed:
        return ErrorBody()


def error_body(code: int, message: str, data: object = None) -> bytes:
    """Return the error member of a response. Texts for hosts are always English."""
    body: dict[str, object] = {"code": code, "message": str(message)}
    if data is not None:
        body["data"] = data
    return msgspec.json.encode(body)


class ForwardedReply(msgspec.Struct, frozen=True, gc=False):
    """A reply that is forwarded as its sender wrote it."""

    data: bytes
    envelope: Envelope

    @property
    def failed(self) -> bool:
        error = self.envelope.error
        return not len(self.envelope.result) or (len(error) > 0 and bytes(error) != NULL)

    @property
    def result(self) -> bytes:
        return bytes(self.envelope.result)

    def wire(self, request_id: bytes) -> bytes:
        return set_id(self.data, self.envelope, request_id)


class OwnReply(msgspec.Struct, frozen=True, gc=False):
    """A reply of our own: a result, or an error."""

    result: bytes = b""
    error: bytes = b""

    @property
    def failed(self) -> bool:
        return len(self.error) > 0

    def wire(self, request_id: bytes) -> bytes:
        return failure(request_id, self.error) if self.error else response(request_id, self.result)


Outcome = ForwardedReply | OwnReply  # the end of a request


def own_error(code: int, message: str) -> OwnReply:
    return OwnReply(error=error_body(code, message))


_IS_ERROR = re.compile(rb'"isError"\s*:\s*true')
_NEAR = 4_096  # bytes from either end of a result, where it says how it went


def reply_is_tool_error(reply: bytes) -> bool:
    """True if this response to tools/call has `isError`; for the history.

    Of a long response only both ends are searched, where SDKs write `isError`: a full search would cost more
    than relaying it. One between two long members is missed.
    """
    ends = reply if len(reply) <= 2 * _NEAR else reply[:_NEAR] + reply[-_NEAR:]
    if _IS_ERROR.search(ends) is None:  # nearly always: nothing is decoded
        return False
    envelope = envelope_of(reply)
    return envelope is not None and is_tool_error(envelope.result)


def is_tool_error(result: bytes | Raw) -> bool:
    """True if this result of tools/call has `isError`."""
    try:
        return bytes(members(result).get("isError", b"")) == b"true"
    except Malformed:
        return False


_decoders: dict[type, msgspec.json.Decoder[Any]] = {}


def read(kind: type[T], data: bytes | Raw) -> T:
    """Decode `data` as `kind`; absent data as an empty object. Raises Malformed."""
    decoder = _decoders.get(kind) or _decoders.setdefault(kind, msgspec.json.Decoder(kind))
    try:
        found: T = decoder.decode(data if len(data) else b"{}")
        return found
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(str(error)) from error
