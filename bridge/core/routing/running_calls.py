"""Requests in flight: end them in time or with their host; record, cancel and list calls. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.exchange.events import CallTimedOut, HostLeft
from bridge.core.exchange.state_machine import State
from bridge.core.protocol import handshake
from bridge.core.protocol.jsonrpc import INTERNAL_ERROR, UNANSWERED, own_error
from bridge.core.protocol.translate import TOO_LATE
from bridge.core.routing.connections.sign_in_state import SignInState
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import Link, OpenRequest, RoutingState, Tenant
from bridge.core.status import RunningCall

LONG = 1.0  # seconds
CANCELLED = "cancelled"
_STATES = {
    State.CONFIRMING: "approval",
    State.CONFIRMING_AWAY: "approval",
    State.ASKING: "question",
    State.AWAY: "question",
}


@dataclass(eq=False)
class CallsInFlight(RouterPart):
    state: RoutingState
    runner: ExchangeRunner
    sign_in: SignInState

    def time_passed(self, now: float) -> None:
        for request in list(self.state.open_requests.values()):
            if self.sign_in.awaits_person(request.conn.spec.name):
                self.runner.start_clock(request)
            overdue = 0.0 < request.deadline <= now
            if overdue and not self.runner.questions.awaits_person(request):
                self._run_out(request)
        self._record_long()

    def _run_out(self, request: OpenRequest) -> None:
        server = request.conn.spec
        words = handshake.unanswered(server.name, server.timeout)
        ours = server.builtin and request.method == "tools/call"
        reply = request.refusal(words, TOO_LATE) if ours else self.state.own_error(UNANSWERED, words)
        self.runner.advance(request, CallTimedOut(reply))

    def link_closed(self, link: Link) -> None:
        for request in list(link.open_requests.values()):
            self.runner.advance(request, HostLeft())

    def tenant_closed(self, tenant: Tenant) -> None:
        for request in [one for one in self.state.open_requests.values() if one.tenant is tenant]:
            self.runner.advance(request, HostLeft())

    def close(self) -> None:
        """Answer every open request: Deskbell quits."""
        closing = own_error(INTERNAL_ERROR, "Deskbell is closing.")
        for request in list(self.state.open_requests.values()):
            self.runner.advance(request, CallTimedOut(closing))

    def _record_long(self) -> None:
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
            self.runner.advance(request, CallTimedOut(request.refusal(text), CANCELLED))


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
