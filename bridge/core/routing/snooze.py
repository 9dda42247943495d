"""What the person says about being asked: snooze, mute, ask me all the same. Pure.

Snoozed: Questions wait and no clock runs, so that nothing is answered in the person's name; whoever cannot
wait withdraws. Muted: the person has said no to all a server asks, and each of its Questions is declined.
"""

from __future__ import annotations

from collections.abc import Callable

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.questions.question import CROWDED, DECLINE, Answer, Question
from bridge.core.routing.state import RoutingState

MUTED = "muted"
Settle = Callable[[str, Answer, str], None]


class Snooze:
    """`settle` takes a Question off the Desk with an Answer."""

    def __init__(self, state: RoutingState, settle: Settle) -> None:
        self.state = state
        self.settle = settle

    def snoozed(self, event: ev.Snoozed) -> None:
        state = self.state
        state.snoozed, state.snoozed_until = True, event.until
        state.desk.pause(state.epoch)
        state.emit(do.Record("notice", outcome="snoozed"))

    def resumed(self, event: ev.Resumed) -> None:
        state = self.state
        if state.snoozed:
            state.snoozed, state.snoozed_until = False, 0.0
            state.desk.resume(state.epoch)
            state.emit(do.Record("notice", outcome="resumed"))

    def muted(self, event: ev.Muted) -> None:
        state = self.state
        state.floods.mute(event.server, event.until)
        state.emit(do.Record("notice", server=event.server, outcome=MUTED))
        for question in [one for one in state.desk.waiting() if one.server == event.server]:
            self.settle(question.id, DECLINE, MUTED)

    def unmuted(self, event: ev.Unmuted) -> None:
        if self.state.floods.unmute(event.server):
            self.state.emit(do.Record("notice", server=event.server, outcome="unmuted"))

    def spared(self, event: ev.Spared) -> None:
        self.state.floods.spare(event.server)
        self.state.emit(do.Record("notice", server=event.server, outcome="spared"))

    def time_passed(self) -> None:
        state = self.state
        if state.snoozed and 0.0 < state.snoozed_until <= state.epoch:
            self.resumed(ev.Resumed())
        for server in state.floods.over(state.epoch):
            self.unmuted(ev.Unmuted(server))

    @property
    def pace(self) -> float:
        """In how many seconds one of these ends; at most a minute, 0 when none will."""
        state = self.state
        ends = [until for _, until in state.floods.mutes]
        if state.snoozed_until:
            ends.append(state.snoozed_until)
        return max(1.0, min(60.0, min(ends) - state.epoch)) if ends else 0.0


def turned_away(state: RoutingState, question: Question) -> tuple[Answer, str] | None:
    """The Answer to a Question that may not wait on the Desk, and how history calls it."""
    if state.floods.is_muted(question.server, state.epoch):
        return DECLINE, MUTED
    if not state.desk.has_room(question.server, question.host):
        return CROWDED, CROWDED.unanswered
    if state.floods.asked(question.server, state.epoch):
        text = f"{question.server} asked more than {state.floods.limit} times within a minute."
        state.emit(do.Record("notice", question.host, question.server, outcome="flood", detail=text))
    return None
