"""The Router: which part of the core an event concerns. Pure: Events in, Commands out.

The life of a request is in exchange.py, the words of each era in core/protocol, what hosts say in
from_hosts.py, what servers say in from_servers.py, server_requests.py and notifications.py, what an Exchange
wishes in exchange_runner.py, who hears of changes in subscriptions.py, many servers in merged_server.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.policy.rules import Policy
from bridge.core.policy.tool_pins import Pins
from bridge.core.ports import ServerSpec
from bridge.core.protocol.handshake import unanswered
from bridge.core.protocol.jsonrpc import INTERNAL_ERROR, UNANSWERED, Made, error_body
from bridge.core.protocol.request_state import Tickets
from bridge.core.protocol.translate import said_no
from bridge.core.questions.question import CANCEL, EXPIRED, Action, Answer, Mode, Question
from bridge.core.routing import question_history
from bridge.core.routing.clock_changes import ClockChanges
from bridge.core.routing.exchange import State
from bridge.core.routing.exchange_runner import CONFIRM_KEY, ExchangeRunner
from bridge.core.routing.from_hosts import FromHosts
from bridge.core.routing.from_servers import FromServers
from bridge.core.routing.reload import Reload
from bridge.core.routing.running_calls import RunningCalls
from bridge.core.routing.sign_in_state import SignInState
from bridge.core.routing.snooze import Snooze, turned_away
from bridge.core.routing.state import Link, OpenRequest, RoutingState, Tenant
from bridge.core.routing.unanswered import left_alone

ALLOWED = Answer(Action.ACCEPT)
IDLE_PARTY = 300.0  # seconds after which a stateless host's connections are closed


class Router:
    def __init__(
        self,
        servers: Mapping[str, ServerSpec],
        policy: Policy,
        ticket_key: bytes,
        question_limit: float = 300.0,
        remembered: Mapping[tuple[str, str], bytes] | None = None,
        met: Iterable[str] = (),
        pinned: Mapping[tuple[str, str], bytes] | None = None,
    ) -> None:
        tickets = Tickets(ticket_key)
        self.state = RoutingState(servers, policy, question_limit)
        self.state.remembered.update(remembered or {})
        self.state.met.update(met)
        self.state.pins = Pins(self.state.remembered, pinned)
        self.runner = ExchangeRunner(self.state, tickets)
        self.upstreams = FromServers(self.state, self.runner)
        self.hosts = FromHosts(self.state, self.runner, self.upstreams, tickets)
        self.reload = Reload(
            self.state, self.runner, self.upstreams.merged_server, self.upstreams.auto_restart
        )
        self.quiet = Snooze(self.state, self._settle)
        self.sign_ins = SignInState(self.state, self.runner)
        self.running_calls = RunningCalls(self.state, self.runner)
        self.sleeps = ClockChanges(self.state)
        self._table: dict[type, Callable[[Any], None]] = {
            ev.HostSent: self.hosts.sent,
            ev.UpstreamSent: self.upstreams.sent,
            ev.LinkOpened: self._link_opened,
            ev.LinkClosed: self._link_closed,
            ev.UpstreamUnreached: self.upstreams.unreached,
            ev.UpstreamEnded: self.upstreams.ended,
            ev.PersonAnswered: self._person_answered,
            ev.Snoozed: self.quiet.snoozed,
            ev.Resumed: self.quiet.resumed,
            ev.Muted: self.quiet.muted,
            ev.Unmuted: self.quiet.unmuted,
            ev.Spared: self.quiet.spared,
            ev.DeskbellAsked: self._deskbell_asked,
            ev.DeskbellWithdrew: self._deskbell_withdrew,
            ev.SignInChanged: self.sign_ins.changed,
            ev.SecretsAwaited: self.sign_ins.secrets_awaited,
            ev.CallCancelled: self.running_calls.cancelled,
            ev.RestartWanted: self.reload.restart,
            ev.ServerRenamed: self.reload.renamed,
            ev.TimePassed: self._time_passed,
            ev.ClockRead: self.sleeps.clock_read,
            ev.SettingsChanged: self.reload.changed,
            ev.QuitRequested: self._quit,
        }

    def feed(self, event: ev.Event) -> list[do.Command]:
        out: list[do.Command] = []
        self.state.out = out
        self._table[type(event)](event)
        while self.state.turned_away:
            self._conclude(*self.state.turned_away.pop(0))
        if self.state.leaving:
            self.reload.let_go()
        return out

    @property
    def pace(self) -> float:
        """In how many seconds TimePassed is wanted; 0 when nothing waits for it."""
        state = self.state
        under_way = state.open_requests or state.gathers or state.auto_restart or state.desk.waiting()
        if under_way or any(conn.introduction is None for conn in state.conns.values()):
            return 1.0
        idle = 60.0 if any(not tenant.private for tenant in state.tenants.values()) else 0.0
        return self.quiet.pace or idle

    # --- Links ---------------------------------------------------------------------------------------

    def _link_opened(self, event: ev.LinkOpened) -> None:
        state = self.state
        key = event.caller.tenant or f"link:{event.link}"
        tenant = state.tenants.get(key)
        if tenant is None:
            tenant = state.tenants[key] = Tenant(key, private=not event.caller.tenant)
        state.links[event.link] = tenant.links[event.link] = Link(event.link, event.caller, tenant)

    def _link_closed(self, event: ev.LinkClosed) -> None:
        link = self.state.links.pop(event.link, None)
        if link is None:
            return
        if event.why:
            self.state.complain_of(link, "hung up", event.why)
        link.asked.clear()  # nothing can be said to it any more
        for request in list(link.open_requests.values()):
            self.runner.advance(request, ev.HostLeft())
        for gather in list(link.gathers):
            self.upstreams.merged_server.lists.left(gather)
        self.runner.subscriptions.end_all(link)
        del link.tenant.links[link.id]
        if link.tenant.private:
            self._close_party(link.tenant)

    def _close_party(self, tenant: Tenant) -> None:
        for request in [e for e in self.state.open_requests.values() if e.tenant is tenant]:
            self.runner.advance(request, ev.HostLeft())
        for conn in [conn for conn in self.state.conns.values() if conn.tenant is tenant]:
            self.state.drop(conn)
            self.state.emit(do.Disconnect(conn.id))
        for conn in self.state.conns.values():
            if conn.tenant.guests.pop(tenant.key, None) is not None:  # it shared this one
                conn.tenant.used = self.state.now
                conn.live = {task: owner for task, owner in conn.live.items() if owner != tenant.key}
                self.runner.subscriptions.leave(conn, tenant)
        self.state.backoff.forget(tenant.key)
        if tenant.private:  # a stateless one may come back for its tasks
            self.state.owners.forget(tenant.key)
        self.state.tenants.pop(tenant.key, None)  # that of a shared connection went with it

    # --- the person ----------------------------------------------------------------------------------

    def _deskbell_asked(self, event: ev.DeskbellAsked) -> None:
        question = self.state.dated(event.question)
        away = turned_away(self.state, question)
        if away is not None:
            self._tell_deskbell(question, *away)
            return
        self.state.emit(do.Show(self.state.desk.put(question, None)))

    def _tell_deskbell(self, question: Question, answer: Answer, outcome: str) -> None:
        """What the person typed is not for the history."""
        state = self.state
        state.left(question)
        state.emit(question_history.line(question, outcome, state.epoch - question.asked_at))
        state.emit(do.Heard(question.id, answer))

    def _deskbell_withdrew(self, event: ev.DeskbellWithdrew) -> None:
        self._settle(event.question, CANCEL, "withdrawn")

    def _person_answered(self, event: ev.PersonAnswered) -> None:
        visitor = self.runner.end_visit(event.question)
        if visitor is None:
            answer = event.answer
            self._settle(event.question, answer, answer.unanswered or answer.action.value)
        elif event.answer.action is Action.CANCEL:
            self._call_off(visitor)

    def _call_off(self, request: OpenRequest) -> None:
        """The person went to a page, and does not want to go on."""
        text = f"The person cancelled this on the page {request.conn.spec.name} had sent them to."
        body = Made(error=error_body(INTERNAL_ERROR, text))
        self.runner.advance(
            request,
            ev.TimedOut(said_no(text, request.presence.era) if request.method == "tools/call" else body),
        )

    def _settle(self, question_id: str, answer: Answer, outcome: str) -> None:
        """A Question leaves the Desk with this Answer. One that is not there was answered before."""
        state = self.state
        found = state.desk.take(question_id)
        if found is None:
            return
        question, asker = found
        state.emit(do.TakeBack(question.id))
        if asker is None:
            self._tell_deskbell(question, answer, outcome)
            return
        request, key = asker
        request.shown.pop(key, None)
        if question.first and outcome in (Action.ACCEPT, Action.DECLINE):
            self._meet(request.conn.spec)
        if answer.action is Action.ACCEPT:
            state.floods.welcomed(question.server)
        state.left(question)
        self._conclude(question, request, key, answer, outcome)

    def _conclude(
        self, question: Question, request: OpenRequest, key: str, answer: Answer, outcome: str
    ) -> None:
        """A Question ends with this Answer."""
        state = self.state
        told = question_history.line(question, outcome, state.epoch - question.asked_at, answer)
        state.recall(told, request)
        end = left_alone(state, request, question, answer)
        if end is not None:
            self.runner.advance(request, end)
            return
        if question.mode is not Mode.CONFIRM:
            self.runner.advance(request, ev.Answered(key, Made(answer.result(why=request.conn.spec.builtin))))
            if (
                question.mode is Mode.URL
                and answer.action is Action.ACCEPT
                and request.id in state.open_requests
            ):
                state.visits.begin(question, request, state.now + state.question_limit)
            return
        self.runner.advance(request, ev.Confirmed(answer))
        if answer.always and answer.action is Action.ACCEPT:
            spec = request.conn.spec
            if not spec.builtin and state.pins.approve(spec.name, request.name):
                state.emit(do.Pin())
            if not question.change:
                state.emit(do.AllowAlways(request.public, request.table, question.host))
            same = [one for one in state.open_requests.values() if (one.public, one.table) == key_of(request)]
            for waiting in [one.shown[CONFIRM_KEY] for one in same if CONFIRM_KEY in one.shown]:
                self._settle(waiting, ALLOWED, ALLOWED.action.value)

    def _meet(self, spec: ServerSpec) -> None:
        if spec.identity not in self.state.met:
            self.state.met.add(spec.identity)
            self.state.emit(do.Meet(spec.identity))

    # --- time ----------------------------------------------------------------------------------------

    def _time_passed(self, event: ev.TimePassed) -> None:
        state = self.state
        self.quiet.time_passed()
        for question_id in state.desk.expired(state.epoch):
            self._settle(question_id, EXPIRED, EXPIRED.unanswered)
        for question_id in state.visits.expired(state.now):
            self.runner.end_visit(question_id)
        for request in [one for one in state.open_requests.values() if one.relayed]:
            self.runner.expire(request)
        for request in list(state.open_requests.values()):
            busy = (
                kept_waiting(request)
                or state.visits.of(request)
                or state.awaits_person(request.conn.spec.name)
            )
            if request.deadline and request.deadline <= state.now and not busy:
                self._run_out(request)
        self.running_calls.note()
        self.upstreams.hurry()
        self.upstreams.auto_restart.due()
        for gather in [g for g in state.gathers if g.deadline <= state.now]:
            self.upstreams.merged_server.lists.serve(gather)
        for tenant in list(state.tenants.values()):
            alone = not tenant.private and not tenant.links and not tenant.guests
            if alone and tenant.used + IDLE_PARTY <= state.now:
                self._close_idle(tenant)

    def _close_idle(self, tenant: Tenant) -> None:
        if not any(request.tenant is tenant for request in self.state.open_requests.values()):
            self._close_party(tenant)

    def _run_out(self, request: OpenRequest) -> None:
        server = request.conn.spec
        words = unanswered(server.name, server.timeout)
        self.runner.advance(request, ev.TimedOut(Made(error=self.state.sorry(UNANSWERED, words))))

    # --- the end -------------------------------------------------------------------------------------

    def _quit(self, event: ev.QuitRequested) -> None:
        state = self.state
        for question in state.desk.waiting():
            if question.mode is not Mode.CONFIRM:  # an approval goes with its call
                self._settle(question.id, CANCEL, CANCEL.action.value)
        self.runner.subscriptions.close()
        closing = Made(error=error_body(INTERNAL_ERROR, "Deskbell is closing."))
        for request in list(state.open_requests.values()):
            self.runner.advance(request, ev.TimedOut(closing))
        for gather in list(state.gathers):
            self.upstreams.merged_server.lists.serve(gather)
        for conn in list(state.conns.values()):
            state.drop(conn)
            state.emit(do.Disconnect(conn.id))
        for link in state.links:
            state.emit(do.HangUp(link))


def key_of(request: OpenRequest) -> tuple[str, str]:
    """Which approvals are the same: of one tool, by the rules of one table."""
    return request.public, request.table


def kept_waiting(request: OpenRequest) -> bool:
    """Does its server wait for a person? It does not say for which of its calls: none of them runs out, save
    those of other hosts where it is known whose it is."""
    asking = (asker.tenant for asker, _ in request.conn.asked.values())
    return request.exchange.state is State.CALLING and any(
        tenant in (request.tenant, request.conn.tenant) for tenant in asking
    )
