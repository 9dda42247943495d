"""Shift question deadlines after system sleep or a clock change. Pure.

`RoutingState.now` is monotonic and stops during sleep; the time of day does not. A Question's deadline is a
time of day, for windows to count down to, so it moves by the time that was lost.
"""

from __future__ import annotations

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.routing.asking.open_questions import Questions
from bridge.core.routing.connections.connections import Connections
from bridge.core.routing.state import RoutingState

NOTICED = 2.0  # seconds; less is ordinary clock adjustment
SLEPT = 20.0  # seconds after which connections may be dead


class ClockChanges:
    def __init__(self, state: RoutingState, questions: Questions, connections: Connections) -> None:
        self.state = state
        self.questions = questions
        self.connections = connections
        self._known = False  # True after the first ClockRead

    def clock_read(self, event: ev.ClockRead) -> None:
        state = self.state
        lost, state.offset, state.load = event.offset - state.offset, event.offset, event.load
        known, self._known = self._known, True
        if not known or abs(lost) < NOTICED:
            return
        self.questions.shift(lost)
        for request in state.open_requests.values():
            request.exchange.shift_deadlines(lost)
        if lost >= SLEPT:
            state.emit(do.Record("notice", outcome="slept", seconds=lost))
            self.connections.machine_slept()
        elif self.questions.desk.waiting():
            state.emit(do.Record("notice", outcome="clock changed", seconds=lost))
