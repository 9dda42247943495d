"""One HTTP request to an MCP endpoint: its parts, its body, its envelope, refusals. No routing."""

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


class HttpRequest(NamedTuple):
    """One request to an MCP endpoint, its token checked."""

    server: str  # "": all servers, merged
    headers: dict[bytes, bytes]
    receive: Receive
    send: Send
    abort: Callable[[], None]  # drops the connection and its unsent bytes
    identity: str = ""  # the host's name, proven by its token


@dataclass(frozen=True, slots=True)
class HttpRefusal:
    """An HTTP status and a JSON-RPC error for a request that is not served."""

    status: int
    message: str
    code: int = INVALID_REQUEST
    data: object = None
    about: bytes = b""  # raw id of the request; empty if it has none
    headers: tuple[Header, ...] = ()

    def body(self) -> bytes:
        return failure(self.about, error_body(self.code, self.message, self.data))


async def refuse(send: Send, refusal: HttpRefusal) -> None:
    await send_json(send, refusal.status, refusal.body(), refusal.headers)


async def send_json(send: Send, status: int, body: bytes, headers: Sequence[Header] = ()) -> None:
    """Send a complete response with a JSON body."""
    length = (b"content-length", b"%d" % len(body))
    await send({"type": "http.response.start", "status": status, "headers": [_JSON, length, *headers]})
    await send({"type": "http.response.body", "body": body})


async def send_empty(send: Send, status: int) -> None:
    headers = [] if status == 204 else [(b"content-length", b"0")]  # RFC 9110 §8.6: no length with 204
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send(END)


async def read_body(receive: Receive, limit: int) -> bytes | None:
    """Return the body on one line; None if it is longer than `limit`, empty if the host disconnected."""
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
    if b"\n" in body or b"\r" in body:  # white space in JSON, but on stdio the end of a message
        body = body.replace(b"\r", b" ").replace(b"\n", b" ")
    return body


def parse_envelope(body: bytes) -> Envelope | HttpRefusal:
    """Parse the envelope of one request, notification or response."""
    try:
        if not body.isascii():
            body.decode()  # the parser of envelopes does not check the text it skips
        envelope = peek(body)
    except UnicodeDecodeError:
        return HttpRefusal(400, "The body is not UTF-8.", PARSE_ERROR)
    except Malformed as error:
        if isinstance(error.__cause__, msgspec.ValidationError):
            return NOT_A_MESSAGE
        return HttpRefusal(400, f"The body is not JSON: {error}", PARSE_ERROR)
    answers = len(envelope.result) or len(envelope.error)
    if (not envelope.method and not (answers and len(envelope.id))) or bytes(envelope.id)[:1] in _NO_IDS:
        return NOT_A_MESSAGE
    return envelope


NOT_A_MESSAGE = HttpRefusal(400, "The body is not a JSON-RPC request, notification or response.")
_NO_IDS = (b"{", b"[", b"t", b"f")


@lru_cache(64)
def accepts(header: bytes, *kinds: bytes) -> bool:
    """True if an Accept header allows all of `kinds`; an empty header allows all (RFC 9110 §12.5.1)."""
    ranges = {part.split(b";")[0].strip().lower() for part in header.split(b",")}
    if not header or b"*/*" in ranges:
        return True
    return all(kind in ranges or kind.split(b"/")[0] + b"/*" in ranges for kind in kinds)
