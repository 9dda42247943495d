"""Snooze all Questions, or mute one server. Pure.

Snoozed: Questions wait and no clock runs, so that nothing is answered in the person's name; a caller that
cannot wait withdraws. Muted: each Question of a server is declined.
"""

from __future__ import annotations

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.routing.asking.open_questions import MUTED, Questions
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import RoutingState


class Snooze(RouterPart):
    """`until`: Unix time; 0: until the person resumes."""

    def __init__(self, state: RoutingState, questions: Questions) -> None:
        self._state = state
        self._questions = questions
        self.on = False
        self.until = 0.0

    def snooze(self, event: ev.Snoozed) -> None:
        self.on, self.until = True, event.until
        self._questions.desk.pause(self._state.epoch)
        self._state.emit(do.Record("notice", outcome="snoozed"))

    def resume(self, event: ev.Resumed) -> None:
        if self.on:
            self.on, self.until = False, 0.0
            self._questions.desk.resume(self._state.epoch)
            self._state.emit(do.Record("notice", outcome="resumed"))

    def mute(self, event: ev.Muted) -> None:
        self._questions.floods.mute(event.server, event.until)
        self._state.emit(do.Record("notice", server=event.server, outcome=MUTED))
        self._questions.decline_muted(event.server)

    def unmute(self, event: ev.Unmuted) -> None:
        if self._questions.floods.unmute(event.server):
            self._state.emit(do.Record("notice", server=event.server, outcome="unmuted"))

    def allow_flood(self, event: ev.FloodAllowed) -> None:
        """Have a server ask as often as it likes."""
        self._questions.floods.spare(event.server)
        self._state.emit(do.Record("notice", server=event.server, outcome="spared"))

    def time_passed(self, now: float) -> None:
        epoch = self._state.epoch
        if self.on and 0.0 < self.until <= epoch:
            self.resume(ev.Resumed())
        for server in self._questions.floods.over(epoch):
            self.unmute(ev.Unmuted(server))

    @property
    def pace(self) -> float:
        """Seconds until a snooze or mute ends, at most 60; 0 if none will."""
        ends = [until for _, until in self._questions.floods.mutes]
        if self.until:
            ends.append(self.until)
        return max(1.0, min(60.0, min(ends) - self._state.epoch)) if ends else 0.0
