"""The popup card of the first question, created once there is something to show and its module is loaded."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from bridge.api import Flood, Question, Status

if TYPE_CHECKING:
    from desktop.questions.popup_card import PopupCard

_MODULE = "desktop.questions.popup_card"  # imported with the question windows


class LazyPopupCard(QObject):
    answered = Signal(str, object)  # Question id, Answer
    refused = Signal(str, object)  # Question id, Answer; it can be undone
    open_wanted = Signal(str)  # Question id
    later_wanted = Signal(str)  # Question id
    undo_wanted = Signal(str)  # Question id
    missed_wanted = Signal()  # to see what was missed
    missed_seen = Signal()
    mute_wanted = Signal(str, float)  # server, seconds
    ask_anyway_wanted = Signal(str)  # server

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._popup: PopupCard | None = None

    def draw(self, question: Question | None, others: int, status: Status, flood: Flood | None) -> None:
        """Show this Question, how many others wait, a refusal that can be undone, what was missed, and a
        server that asks too often."""
        module = sys.modules.get(_MODULE)
        if module is None:
            return
        content = module.PopupCardContent(
            replace(question, deadline=0.0) if question is not None else None,
            others,
            status.undoable[-1] if status.undoable else None,
            status.missed if not status.snoozed else (),
            flood,
        )
        if self._popup is None:
            if content.is_empty:
                return
            self._popup = self._make(module.PopupCard())
        self._popup.draw(content)

    def close(self) -> None:
        if self._popup is not None:
            self._popup.close()
            self._popup.deleteLater()
            self._popup = None

    def _make(self, popup: PopupCard) -> PopupCard:
        popup.answered.connect(self.answered)
        popup.refused.connect(self.refused)
        popup.open_wanted.connect(self.open_wanted)
        popup.later_wanted.connect(self.later_wanted)
        popup.next_wanted.connect(self.later_wanted)
        popup.undo_wanted.connect(self.undo_wanted)
        popup.missed_wanted.connect(self.missed_wanted)
        popup.missed_seen.connect(self.missed_seen)
        popup.mute_wanted.connect(self.mute_wanted)
        popup.ask_anyway_wanted.connect(self.ask_anyway_wanted)
        return popup
