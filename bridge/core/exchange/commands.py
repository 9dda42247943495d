"""What an Exchange wants done, carried out by the ExchangeRunner. Imperative, frozen, without behaviour."""

from __future__ import annotations

import msgspec

from bridge.core.protocol.elicitation import ServerQuestion
from bridge.core.protocol.jsonrpc import Outcome
from bridge.core.questions.question import Question


class Call(msgspec.Struct, frozen=True):
    """Send the request upstream."""


class Ask(msgspec.Struct, frozen=True):
    """Put a Question on the Desk."""

    key: str
    asked: ServerQuestion


class AskConfirm(msgspec.Struct, frozen=True):
    question: Question


class Relay(msgspec.Struct, frozen=True):
    """Ask through the host: by requests while it waits, or by returning its request with a Ticket."""

    request: bytes
    questions: dict[str, ServerQuestion]


class Withdraw(msgspec.Struct, frozen=True):
    """Take these Questions back; no keys: the approval."""

    keys: tuple[str, ...]


class Resume(msgspec.Struct, frozen=True):
    """Pass the answers upstream: as replies, or with its ticket by a retry."""

    answers: dict[str, Outcome]
    ticket: bytes | None = None


class ReplyToHost(msgspec.Struct, frozen=True, gc=False):
    request: bytes
    outcome: Outcome
    history: str = ""  # outcome for history; "": ok or error


class Abandon(msgspec.Struct, frozen=True):
    """Cancel the request upstream."""


ExchangeCommand = Call | Ask | AskConfirm | Relay | Withdraw | Resume | ReplyToHost | Abandon
