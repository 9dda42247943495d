"""What happens to one request: the events of an Exchange. Past tense, frozen, without behaviour."""

from __future__ import annotations

import msgspec

from bridge.core.protocol.elicitation import ServerQuestion
from bridge.core.protocol.jsonrpc import Outcome
from bridge.core.questions.question import Answer, Question


class ExchangeEvent(msgspec.Struct, frozen=True):
    """What happened to one request."""


class Admitted(ExchangeEvent, frozen=True):
    """The policy allows the call."""


class ConfirmNeeded(ExchangeEvent, frozen=True):
    """The policy wants the person's approval; without it the host gets `refusal`. `through_host`: how the
    host asks for it, where there is no Desk."""

    question: Question
    refusal: Outcome
    through_host: ServerQuestion | None = None


class CheckNeeded(ExchangeEvent, frozen=True):
    """The policy can decide when the server's tools are listed."""


class CallRefused(ExchangeEvent, frozen=True):
    outcome: Outcome


class UpstreamAsked(ExchangeEvent, frozen=True):
    """The server asks. `ticket`: requestState for the retry; None while its call stays open (legacy).
    `moved`: Questions that are asked already, of a call that has ended."""

    questions: dict[str, ServerQuestion]
    ticket: bytes | None = None
    moved: dict[str, ServerQuestion] = {}


class UpstreamSentAway(ExchangeEvent, frozen=True):
    """The call failed with -32042: the person must visit links, then the call is repeated.

    `done` asks the person whether they are done, for a server that does not report it. If they decline,
    the host gets `refusal`.
    """

    questions: dict[str, ServerQuestion]
    done: ServerQuestion
    refusal: Outcome


class UrlVisited(ExchangeEvent, frozen=True):
    """The server reports that an elicitation by link is complete."""

    elicitation_id: str


class UpstreamWithdrew(ExchangeEvent, frozen=True):
    key: str


class UpstreamReplied(ExchangeEvent, frozen=True, gc=False):
    outcome: Outcome


class UpstreamDied(ExchangeEvent, frozen=True):
    outcome: Outcome
    history: str = ""  # outcome for history; "": error


class Answered(ExchangeEvent, frozen=True):
    key: str
    outcome: Outcome


class HostCouldNot(ExchangeEvent, frozen=True):
    """The host showed this Question to nobody: it says so, or it replied too quickly."""

    key: str


class HostSilent(ExchangeEvent, frozen=True):
    """The host has not answered this Question for a while."""

    key: str


class Expired(ExchangeEvent, frozen=True):
    """The host did not answer this Question in time. `outcome`: in place of a cancel."""

    key: str
    outcome: Outcome | None = None


class Confirmed(ExchangeEvent, frozen=True):
    answer: Answer


class HostReturned(ExchangeEvent, frozen=True):
    """The host retries under a new id, with the answers it was asked for. `unshown`: Questions that the host
    showed to nobody."""

    request: bytes
    answers: dict[str, Outcome]
    unshown: tuple[str, ...] = ()


class HostLeft(ExchangeEvent, frozen=True):
    """The host disconnected or cancelled the request: the reply is not wanted."""


class HostStoppedWaiting(ExchangeEvent, frozen=True):
    """The host's own clock ran out, or is about to: the call goes on without it.

    `outcome`: the reply that tells the host how to wait again; None if it has cancelled the request.
    """

    outcome: Outcome | None = None


class HostWaitsAgain(ExchangeEvent, frozen=True):
    """The host that stopped waiting is back, under a new id."""

    request: bytes


class CallTimedOut(ExchangeEvent, frozen=True):
    outcome: Outcome
    history: str = ""  # outcome for history; "": error
