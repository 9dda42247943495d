"""What the Router remembers: Links, the Tenants behind them, their connections and their OpenRequests.

Data, and the few words every part of the Router needs; no decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count

import msgspec
from msgspec import Raw

from bridge.core import commands as do
from bridge.core.events import SettingsChanged
from bridge.core.policy.rules import ANYTHING, Policy
from bridge.core.policy.tool_pins import Pins
from bridge.core.ports import Caller, ServerSpec
from bridge.core.protocol import jsonrpc
from bridge.core.protocol.handshake import ANONYMOUS_HOST, Handshake, HostIdentity, ServerIdentity
from bridge.core.protocol.jsonrpc import Envelope
from bridge.core.protocol.tool_names import public_name, spellings
from bridge.core.questions.question import Mode, Question, dated
from bridge.core.routing.exchange import DESK, Exchange
from bridge.core.routing.peer_limits import PeerLimits
from bridge.core.routing.who_asks import who_asks
from bridge.i18n import Phrases

UNKNOWN_HOST = "Unknown Client"


NOTHING = Envelope()


class OpenRequest(msgspec.Struct, eq=False):
    """An Exchange on its way: whose it is, where it goes, and how each side calls it."""

    id: int
    exchange: Exchange
    link: Link | None  # None while the host is away
    tenant: Tenant  # whose it is, even then
    conn: UpstreamConnection
    presence: HostIdentity
    method: str = ""
    target: str = ""  # tool, prompt or resource, as the host calls it
    name: str = ""  # the same, as its server calls it
    public: str = ""  # the tool, as policy and history call it
    table: str = ""  # the host whose rules wanted the person asked; "": those for everyone
    arguments: bytes = b""
    data: bytes = b""  # the request as the host sent it
    envelope: Envelope = NOTHING
    params: bytes = b""  # set when they differ from what the host sent
    token: bytes = b""  # the host's progress token
    level: str = ""  # which log messages a modern host wants with it
    merged: bool = False  # its host sees many servers as one
    may_last: bool = False  # may become a task
    task: str = ""  # a server's, when its own question is what this is about
    upstream_id: bytes = b""
    renewed: bool = False  # was sent again, to a server that had forgotten us
    started: float = 0.0
    deadline: float = 0.0  # machine time; 0: the clock stands still
    thinks_since: float | None = None  # a person; None: nobody is asked
    thought: float = 0.0  # seconds that people took
    replied: str = "cancelled"  # how it ended, for the history
    listing: TaskPages | None = None  # what was heard so far of the tasks of a shared server
    reply: bytes = b""  # what the host got
    begun: bool = False  # history knows that it is under way
    questions: list[Mapping[str, object]] = []  # what was asked in it, for the history
    round: int = 0  # counts the Tickets of this OpenRequest
    server_ids: dict[str, bytes] = {}  # key → the server's id of its request
    shown: dict[str, str] = {}  # key → Question on the Desk
    relayed: dict[str, bytes] = {}  # key → our request to the host


class TaskPages:
    """A host's own tasks of a shared server, collected page by page."""

    __slots__ = ("count", "found")

    def __init__(self) -> None:
        self.found: dict[str, bytes] = {}  # task id → task
        self.count = 0  # pages so far


class ToolCheck:
    """A tools/list of our own (tool_checks.py)."""

    __slots__ = ("again", "received", "requested", "tools")

    def __init__(self) -> None:
        self.tools: list[bytes] = []
        self.requested = 0  # pages
        self.received = 0  # bytes
        self.again = False  # the list has changed meanwhile


class UpstreamConnection:
    """One connection to one server, for one Tenant; a shared one is known to that Tenant's guests too."""

    __slots__ = (
        "asked",
        "backlog",
        "dial",
        "dial_since",
        "id",
        "identity",
        "introduction",
        "limits",
        "log_level",
        "overdue",
        "pending",
        "spec",
        "tenant",
    )

    def __init__(self, id_: int, spec: ServerSpec, tenant: Tenant, dial: Handshake) -> None:
        self.id = id_
        self.spec = spec
        self.identity = spec.identity
        self.tenant = tenant
        self.dial = dial
        self.dial_since = 0.0
        self.overdue = ""  # that its introduction takes too long, in words
        self.introduction: ServerIdentity | None = None
        self.log_level = ""  # sent to a legacy server for modern hosts
        self.backlog: list[Waits] = []  # what waits for the introduction
        self.pending: dict[bytes, Waits | Handshake | ToolCheck] = {}  # our request id → who wants the answer
        self.asked: dict[bytes, tuple[OpenRequest, str]] = {}  # the server's id → whom it concerns
        self.limits = PeerLimits()


