"""Past Questions, below the waiting ones: who asked, through which app, with which outcome. Newest first.

The Activity page has the details.
"""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from bridge.api import History, HistoryFilter, Status
from desktop.pages.activity.history_table import HistoryModel
from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label
from desktop.widgets.layouts import column, row
from desktop.widgets.table import fit_columns, make_table

_QUESTIONS = HistoryFilter(kind="question")
_HIDDEN = (1, 7)  # columns: kind and size
_SETTLING = 300  # milliseconds until a new entry is on disk
_LETTERS = 24  # greatest width of a column
_LINES = 3  # at least


class PastQuestions(QWidget):
    """Hidden while there are no past questions."""

    all_wanted = Signal()

    def __init__(self, past: History) -> None:
        super().__init__()
        self.setObjectName("earlier")
        self._waiting: frozenset[str] = frozenset()
        self._model = HistoryModel(past, self)
        self._model.looked.connect(self._looked)
        self._soon = QTimer(self, singleShot=True, interval=_SETTLING)
        self._soon.timeout.connect(lambda: self._model.look(_QUESTIONS))
        self._title = Label(self.tr("Earlier"), name="earlierTitle", bold=True)
        self._view = make_table("earlierList", self.tr("Earlier questions"), self._model)
        self._view.setAccessibleDescription(self.tr("The newest is first. Return shows all about them."))
        self._view.setMinimumHeight(self._view.verticalHeader().defaultSectionSize() * (_LINES + 1))
        for place in _HIDDEN:
            self._view.setColumnHidden(place, True)
        self._view.activated.connect(lambda _: self.all_wanted.emit())
        self._all = make_button("allEarlier", self.tr("Show in Activit&y…"), self.all_wanted.emit)
        self.setLayout(column(self._title, (self._view, 1), row(self._all, 1), margins=(0, 6, 0, 0)))
        self._looked()

    def draw(self, status: Status) -> None:
        """Search again soon after a waiting Question has gone: it is being recorded."""
        waiting = frozenset(question.id for question in status.waiting)
        if self._waiting - waiting and self.isVisible():
            self._soon.start()
        self._waiting = waiting

    def close_history(self) -> None:
        """Stop searching: Deskbell ends."""
        self._soon.stop()
        self._model.close()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._model.look(_QUESTIONS)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._soon.stop()

    def _looked(self) -> None:
        there = bool(self._model.rows)
        for part in (self._title, self._view, self._all):
            part.setVisible(there)
        if there:
            texts = [self._model.texts(entry)[:-1] for entry in self._model.rows[:100]]
            shown = [["" if place in _HIDDEN else text for place, text in enumerate(line)] for line in texts]
            fit_columns(self._view, list(zip(*shown, strict=True)), _LETTERS)
