"""Table model of waiting Questions, oldest first. Emits only changes, so that a selection stays."""

from __future__ import annotations

import time
from functools import lru_cache

from PySide6.QtCore import QObject, Qt

from bridge.api import Mode, Question
from desktop.language import translated
from desktop.widgets.safe_text import one_line, strip_markdown
from desktop.widgets.table import TableModel
from desktop.widgets.time_text import format_duration

_READ = 1_000  # characters of a message that are read
_CACHED = 200  # rows
_SERVER, _HOST, _TOOL, _TEXT, _AGE, _LEFT = range(6)


class QuestionModel(TableModel[Question]):
    widths = (16, 18, 18, 30, 10, 12)  # in average letters
    stretched = _TEXT
    isolated = (0, 1, 2, _TEXT)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._paused = False
        self.roles |= {
            Qt.ItemDataRole.SizeHintRole: self.height,
            Qt.ItemDataRole.ToolTipRole: self._asked,
            Qt.ItemDataRole.AccessibleDescriptionRole: self._asked,
        }

    def draw(self, waiting: tuple[Question, ...], *, paused: bool = False) -> None:
        """Show these Questions. They leave anywhere and arrive at the end."""
        self._paused = paused
        by_id = {question.id: question for question in waiting}
        self.keep(lambda question: question.id in by_id)
        self.rows = [by_id[question.id] for question in self.rows]  # a deadline may have moved
        known = {question.id for question in self.rows}
        self.append([question for question in waiting if question.id not in known])
        self.tick()

    def tick(self) -> None:
        """Update the clocks; called once a second."""
        if self.rows:
            last = len(self.rows) - 1
            self.dataChanged.emit(self.index(0, _AGE), self.index(last, _LEFT), [Qt.ItemDataRole.DisplayRole])

    def titles(self) -> tuple[str, ...]:
        return (
            self.tr("Server"),
            self.tr("AI app"),
            self.tr("Tool"),
            self.tr("Question"),
            self.tr("Waiting"),
            self.tr("Time left"),
        )

    def text(self, row: Question, column: int) -> str:
        if column == _AGE:
            return format_duration(time.time() - row.asked_at) if row.asked_at else ""
        if column == _LEFT:
            return self._left(row)
        if column == _TEXT:
            if row.mode is Mode.CONFIRM:
                return self.tr("Allow this call?")
            return _line(translated(row.message)[:_READ], 160)
        return one_line((row.server, row.host, row.tool)[column], 60)

    def _asked(self, question: Question, column: int) -> str | None:
        return _line(translated(question.message)[:_READ], 400) or None

    def _left(self, question: Question) -> str:
        if self._paused:
            return self.tr("paused")
        return format_duration(question.deadline - time.time()) if question.deadline else ""


@lru_cache(_CACHED)
def _line(message: str, letters: int) -> str:
    """Shorten a message, cached: every row is painted again each second."""
    return one_line(strip_markdown(message), letters)
