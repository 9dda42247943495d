"""What happened: past tense, frozen, without behaviour.

The first group comes from the outside and is fed to the Router; the second is the life of one Exchange.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from bridge.core.policy.rules import Policy
from bridge.core.ports import Caller, ServerSpec
from bridge.core.protocol.elicitation import Asked
from bridge.core.protocol.jsonrpc import Envelope, Outcome
from bridge.core.questions.flood_control import LIMIT
from bridge.core.questions.question import Answer, Question

# --- from outside ----------------------------------------------------------------------------------------


class LinkOpened(msgspec.Struct, frozen=True):
    link: int
    caller: Caller


class HostSent(msgspec.Struct, frozen=True, gc=False):
    link: int
    data: bytes


class LinkClosed(msgspec.Struct, frozen=True):
    """`why`: what it did to be hung up on, if it did not leave by itself."""

    link: int
    why: str = ""


class UpstreamSent(msgspec.Struct, frozen=True, gc=False):
    """`about`: raw id of the request on whose stream it came; empty where the wire does not tell.
    `envelope`: that of `data`, if it was read on the way; reading a long message takes its time."""

    conn: int
    data: bytes
    about: bytes = b""
    envelope: Envelope | None = None


class UpstreamUnreached(msgspec.Struct, frozen=True):
    """A server over HTTP did not take a request, or not answer it in a way that could be read. `status` is
    the HTTP status, 0 where there was no answer."""

    conn: int
    request: bytes  # its raw id
    words: str  # for a person
    status: int = 0


class UpstreamEnded(msgspec.Struct, frozen=True):
    conn: int
    reason: str


class DeskbellAsked(msgspec.Struct, frozen=True):
    """Deskbell itself needs something of the person; the Answer comes as `Heard`."""

    question: Question


class DeskbellWithdrew(msgspec.Struct, frozen=True):
    """… and needs it no more."""

    question: str


class SignInChanged(msgspec.Struct, frozen=True):
    """A server over HTTP wants the person to sign in, or has got what it wanted (see
    core/routing/sign_in_state.py)."""

    server: str
    state: str  # "under way" | "needed" | "": settled
    why: str = ""  # what did not work, for a person


class RestartWanted(msgspec.Struct, frozen=True):
    """The person wants this server to begin anew. `at_once`: whatever it is doing; else when that is done."""

    server: str
    at_once: bool = True


class ServerRenamed(msgspec.Struct, frozen=True):
    """A server has another name in the settings that come next; all that is known of it goes with it."""

    old: str
    new: str
    identity: str  # under its new name


class SecretsAwaited(msgspec.Struct, frozen=True):
    """A server's secrets are fetched, for which the person may have to unlock them; or that is over."""

    server: str
    waits: bool


class PersonAnswered(msgspec.Struct, frozen=True):
    question: str
    answer: Answer


class Snoozed(msgspec.Struct, frozen=True):
    """The person wants quiet. `until`: seconds since the epoch; 0: until they say otherwise."""

    until: float = 0.0


class Resumed(msgspec.Struct, frozen=True):
    """The person is back."""


class Muted(msgspec.Struct, frozen=True):
    """The person says no to all this server asks, until then (seconds since the epoch)."""

    server: str
    until: float


class Unmuted(msgspec.Struct, frozen=True):
    server: str


class Spared(msgspec.Struct, frozen=True):
    """The person wants to be asked by this server, however often it asks."""

    server: str


class CallCancelled(msgspec.Struct, frozen=True):
    """The person does not want to wait for this call any more."""

    call: int


class TimePassed(msgspec.Struct, frozen=True):
    """Sent about once a second while anything is under way."""


class ClockRead(msgspec.Struct, frozen=True):
    """Offset from the monotonic clock to Unix time. It jumps after sleep or when the clock is set."""

    offset: float


class SettingsChanged(msgspec.Struct, frozen=True):
    """The person edited them: these are in force now."""

    servers: Mapping[str, ServerSpec]
    policy: Policy
    question_limit: float
    flood: int = LIMIT  # Questions of one server within a minute that are too many; 0: none are


class QuitRequested(msgspec.Struct, frozen=True):
    """The app is about to end: everything open gets its proper last word."""


# --- the life of an Exchange -----------------------------------------------------------------------------


class Admitted(msgspec.Struct, frozen=True):
    """The Policy allows the call."""


class ConfirmNeeded(msgspec.Struct, frozen=True):
    """The Policy wants the person's word; without it the host gets `refusal`."""

    question: Question
    refusal: Outcome


class Refused(msgspec.Struct, frozen=True):
    outcome: Outcome


class UpstreamAsked(msgspec.Struct, frozen=True):
    """`ticket` is None while the call goes on upstream (legacy); else it returned, and wants a retry."""

    questions: dict[str, Asked]
    ticket: bytes | None = None


class UpstreamSentAway(msgspec.Struct, frozen=True):
    """The call ended: the person must visit these links first, and then it is made again (-32042).

    `done` is asked meanwhile, for a server that does not tell. Without it the host gets `refusal`.
    """

    questions: dict[str, Asked]
    done: Asked
    refusal: Outcome


class Visited(msgspec.Struct, frozen=True):
    """The server says that what it sent the person to a link for is complete."""

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
    """The host was asked, and does not know how to ask."""

    key: str


class Expired(msgspec.Struct, frozen=True):
    """The host was asked and did not answer in the time there is for it."""

    key: str


class Confirmed(msgspec.Struct, frozen=True):
    answer: Answer


class HostReturned(msgspec.Struct, frozen=True):
    """The host is back under a new id, with what it was asked for."""

    request: bytes
    answers: dict[str, Outcome]


class HostLeft(msgspec.Struct, frozen=True):
    """The host went away or cancelled: nobody wants the reply."""


class TimedOut(msgspec.Struct, frozen=True):
    outcome: Outcome
    history: str = ""  # how history calls this end, where "error" does not tell


LifeEvent = (
    Admitted
    | ConfirmNeeded
    | Refused
    | UpstreamAsked
    | UpstreamSentAway
    | Visited
    | UpstreamWithdrew
    | UpstreamReplied
    | UpstreamDied
    | Answered
    | HostCouldNot
    | Expired
    | Confirmed
    | HostReturned
    | HostLeft
    | TimedOut
)
Event = (
    LinkOpened
    | HostSent
    | LinkClosed
    | ServerRenamed
    | UpstreamSent
    | UpstreamUnreached
    | UpstreamEnded
    | DeskbellAsked
    | DeskbellWithdrew
    | SignInChanged
    | SecretsAwaited
    | RestartWanted
    | PersonAnswered
    | Snoozed
    | Resumed
    | Muted
    | Unmuted
    | Spared
    | CallCancelled
    | TimePassed
    | ClockRead
    | SettingsChanged
    | QuitRequested
)
