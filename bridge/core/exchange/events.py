"""What happens to one request: the events of an Exchange. Past tense, frozen, without behaviour."""

from __future__ import annotations

import msgspec

from bridge.core.protocol.elicitation import ServerQuestion
from bridge.core.protocol.jsonrpc import Outcome
from bridge.core.questions.question import Answer, Question


class Admitted(msgspec.Struct, frozen=True):
    """The policy allows the call."""


class ConfirmNeeded(msgspec.Struct, frozen=True):
    """The policy wants the person's approval; without it the host gets `refusal`."""

    question: Question
    refusal: Outcome


class CallRefused(msgspec.Struct, frozen=True):
    outcome: Outcome


class UpstreamAsked(msgspec.Struct, frozen=True):
    """The server asks. `ticket`: requestState for the retry; None while its call stays open (legacy)."""

    questions: dict[str, ServerQuestion]
    ticket: bytes | None = None


class UpstreamSentAway(msgspec.Struct, frozen=True):
    """The call failed with -32042: the person must visit links, then the call is repeated.

    `done` asks the person whether they are done, for a server that does not report it. If they decline,
    the host gets `refusal`.
    """

    questions: dict[str, ServerQuestion]
    done: ServerQuestion
    refusal: Outcome


class LinkVisited(msgspec.Struct, frozen=True):
    """The server reports that an elicitation by link is complete."""

    elicitation_id: str


class UpstreamWithdrew(msgspec.Struct, frozen=True):
    key: str


class UpstreamReplied(msgspec.Struct, frozen=True, gc=False):
    outcome: Outcome


class UpstreamDied(msgspec.Struct, frozen=True):
    outcome: Outcome


class Answered(msgspec.Struct, frozen=True):
    key: str
    outcome: Outcome


class HostCouldNot(msgspec.Struct, frozen=True):
    """The host replied that it cannot show this Question."""

    key: str


class Expired(msgspec.Struct, frozen=True):
    """The host did not answer this Question in time."""

    key: str


class Confirmed(msgspec.Struct, frozen=True):
    answer: Answer


class HostReturned(msgspec.Struct, frozen=True):
    """The host retries under a new id, with the answers it was asked for."""

    request: bytes
    answers: dict[str, Outcome]


class HostLeft(msgspec.Struct, frozen=True):
    """The host disconnected or cancelled the request: the reply is not wanted."""


class CallTimedOut(msgspec.Struct, frozen=True):
    outcome: Outcome
    history: str = ""  # outcome for history; "": error


ExchangeEvent = (
    Admitted
    | ConfirmNeeded
    | CallRefused
    | UpstreamAsked
    | UpstreamSentAway
    | LinkVisited
    | UpstreamWithdrew
    | UpstreamReplied
    | UpstreamDied
    | Answered
    | HostCouldNot
    | Expired
    | Confirmed
    | HostReturned
    | HostLeft
    | CallTimedOut
)
