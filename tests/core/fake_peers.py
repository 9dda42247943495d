"""Hosts and servers in memory, around a Router: what each says and hears, and a clock that is set by hand.

The machinery watches while a story runs: every message is JSON without repeated keys, nothing is said to
those who left, no request gets two replies, and the Desk holds just what was shown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.policy.host_patience import HostPatience, Patience
from bridge.core.policy.rules import Policy
from bridge.core.ports import Caller, HeldCall, ServerSpec
from bridge.core.protocol.revisions import CAPABILITIES_KEY, INFO_KEY, MODERN_REVISION, VERSION_KEY
from bridge.core.questions.question import Answer, Question
from bridge.core.routing.connections.connection_limits import MOST_IN_ALL
from bridge.core.routing.router import Router
from bridge.core.sampling.rules import USUAL_RULES, SamplingRules
from tests.core.wire_messages import Message, call, failure, note, raw, response, strict

KEY = b"k" * 32
EPOCH = 1_700_000_000.0
LEGACY, MODERN = "legacy", "modern"
PATIENT = HostPatience(unknown=Patience(inf))  # hosts that nothing is known of do not give up
NO_SUCH_METHOD = {"code": -32601, "message": "Method not found"}


@dataclass
class Script:
    """A server: how it introduces itself, and what it answers by itself. All else waits for the story."""

    spec: ServerSpec
    eras: tuple[str, ...] = (LEGACY,)
    capabilities: dict[str, Any] = field(default_factory=lambda: {"tools": {}})
    answers: dict[str, Any] = field(default_factory=dict)
    revision: str = "2025-11-25"
    mute: bool = False

    def reply(self, message: Message) -> bytes | None:
        """Its answer to `message`, if it has one of its own."""
        if self.mute or "id" not in message.json or not message.method:
            return None
        era = {"initialize": LEGACY, "server/discover": MODERN}.get(message.method)
        if era is not None:
            return self._introduction(message, era)
        answer = self.answers.get(message.method)
        return (
            None if answer is None else response(message.id, answer(message) if callable(answer) else answer)
        )

    def _introduction(self, message: Message, era: str) -> bytes:
        if era not in self.eras:
            return failure(message.id, NO_SUCH_METHOD)
        info = {"name": self.spec.name + "-server", "version": "1"}
        if era == LEGACY:
            return response(
                message.id,
                {"protocolVersion": self.revision, "capabilities": self.capabilities, "serverInfo": info},
            )
        return response(
            message.id,
            {
                "resultType": "complete",
                "supportedVersions": [MODERN_REVISION],
                "capabilities": self.capabilities,
                "_meta": {"io.modelcontextprotocol/serverInfo": info},
            },
        )


def script(
    name: str = "files",
    *eras: str,
    timeout: float = 120.0,
    enabled: bool = True,
    shared: bool = False,
    sampling: str = "auto",
    era: str = "",
    **more: Any,
) -> Script:
    spec = ServerSpec(
        name,
        command=name,
        timeout=timeout,
        enabled=enabled,
        shared=shared,
        sampling=sampling,
        era=era,
    )
    return Script(spec, eras or (LEGACY,), **more)


class Peer:
    """Whoever hears messages in order."""

    def __init__(self) -> None:
        self.heard: list[Message] = []

    def last(self) -> Message:
        return self.heard[-1]

    def new(self) -> list[Message]:
        """What was heard since the story last looked."""
        fresh, self.heard = self.heard, []
        return fresh

    def only(self) -> Message:
        (message,) = self.new()
        return message


class Host(Peer):
    """An AI application. `meta` makes its requests modern."""

    def __init__(self, wire: Wire, link: int, caller: Caller, meta: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.wire = wire
        self.link = link
        self.caller = caller
        self.meta = meta
        self.replies: dict[bytes, Message] = {}
        self._ids = 0

    def says(self, data: bytes) -> None:
        self.wire.feed(ev.HostSent(self.link, data))

    def requests(self, method: str, params: Any = None, request_id: bytes = b"") -> bytes:
        """Send a request; its id."""
        if not request_id:
            self._ids += 1
            request_id = b"%d" % self._ids
        if self.meta is not None and not isinstance(params, bytes):
            params = {**(params or {})}
            params["_meta"] = {**params.get("_meta", {}), **self.meta}
        self.replies.pop(request_id, None)
        self.says(call(request_id, method, params))
        return request_id

    def calls(self, tool: str = "ask", request_id: bytes = b"", **params: Any) -> bytes:
        return self.requests("tools/call", {"name": tool, **params}, request_id)

    def returns(self, request: bytes, **params: Any) -> bytes:
        """Retry a request that was handed back, under a new id."""
        state = self.replies[request].result["requestState"]
        return self.calls(requestState=state, **{"tool": "ask", **params})

    def answers(self, question: Message, result: Any) -> None:
        self.says(response(question.id, result))

    def fails(self, question: Message, error: Any) -> None:
        self.says(failure(question.id, error))

    def notes(self, method: str, params: Any = None) -> None:
        self.says(note(method, params))

    def cancels(self, request: bytes, reason: Any = "") -> None:
        told = b',"reason":' + raw(reason) if reason else b""
        self.notes("notifications/cancelled", b'{"requestId":' + request + told + b"}")

    def leaves(self) -> None:
        self.wire.feed(ev.LinkClosed(self.link))

    @property
    def asked(self) -> list[Message]:
        """The requests it was sent."""
        return [message for message in self.heard if message.method and "id" in message.json]


class Upstream(Peer):
    """One connection to a scripted server."""

    def __init__(self, wire: Wire, conn: int, plot: Script) -> None:
        super().__init__()
        self.wire = wire
        self.conn = conn
        self.plot = plot
        self.open = True

    def says(self, data: bytes, about: bytes = b"") -> None:
        self.wire.feed(ev.UpstreamSent(self.conn, data, about))

    def replies(self, message: Message, result: Any) -> None:
        self.says(response(message.id, result))

    def fails(self, message: Message, error: Any) -> None:
        self.says(failure(message.id, error))

    def misses(self, message: Message, words: str, status: int = 0) -> None:
        """It is over HTTP, and did not take this."""
        self.wire.feed(ev.UpstreamUnreached(self.conn, message.id, words, status))

    def asks(
        self, request_id: bytes, params: Any = None, method: str = "elicitation/create", about: bytes = b""
    ) -> None:
        self.says(call(request_id, method, params), about)

    def notes(self, method: str, params: Any = None, about: bytes = b"") -> None:
        self.says(note(method, params), about)

    def withdraws(self, request_id: bytes) -> None:
        self.notes("notifications/cancelled", b'{"requestId":' + request_id + b"}")

    def dies(self, reason: str = "it crashed") -> None:
        self.open = False
        self.wire.feed(ev.UpstreamEnded(self.conn, reason))

    @property
    def calls(self) -> list[Message]:
        """The requests it was sent, without introductions."""
        hello = ("initialize", "server/discover")
        return [m for m in self.heard if m.method and "id" in m.json and m.method not in hello]


class Wire:
    def __init__(
        self,
        *plots: Script,
        policy: Policy | None = None,
        limit: float = 300.0,
        has_desk: bool = True,
        patience: HostPatience = PATIENT,
        most_connections: int = MOST_IN_ALL,
    ) -> None:
        self.plots = {plot.spec.name: plot for plot in plots}
        servers = {name: plot.spec for name, plot in self.plots.items()}
        self.router = Router(
            servers,
            policy or Policy(),
            KEY,
            limit,
            has_desk=has_desk,
            patience=patience,
            most_connections=most_connections,
        )
        self.state = self.router.state
        self.questions = self.router.questions
        self.state.offset = EPOCH
        self.hosts: dict[int, Host] = {}
        self.conns: dict[int, Upstream] = {}
        self.upstreams: dict[str, Upstream] = {}
        self.records: list[do.Record] = []
        self.begun: list[do.RecordStart] = []
        self.commands: list[do.Command] = []
        self.allowed: list[str] = []
        self.pinned: list[dict[tuple[str, str], bytes]] = []
        self.memories: list[do.SaveList] = []
        self.saved_memories: list[do.SaveMemory] = []
        self.hung_up: list[int] = []
        self.samples: list[do.AskModel] = []  # requests to models
        self.stopped: list[str] = []  # requests to models that nobody waits for any more
        self.met: list[str] = []
        self.saved: list[tuple[HeldCall, ...]] = []
        self.slow_disk = False  # it takes something when a test calls `written`
        self.unwritten: deque[tuple[tuple[HeldCall, ...], str]] = deque()
        self.roused: list[int] = []
        self.refusals: list[dict[str, float]] = []
        self.failures: list[dict[str, str]] = []
        self.left: list[str] = []  # Questions whose pages are not needed any more
        self.shown: dict[str, Question] = {}
        self.strict = True
        self.watching = True
        self._todo: deque[ev.Event] = deque()
        self._links = 0
        self._do: dict[type, Callable[[Any], None]] = {
            do.Deliver: self._deliver,
            do.Send: self._send,
            do.Connect: self._connect,
            do.Disconnect: self._disconnect,
            do.Show: self._show,
            do.TakeBack: self._take_back,
            do.EndVisit: lambda command: self.left.append(command.question),
            do.ReturnAnswer: lambda command: None,
            do.Record: self.records.append,
            do.RecordStart: self.begun.append,
            do.AllowAlways: lambda command: self.allowed.append(command.pattern),
            do.SavePins: lambda command: self.pinned.append(dict(self.state.pins.pinned)),
            do.HangUp: lambda command: self.hung_up.append(command.link),
            do.SaveList: self.memories.append,
            do.SaveMemory: self.saved_memories.append,
            do.SaveRefusals: lambda command: self.refusals.append(dict(self.state.unshown.refused)),
            do.SaveFailures: lambda command: self.failures.append(dict(self.router.connections.failures)),
            do.SaveAnswered: lambda command: self.met.append(command.identity),
            do.SaveHeldCalls: self._save_held_calls,
            do.SavePatience: lambda command: None,
            do.AskModel: self.samples.append,
            do.StopSample: lambda command: self.stopped.append(command.id),
            do.AllowSampling: lambda command: self.allowed.append(command.server),
            do.SaveUsage: lambda command: None,
            do.CheckConnection: lambda command: self.roused.append(command.conn),
        }

    # --- those who take part -----------------------------------------------------------------------------

    def stranger(self, server: str = "files", wire: str = "stdio", **caller: Any) -> Host:
        """A host that has said nothing yet."""
        self._links += 1
        who = Caller(wire, server="" if "wrap" in caller else server, **caller)
        host = self.hosts[self._links] = Host(self, self._links, who)
        self.feed(ev.LinkOpened(self._links, who))
        return host

    def legacy_host(
        self,
        can: Mapping[str, Any] | None = None,
        server: str = "files",
        name: str = "Old Host",
        revision: str = "2025-11-25",
        **caller: Any,
    ) -> Host:
        """A host that has introduced itself by `initialize`."""
        host = self.stranger(server, **caller)
        hello = {
            "protocolVersion": revision,
            "capabilities": can or {},
            "clientInfo": {"name": name, "version": "1"},
        }
        request = host.requests("initialize", hello)
        if request in host.replies and "result" in host.replies[request].json:
            host.notes("notifications/initialized")
        return host

    def modern_host(
        self,
        can: Mapping[str, Any] | None = None,
        server: str = "files",
        name: str = "New Host",
        **caller: Any,
    ) -> Host:
        """A host that introduces itself with every request."""
        host = self.stranger(server, **caller)
        info = {"name": name, "version": "2"}
        host.meta = {VERSION_KEY: MODERN_REVISION, CAPABILITIES_KEY: can or {}, INFO_KEY: info}
        return host

    # --- the person and the clock ------------------------------------------------------------------------

    @property
    def desk(self) -> list[Question]:
        return list(self.questions.desk.waiting())

    def question(self) -> Question:
        (question,) = self.desk
        return question

    def person(self, answer: Answer, question: Question | None = None) -> None:
        self.feed(ev.PersonAnswered((question or self.question()).id, answer))

    def passes(self, seconds: float) -> None:
        self.state.now += seconds
        self.feed(ev.TimePassed())

    def sleeps(self, seconds: float) -> None:
        """The machine; all clocks but the time of day stand still."""
        self.feed(ev.ClockRead(self.state.offset + seconds))

    def edits(
        self,
        servers: Mapping[str, ServerSpec],
        policy: Policy | None = None,
        sampling: SamplingRules = USUAL_RULES,
    ) -> None:
        """The person changes the settings."""
        state = self.state
        policy = policy or state.policy
        self.feed(ev.SettingsChanged(servers, policy, state.question_limit, sampling=sampling))

    def model_says(self, result: Any, tokens: tuple[int, int] = (7, 3)) -> None:
        """The last model that was asked answers."""
        sample = self.samples[-1]
        self.feed(ev.ModelUsed(sample.id, sample.server, *tokens))
        self.feed(ev.Sampled(sample.id, raw(result)))

    def written(self) -> None:
        """A slow disk has taken what it was given first."""
        if self.unwritten:
            self._written(*self.unwritten.popleft())
            self.feed(ev.TimePassed())

    def _written(self, calls: tuple[HeldCall, ...], ticket: str) -> None:
        self.saved.append(calls)
        if ticket:
            self._todo.append(ev.HeldCallSaved(ticket))

    def _save_held_calls(self, command: do.SaveHeldCalls) -> None:
        job = (self.router.held.saved(), command.ticket)
        if self.slow_disk:
            self.unwritten.append(job)
        else:
            self._written(*job)

    def quits(self) -> None:
        self.feed(ev.QuitRequested())

    # --- the machinery -----------------------------------------------------------------------------------

    def feed(self, event: ev.Event) -> None:
        self._todo.append(event)
        while self._todo:
            event = self._todo.popleft()
            if isinstance(event, ev.LinkClosed):
                self.hosts.pop(event.link, None)
            elif isinstance(event, ev.UpstreamEnded):
                self.conns.pop(event.conn, None)
            for command in self.router.feed(event):
                self.commands.append(command)
                self._do[type(command)](command)
            if self.watching:
                self.check()

    def check(self) -> None:
        """The laws that hold after every event."""
        assert set(self.shown) == {question.id for question in self.desk}
        for question, asker in self.questions.desk._waiting.values():
            assert question.ours == (asker is None)
            if asker is None:
                continue
            open_request, key = asker
            assert self.state.open_requests.get(open_request.id) is open_request, (
                "a Question waits for an errand that is done"
            )
            assert key in open_request.shown
        for open_request in (visit.caller for visit in self.questions.visits.open.values()):
            assert self.state.open_requests.get(open_request.id) is open_request, (
                "a page is open for an errand that is done"
            )

    def _deliver(self, command: do.Deliver) -> None:
        host = self.hosts.get(command.link)
        assert host is not None, f"said to a host that left: {command.data!r}"
        message = Message(command.data, command.about, command.final)
        strict(command.data)
        if command.final:
            assert command.about not in host.replies, f"a second reply: {command.data!r}"
            host.replies[command.about] = message
            if host.meta is not None and b'"isError":true' in command.data:
                assert "resultType" in message.result, f"not for a modern host: {command.data!r}"
        host.heard.append(message)

    def _send(self, command: do.Send) -> None:
        upstream = self.conns.get(command.conn)
        assert upstream is not None, f"said to a server that is gone: {command.data!r}"
        message = Message(command.data)
        if self.strict:
            strict(command.data)
        upstream.heard.append(message)
        reply = upstream.plot.reply(message)
        if reply is not None:
            self._todo.append(ev.UpstreamSent(command.conn, reply))

    def _connect(self, command: do.Connect) -> None:
        plot = self.plots.get(command.spec.name) or Script(command.spec)
        self.conns[command.conn] = self.upstreams[command.spec.name] = Upstream(self, command.conn, plot)

    def _disconnect(self, command: do.Disconnect) -> None:
        self.conns.pop(command.conn).open = False

    def _show(self, command: do.Show) -> None:
        assert command.question.id not in self.shown
        self.shown[command.question.id] = command.question

    def _take_back(self, command: do.TakeBack) -> None:
        del self.shown[command.question]

    def nothing_left(self) -> bool:
        """Is nobody remembered, and nothing under way?"""
        state = self.state
        left = (
            state.links,
            state.tenants,
            state.conns,
            state.open_requests,
            self.router.lists.incomplete,
            self.router.subscriptions.open,
            self.questions.desk.waiting(),
            self.conns,
        )
        return not any(left)
