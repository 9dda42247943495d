"""Messages from hosts: requests, replies to our own requests, notifications. Pure.

Finds or opens the OpenRequest a message belongs to, and advances its Exchange.
"""

from __future__ import annotations

from typing import cast

import msgspec

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.exchange.events import (
    Admitted,
    CallRefused,
    CheckNeeded,
    ConfirmNeeded,
    ExchangeEvent,
    HostLeft,
)
from bridge.core.exchange.state_machine import Exchange, State
from bridge.core.exchange.who_asks import DESK, AskChannel
from bridge.core.policy.rules import EVERYONE, PolicyDecision, Verdict
from bridge.core.policy.tool_pins import hints
from bridge.core.protocol import elicitation, handshake, jsonrpc, tasks
from bridge.core.protocol.ambiguous_json import Ambiguous, refuse_lookalikes, refuse_repeats, spellings
from bridge.core.protocol.jsonrpc import Envelope, Malformed
from bridge.core.protocol.methods import HOST_NOTIFICATIONS, refuse_lookalike
from bridge.core.protocol.request_state import is_ours
from bridge.core.protocol.revisions import MODERN_REVISION, REMOVED, RESUMABLE, UNSUPPORTED_VERSION, Era
from bridge.core.protocol.tool_names import NoRoute
from bridge.core.protocol.translate import Meta, Params
from bridge.core.questions.question import Mode, Question
from bridge.core.routing.asking.host_replies import HostReplies
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.held import wait_tool
from bridge.core.routing.held.held_entry import handed_key
from bridge.core.routing.lists.merged_server import MergedServer, RouteTarget
from bridge.core.routing.notifications import CancelledParams
from bridge.core.routing.peer_limits import MOST_NOTES
from bridge.core.routing.shared_servers import SharedServers
from bridge.core.routing.state import Link, OpenRequest, RoutingState, Subscription, UpstreamConnection

