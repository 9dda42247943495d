"""Tell what a reply over HTTP is: whose, and what it agrees to. Pure: no I/O."""

from __future__ import annotations

from http import HTTPStatus
from typing import TypeGuard

import msgspec

from bridge.core.protocol.jsonrpc import NULL, Envelope, Malformed, members


def is_unknown_session(status: int, error: bytes) -> bool:
    """True for 404; many servers, and the SDK's own examples, reply 400 and name the session."""
    return status == HTTPStatus.NOT_FOUND or (
        status == HTTPStatus.BAD_REQUEST and b"session" in error.lower()
    )


def is_reply(envelope: Envelope | None) -> TypeGuard[Envelope]:
    """True for a result or an error; None: what is no JSON object."""
    if envelope is None:
        return False
    return envelope.method is None and len(envelope.result) + len(envelope.error) > 0


def is_reply_to(request: bytes, reply: Envelope) -> bool:
    """True if `reply` has the raw id of `request`, or is an error without an id."""
    number = bytes(reply.id)
    return number == request or (len(reply.error) > 0 and number in (b"", NULL))


def agreed_revision(envelope: Envelope) -> str:
    """Return the protocolVersion of a reply to `initialize`; "" if it has none."""
    try:
        return msgspec.json.decode(members(envelope.result).get("protocolVersion", b'""'), type=str)
    except (Malformed, msgspec.DecodeError, RecursionError):
        return ""
