"""One HTTP request as both eras see it: what came, how its body is read, how it is refused. No routing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import msgspec
from starlette.types import Message, Receive, Send

from bridge.core.protocol.jsonrpc import (
    INVALID_REQUEST,
    PARSE_ERROR,
    Envelope,
    Malformed,
    error_body,
    failure,
    peek,
)

Header = tuple[bytes, bytes]

END: Message = {"type": "http.response.body", "body": b""}
_JSON = (b"content-type", b"application/json")


class Incoming(NamedTuple):
    """One request to an MCP endpoint that passed the door."""

    server: str  # "": all of them
    headers: dict[bytes, bytes]
    receive: Receive
    send: Send
    abort: Callable[[], None]  # drops the connection with whatever is still unsent


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not served: an HTTP status and a JSON-RPC error."""

    status: int
    message: str
    code: int = INVALID_REQUEST
    data: object = None
    about: bytes = b""  # raw id of the request, where it could be read
    headers: tuple[Header, ...] = ()

    def body(self) -> bytes:
        return failure(self.about, error_body(self.code, self.message, self.data))


async def refuse(send: Send, refusal: Refusal) -> None:
    await answer(send, refusal.status, refusal.body(), refusal.headers)


async def answer(send: Send, status: int, body: bytes, headers: Sequence[Header] = ()) -> None:
    """One whole response with a JSON body."""
    length = (b"content-length", b"%d" % len(body))
    await send({"type": "http.response.start", "status": status, "headers": [_JSON, length, *headers]})
    await send({"type": "http.response.body", "body": body})


async def answer_empty(send: Send, status: int) -> None:
    headers = [] if status == 204 else [(b"content-length", b"0")]  # RFC 9110 §8.6: none with 204
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send(END)


async def read(receive: Receive, limit: int) -> bytes | None:
    """The whole body on one line; None if it is longer than `limit`. Empty if the host left meanwhile."""
    message = await receive()
    body: bytes = message.get("body", b"")
    if message.get("more_body"):
        parts, size = [body], len(body)
        while message.get("more_body"):
            message = await receive()
            if message["type"] != "http.request":
                return b""
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > limit:
                return None
        body = b"".join(parts)
    if b"\n" in body or b"\r" in body:  # white space in JSON, but the end of a message on stdio
        body = body.replace(b"\r", b" ").replace(b"\n", b" ")
    return body


def envelope_of(body: bytes) -> Envelope | Refusal:
    """The envelope of one request, notification or response."""
    try:
        if not body.isascii():
            body.decode()  # the envelope's parser skips over text it does not read
        envelope = peek(body)
    except UnicodeDecodeError:
        return Refusal(400, "The body is not UTF-8.", PARSE_ERROR)
    except Malformed as error:
        return _malformed(error)
    answers = len(envelope.result) or len(envelope.error)
    if (not envelope.method and not (answers and len(envelope.id))) or bytes(envelope.id)[:1] in _NO_IDS:
        return NOT_A_MESSAGE
    return envelope


NOT_A_MESSAGE = Refusal(400, "The body is not a JSON-RPC request, notification or response.")
_NO_IDS = (b"{", b"[", b"t", b"f")


def _malformed(error: Malformed) -> Refusal:
    if isinstance(error.__cause__, msgspec.ValidationError):
        return NOT_A_MESSAGE
    return Refusal(400, f"The body is not JSON: {error}", PARSE_ERROR)


@lru_cache(64)
def accepts(header: bytes, *kinds: bytes) -> bool:
    """Whether an Accept header allows all of `kinds`; none at all allows everything (RFC 9110 §12.5.1)."""
    ranges = {part.split(b";")[0].strip().lower() for part in header.split(b",")}
    if not header or b"*/*" in ranges:
        return True
    return all(kind in ranges or kind.split(b"/")[0] + b"/*" in ranges for kind in kinds)
