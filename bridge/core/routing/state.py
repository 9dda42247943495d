"""What the parts of the core share: Links, Tenants, UpstreamConnections and OpenRequests. Data, no
decisions.

Fields are grouped by the part that writes them; tests/core/routing/test_ownership.py holds them to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import msgspec
from msgspec import Raw

from bridge.core import commands as do
from bridge.core.events import SettingsChanged
from bridge.core.exchange.replies import DESK_CAN
from bridge.core.exchange.state_machine import Exchange
from bridge.core.exchange.who_asks import DESK, AskChannel, who_asks
from bridge.core.policy.allowances import Allowances
from bridge.core.policy.rules import ANYTHING, HostRule, Policy, PolicyDecision, QuestionPlace
from bridge.core.policy.tool_pins import ToolPins, hints
from bridge.core.policy.unshown_questions import UnshownQuestions
from bridge.core.ports import Caller, ServerSpec
from bridge.core.protocol import jsonrpc
from bridge.core.protocol.capabilities import with_sampling
from bridge.core.protocol.handshake import ANONYMOUS_HOST, Handshake, HostIdentity, ServerIdentity
from bridge.core.protocol.jsonrpc import Envelope, Outcome
from bridge.core.protocol.revisions import Era
from bridge.core.protocol.tool_names import public_name, spellings
from bridge.core.protocol.translate import refusal
from bridge.core.questions.question import Mode, Question, dated
from bridge.core.routing.lists.pages import PagedList
from bridge.core.routing.peer_limits import PeerLimits
from bridge.core.routing.server_memory import Memory, MemoryKey, ServerMemory, memory_key
from bridge.i18n import Phrases
from bridge.system.masking import Mask

UNKNOWN_HOST = "Unknown Client"
_AUTO = QuestionPlace.AUTO

NOTHING = Envelope()


class OpenRequest(msgspec.Struct, eq=False):
    """A request under way: its Exchange, whose it is, where it goes, and its ids on each wire."""

    id: int
    exchange: Exchange
    link: Link | None  # None while the host is away (State.AWAY) or does not wait (Exchange.attended)
    tenant: Tenant  # its host, also while the host is away
    conn: UpstreamConnection
    presence: HostIdentity
    method: str = ""
    target: str = ""  # tool, prompt or resource, as the host calls it
    name: str = ""  # tool, prompt or resource, as its server calls it
    arguments: bytes = b""
    data: bytes = b""  # the request as the host sent it
    envelope: Envelope = NOTHING
    level: str = ""  # log level a modern host names in this request
    merged: bool = False  # its host sees merged servers
    may_last: bool = False  # may become a task
    task: str = ""  # id of the server task that asked; "" if a call did
    started: float = 0.0  # monotonic
    # FromHosts: the policy's decision
    public: str = ""  # the tool's public name; "" if no rule applies
    table: str = ""  # the host whose rules want an approval; "": the rules for all hosts
    # ExchangeRunner: on the wire, and for history
    params: bytes = b""  # params to send, if they differ from the host's
    token: bytes = b""  # the host's progress token
    upstream_id: bytes = b""
    server_ids: dict[str, bytes] = {}  # key of a Question → id of the server's request
    deadline: float = 0.0  # monotonic; 0: the clock is stopped
    waits_since: float = 0.0  # monotonic; when its host began to wait
    thinks_since: float | None = None  # monotonic; None: no person is asked
    thought: float = 0.0  # seconds of a person's time
    replied: str = "cancelled"  # outcome for history
    reply: bytes = b""  # as the host got it
    # Questions
    shown: dict[str, str] = {}  # key → id of the Question on the Desk
    questions: list[Mapping[str, object]] = []  # facts of its Questions, for history
    # RelayedQuestions
    relayed: dict[str, bytes] = {}  # key → id of our request to the host
    round: int = 0  # number of its current Ticket
    # one part each
    begun: bool = False  # CallsInFlight: recorded by do.RecordStart
    ticket: str = ""  # HeldCalls: by which its host may wait again; "": it was never let go
    held: int = 0  # HeldCalls: how often its host was let go
    renewed: bool = False  # Connections: was sent again on a new connection
    listing: PagedList | None = None  # SharedServers: tasks/list, so far
    samples: int = 0  # Sampling: requests sent to models

    def refusal(self, text: str, why: str = "") -> Outcome:
        """Return the reply that refuses the request. Of our own tools it is JSON, as their errors are."""
        if self.conn.spec.json_errors:
            text = msgspec.json.encode({"error": str(text)}).decode()
        return refusal(self.method, text, self.presence.era, why)

    def attach(self, link: Link, token: bytes, now: float) -> None:
        """Make this the request of a Link: its host waits for the reply, or does so again."""
        self.link, self.tenant, self.presence = link, link.tenant, link.tenant.presence
        self.token, self.waits_since = token, now


class ToolCheck(PagedList, eq=False):
    """A list that we request ourselves (lists/own_list_requests.py)."""

    method: str = "tools/list"
    tenant: Tenant | None = None  # the host that got `served`; None: no host did
    served: bytes | None = None  # what the host got before, a JSON array
    again: bool = False  # the list has changed meanwhile


class UpstreamConnection(msgspec.Struct, eq=False):
    """One connection to one server, for one Tenant; that of a shared server is in its guests' `conns` too."""

    id: int
    spec: ServerSpec
    identity: str  # of the spec: a digest, computed once
    tenant: Tenant
    dial: Handshake
    dial_since: float = 0.0
    overdue: str = ""  # text: the handshake takes too long
    introduction: ServerIdentity | None = None
    era: Era | None = None  # None: not introduced yet
    log_level: str = ""  # sent to a legacy server for modern hosts
    backlog: list[OpenRequest | ListPart] = []  # what waits for the handshake
    unjudged: list[OpenRequest] = []  # OwnListRequests: calls of allowed tools that may have changed
    tools_checked: bool = False  # OwnListRequests: its tools were listed on this connection
    pending: dict[bytes, Pending] = {}  # our request id → what waits for the reply
    asked: dict[bytes, tuple[OpenRequest, str]] = {}  # id of the server's request → asker, key
    limits: PeerLimits = msgspec.field(default_factory=PeerLimits)
    here: frozenset[Mode] = DESK_CAN  # modes Deskbell takes where the host cannot
    declares: frozenset[Mode] = DESK_CAN  # modes declared to the server beside the host's own
    hidden: frozenset[Mode] = frozenset()  # modes that never go to the host

    def declared(self, host: HostIdentity) -> bytes:
        """Return the capabilities to declare to the server in requests of this host."""
        return with_sampling(host.capabilities, self.declares, self.hidden)


