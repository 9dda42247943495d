"""What an Exchange wants done, carried out by the ExchangeRunner. Imperative, frozen, without behaviour."""

from __future__ import annotations

import msgspec

from bridge.core.protocol.elicitation import ServerQuestion
from bridge.core.protocol.jsonrpc import Outcome
from bridge.core.questions.question import Question


class ExchangeCommand(msgspec.Struct, frozen=True):
    """What the ExchangeRunner is to do."""


class Call(ExchangeCommand, frozen=True):
    """Send the request upstream."""


class Ask(ExchangeCommand, frozen=True):
    """Put a Question on the Desk."""

    key: str
    asked: ServerQuestion


class AskConfirm(ExchangeCommand, frozen=True):
    question: Question


class Relay(ExchangeCommand, frozen=True):
    """Ask through the host: by requests while it waits, or by returning its request with a Ticket."""

    request: bytes
    questions: dict[str, ServerQuestion]


class Withdraw(ExchangeCommand, frozen=True):
    """Take these Questions back; no keys: the approval. `answered`: on the other side, Desk or host."""

    keys: tuple[str, ...]
    answered: bool = False


class Detach(ExchangeCommand, frozen=True):
    """Keep these Questions open without the request, which has ended."""

    questions: dict[str, ServerQuestion]


class Resume(ExchangeCommand, frozen=True):
    """Pass the answers upstream: as replies, or with its ticket by a retry."""

    answers: dict[str, Outcome]
    ticket: bytes | None = None


class ReplyToHost(ExchangeCommand, frozen=True, gc=False):
    request: bytes
    outcome: Outcome
    history: str = ""  # outcome for history; "": ok or error


class LetGo(ExchangeCommand, frozen=True):
    """Release the host from its request: by this reply, unless it has cancelled."""

    request: bytes
    outcome: Outcome | None


class Keep(ExchangeCommand, frozen=True):
    """Keep the outcome until the host asks for it again."""

    outcome: Outcome
    history: str = ""  # as in ReplyToHost


class Abandon(ExchangeCommand, frozen=True):
    """Cancel the request upstream."""
