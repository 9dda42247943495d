"""Connections to servers: open, introduce, restart, close. Pure.

Owns the state of each connection: its handshake, and why a server's last one ended. Its parts own the pause
before a crashed server is started again (backoff.py), the era to use with a server (server_eras.py), which
servers are restarted without a call (subscribed_restarts.py), and which connections only finish their last
calls (retired_connections.py).
"""

from __future__ import annotations

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.exchange.events import UpstreamDied
from bridge.core.exchange.replies import DESK_CAN
from bridge.core.exchange.state_machine import ASKING
from bridge.core.ports import ServerSpec
from bridge.core.protocol import jsonrpc
from bridge.core.protocol.capabilities import with_sampling
from bridge.core.protocol.handshake import (
    ANONYMOUS_HOST,
    PATIENCE,
    Handshake,
    unanswered,
)
from bridge.core.protocol.jsonrpc import Envelope, Outcome, OwnReply
from bridge.core.protocol.revisions import MODERN, Era
from bridge.core.protocol.tool_names import InBackoff
from bridge.core.routing.asking.task_questions import TaskQuestions
from bridge.core.routing.connections.backoff import STARTED, TRIED, Backoff
from bridge.core.routing.connections.connection_limits import MOST_IN_ALL, to_end
from bridge.core.routing.connections.expired_sessions import may_send_again
from bridge.core.routing.connections.retired_connections import FINISH, RetiredConnections
from bridge.core.routing.connections.server_eras import ServerEras, sends_initialized
from bridge.core.routing.connections.sign_in_state import SignInState
from bridge.core.routing.connections.subscribed_restarts import Restarts
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.lists.merged_lists import MergedLists
from bridge.core.routing.lists.own_list_requests import OwnListRequests
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import ListPart, OpenRequest, RoutingState, Tenant, UpstreamConnection
from bridge.core.sampling.rules import hidden
from bridge.i18n import say


