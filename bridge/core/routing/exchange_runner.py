"""Carrying out what an Exchange wishes, in the words of whichever wire it concerns.

Pure: ExchangeCommands become Commands. Nothing here decides what happens next; exchange.py does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from bridge.core import commands as do
from bridge.core.protocol import elicitation, handshake, jsonrpc, tasks, translate
from bridge.core.protocol.handshake import ServerIdentity
from bridge.core.protocol.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    UNANSWERED,
    Made,
    Malformed,
    Outcome,
    edit,
    error_body,
    members,
)
from bridge.core.protocol.request_state import Tickets, binding
from bridge.core.protocol.revisions import MODERN, Era
from bridge.core.routing.exchange import ASKING, CALLING, DESK_CAN, DONE, State, Via
from bridge.core.routing.exchange_commands import (
    Abandon,
    Ask,
    AskConfirm,
    Call,
    Relay,
    Reply,
    Resume,
    Withdraw,
)
from bridge.core.routing.exchange_events import (
    ExchangeEvent,
    Expired,
    HostLeft,
    TimedOut,
    UpstreamDied,
    UpstreamReplied,
)
from bridge.core.routing.open_questions import CONFIRM_KEY, Questions
from bridge.core.routing.part import Part
from bridge.core.routing.sign_in_state import SignInState
from bridge.core.routing.state import Link, OpenRequest, RoutingState, Tenant, UpstreamConnection
from bridge.core.routing.subscriptions import LISTEN, Subscriptions

_SILENT_IN_MODERN = frozenset({"ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"})
_MAY_STAY = frozenset({"initialize", "server/discover", LISTEN, *_SILENT_IN_MODERN})  # and need no upstream
_PERSONS = (ASKING, State.CONFIRMING)  # who has to do something next
UNTIMED = frozenset({LISTEN, tasks.RESULT})  # what takes as long as it takes


class ExchangeRunner(Part):
    def __init__(
        self,
        state: RoutingState,
        tickets: Tickets,
        sign_in: SignInState,
        subscriptions: Subscriptions,
        met: Iterable[str],
    ) -> None:
        self.state = state
        self.sign_in = sign_in
        self.tickets = tickets
        self.subscriptions = subscriptions
        self.questions = Questions(state, self, met)

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
        """Give the server its whole time from now on, if the request is with the server."""
        if request.exchange.state is CALLING and request.method not in UNTIMED:
            request.deadline = self.state.now + request.conn.spec.timeout

    def _finish(self, request: OpenRequest) -> None:
        if self.state.open_requests.pop(request.id, None) is None:
            return
        if request.link is not None:
            request.link.open_requests.pop(request.id, None)
            request.link.requests.pop(request.exchange.request, None)
        request.conn.pending.pop(request.upstream_id, None)
        if self.questions.links.open:
            self.questions.close_links(request)
        if request.method == LISTEN:
            self.subscriptions.end_kept(request)
        for server_id in request.server_ids.values():
            self.close_inquiry(request.conn, server_id)
        if request.method == "tools/call":
            self._record(request)

    def close_inquiry(self, conn: UpstreamConnection, server_id: bytes) -> None:
        """A server's own request is over. Any of its calls may have waited for that: their clocks restart."""
        conn.asked.pop(server_id, None)
        if not conn.asked:
            for one in conn.pending.values():
                if isinstance(one, OpenRequest):
                    self.start_clock(one)

    # --- the call ------------------------------------------------------------------------------------

    def call(self, request: OpenRequest, command: Call | None = None) -> None:
        conn = request.conn
        if conn.introduction is None:
            conn.backlog.append(request)
            return
        if request.method in _MAY_STAY and self._stays(request, conn.introduction):
            return
        if request.level:
            self._set_level(request, conn.introduction)
        upstream_id = self._post(request)
        try:
            if self._adapt(request, upstream_id):
                data = jsonrpc.readdress(request.data, request.envelope, upstream_id, request.params)
            else:
                data = jsonrpc.readdress(request.data, request.envelope, upstream_id)
        except Malformed as error:
            self._unsendable(request, error)
            return
        self.state.emit(do.Send(conn.id, data))

    def _stays(self, request: OpenRequest, introduction: ServerIdentity) -> bool:
        """Whether there is nothing to send for it, now or ever."""
        try:
            if self._kept_here(request, introduction):
                return True
            here = self._answer_here(request, introduction)
        except Malformed as error:
            self._unsendable(request, error)
            return True
        if here is not None:
            self.advance(request, UpstreamReplied(here))
        return here is not None

    def _set_level(self, request: OpenRequest, introduction: ServerIdentity) -> None:
        """A legacy server is told once which log messages a modern host asks for with each request."""
        conn = request.conn
        legacy = introduction.era is Era.LEGACY and introduction.has("logging")
        level = self.subscriptions.common_level(conn, request.tenant, request.level)
        if legacy and conn.level != level:
            conn.level = level
            params = edit(b"", {"level": jsonrpc.quote(level)})
            self.state.tell(conn, "logging/setLevel", params)

    def _unsendable(self, request: OpenRequest, error: Malformed) -> None:
        body = error_body(INVALID_PARAMS, f"This {request.method} makes no sense: {error}.")
        self.advance(request, UpstreamDied(Made(error=body)))

    def _post(self, request: OpenRequest) -> bytes:
        request.upstream_id = upstream_id = b"%d" % self.state.next()
        request.conn.pending[upstream_id] = request
        self.start_clock(request)
        return upstream_id

    def _kept_here(self, request: OpenRequest, introduction: ServerIdentity) -> bool:
        """A modern host listens: a legacy server has no word for it, so that its request waits here."""
        listens = request.method == LISTEN and request.presence.era is Era.MODERN
        if listens and introduction.era is Era.LEGACY:
            self.subscriptions.keep(request, introduction, cast(Link, request.link))
            return True
        return False

    def _answer_here(self, request: OpenRequest, introduction: ServerIdentity) -> Outcome | None:
        """What needs no upstream: introductions across eras, and what the other era has no word for."""
        presence, method = request.presence, request.method
        if introduction.era is Era.LEGACY:
            if method == "initialize":
                return Made(bytes(handshake.initialize_answer(introduction.result, presence.revision)))
            if method == "server/discover":
                return Made(handshake.discover_from_initialize(introduction.result))
        elif method == "initialize":
            return Made(handshake.initialize_from_discover(introduction.result, presence.revision))
        elif method in _SILENT_IN_MODERN:
            self._heed(request)
            return Made(b"{}")
        return None

    def _heed(self, request: OpenRequest) -> None:
        """What a legacy host says once, a modern server hears by other requests."""
        if request.method == "logging/setLevel":
            self.subscriptions.set_level(request.tenant, request.envelope.params)
        elif request.method != "ping":
            self.subscriptions.subscribe(request)

    def _adapt(self, request: OpenRequest, upstream_id: bytes) -> bool:
        """Give the request the params its upstream needs. False: the host's own are right as they are."""
        introduction, presence = request.conn.introduction, request.presence
        params = request.params or request.envelope.params
        changed = bool(request.params)
        to_modern = introduction is not None and introduction.era is MODERN
        from_modern = presence.era is MODERN
        if to_modern and not (from_modern and presence.can >= DESK_CAN):
            params = translate.modern_params(
                params, presence.capabilities, presence.info, request.tenant.level
            )
            changed = True
        elif from_modern and not to_modern:
            params = translate.legacy_params(params)
            changed = True
        if request.token:
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
        """The same request, for the next page of a list."""
        upstream_id = self._post(request)
        params = request.params or request.envelope.params
        request.params = edit(params, {"cursor": jsonrpc.quote(cursor)})
        self._adapt(request, upstream_id)
        data = jsonrpc.request(upstream_id, request.method, request.params)
        self.state.emit(do.Send(request.conn.id, data))

    def _respond(self, request: OpenRequest, answers: dict[str, Outcome]) -> None:
        """A live call gets its answers as responses to the server's own requests, a task by our request."""
        conn = request.conn
        if request.task:
            self._update(request, {key: outcome.result for key, outcome in answers.items()})
            return
        for key, outcome in answers.items():
            server_id = request.server_ids.pop(key)
            data, _ = addressed(outcome, server_id, "The host")
            self.state.emit(do.Send(conn.id, data))
            self.close_inquiry(conn, server_id)

    def _update(self, request: OpenRequest, answers: dict[str, bytes]) -> None:
        host = request.presence
        params = translate.modern_params(tasks.update(request.task, answers), host.capabilities, host.info)
        self.state.tell(request.conn, tasks.UPDATE, params)

    def _abandon(self, request: OpenRequest, command: Abandon) -> None:
        conn, state = request.conn, self.state
        if request in conn.backlog:
            conn.backlog.remove(request)
        if conn.pending.pop(request.upstream_id, None) is not None:
            conn.limits.expect(request.upstream_id)
            body = b'{"requestId":' + request.upstream_id + b',"reason":"The answer is no longer wanted."}'
            state.emit(do.Send(conn.id, jsonrpc.notification("notifications/cancelled", body)))

    # --- questions -----------------------------------------------------------------------------------

    def _ask(self, request: OpenRequest, command: Ask) -> None:
        question = command.asked.question
        if not question.asked_at:
            question = self.state.dated(question)
        self.questions.ask(request, command.key, question)

    def _ask_confirm(self, request: OpenRequest, command: AskConfirm) -> None:
        self.questions.ask(request, CONFIRM_KEY, command.question)

    def _relay(self, request: OpenRequest, command: Relay) -> None:
        link = cast(Link, request.link)  # an Exchange relays only to a host that is there
        if request.exchange.via is Via.HOST_RETURNS:
            self._hand_back(request, link, command)
            return
        for key, asked in command.questions.items():
            host_id = request.relayed[key] = b"%d" % self.state.next()
            link.asked[host_id] = (request, key)
            data = jsonrpc.request(host_id, asked.method, asked.params)
            self.state.emit(do.Deliver(link.id, data, command.request))

    def _expire(self, request: OpenRequest) -> None:
        """What the host has not answered in time counts as cancelled, and the host is told."""
        state = self.state
        for key, asked in list(request.exchange.open.items()):
            question = asked.question
            if key in request.relayed and 0.0 < question.deadline <= state.epoch:
                self.questions.record(question, "expired", request)
                self.advance(request, Expired(key))

    def _hand_back(self, request: OpenRequest, link: Link, command: Relay) -> None:
        """The host gets its request back with our Ticket; the call stays parked upstream."""
        state = self.state
        request.round += 1
        request.deadline = state.now + state.question_limit
        bound = binding(link.tenant.key, request.method, request.target, request.arguments)
        ticket = self.tickets.mint(request.id, request.round, bound, state.epoch + state.question_limit)
        requests = {key: elicitation.input_request(asked) for key, asked in command.questions.items()}
        reply = jsonrpc.response(command.request, elicitation.input_required(requests, ticket))
        link.open_requests.pop(request.id, None)
        link.requests.pop(command.request, None)
        request.link = None
        state.emit(do.Deliver(link.id, reply, command.request, True))

    def _withdraw(self, request: OpenRequest, command: Withdraw) -> None:
        for key in command.keys or (CONFIRM_KEY,):
            self.questions.withdraw(request, key)
            host_id = request.relayed.pop(key, b"")
            if request.link is not None and request.link.asked.pop(host_id, None) is not None:
                request.link.tenant.limits.expect(host_id)
                body = b'{"requestId":' + host_id + b"}"
                self.tell(request, jsonrpc.notification("notifications/cancelled", body))

    # --- the end -------------------------------------------------------------------------------------

    def tell(self, request: OpenRequest, data: bytes, final: bool = False) -> None:
        """Say something about the request to its host, if it is there."""
        if request.link is not None:
            self.state.emit(do.Deliver(request.link.id, data, request.exchange.request, final))

    def _reply(self, request: OpenRequest, command: Reply) -> None:
        data, failed = addressed(command.outcome, command.request, request.conn.spec.name)
        failed = failed or (request.method == "tools/call" and translate.reply_is_tool_error(data))
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
        arguments, reply, begun = request.arguments, request.reply, request.id if request.begun else 0
        state.emit(
            do.Record(
                "call",
                host,
                server,
                request.name,
                request.replied,
                took,
                len(reply),
                "",
                facts,
                arguments,
                reply,
                begun,
            )
        )

    # --- time and closed Links -----------------------------------------------------------------------

    def time_passed(self, now: float) -> None:
        for request in [one for one in self.state.open_requests.values() if one.relayed]:
            self._expire(request)
        for request in list(self.state.open_requests.values()):
            if self.sign_in.awaits_person(request.conn.spec.name):
                self.start_clock(request)
            if request.deadline and request.deadline <= now and not self._awaits_person(request):
                self._run_out(request)

    def _awaits_person(self, request: OpenRequest) -> bool:
        """True if a person has to act before the server can go on.

        A server does not say for which of its calls it asks: none of them runs out, save those of other
        hosts where the asking host is known.
        """
        if self.questions.links.of(request):
            return True
        asking = (asker.tenant for asker, _ in request.conn.asked.values())
        return request.exchange.state is CALLING and any(
            tenant in (request.tenant, request.conn.tenant) for tenant in asking
        )

    def _run_out(self, request: OpenRequest) -> None:
        server = request.conn.spec
        words = handshake.unanswered(server.name, server.timeout)
        self.advance(request, TimedOut(Made(error=self.state.sorry(UNANSWERED, words))))

    def link_closed(self, link: Link) -> None:
        link.asked.clear()  # nothing can be sent to it any more
        for request in list(link.open_requests.values()):
            self.advance(request, HostLeft())

    def tenant_closed(self, tenant: Tenant) -> None:
        for request in [one for one in self.state.open_requests.values() if one.tenant is tenant]:
            self.advance(request, HostLeft())

    def close(self) -> None:
        """Answer every open request: Deskbell quits."""
        closing = Made(error=error_body(INTERNAL_ERROR, "Deskbell is closing."))
        for request in list(self.state.open_requests.values()):
            self.advance(request, TimedOut(closing))


def addressed(outcome: Outcome, request_id: bytes, sender: str) -> tuple[bytes, bool]:
    """An outcome on its way to whoever asked, and whether it failed."""
    try:
        return outcome.wire(request_id), outcome.failed
    except Malformed as error:
        text = f"{sender} sent an answer that cannot be passed on: {error}."
        return jsonrpc.failure(request_id, error_body(INTERNAL_ERROR, text)), True


_CARRY_OUT: dict[type, Callable[[ExchangeRunner, OpenRequest, Any], None]] = {
    Call: ExchangeRunner.call,
    Ask: ExchangeRunner._ask,
    AskConfirm: ExchangeRunner._ask_confirm,
    Relay: ExchangeRunner._relay,
    Withdraw: ExchangeRunner._withdraw,
    Resume: ExchangeRunner._resume,
    Reply: ExchangeRunner._reply,
    Abandon: ExchangeRunner._abandon,
}
