"""Waiting Questions as a table, oldest first. A view hears only of what changed: its selection stays."""

from __future__ import annotations

import time
from typing import Any

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication

from bridge.api import Mode, Question
from desktop.widgets.clock import span
from desktop.widgets.table import Index, TableModel
from desktop.widgets.text import one_line

_ROW = 1.35  # of a line of text
_SERVER, _HOST, _TOOL, _TEXT, _AGE, _LEFT = range(6)


class QuestionModel(TableModel[Question]):
    widths = (16, 18, 18, 30, 10, 12)  # in average letters
    stretched = _TEXT

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._paused = False

    def draw(self, waiting: tuple[Question, ...], *, paused: bool = False) -> None:
        """Questions leave anywhere and come at the end."""
        self._paused = paused
        kept = {question.id: question for question in waiting}
        for row in reversed(range(len(self.rows))):
            if self.rows[row].id not in kept:
                self.remove(row)
        self.rows = [kept[question.id] for question in self.rows]  # a clock may have moved
        known = {question.id for question in self.rows}
        self.append([question for question in waiting if question.id not in known])
        self.tick()

    def tick(self) -> None:
        """A second has passed."""
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

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        question = self.row(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(question, index.column())
        if role == Qt.ItemDataRole.SizeHintRole:
            return QSize(0, round(QFontMetrics(QGuiApplication.font()).lineSpacing() * _ROW))
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return one_line(question.message, 400) or None
        return None

    def _text(self, question: Question, column: int) -> str:
        if column == _AGE:
            return span(time.time() - question.asked_at) if question.asked_at else ""
        if column == _LEFT:
            return self._left(question)
        if column == _TEXT:
            approval = question.mode is Mode.CONFIRM
            return self.tr("May it be called?") if approval else one_line(question.message, 160)
        return one_line((question.server, question.host, question.tool)[column], 60)

    def _left(self, question: Question) -> str:
        if self._paused:
            return self.tr("paused")
        return span(question.deadline - time.time()) if question.deadline else ""
