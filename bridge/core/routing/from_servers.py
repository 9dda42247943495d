"""What upstreams say: introductions, replies, notes. Finds the OpenRequest; lets it live on. Pure.

What they ask is in server_requests.py.
"""

from __future__ import annotations

import re
from contextlib import suppress

import msgspec

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.ports import ServerSpec
from bridge.core.protocol import capabilities, jsonrpc, tasks, translate
from bridge.core.protocol.handshake import (
    ANONYMOUS_HOST,
    PATIENCE,
    Handshake,
    HostIdentity,
    ServerIdentity,
    unanswered,
)
from bridge.core.protocol.jsonrpc import (
    INTERNAL_ERROR,
    UNREACHED,
    Envelope,
    Made,
    Malformed,
    Outcome,
    Relayed,
)
from bridge.core.protocol.revisions import MODERN, RESUMABLE, Era
from bridge.core.protocol.tool_names import InBackoff
from bridge.core.routing.auto_restart import AutoRestart
from bridge.core.routing.backoff import STARTED, TRIED
from bridge.core.routing.exchange import DESK_CAN, State
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.merged_lists import Page, ToolChecks
from bridge.core.routing.merged_server import MergedServer
from bridge.core.routing.notifications import Notifications
from bridge.core.routing.part import Part
from bridge.core.routing.peer_limits import MOST_NOTES
from bridge.core.routing.restore_subscriptions import LEARNT
from bridge.core.routing.server_requests import ServerRequests
from bridge.core.routing.shared_servers import SharedServers
from bridge.core.routing.sign_in_state import SignInState
from bridge.core.routing.state import (
    ListPart,
    OpenRequest,
    RoutingState,
    Tenant,
    ToolCheck,
    UpstreamConnection,
)
from bridge.core.routing.task_questions import TaskQuestions
from bridge.core.routing.who_asks import who_asks
from bridge.i18n import say

_ID = re.compile(rb'"id"\s*:\s*(\d+)')
TOOLS_CHANGED = "notifications/tools/list_changed"
_NEAR = 200  # bytes from either end of a message, where its id is


class _Status(msgspec.Struct, frozen=True):
    status: int = 0


class _Refused(msgspec.Struct, frozen=True):
    """The error that stands for an HTTP answer without a message in it."""

    code: int = 0
    data: _Status = _Status()