class MergedList:
    """One list request to many servers: pages come in, one list goes out."""

    __slots__ = ("deadline", "guessed", "items", "link", "method", "request", "served", "wanted")

    def __init__(self, link: Link, request_id: bytes, method: str, deadline: float) -> None:
        self.link = link
        self.request = request_id
        self.method = method
        self.deadline = deadline
        self.items: dict[str, dict[str, bytes]] = {}  # server → public name → item
        self.guessed: dict[str, dict[str, bytes]] = {}  # the same, of its last run
        self.served: dict[str, dict[str, bytes]] = {}  # what the host was told
        self.wanted: set[str] = set()  # servers not heard to the end


class ListPart:
    """One server's share of a Gather."""

    __slots__ = ("conn", "gather", "own", "pages", "renewed", "size")

    def __init__(self, gather: MergedList, conn: UpstreamConnection) -> None:
        self.gather = gather
        self.conn = conn
        self.own: list[bytes] = []  # its items, as it wrote them
        self.pages = 0
        self.size = 0  # bytes
        self.renewed = False


Waits = OpenRequest | ListPart


class Subscription:
    """A modern host's `subscriptions/listen` that we keep: to one legacy server, or to many (no `conn`)."""

    __slots__ = ("conn", "id", "kinds", "link", "request", "tasks", "uris")

    def __init__(
        self,
        id_: int,
        link: Link,
        request_id: bytes,
        kinds: frozenset[str],
        uris: dict[str, str],
        conn: UpstreamConnection | None = None,
    ) -> None:
        self.id = id_
        self.link = link
        self.request = request_id
        self.kinds = kinds  # of lists, whose changes it hears of
        self.uris = uris  # resource → server
        self.tasks: tuple[str, ...] = ()  # public names
        self.conn = conn

    @property
    def owner(self) -> str:
        """How a connection's subscriptions name it."""
        return f"listener:{self.id}"


class Tenant:
    """The owner of upstream connections: one host; or, for a shared server, all of its guests.

    `name`, `rule`, `via` and `can` follow from the rest (`RoutingState.identify`), and are kept because each
    request reads them.
    """

    __slots__ = (
        "can",
        "conns",
        "guests",
        "key",
        "level",
        "limits",
        "links",
        "name",
        "presence",
        "private",
        "rule",
        "shared",
        "used",
        "via",
    )

    def __init__(
        self, key: str, private: bool, shared: bool = False, presence: HostIdentity = ANONYMOUS_HOST
    ) -> None:
        self.key = key
        self.private = private  # ends with its one Link
        self.shared = shared  # owns one connection, for its guests
        self.guests: dict[str, Tenant] = {}
        self.presence = presence
        self.name = ""  # as the person knows the host; "" of a shared server's
        self.rule = ANYTHING  # what the settings say of this host
        self.via = DESK  # who asks its Questions,
        self.can: frozenset[Mode] = frozenset()  # and which of them the host can answer
        self.level = ""  # which log messages a legacy host wants
        self.conns: dict[str, UpstreamConnection] = {}
        self.links: dict[int, Link] = {}
        self.used = 0.0
        self.limits = PeerLimits()

    def touch(self, now: float) -> None:
        """Note that the Tenant was used."""
        self.used = now

    def may_use(self, server: str) -> bool:
        """True if the settings offer this server to the host."""
        servers = self.rule.servers
        return servers is None or server in servers


class Link:
    """One Host as we see it."""

    __slots__ = (
        "caller",
        "calls",
        "id",
        "initialized",
        "merged",
        "open_requests",
        "relayed",
        "requests",
        "tenant",
    )

    def __init__(self, id_: int, caller: Caller, tenant: Tenant) -> None:
        self.id = id_
        self.caller = caller
        self.tenant = tenant
        self.merged = not caller.server and caller.wrap is None  # it sees many servers as one
        self.initialized = False
        self.calls = 0
        self.requests: dict[bytes, OpenRequest | MergedList | Subscription] = {}
        self.open_requests: dict[int, OpenRequest] = {}
        self.relayed: dict[bytes, tuple[OpenRequest, str]] = {}  # our request id → asker, key


