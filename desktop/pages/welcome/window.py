"""The first-run window: ring the bell once, then switch on the AI apps. It can be skipped.

Shown at the first start; the Home page opens it again.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QStackedWidget

from bridge.api import Services, Status
from desktop.pages.welcome.apps_step import AppsStep
from desktop.pages.welcome.question_step import QuestionStep
from desktop.theme.metrics import GRID
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button
from desktop.widgets.dialogs import resize_for_text
from desktop.widgets.icons import app_icon
from desktop.widgets.layouts import column, row

_WIDE, _TALL = 92, 38  # characters, lines
_RING, _APPS = 0, 1  # steps


class WelcomeWindow(QDialog):
    open_wanted = Signal(str)  # Question id

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._service = services.servers
        self.setObjectName("welcome")
        self.setWindowTitle(self.tr("Welcome to Deskbell"))
        self.setWindowIcon(app_icon())
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, False)
        self._status = Status()
        self._question, self._apps = QuestionStep(services), AppsStep(services)
        self._steps = (self._question, self._apps)
        self._build()
        self._question.open_wanted.connect(self.open_wanted)
        self._question.answered.connect(self._offer)
        self._turn(_RING)
        resize_for_text(self, _WIDE, _TALL)

    def draw(self, status: Status) -> None:
        self._status = status
        if self.isVisible():
            for step in self._steps:
                step.draw(status)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self._turn(_RING)
            self.draw(self._status)

    def done(self, result: int) -> None:
        if self._question.asking:
            self._service.cancel_trial()
        super().done(result)

    def _build(self) -> None:
        self._stack = QStackedWidget()
        self._stack.setObjectName("steps")
        for step in self._steps:
            self._stack.addWidget(step)
        skip = self.tr("S&kip setup")
        self._skip = make_button("skip", skip, self.reject, auto_default=False, kind=ButtonKind.QUIET)
        self._back = make_button("back", self.tr("&Back"), self._go_back, auto_default=False)
        self._past = make_button(
            "past", self.tr("Skip this &step"), self._go_on, auto_default=False, kind=ButtonKind.QUIET
        )
        self._next = make_button("next", "", self._press, kind=ButtonKind.PRIMARY)
        self._next.setDefault(True)
        buttons = row(self._skip, 1, self._back, self._past, self._next, spacing=GRID)
        self.setLayout(column((self._stack, 1), buttons, margins=(24, 24, 24, 16), spacing=2 * GRID))

    def _turn(self, place: int) -> None:
        self._stack.setCurrentIndex(place)
        self._offer()

    def _offer(self) -> None:
        """Set the text of the primary button for this step."""
        place = self._stack.currentIndex()
        rings = place == _RING and not self._question.done
        self._next.setText(
            self.tr("&Ring the bell")
            if rings
            else self.tr("&Continue")
            if place == _RING
            else self.tr("&Done")
        )
        self._next.setEnabled(not self._question.asking)
        self._back.setVisible(place != _RING)
        self._skip.setVisible(place == _RING)
        self._past.setVisible(rings)
        step = self.tr("Step {number} of {count}").format(number=place + 1, count=len(self._steps))
        self.setAccessibleDescription(step)
        self._next.setFocus()

    def _press(self) -> None:
        if self._stack.currentIndex() == _RING and not self._question.done:
            self._question.ring()
            self._offer()
        else:
            self._go_on()

    def _go_back(self) -> None:
        self._turn(_RING)

    def _go_on(self) -> None:
        if self._stack.currentIndex() == _APPS:
            self.accept()
        else:
            self._turn(_APPS)
