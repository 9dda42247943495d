"""What happened outside the core, fed to the Router. Past tense, frozen, without behaviour.

The events of one Exchange are in core/exchange/events.py.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from bridge.core.policy.rules import Policy
from bridge.core.ports import Caller, HeldCall, ServerSpec
from bridge.core.protocol.jsonrpc import Envelope
from bridge.core.questions.flood_control import LIMIT
from bridge.core.questions.question import Answer, Question
from bridge.core.sampling.rules import USUAL_RULES, SamplingRules


class Event(msgspec.Struct, frozen=True):
    """What happened outside the core."""


class LinkOpened(Event, frozen=True):
    link: int
    caller: Caller


class HostSent(Event, frozen=True, gc=False):
    link: int
    data: bytes


class LinkClosed(Event, frozen=True):
    """`why`: what the host did wrong, if its connection was closed for that."""

    link: int
    why: str = ""


class UpstreamSent(Event, frozen=True, gc=False):
    """`about`: raw id of the request on whose stream the message came; empty if the wire does not tell.
    `envelope`: of `data`, if the adapter has parsed it already."""

    conn: int
    data: bytes
    about: bytes = b""
    envelope: Envelope | None = None


class UpstreamUnreached(Event, frozen=True):
    """A server over HTTP refused a request or sent an unreadable reply. `status`: of HTTP; 0: no reply."""

    conn: int
    request: bytes  # its raw id
    words: str  # for a person
    status: int = 0


class UpstreamEnded(Event, frozen=True):
    conn: int
    reason: str


class DeskbellAsked(Event, frozen=True):
    """Deskbell itself asks the person; the Answer comes as the command `ReturnAnswer`."""

    question: Question


class DeskbellWithdrew(Event, frozen=True):
    """Deskbell no longer needs the Answer to its own Question."""

    question: str


class SignInChanged(Event, frozen=True):
    """A sign-in to a server over HTTP is needed, has begun or has ended (routing/sign_in_state.py)."""

    server: str
    state: str  # "under way" | "needed" | "": signed in
    why: str = ""  # what failed, for a person


class RestartWanted(Event, frozen=True):
    """The person restarts a server. `at_once`: its calls fail; else after its last call."""

    server: str
    at_once: bool = True


class ServerRenamed(Event, frozen=True):
    """The next SettingsChanged has this server under another name; what is known of it is kept."""

    old: str
    new: str
    identity: str  # ServerSpec.identity under its new name


class SecretsAwaited(Event, frozen=True):
    """A connection begins or ends to wait for secrets that the person may have to unlock."""

    server: str
    waits: bool


class PersonAnswered(Event, frozen=True):
    """`undo`: seconds in which the person may take it back; the Answer is held back as long."""

    question: str
    answer: Answer
    undo: float = 0.0


class AnswerUndone(Event, frozen=True):
    """The person takes back an Answer that is held back; its Question waits again."""

    question: str


class PersonLeft(Event, frozen=True):
    """The person is away, or the screen is locked: the clocks of all Questions stop."""


class PersonReturned(Event, frozen=True):
    """The person is there again."""


class AnswerBegun(Event, frozen=True):
    """The person works on an answer: that Question's clock stops. `on` False: they have paused."""

    question: str
    on: bool = True


class TimeAdded(Event, frozen=True):
    """The person wants more time for a Question."""

    question: str
    seconds: float


class MissedSeen(Event, frozen=True):
    """The person has seen which Questions they missed."""


class Snoozed(Event, frozen=True):
    """The person pauses Questions. `until`: Unix time; 0: until Resumed."""

    until: float = 0.0


class Resumed(Event, frozen=True):
    """The person ends the pause."""


class Muted(Event, frozen=True):
    """The person declines all Questions of this server. `until`: Unix time."""

    server: str
    until: float


class Unmuted(Event, frozen=True):
    server: str


class FloodAllowed(Event, frozen=True):
    """The person wants this server's Questions although it asks too often."""

    server: str


class RefusalForgotten(Event, frozen=True):
    """The person wants a host to be asked again that refused Questions unseen."""

    host: str


class CallCancelled(Event, frozen=True):
    """The person cancels a call. `call`: OpenRequest.id."""

    call: int


class HeldCallDeleted(Event, frozen=True):
    """The person deletes a call that its host stopped waiting for, and its reply."""

    ticket: str


class HeldCallSaved(Event, frozen=True):
    """The call that do.SaveHeldCalls named is on disk, or could not be written."""

    ticket: str


class HeldCallsRestored(Event, frozen=True):
    """The calls that hosts had stopped waiting for in the last run."""

    calls: tuple[HeldCall, ...]


class TimePassed(Event, frozen=True):
    """Sent about once a second while anything is under way (`Router.pace`)."""


class ClockRead(Event, frozen=True):
    """Offset from the monotonic clock to Unix time. It jumps after sleep or when the clock is set. `load`:
    how many processes want each processor."""

    offset: float
    load: float = 0.0


class SettingsChanged(Event, frozen=True):
    """The settings now in force."""

    servers: Mapping[str, ServerSpec]
    policy: Policy
    question_limit: float
    flood: int = LIMIT  # more Questions of one server within a minute are a flood; 0: no limit
    sampling: SamplingRules = USUAL_RULES
    call_limits: Mapping[str, float] = {}  # host → seconds that its entries give a call


class ModelUsed(Event, frozen=True):
    """A model worked on a Sample: so many tokens read and written, as counted or estimated."""

    sample: str
    server: str
    tokens_in: int
    tokens_out: int


class Sampled(Event, frozen=True):
    """A Sample has its answer, a CreateMessageResult; or `problem`, with a JSON-RPC `code` (0: internal)."""

    sample: str
    result: bytes = b""
    problem: str = ""
    code: int = 0


class QuitRequested(Event, frozen=True):
    """Deskbell is about to quit: every open request gets a reply."""
