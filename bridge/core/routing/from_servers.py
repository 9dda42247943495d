"""Messages from servers: replies, requests, notifications. Pure.

Finds the OpenRequest a message belongs to, and advances its Exchange. Requests are in
asking/server_requests.py, notifications in notifications.py.
"""

from __future__ import annotations

import re
from contextlib import suppress

import msgspec

from bridge.core import events as ev
from bridge.core.exchange.events import UpstreamAsked, UpstreamReplied, UpstreamSentAway
from bridge.core.protocol import jsonrpc, tasks, translate
from bridge.core.protocol.handshake import Handshake
from bridge.core.protocol.jsonrpc import Envelope, ForwardedReply, Malformed, Outcome, OwnReply
from bridge.core.protocol.revisions import MODERN, RESUMABLE, Era
from bridge.core.routing.asking.server_requests import ServerRequests
from bridge.core.routing.asking.task_questions import TaskQuestions
from bridge.core.routing.connections.connections import Connections
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.held.keep_alive import KeepAlive
from bridge.core.routing.lists import pages
from bridge.core.routing.lists.merged_lists import LISTS
from bridge.core.routing.lists.pages import ListPage, array
from bridge.core.routing.lists.tool_list import offered, repeats_name
from bridge.core.routing.notifications import Notifications
from bridge.core.routing.peer_limits import MOST_NOTES
from bridge.core.routing.shared_servers import SharedServers
from bridge.core.routing.state import ListPart, OpenRequest, RoutingState, ToolCheck, UpstreamConnection
from bridge.core.routing.subscriptions.subscriptions import LEARNT
from bridge.i18n import say

_ID = re.compile(rb'"id"\s*:\s*(\d+)')
TOOLS_CHANGED = "notifications/tools/list_changed"
# Errors of SDKs for a tool that asks in a way the era lacks, by `ctx.elicit` or by returning the question:
# mcp 2 and FastMCP 4 for Python, the TypeScript SDK 2. Those that come as results contain _REQUESTS.
_REQUESTS = b" requests "
_NO_WAY_TO_ASK = re.compile(
    rb"no back-channel for server-initiated requests"
    rb"|via server-initiated requests is unavailable on 2026-07-28"
    rb"|Server-to-client requests are not available on protocol revision"
    rb"|returned an InputRequiredResult to request client input"
    rb"|Handler returned an invalid result"
)
_NEAR = 200  # bytes from either end of a message, where its id is


