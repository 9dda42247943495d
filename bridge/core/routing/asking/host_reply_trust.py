"""Decide, by how quickly a host replied to a Question, whether a person can have seen it. Pure.

| within 300 ms a host … | then |
|---|---|
| declines, cancels or fails | the Desk asks; a host that refused is not asked again |
| accepts a link, a mere yes, or empty required fields | the Desk asks; without one, ours is not answered |
| accepts a form with fields | it is believed, and marked in history |

Without a Desk a refusal is believed too: nobody else could be asked. On a busy machine the Desk asks after
replies that took longer than 300 ms, too; a host that refused so is asked again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.exchange.events import Admitted, Confirmed, ExchangeEvent
from bridge.core.exchange.replies import CANCELLED, DESK_CAN
from bridge.core.exchange.state_machine import CONFIRM_KEY, Exchange
from bridge.core.policy.unshown_questions import SILENCE, is_quick, notice
from bridge.core.protocol import elicitation, jsonrpc
from bridge.core.protocol.elicitation import ServerQuestion
from bridge.core.protocol.jsonrpc import Outcome, OwnReply, members
from bridge.core.protocol.translate import Params
from bridge.core.questions.question import DECLINE, NOBODY, Action, Answer, Question
from bridge.core.routing.asking.open_questions import Questions
from bridge.core.routing.asking.unanswered import unapproved
from bridge.core.routing.held.held_entry import SILENT, HandedKey, handed_key, same
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import OpenRequest, RoutingState, Tenant, UpstreamConnection

if TYPE_CHECKING:
    from bridge.core.routing.exchange_runner import ExchangeRunner

MOST_HANDED = 100  # of one host
_NOBODY_SAW = OwnReply(NOBODY.result(why=True))


class _HandedOver(NamedTuple):
    """A modern server's Questions that its host got as they are."""

    request: OpenRequest
    questions: dict[str, ServerQuestion]
    state: str  # the server's requestState; "" without one


_Handed = dict[HandedKey, _HandedOver]