class MergedList(msgspec.Struct, eq=False):
    """One list request of a host to many servers."""

    link: Link
    request: bytes
    method: str
    deadline: float
    items: dict[str, dict[str, bytes]] = {}  # server → public name → item
    guessed: dict[str, dict[str, bytes]] = {}  # server → public name → item of its last run
    served: dict[str, dict[str, bytes]] = {}  # server → public name → item the host got
    wanted: set[str] = set()  # servers whose part is not complete


class ListPart(PagedList, eq=False, kw_only=True):
    """One server's share of a MergedList."""

    merged_list: MergedList
    conn: UpstreamConnection
    renewed: bool = False


Pending = OpenRequest | ListPart | Handshake | ToolCheck


class Subscription(msgspec.Struct, eq=False):
    """A modern host's `subscriptions/listen` to one legacy server, or to many servers (no `conn`)."""

    id: int
    link: Link
    request: bytes
    kinds: frozenset[str]  # of list_changed notifications
    uris: dict[str, str]  # resource → server
    conn: UpstreamConnection | None = None
    tasks: tuple[str, ...] = ()  # public task ids

    @property
    def owner(self) -> str:
        """The subscriber's name in a connection's subscriptions."""
        return f"listener:{self.id}"


class Tenant(msgspec.Struct, eq=False):
    """The owner of upstream connections: one host; or, for a shared server, all of its guests.

    `name`, `rule`, `via` and `can` follow from the rest (`RoutingState.identify`), and are kept because each
    request reads them.
    """

    key: str
    private: bool  # closed with its only Link
    shared: bool = False  # owns the connection of a shared server
    presence: HostIdentity = ANONYMOUS_HOST
    guests: dict[str, Tenant] = {}
    identity: str = ""  # host name that its token proves; "" without a token
    entry_name: str = ""  # host name that its entry gives, unproven
    name: str = ""  # host name for the person and for rules; "" if shared
    rule: HostRule = ANYTHING  # of the host, from the settings
    via: AskChannel = DESK  # who asks its Questions
    can: frozenset[Mode] = frozenset()  # modes the host can answer
    level: str = ""  # log level of a legacy host
    conns: dict[str, UpstreamConnection] = {}
    links: dict[int, Link] = {}
    used: float = 0.0
    limits: PeerLimits = msgspec.field(default_factory=PeerLimits)
    sampling_refusals: int = 0  # requests for its model that it answered with an error

    def touch(self, now: float) -> None:
        """Note that the Tenant was used."""
        self.used = now

    @property
    def users(self) -> tuple[Tenant, ...]:
        """The hosts that use this Tenant's connections, and the Tenant itself."""
        return (self, *self.guests.values())


