"""What to do: imperative, frozen, without behaviour.

The first group is carried out by the engine; the second is what an Exchange wants, carried out by the Router.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from bridge.core.ports import ServerSpec
from bridge.core.protocol.elicitation import Asked
from bridge.core.protocol.jsonrpc import Outcome
from bridge.core.questions.question import Answer, Question

# --- for the engine --------------------------------------------------------------------------------------


class Deliver(msgspec.Struct, frozen=True, gc=False):
    """Hand `data` to the host. `about`: its request that this belongs to; `final`: the reply to it."""

    link: int
    data: bytes
    about: bytes = b""
    final: bool = False


class HangUp(msgspec.Struct, frozen=True):
    link: int


class Connect(msgspec.Struct, frozen=True):
    conn: int
    spec: ServerSpec


class Send(msgspec.Struct, frozen=True, gc=False):
    conn: int
    data: bytes


class Disconnect(msgspec.Struct, frozen=True):
    conn: int


class Show(msgspec.Struct, frozen=True):
    """Put the Question before the person."""

    question: Question


class TakeBack(msgspec.Struct, frozen=True):
    """The Question waits no more."""

    question: str


class EndVisit(msgspec.Struct, frozen=True):
    """The page that the person opened for this Question is not needed any more."""

    question: str


class Heard(msgspec.Struct, frozen=True):
    """The Answer to a Question of Deskbell's own."""

    question: str
    answer: Answer


class AllowAlways(msgspec.Struct, frozen=True):
    """The person allowed this tool for good: remember it. `table`: the host whose rules must say so; "":
    those for everyone."""

    pattern: str
    table: str = ""
    by: str = ""  # the host that wanted to call it


class Pin(msgspec.Struct, frozen=True):
    """Remember which tools were allowed, as they are."""


class Meet(msgspec.Struct, frozen=True):
    """The person has answered this server for the first time: remember it."""

    identity: str


class Rouse(msgspec.Struct, frozen=True):
    """The machine slept: what this connection holds open may have died unheard."""

    conn: int


class Remember(msgspec.Struct, frozen=True):
    """Keep a server's list for the next run. `items` is a JSON array, as the server wrote its elements."""

    server: str
    method: str
    items: bytes


class Record(msgspec.Struct, frozen=True):
    """One line of history."""

    kind: str  # call | question | server | notice
    host: str = ""
    server: str = ""
    tool: str = ""
    outcome: str = ""
    seconds: float = 0.0
    size: int = 0
    detail: str = ""
    facts: Mapping[str, object] = {}  # more of it, to be searched
    arguments: bytes = b""  # of a call, as the host sent them
    reply: bytes = b""  # of a call, as the host got it
    begun: int = 0  # the call that Begin told of, and that is over now


class Begin(msgspec.Struct, frozen=True):
    """A call takes its time: should Deskbell not live to see its end, history knows of it."""

    call: int
    host: str
    server: str
    tool: str
    at: float  # seconds since the epoch
    arguments: bytes = b""


# --- of an Exchange --------------------------------------------------------------------------------------


class Call(msgspec.Struct, frozen=True):
    """Make the call upstream."""


class Ask(msgspec.Struct, frozen=True):
    """Put a Question on the Desk."""

    key: str
    asked: Asked


class AskConfirm(msgspec.Struct, frozen=True):
    question: Question


class Relay(msgspec.Struct, frozen=True):
    """Ask through the host: by requests of our own while it waits, or by returning its request."""

    request: bytes
    questions: dict[str, Asked]


class Withdraw(msgspec.Struct, frozen=True):
    """Nobody needs these answers any more."""

    keys: tuple[str, ...]


class Resume(msgspec.Struct, frozen=True):
    """Give the upstream what it asked for; with its ticket, by a retry."""

    answers: dict[str, Outcome]
    ticket: bytes | None = None


class Reply(msgspec.Struct, frozen=True, gc=False):
    request: bytes
    outcome: Outcome
    history: str = ""  # how history calls this end, where "ok" and "error" do not tell


class Abandon(msgspec.Struct, frozen=True):
    """Tell the upstream that the call is off."""


LifeCommand = Call | Ask | AskConfirm | Relay | Withdraw | Resume | Reply | Abandon
Command = (
    Deliver
    | HangUp
    | Connect
    | Send
    | Disconnect
    | Show
    | TakeBack
    | Heard
    | EndVisit
    | AllowAlways
    | Pin
    | Meet
    | Rouse
    | Remember
    | Record
    | Begin
)