MOST_SHOWN = 2000  # bytes of a call's arguments in an approval that its host shows
MOST_REQUESTS = 10_000  # open requests of one host
HOST_RETURNS = AskChannel.HOST_RETURNS  # fast enums: see state_machine.py
_ADMITTED, _UNCHECKED = Admitted(), CheckNeeded()
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
        self.replies = HostReplies(state, runner)
        self.held = runner.held
        self.merged_server = merged_server
        self.connections = merged_server.connections
        self.lists = merged_server.lists
        self.shared_servers = shared_servers
        self.own_list_requests = self.connections.own_list_requests
        self.own_list_requests.judge = self._judge

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
                if self._has_policy(link):
                    _refuse_lookalikes(data, envelope)
                self.replies.answered(link, data, envelope)
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
                self.replies.returned(link, request_id, method, params)
                return
            if params.name == wait_tool.NAME and self.held.wait(link, request_id, params):
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
                f"The parameters of {method} are not valid: {error}.",
            )
        except NoRoute as error:
            state.refuse(link, request_id, error.code, error.args[0])

    def _has_policy(self, link: Link) -> bool:
        policy = self.state.policy
        return policy.has_rules or bool(policy.presets) or link.tenant.rule.tools is not None

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
        if self.connections.retired.conns and envelope.method in tasks.BY_TASK:
            task = jsonrpc.read(tasks.Task, envelope.params).task_id
            retired = self.connections.retired.with_task(link.tenant, task)
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
        via = tenant.via
        if via is HOST_RETURNS and method == "tools/call" and not len(params.input_responses):
            arguments = bytes(params.arguments)
            self.runner.relayed.made_again(tenant, conn, name or params.name, arguments)
            self.runner.host_reply_trust.made_again(tenant, conn, name or params.name, arguments)
        may_repeat = self.held.calls or (link.open_requests and self.questions.desk)
        if may_repeat and method == "tools/call" and self._takes_up(link, target, envelope, params):
            return
        if via is not DESK and (link.caller.plain or (via is HOST_RETURNS and method not in RESUMABLE)):
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
            self.runner.host_reply_trust.weigh_retry(request, params)
        if method != "tools/call":
            self.runner.begin(request, _ADMITTED)
            return
        link.calls += 1
        verdict = self._verdict(link, request)
        if verdict is not _UNCHECKED:
            self.runner.begin(request, verdict)
        else:
            self.runner.begin_unjudged(request)
            self.own_list_requests.wait(request)

    def _judge(self, request: OpenRequest) -> None:
        """Let the Policy decide on a call that waited for its server's tools, if its host still waits."""
        if request.exchange.state is State.NEW:
            self.runner.judged(request, self._verdict(cast(Link, request.link), request))

    def _takes_up(self, link: Link, target: RouteTarget, envelope: Envelope, params: Params) -> bool:
        """True if this call goes on with an earlier one that its host left, and is not made."""
        request_id, tool = bytes(envelope.id), target.name or params.name
        if not len(params.input_responses):
            return self.held.repeats(link, request_id, target.conn, tool, params)
        key = handed_key(link.tenant, params.name, bytes(params.arguments), params.request_state)
        entry = self.held.returned(key)
        if entry is not None:
            self.replies.returned_late(link, request_id, entry, params)
        return entry is not None

    def _verdict(self, link: Link, request: OpenRequest) -> ExchangeEvent:
        state, server, rule = self.state, request.conn.spec.name, link.tenant.rule
        policy = state.policy
        if rule.tools is None and not policy.has_rules and server not in policy.presets:
            return _ADMITTED
        names = state.spellings(server, request.name)
        request.public = public = names[0]
        if not rule.offers(*names):
            reason = f"The settings of Deskbell do not offer {public} to this application."
            return CallRefused(request.refusal(reason))
        ruling = state.ruling(server, request.name, link.tenant.name)
        if ruling.verdict is Verdict.DENY:
            reason = policy.reason or f"The settings of Deskbell do not allow {public}."
            return CallRefused(request.refusal(reason))
        if ruling.verdict is Verdict.CONFIRM:
            if request.name in request.conn.spec.asks_itself or self._is_allowed_for_now(link, request):
                return _ADMITTED
            return self._confirm(link, request, ruling, f"{request.name} is about to be called.")
        if not ruling.by_rule or request.conn.spec.builtin:
            return _ADMITTED
        if self.own_list_requests.is_needed(request.conn):
            return _UNCHECKED
        change = self._change(request)
        if not change:
            return _ADMITTED
        words = f"{request.name} of {server} has changed since you allowed it."
        return self._confirm(link, request, ruling, words, change)

    def _is_allowed_for_now(self, link: Link, request: OpenRequest) -> bool:
        state = self.state
        definition = state.pins.definition(request.conn.spec.name, request.name)
        return state.allowances.covers(link.tenant.name, request.public, definition, state.now)

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
        tool = state.pins.summary(server, request.name)
        question = Question(
            f"q{state.next()}",
            Mode.CONFIRM,
            server,
            link.tenant.name,
            words,
            tool=request.name,
            arguments=state.mask.mask_arguments(request.arguments),
            scope=ruling.table if ruling.table != EVERYONE else "",
            hints=hints(tool),
            tool_title=tool.title,
            tool_about=tool.description,
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
        return ConfirmNeeded(question, request.refusal(text), through_host)

    # --- notifications -------------------------------------------------------------------------------

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
        if envelope.method not in HOST_NOTIFICATIONS:
            text = f"It sent {(envelope.method or '')[:40]!r} as a notification, and it was not passed on."
            self.state.record_host_problem(link, "unknown", text)
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
    """Refuse look-alike keys and methods: a server might run what the policy never saw."""
    refuse_lookalikes(data, _TAKEN_FOR)
    refuse_lookalike(envelope.method or "")
    if jsonrpc.is_object(envelope.params):
        refuse_lookalikes(envelope.params, _TAKEN_FOR)


def _params(method: str, envelope: Envelope) -> Params:
    """Return the params that we read; for methods we do not touch, only `_meta`."""
    if method in RESUMABLE:
        return jsonrpc.read(Params, envelope.params)
    if jsonrpc.is_object(envelope.params):
        return Params(meta=jsonrpc.read(_MetaOnly, envelope.params).meta)
    return Params()