class Link(msgspec.Struct, eq=False):
    """One connection of a Host."""

    id: int
    caller: Caller
    tenant: Tenant
    merged: bool  # sees all servers as one
    initialized: bool = False
    calls: int = 0
    requests: dict[bytes, OpenRequest | MergedList | Subscription] = {}
    open_requests: dict[int, OpenRequest] = {}
    relayed: dict[bytes, tuple[OpenRequest, str]] = {}  # our request id → asker, key
    visits: set[tuple[int, str]] = set()  # connection, elicitationId of links to open


class RoutingState:
    """What all parts read. `now`: monotonic seconds, set by the engine before each event; `now + offset` is
    Unix time. `has_desk`: a Presenter can show Questions to a person here.
    """

    def __init__(
        self,
        servers: Mapping[str, ServerSpec],
        policy: Policy,
        question_limit: float,
        remembered: Mapping[tuple[str, str], bytes] | None = None,
        pinned: Mapping[tuple[str, str], bytes] | None = None,
        refused: Mapping[str, float] | None = None,
        has_desk: bool = True,
        memory: Memory | None = None,
    ) -> None:
        self.has_desk = has_desk
        self.memory = ServerMemory(memory)
        self.unshown = UnshownQuestions(refused)
        self._names: dict[tuple[str, str], tuple[str, ...]] = {}
        self.tenants: dict[str, Tenant] = {}
        self.apply(SettingsChanged(servers, policy, question_limit))
        self.now = 0.0
        self.offset = 0.0
        self.load = 0.0  # processes that want each processor
        self.links: dict[int, Link] = {}
        self.conns: dict[int, UpstreamConnection] = {}
        self.open_requests: dict[int, OpenRequest] = {}
        self.phrases = Phrases()
        self.remembered = dict(remembered or {})  # (server, method) → its last tools or instructions, JSON
        self.pins = ToolPins(self.remembered, pinned)
        self.allowances = Allowances()
        self.mask = Mask()
        self.commands: list[do.Command] = []  # what the current event led to
        self.emit: Callable[[do.Command], None] = self.commands.append
        self.next: Callable[[], int] = count(1).__next__  # returns a new id, for anything

    @property
    def epoch(self) -> float:
        """Unix time."""
        return self.now + self.offset

    @property
    def question_limit(self) -> float:
        """Seconds a person has for a Question; 0: no limit."""
        return self.settings.question_limit

    def tell(self, conn: UpstreamConnection, method: str, params: bytes | Raw) -> bytes:
        """Send a request whose reply will be dropped; return its id."""
        request_id = b"%d" % self.next()
        conn.limits.abandon_reply(request_id)
        self.emit(do.Send(conn.id, jsonrpc.request(request_id, method, params)))
        return request_id

    def record_problem(self, conn: UpstreamConnection, kind: str, detail: str) -> None:
        """Record that a server violates the protocol or a limit."""
        record = conn.limits.record_of(kind, detail, server=conn.spec.name)
        if record is not None:
            self.emit(record)

    def record_host_problem(self, link: Link, kind: str, detail: str) -> None:
        """Record that a host violates the protocol or a limit."""
        record = link.tenant.limits.record_of(kind, detail, host=link.tenant.name)
        if record is not None:
            self.emit(record)

    def error_body_of(self, code: int, words: str, data: object = None) -> bytes:
        """Return a JSON-RPC error of ours, whose text windows can translate."""
        self.phrases.learn(words)
        return jsonrpc.error_body(code, words, data)

    def own_error(self, code: int, words: str) -> jsonrpc.OwnReply:
        """Return such an error as a reply."""
        return jsonrpc.OwnReply(error=self.error_body_of(code, words))

    def refuse(self, link: Link, request_id: bytes, code: int, message: str, data: object = None) -> None:
        body = self.error_body_of(code, message, data)
        self.emit(do.Deliver(link.id, jsonrpc.failure(request_id, body), request_id, True))

    def identify(self, tenant: Tenant) -> None:
        """Update what follows from a Tenant's Links, its presence and the settings."""
        if not tenant.shared:
            if tenant.links:  # a modern host has none between its requests
                caller = next(iter(tenant.links.values())).caller
                tenant.identity, tenant.entry_name = caller.identity, caller.host_name
            claimed = tenant.entry_name or tenant.presence.who.name or UNKNOWN_HOST
            tenant.name = tenant.identity or self.policy.unproven_name(claimed)
            tenant.rule = self.policy.host(tenant.name) if self.policy.hosts else ANYTHING
        tenant.via, tenant.can = who_asks(tenant.rule, tenant.presence, self.refuses(tenant))

    def refuses(self, tenant: Tenant) -> bool:
        """True if the Desk asks in place of this host, because the host refuses Questions unseen."""
        return self.has_desk and tenant.rule.questions is _AUTO and tenant.name in self.unshown.refused

    def dated(self, question: Question, **changes: Any) -> Question:
        """Return the Question with its clock started, and other fields changed."""
        return dated(question, self.now + self.offset, self.settings.question_limit, **changes)

    def host_name(self, tenant: Tenant) -> str:
        """Return the host's name for the person: its entry's, or how it introduced itself."""
        return tenant.name or " or ".join(sorted({guest.name for guest in tenant.guests.values()}))

    def public(self, server: str, name: str) -> str:
        """Return the public name of a tool or prompt, for hosts and settings."""
        return self.spellings(server, name)[0]

    def spellings(self, server: str, name: str) -> tuple[str, ...]:
        """Return every name by which a rule may name a tool, its public name first."""
        known = self._names.get((server, name))
        if known is None:
            if len(self._names) > 10_000:  # names come from hosts: bounded
                self._names.clear()
            public = public_name(server, name, self.servers)
            known = self._names[server, name] = spellings(server, name, public)
        return known

    def ruling(self, server: str, tool: str, host: str = "") -> PolicyDecision:
        """Return the verdict on a call of this server's tool: of a rule, else of the server's preset."""
        found = self.policy.ruling(*self.spellings(server, tool), host=host)
        preset = self.policy.presets.get(server)
        if found.by_rule or preset is None:
            return found
        return PolicyDecision(preset.verdict(tool, hints(self.pins.summary(server, tool))))

    def apply(self, settings: SettingsChanged) -> None:
        """Put these settings in force."""
        self.settings = settings
        self.servers, self.policy = settings.servers, settings.policy
        self._names.clear()
        for tenant in self.tenants.values():
            self.identify(tenant)

    def memory_key(self, conn: UpstreamConnection, tenant: Tenant) -> MemoryKey:
        """Return under which key to remember what this server sends for this host."""
        spec, host = conn.spec, tenant.presence
        place = host.who.name if spec.builtin else spec.cwd  # a built-in server's lists depend on the name
        return memory_key(conn.identity, place, conn.dial, host)

    def remember(self, conn: UpstreamConnection, tenant: Tenant, method: str, items: bytes) -> None:
        """Remember a server's list for the next time it starts for such a host."""
        if self.memory.put(self.memory_key(conn, tenant), method, items) and not conn.spec.builtin:
            self.emit(do.SaveMemory())

    def has_requests(self, tenant: Tenant) -> bool:
        return any(request.tenant is tenant for request in self.open_requests.values())

    def requests_of(self, conn: UpstreamConnection) -> list[OpenRequest]:
        return [request for request in self.open_requests.values() if request.conn is conn]

    def links_of(self, tenant: Tenant) -> list[Link]:
        """Return the Links of a Tenant and of its guests."""
        return [link for user in tenant.users for link in user.links.values()]
