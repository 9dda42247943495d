"""Second step: a switch for each AI app found, where questions appear, and whether one has connected."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QButtonGroup, QLayout, QRadioButton, QWidget

from bridge.api import AppStatus, Services, Status
from desktop.language import label_text
from desktop.pages.hosts.app_cards import app_head
from desktop.pages.hosts.change_sheet import WrittenChangeSheet
from desktop.pages.hosts.texts import app_state, live_host, tools_of
from desktop.theme.metrics import GRID, TITLE
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row, widget_with
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.section import Section
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import one_line


class _AppCard(NamedTuple):
    app: AppStatus
    state: tuple[str, Tone]
    failures: int  # a switch that failed is drawn anew, as the file is


class AppsStep(QWidget):
    def __init__(self, services: Services) -> None:
        super().__init__()
        self._service = services.hosts
        self.setObjectName("appsStep")
        self._status = Status()
        self._failures = 0
        self._reloads: dict[str, str] = {}  # app → what makes it read its settings, after a change
        self._chosen = False  # the person has chosen where questions appear
        title = Label(self.tr("Which apps may ring?"), name="appsTitle", bold=True, scale=TITLE)
        intro = self.tr(
            "Switch on the apps you use. Their settings are changed so that questions come to Deskbell. "
            "You can undo this any time."
        )
        self._apps = Section("foundApps", "", cards=True)
        self._empty = EmptyState(
            "noApps",
            "app-window",
            self.tr("No supported AI app found"),
            self.tr("Install one and open this window again, or set one up by hand on the page AI apps."),
        )
        self._problem = Label("", name="appsProblem", tone=Tone.ERROR, selectable=True)
        self._outcome = Label("", name="appsOutcome", bold=True, tone=Tone.SUCCESS, announced=True)
        self._show = make_button(
            "showChanges", self.tr("Show &changes"), self._show_changes, kind=ButtonKind.QUIET
        )
        self._place = self._make_place()
        scroll = FittingScroll(widget_with(column(self._apps, self._empty, 1)), name="scroll")
        outcome_row = row(self._show, (self._outcome, 8), 1, spacing=GRID)
        head = (title, Label(intro, name="appsIntro", tone=Tone.MUTED))
        self.setLayout(column(*head, (scroll, 1), self._place, self._problem, outcome_row, spacing=2 * GRID))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self._service.look()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow() and self.isVisible():
            self._service.look()  # an app may have been installed meanwhile

    def draw(self, status: Status) -> None:
        at = status.at_hosts
        self._failures += bool(at.problem) and at.problem != self._status.at_hosts.problem
        self._status = status
        if at.news is not None:
            self._reloads[at.news.app] = at.news.reload
        found = [app for app in at.apps if app.installed]
        cards = {app.id: _AppCard(app, self._state(app), self._failures) for app in found}
        self._apps.draw(cards, self._card)
        self._empty.setVisible(at.looked and not found)
        self._place.setVisible(bool(found))
        if not self._chosen:
            here = any(app.has_poor_dialogs or "form" not in app.can for app in found)
            (self._here if here else self._there).setChecked(True)
        self._problem.show_text(label_text(at.problem))
        self._show.setVisible(at.news is not None and bool(at.news.diff))
        self._outcome.show_text(self._connected())

    def _card(self, one: _AppCard) -> QLayout:
        return app_head(one.app, one.state, partial(self._switch, one.app.id))

    def _switch(self, app: str, on: bool) -> None:
        self._service.switch(app, on, self._questions if on else "")

    @property
    def _questions(self) -> str:
        return "desktop" if self._here.isChecked() else "auto"

    def _state(self, app: AppStatus) -> tuple[str, Tone]:
        state = app_state(app, self._status)
        if not app.is_on or state[1] in (Tone.SUCCESS, Tone.WARNING, Tone.ERROR):
            return state
        return self._waiting_for(app), Tone.INFO

    def _waiting_for(self, app: AppStatus) -> str:
        """Return what must happen before a connection comes from the app."""
        words = {
            "restart": self.tr("Restart {name} to connect it"),
            "conversation": self.tr("Start a new conversation in {name} to connect it"),
            "refresh": self.tr("Press Refresh in {name}'s list of servers"),
        }.get(self._reloads.get(app.id, ""), self.tr("Waiting for {name}…"))
        return words.format(name=one_line(app.name, 60))

    def _connected(self) -> str:
        """Return which of the apps that are switched on have connected, and how many tools they have."""
        lines = []
        for app in self._status.at_hosts.apps:
            if app.is_on and live_host(app, self._status) is not None:
                name = isolate(one_line(app.name, 60))
                lines.append(self._tools_line(tools_of(app, self._status)).format(name=name))
        return "\n".join(lines)

    def _tools_line(self, count: int) -> str:
        if not count:
            return self.tr("✓ {name} is connected")
        if count == 1:
            return self.tr("✓ {name} is connected, 1 tool")
        return self.tr("✓ {name} is connected, {count} tools").replace("{count}", str(count))

    def _make_place(self) -> QWidget:
        self._here = QRadioButton(self.tr("On my des&ktop"))
        self._there = QRadioButton(self.tr("&In the app when it can show them"))
        self._here.setObjectName("onDesktop")
        self._there.setObjectName("inApp")
        group = QButtonGroup(self)
        for radio in (self._here, self._there):
            group.addButton(radio)
        group.buttonClicked.connect(lambda: self._choose())
        title = Label(self.tr("Questions appear:"), name="placeTitle")
        title.setWordWrap(False)
        return widget_with(row(title, self._here, self._there, 1, spacing=2 * GRID))

    def _choose(self) -> None:
        """Have the questions of all apps that are on appear there."""
        self._chosen = True
        for app in self._status.at_hosts.apps:
            if app.is_on:
                self._service.ask_by(app.called, self._questions)

    def _show_changes(self) -> None:
        news = self._status.at_hosts.news
        if news is not None:
            WrittenChangeSheet(news, self).open()
