"""The table of calls whose AI apps stopped waiting: their results are kept for a day, and can be deleted."""

from __future__ import annotations

import time

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bridge.api import HeldCallStatus, app_of
from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label
from desktop.widgets.layouts import column, row
from desktop.widgets.table import Column, TableModel, choose_row, chosen_row, make_table
from desktop.widgets.text.safe_text import one_line
from desktop.widgets.text.time_text import format_duration

MOST_LINES = 5  # rows before the table scrolls


class HeldModel(TableModel[HeldCallStatus]):
    def make_columns(self) -> tuple[Column[HeldCallStatus], ...]:
        return (
            Column(self.tr("For"), 9, lambda call: format_duration(time.time() - call.begun)),
            Column(self.tr("State"), 24, self._state),
            Column(self.tr("Server"), 16, lambda call: one_line(call.server, 60), isolated=True),
            Column(self.tr("AI app"), 18, lambda call: one_line(app_of(call.host).name, 60), isolated=True),
            Column(self.tr("Tool"), 20, lambda call: one_line(call.tool, 60), isolated=True, stretched=True),
        )

    def draw(self, calls: tuple[HeldCallStatus, ...]) -> None:
        """Show these calls. New ones arrive at the end; the others keep their rows."""
        left = {call.ticket for call in calls}
        self.keep(lambda call: call.ticket in left)
        known = {call.ticket for call in self.rows}
        self.rows = [call for call in calls if call.ticket in known]
        self.append([call for call in calls if call.ticket not in known])
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def _state(self, call: HeldCallStatus) -> str:
        if call.is_awaited:
            return self.tr("the AI app is waiting again")
        return self.tr("result kept") if call.finished else self.tr("in progress")


class HeldCallsPanel(QWidget):
    """Hidden while no call is held."""

    delete_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("held")
        self._model = HeldModel(self)
        self._title = Label("", name="heldTitle", bold=True)
        about = self.tr("Delete the result of the selected call; a call in progress is cancelled")
        self._delete = make_button("deleteHeld", self.tr("Delete &result"), self._forget, about=about)
        title = self.tr("Calls that AI apps no longer wait for")
        self._view = make_table("heldList", title, self._model, single=True)
        self._view.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.setLayout(column(row((self._title, 1), self._delete), self._view, spacing=4))
        self.hide()

    def draw(self, calls: tuple[HeldCallStatus, ...]) -> None:
        self._model.draw(calls)
        self.setVisible(bool(calls))
        words = self.tr("Results kept for the AI app's next try: {count}")
        self._title.show_text(words.format(count=len(calls)))
        lines = min(len(calls), MOST_LINES)
        head = self._view.horizontalHeader().sizeHint().height()
        self._view.setFixedHeight(head + lines * self._view.verticalHeader().defaultSectionSize() + 4)
        if calls and not self._view.selectionModel().hasSelection():
            choose_row(self._view, 0)
        self._enable()

    def _enable(self) -> None:
        self._delete.setEnabled(chosen_row(self._view, self._model) is not None)

    def _forget(self) -> None:
        call = chosen_row(self._view, self._model)
        if call is not None:
            self.delete_wanted.emit(call.ticket)