class RoutingState:
    """All of it. `now` is a monotonic clock, `offset` turns it into seconds since the epoch; the engine sets
    the first before it feeds an event; the other is an event (clock_changes.py)."""

    def __init__(
        self,
        servers: Mapping[str, ServerSpec],
        policy: Policy,
        question_limit: float,
        remembered: Mapping[tuple[str, str], bytes] | None = None,
        pinned: Mapping[tuple[str, str], bytes] | None = None,
    ) -> None:
        self._names: dict[tuple[str, str], tuple[str, ...]] = {}
        self.tenants: dict[str, Tenant] = {}
        self.apply(SettingsChanged(servers, policy, question_limit))
        self.now = 0.0
        self.offset = 0.0
        self.links: dict[int, Link] = {}
        self.conns: dict[int, UpstreamConnection] = {}
        self.open_requests: dict[int, OpenRequest] = {}
        self.phrases = Phrases()
        self.remembered = dict(remembered or {})  # (server, method) → its last list, a JSON array
        self.pins = Pins(self.remembered, pinned)
        self.commands: list[do.Command] = []  # of the current event
        self.emit: Callable[[do.Command], None] = self.commands.append
        self.next: Callable[[], int] = count(1).__next__  # ids of ours, for anything

    @property
    def epoch(self) -> float:
        return self.now + self.offset

    def tell(self, conn: UpstreamConnection, method: str, params: bytes | Raw) -> bytes:
        """A request of our own whose answer is nobody's business; its id."""
        request_id = b"%d" % self.next()
        conn.limits.expect(request_id)
        self.emit(do.Send(conn.id, jsonrpc.request(request_id, method, params)))
        return request_id

    def complain(self, conn: UpstreamConnection, kind: str, detail: str) -> None:
        """A server does what it should not."""
        record = conn.limits.complaint(kind, detail, server=conn.spec.name)
        if record is not None:
            self.emit(record)

    def complain_of(self, link: Link, kind: str, detail: str) -> None:
        """A host does what it should not."""
        record = link.tenant.limits.complaint(kind, detail, host=link.tenant.name)
        if record is not None:
            self.emit(record)

    def sorry(self, code: int, words: str, data: object = None) -> bytes:
        """An error of our own; windows that hear it can say it in their language."""
        self.phrases.learn(words)
        return jsonrpc.error_body(code, words, data)

    def refuse(self, link: Link, request_id: bytes, code: int, message: str, data: object = None) -> None:
        body = self.sorry(code, message, data)
        self.emit(do.Deliver(link.id, jsonrpc.failure(request_id, body), request_id, True))

    def identify(self, tenant: Tenant) -> None:
        """Update what follows from a Tenant's Links, its presence and the settings."""
        if not tenant.shared:
            caller_name = next((link.caller.host_name for link in tenant.links.values()), "")
            tenant.name = caller_name or tenant.presence.who.name or UNKNOWN_HOST
            tenant.rule = self.policy.host(tenant.name) if self.policy.hosts else ANYTHING
        tenant.via, tenant.can = who_asks(tenant.rule, tenant.presence)

    def dated(self, question: Question) -> Question:
        return dated(question, self.epoch, self.question_limit)

    def host_name(self, tenant: Tenant) -> str:
        """Return the host's name for the person: its entry's, or how it introduced itself."""
        return tenant.name or " or ".join(sorted({guest.name for guest in tenant.guests.values()}))

    def public(self, server: str, name: str) -> str:
        """How a tool or prompt is called from outside, by hosts and in the settings."""
        return self.spellings(server, name)[0]

    def spellings(self, server: str, name: str) -> tuple[str, ...]:
        """Every name by which rules may speak of a tool, its public one first."""
        known = self._names.get((server, name))
        if known is None:
            if len(self._names) > 10_000:  # names come from hosts: bounded
                self._names.clear()
            public = public_name(server, name, self.servers)
            known = self._names[server, name] = spellings(server, name, public)
        return known

    def apply(self, settings: SettingsChanged) -> None:
        """Put these settings in force."""
        self.settings = settings
        self.servers, self.policy = settings.servers, settings.policy
        self.question_limit = settings.question_limit
        self._names.clear()
        for tenant in self.tenants.values():
            self.identify(tenant)

    def has_requests(self, tenant: Tenant) -> bool:
        return any(request.tenant is tenant for request in self.open_requests.values())

    def requests_of(self, conn: UpstreamConnection) -> list[OpenRequest]:
        return [request for request in self.open_requests.values() if request.conn is conn]

    def links_of(self, tenant: Tenant) -> list[Link]:
        """The Links of a Tenant, or of its guests."""
        return [link for one in (tenant, *tenant.guests.values()) for link in one.links.values()]
