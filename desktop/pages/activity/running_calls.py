"""The table of running calls: duration, what each waits for, and a button to cancel."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from bridge.api import RunningCall, app_of
from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label
from desktop.widgets.layouts import column, row
from desktop.widgets.table import Column, TableModel, choose_row, chosen_row, make_table
from desktop.widgets.text.safe_text import one_line
from desktop.widgets.text.time_text import format_duration

MOST_LINES = 5  # rows before the table scrolls
_SECOND = 1000  # milliseconds


class RunningModel(TableModel[RunningCall]):
    def make_columns(self) -> tuple[Column[RunningCall], ...]:
        return (
            Column(self.tr("For"), 9, lambda call: format_duration(time.time() - call.since)),
            Column(self.tr("Waits for"), 24, self._waits_for),
            Column(self.tr("Server"), 16, lambda call: one_line(call.server, 60), isolated=True),
            Column(self.tr("AI app"), 18, lambda call: one_line(app_of(call.host).name, 60), isolated=True),
            Column(self.tr("Tool"), 20, lambda call: one_line(call.tool, 60), isolated=True, stretched=True),
        )

    def draw(self, calls: tuple[RunningCall, ...]) -> None:
        """Show these calls. New ones arrive at the end; the others keep their rows."""
        left = {call.id for call in calls}
        self.keep(lambda call: call.id in left)
        known = {call.id for call in self.rows}
        self.rows = [call for call in calls if call.id in known]
        self.append([call for call in calls if call.id not in known])
        self.tick()

    def tick(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def _waits_for(self, call: RunningCall) -> str:
        return {
            "server": self.tr("the server"),
            "approval": self.tr("your approval"),
            "question": self.tr("an answer"),
        }.get(call.waits_for, "")


class RunningCallsPanel(QWidget):
    """Hidden while no call is running."""

    cancel_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("running")
        self._model = RunningModel(self)
        self._clock = QTimer(self, interval=_SECOND)
        self._clock.timeout.connect(self._model.tick)
        self._title = Label("", name="runningTitle", bold=True)
        about = self.tr("End the selected call; its AI app is told")
        self._cancel = make_button("cancelCall", self.tr("Ca&ncel call"), self._end, about=about)
        self._view = make_table("runningList", self.tr("Calls in progress"), self._model, single=True)
        self._view.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.setLayout(column(row((self._title, 1), self._cancel), self._view, spacing=4))
        self.hide()

    def draw(self, calls: tuple[RunningCall, ...]) -> None:
        self._model.draw(calls)
        self.setVisible(bool(calls))
        self._title.show_text(self.tr("In progress: {count}").format(count=len(calls)))
        lines = min(len(calls), MOST_LINES) + 1
        head = self._view.horizontalHeader().sizeHint().height()
        self._view.setFixedHeight(head + (lines - 1) * self._view.verticalHeader().defaultSectionSize() + 4)
        if calls and not self._view.selectionModel().hasSelection():
            choose_row(self._view, 0)
        self._enable()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._clock.stop()

    def _enable(self) -> None:
        self._cancel.setEnabled(chosen_row(self._view, self._model) is not None)

    def _end(self) -> None:
        call = chosen_row(self._view, self._model)
        if call is not None:
            self.cancel_wanted.emit(call.id)
