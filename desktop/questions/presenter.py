"""Which Question is in front: the oldest, unless the person opened another. Rebuilt from Status.

Rule 1: one window in front; a Question put aside keeps its window, hidden, with what was typed.
Rule 2: a window comes behind the others and without the focus, unless the person asked for it, allowed it or
has answered.
Rule 3: while the person snoozes, or a server floods the Desk, a window opens only when it is asked for.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from bridge.api import CANCEL, Action, Answer, Mode, Question, Status, interruption
from desktop.lazy.module_loading import load
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.questions import inbox_drafts
from desktop.questions.inbox_drafts import AnswerDraft
from desktop.system.window_placement import center_on_pointer_screen, pointer_screen

if TYPE_CHECKING:
    from desktop.questions.base_window import QuestionWindow

_PLAIN = interruption.Manner(window=True)
_KINDS = "desktop.questions.window_kinds"  # of windows; see there
_NO_WISHES = (False, False, False)


@dataclass(frozen=True, slots=True)
class PendingWindow:
    """A window that is being built, and how it is to be shown then."""

    window: QuestionWindow
    activate: bool
    asked_for: bool
    sudden: bool


class QuestionPresenter(QObject):
    answered = Signal(str, object)  # Question id, Answer
    mute_wanted = Signal(str, float)  # server, seconds
    spare_wanted = Signal(str)  # server
    drafts_changed = Signal(object)  # tuple[Draft, ...]

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.drafts: tuple[AnswerDraft, ...] = ()
        self._status = Status()
        self._waiting: tuple[Question, ...] = ()
        self._manner = _PLAIN
        self._done: set[str] = set()  # answered here, not yet gone from Status
        self._windows: dict[str, QuestionWindow] = {}
        self._coming: PendingWindow | None = None
        self._loading = SlicedTask(self)
        self._wishes: tuple[bool, ...] = _NO_WISHES  # how the window is to be shown that waits for that
        self._front = ""
        self._kept: set[QuestionWindow] = set()  # withdrawn, open until the person has read or copied

    def draw(self, status: Status) -> None:
        """Show the Questions of this Status."""
        snoozes = status.snoozed and not self._status.snoozed
        self._status = status
        ids = {question.id for question in status.waiting}
        self._done &= ids
        self._waiting = tuple(q for q in status.waiting if q.id not in self._done)
        for question_id in self._windows.keys() - ids:
            self._withdraw(question_id)
        self._refuse_unknown()
        for question in self._waiting:
            self._carry_on(question)
        self._tell_clocks()
        if snoozes:
            for window in self._windows.values():
                window.hide()
        self._show_front(activate=False)
        for window in list(self._kept):
            window.heed(status)

    def heed(self, manner: interruption.Manner) -> None:
        """How windows may come by themselves, from now on."""
        self._manner = manner
        self._show_front(activate=manner.front, sudden=True)

    def hold(self) -> None:
        """No new window until `heed`."""
        self._manner = interruption.SILENCE

    def next(self) -> None:
        """The person asks for the Question in front."""
        self._show_front(activate=True, asked_for=True)

    def open(self, question_id: str) -> None:
        """The person asks for this Question; the one in front is put aside."""
        if any(question.id == question_id for question in self._waiting):
            if self._front != question_id and self._front in self._windows:
                self._windows[self._front].hide()
            self._front = question_id
            self._show_front(activate=True, asked_for=True)

    def end(self, question_id: str, answer: Answer) -> None:
        """The person declines or cancels it elsewhere; what was typed is kept."""
        if all(question.id != question_id for question in self._waiting):
            return
        self._done.add(question_id)
        self._waiting = tuple(q for q in self._waiting if q.id != question_id)
        self.answered.emit(question_id, answer)
        if question_id in self._windows:
            self._withdraw(question_id)
        self._show_front(activate=False)

    def discard(self, draft: AnswerDraft) -> None:
        self.drafts = tuple(one for one in self.drafts if one is not draft)
        self.drafts_changed.emit(self.drafts)

    @property
    def answering(self) -> bool:
        """Does a question window have the keyboard?"""
        return any(window.isActiveWindow() and window.isVisible() for window in self._windows.values())

    @property
    def typed(self) -> bool:
        """Would something that was typed be lost if Deskbell ended now?"""
        asked = [window for window in self._windows.values() if not window.over]
        return any(window.typed() for window in (*asked, *self._kept))

    def close(self) -> None:
        """Deskbell ends: every window goes; the engine cancels what waits."""
        for window in [*self._windows.values(), *self._kept]:
            window.over = True
            window.close()
            window.deleteLater()
        self._windows.clear()
        self._kept.clear()
        if self._coming is not None:
            self._coming.window.deleteLater()
            self._coming = None

    def _show_front(self, *, activate: bool, asked_for: bool = False, sudden: bool = False) -> None:
        """`asked_for`: the person wants a window now, snoozed or not. `sudden`: they may be typing."""
        if all(question.id != self._front for question in self._waiting):
            self._front = self._choose(asked_for)
        self._count()
        if not self._front or not (asked_for or self._may_show()):
            return
        window = self._windows.get(self._front)
        if window is None:
            self._make(activate, asked_for, sudden)
        else:
            self._show(window, activate, sudden)

    def _show(self, window: QuestionWindow, activate: bool, sudden: bool) -> None:
        if activate:
            if sudden and not window.isActiveWindow():
                window.delay_buttons()
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)
            window.showNormal() if window.isMinimized() else window.show()
            window.raise_()
            window.activateWindow()
        elif not window.isVisible():
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, True)
            window.show()
            window.lower()  # behind what the person is doing; some window managers put it on top
            QApplication.alert(window)

    def _choose(self, asked_for: bool) -> str:
        """The oldest; of a flood only when the person asks for it."""
        flooding = set() if asked_for else {flood.server for flood in self._status.floods}
        return next((q.id for q in self._waiting if q.server not in flooding), "")

    def _may_show(self) -> bool:
        window = self._windows.get(self._front)
        shown = window is not None and window.isVisible()
        return shown or (self._manner.window and not self._status.snoozed)

    def _count(self) -> None:
        flooding = {flood.server: flood.waiting for flood in self._status.floods}
        for window in self._windows.values():
            window.show_waiting_count(len(self._waiting) - 1)
            window.show_flood(flooding.get(window.question.server, 0))

    def _tell_clocks(self) -> None:
        for question in self._waiting if self._windows else ():
            if question.id in self._windows:
                self._windows[question.id].set_deadline(question.deadline)

    def _make(self, activate: bool, asked_for: bool, sudden: bool) -> None:
        """The window in front, in slices: it is shown when it is whole."""
        question = next(q for q in self._waiting if q.id == self._front)
        coming = self._coming
        windows = _windows()
        if windows is None:
            self._load_for(activate, asked_for, sudden)
            return
        if coming is not None:
            if coming.window.question.id == question.id and coming.window.building.running:
                wanted = coming.activate or activate, coming.asked_for or asked_for
                self._coming = PendingWindow(coming.window, *wanted, coming.sudden or sudden)
                return
            coming.window.deleteLater()
        window = windows[question.mode](question, in_slices=True)
        window.setScreen(pointer_screen())
        self._coming = PendingWindow(window, activate, asked_for, sudden)
        window.building.when_done(partial(self._come, window))

    def _load_for(self, *wish: bool) -> None:
        """A Question before anything is ready for it: importing takes its time."""
        self._wishes = tuple(map(any, zip(self._wishes, wish, strict=True)))
        if not self._loading.running:
            self._loading.start(self._load())

    def _load(self) -> Steps:
        yield from load(_KINDS)
        (activate, asked_for, sudden), self._wishes = self._wishes, _NO_WISHES
        self._refuse_unknown()
        self._show_front(activate=activate, asked_for=asked_for, sudden=sudden)

    def _come(self, window: QuestionWindow) -> None:
        """It is whole; but what is to be in front may be another one by now."""
        coming = self._coming
        if coming is None or coming.window is not window:
            return
        self._coming = None
        if all(question.id != window.question.id for question in self._waiting):
            window.deleteLater()
            return
        self._take(window)
        self._tell_clocks()
        self._show_front(activate=coming.activate, asked_for=coming.asked_for, sudden=coming.sudden)

    def _take(self, window: QuestionWindow) -> None:
        window.answered.connect(self._answer)
        window.mute_wanted.connect(self.mute_wanted)
        window.spare_wanted.connect(self.spare_wanted)
        window.finished.connect(lambda _: self._forget(window))
        window.fit()
        center_on_pointer_screen(window)
        self._windows[window.question.id] = window

    def _answer(self, question_id: str, answer: Answer) -> None:
        window = self._windows.get(question_id)
        busy = window is not None and window.isActiveWindow()
        if window is not None and answer.action is Action.CANCEL:
            self._keep_draft(window, self.tr("You closed the question."))
        self._done.add(question_id)
        self._waiting = tuple(q for q in self._waiting if q.id != question_id)
        self.answered.emit(question_id, answer)
        if window is not None and not window.lingers:
            window.hide()
        self._show_front(activate=busy, asked_for=busy and not self._status.snoozed, sudden=True)

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
        if not window.over:
            self._keep_draft(window, window.why_gone())
        window.withdraw()
        if window in self._kept and not window.isVisible() and not self._status.snoozed:
            window.show()

    def _keep_draft(self, window: QuestionWindow, why: str) -> None:
        if typed := window.typed():
            self.drafts = inbox_drafts.with_draft(
                self.drafts, AnswerDraft(window.question, typed, why, time.time())
            )
            self.drafts_changed.emit(self.drafts)

    def _forget(self, window: QuestionWindow) -> None:
        self._kept.discard(window)
        if self._windows.get(window.question.id) is window:
            del self._windows[window.question.id]
        window.deleteLater()

    def _refuse_unknown(self) -> None:
        """A Question no window can show must not wait for ever."""
        known = _windows()
        if known is None:
            return
        for question in self._waiting:
            if question.mode not in known:
                self._done.add(question.id)
                self.answered.emit(question.id, CANCEL)
        self._waiting = tuple(q for q in self._waiting if q.id not in self._done)


def _windows() -> Mapping[Mode, type[QuestionWindow]] | None:
    """None: they are not loaded yet."""
    return getattr(sys.modules.get(_KINDS), "WINDOWS", None)
