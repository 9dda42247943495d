"""What every question window has in common: who asks, the message, the time left, one Answer and no second.

A window answers once. Esc and closing it are cancel; only a button declines.
"""

from __future__ import annotations

import time
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bridge.api import CANCEL, DECLINE, Answer, Question, Status
from desktop.language import translated
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.questions.countdown import Countdown
from desktop.questions.window_header import QuestionHeader
from desktop.widgets.icons import app_icon
from desktop.widgets.labels import Label, Tone
from desktop.widgets.markdown_view import MarkdownView
from desktop.widgets.message_bar import MessageBar
from desktop.widgets.safe_text import one_line, readable
from desktop.widgets.scroll import FittingScroll

Role = QDialogButtonBox.ButtonRole
_EMS = 74  # the width of a window, in average letters
_SHARE = 0.88  # of the screen's height at most
_HOUR = 3600.0
_SETTLING = 600  # milliseconds: nobody has read it by then, but a second click or Return may still come
_NEARLY = 1.0  # seconds; a Question that goes this close to its deadline has expired


class QuestionWindow(QDialog):
    """Subclasses fill the body and the buttons, in reading order, and say what was typed."""

    answered = Signal(str, object)  # Question id, Answer
    mute_wanted = Signal(str, float)  # server, seconds
    spare_wanted = Signal(str)  # server

    def __init__(self, question: Question, parent: QWidget | None = None, *, in_slices: bool = False) -> None:
        """`in_slices`: it is whole when `building` is done, and of no use before."""
        super().__init__(parent)
        self.question = question
        self.default: QPushButton | None = None  # what Return presses
        self._flood: MessageBar | None = None
        self.over = False  # answered or withdrawn: no Answer leaves this window any more
        self.lingers = False  # answered, and still of use to the person
        self.setObjectName("question")
        self.setWindowTitle(self.tr("Question from {server}").format(server=one_line(question.server)))
        self.setWindowIcon(app_icon())
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, False)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(18, 16, 18, 14)
        self._column.setSpacing(12)
        self.building = SlicedTask(self)
        self.building.start(self._build())
        if not in_slices:
            self.building.finish()

    def _build(self) -> Steps:
        self._notice = Label("", name="notice", tone=Tone.WARNING, bold=True)
        self._column.addWidget(self._notice)
        who = QuestionHeader(self.question)
        who.resized.connect(self.fit)
        self._column.addWidget(who)
        yield None
        self.message = MarkdownView(readable(translated(self.question.message)), name="message")
        self.message.setAccessibleName(self.tr("Message"))
        self.setAccessibleDescription(self.message.toPlainText())
        self._column.addWidget(self.message)
        self.message.setVisible(bool(self.question.message))
        self.body = QVBoxLayout()
        self.body.setSpacing(8)
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

    # what subclasses say

    def fill_body(self) -> Steps:
        """Between the message and the buttons."""
        raise NotImplementedError

    def fill_buttons(self) -> None:
        raise NotImplementedError

    def typed(self) -> str:
        """What the person has entered so far, for copying; "" when nothing would be lost."""
        return ""

    def freeze(self) -> None:
        """Nothing can be entered any more."""

    def heed(self, status: Status) -> None:
        """A window that lingers learns how things are."""

    def carry_on(self, question: Question) -> None:
        """A window that lingers is asked the Question that follows."""

    # what the presenter does

    def show_waiting_count(self, more: int) -> None:
        """How many others wait behind this one."""
        self._more.show_text(self.tr("{count} more waiting").format(count=more) if more else "")

    def show_flood(self, waiting: int) -> None:
        """This server asks too often, and so many of its Questions wait; 0: it does not."""
        if self._flood is not None:
            self._flood.hide()
            self._flood.deleteLater()
            self._flood = None
        if waiting:
            words = self.tr("{server} asks very often; {count} of its questions wait.")
            server = one_line(self.question.server, 60)
            mute = ("mute", self.tr("&Mute for an hour"), self._mute)
            spare = ("spare", self.tr("Ask me an&yway"), self._spare)
            self._flood = MessageBar(
                "flood", words.format(server=server, count=waiting), (mute, spare), Tone.WARNING
            )
            self._column.insertWidget(0, self._flood)
            self.fit()

    def _spare(self) -> None:
        self.spare_wanted.emit(self.question.server)

    def _mute(self) -> None:
        self.mute_wanted.emit(self.question.server, _HOUR)

    def set_deadline(self, deadline: float) -> None:
        """The clock was stopped (0), or goes on until then."""
        if deadline != self.question.deadline:
            self.question = replace(self.question, deadline=deadline)
            self._countdown.set_deadline(deadline)

    def withdraw(self) -> None:
        """The Question is gone, taken back or expired: close, or keep what was typed for copying."""
        if self.over:
            return
        self.over = True
        if not self.typed():
            self.done(0)
            return
        self.stop_clock()
        self._notice.show_text(self.why_gone())
        self.freeze()
        self._drop_buttons()
        self.add_button("copy", self.tr("C&opy what I typed"), Role.ActionRole).clicked.connect(self._copy)
        self.add_button("close", self.tr("&Close"), Role.RejectRole).clicked.connect(self.reject)
        self.fit()

    def stop_clock(self) -> None:
        self._countdown.set_deadline(0.0)

    def answer(self, answer: Answer) -> None:
        if not self.over:
            self.over = True
            self.answered.emit(self.question.id, answer)
            self.done(0)

    def reject(self) -> None:
        """Esc, and closing the window (Qt calls it for both)."""
        if self.over:
            self.done(0)
        elif self.settled:
            self.answer(CANCEL)

    @property
    def settled(self) -> bool:
        return self.buttons.isEnabled()

    def delay_buttons(self) -> None:
        """It takes the keyboard unexpectedly: what is pressed at this moment is meant for something else."""
        focused = self.focusWidget()
        self.buttons.setEnabled(False)
        QTimer.singleShot(_SETTLING, self, lambda: self._settle(focused))

    def _settle(self, focused: QWidget | None) -> None:
        self.buttons.setEnabled(True)
        if focused is not None and focused in self.buttons.buttons():  # Qt has given it to another
            focused.setFocus()

    def fit(self) -> None:
        """As tall as the content needs, as far as the screen allows."""
        screen = self.screen().availableGeometry()
        wanted = self.fontMetrics().averageCharWidth() * _EMS
        width = self.width() if self.isVisible() else min(wanted, round(screen.width() * 0.94))
        if self.isVisible():  # what has just changed deep inside is known only now
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            for scroll in self.findChildren(FittingScroll):
                scroll.updateGeometry()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)  # and so is what is around it
        self._column.activate()
        height = self._column.totalHeightForWidth(width)
        self.resize(width, min(height, round(screen.height() * _SHARE)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        for button in self.buttons.buttons():  # the box has made one the default by itself
            if isinstance(button, QPushButton):
                button.setDefault(button is self.default)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        event.accept()
        focused = self.focusWidget()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return  # a form's own shortcut
        if isinstance(focused, QPushButton | QToolButton):
            focused.click()
        elif self.default is not None:
            self.default.click()

    # parts

    def add_button(self, name: str, text: str, role: QDialogButtonBox.ButtonRole) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setAutoDefault(False)  # keyPressEvent decides what Return does
        self.buttons.addButton(button, role)
        return button

    def add_refusals(self) -> None:
        """Decline and Cancel, as form and link have them."""
        decline = self.add_button("decline", self.tr("&Decline"), Role.DestructiveRole)
        decline.clicked.connect(lambda: self.answer(DECLINE))
        cancel = self.add_button("cancel", self.tr("&Cancel"), Role.RejectRole)
        cancel.clicked.connect(self.reject)
        if self.default is None:
            cancel.setFocus()

    def _foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self._countdown = Countdown(self.question.deadline)
        row.addWidget(self._countdown, 1)
        self._more = Label("", name="more", tone=Tone.MUTED)
        row.addStretch()
        row.addWidget(self._more, 0, Qt.AlignmentFlag.AlignRight)
        return row

    def why_gone(self) -> str:
        """What became of the Question, when it went by itself."""
        if 0 < self.question.deadline <= time.time() + _NEARLY:
            return self.tr("Time is up. Nothing is sent; what you typed can still be copied.")
        return self.tr("The question was withdrawn. Nothing is sent; what you typed can still be copied.")

    def _drop_buttons(self) -> None:
        """Not `clear()`: it deletes a button that Qt, and we, may still hold as the default."""
        self.default = None
        for button in self.buttons.buttons():
            self.buttons.removeButton(button)
            button.hide()
            button.deleteLater()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.typed())