class FromServers(Part):
    def __init__(self, state: RoutingState, runner: ExchangeRunner, sign_in: SignInState) -> None:
        self.state = state
        self.sign_in = sign_in
        self.runner = runner
        self.merged_server = MergedServer(state, self.connect, runner.subscriptions)
        self.auto_restart = AutoRestart(state, self.connect)
        self.shared_servers = SharedServers(state, runner)
        self.server_requests = ServerRequests(state, runner, self.shared_servers)
        self.task_questions = TaskQuestions(state, runner)
        self.tool_checks = ToolChecks(state, self.merged_server.lists)
        self.notifications = Notifications(state, runner, self.task_questions, self.shared_servers)

    # --- dialling ------------------------------------------------------------------------------------

    def connect(self, tenant: Tenant, spec: ServerSpec) -> UpstreamConnection:
        """The tenant's connection to this server; a new one is dialled at once."""
        conn = tenant.conns.get(spec.name)
        if conn is None:
            owner = self._common(tenant, spec) if spec.shared else tenant
            conn = tenant.conns[spec.name] = owner.conns.get(spec.name) or self._dial(owner, spec)
            if owner is not tenant:
                owner.guests[tenant.key] = tenant
                self.runner.subscriptions.refresh(conn)
        return conn

    def _dial(self, tenant: Tenant, spec: ServerSpec) -> UpstreamConnection:
        rest = self.state.backoff.of(tenant.key, spec.name, self.state.now)
        if rest is not None:
            raise InBackoff(rest.told(self.state.now))
        self.state.tenants[tenant.key] = tenant  # news only of one that owns a shared connection
        conn = UpstreamConnection(self.state.next(), spec, tenant, Handshake(self._face(tenant, spec)))
        self.state.conns[conn.id] = tenant.conns[spec.name] = conn
        self.state.emit(do.Connect(conn.id, spec))
        self._speak(conn)
        return conn

    def _face(self, tenant: Tenant, spec: ServerSpec) -> HostIdentity:
        """A host as its server sees it. It makes tasks of what it is asked only where it is asked everything,
        and where no other server could look at them.

        A caller without MCP has no era of its own: servers of both are met in the older one, where all that
        they ask works (`ctx.elicit` of the Python SDK does nowhere else)."""
        presence = tenant.presence
        if spec.era:
            presence = presence._replace(era=Era(spec.era))
        elif any(link.caller.plain for link in tenant.links.values()):
            presence = presence._replace(era=Era.LEGACY)
        merged = any(link.merged for link in tenant.links.values())
        _, can = who_asks(tenant.rule, presence)
        if not merged and can >= DESK_CAN:
            return presence
        return presence._replace(capabilities=capabilities.without_own_tasks(presence.capabilities, merged))

    def _common(self, guest: Tenant, spec: ServerSpec) -> Tenant:
        """Who owns the one connection to a shared server. It speaks for no host: it can only elicit."""
        key = f"shared:{spec.name}"
        tenant = self.state.tenants.get(key)
        if tenant is None:
            tenant = Tenant(key, private=False, shared=True)
            tenant.presence = ANONYMOUS_HOST._replace(era=self._face(guest, spec).era)
            self.state.identify(tenant)
        return tenant

    def _speak(self, conn: UpstreamConnection) -> None:
        request_id = b"%d" % self.state.next()
        conn.dial_since = self.state.now
        conn.pending[request_id] = conn.dial
        self.state.emit(do.Send(conn.id, conn.dial.next_request(request_id)))

    def _heard(self, conn: UpstreamConnection, envelope: Envelope) -> None:
        conn.introduction = conn.dial.receive(envelope)
        if conn.introduction is None:
            self._try_next(conn)
            return
        self.state.failures.pop(conn.spec.name, None)
        self.state.late.discard(conn.spec.name)
        if conn.introduction.era is Era.LEGACY and speaks_for_itself(conn.tenant):
            self.state.emit(do.Send(conn.id, jsonrpc.notification("notifications/initialized")))
            self._restore(conn, conn.introduction)
        self.merged_server.introduced(conn, conn.introduction)
        self.runner.subscriptions.introduced(conn, conn.introduction)
        backlog, conn.backlog = conn.backlog, []
        for waiting in backlog:
            if isinstance(waiting, ListPart):
                self.merged_server.lists.ask(waiting)
            else:
                self.runner.call(waiting)
        if conn.introduction.era is MODERN or speaks_for_itself(conn.tenant):
            self.tool_checks.look(conn)

    def _restore(self, conn: UpstreamConnection, introduction: ServerIdentity) -> None:
        """What hosts have settled with an earlier connection. The answers are nobody's business."""
        for user in (conn.tenant, *conn.tenant.guests.values()):
            for method, params in user.settled.again(conn.spec.name, introduction.has("logging")):
                self.state.tell(conn, method, self.shared_servers.common(conn, user, method, params))

    def _try_next(self, conn: UpstreamConnection) -> None:
        if not conn.dial.exhausted:
            self._speak(conn)
            return
        name, reason = conn.spec.name, self.state.phrases.of(conn.dial.problem_text)
        if name not in reason:  # a server's own words, not ours about it
            reason = say("{server} would not connect: {reason}", server=name, reason=reason)
        self._end(conn, Made(error=conn.dial.problem), reason)
        self.state.emit(do.Disconnect(conn.id))

    def time_passed(self, now: float) -> None:
        """Try the other era on a server that does not answer: some legacy servers ignore unknown methods.
        Record which servers do not introduce themselves at all; they may be slow, and are not ended."""
        for conn in list(self.state.conns.values()):
            if conn.introduction is not None:
                continue
            if self.sign_in.awaits_person(conn.spec.name):
                conn.dial_since = now
            elif not conn.dial.is_last_try and conn.dial_since + PATIENCE <= self.state.now:
                for request_id in [key for key, one in conn.pending.items() if one is conn.dial]:
                    del conn.pending[request_id]
                    conn.limits.expect(request_id)
                conn.dial.postpone()
                self._speak(conn)
            elif not conn.overdue and conn.dial_since + conn.spec.timeout <= self.state.now:
                conn.overdue = unanswered(conn.spec.name, conn.spec.timeout)
                self.state.failures[conn.spec.name] = conn.overdue
                self.state.complain(conn, "silent", conn.overdue)

    def sign_in_changed(self, event: ev.SignInChanged) -> None:
        """Record why signing in failed; after a sign-in, try the server again without delay."""
        if not event.state:
            self.state.backoff.forget(server=event.server)
            self.state.failures.pop(event.server, None)
        elif event.why:
            self.state.failures[event.server] = event.why

    def tenant_closed(self, tenant: Tenant) -> None:
        """Close the Tenant's own connections, and leave those it shares."""
        for conn in [conn for conn in self.state.conns.values() if conn.tenant is tenant]:
            self.close_connection(conn)
        for conn in self.state.conns.values():
            if conn.tenant.guests.pop(tenant.key, None) is not None:
                conn.tenant.used = self.state.now
                conn.live = {task: owner for task, owner in conn.live.items() if owner != tenant.key}
        self.state.backoff.forget(tenant.key)
        if tenant.private:  # a stateless host may come back for its tasks
            self.state.owners.forget(tenant.key)

    def machine_slept(self) -> None:
        """Check connections to remote servers, and try unreachable ones again without delay."""
        for conn in self.state.conns.values():
            if conn.spec.url:
                self.state.emit(do.Rouse(conn.id))
        for spec in self.state.servers.values():
            if spec.url:
                self.state.backoff.forget(server=spec.name)

    def close_connection(self, conn: UpstreamConnection) -> None:
        self.state.drop(conn)
        self.state.emit(do.Disconnect(conn.id))

    def close(self) -> None:
        """Close all connections: Deskbell quits."""
        self.merged_server.lists.serve_all()
        for conn in list(self.state.conns.values()):
            self.close_connection(conn)

    def ended(self, event: ev.UpstreamEnded) -> None:
        conn = self.state.conns.get(event.conn)
        if conn is not None:
            self._end(conn, Made(error=self.state.sorry(INTERNAL_ERROR, event.reason)), event.reason)

    def _end(self, conn: UpstreamConnection, outcome: Outcome, reason: str) -> None:
        if conn not in self.state.leaving:
            again = STARTED if conn.introduction is not None and conn.spec.command else TRIED
            self.state.backoff.ended(conn.tenant.key, conn.spec.name, self.state.now, reason, again)
            self.auto_restart.ended(conn)
        self.state.drop(conn)
        self._let_down(conn, outcome, reason)

    def _let_down(self, conn: UpstreamConnection, outcome: Outcome, reason: str) -> None:
        """Everybody who waits for something from this connection gets this instead."""
        state = self.state
        state.failures[conn.spec.name] = reason
        host = state.host_name(conn.tenant)
        state.emit(do.Record("server", host, conn.spec.name, outcome="ended", detail=reason))
        for part in [one for one in (*conn.pending.values(), *conn.backlog) if isinstance(one, ListPart)]:
            self.merged_server.lists.failed(part)
        for request in [one for one in state.open_requests.values() if one.conn is conn]:
            self.runner.advance(request, ev.UpstreamDied(outcome))

    def _may_renew(self, waiting: OpenRequest | ListPart, envelope: Envelope) -> bool:
        """Once, by a server whose settings still hold, and not while it asks: the answer must not reach
        another connection."""
        asks = isinstance(waiting, OpenRequest) and waiting.exchange.state is not State.CALLING
        once = not waiting.renewed and waiting.conn not in self.state.leaving
        return once and not asks and is_forgotten(waiting.conn, envelope)

    def _connect_anew(
        self, conn: UpstreamConnection, waiting: OpenRequest | ListPart, outcome: Outcome
    ) -> None:
        """What the server did not want to know of an old connection is asked once more on a new one."""
        waiting.renewed = True
        self.state.drop(conn)
        tenant = waiting.tenant if isinstance(waiting, OpenRequest) else waiting.gather.link.tenant
        waiting.conn = self.connect(tenant, conn.spec)
        waiting.conn.backlog.append(waiting)
        self._let_down(conn, outcome, say("no longer knew this connection"))
        self.state.emit(do.Disconnect(conn.id))

    # --- messages ------------------------------------------------------------------------------------

    def sent(self, event: ev.UpstreamSent) -> None:
        conn = self.state.conns.get(event.conn)
        if conn is None:
            return
        try:
            if event.envelope is not None:
                self._received(conn, event.data, event.envelope, event.about)
                return
            for data in jsonrpc.elements(event.data) if event.data[:1] == b"[" else (event.data,):
                self._receive(conn, data, event.about)
        except Malformed as error:
            self._note_malformed(conn, error)

    def unreached(self, event: ev.UpstreamUnreached) -> None:
        """What the server did not answer is answered in its place."""
        conn = self.state.conns.get(event.conn)
        if conn is not None:
            data = {"status": event.status} if event.status else None
            reply = jsonrpc.failure(event.request, self.state.sorry(UNREACHED, event.words, data))
            self._received(conn, reply, jsonrpc.peek(reply), event.request)

    def _note_malformed(self, conn: UpstreamConnection, error: Malformed) -> None:
        self.state.complain(conn, "malformed", f"It sent what is no message: {error}.")

    def _receive(self, conn: UpstreamConnection, data: bytes, about: bytes) -> None:
        try:
            envelope = jsonrpc.peek(data)
        except Malformed as error:
            self._unreadable(conn, data, error)
            return
        try:
            self._received(conn, data, envelope, about)
        except Malformed as error:  # the rest of a batch may be fine
            self._note_malformed(conn, error)

    def _unreadable(self, conn: UpstreamConnection, data: bytes, error: Malformed) -> None:
        """Whoever waits for this answer, as far as it can be told, need not wait till the time is out."""
        self._note_malformed(conn, error)
        found = _ID.search(data[:_NEAR]) or _ID.search(data[-_NEAR:])
        waiting = conn.pending.pop(found[1], None) if found else None
        words = say(
            "{server} sent an answer that cannot be read: {why}.", server=conn.spec.name, why=str(error)
        )
        body = self.state.sorry(INTERNAL_ERROR, words)
        if isinstance(waiting, OpenRequest):
            self.runner.advance(waiting, ev.UpstreamReplied(Made(error=body)))
        elif isinstance(waiting, ListPart):
            self.merged_server.lists.failed(waiting)
        elif isinstance(waiting, Handshake):
            self._heard(conn, Envelope(error=msgspec.Raw(body)))

    def _received(self, conn: UpstreamConnection, data: bytes, envelope: Envelope, about: bytes) -> None:
        if envelope.method is not None:
            if len(envelope.id):
                self.server_requests.asked(conn, envelope, about)
            else:
                self._noted(conn, data, envelope, about)
            return
        waiting = conn.pending.pop(bytes(envelope.id), None)
        failed = len(envelope.error) > 0
        if failed and isinstance(waiting, OpenRequest | ListPart) and self._may_renew(waiting, envelope):
            self._connect_anew(conn, waiting, Relayed(data, envelope))
        elif isinstance(waiting, OpenRequest):
            self._replied(waiting, data, envelope)
        elif isinstance(waiting, ListPart):
            self.merged_server.lists.heard(waiting, envelope)
        elif isinstance(waiting, ToolCheck):
            self.tool_checks.heard(conn, waiting, envelope)
        elif waiting is not None:
            self._heard(conn, envelope)
        elif not conn.limits.expects(bytes(envelope.id)):
            said = bytes(envelope.id).decode(errors="replace")[:40] or "none"
            self.state.complain(conn, "stray", f"It answered what nobody asked, or what is over: id {said}.")

    def _noted(self, conn: UpstreamConnection, data: bytes, envelope: Envelope, about: bytes) -> None:
        if conn.limits.is_flood(self.state.now):
            text = f"It sent more than {MOST_NOTES} notifications in a second; the rest was not passed on."
            self.state.complain(conn, "flood", text)
        else:
            self.notifications.heard(conn, data, envelope, about)
            if envelope.method == TOOLS_CHANGED:
                self.tool_checks.look(conn)

    def _replied(self, request: OpenRequest, data: bytes, envelope: Envelope) -> None:
        outcome: Outcome = Relayed(data, envelope)
        failed = outcome.failed
        try:
            if request.method == "tools/list" and not failed:
                outcome, envelope = self._offered(request, outcome, envelope)
            elif not failed and (request.may_last or request.method in tasks.BY_TASK):
                outcome, envelope = remade(self.task_questions.told(request, bytes(envelope.result)))
            elif request.method == tasks.LIST and request.conn.spec.shared and not failed:
                listed = self.shared_servers.listed(request, envelope.result)
                if listed is None:
                    return
                outcome, envelope = remade(listed)
            elif request.merged and b'"resource_link"' in data:
                self.merged_server.lists.linked(request.tenant, request.conn.spec.name, envelope.result)
            event = self._translated(request, envelope, failed) or ev.UpstreamReplied(outcome)
        except Malformed as error:
            name = request.conn.spec.name
            words = say("{server} sent an answer that makes no sense: {why}.", server=name, why=str(error))
            event = ev.UpstreamReplied(Made(error=self.state.sorry(INTERNAL_ERROR, words)))
        if request.method in LEARNT and not failed:
            request.tenant.settled.learn(
                request.conn.spec.name, request.method, bytes(request.envelope.params)
            )
        self.runner.advance(request, event)

    def _offered(
        self, request: OpenRequest, outcome: Outcome, envelope: Envelope
    ) -> tuple[Outcome, Envelope]:
        more = b'"cursor"' in bytes(request.envelope.params)
        self.state.pins.add_page(request.conn.spec.name, bytes(envelope.result), more)
        if not more:
            self._remember(request.conn.spec, envelope)
        if request.tenant.rule.tools is None:
            return outcome, envelope
        return remade(self.merged_server.lists.offered(request, envelope.result))

    def _remember(self, spec: ServerSpec, envelope: Envelope) -> None:
        """A list that is whole is worth keeping for the next start; one that makes no sense is not."""
        if self.state.servers.get(spec.name) == spec:  # not one that a host wraps under this name
            with suppress(Malformed):
                tools = jsonrpc.elements(jsonrpc.members(envelope.result).get("tools", b"[]"))
                if jsonrpc.read(Page, envelope.result).next_cursor is None:
                    self.merged_server.lists.remember(spec, "tools/list", b"[" + b",".join(tools) + b"]")

    def _translated(
        self, request: OpenRequest, envelope: Envelope, failed: bool
    ) -> ev.UpstreamReplied | ev.UpstreamAsked | ev.UpstreamSentAway | None:
        """What an upstream's answer means in the host's era; None: what it says."""
        if failed:
            if not len(envelope.error):
                raise Malformed("it has neither a result nor an error")
            return self._failed(request, envelope)
        introduction = request.conn.introduction
        if introduction is not None and introduction.era is MODERN:
            return self._returned(request, envelope)
        if request.presence.era is MODERN:
            return ev.UpstreamReplied(Made(translate.modern_result(request.method, envelope.result)))
        return None

    def _failed(
        self, request: OpenRequest, envelope: Envelope
    ) -> ev.UpstreamReplied | ev.UpstreamSentAway | None:
        known, era = request.conn.introduction, request.presence.era
        if known is not None and known.era is not era and request.method == "resources/read":
            error = translate.resource_error(envelope.error, era)
            if error is not None:
                return ev.UpstreamReplied(Made(error=error))
        legacy = known is not None and known.era is Era.LEGACY
        return self.server_requests.links_first(request, envelope) if legacy else None

    def _returned(
        self, request: OpenRequest, envelope: Envelope
    ) -> ev.UpstreamReplied | ev.UpstreamAsked | None:
        """A modern server's result, for a host of either era."""
        wanted = self.server_requests.wants_input(request, envelope) if request.method in RESUMABLE else None
        if wanted is not None or request.presence.era is Era.MODERN:
            return wanted
        result = translate.legacy_result(envelope.result)
        return None if result is None else ev.UpstreamReplied(Made(result))


def is_forgotten(conn: UpstreamConnection, envelope: Envelope) -> bool:
    """Was this remote server restarted, or did it let us go? It has not done what it was asked for."""
    try:
        refused = jsonrpc.read(_Refused, envelope.error)
    except Malformed:
        return False
    return bool(conn.spec.url) and (refused.code, refused.data.status) == (UNREACHED, 404)


def speaks_for_itself(tenant: Tenant) -> bool:
    """May we say `initialized`? A legacy host says it itself, and it is passed on."""
    modern = tenant.presence.era is Era.MODERN
    return modern or tenant.shared or any(link.initialized for link in tenant.links.values())


def remade(result: bytes) -> tuple[Outcome, Envelope]:
    """A result of ours in place of the server's."""
    return Made(result), Envelope(result=msgspec.Raw(result))
