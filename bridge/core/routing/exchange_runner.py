"""Carry out the commands of an Exchange on the wire. Pure: ExchangeCommands become Commands.

Nothing here decides what happens next; core/exchange/state_machine.py does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from bridge.core import commands as do
from bridge.core.exchange.commands import (
    Abandon,
    Ask,
    AskConfirm,
    Call,
    Detach,
    Keep,
    LetGo,
    Relay,
    ReplyToHost,
    Resume,
    Withdraw,
)
from bridge.core.exchange.events import (
    CheckNeeded,
    ExchangeEvent,
    HostReturned,
    HostWaitsAgain,
    UpstreamAsked,
    UpstreamDied,
    UpstreamReplied,
    UpstreamWithdrew,
)
from bridge.core.exchange.state_machine import ASKING, CALLING, CONFIRM_KEY, DONE, Exchange, State
from bridge.core.protocol import jsonrpc, tasks, translate
from bridge.core.protocol.elicitation import ServerQuestion
from bridge.core.protocol.handshake import ServerIdentity
from bridge.core.protocol.jsonrpc import Malformed, Outcome, edit, members, own_error, set_id
from bridge.core.protocol.request_state import Tickets
from bridge.core.protocol.revisions import MODERN, Era
from bridge.core.routing import local_replies
from bridge.core.routing.asking.host_reply_trust import HostReplyTrust
from bridge.core.routing.asking.open_questions import Questions
from bridge.core.routing.asking.relayed_questions import RelayedQuestions
from bridge.core.routing.asking.sampling import Sampling
from bridge.core.routing.early_replies import EarlyReplies
from bridge.core.routing.held.held_calls import HeldCalls
from bridge.core.routing.state import Link, OpenRequest, RoutingState, UpstreamConnection
from bridge.core.routing.subscriptions.filter import LISTEN
from bridge.core.routing.subscriptions.subscriptions import Subscriptions
from bridge.core.sampling.rules import SAMPLING_MODES

_PERSONS = (ASKING, State.CONFIRMING)  # states in which a person must act
UNTIMED = frozenset({LISTEN, tasks.RESULT})  # methods without a timeout


class ExchangeRunner:
    def __init__(
        self,
        state: RoutingState,
        tickets: Tickets,
        subscriptions: Subscriptions,
        met: Iterable[str],
        held: Callable[[ExchangeRunner], HeldCalls],
    ) -> None:
        self.state = state
        self.subscriptions = subscriptions
        self.questions = Questions(state, self, met)
        self.relayed = RelayedQuestions(state, self, self.questions, tickets)
        self.host_reply_trust = HostReplyTrust(state, self.questions, self)
        self.held = held(self)
        self.early_replies = EarlyReplies(state, self)
        self.sampling = Sampling(state, self)

    # --- begin, advance, end -------------------------------------------------------------------------

    def begin(self, request: OpenRequest, event: ExchangeEvent) -> None:
        """Register a request as open, and advance its Exchange by its first event."""
        self.state.open_requests[request.id] = request
        link = request.link
        if link is not None:
            link.open_requests[request.id] = request
            if request.exchange.request:
                link.requests[request.exchange.request] = request
        self.advance(request, event)

    def begin_unjudged(self, request: OpenRequest) -> None:
        """Register a request as open; the policy decides when its server's tools are listed."""
        self.begin(request, CheckNeeded())
        request.deadline = self.state.now + request.conn.spec.timeout

    def judged(self, request: OpenRequest, event: ExchangeEvent) -> None:
        request.deadline = 0.0
        self.advance(request, event)

    def advance(self, request: OpenRequest, event: ExchangeEvent) -> None:
        """Feed `event` to the request's Exchange and carry out the commands it returns."""
        exchange = request.exchange
        for command in exchange.on(event):
            _CARRY_OUT[type(command)](self, request, command)
        life = exchange.state
        if request.thinks_since is not None or life in _PERSONS:
            self._count_thinking(request, life in _PERSONS)
        if life is DONE:
            self._finish(request)
        elif life is ASKING:
            request.deadline = 0.0  # a person's time does not count
        elif life is CALLING and not request.deadline:
            self.start_clock(request)
        if self.questions.refused:
            self.questions.conclude_refused()

    def _count_thinking(self, request: OpenRequest, thinks: bool) -> None:
        now = self.state.now
        since = now if request.thinks_since is None else request.thinks_since
        request.thinks_since = since if thinks else None
        request.thought += 0.0 if thinks else now - since

    def start_clock(self, request: OpenRequest) -> None:
        """Give the server its whole timeout from now on, unless the request waits for somebody else."""
        if request.exchange.state is CALLING and request.method not in UNTIMED:
            request.deadline = self.state.now + request.conn.spec.timeout

    def _finish(self, request: OpenRequest) -> None:
        if self.state.open_requests.pop(request.id, None) is None:
            return
        if request.link is not None:
            request.link.open_requests.pop(request.id, None)
            request.link.requests.pop(request.exchange.request, None)
        request.conn.pending.pop(request.upstream_id, None)
        if self.questions.visits.open:
            self.questions.close_links(request)
        if request.method == LISTEN:
            self.subscriptions.end_of_request(request)
        for server_id in request.server_ids.values():
            self._close_server_request(request.conn, server_id)
        if request.ticket:
            self.held.finished(request)
        if request.method == "tools/call":
            self._record(request)

    # --- requests of servers -------------------------------------------------------------------------

    def server_asked(self, request: OpenRequest, server_id: bytes, asked: ServerQuestion) -> None:
        """Ask on behalf of `request` what its server asks by a request of its own."""
        key = asked.question.id
        request.server_ids[key] = server_id
        request.conn.asked[server_id] = (request, key)
        event = UpstreamAsked({key: asked})
        if request.id in self.state.open_requests:
            self.advance(request, event)
        else:
            self.begin(request, event)

    def server_withdrew(self, conn: UpstreamConnection, server_id: bytes) -> None:
        """Take back what a server asked, because it has cancelled its request."""
        request, key = conn.asked.pop(server_id, (None, ""))
        if request is not None:
            request.server_ids.pop(key, None)
            self.advance(request, UpstreamWithdrew(key))
            self._close_server_request(conn, server_id)

    def _close_server_request(self, conn: UpstreamConnection, server_id: bytes) -> None:
        """Forget a server's request. Any call may have waited for the answer: the calls' clocks restart."""
        conn.asked.pop(server_id, None)
        if not conn.asked:
            for one in conn.pending.values():
                if isinstance(one, OpenRequest):
                    self.start_clock(one)

    # --- the call ------------------------------------------------------------------------------------

    def call(self, request: OpenRequest, command: Call | None = None) -> None:
        conn = request.conn
        if conn.introduction is None:
            self._wait_for_server(request)
            return
        if request.method in local_replies.MAYBE and self._stays(request, conn.introduction):
            return
        if request.level:
            self._set_level(request, conn.introduction.has("logging"))
        upstream_id = self._post(request)
        try:
            if self._adapt(request, upstream_id):
                data = set_id(request.data, request.envelope, upstream_id, request.params)
            else:
                data = set_id(request.data, request.envelope, upstream_id)
        except Malformed as error:
            self._unsendable(request, error)
            return
        self.state.emit(do.Send(conn.id, data))

    def _wait_for_server(self, request: OpenRequest) -> None:
        """Reply as the server did last time while it starts, or keep the request until it has started."""
        reply = self.early_replies.reply(request)
        if reply is None:
            request.conn.backlog.append(request)
        else:
            self.advance(request, UpstreamReplied(reply))

    def _stays(self, request: OpenRequest, server: ServerIdentity) -> bool:
        """True if the request is answered here and never sent upstream."""
        try:
            if local_replies.stays_open(request, server, self.subscriptions):
                return True
            reply = local_replies.answer(request, server, self.subscriptions)
            reply = reply or self.early_replies.missing_list(request, server)
        except Malformed as error:
            self._unsendable(request, error)
            return True
        if reply is not None:
            self.advance(request, UpstreamReplied(reply))
        return reply is not None

    def _set_level(self, request: OpenRequest, has_logging: bool) -> None:
        """Send logging/setLevel once to a legacy server: a modern host names a level with each request."""
        conn = request.conn
        level = self.subscriptions.common_level(conn, request.tenant, request.level)
        if has_logging and conn.era is Era.LEGACY and conn.log_level != level:
            conn.log_level = level
            params = edit(b"", {"level": jsonrpc.quote(level)})
            self.state.tell(conn, "logging/setLevel", params)

    def _unsendable(self, request: OpenRequest, error: Malformed) -> None:
        text = f"This {request.method} is not valid: {error}."
        self.advance(request, UpstreamDied(own_error(jsonrpc.INVALID_PARAMS, text)))

    def _post(self, request: OpenRequest) -> bytes:
        request.upstream_id = upstream_id = b"%d" % self.state.next()
        request.conn.pending[upstream_id] = request
        self.start_clock(request)
        return upstream_id

    def _adapt(self, request: OpenRequest, upstream_id: bytes) -> bool:
        """Set the params that the upstream needs. False if the host's own are right as they are."""
        presence = request.presence
        params = request.params or request.envelope.params
        changed = bool(request.params)
        conn = request.conn
        to_modern = conn.era is MODERN
        from_modern = presence.era is MODERN
        if to_modern and not (from_modern and presence.can >= conn.declares and not conn.hidden):
            level = request.tenant.level
            params = translate.modern_params(params, conn.declared(presence), presence.info, level)
            changed = True
        elif from_modern and not to_modern:
            params = translate.legacy_params(params)
            changed = True
        if request.token or conn.spec.builtin:  # progress restarts the clock of the latter for any host
            meta = edit(members(params).get("_meta", b""), {"progressToken": upstream_id})
            params = edit(params, {"_meta": meta})
            changed = True
        if changed:
            request.params = bytes(params)
        return changed

    def _resume(self, request: OpenRequest, command: Resume) -> None:
        if command.ticket is None:
            self._respond(request, command.answers)
            return
        answers = {key: outcome.result for key, outcome in command.answers.items()}
        upstream_id = self._post(request)
        try:
            self._adapt(request, upstream_id)
            params = translate.retry_params(
                request.params or request.envelope.params, answers, command.ticket
            )
        except Malformed as error:
            self._unsendable(request, error)
            return
        self.state.emit(do.Send(request.conn.id, jsonrpc.request(upstream_id, request.method, params)))

    def turn_page(self, request: OpenRequest, cursor: str) -> None:
        """Send the request again for the next page of its list."""
        upstream_id = self._post(request)
        params = request.params or request.envelope.params
        request.params = edit(params, {"cursor": jsonrpc.quote(cursor)})
        self._adapt(request, upstream_id)
        data = jsonrpc.request(upstream_id, request.method, request.params)
        self.state.emit(do.Send(request.conn.id, data))

    def _respond(self, request: OpenRequest, answers: dict[str, Outcome]) -> None:
        """Pass answers to an open call as replies to the server's requests, to a task by tasks/update."""
        conn = request.conn
        if request.task:
            self._update(request, {key: outcome.result for key, outcome in answers.items()})
            return
        for key, outcome in answers.items():
            server_id = request.server_ids.pop(key)
            data, _ = addressed(outcome, server_id, "The host")
            self.state.emit(do.Send(conn.id, data))
            self._close_server_request(conn, server_id)

    def _update(self, request: OpenRequest, answers: dict[str, bytes]) -> None:
        host = request.presence
        declared = request.conn.declared(host)
        params = translate.modern_params(tasks.update(request.task, answers), declared, host.info)
        self.state.tell(request.conn, tasks.UPDATE, params)

    def _abandon(self, request: OpenRequest, command: Abandon) -> None:
        conn, state = request.conn, self.state
        if request in conn.backlog:
            conn.backlog.remove(request)
        if conn.pending.pop(request.upstream_id, None) is not None:
            conn.limits.abandon_reply(request.upstream_id)
            body = b'{"requestId":' + request.upstream_id + b',"reason":"The answer is no longer wanted."}'
            state.emit(do.Send(conn.id, jsonrpc.notification("notifications/cancelled", body)))

    # --- questions -----------------------------------------------------------------------------------

    def _ask(self, request: OpenRequest, command: Ask) -> None:
        question = command.asked.question
        if question.mode in SAMPLING_MODES:
            self.sampling.ask(request, command.key, command.asked)
            return
        if not question.asked_at:
            question = self.state.dated(question)
        self.questions.ask(request, command.key, question)

    def _ask_confirm(self, request: OpenRequest, command: AskConfirm) -> None:
        self.questions.ask(request, CONFIRM_KEY, command.question)

    def _relay(self, request: OpenRequest, command: Relay) -> None:
        self.relayed.relay(request, command)

    def park(self, request: OpenRequest, link: Link) -> None:
        """Detach a request from the Link to which it was handed back; its host has the time of a Question."""
        link.open_requests.pop(request.id, None)
        link.requests.pop(request.exchange.request, None)
        request.link = None
        request.deadline = self.state.now + self.state.question_limit

    def host_returned(self, request: OpenRequest, link: Link, token: bytes, event: HostReturned) -> None:
        """Resume a request that its host was handed back, under the host's new id."""
        request.link, request.token, request.deadline = link, token, 0.0
        request.waits_since = self.state.now
        link.requests[event.request] = link.open_requests[request.id] = request
        self.advance(request, event)

    def _let_go(self, request: OpenRequest, command: LetGo) -> None:
        """Reply to the host, unless it has cancelled, and detach the request from its Link."""
        for key in list(request.relayed):
            self.relayed.withdraw(request, key)
        if command.outcome is not None:
            self.tell(request, command.outcome.wire(command.request), True)
        link = cast(Link, request.link)  # a host that waits has one
        link.open_requests.pop(request.id, None)
        link.requests.pop(command.request, None)
        request.link = None

    def host_waits_again(self, request: OpenRequest, link: Link, request_id: bytes, token: bytes) -> None:
        """Attach a request to the Link of the host that waits for it again, under a new id."""
        request.attach(link, token, self.state.now)
        link.requests[request_id] = link.open_requests[request.id] = request
        self.advance(request, HostWaitsAgain(request_id))

    def _withdraw(self, request: OpenRequest, command: Withdraw) -> None:
        for key in command.keys or (CONFIRM_KEY,):
            self.questions.withdraw(request, key, command.answered)
            self.relayed.withdraw(request, key, command.answered)
            if self.sampling.running:
                self.sampling.withdraw(request, key)

    def _detach(self, request: OpenRequest, command: Detach) -> None:
        """Move these Questions to a request of the server's own; those that nobody sees go to the Desk."""
        exchange, conn = request.exchange, request.conn
        orphan = OpenRequest(
            self.state.next(),
            Exchange.of_server(exchange.via, exchange.can, exchange.here),
            request.link,
            request.tenant,
            conn,
            request.presence,
            merged=request.merged,
        )
        moved, unseen = {}, {}
        for key, asked in command.questions.items():
            server_id = orphan.server_ids[key] = request.server_ids.pop(key)
            conn.asked[server_id] = (orphan, key)
            on_desk = self.questions.move(request, orphan, key)
            in_host = self.relayed.move(request, orphan, key)
            at_model = self.sampling.move(request, orphan, key)
            if on_desk or in_host or at_model:
                moved[key] = asked
            else:
                unseen[key] = asked._replace(desk=True)
        self.begin(orphan, UpstreamAsked(unseen, moved=moved))

    # --- the end -------------------------------------------------------------------------------------

    def tell(self, request: OpenRequest, data: bytes, final: bool = False) -> None:
        """Deliver a message about the request to its host, if the host is there."""
        if request.link is not None:
            data = self.held.fitted(request, data) if final and request.ticket else data
            self.state.emit(do.Deliver(request.link.id, data, request.exchange.request, final))

    def _keep(self, request: OpenRequest, command: Keep) -> None:
        """Keep what would be the reply, for the host's return."""
        self._reply(request, ReplyToHost(jsonrpc.NULL, command.outcome, command.history))
        self.held.keep(request)

    def _reply(self, request: OpenRequest, command: ReplyToHost) -> None:
        data, failed = addressed(command.outcome, command.request, request.conn.spec.name)
        failed = failed or (request.method == "tools/call" and jsonrpc.reply_is_tool_error(data))
        request.replied = command.history or ("error" if failed else "ok")
        request.reply = data
        self.tell(request, data, True)

    def _record(self, request: OpenRequest) -> None:
        state, server = self.state, request.conn.spec.name
        host = request.tenant.name or state.host_name(request.tenant)
        took = state.now - request.started
        facts: dict[str, object] = {"questions": request.questions} if request.questions else {}
        if request.thought:
            facts["thought"] = round(request.thought, 3)
        if request.held:
            facts["held"] = request.held
        tool, outcome, sent, reply = request.name, request.replied, request.arguments, request.reply
        begun = request.id if request.begun else 0
        size = len(reply)
        state.emit(do.Record("call", host, server, tool, outcome, took, size, "", facts, sent, reply, begun))


def addressed(outcome: Outcome, request_id: bytes, sender: str) -> tuple[bytes, bool]:
    """Return an outcome as a message under `request_id`, and whether it failed."""
    try:
        return outcome.wire(request_id), outcome.failed
    except Malformed as error:
        text = f"{sender} sent an answer that cannot be passed on: {error}."
        return own_error(jsonrpc.INTERNAL_ERROR, text).wire(request_id), True


_CARRY_OUT: dict[type, Callable[[ExchangeRunner, OpenRequest, Any], None]] = {
    Call: ExchangeRunner.call,
    Ask: ExchangeRunner._ask,
    AskConfirm: ExchangeRunner._ask_confirm,
    Relay: ExchangeRunner._relay,
    Withdraw: ExchangeRunner._withdraw,
    Detach: ExchangeRunner._detach,
    Resume: ExchangeRunner._resume,
    ReplyToHost: ExchangeRunner._reply,
    Abandon: ExchangeRunner._abandon,
    LetGo: ExchangeRunner._let_go,
    Keep: ExchangeRunner._keep,
}
