"""Which Question is in front: the oldest, unless the person opened another. Rebuilt from Status.

Rule 1: one window in front; a Question put aside keeps its window, hidden, with what was typed.
Rule 2: a window comes without taking the focus, unless the person asked for it or has just answered.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from bridge.api import CANCEL, Answer, Mode, Question, Status
from desktop.questions.confirm import ConfirmWindow
from desktop.questions.form import FormWindow
from desktop.questions.link import LinkWindow
from desktop.questions.window import QuestionWindow

WINDOWS: dict[Mode, type[QuestionWindow]] = {
    Mode.FORM: FormWindow,
    Mode.URL: LinkWindow,
    Mode.CONFIRM: ConfirmWindow,
}


class QuestionPresenter(QObject):
    answered = Signal(str, object)  # Question id, Answer

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: tuple[Question, ...] = ()
        self._done: set[str] = set()  # answered here, not yet gone from Status
        self._windows: dict[str, QuestionWindow] = {}
        self._front = ""
        self._kept: set[QuestionWindow] = set()  # withdrawn, open until the person has read or copied

    def draw(self, status: Status) -> None:
        """Show the Questions of this Status."""
        ids = {question.id for question in status.waiting}
        self._done &= ids
        self._waiting = tuple(q for q in status.waiting if q.id not in self._done)
        for question_id in self._windows.keys() - ids:
            self._withdraw(question_id)
        self._refuse_unknown()
        for question in self._waiting:
            self._carry_on(question)
        self._show_front(activate=False)
        for window in list(self._kept):
            window.heed(status)

    def next(self) -> None:
        """The person asks for the Question in front."""
        self._show_front(activate=True)

    def open(self, question_id: str) -> None:
        """The person asks for this Question; the one in front is put aside."""
        if any(question.id == question_id for question in self._waiting):
            if self._front != question_id and self._front in self._windows:
                self._windows[self._front].hide()
            self._front = question_id
            self._show_front(activate=True)

    def close(self) -> None:
        """Deskbell ends: every window goes; the engine cancels what waits."""
        for window in [*self._windows.values(), *self._kept]:
            window.over = True
            window.close()
            window.deleteLater()
        self._windows.clear()
        self._kept.clear()

    def _show_front(self, *, activate: bool) -> None:
        if not self._waiting:
            self._front = ""
            return
        if all(question.id != self._front for question in self._waiting):
            self._front = self._waiting[0].id
        window = self._windows.get(self._front) or self._make()
        window.tell_waiting(len(self._waiting) - 1)
        if activate:
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)
            window.showNormal() if window.isMinimized() else window.show()
            window.raise_()
            window.activateWindow()
        elif not window.isVisible():
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, True)
            window.show()
            QApplication.alert(window)

    def _make(self) -> QuestionWindow:
        question = next(q for q in self._waiting if q.id == self._front)
        window = WINDOWS[question.mode](question)
        window.answered.connect(self._answer)
        window.finished.connect(lambda _: self._forget(window))
        window.fit()
        self._windows[question.id] = window
        return window

    def _answer(self, question_id: str, answer: Answer) -> None:
        window = self._windows.get(question_id)
        busy = window is not None and window.isActiveWindow()
        self._done.add(question_id)
        self._waiting = tuple(q for q in self._waiting if q.id != question_id)
        self.answered.emit(question_id, answer)
        if window is not None and not window.lingers:
            window.hide()
        self._show_front(activate=busy)

    def _carry_on(self, question: Question) -> None:
        """A Question that follows one whose window lingers is asked there."""
        before = next((one for one in self._kept if one.question.id == question.follows), None)
        if before is not None:
            self._kept.discard(before)
            self._windows[question.id] = before
            before.carry_on(question)

    def _withdraw(self, question_id: str) -> None:
        window = self._windows.pop(question_id)
        self._kept.add(window)
        window.withdraw()
        if window in self._kept and not window.isVisible():
            window.show()

    def _forget(self, window: QuestionWindow) -> None:
        self._kept.discard(window)
        if self._windows.get(window.question.id) is window:
            del self._windows[window.question.id]
        window.deleteLater()

    def _refuse_unknown(self) -> None:
        """A Question no window can show must not wait for ever."""
        for question in self._waiting:
            if question.mode not in WINDOWS:
                self._done.add(question.id)
                self.answered.emit(question.id, CANCEL)
        self._waiting = tuple(q for q in self._waiting if q.id not in self._done)
