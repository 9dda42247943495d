"""A short list of calls, one sentence each with its time, and a button for the chosen one."""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.widgets.labels import Label
from desktop.widgets.layouts import column, row
from desktop.widgets.table import Column, TableModel, choose_row, chosen_row, make_table
from desktop.widgets.text.bidi import MARKED_ROLE, paint_isolates, strip_isolates
from desktop.widgets.text.time_text import format_duration

MOST_LINES = 5  # rows before the list scrolls


@dataclass(frozen=True, slots=True)
class CallLine:
    """`words`: names in it are isolated (bidi.py). `since`: Unix time."""

    id: str
    words: str
    since: float


class CallModel(TableModel[CallLine]):
    def make_columns(self) -> tuple[Column[CallLine], ...]:
        return (
            Column("", 20, lambda line: strip_isolates(line.words), stretched=True),
            Column("", 6, lambda line: format_duration(time.time() - line.since)),
        )

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.roles[MARKED_ROLE] = lambda line, column: line.words if column == 0 else None

    def draw(self, lines: tuple[CallLine, ...]) -> None:
        """Show these calls. New ones arrive at the end; the others keep their rows."""
        wanted = {line.id: line for line in lines}
        self.keep(lambda line: line.id in wanted)
        self.rows = [wanted.pop(line.id) for line in self.rows]
        self.append(list(wanted.values()))
        self.tick()

    def tick(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))


class CallList(QWidget):
    """Hidden while there is no call."""

    act_wanted = Signal(str)  # id of the chosen call

    def __init__(self, name: str, title: str, button: QPushButton) -> None:
        """`title`: accessible name of the list."""
        super().__init__()
        self.setObjectName(name)
        self.model = CallModel(self)
        self._title = Label("", name=f"{name}Title", bold=True)
        self._button = button
        button.clicked.connect(self._act)
        self._view = make_table(f"{name}List", title, self.model, single=True)
        self._view.horizontalHeader().hide()
        paint_isolates(self._view, 0)
        self._view.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.setLayout(column(row((self._title, 1), button), self._view, spacing=4))
        self.hide()

    def show_lines(self, title: str, lines: tuple[CallLine, ...]) -> None:
        self._title.show_text(title)
        self.model.draw(lines)
        self.setVisible(bool(lines))
        rows = min(len(lines), MOST_LINES)
        self._view.setFixedHeight(rows * self._view.verticalHeader().defaultSectionSize() + 4)
        if lines and not self._view.selectionModel().hasSelection():
            choose_row(self._view, 0)
        self._enable()

    def _enable(self) -> None:
        self._button.setEnabled(chosen_row(self._view, self.model) is not None)

    def _act(self) -> None:
        line = chosen_row(self._view, self.model)
        if line is not None:
            self.act_wanted.emit(line.id)
