"""A small world in which anything may happen next, and what must be true in it after every step.

`World.step(number)` takes one of the steps that can be taken; a list of numbers is a whole history, which
Hypothesis makes shorter when it ends badly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bridge.core import events as ev
from bridge.core.exchange.state_machine import CONFIRM_KEY, State
from bridge.core.policy.host_patience import HostPatience
from bridge.core.policy.rules import HostRule, Policy, QuestionPlace, Verdict
from bridge.core.ports import ServerSpec
from bridge.core.protocol.revisions import TASKS_EXTENSION
from bridge.core.questions.question import CANCEL, DECLINE, Action, Answer, accept
from bridge.core.routing.exchange_runner import UNTIMED
from bridge.core.routing.state import Link, ListPart, OpenRequest, UpstreamConnection
from tests.core.fake_peers import LEGACY, MODERN, Host, Script, Upstream, Wire, script
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, URL, call, response, wants

ALL: dict[str, Any] = {"tools": {"listChanged": True}, "resources": {"subscribe": True}, "prompts": {}}
ABLE = {"roots": {}, "sampling": {}, **ELICIT}
LASTING: dict[str, Any] = {"extensions": {TASKS_EXTENSION: {}}}
POLICY = Policy(
    (("*_risky", Verdict.CONFIRM), ("*_secret", Verdict.DENY)), {"Shy": HostRule(QuestionPlace.DESKTOP)}
)
QUESTIONS: tuple[tuple[str, Any], ...] = (
    ("elicitation/create", FORM),
    ("elicitation/create", URL),
    ("elicitation/create", {"message": 5}),
    ("sampling/createMessage", {}),
    ("roots/list", None),
    ("acme/ask", {}),
)
ANSWERS = (accept({"name": "Ada"}), DECLINE, CANCEL, Answer(Action.ACCEPT, always=True))
RESULTS: tuple[Any, ...] = (
    {"tools": [{"name": "x"}]},
    {"tools": [], "nextCursor": "on"},
    {"protocolVersion": "2025-11-25", "capabilities": ALL},
    {"supportedVersions": ["2026-07-28"], "capabilities": ALL},
    wants(who=FORM),
    wants(who=FORM, login=URL),
    wants(it=("sampling/createMessage", {})),
    wants("later"),
    {"resultType": "task", "taskId": "t", "status": "working"},
    {"task": {"taskId": "t", "status": "working"}},
    {
        "taskId": "t",
        "status": "input_required",
        "inputRequests": {"who": {"method": "elicitation/create", "params": FORM}},
    },
    {"taskId": "t", "status": "completed", "result": {}},
    b'{"resultType":"input_required","inputRequests":5}',
    b"[]",
)
REQUESTS: tuple[tuple[str, Any], ...] = (
    ("tools/call", {"name": "x"}),
    ("tools/call", {"name": "x", "_meta": {"progressToken": "mine"}}),
    ("tools/call", {"name": "old_x"}),
    ("tools/call", {"name": "risky"}),
    ("tools/call", {"name": "new_risky"}),
    ("tools/call", {"name": "secret"}),
    ("tools/list", None),
    ("resources/read", {"uri": "a://b"}),
    ("acme/unknown", {}),
    ("ping", None),
    ("subscriptions/listen", {}),
    (
        "subscriptions/listen",
        {"notifications": {"toolsListChanged": True, "resourceSubscriptions": ["a://b"]}},
    ),
    ("resources/subscribe", {"uri": "a://b"}),
    ("server/discover", {}),
    ("tools/call", {"name": "old_x", "task": {}, "_meta": {"progressToken": "long"}}),
    ("tasks/get", {"taskId": "new:t"}),
    ("tasks/cancel", {"taskId": "new:t"}),
    ("tasks/result", {"taskId": "old:t"}),
    ("subscriptions/listen", {"notifications": {"taskIds": ["new:t", "t"]}}),
)
FAILURES = (
    b'{"id":%b}',
    b'{"id":%b,"error":{"code":1,"message":"no"}}',
    b'{"id":%b,"error":{"code":-32000,"message":"gone","data":{"status":404}}}',
    b'{"id":%b,"error":{"code":-32042,"data":{"elicitations":[{"url":"u","elicitationId":"e"}]}}}',
)
GARBAGE = (
    b"{",
    b"[1]",
    b"{}",
    b'{"id":1,"id":1}',
    b'{"method":"notifications/cancelled","params":5}',
)


class World:
    def __init__(self, has_desk: bool = True) -> None:
        scripts = (
            script("old", LEGACY, capabilities=ALL),
            script("new", MODERN, capabilities=ALL),
            Script(ServerSpec("both", url="https://example.org/mcp"), (LEGACY, MODERN), ALL),
            script("slow", mute=True),
            script("common", LEGACY, shared=True, capabilities=ALL),
        )
        self.wire = Wire(*scripts, policy=POLICY, limit=300.0, patience=HostPatience(), has_desk=has_desk)
        self.open: dict[int, set[bytes]] = {}
        self.hosts: list[Host] = []
        self.handed: list[tuple[Host, bytes, dict[str, Any]]] = []
        self.asked: list[tuple[Upstream, bytes]] = []
        self.shown: list[Any] = []
        self._count = 0

    @property
    def upstreams(self) -> list[Upstream]:
        return list(self.wire.conns.values())

    def step(self, number: int) -> None:
        """Take a step. Each remainder of the number picks among what there is."""

        def pick(things: Any) -> Any:
            nonlocal number
            number, place = divmod(number, len(things))
            return things[place]

        steps = [self._arrive, self._pass, self._edit, self._quiet, self._restart]
        steps += (
            [self._request] * 3 + [self._answer, self._return, self._leave, self._cancel, self._babble]
            if self.hosts
            else []
        )
        steps += [self._reply] * 3 + [self._ask] * 2 + [self._tell, self._die] if self.wire.conns else []
        steps += [self._person] * 2 if self.shown else []
        act: Callable[[Callable[[Any], Any]], None] = pick(steps)
        act(pick)
        self._listen()
        self.check()

    # --- what may happen -----------------------------------------------------------------------------

    def _arrive(self, pick: Callable[[Any], Any]) -> None:
        server = pick(["old", "new", "both", "", "slow", "common"])
        can = pick([{}, ELICIT, ELICIT_ALL, ABLE, LASTING])
        name = pick(["Claude", "Shy"])
        if pick([True, False]):
            host = self.wire.legacy_host(can, server, name)
        else:
            host = self.wire.modern_host(can, server, name, tenant=pick(["", "app"]))
        self.hosts.append(host)
        self.open[host.link] = set() if host.meta or b"1" in host.replies else {b"1"}

    def _request(self, pick: Callable[[Any], Any]) -> None:
        host = pick(self.hosts)
        arguments = [{"ticket": one.ticket} for one in self.wire.router.held.saved()]
        tickets = [("tools/call", {"name": "desk_wait", "arguments": one}) for one in arguments]
        method, params = pick([*REQUESTS, *tickets])
        self._send(host, method, params)

    def _send(self, host: Host, method: str, params: Any) -> None:
        self._count += 1
        request = b'"r%d"' % self._count
        self.open[host.link].add(request)
        host.requests(method, params, request)

    def _answer(self, pick: Callable[[Any], Any]) -> None:
        host = pick(self.hosts)
        if host.asked:
            question = pick(host.asked)
            host.heard.remove(question)
            if pick([True, True, False]):
                host.answers(question, {"action": "decline"})
            else:
                host.says(pick([b'{"id":%b}', b'{"id":%b,"error":{"code":1,"message":"no"}}']) % question.id)

    def _return(self, pick: Callable[[Any], Any]) -> None:
        if self.handed:
            host, request, params = pick(self.handed)
            result = host.replies[request].result
            given = pick([result["inputRequests"], result["inputRequests"], {}])
            answers = {key: {"action": "decline"} for key in given}
            back = pick([host, *self.hosts]) if host in self.hosts else pick(self.hosts)
            changes = pick([{}, {}, {}, {"name": "other"}])
            again = {**params, "requestState": result["requestState"], "inputResponses": answers, **changes}
            self._send(back, "tools/call", again)

    def _leave(self, pick: Callable[[Any], Any]) -> None:
        host = pick(self.hosts)
        self.hosts.remove(host)
        del self.open[host.link]
        host.leaves()

    def _cancel(self, pick: Callable[[Any], Any]) -> None:
        host = pick(self.hosts)
        if self.open[host.link]:
            request = pick(sorted(self.open[host.link]))
            host.cancels(request, pick(["", "Request timed out"]))
            self.open[host.link].discard(request)

    def _babble(self, pick: Callable[[Any], Any]) -> None:
        host = pick(self.hosts)
        data = pick(
            (
                *GARBAGE,
                response(b"99", {}),
                b'{"method":"notifications/x"}',
                b'{"method":"notifications/initialized"}',
            )
        )
        host.says(data)

    def _reply(self, pick: Callable[[Any], Any]) -> None:
        upstream = pick(self.upstreams)
        waiting = [message for message in upstream.heard if message.method and "id" in message.json]
        if waiting:
            message = pick(waiting)
            upstream.heard.remove(message)
            if pick([True, True, False]):
                upstream.replies(message, pick(({"ok": 1}, {"ok": 1}, *RESULTS)))
            else:
                upstream.says(pick(FAILURES) % message.id)

    def _ask(self, pick: Callable[[Any], Any]) -> None:
        upstream = pick(self.upstreams)
        self._count += 1
        request = b'"a%d"' % self._count
        method, params = pick(QUESTIONS)
        about = pick([b"", b"", *(message.id for message in upstream.calls)])
        self.asked.append((upstream, request))
        upstream.asks(request, params, method, about)

    def _tell(self, pick: Callable[[Any], Any]) -> None:
        upstream = pick(self.upstreams)
        mine = [request for server, request in self.asked if server is upstream]
        kind = pick(["progress", "withdraw", "changed", "garbage", "visited", "task"])
        if kind == "progress" and upstream.calls:
            upstream.notes(
                "notifications/progress", {"progressToken": int(pick(upstream.calls).id), "progress": 1}
            )
        elif kind == "withdraw" and mine:
            upstream.withdraws(pick(mine))
        elif kind == "visited":
            upstream.notes("notifications/elicitation/complete", {"elicitationId": "e"})
        elif kind == "task":
            upstream.notes("notifications/tasks", pick(RESULTS[-4:-2]))
        elif kind == "changed":
            upstream.notes("notifications/tools/list_changed")
        else:
            upstream.says(pick((*GARBAGE, response(b"99", {}), call(b"1", "ping"))))

    def _die(self, pick: Callable[[Any], Any]) -> None:
        pick(self.upstreams).dies()

    def _person(self, pick: Callable[[Any], Any]) -> None:
        question = pick(self.shown)
        self.wire.person(pick(ANSWERS), question)

    def _restart(self, pick: Callable[[Any], Any]) -> None:
        self.wire.feed(ev.RestartWanted(pick(["old", "new", "both", "slow", "common"]), pick([True, False])))

    def _edit(self, pick: Callable[[Any], Any]) -> None:
        """The person changes the settings of a server."""
        self._count += 1
        servers = dict(self.wire.state.servers)
        name = pick(list(servers))
        servers[name] = replace(servers[name], args=(str(self._count),))
        self.wire.edits(servers)

    def _quiet(self, pick: Callable[[Any], Any]) -> None:
        """The person snoozes, is back, mutes a server, or undoes it."""
        server, soon = pick(list(self.wire.state.servers)), self.wire.state.epoch + 30.0
        runner = [ev.Snoozed(soon), ev.Resumed(), ev.Muted(server, soon), ev.Unmuted(server)]
        self.wire.feed(pick(runner))

    def _pass(self, pick: Callable[[Any], Any]) -> None:
        self.wire.passes(pick([1.0, 11.0, 21.0, 121.0, 301.0]))

    # --- what the story remembers --------------------------------------------------------------------

    def _listen(self) -> None:
        self.shown = list(self.wire.shown.values())
        for host in self.hosts:
            for request in list(self.open[host.link]):
                reply = host.replies.get(request)
                if reply is None:
                    continue
                self.open[host.link].discard(request)
                result = reply.json.get("result")
                if isinstance(result, dict) and str(result.get("requestState", "")).startswith("deskbell:"):
                    self.handed.append((host, request, {"name": "x"}))

    # --- what must be true ---------------------------------------------------------------------------

    def check(self) -> None:
        state = self.wire.state
        for open_request in state.open_requests.values():
            check_errand(self.wire, open_request)
        for conn in state.conns.values():
            check_conn(self.wire, conn)
        for host in self.hosts:
            link = state.links[host.link]
            assert set(link.requests) == self.open[host.link], "a request is forgotten, or known without need"
            check_link(self.wire, link)

    def ends(self) -> None:
        """Everybody leaves."""
        for host in self.hosts:
            host.leaves()
        self.hosts = []
        for _ in range(5):  # a snooze ends, then a question, its call, its host, and a shared connection
            self.wire.passes(400.0)
        assert self.wire.nothing_left()


def check_errand(wire: Wire, open_request: OpenRequest) -> None:
    state, exchange, life = wire.state, open_request.exchange, open_request.exchange.state
    assert life not in (State.NEW, State.DONE)
    assert state.conns.get(open_request.conn.id) is open_request.conn or life is State.AWAY
    returns = life in (State.AWAY, State.CONFIRMING_AWAY)
    away = returns or not exchange.attended
    assert (open_request.link is None) is away or not exchange.request
    if open_request.link is not None:
        assert state.links[open_request.link.id] is open_request.link
        assert open_request.link.open_requests[open_request.id] is open_request
    timed = returns or (life is State.CALLING and open_request.method not in UNTIMED)
    assert bool(open_request.deadline) is timed
    assert bool(exchange.open) or life is not State.ASKING
    desk_or_host = set(open_request.shown) | set(open_request.relayed)
    assert desk_or_host <= {*exchange.open, CONFIRM_KEY}
    alive = open_request.conn.id in state.conns
    for key, server_id in open_request.server_ids.items() if alive else ():
        assert key in {**exchange.open, **exchange.held}
        assert open_request.conn.asked[server_id] == (open_request, key)


def check_conn(wire: Wire, conn: UpstreamConnection) -> None:
    state = wire.state
    assert conn in wire.router.connections.retired.conns or conn.tenant.conns[conn.spec.name] is conn
    for one in (*conn.pending.values(), *conn.backlog):
        if isinstance(one, OpenRequest):
            assert state.open_requests[one.id] is one
        elif isinstance(one, ListPart):
            gather = one.merged_list
            assert gather in wire.router.lists.incomplete
    for open_request, key in conn.asked.values():
        assert state.open_requests[open_request.id] is open_request
        assert key in open_request.server_ids


def check_link(wire: Wire, link: Link) -> None:
    state = wire.state
    assert all(
        state.open_requests[open_request.id] is open_request for open_request in link.open_requests.values()
    )
    for open_request, key in link.relayed.values():
        assert state.open_requests[open_request.id] is open_request
        assert key in open_request.exchange.open
        assert key in open_request.relayed
