"""The AI apps page: installed and connected apps, who shows their questions; connect and disconnect.

Drawn from Status; actions call HostService. A file is changed only after the user confirmed a preview.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QSignalBlocker, QStandardPaths, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QPushButton

from bridge.api import AppNews, AppStatus, HostStatus, Services
from desktop.language import label_text
from desktop.pages.base_page import StatusPage
from desktop.pages.hosts.change_sheet import ChangeSheet
from desktop.widgets.bidi import isolate
from desktop.widgets.controls import Disclosure, make_button, make_choice
from desktop.widgets.dialogs import save_dialog
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import Part, column, row, widget_with
from desktop.widgets.safe_text import one_line, readable
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.section import Section, key_by_name

_GAP = 6  # pixels


class HostsPage(StatusPage):
    bundle_wanted = Signal(str)  # the file to write

    def __init__(self, services: Services, *, inset: int = 20) -> None:
        """`inset`: margin in pixels."""
        super().__init__("hosts")
        self._service = services.hosts
        self.shown.connect(services.hosts.look)
        self._inset = inset
        self._sheet: ChangeSheet | None = None  # built when first needed
        none = self.tr("No supported AI app found on this computer.")
        self._found = Section("found", self.tr("On this computer"), none)
        self._others = Section("others", self.tr("Connected now"))
        self._missing = Section("missing", self.tr("Not found here"))
        for part in (self._found, self._others, self._missing):
            part.grew.connect(self.grew)
        self._build()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow() and self.isVisible():
            self.shown.emit()  # a file may have been edited meanwhile

    def _redraw(self) -> None:
        at = self._status.at_hosts
        live = tuple(replace(host, calls=0) for host in self._status.hosts)
        found = {
            app.id: (app, self._live(app, live), at.asks(*app.names), self._conduct(app.is_called))
            for app in at.apps
            if app.installed
        }
        others = [
            (host, at.asks(host.name), self._conduct(host.name.__eq__))
            for host in live
            if not any(app.is_called(host.name) for app in at.apps)
        ]
        missing = {app.id: app for app in at.apps if not app.installed}
        if at.looked:
            self._found.draw(found, lambda one: self._app(*one))
        else:
            self._found.hide()
        self._others.draw(key_by_name(others, lambda one: one[0].name), lambda one: self._other(*one))
        if self._more.isChecked():
            self._missing.draw(missing, self._absent)
        self._missing.setVisible(bool(missing) and self._more.isChecked())
        self._more.setVisible(bool(missing))
        self._waiting.show_text("" if at.looked else self.tr("Looking…"))
        self._problem.show_text(label_text(at.problem))
        self._news.show_text(self._told(at.news) if at.news else "")
        self._copy.setVisible(bool(at.snippet))
        self._draw_sheet()

    def _draw_sheet(self) -> None:
        at = self._status.at_hosts
        if at.change is not None:
            sheet = self._sheet = self._sheet or self._make_sheet()
            fresh = not sheet.isVisible()
            sheet.draw(at.change)
            if fresh:
                sheet.begin()
        elif self._sheet is not None and self._sheet.isVisible() and not at.busy:
            with QSignalBlocker(self._sheet):
                self._sheet.reject()

    def _make_sheet(self) -> ChangeSheet:
        sheet = ChangeSheet(self)
        sheet.agreed.connect(self._service.agree)
        sheet.other_wanted.connect(self._service.propose)
        sheet.rejected.connect(self._service.dismiss)
        return sheet

    # --- parts -----------------------------------------------------------------------------------------

    def _build(self) -> None:
        above = min(self._inset, 6)
        self._problem = Label("", name="problem", tone=Tone.ERROR, selectable=True)
        self._news = Label("", name="news", bold=True, selectable=True, announced=True)
        self._waiting = Label("", name="waiting", tone=Tone.MUTED)
        words = self.tr("Apps that were not found")
        self._more = Disclosure(self.tr("&Other apps"), words, name="more")
        self._more.toggled.connect(lambda: self._redraw())
        hint = self.tr(
            "Choose an app. From then on, when one of its tools needs to ask you something, Deskbell shows "
            "the question here on your desktop. You can undo this any time."
        )
        any_other = self.tr("Using another app? Copy this entry into its MCP settings.")
        copy = make_button("copyEntry", self.tr("Co&py entry"), self._copy_snippet)
        self._copy = widget_with(row((Label(any_other, tone=Tone.MUTED), 1), copy))
        bundle = Label(self.tr("Claude Desktop: save an extension file instead"), tone=Tone.MUTED)
        save = make_button("saveBundle", self.tr("Save bundle…"), self._choose_bundle)
        self._bundle_told = Label("", name="bundleTold", announced=True, selectable=True)
        parts = (self._waiting, self._found, self._others, self._more, self._missing, self._copy)
        rows = column(
            Label(hint, name="hint", tone=Tone.MUTED),
            *parts,
            widget_with(column(row((bundle, 1), save), self._bundle_told)),
            1,
            margins=(self._inset, above, self._inset, 8),
            spacing=14,
        )
        # outside the scroll area: the result of a click must stay visible
        results = column(self._problem, self._news, margins=(self._inset, above, self._inset, above))
        self.setLayout(column(results, (FittingScroll(widget_with(rows), name="scroll"), 1)))

    def _choose_bundle(self) -> None:
        box = save_dialog(
            self,
            "bundleBox",
            self.tr("Save the bundle for Claude Desktop"),
            QStandardPaths.StandardLocation.DownloadLocation,
            [self.tr("Bundle (*.mcpb)")],
            "deskbell.mcpb",
        )
        box.fileSelected.connect(self.bundle_wanted)
        box.open()

    def show_bundle_result(self, path: str, problem: str) -> None:
        """Show the result of saving the bundle, and what to do next."""
        done = self.tr(
            "{path} is saved. Open it with Claude Desktop: double click it, or in its settings choose "
            "Extensions and install it from there. Then start a new conversation."
        )
        self._bundle_told.set_tone(Tone.ERROR if problem else Tone.PLAIN)
        self._bundle_told.show_text(readable(problem) or done.format(path=isolate(readable(path))))

    def _conduct(self, is_called: Callable[[str], bool]) -> tuple[str, str]:
        """Return what an app did with questions, "refuses", "silent" or "", and its name in that."""
        for what, names in (("refuses", self._status.refusing), ("silent", self._status.silent)):
            for name in filter(is_called, names):
                return what, name
        return "", ""

    def _app(self, app: AppStatus, live: HostStatus | None, asks: str, conduct: tuple[str, str]) -> QLayout:
        name = one_line(app.name, 60)
        text, tone = self._state(app)
        state = Label(text, name=f"state:{app.id}", tone=tone)
        state.setWordWrap(False)
        title = Label(name, name=f"name:{app.id}", bold=True)
        lines: list[Part] = [row((title, 1), (state, 0, Qt.AlignmentFlag.AlignTop))]
        if live is not None:
            lines.append(Label(self._now(live), name=f"live:{app.id}"))
        can = self._shows(app.can if live is None else live.can)
        lines.append(self._showing(app.id, app.called, name, can, asks))
        lines += self._offer(app.id, name, asks, conduct)
        lines.append(Label(app.file, name=f"file:{app.id}", tone=Tone.MUTED, selectable=True))
        if app.problem:
            problem = label_text(app.problem)
            lines.append(Label(problem, name=f"problem:{app.id}", tone=Tone.ERROR, selectable=True))
        # its own spacing, not the column's
        lines.append(row(*self._buttons(app), 1, margins=(0, 4, 0, 6), spacing=_GAP))
        return column(*lines, spacing=3)

    def _other(self, host: HostStatus, asks: str, conduct: tuple[str, str]) -> QLayout:
        """Lay out a connected app that is wrapped by hand or has no Recipe."""
        name = one_line(host.name, 60)
        title = Label(name, name=f"name:{host.name}", bold=True)
        choice = self._showing(host.name, host.name, name, self._shows(host.can), asks)
        offer = self._offer(host.name, name, asks, conduct)
        return column(title, Label(self._now(host)), choice, *offer, spacing=3)

    def _absent(self, app: AppStatus) -> QLayout:
        name = Label(one_line(app.name, 60), name=f"name:{app.id}")
        file = Label(app.file, tone=Tone.MUTED, selectable=True)
        button = self._button(app, "connect", self.tr("Connect…"), self.tr("Connect {name}"))
        return row((column(name, file, spacing=1), 1), (button, 0, Qt.AlignmentFlag.AlignTop))

    def _buttons(self, app: AppStatus) -> list[QPushButton]:
        again = app.connected and not (app.current and app.proven)
        rewrap = app.stale and not app.servers
        ours = app.connected or app.wrapped
        put = self.tr("Put Deskbell before the servers of {name}")
        put_this = self.tr("Put this Deskbell before the servers of {name}")
        take = self.tr("Take Deskbell from before the servers of {name}")
        offers = (
            (not app.connected, "connect", self.tr("Connect…"), self.tr("Connect {name}")),
            (again, "connect", self.tr("Connect again…"), self.tr("Connect {name} again")),
            (app.servers, "wrap", self.tr("Use Deskbell for its servers…"), put),
            (rewrap, "wrap", self.tr("Wrap again…"), put_this),
            (app.wrapped, "unwrap", self.tr("Stop using Deskbell for them…"), take),
            (ours, "disconnect", self.tr("Disconnect…"), self.tr("Disconnect {name}")),
            (app.undo, "undo", self.tr("Undo…"), self.tr("Undo the last change in {name}")),
        )
        buttons = [self._button(app, *offer) for is_due, *offer in offers if is_due and not app.problem]
        return [*buttons, *([self._revoke_button(app)] if app.connected and app.proven else [])]

    def _revoke_button(self, app: AppStatus) -> QPushButton:
        spoken = self.tr("Revoke the access of {name}").format(name=one_line(app.name, 60))
        button = make_button(
            f"revoke:{app.id}", self.tr("Revoke access"), partial(self._service.revoke, app.id), spoken=spoken
        )
        button.setToolTip(self.tr("Refuse its token, and end its connections, until you connect it again."))
        return button

    def _button(self, app: AppStatus, what: str, text: str, spoken: str) -> QPushButton:
        propose = partial(self._service.propose, app.id, what)
        spoken = spoken.format(name=one_line(app.name, 60))
        return make_button(f"{what}:{app.id}", text, propose, spoken=spoken)

    def _showing(self, key: str, host: str, name: str, can: str, asks: str) -> QHBoxLayout:
        """Return what the app can show, and the choice of who shows its questions."""
        options = (
            (self.tr("In the app when possible"), "auto"),
            (self.tr("Always in Deskbell"), "desktop"),
            (self.tr("Always in the app"), "host"),
        )
        title = self.tr("Who shows the questions of {name}").format(name=name)
        box = make_choice(f"questions:{key}", title, options)
        box.setCurrentIndex(max(box.findData(asks), 0))
        box.setToolTip(title)
        box.activated.connect(lambda: self._service.ask_by(host, box.currentData()))
        label = QLabel(self.tr("Questions appear:"))
        label.setBuddy(box)
        return row((Label(can, name=f"can:{key}", tone=Tone.MUTED), 1), label, box, spacing=_GAP)

    def _offer(self, key: str, name: str, asks: str, conduct: tuple[str, str]) -> list[Part]:
        """Return what an app did with questions, and a button that draws the consequence; [] if the user has
        chosen who shows them."""
        what, host = conduct
        if not what or asks != "auto":
            return []
        if what == "refuses":
            text = self.tr("It refused a question without showing it. Its questions come to your desk.")
            words, spoken = self.tr("Ask in the app again"), self.tr("Let {name} show questions again")
            act = partial(self._service.ask_again, host)
        else:
            text = self.tr("It left questions unanswered more than once.")
            words, spoken = self.tr("Always in Deskbell"), self.tr("Always show the questions of {name} here")
            act = partial(self._service.ask_by, host, "desktop")
        button = make_button(f"{what}:{key}", words, act, spoken=spoken.format(name=name))
        return [row((Label(text, name=f"conduct:{key}", tone=Tone.WARNING), 1), button, spacing=_GAP)]

    # --- words -----------------------------------------------------------------------------------------

    def _live(self, app: AppStatus, hosts: tuple[HostStatus, ...]) -> HostStatus | None:
        return next((host for host in hosts if app.is_called(host.name)), None)

    def _state(self, app: AppStatus) -> tuple[str, Tone]:
        if app.problem:
            return self.tr("Its file cannot be read"), Tone.ERROR
        states, tone = [], Tone.MUTED
        if app.stale or (app.connected and not app.current):
            old = app.connected == "http" and not app.stale
            other = self.tr("Connected to a different Deskbell")
            states.append(self.tr("Has an old address or token") if old else other)
            tone = Tone.WARNING
        elif app.connected and not app.proven:
            states.append(self.tr("Has no valid token of its own"))
            tone = Tone.WARNING
        elif app.connected:
            states.append(self.tr("Connected"))
            tone = Tone.PLAIN
        if app.wrapped:
            count, all_ = len(app.wrapped), len(app.wrapped) + len(app.servers)
            states.append(self.tr("Servers wrapped: {count} of {all}").format(count=count, all=all_))
        return " · ".join(states) or self.tr("Not connected"), tone

    def _now(self, host: HostStatus) -> str:
        parts = [self.tr("In use now")]
        if host.version:
            parts.append(self.tr("version {version}").format(version=isolate(one_line(host.version, 20))))
        if host.revision:
            parts.append(self.tr("protocol {date}").format(date=isolate(one_line(host.revision, 20))))
        if host.patience:
            parts.append(self.tr("gives up a call after {seconds} s").format(seconds=f"{host.patience:g}"))
        return " · ".join(parts)

    def _shows(self, can: tuple[str, ...]) -> str:
        names = {
            "form": self.tr("forms"),
            "url": self.tr("links"),
            "sampling": self.tr("requests to its model"),
        }
        if not can:
            return self.tr("Shows no questions itself: they come to your desk.")
        return self.tr("Shows itself: {what}").format(what=", ".join(names.get(one, one) for one in can))

    def _told(self, news: AppNews) -> str:
        name = isolate(one_line(news.name, 60))
        done = {
            "connect": self.tr("{name} is connected."),
            "disconnect": self.tr("{name} is disconnected."),
            "wrap": self.tr("Deskbell is before {name}'s servers now."),
            "unwrap": self.tr("{name}'s servers are as they were."),
            "undo": self.tr("The last change in {name} is undone."),
        }[news.what].format(name=name)
        then = {
            "restart": self.tr("Restart {name} for the change to take effect."),
            "conversation": self.tr("It takes effect in {name}'s next conversation."),
            "refresh": self.tr("Press Refresh in {name}'s list of servers."),
            "itself": self.tr("{name} notices the change by itself."),
        }.get(news.reload, "")
        return f"{done} {then.format(name=name)}".strip()

    def _copy_snippet(self) -> None:
        QGuiApplication.clipboard().setText(self._status.at_hosts.snippet)
