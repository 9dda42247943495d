"""The Router: passes each event to the part of the core it concerns. Pure: Events in, Commands out.

Rule 1: each part owns its fields. The Router creates the parts, routes events by a table, and tells every
part of time, closed Links and changed settings in a loop; it never writes a part's fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.policy.host_patience import HostPatience
from bridge.core.policy.rules import Policy
from bridge.core.ports import ServerSpec
from bridge.core.protocol.request_state import Tickets
from bridge.core.routing.asking.snooze import Snooze
from bridge.core.routing.asking.task_questions import TaskQuestions
from bridge.core.routing.clock_changes import ClockChanges
from bridge.core.routing.connections.connection_limits import MOST_IN_ALL
from bridge.core.routing.connections.connections import Connections
from bridge.core.routing.connections.sign_in_state import SignInState
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.from_hosts import FromHosts
from bridge.core.routing.from_servers import FromServers
from bridge.core.routing.held.held_calls import HeldCalls
from bridge.core.routing.held.keep_alive import KeepAlive
from bridge.core.routing.lists.merged_lists import MergedLists
from bridge.core.routing.lists.merged_server import MergedServer
from bridge.core.routing.reload import SettingsReload
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.running_calls import CallsInFlight
from bridge.core.routing.server_memory import Memory
from bridge.core.routing.shared_servers import SharedServers
from bridge.core.routing.state import Link, RoutingState, Tenant
from bridge.core.routing.subscriptions.subscriptions import Subscriptions
from bridge.core.routing.task_owners import TaskOwners

SOON = 0.45  # seconds: hosts that wait for a server to start leave after 2 (PATIENCE of merged_lists)
MOST_TENANTS = 500  # hosts without session
IDLE_TENANT = 300.0  # seconds after which a stateless host's connections are closed


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
        refused: Mapping[str, float] | None = None,
        has_desk: bool = True,
        patience: HostPatience | None = None,
        memory: Memory | None = None,
        most_connections: int = MOST_IN_ALL,
    ) -> None:
        tickets = Tickets(ticket_key)
        self.state = state = RoutingState(
            servers, policy, question_limit, remembered, pinned, refused, has_desk, memory
        )
        self.sign_in = SignInState()
        self.owners = TaskOwners()
        self.subscriptions = Subscriptions(state, self.owners)
        self.patience = patience or HostPatience()
        held = partial(HeldCalls, state, self.sign_in, ticket_key, self.patience)
        self.runner = runner = ExchangeRunner(state, tickets, self.subscriptions, met, held)
        self.questions, self.held = runner.questions, runner.held
        self.snooze = Snooze(state, self.questions)
        self.lists = MergedLists(state, self.subscriptions, self.owners, self.held)
        self.task_questions = TaskQuestions(state, runner, self.owners)
        self.connections = Connections(
            state, runner, self.sign_in, self.lists, self.task_questions, most_connections
        )
        shared_servers = SharedServers(state, runner, self.owners)
        merged_server = MergedServer(state, self.connections, self.lists, self.owners)
        keep_alive = KeepAlive(state)
        servers_ = FromServers(
            state, runner, self.connections, shared_servers, self.task_questions, keep_alive
        )
        hosts = FromHosts(state, runner, merged_server, shared_servers)
        reload = SettingsReload(state, self.questions, self.connections, self.lists)
        self.calls = CallsInFlight(state, runner, self.sign_in)
        clock_changes = ClockChanges(state, self.questions, self.connections)
        self.parts: tuple[RouterPart, ...] = (
            self.snooze,
            self.questions,
            runner.relayed,
            runner.host_reply_trust,
            self.held,
            runner.sampling,
            self.calls,
            keep_alive,
            runner.early_replies,
            self.connections,
            self.lists,
            self.task_questions,
            self.owners,
            self.subscriptions,
            reload,
        )
        self._table: dict[type, Callable[[Any], None]] = {
            ev.HostSent: hosts.sent,
            ev.UpstreamSent: servers_.sent,
            ev.LinkOpened: self._link_opened,
            ev.LinkClosed: self._link_closed,
            ev.UpstreamUnreached: servers_.unreached,
            ev.UpstreamEnded: self.connections.ended,
            ev.PersonAnswered: self.questions.answered,
            ev.AnswerUndone: self.questions.undo,
            ev.PersonLeft: self.questions.person_left,
            ev.PersonReturned: self.questions.person_returned,
            ev.AnswerBegun: self.questions.answer_begun,
            ev.TimeAdded: self.questions.add_time,
            ev.MissedSeen: self.questions.missed_seen,
            ev.Snoozed: self.snooze.snooze,
            ev.Resumed: self.snooze.resume,
            ev.Muted: self.snooze.mute,
            ev.Unmuted: self.snooze.unmute,
            ev.FloodAllowed: self.snooze.allow_flood,
            ev.DeskbellAsked: self.questions.ask_own,
            ev.DeskbellWithdrew: self.questions.withdraw_own,
            ev.SignInChanged: self._sign_in_changed,
            ev.SecretsAwaited: self.sign_in.secrets_awaited,
            ev.RefusalForgotten: runner.host_reply_trust.forget,
            ev.CallCancelled: self.calls.cancelled,
            ev.HeldCallDeleted: self.held.deleted,
            ev.HeldCallsRestored: self.held.restored,
            ev.HeldCallSaved: self.held.call_saved,
            ev.RestartWanted: reload.restart,
            ev.ServerRenamed: reload.renamed,
            ev.TimePassed: self._time_passed,
            ev.ClockRead: clock_changes.clock_read,
            ev.SettingsChanged: self._settings_changed,
            ev.ModelUsed: runner.sampling.used,
            ev.Sampled: runner.sampling.sampled,
            ev.QuitRequested: self._quit,
        }

    def feed(self, event: ev.Event) -> list[do.Command]:
        """Return what to do about `event`. `RoutingState.now` is to be set before."""
        state = self.state
        commands = state.commands
        commands.clear()  # of an event that raised
        self._table[type(event)](event)
        if self.connections.retired.conns:
            self.connections.close_idle()
        return commands.copy()

    @property
    def pace(self) -> float:
        """Seconds until TimePassed is wanted; 0 when nothing waits for it."""
        state = self.state
        if self.lists.waiting or self.runner.early_replies.waits:
            return SOON
        waiting = bool(
            self.questions.desk.waiting() or self.connections.restarts.planned or state.open_requests
        )
        waiting = waiting or self.runner.host_reply_trust.waits
        if waiting or any(conn.introduction is None for conn in state.conns.values()):
            return 1.0
        lasting = self.held.calls or any(not tenant.private for tenant in state.tenants.values())
        idle = 60.0 if lasting else 0.0
        return self.snooze.pace or idle

    # --- Links ---------------------------------------------------------------------------------------

    def _link_opened(self, event: ev.LinkOpened) -> None:
        state, caller = self.state, event.caller
        key = caller.tenant or f"link:{event.link}"
        tenant = state.tenants.get(key)
        if tenant is None:
            if caller.tenant:
                self._close_idlest()
            tenant = state.tenants[key] = Tenant(key, private=not caller.tenant, used=state.now)
        merged = not caller.server and caller.wrap is None
        state.links[event.link] = tenant.links[event.link] = Link(event.link, caller, tenant, merged)
        state.identify(tenant)

    def _link_closed(self, event: ev.LinkClosed) -> None:
        link = self.state.links.pop(event.link, None)
        if link is None:
            return
        if event.why:
            self.state.record_host_problem(link, "hung up", event.why)
        for part in self.parts:
            part.link_closed(link)
        del link.tenant.links[link.id]
        if link.tenant.private:
            self._close_tenant(link.tenant)

    def _close_tenant(self, tenant: Tenant) -> None:
        for part in self.parts:
            part.tenant_closed(tenant)
        self.state.tenants.pop(tenant.key, None)  # that of a shared server went with its connection

    def _close_idlest(self) -> None:
        """Forget hosts without session that were silent longest, if there are too many: a caller can
        use a new name for each call."""
        lasting = [
            tenant for tenant in self.state.tenants.values() if not tenant.private and not tenant.shared
        ]
        if len(lasting) >= MOST_TENANTS:
            idle = [one for one in lasting if not one.links and not self.state.has_requests(one)]
            for tenant in sorted(idle, key=lambda one: one.used)[: MOST_TENANTS // 10]:
                self._close_tenant(tenant)

    # --- time, settings, the end ---------------------------------------------------------------------

    def _time_passed(self, event: ev.TimePassed) -> None:
        state = self.state
        for part in self.parts:
            part.time_passed(state.now)
        for tenant in list(state.tenants.values()):
            unused = not (tenant.private or tenant.links or tenant.guests)
            if unused and tenant.used + IDLE_TENANT <= state.now and not state.has_requests(tenant):
                self._close_tenant(tenant)

    def _sign_in_changed(self, event: ev.SignInChanged) -> None:
        self.sign_in.changed(event)
        self.connections.sign_in_changed(event)

    def _settings_changed(self, event: ev.SettingsChanged) -> None:
        old = self.state.settings
        self.state.apply(event)
        for part in self.parts:
            part.settings_changed(old, event)

    def _quit(self, event: ev.QuitRequested) -> None:
        """Answer everything that is open, and close everything."""
        self.questions.cancel_all()
        self.subscriptions.close()
        self.held.close()
        self.calls.close()
        self.connections.close()
        for link in self.state.links:
            self.state.emit(do.HangUp(link))
