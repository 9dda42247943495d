"""Table model of waiting Questions, oldest first. Emits only changes, so that a selection stays."""

from __future__ import annotations

import time
from functools import lru_cache

from PySide6.QtCore import QObject, Qt

from bridge.api import Mode, Question
from desktop.language import translated
from desktop.widgets.safe_text import one_line, strip_markdown
from desktop.widgets.table import Column, TableModel
from desktop.widgets.time_text import format_duration

_READ = 1_000  # characters of a message that are read
_CACHED = 200  # rows
_AGE, _LEFT = 4, 5  # columns


class QuestionModel(TableModel[Question]):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._paused = False
        self.describe_rows(lambda question: _line(translated(question.message)[:_READ], 400))

    def make_columns(self) -> tuple[Column[Question], ...]:
        return (
            Column(self.tr("Server"), 16, lambda question: one_line(question.server, 60), isolated=True),
            Column(self.tr("AI app"), 18, lambda question: one_line(question.host, 60), isolated=True),
            Column(self.tr("Tool"), 18, lambda question: one_line(question.tool, 60), isolated=True),
            Column(self.tr("Question"), 30, self._asked, isolated=True, stretched=True),
            Column(self.tr("Waiting"), 10, self._age),
            Column(self.tr("Time left"), 12, self._left),
        )

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

    def _asked(self, question: Question) -> str:
        if question.mode is Mode.CONFIRM:
            return self.tr("Allow this call?")
        return _line(translated(question.message)[:_READ], 160)

    def _age(self, question: Question) -> str:
        return format_duration(time.time() - question.asked_at) if question.asked_at else ""

    def _left(self, question: Question) -> str:
        if self._paused:
            return self.tr("paused")
        return format_duration(question.deadline - time.time()) if question.deadline else ""


@lru_cache(_CACHED)
def _line(message: str, letters: int) -> str:
    """Shorten a message, cached: every row is painted again each second."""
    return one_line(strip_markdown(message), letters)
