"""Hosts' replies to Questions that were relayed to them: under our request's id, or with a Ticket. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec import Raw

from bridge.core.exchange.events import Answered, HostCouldNot, HostReturned
from bridge.core.exchange.replies import DESK_CAN
from bridge.core.exchange.state_machine import CONFIRM_KEY, State
from bridge.core.protocol import elicitation, jsonrpc, tasks
from bridge.core.protocol.jsonrpc import Envelope, ForwardedReply, Outcome, OwnReply, members
from bridge.core.protocol.request_state import TicketRefused
from bridge.core.protocol.translate import Params
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.held.held_entry import HeldEntry
from bridge.core.routing.state import Link, OpenRequest, RoutingState


class HostReplies:
    def __init__(self, state: RoutingState, runner: ExchangeRunner) -> None:
        self._state = state
        self._runner = runner

    def answered(self, link: Link, data: bytes, envelope: Envelope) -> None:
        """Take a host's reply to a request of ours; a reply to nothing is recorded and dropped."""
        found = self._runner.relayed.take(link, bytes(envelope.id))
        if found is None:
            if not link.tenant.limits.take_abandoned(bytes(envelope.id)):
                shown_id = bytes(envelope.id).decode(errors="replace")[:40] or "none"
                text = f"It answered what nobody asked, or what is over: id {shown_id}."
                self._state.record_host_problem(link, "stray", text)
            return
        request, key = found
        outcome: Outcome = ForwardedReply(data, envelope)
        if request.merged and not outcome.failed and tasks.NAMED in data:
            outcome = OwnReply(tasks.own(envelope.result))
        if request.exchange.state is State.CONFIRMING:
            event = self._runner.host_reply_trust.approval(request, outcome, bytes(envelope.error))
            self._runner.advance(request, event)
            return
        answer = self._trusted_answer(request, key, outcome, bytes(envelope.error))
        self._runner.advance(request, HostCouldNot(key) if answer is None else Answered(key, answer))

    def _trusted_answer(
        self, request: OpenRequest, key: str, outcome: Outcome, error: bytes = b""
    ) -> Outcome | None:
        """Return the answer in a host's reply; None if the host answered without showing the Question."""
        asked = request.exchange.open.get(key)
        if asked is None or asked.question.mode not in DESK_CAN:
            if asked is not None and error:
                self._runner.sampling.host_refused(request, asked.question.mode)
            cannot = error and asked is not None and asked.question.mode in request.exchange.here
            return None if cannot and elicitation.cannot_ask(error) else outcome
        return self._runner.host_reply_trust.believe(request, asked, outcome, error)

    def returned(self, link: Link, request_id: bytes, method: str, params: Params) -> None:
        """Resume the call whose Ticket a modern host brings back."""
        try:
            stub = self._runner.relayed.open_ticket(link, method, params)
            entry = self._runner.held.returned((stub.exchange, stub.round))
            if entry is not None:
                self.returned_late(link, request_id, entry, params)
                return
            request = self._runner.relayed.find(stub)
        except TicketRefused as refusal:
            self._state.refuse(link, request_id, jsonrpc.INVALID_PARAMS, str(refusal))
            return
        token = bytes(params.meta.progress_token)
        if request.exchange.state is State.CONFIRMING_AWAY:
            self._approval_returned(link, request_id, request, token, members(params.input_responses))
            return
        answers: dict[str, Outcome] = {}
        unshown: list[str] = []
        for key, raw in members(params.input_responses).items():
            outcome = self._trusted_answer(request, key, OwnReply(bytes(raw)))
            if outcome is None:
                unshown.append(key)
            else:
                answers[key] = outcome
        self._runner.host_returned(request, link, token, HostReturned(request_id, answers, tuple(unshown)))

    def returned_late(self, link: Link, request_id: bytes, entry: HeldEntry, params: Params) -> None:
        """Take the answers of a host that was not expected back: the first answer counts. It waits again for
        its call, or gets the reply."""
        request = entry.request
        self._runner.held.take_up(entry, link, request_id, bytes(params.meta.progress_token))
        if request is None:
            return
        for key, raw in members(params.input_responses).items():
            answer = self._trusted_answer(request, key, OwnReply(bytes(raw)))
            self._runner.advance(
                request, Answered(key, cast(Outcome, answer))
            )  # late, so somebody has seen it

    def _approval_returned(
        self, link: Link, request_id: bytes, request: OpenRequest, token: bytes, given: Mapping[str, Raw]
    ) -> None:
        answers: dict[str, Outcome] = {
            key: OwnReply(bytes(raw)) for key, raw in given.items() if key == CONFIRM_KEY
        }
        event = self._runner.host_reply_trust.approval(request, answers[CONFIRM_KEY]) if answers else None
        self._runner.host_returned(request, link, token, HostReturned(request_id, answers))
        if event is not None:
            self._runner.advance(request, event)
