"""The first-run window: connect an AI app, add servers, ask yourself a question. Each step can be skipped.

Shown at the first start; the Overview page opens it again.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QStackedWidget

from bridge.api import Services, Status
from desktop.pages.hosts.page import HostsPage
from desktop.pages.servers.add_dialog import AddDialog
from desktop.pages.welcome.question_step import QuestionStep
from desktop.pages.welcome.servers_step import ServersStep
from desktop.widgets.controls import make_button
from desktop.widgets.dialogs import resize_for_text
from desktop.widgets.icons import app_icon
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row

_WIDE, _TALL = 104, 36  # characters, lines


class WelcomeWindow(QDialog):
    open_wanted = Signal(str)  # Question id

    def __init__(self, apps: HostsPage, services: Services) -> None:
        super().__init__()
        self._services, self._service = services, services.servers
        self.setObjectName("welcome")
        self.setWindowTitle(self.tr("Welcome to Deskbell"))
        self.setWindowIcon(app_icon())
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, False)
        self._status = Status()
        self._adding: AddDialog | None = None
        self._servers, self._question = ServersStep(services), QuestionStep(services)
        self._steps = (apps, self._servers, self._question)
        self._titles = (
            self.tr("Connect an AI app"),
            self.tr("Add servers"),
            self.tr("See how it works"),
        )
        self._build()
        self._connect_steps()
        self._turn(0)
        resize_for_text(self, _WIDE, _TALL)

    def draw(self, status: Status) -> None:
        self._status = status
        if not self.isVisible():
            return
        for step in self._steps:
            step.draw(status)
        if self._adding is not None:
            self._adding.draw(status.at_servers)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self._turn(0)
            self.draw(self._status)

    def done(self, result: int) -> None:
        if self._question.asking:
            self._service.cancel_trial()
        super().done(result)

    def _connect_steps(self) -> None:
        self._servers.other_wanted.connect(self._open_add)
        self._servers.chosen.connect(self._offer)
        self._question.open_wanted.connect(self.open_wanted)
        self._question.answered.connect(self._next.setFocus)

    def _build(self) -> None:
        self._place = Label("", name="place", tone=Tone.MUTED)
        self._title = Label("", name="title", bold=True, scale=1.4)
        self._stack = QStackedWidget()
        self._stack.setObjectName("steps")
        for step in self._steps:
            self._stack.addWidget(step)
        self._skip = make_button("skip", self.tr("S&kip setup"), self.reject, auto_default=False)
        self._back = make_button("back", self.tr("&Back"), self._go_back, auto_default=False)
        self._next = make_button("next", "", self._go_on)
        self._next.setDefault(True)
        buttons = row(self._skip, 1, self._back, self._next)
        parts = (self._place, self._title, (self._stack, 1), buttons)
        self.setLayout(column(*parts, margins=(22, 18, 22, 16), spacing=12))

    def _turn(self, place: int) -> None:
        last = len(self._titles) - 1
        self._stack.setCurrentIndex(place)
        step = self.tr("Step {number} of {count}").format(number=place + 1, count=last + 1)
        self._place.show_text(step)
        self._title.show_text(self._titles[place])
        self.setAccessibleDescription(f"{step}: {self._titles[place]}")
        self._back.setEnabled(place > 0)
        self._skip.setVisible(place < last)
        self._next.setFocus()
        self._offer()

    def _offer(self, take_keyboard: bool = False) -> None:
        """Make Return add the checked servers; the other button then says that it skips them."""
        place = self._stack.currentIndex()
        pending = self._servers.pending if self._steps[place] is self._servers else None
        if place == len(self._titles) - 1:
            self._next.setText(self.tr("&Finish"))
        else:
            self._next.setText(self.tr("&Next without adding") if pending else self.tr("&Next"))
        (pending or self._next).setDefault(True)
        if take_keyboard or self._next.hasFocus():
            (pending or self._next).setFocus()

    def _go_back(self) -> None:
        self._turn(self._stack.currentIndex() - 1)

    def _go_on(self) -> None:
        place = self._stack.currentIndex()
        if place == len(self._titles) - 1:
            self.accept()
        else:
            self._turn(place + 1)

    def _open_add(self) -> None:
        dialog = self._adding = AddDialog(self._services, self)
        dialog.finished.connect(self._added)
        dialog.draw(self._status.at_servers)
        dialog.open()

    def _added(self) -> None:
        self._adding = None
