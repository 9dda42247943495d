"""Base class of question windows: who asks, the question, its answer, and the button that refuses it.

A window answers once. Esc and closing cancel; only a button declines. A refusal can be undone for some
seconds: the window is only hidden until then, with all that was typed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QWidget

from bridge.api import CANCEL, Action, Answer, AnswerDraft, History, Question, Status, app_of, schema
from desktop.language import translated
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.questions.asker import app_name
from desktop.questions.byline import Byline
from desktop.questions.countdown import Countdown
from desktop.questions.refuse_button import RefuseButton
from desktop.system.window_placement import keep_above_lower_edge
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button
from desktop.widgets.dialogs import press_focused
from desktop.widgets.icons import app_icon
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import DIALOG, column, discard, row
from desktop.widgets.message_bar import MessageBar
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.markdown_view import MarkdownView
from desktop.widgets.text.safe_text import one_line, readable

Role = QDialogButtonBox.ButtonRole
_EMS = 74  # width in average characters
_SHARE = 0.88  # greatest height, as share of the screen
_HOUR = 3600.0
_MORE = 300.0  # seconds that one press adds
_WORKING = 30_000  # milliseconds after the last change that the person counts as working on the answer
_HEADLINE = 160  # characters of a message that is set in large letters
_SETTLING = 600  # milliseconds without buttons, against a click or Return meant for something else
_NEARLY = 1.0  # seconds; a Question withdrawn this close to its deadline has expired


class QuestionWindow(QDialog):
    """Subclasses fill the body and the buttons, in reading order, and return what was typed."""

    answered = Signal(str, object)  # Question id, Answer
    refused = Signal(str, object)  # Question id, Answer; it can be undone
    later_wanted = Signal(str)  # Question id
    turn_wanted = Signal(str, int)  # Question id; how far on in the queue, 1 or -1
    time_wanted = Signal(str, float)  # Question id, seconds
    working = Signal(str, bool)  # Question id; the person works on its answer, or has paused
    mute_wanted = Signal(str, float)  # server, seconds
    ask_anyway_wanted = Signal(str)  # server
    open_wanted = Signal(str)  # id of another Question, to be shown in this window's place
    end_wanted = Signal(str, object)  # id of another Question, Answer

    def __init__(self, question: Question, *, in_slices: bool = False) -> None:
        """`in_slices`: the window is usable when `building` is done."""
        super().__init__()
        self.question = question
        self.default: QPushButton | None = None  # the button that Return presses
        self._flood: MessageBar | None = None
        self._refuse: RefuseButton | None = None
        self._rest = QTimer(self, singleShot=True, interval=_WORKING)
        self._rest.timeout.connect(lambda: self.working.emit(self.question.id, False))
        self.is_refused = False  # hidden; the refusal can be undone
        self.over = False  # answered or withdrawn; sends no further Answer
        self.lingers = False  # answered, but stays open
        self.setObjectName("question")
        self.setWindowTitle(self.tr("Question from {server}").format(server=one_line(question.server)))
        self.setWindowIcon(app_icon())
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, False)
        self._column = column(margins=DIALOG, spacing=12)
        self.setLayout(self._column)
        self.building = SlicedTask(self, self._build(), at_once=not in_slices)

    def _build(self) -> Steps:
        self._notice = Label("", name="notice", tone=Tone.WARNING, bold=True)
        self._column.addWidget(self._notice)
        self._show_host_left()
        self._byline = Byline(self.question)
        self._byline.resized.connect(self.fit)
        self._byline.turned.connect(lambda way: self.turn_wanted.emit(self.question.id, way))
        self._column.addWidget(self._byline)
        yield None
        words = readable(translated(self.question.message))
        short = len(words) <= _HEADLINE and "\n" not in words.strip()
        scale = 1.2 if short else 1.05
        self.message = MarkdownView(words, name="message", lines=40, scale=scale, bold=short)
        self.message.setAccessibleName(self.tr("Message"))
        self.setAccessibleDescription(self.message.toPlainText())
        self._column.addWidget(self.message)
        self.message.setVisible(bool(self.question.message))
        self.body = column(spacing=8)
        self._column.addLayout(self.body, 1)
        yield None
        yield from self.fill_body()
        yield None
        self._countdown = Countdown(self.question.deadline)
        self._countdown.more_wanted.connect(lambda: self.time_wanted.emit(self.question.id, _MORE))
        self._countdown.resized.connect(self.fit)
        self._column.addWidget(self._countdown)
        self.buttons = QDialogButtonBox()
        self.buttons.setObjectName("buttons")
        self._foot = row((self.buttons, 1), spacing=8)
        self._column.addLayout(self._foot)
        self.fill_buttons()
        self.order_tabs()
        yield None
        self.fit()
        yield None

    # for subclasses

    def fill_body(self) -> Steps:
        """Build what is between message and buttons."""
        raise NotImplementedError

    def fill_buttons(self) -> None:
        raise NotImplementedError

    def typed(self) -> str:
        """Return what was typed so far, for copying; "" if nothing would be lost."""
        return ""

    def entered_so_far(self) -> dict[str, schema.Entered]:
        """Return what was entered, by field, without secrets: to be offered when the question comes again."""
        return {}

    def unsent_draft(self, why: str) -> AnswerDraft | None:
        """Return what was typed as a draft, with the reason why it was not sent; None if nothing was."""
        typed, asked = self.typed(), self.question
        if not typed:
            return None
        entered = self.entered_so_far()
        return AnswerDraft(
            asked.id, asked.server, asked.tool, asked.message, typed, entered, why, time.time()
        )

    def offer_earlier(self, history: History, drafts: tuple[AnswerDraft, ...]) -> None:
        """Offer what the person answered before, or typed and did not send."""

    def freeze(self) -> None:
        """Make the inputs read-only."""

    def follow_status(self, status: Status) -> None:
        """Follow Status while the window lingers."""

    def take_follow_up(self, question: Question) -> None:
        """Take the Question that follows while the window lingers."""

    def show_others(self, waiting: Sequence[Question]) -> None:
        """Show which Questions wait, this one included."""

    def place(self) -> object:
        """Return where the window is, for a window of the same kind that follows it; None: anywhere."""
        return None

    def take_place(self, place: object) -> None:
        """Take the place of a window that the user left for this one."""

    # called by the presenter

    def show_place(self, place: int, count: int) -> None:
        """Show that this is Question `place` of `count`; 0: it does not wait."""
        self._byline.show_place(place, count if place else 0)

    def show_flood(self, waiting: int) -> None:
        """Show that the server floods, with its count of waiting Questions; 0: it does not."""
        if self._flood is not None:
            discard(self._flood)
            self._flood = None
        if waiting:
            words = self.tr("{server} is asking a lot ({count} waiting).")
            server = self.question.server
            words = words.format(server=one_line(server, 60), count=waiting)
            mute = self.tr("&Mute for an hour"), partial(self.mute_wanted.emit, server, _HOUR)
            spare = self.tr("Ask me an&yway"), partial(self.ask_anyway_wanted.emit, server)
            self._flood = MessageBar("flood", words, (("mute", *mute), ("spare", *spare)), Tone.WARNING)
            self._column.insertWidget(0, self._flood)
            self._flood.show()
            self.fit()

    def set_deadline(self, deadline: float) -> None:
        """Set the deadline (Unix time); 0: the clock is stopped."""
        if deadline != self.question.deadline:
            self.question = replace(self.question, deadline=deadline)
            self._countdown.set_deadline(deadline)

    def show_host_left(self, left: bool) -> None:
        """Show whether the AI app stopped waiting, and that the answer is kept for it."""
        if left != self.question.host_left:
            self.question = replace(self.question, host_left=left)
            self._show_host_left()
            self.fit()

    def _show_host_left(self) -> None:
        words = self.tr("{host} stopped waiting. Your answer is kept for its next try.")
        host = isolate(app_name(self.question))
        self._notice.show_text(words.format(host=host) if self.question.host_left else "")

    def withdraw(self, host: str = "") -> None:
        """Close: the Question was withdrawn, expired or answered in `host`. Stay open if typed text can still
        be copied, or if the user has the window in front and it was answered elsewhere."""
        if self.over:
            return
        self.over = True
        typed = self.typed()
        if not typed and not (host and self.isActiveWindow()):
            self.done(0)
            return
        self.stop_clock()
        self._notice.show_text(self.why_gone(host))
        self.freeze()
        self._drop_buttons()
        self.hide_refusals()
        if typed:
            self.add_button("copy", self.tr("C&opy what I typed"), Role.ActionRole, self._copy)
        self.add_button("close", self.tr("&Close"), Role.RejectRole, self.reject)
        self.fit()

    def stop_clock(self) -> None:
        self._countdown.set_deadline(0.0)

    def answer(self, answer: Answer) -> None:
        if answer.action is not Action.ACCEPT:
            self.refuse(answer)
        elif not self.over:
            self.over = True
            self.answered.emit(self.question.id, answer)
            self.done(0)

    def refuse(self, answer: Answer) -> None:
        """Hide; the refusal can be undone for a moment."""
        if not self.over:
            self.over = self.is_refused = True
            self.refused.emit(self.question.id, answer)
            self.hide()

    def take_back(self) -> None:
        """Show the question again, because the person has undone the refusal."""
        self.over = self.is_refused = False

    def note_work(self) -> None:
        """Note that the person changed the answer: the Question's clock stops while they work on it."""
        if not self._rest.isActive():
            self.working.emit(self.question.id, True)
        self._rest.start()

    def reject(self) -> None:
        """Handle Esc and closing (Qt calls it for both)."""
        if self.over:
            self.done(0)
        elif self.settled:
            self.refuse(CANCEL)

    @property
    def settled(self) -> bool:
        return self.buttons.isEnabled()

    def delay_buttons(self) -> None:
        """Disable the buttons for a moment: the window takes the keyboard while the user may be typing."""
        focused = self.focusWidget()
        self.buttons.setEnabled(False)
        self.body_guard(False)
        QTimer.singleShot(_SETTLING, self, lambda: self._settle(focused))

    def _settle(self, focused: QWidget | None) -> None:
        self.buttons.setEnabled(True)
        self.body_guard(True)
        if isinstance(focused, QPushButton) and self.isAncestorOf(focused):  # disabling moved the focus
            focused.setFocus()

    def body_guard(self, on: bool) -> None:
        """Enable or disable what answers in the body; part of `delay_buttons`."""

    def fit(self) -> None:
        """Resize to the height of the content, as far as the screen allows."""
        screen = self.screen().availableGeometry()
        wanted = self.fontMetrics().averageCharWidth() * _EMS
        width = self.width() if self.isVisible() else min(wanted, round(screen.width() * 0.94))
        if self.isVisible():  # deliver pending layout requests of inner widgets
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            for scroll in self.findChildren(FittingScroll):
                scroll.updateGeometry()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)  # and of those around them
        self._column.activate()
        height = self._column.totalHeightForWidth(width)
        self.resize(width, min(height, round(screen.height() * _SHARE)))
        if self.isVisible():
            keep_above_lower_edge(self)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._countdown.run(True)
        for button in self.buttons.buttons():  # QDialogButtonBox chooses a default by itself
            if isinstance(button, QPushButton):
                button.setDefault(button is self.default)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._countdown.run(False)
        if self._rest.isActive():
            self._rest.stop()
            self.working.emit(self.question.id, False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        event.accept()
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:  # a form's own shortcut
            press_focused(self, self.default)

    # building

    def add_button(
        self, name: str, text: str, role: Role, act: Callable[[], object], kind: ButtonKind = ButtonKind.PLAIN
    ) -> QPushButton:
        # keyPressEvent decides what Return does
        button = make_button(name, text, act, auto_default=False, kind=kind)
        self.buttons.addButton(button, role)
        return button

    def add_refusals(self, words: str = "") -> RefuseButton:
        """Add the button that refuses, and Later. `words`: in place of "Don't answer"."""
        self._refuse = RefuseButton(words, wants_reason=self.question.wants_reason)
        self._refuse.refused.connect(self._refuse_settled)
        self._refuse.resized.connect(self.fit)
        self._foot.insertWidget(0, self._refuse)
        self._later = make_button(
            "later", self.tr("&Later"), self._put_off, auto_default=False, kind=ButtonKind.QUIET
        )
        self._later.setToolTip(self.tr("Put this question back; it keeps waiting"))
        self._foot.insertWidget(1, self._later)
        if self.default is None:
            self._refuse.main.setFocus()
        return self._refuse

    def hide_refusals(self) -> None:
        """Take away Later and the ways not to answer: the Question is over."""
        if self._refuse is not None:
            self._refuse.hide()
            self._later.hide()

    def _refuse_settled(self, answer: Answer) -> None:
        if self.settled:
            self.answer(answer)

    def _put_off(self) -> None:
        self.later_wanted.emit(self.question.id)

    def order_tabs(self) -> None:
        """Let Tab go from the last input to the button that answers, then to those that refuse."""
        before: QWidget | None = None
        buttons = sorted(self.buttons.buttons(), key=lambda button: button is not self.default)
        outs = (*self._refuse.stops, self._later) if self._refuse is not None else ()
        for after in (*buttons, *outs):
            if before is not None:
                self.setTabOrder(before, after)
            before = after

    def why_gone(self, host: str = "") -> str:
        """Return why the Question is gone, as text. `host`: the application that it was answered in."""
        if host:
            return self.tr("Answered in {host}.").format(host=isolate(one_line(app_of(host).name, 60)))
        if 0 < self.question.deadline <= time.time() + _NEARLY:
            return self.tr("Too late – the app stopped waiting. Your text is still here to copy.")
        return self.tr("The question was withdrawn. Your text is still here to copy.")

    def _drop_buttons(self) -> None:
        """Remove all buttons. Not by `clear()`: it deletes a button that may still be the default."""
        self.default = None
        for button in self.buttons.buttons():
            self.buttons.removeButton(button)
            discard(button)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.typed())