class FromServers:
    def __init__(
        self,
        state: RoutingState,
        runner: ExchangeRunner,
        connections: Connections,
        shared_servers: SharedServers,
        task_questions: TaskQuestions,
        keep_alive: KeepAlive,
    ) -> None:
        self.state = state
        self.runner = runner
        self.connections = connections
        self.lists = connections.lists
        self.own_list_requests = connections.own_list_requests
        self.shared_servers = shared_servers
        self.task_questions = task_questions
        self.server_requests = ServerRequests(state, runner, shared_servers, task_questions)
        self.notifications = Notifications(state, runner, task_questions, shared_servers, keep_alive)

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
        """Answer in the server's place a request that the server did not take."""
        conn = self.state.conns.get(event.conn)
        if conn is not None:
            data = {"status": event.status} if event.status else None
            reply = jsonrpc.failure(
                event.request, self.state.error_body_of(jsonrpc.UNREACHED, event.words, data)
            )
            self._received(conn, reply, jsonrpc.peek(reply), event.request)

    def _note_malformed(self, conn: UpstreamConnection, error: Malformed) -> None:
        self.state.record_problem(conn, "malformed", f"It sent what is no message: {error}.")

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
        """Fail the request whose reply cannot be read, as far as its id can be found."""
        self._note_malformed(conn, error)
        found = _ID.search(data[:_NEAR]) or _ID.search(data[-_NEAR:])
        waiting = conn.pending.pop(found[1], None) if found else None
        words = say(
            "{server} sent an answer that cannot be read: {why}.", server=conn.spec.name, why=str(error)
        )
        reply = self.state.own_error(jsonrpc.INTERNAL_ERROR, words)
        if isinstance(waiting, OpenRequest):
            self.runner.advance(waiting, UpstreamReplied(reply))
        elif isinstance(waiting, ListPart):
            self.lists.failed(waiting)
        elif isinstance(waiting, Handshake):
            self.connections.introduce(conn, Envelope(error=msgspec.Raw(reply.error)))

    def _received(self, conn: UpstreamConnection, data: bytes, envelope: Envelope, about: bytes) -> None:
        if envelope.method is not None:
            if len(envelope.id):
                self.server_requests.asked(conn, envelope, about)
            else:
                self._receive_notification(conn, data, envelope, about)
            return
        waiting = conn.pending.pop(bytes(envelope.id), None)
        failed = len(envelope.error) > 0
        if (
            failed
            and isinstance(waiting, OpenRequest | ListPart)
            and self.connections.may_renew(waiting, envelope)
        ):
            self.connections.renew(conn, waiting, ForwardedReply(data, envelope))
        elif isinstance(waiting, OpenRequest):
            self._replied(waiting, data, envelope)
        elif isinstance(waiting, ListPart):
            self.lists.receive(waiting, envelope)
        elif isinstance(waiting, ToolCheck):
            self.own_list_requests.receive(conn, waiting, envelope)
        elif waiting is not None:
            self.connections.introduce(conn, envelope)
        elif not conn.limits.take_abandoned(bytes(envelope.id)):
            shown_id = bytes(envelope.id).decode(errors="replace")[:40] or "none"
            self.state.record_problem(
                conn, "stray", f"It answered what nobody asked, or what is over: id {shown_id}."
            )

    def _receive_notification(
        self, conn: UpstreamConnection, data: bytes, envelope: Envelope, about: bytes
    ) -> None:
        if conn.limits.is_flood(self.state.now):
            text = f"It sent more than {MOST_NOTES} notifications in a second; the rest was not passed on."
            self.state.record_problem(conn, "flood", text)
        else:
            self.notifications.receive(conn, data, envelope, about)
            if envelope.method == TOOLS_CHANGED:
                self.own_list_requests.look(conn)

    def _replied(self, request: OpenRequest, data: bytes, envelope: Envelope) -> None:
        outcome: Outcome = ForwardedReply(data, envelope)
        failed = outcome.failed
        if failed or (request.conn.era is MODERN and _REQUESTS in data):
            explained = self._could_not_ask(request, data, failed)
            if explained is not None:
                self.runner.advance(request, UpstreamReplied(explained))
                return
        if request.method in LISTS and not failed:
            if len(envelope.result) > pages.MOST_BYTES:
                self._refuse_list(request)
                return
            self._remember(request, envelope)
        try:
            if request.method == "tools/list" and not failed:
                outcome, envelope = self._offered(request, outcome, envelope)
            elif not failed and (request.may_last or request.method in tasks.BY_TASK):
                outcome, envelope = remade(
                    self.task_questions.reply_for_host(request, bytes(envelope.result))
                )
            elif request.method == tasks.LIST and request.conn.spec.shared and not failed:
                listed = self.shared_servers.listed(request, envelope.result)
                if listed is None:
                    return
                outcome, envelope = remade(listed)
            elif request.merged and b'"resource_link"' in data:
                self.lists.linked(request.tenant, request.conn.spec.name, envelope.result)
            event = self._translated(request, envelope, failed) or UpstreamReplied(outcome)
        except Malformed as error:
            name = request.conn.spec.name
            words = say("{server} sent an invalid answer: {why}.", server=name, why=str(error))
            event = UpstreamReplied(self.state.own_error(jsonrpc.INTERNAL_ERROR, words))
        if request.method in LEARNT and not failed:
            server, method, params = request.conn.spec.name, request.method, request.envelope.params
            with suppress(Malformed):  # the server knew what was meant
                self.runner.subscriptions.learn(request.tenant, server, method, params)
        self.runner.advance(request, event)

    def _refuse_list(self, request: OpenRequest) -> None:
        """Fail a list that is too large to be checked while others wait."""
        most = f"{pages.MOST_BYTES >> 20} MiB"
        self.state.record_problem(request.conn, "endless", f"Its {request.method} has more than {most}.")
        words = say("{server} sent a list of more than {most}.", server=request.conn.spec.name, most=most)
        self.runner.advance(request, UpstreamReplied(self.state.own_error(jsonrpc.INTERNAL_ERROR, words)))

    def _could_not_ask(self, request: OpenRequest, data: bytes, failed: bool) -> Outcome | None:
        """Return the result for the model if a tool could not ask the person in this era, and use the other
        era with its server from now on; None for any other reply."""
        if request.method != "tools/call" or not _NO_WAY_TO_ASK.search(data):
            return None
        if not (failed or jsonrpc.reply_is_tool_error(data)) or not self.connections.change_era(request.conn):
            return None
        server, tool = request.conn.spec.name, request.target
        return translate.refusal_result(
            f"{tool} stopped where it wanted to ask the person at this computer: {server} could not send the "
            "question. It can from the next call on. Deskbell did not make the call again, because what the "
            "tool did before that point would be done twice: call it again if that does no harm.",
            request.presence.era,
        )

    def _offered(
        self, request: OpenRequest, outcome: Outcome, envelope: Envelope
    ) -> tuple[Outcome, Envelope]:
        more = b'"cursor"' in bytes(request.envelope.params)
        self.state.pins.add_page(request.conn.spec.name, bytes(envelope.result), more)
        own = b"" if more or request.link is None else self.lists.held.wait_tool(request.link)
        if request.tenant.rule.tools is None and not own and not repeats_name(envelope.result):
            return outcome, envelope
        return remade(offered(self.state, request, envelope.result, own))

    def _remember(self, request: OpenRequest, envelope: Envelope) -> None:
        """Remember a list that came in one page, for the next start of its server."""
        method, kind = request.method, LISTS[request.method]
        if kind.changed and b'"cursor"' not in bytes(request.envelope.params):
            with suppress(Malformed):
                items = jsonrpc.elements(jsonrpc.members(envelope.result).get(kind.member, b"[]"))
                if jsonrpc.read(ListPage, envelope.result).next_cursor is None:
                    self.lists.remember(request.conn, request.tenant, method, array(items))

    def _translated(
        self, request: OpenRequest, envelope: Envelope, failed: bool
    ) -> UpstreamReplied | UpstreamAsked | UpstreamSentAway | None:
        """Return the event for a reply that means something else in the host's era, else None."""
        if failed:
            if not len(envelope.error):
                raise Malformed("it has neither a result nor an error")
            return self._failed(request, envelope)
        if request.conn.era is MODERN:
            return self._returned(request, envelope)
        if request.presence.era is MODERN:
            return UpstreamReplied(OwnReply(translate.modern_result(request.method, envelope.result)))
        return None

    def _failed(self, request: OpenRequest, envelope: Envelope) -> UpstreamReplied | UpstreamSentAway | None:
        era = request.presence.era
        if request.conn.era is not era and request.method == "resources/read":
            error = translate.resource_error(envelope.error, era)
            if error is not None:
                return UpstreamReplied(OwnReply(error=error))
        if request.conn.spec.builtin and request.target != request.name:
            error = translate.missing_error(envelope.error, request.method, request.name, request.target)
            if error is not None:
                return UpstreamReplied(OwnReply(error=error))
        return self.server_requests.urls_first(request, envelope) if request.conn.era is Era.LEGACY else None

    def _returned(self, request: OpenRequest, envelope: Envelope) -> UpstreamReplied | UpstreamAsked | None:
        """Return the event for a modern server's result, if it asks for input or the host is legacy."""
        wanted = self.server_requests.wants_input(request, envelope) if request.method in RESUMABLE else None
        if wanted is not None or request.presence.era is Era.MODERN:
            return wanted
        result = translate.legacy_result(envelope.result)
        return None if result is None else UpstreamReplied(OwnReply(result))


def remade(result: bytes) -> tuple[Outcome, Envelope]:
    """Return a result of ours in place of the server's."""
    return OwnReply(result), Envelope(result=msgspec.Raw(result))
