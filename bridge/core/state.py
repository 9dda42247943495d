"""What the Router remembers: Links, the Parties behind them, their connections and their Errands.

Data, and the few words every part of the Router needs; no decisions.
"""

from __future__ import annotations

from collections.abc import Mapping

from bridge.core import commands as do
from bridge.core import messages
from bridge.core.desk import Desk
from bridge.core.dial import Dial, Introduction
from bridge.core.eras import STRANGER, Presence
from bridge.core.exchange import Exchange
from bridge.core.messages import Envelope
from bridge.core.policy import Policy
from bridge.core.ports import Caller, ServerSpec
from bridge.core.questions import Question, dated
from bridge.core.routes import Routes

UNKNOWN_HOST = "Unknown Client"


class Errand:
    """An Exchange on its way: whose it is, where it goes, and how each side calls it."""

    __slots__ = (
        "arguments",
        "conn",
        "data",
        "deadline",
        "envelope",
        "exchange",
        "id",
        "inquiries",
        "link",
        "method",
        "name",
        "params",
        "presence",
        "public",
        "relayed",
        "renewed",
        "replied",
        "reply_size",
        "round",
        "shown",
        "started",
        "target",
        "token",
        "upstream_id",
    )

    def __init__(
        self,
        id_: int,
        exchange: Exchange,
        link: Link | None,
        conn: Conn,
        presence: Presence,
        method: str = "",
    ) -> None:
        self.id = id_
        self.exchange = exchange
        self.link = link  # None while the host is away
        self.conn = conn
        self.presence = presence
        self.method = method
        self.target = ""  # tool, prompt or resource, as the host calls it
        self.name = ""  # the same, as its server calls it
        self.public = ""  # the tool, as policy and history call it
        self.arguments = b""
        self.data = b""  # the request as the host sent it
        self.envelope = NOTHING
        self.params = b""  # set when they differ from what the host sent
        self.token = b""  # the host's progress token
        self.upstream_id = b""
        self.renewed = False  # was sent again, to a server that had forgotten us
        self.started = 0.0
        self.deadline = 0.0  # machine time; 0: the clock stands still
        self.replied = "cancelled"  # how it ended, for the history
        self.reply_size = 0
        self.round = 0  # counts the Tickets of this Errand
        self.inquiries: dict[str, bytes] = {}  # key → the server's id of its request
        self.shown: dict[str, str] = {}  # key → Question on the Desk
        self.relayed: dict[str, bytes] = {}  # key → our request to the host


NOTHING = Envelope()


class Conn:
    """One connection to one server, for one Party."""

    __slots__ = (
        "asked",
        "backlog",
        "dial",
        "dial_since",
        "id",
        "introduction",
        "party",
        "pending",
        "spec",
    )

    def __init__(self, id_: int, spec: ServerSpec, party: Party, dial: Dial) -> None:
        self.id = id_
        self.spec = spec
        self.party = party
        self.dial = dial
        self.dial_since = 0.0
        self.introduction: Introduction | None = None
        self.backlog: list[Waits] = []  # what waits for the introduction
        self.pending: dict[bytes, Waits | Dial] = {}  # our request id → who wants the answer
        self.asked: dict[bytes, tuple[Errand, str]] = {}  # the server's id → whom it concerns


class Gather:
    """One list request to many servers: pages come in, one list goes out."""

    __slots__ = ("deadline", "items", "link", "method", "request", "wanted")

    def __init__(self, link: Link, request: bytes, method: str, deadline: float) -> None:
        self.link = link
        self.request = request
        self.method = method
        self.deadline = deadline
        self.items: dict[str, list[bytes]] = {}
        self.wanted: set[str] = set()  # servers not heard to the end


class Part:
    """One server's share of a Gather."""

    __slots__ = ("conn", "gather", "pages", "renewed")

    def __init__(self, gather: Gather, conn: Conn) -> None:
        self.gather = gather
        self.conn = conn
        self.pages = 0
        self.renewed = False


Waits = Errand | Part


class Party:
    """Who owns upstream connections: one host."""

    __slots__ = (
        "conns",
        "key",
        "links",
        "presence",
        "private",
        "prompts",
        "templates",
        "tools",
        "uris",
        "used",
    )

    def __init__(self, key: str, private: bool) -> None:
        self.key = key
        self.private = private  # ends with its one Link
        self.presence: Presence = STRANGER
        self.conns: dict[str, Conn] = {}
        self.links: dict[int, Link] = {}
        self.used = 0.0
        self.tools = Routes(())
        self.prompts = Routes(())
        self.uris: dict[str, str] = {}  # resource → server
        self.templates: dict[str, str] = {}  # what a resource template begins with → server


class Link:
    """One Host as we see it."""

    __slots__ = ("asked", "caller", "calls", "errands", "gathers", "id", "initialized", "party", "requests")

    def __init__(self, id_: int, caller: Caller, party: Party) -> None:
        self.id = id_
        self.caller = caller
        self.party = party
        self.initialized = False
        self.calls = 0
        self.requests: dict[bytes, Errand | Gather] = {}
        self.errands: dict[int, Errand] = {}
        self.gathers: set[Gather] = set()  # some of which may be served already, but not in full
        self.asked: dict[bytes, tuple[Errand, str]] = {}  # our request id → whom the host's answer concerns


class Book:
    """All of it. `now` is a monotonic clock, `offset` turns it into seconds since the epoch; the engine sets
    both before it feeds an event."""

    def __init__(self, servers: Mapping[str, ServerSpec], policy: Policy, question_limit: float) -> None:
        self.servers = servers
        self.policy = policy
        self.question_limit = question_limit
        self.now = 0.0
        self.offset = 0.0
        self.desk: Desk[tuple[Errand, str]] = Desk()
        self.links: dict[int, Link] = {}
        self.parties: dict[str, Party] = {}
        self.conns: dict[int, Conn] = {}
        self.errands: dict[int, Errand] = {}
        self.gathers: set[Gather] = set()
        self.failures: dict[str, str] = {}  # server → why its last connection ended
        self.out: list[do.Command] = []
        self._count = 0

    @property
    def epoch(self) -> float:
        return self.now + self.offset

    def next(self) -> int:
        self._count += 1
        return self._count

    def emit(self, command: do.Command) -> None:
        self.out.append(command)

    def refuse(self, link: Link, request: bytes, code: int, message: str, data: object = None) -> None:
        body = messages.error_body(code, message, data)
        self.emit(do.Deliver(link.id, messages.failure(request, body), request, True))

    def dated(self, question: Question) -> Question:
        return dated(question, self.epoch, self.question_limit)

    def host_name(self, of: Link | Party) -> str:
        """How the person knows the host: as it introduced itself, unless its entry says otherwise."""
        if isinstance(of, Party):
            return of.presence.who.name or UNKNOWN_HOST
        return of.caller.host_name or self.host_name(of.party)

    def drop(self, conn: Conn) -> None:
        del self.conns[conn.id], conn.party.conns[conn.spec.name]
