"""Calls in flight: record the long ones, cancel one, list them. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.exchange.events import CallTimedOut
from bridge.core.exchange.state_machine import State
from bridge.core.protocol.translate import refusal_result
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import OpenRequest, RoutingState
from bridge.core.status import RunningCall

LONG = 1.0  # seconds
CANCELLED = "cancelled"
_STATES = {
    State.CONFIRMING: "approval",
    State.ASKING: "question",
    State.AWAY: "question",
}


@dataclass(eq=False)
class CallsInFlight(RouterPart):
    state: RoutingState
    runner: ExchangeRunner

    def time_passed(self, now: float) -> None:
        """Record the calls that take their time, in case Deskbell ends before they do."""
        state = self.state
        for request in _calls(state):
            if not request.begun and request.started + LONG <= state.now:
                request.begun = True
                at = state.offset + request.started
                who = state.host_name(request.tenant)
                server = request.conn.spec.name
                state.emit(do.RecordStart(request.id, who, server, request.name, at, request.arguments))

    def cancelled(self, event: ev.CallCancelled) -> None:
        request = self.state.open_requests.get(event.call)
        if request is not None and request.method == "tools/call":
            text = "The person cancelled this call in Deskbell. Do not try again unless they ask for it."
            self.runner.advance(request, CallTimedOut(refusal_result(text, request.presence.era), CANCELLED))


def running(state: RoutingState, most: int) -> tuple[RunningCall, ...]:
    """Return the calls in flight, oldest first."""
    return tuple(
        RunningCall(
            request.id,
            state.host_name(request.tenant),
            request.conn.spec.name,
            request.name,
            state.offset + request.started,
            _STATES.get(request.exchange.state, "server"),
            len(request.arguments),
        )
        for request in _calls(state)[:most]
    )


def _calls(state: RoutingState) -> list[OpenRequest]:
    return [request for request in state.open_requests.values() if request.method == "tools/call"]