class HostReplyTrust(RouterPart):
    def __init__(self, state: RoutingState, questions: Questions, runner: ExchangeRunner) -> None:
        self._state = state
        self._questions = questions
        self._runner = runner
        self._handed: dict[Tenant, _Handed] = {}

    def believe(
        self, request: OpenRequest, asked: ServerQuestion, outcome: Outcome, error: bytes = b""
    ) -> Outcome | None:
        """Return the answer that a host's reply to a Question amounts to; None if nobody can have seen the
        Question. `error`: of a reply that failed.
        """
        state, question = self._state, asked.question
        waited = state.epoch - question.asked_at
        quick, unseen = is_quick(waited), state.has_desk and is_quick(waited, state.load)
        if outcome.failed:
            if unseen or elicitation.cannot_ask(error):
                return None
            return outcome if request.exchange.ticket is None else CANCELLED  # a retry carries no error
        accepts = elicitation.accepted(outcome.result)
        if unseen and not accepts:
            if quick:
                self._remember(request.tenant)
            return None
        hasty = unseen or (quick and question.consent)
        if hasty and accepts and self._needs_more(question, outcome):
            self._record_haste(question)
            return None if unseen else _NOBODY_SAW
        if not quick:
            state.unshown.answered(request.tenant.name)
        self._questions.host_answered(question, outcome, request, quick)
        return outcome

    def _needs_more(self, question: Question, outcome: Outcome) -> bool:
        """True if a quick accept proves nothing: it is a mere yes, or required fields are empty."""
        return elicitation.is_confirmation(question) or elicitation.is_unfilled(question, outcome.result)

    def approval(self, request: OpenRequest, outcome: Outcome, error: bytes = b"") -> ExchangeEvent:
        """Return what a host's reply to an approval amounts to."""
        asked = request.exchange.open[CONFIRM_KEY]
        answer = self.believe(request, asked, outcome, error)
        if answer is None or answer is _NOBODY_SAW or answer.failed:
            return unapproved(self._state, request, asked.question, NOBODY)
        return Confirmed(Answer(Action.ACCEPT) if elicitation.says_yes(answer.result) else DECLINE)

    def _remember(self, tenant: Tenant) -> None:
        """Have the Desk asked in place of this host from now on."""
        state, host = self._state, tenant.name
        if state.unshown.refuse(host, state.epoch):
            state.emit(do.Record("notice", host, outcome="auto-decline", detail=notice(host)))
            self._changed(host)

    def forget(self, event: ev.RefusalForgotten) -> None:
        """Ask this host again, because the person wants to."""
        if self._state.unshown.forget(event.host):
            self._changed(event.host)

    def _changed(self, host: str) -> None:
        state = self._state
        state.emit(do.SaveRefusals())
        for tenant in state.tenants.values():
            if tenant.name == host:
                state.identify(tenant)

    def _record_haste(self, question: Question) -> None:
        text = "It said yes sooner than anybody can read the question: that yes did not count."
        record = do.Record("notice", question.host, question.server, question.tool, "too quick", detail=text)
        self._state.emit(record)

    # --- Questions that a modern host has from a modern server, word for word ------------------------------

    def hand_over(self, request: OpenRequest, questions: dict[str, ServerQuestion], state: str) -> None:
        """Note that the host got these Questions as they are; `state`: the server's requestState.

        The Exchange ends there; how quickly the host retries tells whether anybody was asked. A host that
        does not retry is silent. A server that only wants a retry asks nothing.
        """
        if not questions:
            return
        handed = self._handed.setdefault(request.tenant, {})
        if len(handed) >= MOST_HANDED:
            handed.clear()
        key = handed_key(request.tenant, request.target, request.arguments, state)
        handed[key] = _HandedOver(request, questions, state)

    @property
    def waits(self) -> bool:
        """True if a host has Questions that the Desk takes over unless the host replies."""
        return any(self._handed.values())

    def time_passed(self, now: float) -> None:
        for tenant, handed in self._handed.items():
            for key in [key for key, one in handed.items() if self._is_overdue(one)]:
                one = handed.pop(key)
                if any(asked.question.mode in DESK_CAN for asked in one.questions.values()):
                    self._state.unshown.fell_silent(tenant.name)
                if self._can_ask(one):
                    self._take_over(one, key)

    def made_again(self, tenant: Tenant, conn: UpstreamConnection, tool: str, arguments: bytes) -> None:
        """Take over a call that this host has the Questions of, and makes again without an answer."""
        handed = self._handed.get(tenant, {})
        for key, one in list(handed.items()):
            repeated = self._runner.held.servers.are_same(one.request.conn, conn) and one.request.name == tool
            repeated = repeated and same(one.request.arguments, arguments)
            if repeated and self._is_overdue(one, SILENT) and self._can_ask(one):
                self._take_over(handed.pop(key), key)

    def _is_overdue(self, one: _HandedOver, limit: float = SILENCE) -> bool:
        return min(asked.question.asked_at for asked in one.questions.values()) + limit <= self._state.epoch

    def _can_ask(self, one: _HandedOver) -> bool:
        """True if the Desk can ask all that the host was handed."""
        on_desk = all(asked.question.mode in DESK_CAN for asked in one.questions.values())
        return on_desk and self._state.has_desk and one.request.method == "tools/call"

    def _take_over(self, one: _HandedOver, key: HandedKey) -> None:
        """Ask these Questions on the Desk, and retry in the host's place; keep the reply for the host's next
        try."""
        ended, runner = one.request, self._runner
        if ended.conn.id not in self._state.conns:
            return  # the server that asked is gone
        exchange = Exchange(ended.exchange.request, here=ended.exchange.here)
        request = OpenRequest(
            self._state.next(),
            exchange,
            None,
            ended.tenant,
            ended.conn,
            ended.presence,
            ended.method,
            ended.target,
            ended.name,
            arguments=ended.arguments,
            data=ended.data,
            envelope=ended.envelope,
            params=ended.params,
            merged=ended.merged,
            started=ended.started,
            waits_since=self._state.now,
        )
        questions = {name: elicitation.for_desk(asked) for name, asked in one.questions.items()}
        exchange.retry_here(questions, jsonrpc.quote(one.state) if one.state else b"")
        runner.held.take_over(request, key)
        runner.begin(request, Admitted())

    def weigh_retry(self, request: OpenRequest, params: Params) -> None:
        """Check a retry's answers to Questions of `hand_over`; ask here those that nobody can have seen."""
        handed = self._handed.get(request.tenant, {})
        key = handed_key(request.tenant, request.target, request.arguments, params.request_state)
        one = handed.pop(key, None)
        questions = one.questions if one else {}
        answers: dict[str, Outcome] = {
            key: OwnReply(bytes(raw)) for key, raw in members(params.input_responses).items()
        }
        unshown = {
            key: elicitation.for_desk(asked)
            for key, asked in questions.items()
            if key in answers
            and asked.question.mode in DESK_CAN
            and self.believe(request, asked, answers[key]) is None
        }
        if unshown:
            seen = {key: answer for key, answer in answers.items() if key not in unshown}
            ticket = b"" if params.request_state is None else jsonrpc.quote(params.request_state)
            request.exchange.ask_first(unshown, seen, ticket)

    def tenant_closed(self, tenant: Tenant) -> None:
        self._handed.pop(tenant, None)
