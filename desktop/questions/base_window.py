"""Base class of question windows: header, message, countdown, buttons.

A window answers once. Esc and closing cancel; only a button declines.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QPushButton, QWidget

from bridge.api import CANCEL, DECLINE, Answer, Question, Status
from desktop.language import translated
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.questions.window_header import QuestionHeader
from desktop.widgets.bidi import isolate
from desktop.widgets.controls import make_button
from desktop.widgets.dialogs import press_focused
from desktop.widgets.icons import app_icon
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import DIALOG, column, discard, row
from desktop.widgets.markdown_view import MarkdownView
from desktop.widgets.message_bar import MessageBar
from desktop.widgets.safe_text import one_line, readable
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.time_text import format_duration

Role = QDialogButtonBox.ButtonRole
_EMS = 74  # width in average characters
_SHARE = 0.88  # greatest height, as share of the screen
_HOUR = 3600.0
_SOON = 30  # seconds
_SETTLING = 600  # milliseconds without buttons, against a click or Return meant for something else
_NEARLY = 1.0  # seconds; a Question withdrawn this close to its deadline has expired


class Countdown(Label):
    """Counts down to a deadline while it is visible. `deadline`: Unix time; 0: none, and it is hidden."""

    def __init__(self, deadline: float) -> None:
        super().__init__("…" if deadline else "", name="countdown", tone=Tone.MUTED)
        self._deadline = deadline
        self._timer = QTimer(self, interval=1000)
        self._timer.timeout.connect(self._draw)
        self._draw()

    def set_deadline(self, deadline: float) -> None:
        """Count down to `deadline`; 0: the clock is stopped."""
        self._deadline = deadline
        self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _draw(self) -> None:
        if not self._deadline:
            self.show_text("")
            return
        left = self._deadline - time.time()
        self.set_tone(Tone.WARNING if left <= _SOON else Tone.MUTED)
        self.show_text(self.tr("Time left: {clock}").format(clock=format_duration(left)))


class QuestionWindow(QDialog):
    """Subclasses fill the body and the buttons, in reading order, and return what was typed."""

    answered = Signal(str, object)  # Question id, Answer
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
        who = QuestionHeader(self.question)
        who.resized.connect(self.fit)
        self._column.addWidget(who)
        yield None
        self.message = MarkdownView(readable(translated(self.question.message)), name="message")
        self.message.setAccessibleName(self.tr("Message"))
        self.setAccessibleDescription(self.message.toPlainText())
        self._column.addWidget(self.message)
        self.message.setVisible(bool(self.question.message))
        self.body = column(spacing=8)
        self._column.addLayout(self.body, 1)
        yield None
        yield from self.fill_body()
        yield None
        self._column.addLayout(self._foot())
        self.buttons = QDialogButtonBox()
        self.buttons.setObjectName("buttons")
        self._column.addWidget(self.buttons)
        self.fill_buttons()
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

    def show_waiting_count(self, more: int) -> None:
        """Show how many other Questions wait."""
        self._more.show_text(self.tr("{count} more waiting").format(count=more) if more else "")

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
        host = isolate(one_line(self.question.host, 60))
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
        if typed:
            self.add_button("copy", self.tr("C&opy what I typed"), Role.ActionRole, self._copy)
        self.add_button("close", self.tr("&Close"), Role.RejectRole, self.reject)
        self.fit()

    def stop_clock(self) -> None:
        self._countdown.set_deadline(0.0)

    def answer(self, answer: Answer) -> None:
        if not self.over:
            self.over = True
            self.answered.emit(self.question.id, answer)
            self.done(0)

    def reject(self) -> None:
        """Handle Esc and closing (Qt calls it for both)."""
        if self.over:
            self.done(0)
        elif self.settled:
            self.answer(CANCEL)

    @property
    def settled(self) -> bool:
        return self.buttons.isEnabled()

    def delay_buttons(self) -> None:
        """Disable the buttons for a moment: the window takes the keyboard while the user may be typing."""
        focused = self.focusWidget()
        self.buttons.setEnabled(False)
        QTimer.singleShot(_SETTLING, self, lambda: self._settle(focused))

    def _settle(self, focused: QWidget | None) -> None:
        self.buttons.setEnabled(True)
        if focused is not None and focused in self.buttons.buttons():  # disabling moved the focus
            focused.setFocus()

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

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        for button in self.buttons.buttons():  # QDialogButtonBox chooses a default by itself
            if isinstance(button, QPushButton):
                button.setDefault(button is self.default)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        event.accept()
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:  # a form's own shortcut
            press_focused(self, self.default)

    # building

    def add_button(self, name: str, text: str, role: Role, act: Callable[[], object]) -> QPushButton:
        button = make_button(name, text, act, auto_default=False)  # keyPressEvent decides what Return does
        self.buttons.addButton(button, role)
        return button

    def add_refusals(self) -> None:
        """Add Decline and Cancel."""
        decline = partial(self.answer, DECLINE)
        self.add_button("decline", self.tr("&Decline"), Role.DestructiveRole, decline)
        cancel = self.add_button("cancel", self.tr("&Cancel"), Role.RejectRole, self.reject)
        if self.default is None:
            cancel.setFocus()

    def _foot(self) -> QHBoxLayout:
        self._countdown = Countdown(self.question.deadline)
        self._more = Label("", name="more", tone=Tone.MUTED)
        return row((self._countdown, 1), 0, (self._more, 0, Qt.AlignmentFlag.AlignRight))

    def why_gone(self, host: str = "") -> str:
        """Return why the Question is gone, as text. `host`: the application that it was answered in."""
        if host:
            return self.tr("Answered in {host}.").format(host=isolate(one_line(host, 60)))
        if 0 < self.question.deadline <= time.time() + _NEARLY:
            return self.tr("Too late – the app stopped waiting. Your text is still here to copy.")
        return self.tr("The question was withdrawn. Nothing is sent; what you typed can still be copied.")

    def _drop_buttons(self) -> None:
        """Remove all buttons. Not by `clear()`: it deletes a button that may still be the default."""
        self.default = None
        for button in self.buttons.buttons():
            self.buttons.removeButton(button)
            discard(button)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.typed())
