"""The running calls: what each app does and waits for, for how long, and a button to cancel."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent

from bridge.api import RunningCall
from desktop.pages.activity.call_list import CallLine, CallList
from desktop.pages.activity.history_texts import call_names
from desktop.widgets.controls import make_button

_SECOND = 1000  # milliseconds


class RunningCallsPanel(CallList):
    cancel_wanted = Signal(int)

    def __init__(self) -> None:
        about = self.tr("End the selected call; its AI app is told")
        cancel = make_button("cancelCall", self.tr("Ca&ncel call"), lambda: None, about=about)
        super().__init__("running", self.tr("Calls in progress"), cancel)
        self.act_wanted.connect(lambda call: self.cancel_wanted.emit(int(call)))
        self._clock = QTimer(self, interval=_SECOND)
        self._clock.timeout.connect(self.model.tick)

    def draw(self, calls: tuple[RunningCall, ...]) -> None:
        lines = tuple(CallLine(str(call.id), self._words(call), call.since) for call in calls)
        self.show_lines(self.tr("In progress: {count}").format(count=len(calls)), lines)

    def _words(self, call: RunningCall) -> str:
        text = {
            "approval": self.tr("{app} waits for your approval: {tool} ({server})"),
            "question": self.tr("{app} waits for your answer: {tool} ({server})"),
        }.get(call.waits_for, self.tr("{app} is using {tool} ({server})"))
        return text.format(**call_names(call.host, call.server, call.tool))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._clock.stop()
