"""Requests of servers: which call each belongs to, and the Question it becomes. Pure.

A modern server returns `input_required`; a legacy one sends a request during a call or outside any, or
fails with -32042.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec import Raw

from bridge.core import commands as do
from bridge.core.exchange.events import UpstreamAsked, UpstreamSentAway
from bridge.core.exchange.replies import DESK_CAN
from bridge.core.exchange.state_machine import Exchange
from bridge.core.exchange.who_asks import AskChannel
from bridge.core.protocol import elicitation, jsonrpc, revisions, tasks
from bridge.core.protocol.elicitation import ServerQuestion, ServerRequest
from bridge.core.protocol.jsonrpc import Envelope, Malformed, error_body
from bridge.core.protocol.revisions import RESUMABLE, Era
from bridge.core.questions.question import Mode
from bridge.core.routing.asking.task_questions import TaskQuestions
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.peer_limits import MOST_ASKED
from bridge.core.routing.shared_servers import SharedServers
from bridge.core.routing.state import OpenRequest, RoutingState, Tenant, UpstreamConnection

_ASKED_BY_CALLS = frozenset({"elicitation/create", "sampling/createMessage"})


@dataclass(eq=False)
class ServerRequests:
    state: RoutingState
    runner: ExchangeRunner
    shared_servers: SharedServers
    task_questions: TaskQuestions

    def wants_input(self, request: OpenRequest, envelope: Envelope) -> UpstreamAsked | None:
        """Return the event for an `input_required` result; None if the host gets it as it is."""
        returned = jsonrpc.read(elicitation.MaybeInputRequired, envelope.result)
        if returned.result_type != "input_required":
            return None
        server_requests = {
            key: jsonrpc.read(ServerRequest, raw) for key, raw in returned.input_requests.items()
        }
        questions = {key: self._question(request, inquiry) for key, inquiry in server_requests.items()}
        exchange = request.exchange
        for_host = [one.question.mode in exchange.can and not one.desk for one in questions.values()]
        if exchange.via is AskChannel.HOST_RETURNS and all(for_host):
            state = jsonrpc.read(str, returned.request_state) if len(returned.request_state) else ""
            self.runner.host_reply_trust.hand_over(request, questions, state)
            return None
        return UpstreamAsked(questions, bytes(returned.request_state))

    def urls_first(self, request: OpenRequest, envelope: Envelope) -> UpstreamSentAway | None:
        """Return the event for -32042 (visit links first); None if the host handles that error itself."""
        exchange, server = request.exchange, request.conn.spec.name
        links = elicitation.urls_first(envelope.error)
        if not links:
            return None
        asked = [self._question(request, link) for link in links]
        if exchange.via is AskChannel.HOST_WAITS and Mode.URL in exchange.can:
            for one in asked:
                self.runner.relayed.note_visit(request, one)
            return None
        text = f"{server} wants a link opened first ({asked[0].question.url}), and that is not done. "
        text += "Call again when the person says that it is."
        refusal = request.refusal(text)
        done = elicitation.done_visiting(asked[0].question, f"q{self.state.next()}")
        return UpstreamSentAway({one.question.id: one for one in asked}, done, refusal)

    def _question(self, request: OpenRequest, inquiry: ServerRequest) -> ServerQuestion:
        """Make a dated Question of a server's request, with params for the host that may have to ask it."""
        state, conn, via = self.state, request.conn, request.exchange.via
        host = request.tenant.name or state.host_name(request.tenant)
        asked = elicitation.question_from(inquiry, f"q{state.next()}", conn.spec.name, host)
        question = asked.question
        if via is not AskChannel.DESK:
            asked = elicitation.for_host(asked, via is AskChannel.HOST_WAITS, request.presence.revision)
        if request.merged and tasks.NAMED in asked.params:
            asked = asked._replace(params=tasks.published_relation(asked.params, conn.spec.name))
        tool = request.name if request.method == "tools/call" else ""
        first = not conn.spec.builtin and self.runner.questions.is_first(conn.identity)
        arguments = state.mask.mask_arguments(request.arguments)
        question = state.dated(question, tool=tool, arguments=arguments, first=first)
        return self._for_whom(request, asked._replace(question=question))

    def _for_whom(self, request: OpenRequest, asked: ServerQuestion) -> ServerQuestion:
        """Return the Question as Desk or host asks it. What Deskbell does by a yes is asked on the Desk."""
        state, exchange = self.state, request.exchange
        question = asked.question
        if request.conn.spec.builtin and elicitation.wants_consent(asked.params):
            asked = asked._replace(question=replace(question, consent=True))
            can = exchange.via is not AskChannel.DESK and question.mode in exchange.can
            return elicitation.for_desk(asked) if state.has_desk or not can else asked
        refused = state.unshown.refused and question.mode in DESK_CAN and state.refuses(request.tenant)
        if request.tenant.sampling_refusals:
            refused = refused or self.runner.sampling.passes_by_host(request, question.mode)
        return asked._replace(desk=True) if refused else asked

    def asked(self, conn: UpstreamConnection, envelope: Envelope, about: bytes) -> None:
        """Take a request of a legacy server, sent during a call or outside any."""
        method, server_id = envelope.method or "", bytes(envelope.id)
        if method == "ping":
            self.state.emit(do.Send(conn.id, jsonrpc.response(server_id, b"{}")))
            return
        if conn.era is Era.MODERN:
            text = f"In {revisions.MODERN_REVISION} a server returns what it asks."
            self._refuse(conn, server_id, jsonrpc.METHOD_NOT_FOUND, text)
            return
        if len(conn.asked) >= MOST_ASKED:
            self.state.record_problem(conn, "flood", f"It asked more than {MOST_ASKED} questions at once.")
            self._refuse(conn, server_id, jsonrpc.INTERNAL_ERROR, "Too many questions are open.")
            return
        try:
            task = tasks.related(envelope.params) if _may_relate(envelope.params) else None
            request = self._asker(conn, method, about, task) or self._unprompted(conn, task)
            asked = self._question(request, ServerRequest(method, envelope.params))
            if conn.pending.get(about) is not request:
                asked = asked._replace(loose=True)
        except Malformed as error:
            text = f"The parameters of {method} are not valid: {error}."
            self._refuse(conn, server_id, jsonrpc.INVALID_PARAMS, text)
            return
        self.runner.server_asked(request, server_id, asked)

    def _refuse(self, conn: UpstreamConnection, server_id: bytes, code: int, text: str) -> None:
        self.state.emit(do.Send(conn.id, jsonrpc.failure(server_id, error_body(code, text))))

    def _asker(
        self, conn: UpstreamConnection, method: str, about: bytes, task: str | None
    ) -> OpenRequest | None:
        """Return the open call a server request belongs to, or None if that is ambiguous; then no call's
        end withdraws the question.

        A modern host is asked by returning any request of its own that asks nothing yet: the answer goes
        back by the server's own id. Stateless hosts share a Tenant, so theirs may be the wrong one.
        """
        known = conn.pending.get(about)
        if isinstance(known, OpenRequest):
            return known
        calls = [e for e in conn.pending.values() if isinstance(e, OpenRequest) and e.method in RESUMABLE]
        if task is not None or (conn in self.task_questions.known and self._others_work(conn, calls)):
            return None  # a task asks, or may ask
        if len(calls) == 1 and method in _ASKED_BY_CALLS:
            return calls[0]
        returning = [e for e in calls if e.exchange.via is AskChannel.HOST_RETURNS and not e.server_ids]
        return returning[0] if returning and (len(calls) == 1 or conn.tenant.private) else None

    def _others_work(self, conn: UpstreamConnection, calls: list[OpenRequest]) -> bool:
        """True if the connection works on a task of another Tenant than that of one of these calls."""
        owners = self.task_questions.live(conn).values()
        return any(owner != call.tenant.key for call in calls for owner in owners)

    def _unprompted(self, conn: UpstreamConnection, task: str | None) -> OpenRequest:
        """Open a request for a question of no call: the host is asked if there is just one, else the Desk."""
        tenant = self._only_user(conn, task)
        link = next(iter(tenant.links.values())) if tenant.private and tenant.links else None
        via, can = tenant.via, tenant.can
        if link is None or via is AskChannel.HOST_RETURNS:
            via = AskChannel.DESK
        owner = link.tenant if link else conn.tenant
        exchange = Exchange.of_server(via, can - conn.hidden, conn.here)
        merged = link is not None and link.merged
        return OpenRequest(self.state.next(), exchange, link, owner, conn, tenant.presence, merged=merged)

    def _only_user(self, conn: UpstreamConnection, task: str | None) -> Tenant:
        """Return the one host a question can be for, or the shared server's own Tenant."""
        if not conn.tenant.shared:
            return conn.tenant
        if task is not None:
            return self.shared_servers.owner(conn, task) or conn.tenant
        guests = conn.tenant.guests
        calling = {
            one.tenant.key: one.tenant for one in conn.pending.values() if isinstance(one, OpenRequest)
        }
        working_for = calling | {key: guests[key] for key in self.task_questions.live(conn).values()}
        users = list((working_for or guests).values())
        return users[0] if len(users) == 1 else conn.tenant


def _may_relate(params: bytes | Raw) -> bool:
    """True unless these params cannot hold `_meta`: then they need not be read for a related task."""
    text = bytes(params)
    return b"_meta" in text or b"\\u" in text
