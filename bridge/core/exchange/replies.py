"""Replies of our own to Questions that nobody answers, and to calls that ask too often. Pure."""

from __future__ import annotations

import msgspec

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.elicitation import ServerQuestion
from bridge.core.protocol.jsonrpc import Outcome, OwnReply, own_error
from bridge.core.questions.question import CANCEL, Mode

MAX_ROUNDS = 10  # a server that asks forever is stopped
DESK_CAN = frozenset({Mode.FORM, Mode.URL})
CANCELLED = OwnReply(CANCEL.result())
TOO_MANY_ROUNDS = own_error(
    jsonrpc.INTERNAL_ERROR, f"The server asked for input {MAX_ROUNDS} times; the call was stopped."
)


def unanswered(asked: ServerQuestion) -> Outcome:
    if asked.question.mode in DESK_CAN:
        return CANCELLED
    return own_error(jsonrpc.UNANSWERED, f"Nobody answered {asked.method}.")


def with_reason(refusal: Outcome, reason: str) -> Outcome:
    """Return the tool result that refuses a call, with the person's own reason at the end of its text."""
    if not reason:
        return refusal
    result = msgspec.json.decode(refusal.result)
    result["content"][0]["text"] += f" They said: {reason}"
    return OwnReply(msgspec.json.encode(result))


def nobody_can(method: str) -> Outcome:
    return own_error(jsonrpc.METHOD_NOT_FOUND, f"Neither the host nor Deskbell can answer {method}.")
