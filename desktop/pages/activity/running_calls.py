"""The table of running calls: duration, what each waits for, and a button to cancel."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QTableView, QVBoxLayout, QWidget

from bridge.api import RunningCall
from desktop.pages.activity.history_table import size
from desktop.widgets.labels import Label
from desktop.widgets.message_bar import make_button
from desktop.widgets.safe_text import one_line
from desktop.widgets.table import TableModel, choose_row, make_table
from desktop.widgets.time_text import format_duration

MOST_LINES = 5  # rows before the table scrolls
_SECOND = 1000  # milliseconds


class RunningModel(TableModel[RunningCall]):
    widths = (9, 24, 16, 18, 20, 10)
    stretched = 4
    isolated = (2, 3, 4)

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
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.widths) - 1))

    def titles(self) -> tuple[str, ...]:
        return (
            self.tr("For"),
            self.tr("Waits for"),
            self.tr("Server"),
            self.tr("AI app"),
            self.tr("Tool"),
            self.tr("Sent"),
        )

    def text(self, row: RunningCall, column: int) -> str:
        match column:
            case 0:
                return format_duration(time.time() - row.since)
            case 1:
                return self._waits_for(row)
            case 5:
                return size(row.size)
        return one_line((row.server, row.host, row.tool)[column - 2], 60)

    def _waits_for(self, call: RunningCall) -> str:
        return {
            "server": self.tr("its server"),
            "approval": self.tr("your approval"),
            "question": self.tr("an answer"),
        }.get(call.waits_for, "")


class RunningCalls(QWidget):
    """Hidden while no call is running."""

    cancel_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("running")
        self._model = RunningModel(self)
        self._clock = QTimer(self)
        self._clock.setInterval(_SECOND)
        self._clock.timeout.connect(self._model.tick)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        head = QHBoxLayout()
        self._title = Label("", name="runningTitle", bold=True)
        head.addWidget(self._title, 1)
        self._cancel = make_button("cancelCall", self.tr("Ca&ncel call"), self._end)
        self._cancel.setAccessibleDescription(self.tr("End the selected call; its AI app is told"))
        head.addWidget(self._cancel)
        column.addLayout(head)
        self._view = self._table()
        column.addWidget(self._view)
        self.hide()

    def draw(self, calls: tuple[RunningCall, ...]) -> None:
        self._model.draw(calls)
        self.setVisible(bool(calls))
        self._title.show_text(self.tr("Under way: {count}").format(count=len(calls)))
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

    def _table(self) -> QTableView:
        view = make_table("runningList", self._model)
        view.setAccessibleName(self.tr("Calls under way"))
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        return view

    def _chosen(self) -> RunningCall | None:
        rows = self._view.selectionModel().selectedRows()
        return self._model.row(rows[0]) if rows else None

    def _enable(self) -> None:
        self._cancel.setEnabled(self._chosen() is not None)

    def _end(self) -> None:
        call = self._chosen()
        if call is not None:
            self.cancel_wanted.emit(call.id)
