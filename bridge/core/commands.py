"""What the core wants done, carried out by the engine. Imperative, frozen, without behaviour.

The commands of one Exchange are in core/exchange/commands.py.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from bridge.core.ports import ServerSpec
from bridge.core.questions.question import Answer, Question
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.sampling.params import SamplingRequest


class Command(msgspec.Struct, frozen=True):
    """What the engine is to do."""


class Deliver(Command, frozen=True, gc=False):
    """Hand `data` to the host. `about`: its request that this belongs to; `final`: the reply to it."""

    link: int
    data: bytes
    about: bytes = b""
    final: bool = False


class HangUp(Command, frozen=True):
    link: int


class Connect(Command, frozen=True):
    conn: int
    spec: ServerSpec


class Send(Command, frozen=True, gc=False):
    conn: int
    data: bytes


class Disconnect(Command, frozen=True):
    conn: int


class Show(Command, frozen=True):
    """Put the Question before the person."""

    question: Question


class TakeBack(Command, frozen=True):
    """Remove the Question from every window. `answered_in`: the host that answered it."""

    question: str
    answered_in: str = ""


class EndVisit(Command, frozen=True):
    """Close the window of a link the person opened for this Question."""

    question: str


class ReturnAnswer(Command, frozen=True):
    """Pass on the Answer to a Question that Deskbell itself asked."""

    question: str
    answer: Answer


class AllowAlways(Command, frozen=True):
    """Save a rule that allows this tool. `table`: the host it is for; "": all hosts."""

    pattern: str
    table: str = ""
    by: str = ""  # the host that asked to call it


class SavePins(Command, frozen=True):
    """Save the definitions of the allowed tools."""


class SaveRefusals(Command, frozen=True):
    """Save which hosts refuse Questions unseen."""


class SaveFailures(Command, frozen=True):
    """Save why servers do not work."""


class SaveAnswered(Command, frozen=True):
    """Save that the person has answered this server."""

    identity: str


class SaveHeldCalls(Command, frozen=True):
    """Save the calls that hosts stopped waiting for (HeldCalls.saved), and show them.

    If `ticket` names one of them, the event HeldCallSaved follows when that is done, or has failed.
    """

    ticket: str = ""


class SavePatience(Command, frozen=True):
    """Save how long hosts wait, as learned from what they did (HostPatience.learned)."""


class CheckConnection(Command, frozen=True):
    """Check this connection after sleep: its sockets may be dead."""

    conn: int


class SaveList(Command, frozen=True):
    """Save a server's list for the next run. `items`: JSON array of the elements as the server sent them."""

    server: str
    method: str
    items: bytes


class AskModel(Command, frozen=True):
    """Send a server's request to a model; the events ModelUsed and Sampled follow."""

    id: str
    server: str
    model: ModelSpec
    request: SamplingRequest


class StopSample(Command, frozen=True):
    """Close the request to a model: nobody waits for its answer."""

    id: str


class AllowSampling(Command, frozen=True):
    """Save that this server's requests go to models without asking."""

    server: str


class SaveUsage(Command, frozen=True):
    """Save what servers have used of the models."""


class SaveMemory(Command, frozen=True):
    """Save what servers sent, for the next run."""


class Record(Command, frozen=True):
    """One line of history."""

    kind: str  # call | question | server | notice
    host: str = ""
    server: str = ""
    tool: str = ""
    outcome: str = ""
    seconds: float = 0.0
    size: int = 0
    detail: str = ""
    facts: Mapping[str, object] = {}  # searchable details
    arguments: bytes = b""  # of a call, as the host sent them
    reply: bytes = b""  # of a call, as the host got it
    begun: int = 0  # id of the RecordStart command this line completes; 0: none
    secrets: tuple[str, ...] = ()  # answers to questions for secrets: to be masked, never stored


class RecordStart(Command, frozen=True):
    """Record a long call before it ends, in case Deskbell ends first."""

    call: int
    host: str
    server: str
    tool: str
    at: float  # seconds since the epoch
    arguments: bytes = b""
