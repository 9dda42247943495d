"""The Overview page: address, connected apps, problems, how to connect.

Drawn from Status; unchanged parts keep their widgets, so that focus and selection stay.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLayout

from bridge.api import HostStatus, ServerStatus, Services, Status, console_command
from desktop.language import label_text, translated
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.pages.base_page import StatusPage
from desktop.pages.texts import kind_of, state_of, tone_of
from desktop.widgets.bidi import isolate_all
from desktop.widgets.controls import app_picture, make_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import PAGE, column, row, widget_with
from desktop.widgets.safe_text import one_line, readable
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.section import Section, key_by_name

_joined = subprocess.list2cmdline if sys.platform == "win32" else shlex.join
_SERVER = "npx -y @modelcontextprotocol/server-everything"
_PICTURE = 48


class OverviewPage(StatusPage):
    questions_wanted = Signal()
    hosts_wanted = Signal()
    settings_wanted = Signal()  # open config.toml
    welcome_wanted = Signal()

    def __init__(self, services: Services, *, in_slices: bool = False) -> None:
        """`in_slices`: the page is usable when `building` is done."""
        super().__init__("overview")
        self._service = services.servers
        self.shown.connect(lambda: services.servers.look_for_secrets(missing_only=True))
        self.building = SlicedTask(self, self._build(), at_once=not in_slices)

    def _build(self) -> Steps:
        self._problems = Section("problems", self.tr("Something is wrong"))
        self._notices = Section("notices", self.tr("Good to know"))
        self._hosts = Section("hosts", self.tr("AI apps"), self.tr("No AI app uses Deskbell at the moment."))
        self._servers = Section("servers", self.tr("Servers"), self.tr("No servers yet."))
        self._secrets = Section("secrets", self.tr("Secrets"))
        for part in (self._problems, self._servers):
            part.grew.connect(self.grew)
        yield None
        head, connect = self._head(), self._connect()
        yield None
        self._no_tray = Label("", name="noTray", tone=Tone.WARNING)
        first_steps = make_button("firstSteps", self.tr("&First steps…"), self.welcome_wanted.emit)
        sections = (self._problems, self._notices, self._hosts, self._servers, self._secrets, connect)
        rows = column(head, self._no_tray, *sections, row(first_steps, 1), 1, margins=PAGE, spacing=18)
        self.setLayout(column((FittingScroll(widget_with(rows), name="scroll"), 1)))
        yield None

    def _redraw(self) -> None:
        status = self._status
        hosts = (replace(host, calls=0) for host in status.hosts)  # not shown, so no reason to redraw
        self._address.show_text(self._where(status))
        self._copy.setVisible(bool(status.address))
        broken = status.config.problem
        problems = {text: bool(broken) and text.startswith(broken) for text in status.problems}
        self._problems.draw(
            dict(zip(problems, problems.items(), strict=True)), lambda one: self._problem(*one)
        )
        notices = {text: text for text in status.notices}
        self._notices.draw(notices, lambda text: _sentence(translated(text), Tone.WARNING))
        self._waiting.setVisible(bool(status.waiting))
        count = len(status.waiting)
        self._waiting.setText(self.tr("&Answer questions ({count})").format(count=count))
        self._hosts.draw(key_by_name(hosts, lambda host: host.name), self._host)
        servers = [(server, self._way_in(server)) for server in status.servers]
        self._servers.draw(key_by_name(servers, lambda one: one[0].name), lambda one: self._server(*one))
        vault = status.vault
        tone = {"unusable": Tone.ERROR, "asking": Tone.WARNING}.get(vault.state, Tone.MUTED)
        secrets = {vault.store: vault} if vault.store else {}
        self._secrets.draw(secrets, lambda vault: _sentence(translated(vault.words()), tone))

    def show_tray(self, there: bool) -> None:
        """Show or remove the note for desktops without a tray."""
        self.building.when_done(partial(self._show_tray, there))

    def _show_tray(self, there: bool) -> None:
        note = self.tr(
            "No system tray here. Deskbell keeps running when you close this window; open it again from "
            "your app menu."
        )
        self._no_tray.show_text("" if there else note)

    def _problem(self, text: str, in_settings: bool) -> QLayout:
        line = _sentence(translated(text), Tone.ERROR)
        if in_settings:
            words = self.tr("Op&en config.toml")
            line.addWidget(make_button("openSettings", words, self.settings_wanted.emit))
        return line

    def _where(self, status: Status) -> str:
        if status.address:
            return self.tr("Listening on {address}").format(address=status.address)
        if status.version:
            return self.tr("Serving AI apps on this computer, but not over HTTP")
        return self.tr("Starting…")

    # building

    def _head(self) -> QLayout:
        self._address = Label("", name="address", tone=Tone.MUTED, selectable=True)
        copy = self.tr("&Copy address")
        self._copy = make_button("copyAddress", copy, lambda: _copy(self._status.address))
        self._waiting = make_button("answerAll", "", self.questions_wanted.emit)
        buttons = ((button, 0, Qt.AlignmentFlag.AlignVCenter) for button in (self._copy, self._waiting))
        words = column(Label("Deskbell", name="name", bold=True, scale=1.5), self._address, spacing=2)
        return row(app_picture(_PICTURE), (words, 1), *buttons, spacing=14)

    def _connect(self) -> Section:
        section = Section("connect", self.tr("Connect an AI app"))
        wrapped = f"{_joined(console_command())} wrap -- {_SERVER}"

        def lay_out(wrapped: str) -> QLayout:
            easily = Label(self.tr("Connect your AI apps – you can review every change."))
            apps = make_button("aiApps", self.tr("A&I apps…"), self.hosts_wanted.emit)
            by_hand = self.tr("Or by hand, with “deskbell wrap --” before a server's command:")
            line = Label(wrapped, name="wrapLine", selectable=True, bold=True)
            copy = make_button("copyWrap", self.tr("C&opy"), lambda: _copy(wrapped))
            return column(row((easily, 1), apps), Label(by_hand, tone=Tone.MUTED), row((line, 1), copy))

        section.draw({"wrap": wrapped}, lay_out)
        return section

    def _host(self, host: HostStatus) -> QLayout:
        name = f"{one_line(host.name, 60)} {one_line(host.version, 20)}".strip()
        servers = isolate_all(one_line(server, 40) for server in host.servers)
        return _entry(name, servers and self.tr("uses {servers}").format(servers=servers))

    def _way_in(self, server: ServerStatus) -> str:
        """Return the label of the sign-in button; "" if none is needed or a Question asks already."""
        if any(question.server == server.name and question.ours for question in self._status.waiting):
            return ""
        return {"needed": self.tr("Sign in…"), "under way": self.tr("Open again")}.get(server.sign_in, "")

    def _server(self, server: ServerStatus, way_in: str) -> QLayout:
        ours = server.kind == "built-in"
        state = Label(kind_of(server.kind) if ours else state_of(server), tone=tone_of(server))
        state.setWordWrap(False)
        line = _entry(one_line(server.name, 60), label_text(server.problem))
        line.addWidget(state, 0, Qt.AlignmentFlag.AlignTop)
        if way_in:
            spoken = f"{way_in} {one_line(server.name, 60)}"
            sign_in = partial(self._service.sign_in, server.name)
            button = make_button("signIn", way_in, sign_in, spoken=spoken)
            line.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
            line.setAlignment(state, Qt.AlignmentFlag.AlignVCenter)  # aligned with the button's text
        return line


def _sentence(text: str, tone: Tone) -> QHBoxLayout:
    return row((Label(readable(text), tone=tone, selectable=True), 1))


def _entry(title: str, text: str) -> QHBoxLayout:
    below = [Label(text, tone=Tone.MUTED)] if text else []
    return row((column(Label(title), *below, spacing=1), 1))


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
