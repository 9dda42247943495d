"""Shows the oldest Question, or the one the user opened: as a card, or as a window. Follows Status.

Rule 1: one Question is in front; a Question put aside keeps its window, hidden, with what was typed.
Rule 2: a Question comes as a card in a corner, above other windows and without focus, and as a minimized
window in the task bar; as a window in front if the user asked for it, allowed it in Settings or has just
answered another.
Rule 3: while snoozed, or while a server floods the Desk, it comes only on request.
Rule 4: a refusal can be undone while Status says so; its window stays, hidden, until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from bridge.api import CANCEL, Answer, History, Question, Status, interruption
from desktop.questions.lazy_popup_card import LazyPopupCard
from desktop.questions.window_builder import WindowBuilder, window_classes
from desktop.questions.window_options import ShowOptions
from desktop.system.window_placement import center_on_pointer_screen

if TYPE_CHECKING:
    from desktop.questions.base_window import QuestionWindow

_PLAIN = interruption.Alert(window=True)
_QUIETLY = ShowOptions()
_ON_REQUEST = ShowOptions(activate=True, asked_for=True)


class QuestionPresenter(QObject):
    answered = Signal(str, object)  # Question id, Answer
    refused = Signal(str, object)  # Question id, Answer; it can be undone
    undo_wanted = Signal(str)  # Question id
    time_wanted = Signal(str, float)  # Question id, seconds
    working = Signal(str, bool)  # Question id; the person works on its answer, or has paused
    missed_wanted = Signal()  # to see what was missed
    missed_seen = Signal()
    mute_wanted = Signal(str, float)  # server, seconds
    ask_anyway_wanted = Signal(str)  # server
    draft_kept = Signal(object)  # AnswerDraft

    def __init__(self, history: History | None = None) -> None:
        """`history`: where earlier answers are found."""
        super().__init__()
        self._history = history
        self._status = Status()
        self._waiting: tuple[Question, ...] = ()
        self._manner = _PLAIN
        self._done: set[str] = set()  # answered here, still in Status
        self._windows: dict[str, QuestionWindow] = {}
        self._builder = WindowBuilder(self)
        self._builder.loaded.connect(self._windows_loaded)
        self._builder.built.connect(self._show_built)
        self._front = ""
        self._kept: set[QuestionWindow] = set()  # withdrawn, but open until the user closes them
        self._card = self._make_card()
        self._later: dict[str, None] = {}  # put back by the user: after the others
        self._refused: set[str] = set()  # that Status has as undoable
        self._left: QuestionWindow | None = None  # window that stays until the next one can be shown
        self._place: object = None  # of the window that the user has just left

    def _make_card(self) -> LazyPopupCard:
        card = LazyPopupCard(self)
        card.answered.connect(self.answer)
        card.refused.connect(self.end)
        card.open_wanted.connect(self.open)
        card.later_wanted.connect(self.put_off)
        card.undo_wanted.connect(self.undo_wanted)
        card.missed_wanted.connect(self.missed_wanted)
        card.missed_seen.connect(self.missed_seen)
        card.mute_wanted.connect(self.mute_wanted)
        card.ask_anyway_wanted.connect(self.ask_anyway_wanted)
        return card

    def draw(self, status: Status) -> None:
        """Show the Questions of this Status."""
        snoozes = status.snoozed and not self._status.snoozed
        self._status = status
        waiting = {question.id for question in status.waiting}
        undoable = {held.question.id for held in status.undoable}
        self._take_back(waiting & self._refused)
        self._refused = undoable
        ids = waiting | undoable
        self._done &= ids
        self._later = {one: None for one in self._later if one in waiting}
        self._waiting = tuple(q for q in status.waiting if q.id not in self._done)
        for question_id in self._windows.keys() - ids:
            self._withdraw(question_id)
        self._refuse_unknown()
        for question in self._waiting:
            self._carry_on(question)
        self._update_deadlines()
        if snoozes:
            for window in self._windows.values():
                window.hide()
        self._show_front()
        self._draw_card()
        for window in list(self._kept):
            window.follow_status(status)

    def _take_back(self, undone: set[str]) -> None:
        """Show again the questions whose refusal the user has undone; the last of them at once."""
        self._done -= undone
        for question_id in undone:
            self._front = question_id
            if question_id in self._windows:
                self._windows[question_id].take_back()
                self._waiting = self._status.waiting
                self._show(self._windows[question_id], _ON_REQUEST)

    def apply_alert(self, alert: interruption.Alert) -> None:
        """Set how windows may open by themselves from now on."""
        self._manner = alert
        self._show_front(ShowOptions(activate=alert.front, sudden=True))
        self._draw_card()

    def remind(self) -> None:
        """Show the card of a Question that was put back: its time is nearly over."""
        self._later.clear()
        self._show_front()
        self._draw_card()

    def hold(self) -> None:
        """Open no window until `apply_alert`."""
        self._manner = interruption.SILENCE

    def next(self) -> None:
        """Show the Question in front, at the user's request."""
        self._show_front(_ON_REQUEST)

    def open(self, question_id: str) -> None:
        """Show this Question at the user's request; the one in front is put aside."""
        if any(question.id == question_id for question in self._waiting):
            if self._front != question_id and self._front in self._windows:
                self._windows[self._front].hide()
            self._front = question_id
            self._show_front(_ON_REQUEST)

    def switch(self, question_id: str) -> None:
        """Show this Question in the place of the one in front, which stays until it can be shown."""
        self._left = self._windows.get(self._front)
        self._place = self._left.place() if self._left is not None else None
        self._front = question_id
        self._show_front(_ON_REQUEST)

    def end(self, question_id: str, answer: Answer) -> None:
        """Refuse a Question in a list: it can be undone."""
        window = self._windows.get(question_id)
        if window is not None and not window.over:
            window.refuse(answer)
        elif any(question.id == question_id for question in self._waiting):
            self._refuse(question_id, answer)

    def answer(self, question_id: str, answer: Answer) -> None:
        """Answer a Question on its card or on a page."""
        window = self._windows.get(question_id)
        if window is not None:
            window.answer(answer)
        elif any(question.id == question_id for question in self._waiting):
            self._answer(question_id, answer)

    def put_off(self, question_id: str) -> None:
        """Put a Question back, behind the others; its clock goes on."""
        window = self._windows.get(question_id)
        active = window is not None and window.isActiveWindow()
        if window is not None:
            self._place = window.place() if active else None
            window.hide()
        self._later.pop(question_id, None)
        self._later[question_id] = None
        self._front = ""
        others = any(question.id not in self._later for question in self._waiting)
        self._show_front(ShowOptions(active, active, sudden=True) if others and active else _QUIETLY)
        self._draw_card()

    def turn(self, question_id: str, way: int) -> None:
        """Show the Question so far on in the queue in the place of this one."""
        ids = [question.id for question in self._waiting]
        if question_id in ids:
            self.switch(ids[(ids.index(question_id) + way) % len(ids)])

    @property
    def answering(self) -> bool:
        """True if a question window has the keyboard."""
        return any(window.isActiveWindow() and window.isVisible() for window in self._windows.values())

    @property
    def typed(self) -> bool:
        """True if typed text would be lost if Deskbell ended now."""
        asked = [window for window in self._windows.values() if not window.over]
        return any(window.typed() for window in (*asked, *self._kept))

    def close(self) -> None:
        """Close every window; the engine cancels the waiting Questions. What was typed is kept."""
        for window in self._windows.values():
            if not window.over:
                self._keep_draft(window, self.tr("Deskbell was closed before you sent it."))
        for window in [*self._windows.values(), *self._kept]:
            window.over = True
            window.close()
            window.deleteLater()
        self._windows.clear()
        self._kept.clear()
        self._card.close()
        self._builder.discard()

    def _show_front(self, options: ShowOptions = _QUIETLY) -> None:
        if all(question.id != self._front for question in self._waiting):
            self._front = self._choose(options.asked_for)
        self._count()
        if not self._front or not (options.asked_for or self._may_show()):
            return
        window = self._windows.get(self._front)
        if window is None:
            self._make(options)
        else:
            self._show(window, options)

    def _show(self, window: QuestionWindow, options: ShowOptions) -> None:
        left, self._left = self._left, None
        place, self._place = self._place, None
        if place is not None and not window.isVisible():
            window.take_place(place)
        if options.activate:
            if options.sudden and not window.isActiveWindow():
                window.delay_buttons()
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, False)
            window.showNormal() if window.isMinimized() else window.show()
            window.raise_()
            window.activateWindow()
        elif not window.isVisible() and window.question.id not in self._later:
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, True)
            window.showMinimized()  # in the task bar; the card is what is seen
            QApplication.alert(window)
        self._draw_card()
        if left is not None and left is not window:
            left.hide()

    def _choose(self, asked_for: bool) -> str:
        """Return the oldest Question; of a flooding server only if `asked_for`."""
        flooding = set() if asked_for else {flood.server for flood in self._status.floods}
        fit = [q.id for q in self._waiting if q.server not in flooding]
        rest = [one for one in self._later if one in fit] if asked_for else []
        return next((one for one in (*(q for q in fit if q not in self._later), *rest)), "")

    def _draw_card(self) -> None:
        """Show the Question in front on the card, unless a question window is seen; and what else is new."""
        status = self._status
        seen = any(window.isVisible() and not window.isMinimized() for window in self._windows.values())
        quiet = seen or status.snoozed or not self._manner.window or self._manner.front
        front = next((q for q in self._waiting if q.id == self._front and q.id not in self._later), None)
        flood = None if quiet else next(iter(status.floods), None)
        self._card.draw(None if quiet else front, max(len(self._waiting) - 1, 0), status, flood)

    def _may_show(self) -> bool:
        window = self._windows.get(self._front)
        shown = window is not None and window.isVisible()
        return shown or (self._manner.window and not self._status.snoozed)

    def _count(self) -> None:
        flooding = {flood.server: flood.waiting for flood in self._status.floods}
        ids = [question.id for question in self._waiting]
        for window in self._windows.values():
            known = window.question.id in ids and not window.over
            window.show_place(ids.index(window.question.id) + 1 if known else 0, len(ids))
            window.show_flood(flooding.get(window.question.server, 0))
            window.show_others(self._waiting)

    def _update_deadlines(self) -> None:
        for question in self._waiting if self._windows else ():
            if question.id in self._windows:
                self._windows[question.id].set_deadline(question.deadline)
                self._windows[question.id].show_host_left(question.host_left)

    def _make(self, options: ShowOptions) -> None:
        """Build the window in front; it is shown when it is complete."""
        self._builder.build(next(q for q in self._waiting if q.id == self._front), options)

    def _windows_loaded(self, options: ShowOptions) -> None:
        self._refuse_unknown()
        self._draw_card()
        self._show_front(options)

    def _show_built(self, window: QuestionWindow, options: ShowOptions) -> None:
        """Show a completed window, unless its Question is gone."""
        if all(question.id != window.question.id for question in self._waiting):
            window.deleteLater()
            return
        self._adopt(window)
        self._update_deadlines()
        self._show_front(options)

    def _adopt(self, window: QuestionWindow) -> None:
        window.answered.connect(self._answer)
        window.refused.connect(self._refuse)
        window.later_wanted.connect(self.put_off)
        window.turn_wanted.connect(self.turn)
        window.time_wanted.connect(self.time_wanted)
        window.working.connect(self.working)
        window.mute_wanted.connect(self.mute_wanted)
        window.ask_anyway_wanted.connect(self.ask_anyway_wanted)
        window.open_wanted.connect(self.switch)
        window.end_wanted.connect(self.end)
        window.finished.connect(lambda _: self._forget(window))
        window.fit()
        center_on_pointer_screen(window)
        self._windows[window.question.id] = window
        if self._history is not None:
            window.offer_earlier(self._history, self._status.drafts)

    def _answer(self, question_id: str, answer: Answer) -> None:
        window = self._windows.get(question_id)
        busy = window is not None and window.isActiveWindow()
        self._leave(question_id)
        self.answered.emit(question_id, answer)
        if window is not None and not window.lingers:
            window.hide()
            self._place = window.place()
        self._go_on(busy)

    def _refuse(self, question_id: str, answer: Answer) -> None:
        """Pass on a refusal; its window stays, hidden, while it can be undone."""
        window = self._windows.get(question_id)
        busy = window is not None and window.isActiveWindow()
        self._leave(question_id)
        self.refused.emit(question_id, answer)
        if window is not None:
            self._place = window.place()
        self._go_on(busy)

    def _leave(self, question_id: str) -> None:
        self._done.add(question_id)
        self._waiting = tuple(q for q in self._waiting if q.id != question_id)

    def _go_on(self, busy: bool) -> None:
        """Show the next Question; in front, if the user is `busy` with Questions."""
        self._show_front(ShowOptions(busy, busy and not self._status.snoozed, sudden=True))
        self._draw_card()

    def _carry_on(self, question: Question) -> None:
        """Show a follow-up Question in the lingering window of the one before."""
        before = next((window for window in self._kept if window.question.id == question.follows), None)
        if before is not None:
            self._kept.discard(before)
            self._windows[question.id] = before
            before.take_follow_up(question)

    def _withdraw(self, question_id: str) -> None:
        window = self._windows.pop(question_id)
        host = dict(self._status.elsewhere).get(question_id, "")
        if window.is_refused:
            self._keep_draft(window, self.tr("You closed this question."))
            window.done(0)
            return
        self._kept.add(window)
        if not window.over:
            self._keep_draft(window, window.why_gone(host))
        window.withdraw(host)
        if window in self._kept and not window.isVisible() and not self._status.snoozed:
            window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, True)
            window.showMinimized()

    def _keep_draft(self, window: QuestionWindow, why: str) -> None:
        draft = window.unsent_draft(why)
        if draft is not None:
            self.draft_kept.emit(draft)

    def _forget(self, window: QuestionWindow) -> None:
        self._kept.discard(window)
        if self._left is window:
            self._left = None
        if self._windows.get(window.question.id) is window:
            del self._windows[window.question.id]
        window.deleteLater()

    def _refuse_unknown(self) -> None:
        """Cancel Questions of a kind no window can show."""
        known = window_classes()
        if known is None:
            return
        for question in self._waiting:
            if question.mode not in known:
                self._done.add(question.id)
                self.answered.emit(question.id, CANCEL)
        self._waiting = tuple(q for q in self._waiting if q.id not in self._done)