class Connections(RouterPart):
    def __init__(
        self,
        state: RoutingState,
        runner: ExchangeRunner,
        sign_in: SignInState,
        lists: MergedLists,
        tasks: TaskQuestions,
        most: int = MOST_IN_ALL,
    ) -> None:
        self.state = state
        self.runner = runner
        self.subscriptions = runner.subscriptions
        self.sign_in = sign_in
        self.lists = lists
        self.tasks = tasks
        self.own_list_requests = OwnListRequests(state, lists)
        self.backoff = Backoff()
        self.eras = ServerEras(state)
        self.restarts = Restarts(state, runner.subscriptions)
        self.retired = RetiredConnections(state, runner, tasks)
        self._most = most
        self.failures: dict[str, str] = {}  # server → why its last connection ended

    # --- opening -------------------------------------------------------------------------------------

    def connect(self, tenant: Tenant, spec: ServerSpec) -> UpstreamConnection:
        """Return the Tenant's connection to this server; open one if there is none. Raises NoRoute: InBackoff
        or TooManyConnections."""
        conn = tenant.conns.get(spec.name)
        if conn is None:
            owner = self._shared_tenant(tenant, spec) if spec.shared else tenant
            conn = tenant.conns[spec.name] = owner.conns.get(spec.name) or self._open(owner, spec)
            if owner is not tenant:
                owner.guests[tenant.key] = tenant
                self.subscriptions.refresh(conn)
        return conn

    def _open(self, tenant: Tenant, spec: ServerSpec) -> UpstreamConnection:
        rest = self.backoff.of(tenant.key, spec.name, self.state.now)
        if rest is not None:
            raise InBackoff(rest.text(self.state.now))
        self._make_room(tenant, spec)
        self.state.tenants[tenant.key] = tenant  # new only for a shared server
        sampling, hides = self.state.settings.sampling, hidden(spec)
        has_desk = self.state.has_desk
        here = DESK_CAN | sampling.here(spec, has_desk)
        declares = DESK_CAN | sampling.declares(spec, has_desk)
        presence = self.eras.host_identity(tenant, spec)
        declared = with_sampling(presence.capabilities, declares, hides)
        dial = Handshake(presence._replace(capabilities=declared))
        conn = UpstreamConnection(
            self.state.next(), spec, spec.identity, tenant, dial, here=here, declares=declares, hidden=hides
        )
        self.state.conns[conn.id] = tenant.conns[spec.name] = conn
        self.state.emit(do.Connect(conn.id, spec))
        self._send_handshake(conn)
        return conn

    def _make_room(self, tenant: Tenant, spec: ServerSpec) -> None:
        """End an idle connection, if there are too many for another one. Raises TooManyConnections."""
        if spec.builtin:
            return
        idle = to_end(self.state.conns.values(), tenant, spec, self._most, self._is_idle, self.state.now)
        if idle is not None:
            self.close_connection(idle)

    def _is_idle(self, conn: UpstreamConnection) -> bool:
        """True if this connection may be closed unnoticed: the next call opens another one."""
        needed = any(self.subscriptions.needs(user, conn.spec.name) for user in conn.tenant.users)
        return not needed and not self.retired.at_work(conn)

    def _shared_tenant(self, guest: Tenant, spec: ServerSpec) -> Tenant:
        """Return the Tenant that owns the one connection to a shared server. It declares elicitation only."""
        key = f"shared:{spec.name}"
        tenant = self.state.tenants.get(key)
        if tenant is None:
            presence = ANONYMOUS_HOST._replace(era=self.eras.host_identity(guest, spec).era)
            tenant = Tenant(key, private=False, shared=True, presence=presence)
            self.state.identify(tenant)
        return tenant

    def _send_handshake(self, conn: UpstreamConnection) -> None:
        request_id = b"%d" % self.state.next()
        conn.dial_since = self.state.now
        conn.pending[request_id] = conn.dial
        self.state.emit(do.Send(conn.id, conn.dial.next_request(request_id)))

    def introduce(self, conn: UpstreamConnection, envelope: Envelope) -> None:
        """Take the reply to our `initialize` or `server/discover`."""
        conn.introduction = conn.dial.receive(envelope)
        if conn.introduction is None:
            self._try_next(conn)
            return
        if conn not in self.retired.conns and self.eras.asks_in_legacy_only(conn, conn.introduction):
            self._begin_in_legacy(conn)
            self.state.emit(do.Disconnect(conn.id))
            return
        conn.era = conn.introduction.era
        self._forget_failure(conn.spec.name)
        self.eras.learn(conn)
        orphan = self.retired.is_finishing(conn)
        if conn.era is Era.LEGACY and (orphan or sends_initialized(conn.tenant)):
            self.state.emit(do.Send(conn.id, jsonrpc.notification("notifications/initialized")))
            self.subscriptions.restore(conn, conn.introduction)
        self.lists.introduced(conn, conn.introduction)
        served = self.runner.early_replies.introduced(conn, conn.introduction)
        self.subscriptions.introduced(conn)
        backlog, conn.backlog = conn.backlog, []
        for waiting in backlog:
            if isinstance(waiting, ListPart):
                self.lists.ask(waiting)
            else:
                self.runner.call(waiting)
        if conn.era is MODERN or conn.unjudged or sends_initialized(conn.tenant):
            self.own_list_requests.look(conn)
        for one in served:
            self.own_list_requests.compare(conn, one)
        if orphan:
            self.own_list_requests.list_all(conn)

    def _try_next(self, conn: UpstreamConnection) -> None:
        if not conn.dial.exhausted:
            self._send_handshake(conn)
            return
        name, reason = conn.spec.name, self.state.phrases.of(conn.dial.problem_text)
        if name not in reason:  # the server's text, not ours
            reason = say("{server} could not be connected: {reason}", server=name, reason=reason)
        self._end(conn, OwnReply(error=conn.dial.problem), reason)
        self.state.emit(do.Disconnect(conn.id))

    def time_passed(self, now: float) -> None:
        self._retry_handshakes(now)
        self.restarts.start_due(now, self.connect)
        for conn in self.retired.overdue(now):
            words = unanswered(conn.spec.name, FINISH)
            self._fail_all(conn, self.state.own_error(jsonrpc.UNANSWERED, words))
            self.close_connection(conn)

    def _retry_handshakes(self, now: float) -> None:
        """Try the other era on a server that does not answer: some legacy servers ignore unknown methods.
        Record which servers do not introduce themselves at all; they may be slow, and are not ended."""
        for conn in list(self.state.conns.values()):
            if conn.introduction is not None:
                continue
            if self.sign_in.awaits_person(conn.spec.name):
                conn.dial_since = now
            elif not conn.dial.is_last_try and conn.dial_since + PATIENCE <= now:
                for request_id in [key for key, one in conn.pending.items() if one is conn.dial]:
                    del conn.pending[request_id]
                    conn.limits.abandon_reply(request_id)
                conn.dial.postpone()
                self._send_handshake(conn)
            elif not conn.overdue and conn.dial_since + conn.spec.timeout <= now:
                conn.overdue = unanswered(conn.spec.name, conn.spec.timeout)
                self._failed(conn.spec.name, conn.overdue)
                self.state.record_problem(conn, "silent", conn.overdue)

    # --- closing -------------------------------------------------------------------------------------

    def sign_in_changed(self, event: ev.SignInChanged) -> None:
        """Record why signing in failed; after a sign-in, try the server again without delay."""
        if not event.state:
            self.backoff.forget(server=event.server)
            self._forget_failure(event.server)
        elif event.why:
            self._failed(event.server, event.why)

    def _failed(self, server: str, why: str) -> None:
        self.failures[server] = why
        self.state.emit(do.SaveFailures())

    def _forget_failure(self, server: str) -> None:
        if self.failures.pop(server, ""):
            self.state.emit(do.SaveFailures())

    def tenant_closed(self, tenant: Tenant) -> None:
        """Close the Tenant's own connections, and leave those it shares."""
        for conn in [conn for conn in self.state.conns.values() if conn.tenant is tenant]:
            if any(not request.exchange.attended for request in self.state.requests_of(conn)):
                self._retire(conn)  # a call goes on without its host
            elif self.retired.may_finish(conn):
                self._retire(conn)
                self.retired.finish(conn)
            else:
                self.close_connection(conn)
        for conn in self.state.conns.values():
            if conn.tenant.guests.pop(tenant.key, None) is not None:
                conn.tenant.touch(self.state.now)
        self.backoff.forget(tenant.key)

    def machine_slept(self) -> None:
        """Check connections to remote servers, and try unreachable ones again without delay."""
        for conn in self.state.conns.values():
            if conn.spec.url:
                self.state.emit(do.CheckConnection(conn.id))
        for spec in self.state.servers.values():
            if spec.url:
                self.backoff.forget(server=spec.name)

    def _drop(self, conn: UpstreamConnection) -> None:
        """Remove a connection that has ended or is being closed."""
        self._detach(conn)
        self.retired.discard(conn)
        del self.state.conns[conn.id]
        self.subscriptions.connection_closed(conn)
        self.runner.early_replies.connection_closed(conn)
        self.tasks.connection_closed(conn)

    def _detach(self, conn: UpstreamConnection) -> None:
        """Remove a connection from its users, so that no new call finds it."""
        tenant, server = conn.tenant, conn.spec.name
        for user in tenant.users:
            if user.conns.get(server) is conn:
                del user.conns[server]
        if tenant.shared and self.state.tenants.get(tenant.key) is tenant:
            del self.state.tenants[tenant.key]

    def close_connection(self, conn: UpstreamConnection) -> None:
        self._drop(conn)
        self.state.emit(do.Disconnect(conn.id))

    def close(self) -> None:
        """Close all connections: Deskbell quits."""
        self.lists.serve_all()
        for conn in list(self.state.conns.values()):
            self.close_connection(conn)

    def ended(self, event: ev.UpstreamEnded) -> None:
        conn = self.state.conns.get(event.conn)
        if conn is not None and not self._start_again(conn):
            self._end(conn, self.state.own_error(jsonrpc.INTERNAL_ERROR, event.reason), event.reason)

    def _start_again(self, conn: UpstreamConnection) -> bool:
        """Start a server again, with `initialize`, that ended at `server/discover`: servers with Python SDKs
        before 1.7 do. False if that was not the reason."""
        discovers = conn.introduction is None and conn.dial.first is MODERN
        if not discovers or conn.spec.era or not conn.spec.command or conn in self.retired.conns:
            self.eras.legacy_failed(conn)
            return False
        self._begin_in_legacy(conn)
        return True

    def _begin_in_legacy(self, conn: UpstreamConnection) -> None:
        """Connect to a server anew, with `initialize`, for all that waits for it."""
        self.eras.try_legacy(conn)
        backlog, conn.backlog = conn.backlog, []
        unjudged = self.own_list_requests.take_waiting(conn)
        served = self.runner.early_replies.take_served(conn)
        self._drop(conn)
        for waiting in backlog:
            self._move(waiting, conn.spec)
        for one in served:
            self.runner.early_replies.note_served(self.connect(one.tenant, conn.spec), one)
        for request in unjudged:
            request.conn = self.connect(request.tenant, conn.spec)
            self.own_list_requests.wait(request)
        for request in self.state.requests_of(conn):  # all that wait for a person
            if request.exchange.state is ASKING:  # the server that ended has asked, outside of any call
                words = unanswered(conn.spec.name, conn.spec.timeout)
                self.runner.advance(request, UpstreamDied(self.state.own_error(jsonrpc.UNANSWERED, words)))
            else:
                request.conn = self.connect(request.tenant, conn.spec)

    def _move(self, waiting: OpenRequest | ListPart, spec: ServerSpec) -> None:
        """Have a request wait for another connection to the same server."""
        tenant = waiting.tenant if isinstance(waiting, OpenRequest) else waiting.merged_list.link.tenant
        waiting.conn = self.connect(tenant, spec)
        waiting.conn.backlog.append(waiting)

    def change_era(self, conn: UpstreamConnection) -> bool:
        """Use the other era with a server from its next call on, since a tool could not ask in this one;
        False if its era is settled. The call is not made again: the tool has begun."""
        if not self.eras.change(conn):
            return False
        self._retire(conn)
        return True

    def _end(self, conn: UpstreamConnection, outcome: Outcome, reason: str) -> None:
        if conn not in self.retired.conns:
            again = STARTED if conn.introduction is not None and conn.spec.command else TRIED
            self.backoff.ended(conn.tenant.key, conn.spec.name, self.state.now, reason, again)
            self.restarts.plan(conn)
        self._drop(conn)
        self._end_waiting(conn, outcome, reason)

    def _end_waiting(self, conn: UpstreamConnection, outcome: Outcome, reason: str) -> None:
        """Record the end of a connection, and fail everything that waits for it."""
        state = self.state
        self._failed(conn.spec.name, reason)
        host = state.host_name(conn.tenant)
        state.emit(do.Record("server", host, conn.spec.name, outcome="ended", detail=reason))
        self._fail_all(conn, outcome)

    def _fail_all(self, conn: UpstreamConnection, outcome: Outcome) -> None:
        """Answer everything that waits for this connection with `outcome`."""
        for part in [one for one in (*conn.pending.values(), *conn.backlog) if isinstance(one, ListPart)]:
            self.lists.failed(part)
        for request in self.state.requests_of(conn):
            self.runner.advance(request, UpstreamDied(outcome))

    def may_renew(self, waiting: OpenRequest | ListPart, envelope: Envelope) -> bool:
        """True if `waiting` may be sent again on a new connection, since its session has expired and the
        server's settings still hold."""
        return waiting.conn not in self.retired.conns and may_send_again(waiting, envelope)

    def renew(self, conn: UpstreamConnection, waiting: OpenRequest | ListPart, outcome: Outcome) -> None:
        """Send again, on a new connection, a request refused by a server that forgot the session."""
        waiting.renewed = True
        self._drop(conn)
        self._move(waiting, conn.spec)
        self._end_waiting(conn, outcome, say("no longer knew this connection"))
        self.state.emit(do.Disconnect(conn.id))

    # --- restarting ----------------------------------------------------------------------------------

    def restart(self, server: str, at_once: bool) -> None:
        """Restart a server: `at_once`, or after its last call."""
        for conn in [conn for conn in self.state.conns.values() if conn.spec.name == server]:
            if conn not in self.retired.conns:
                self.restarts.plan(conn)
                self._retire(conn)
            if at_once:
                words = say("{server} was restarted. Try again.", server=conn.spec.name)
                self._fail_all(conn, self.state.own_error(jsonrpc.UNANSWERED, words))
                self.close_connection(conn)
        self.backoff.forget(server=server)
        self._forget_failure(server)

    # --- changed settings ----------------------------------------------------------------------------

    def settings_changed(self, old: ev.SettingsChanged, new: ev.SettingsChanged) -> None:
        for name in [name for name, spec in old.servers.items() if new.servers.get(name) != spec]:
            self.backoff.forget(server=name)  # an edited server gets a fresh start
            self._forget_failure(name)
        for conn in list(self.state.conns.values()):
            if conn not in self.retired.conns and not self._is_wanted(conn):
                self._retire(conn)

    def _is_wanted(self, conn: UpstreamConnection) -> bool:
        links = self.state.links_of(conn.tenant)
        if any(link.caller.wrap is conn.spec for link in links):
            return True
        name = conn.spec.name
        allowed = not links or any(link.tenant.rule.offers_server(name) for link in links)
        return allowed and conn.spec.enabled and self.state.servers.get(name) == conn.spec

    def _retire(self, conn: UpstreamConnection) -> None:
        """Send no new calls to a connection, end its subscriptions, and close it after its last call."""
        self._detach(conn)
        self.retired.add(conn)

    def close_idle(self) -> None:
        """Close the retired connections whose last call is done."""
        for conn in self.retired.done():
            self.close_connection(conn)
