"""Which servers want the person to sign in or to unlock their secrets, and what waits for that. Pure.

Both are done by the connections' side; while they are under way no clock runs for the server.
"""

from __future__ import annotations

from bridge.core import events as ev
from bridge.core.routing.exchange import State
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.state import RoutingState

UNDER_WAY, NEEDED, SETTLED = "under way", "needed", ""


class SignInState:
    def __init__(self, state: RoutingState, runner: ExchangeRunner) -> None:
        self.state = state
        self.runner = runner

    def changed(self, event: ev.SignInChanged) -> None:
        state = self.state
        if event.state:
            state.sign_ins[event.server] = event.state
            if event.why:
                state.failures[event.server] = event.why
        else:
            state.sign_ins.pop(event.server, None)
            state.backoff.forget(server=event.server)
            state.failures.pop(event.server, None)
        self._restart_clocks(event.server)

    def secrets_awaited(self, event: ev.SecretsAwaited) -> None:
        self.state.locked_out[event.server] += 1 if event.waits else -1
        self._restart_clocks(event.server)

    def _restart_clocks(self, server: str) -> None:
        if self.state.awaits_person(server):
            return
        del self.state.locked_out[server]  # none waits
        for request in self.state.open_requests.values():
            if request.conn.spec.name == server and request.exchange.state is State.CALLING:
                self.runner.start_clock(request)
        for conn in self.state.conns.values():
            if conn.spec.name == server:
                conn.dial_since = self.state.now
