"""Messages from hosts: requests, replies to our own requests, notifications. Pure.

Finds or opens the OpenRequest a message belongs to, and advances its Exchange.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Raw

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.exchange.events import (
    Admitted,
    Answered,
    CallRefused,
    ConfirmNeeded,
    HostCouldNot,
    HostLeft,
    HostReturned,
)
from bridge.core.exchange.replies import DESK_CAN
from bridge.core.exchange.state_machine import CONFIRM_KEY, Exchange, State
from bridge.core.exchange.who_asks import DESK, AskChannel
from bridge.core.policy.rules import EVERYONE, PolicyDecision, Verdict
from bridge.core.protocol import elicitation, handshake, jsonrpc, tasks
from bridge.core.protocol.ambiguous_json import Ambiguous, refuse_lookalikes, refuse_repeats, spellings
from bridge.core.protocol.jsonrpc import Envelope, ForwardedReply, Malformed, Outcome, OwnReply, members
from bridge.core.protocol.request_state import TicketRefused, is_ours
from bridge.core.protocol.revisions import MODERN_REVISION, REMOVED, RESUMABLE, UNSUPPORTED_VERSION, Era
from bridge.core.protocol.tool_names import NoRoute
from bridge.core.protocol.translate import Meta, Params, refusal_result
from bridge.core.questions.question import Mode, Question
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.held_calls import WAIT
from bridge.core.routing.lists.merged_server import MergedServer, RouteTarget
from bridge.core.routing.notifications import CancelledParams
from bridge.core.routing.peer_limits import MOST_NOTES
from bridge.core.routing.shared_servers import SharedServers
from bridge.core.routing.state import Link, OpenRequest, RoutingState, Subscription, UpstreamConnection

MOST_SHOWN = 2000  # bytes of a call's arguments in an approval that its host shows
MOST_REQUESTS = 10_000  # open requests of one host
_ADMITTED = Admitted()
_MESSAGE = ("jsonrpc", "id", "method", "params", "result", "error")
_PARAMS = ("name", "arguments", "uri", "_meta", "task", "taskId", "inputResponses", "requestState")
_TAKEN_FOR = spellings((*_MESSAGE, *_PARAMS))  # keys that are read of hosts' messages


class _MetaOnly(msgspec.Struct, frozen=True):
    meta: Meta = msgspec.field(default=Meta(), name="_meta")


class FromHosts:
    def __init__(
        self,
        state: RoutingState,
        runner: ExchangeRunner,
        merged_server: MergedServer,
        shared_servers: SharedServers,
    ) -> None:
        self.state = state
        self.runner = runner
        self.questions = runner.questions
        self.held = runner.held
        self.merged_server = merged_server
        self.connections = merged_server.connections
        self.lists = merged_server.lists
        self.shared_servers = shared_servers

    def sent(self, event: ev.HostSent) -> None:
        link = self.state.links.get(event.link)
        if link is None:
            return
        try:
            for data in jsonrpc.elements(event.data) if event.data[:1] == b"[" else (event.data,):
                self._receive(link, data)
        except Malformed as error:
            self._refuse_to_read(link, error)

    def _refuse_to_read(self, link: Link, error: Malformed) -> None:
        self._complain(link, error)
        body = jsonrpc.error_body(jsonrpc.PARSE_ERROR, f"This is not a JSON-RPC message: {error}.")
        self.state.emit(do.Deliver(link.id, jsonrpc.failure(b"", body)))

    def _complain(self, link: Link, error: Malformed) -> None:
        kind, what = "malformed", "what is no message"
        if isinstance(error, Ambiguous):
            kind, what = "doubtful", "what can be read in two ways, and it was not passed on"
        self.state.record_host_problem(link, kind, f"It sent {what}: {error}.")

    def _receive(self, link: Link, data: bytes) -> None:
        try:
            envelope = jsonrpc.peek(data)
            if envelope.method is None:
                self._answered(link, data, envelope)
            elif len(envelope.id):
                self._requested(link, data, envelope)
            else:
                self._receive_notification(link, data, envelope)
        except Malformed as error:  # the rest of a batch may be fine
            self._refuse_to_read(link, error)

    # --- requests ------------------------------------------------------------------------------------

    def _requested(self, link: Link, data: bytes, envelope: Envelope) -> None:
        state, request_id, method = self.state, bytes(envelope.id), envelope.method or ""
        if request_id in link.requests:
            text = f"A request with the id {request_id.decode(errors='replace')} is still open."
            body = jsonrpc.error_body(jsonrpc.INVALID_REQUEST, text)
            state.emit(
                do.Deliver(link.id, jsonrpc.failure(request_id, body))
            )  # not final: the open request still gets its reply
            state.record_host_problem(link, "duplicate", f"It used an id again. {text}")
            return
        if len(link.requests) >= MOST_REQUESTS:
            text = f"More than {MOST_REQUESTS} requests are open at once."
            state.refuse(link, request_id, jsonrpc.INTERNAL_ERROR, text)
            state.record_host_problem(link, "flood", text)
            return
        try:
            params = _params(method, envelope)
            if self._has_policy(link):
                _refuse_lookalikes(data, envelope)
                if method in RESUMABLE or method in tasks.BY_TASK:
                    refuse_repeats(envelope.params)
            if params.meta.version > MODERN_REVISION:
                versions = {"supported": [MODERN_REVISION], "requested": params.meta.version}
                state.refuse(link, request_id, UNSUPPORTED_VERSION, "Unsupported protocol version", versions)
                return
            if params.meta.version == MODERN_REVISION and method in REMOVED:
                state.refuse(
                    link, request_id, jsonrpc.METHOD_NOT_FOUND, f"{MODERN_REVISION} has no {method}."
                )
                return
            self._identify_host(link, method, envelope, params.meta)
            if params.request_state is not None and is_ours(params.request_state):
                self._returned(link, request_id, method, params)
                return
            if params.name == WAIT and self.held.wait(link, request_id, params):
                return
            if link.merged:
                target = self.merged_server.route(link, envelope, params)
            else:
                target = RouteTarget(self._conn(link, envelope), params.name)
            if target is not None:
                self._open(link, target, data, envelope, params)
        except Malformed as error:
            if isinstance(error, Ambiguous):
                self._complain(link, error)
            state.refuse(
                link,
                request_id,
                jsonrpc.INVALID_PARAMS,
                f"The parameters of {method} make no sense: {error}.",
            )
        except NoRoute as error:
            state.refuse(link, request_id, error.code, error.args[0])

    def _has_policy(self, link: Link) -> bool:
        return self.state.policy.has_rules or link.tenant.rule.tools is not None

    def _identify_host(self, link: Link, method: str, envelope: Envelope, meta: Meta) -> None:
        """Note who the host is: by its initialize, or by the `_meta` of each modern request."""
        tenant = link.tenant
        tenant.used = self.state.now
        known = tenant.presence
        if method == "initialize":
            tenant.presence = handshake.host_from_initialize(envelope.params)
        elif meta.version == MODERN_REVISION and (
            known.era is Era.LEGACY
            or known.capabilities != bytes(meta.capabilities)
            or known.info != bytes(meta.info)
        ):
            tenant.presence = handshake.host_from_meta(meta)
        if tenant.presence is not known:
            self.state.identify(tenant)

    def _conn(self, link: Link, envelope: Envelope) -> UpstreamConnection:
        if self.connections.leaving and envelope.method in tasks.BY_TASK:
            task = jsonrpc.read(tasks.Task, envelope.params).task_id
            retired = self.connections.retired_with(link.tenant, task)
            if retired is not None:
                return retired
        wrap = link.caller.wrap
        if wrap is not None:
            return link.tenant.conns.get(wrap.name) or self.connections.connect(link.tenant, wrap)
        return self.merged_server.conn(link, link.caller.server)

    def _open(self, link: Link, target: RouteTarget, data: bytes, envelope: Envelope, params: Params) -> None:
        """Open an Exchange for this request and let the Policy decide."""
        state, presence, method = self.state, link.tenant.presence, envelope.method or ""
        conn, name, changed = target
        if conn.spec.shared:
            if self.shared_servers.answers(link, conn, envelope):
                return
            changed = self.shared_servers.admitted(link.tenant, conn, envelope, changed)
        tenant = link.tenant
        if method == "tools/call" and (self.held.calls or self.questions.desk):
            repeated = self.held.repeats(link, bytes(envelope.id), conn, name or params.name, params)
            if repeated:
                return
        via = tenant.via
        if via is not DESK and (
            link.caller.plain or (via is AskChannel.HOST_RETURNS and method not in RESUMABLE)
        ):
            via = DESK
        can = tenant.can - conn.hidden if conn.hidden else tenant.can
        exchange = Exchange(bytes(envelope.id), via, can, conn.here)
        called = params.name or params.uri
        request = OpenRequest(
            state.next(),
            exchange,
            link,
            link.tenant,
            conn,
            presence,
            method,
            called,
            name or called,
            arguments=bytes(params.arguments),
            data=data,
            envelope=envelope,
            params=changed,
            token=bytes(params.meta.progress_token),
            level=params.meta.log_level,
            merged=link.merged,
            may_last=len(params.task) > 0 or presence.tasks,
            started=state.now,
            waits_since=state.now,
        )
        if len(params.input_responses):
            self.runner.host_answers.weigh_retry(request, params)
        self.runner.begin(request, self._verdict(link, request) if method == "tools/call" else _ADMITTED)

    def _verdict(self, link: Link, request: OpenRequest) -> Admitted | CallRefused | ConfirmNeeded:
        state, server, rule = self.state, request.conn.spec.name, link.tenant.rule
        link.calls += 1
        if rule.tools is None and not state.policy.has_rules:
            return _ADMITTED
        names = state.spellings(server, request.name)
        request.public = public = names[0]
        if not rule.offers(*names):
            reason = f"The settings of Deskbell do not offer {public} to this application."
            return CallRefused(refusal_result(reason, request.presence.era))
        if not state.policy.has_rules:
            return _ADMITTED
        ruling = state.policy.ruling(*names, host=link.tenant.name)
        if ruling.verdict is Verdict.DENY:
            reason = state.policy.reason or f"The settings of Deskbell do not allow {public}."
            return CallRefused(refusal_result(reason, request.presence.era))
        if ruling.verdict is Verdict.CONFIRM:
            if request.name in request.conn.spec.asks_itself:
                return _ADMITTED
            return self._confirm(link, request, ruling, f"{request.name} is about to be called.")
        change = self._change(request) if ruling.by_rule and not request.conn.spec.builtin else ""
        if not change:
            return _ADMITTED
        words = f"{request.name} of {server} has changed since you allowed it."
        return self._confirm(link, request, ruling, words, change)

    def _change(self, request: OpenRequest) -> str:
        """Return how the tool differs from the allowed one. A tool seen for the first time is trusted."""
        pins, server = self.state.pins, request.conn.spec.name
        if pins.trust(server, request.name):
            self.state.emit(do.SavePins())
        return pins.change(server, request.name)

    def _confirm(
        self, link: Link, request: OpenRequest, ruling: PolicyDecision, words: str, change: str = ""
    ) -> ConfirmNeeded:
        state, server = self.state, request.conn.spec.name
        question = Question(
            f"q{state.next()}",
            Mode.CONFIRM,
            server,
            link.tenant.name,
            words,
            tool=request.name,
            arguments=request.shown_arguments,
            scope=ruling.table if ruling.table != EVERYONE else "",
            hints=state.pins.hints(server, request.name),
            change=change,
        )
        request.table = ruling.table
        text = f"The person did not allow {request.public}. Do not try again unless they ask for it."
        question = state.dated(question)
        through_host = None
        exchange = request.exchange
        if not state.has_desk and exchange.via is not DESK and Mode.FORM in exchange.can:
            shown = question.arguments[:MOST_SHOWN].decode(errors="replace")
            message = "\n\n".join(filter(None, (words, change, shown, f"Allow {request.public}?")))
            through_host = elicitation.approval(question, message)
        return ConfirmNeeded(question, refusal_result(text, request.presence.era), through_host)

    def _returned(self, link: Link, request_id: bytes, method: str, params: Params) -> None:
        """Resume the call whose Ticket a modern host brings back."""
        try:
            request = self.runner.relayed.find(link, method, params)
        except TicketRefused as refusal:
            self.state.refuse(link, request_id, jsonrpc.INVALID_PARAMS, str(refusal))
            return
        token = bytes(params.meta.progress_token)
        if request.exchange.state is State.CONFIRMING_AWAY:
            self._approval_returned(link, request_id, request, token, members(params.input_responses))
            return
        answers: dict[str, Outcome] = {}
        unshown: list[str] = []
        for key, raw in members(params.input_responses).items():
            outcome = self._weighed(request, key, OwnReply(bytes(raw)))
            if outcome is None:
                unshown.append(key)
            else:
                answers[key] = outcome
        self.runner.host_returned(request, link, token, HostReturned(request_id, answers, tuple(unshown)))

    def _approval_returned(
        self, link: Link, request_id: bytes, request: OpenRequest, token: bytes, given: Mapping[str, Raw]
    ) -> None:
        answers: dict[str, Outcome] = {
            key: OwnReply(bytes(raw)) for key, raw in given.items() if key == CONFIRM_KEY
        }
        event = self.runner.host_answers.approval(request, answers[CONFIRM_KEY]) if answers else None
        self.runner.host_returned(request, link, token, HostReturned(request_id, answers))
        if event is not None:
            self.runner.advance(request, event)

    # --- answers and notifications -------------------------------------------------------------------

    def _answered(self, link: Link, data: bytes, envelope: Envelope) -> None:
        """Take a host's reply to a request of ours; a reply to nothing is recorded and dropped."""
        if self._has_policy(link):
            _refuse_lookalikes(data, envelope)
        found = self.runner.relayed.take(link, bytes(envelope.id))
        if found is None:
            if not link.tenant.limits.take_abandoned(bytes(envelope.id)):
                shown_id = bytes(envelope.id).decode(errors="replace")[:40] or "none"
                text = f"It answered what nobody asked, or what is over: id {shown_id}."
                self.state.record_host_problem(link, "stray", text)
            return
        request, key = found
        outcome: Outcome = ForwardedReply(data, envelope)
        if request.merged and not outcome.failed and tasks.NAMED in data:
            outcome = OwnReply(tasks.own(envelope.result))
        if request.exchange.state is State.CONFIRMING:
            event = self.runner.host_answers.approval(request, outcome, bytes(envelope.error))
            self.runner.advance(request, event)
            return
        answer = self._weighed(request, key, outcome, bytes(envelope.error))
        self.runner.advance(request, HostCouldNot(key) if answer is None else Answered(key, answer))

    def _weighed(
        self, request: OpenRequest, key: str, outcome: Outcome, error: bytes = b""
    ) -> Outcome | None:
        """Return the answer that a host's reply amounts to; None if it has shown the Question to nobody."""
        asked = request.exchange.open.get(key)
        if asked is None or asked.question.mode not in DESK_CAN:
            cannot = error and asked is not None and asked.question.mode in request.exchange.here
            return None if cannot and elicitation.cannot_ask(error) else outcome
        return self.runner.host_answers.believe(request, asked, outcome, error)

    def _receive_notification(self, link: Link, data: bytes, envelope: Envelope) -> None:
        if self._has_policy(link):
            _refuse_lookalikes(data, envelope)
        if envelope.method == "notifications/cancelled":
            self._cancelled(link, jsonrpc.read(CancelledParams, envelope.params))
            return
        if link.tenant.limits.is_flood(self.state.now):
            text = f"It sent more than {MOST_NOTES} notifications in a second; the rest was not passed on."
            self.state.record_host_problem(link, "flood", text)
            return
        if envelope.method == "notifications/initialized":
            link.initialized = True
        for conn in link.tenant.conns.values():
            own = conn.tenant is link.tenant  # a shared server gets no host's notifications
            if own and conn.era is Era.LEGACY:
                self.state.emit(do.Send(conn.id, data))

    def _cancelled(self, link: Link, params: CancelledParams) -> None:
        found = link.requests.get(bytes(params.request_id))
        if isinstance(found, OpenRequest):
            if not self.held.cancelled(found, bytes(params.reason).decode(errors="replace")):
                self.runner.advance(found, HostLeft())
        elif isinstance(found, Subscription):
            self.runner.subscriptions.end(found)
        elif found is not None:
            self.lists.abandon(found)


def _refuse_lookalikes(data: bytes, envelope: Envelope) -> None:
    """Refuse look-alike keys: a server might run what the policy never saw."""
    refuse_lookalikes(data, _TAKEN_FOR)
    if jsonrpc.is_object(envelope.params):
        refuse_lookalikes(envelope.params, _TAKEN_FOR)


def _params(method: str, envelope: Envelope) -> Params:
    """Return the params that we read; for methods we do not touch, only `_meta`."""
    if method in RESUMABLE:
        return jsonrpc.read(Params, envelope.params)
    if jsonrpc.is_object(envelope.params):
        return Params(meta=jsonrpc.read(_MetaOnly, envelope.params).meta)
    return Params()
