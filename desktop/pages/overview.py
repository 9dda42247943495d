"""The Overview page: address, connected apps, problems, how to connect.

Drawn from Status; unchanged parts keep their widgets, so that focus and selection stay.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayout, QPushButton, QVBoxLayout, QWidget

from bridge.api import HostStatus, ServerStatus, Status, console_command
from desktop.language import label_text, translated
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.pages.base_page import Page
from desktop.pages.servers.texts import kind_of, state_of, tone_of
from desktop.widgets.bidi import isolate_all
from desktop.widgets.icons import app_icon
from desktop.widgets.labels import Label, Tone
from desktop.widgets.safe_text import one_line, readable
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.section import Section, key_by_name

if TYPE_CHECKING:
    from bridge.api import ServerService

_joined = subprocess.list2cmdline if sys.platform == "win32" else shlex.join
_SERVER = "npx -y @modelcontextprotocol/server-everything"
_PICTURE = 48


class OverviewPage(Page):
    questions_wanted = Signal()
    hosts_wanted = Signal()
    settings_wanted = Signal()  # open config.toml
    welcome_wanted = Signal()

    def __init__(
        self, servers: ServerService, parent: QWidget | None = None, *, in_slices: bool = False
    ) -> None:
        """`in_slices`: the page is usable when `building` is done."""
        super().__init__("overview", parent)
        self._service = servers
        self.shown.connect(lambda: servers.look_for_secrets(missing_only=True))
        self.building = SlicedTask(self)
        self.building.start(self._build())
        if not in_slices:
            self.building.finish()

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
        self._put_together(head, connect)
        yield None

    def _redraw(self) -> None:
        status = self._status
        hosts = (replace(host, calls=0) for host in status.hosts)  # not shown, so no reason to redraw
        self._address.show_text(self._where(status))
        self._copy.setVisible(bool(status.address))
        broken = status.config.problem
        problems = {said: bool(broken) and said.startswith(broken) for said in status.problems}
        self._problems.draw(
            dict(zip(problems, problems.items(), strict=True)), lambda one: self._problem(*one)
        )
        notices = {said: said for said in status.notices}
        self._notices.draw(notices, lambda said: _sentence(translated(said), Tone.WARNING))
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

    def tell_tray(self, there: bool) -> None:
        """Show or remove the note for desktops without a tray."""
        self.building.when_done(partial(self._tell_tray, there))

    def _tell_tray(self, there: bool) -> None:
        self._no_tray.show_text(
            ""
            if there
            else self.tr(
                "No system tray here. Deskbell keeps running when you close this window; open it again from "
                "your app menu."
            )
        )

    def _problem(self, said: str, in_settings: bool) -> QLayout:
        row = _sentence(translated(said), Tone.ERROR)
        if in_settings:
            words = self.tr("Op&en config.toml")
            row.addWidget(self._button("openSettings", words, self.settings_wanted.emit))
        return row

    def _where(self, status: Status) -> str:
        if status.address:
            return self.tr("Listening on {address}").format(address=status.address)
        if status.version:
            return self.tr("Serving AI apps on this computer, but not over HTTP")
        return self.tr("Starting…")

    # building

    def _put_together(self, head: QLayout, connect: Section) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(20, 18, 20, 8)
        rows.setSpacing(18)
        rows.addLayout(head)
        self._no_tray = Label("", name="noTray", tone=Tone.WARNING)
        rows.addWidget(self._no_tray)
        parts = (self._problems, self._notices, self._hosts, self._servers, self._secrets)
        for part in (*parts, connect):
            rows.addWidget(part)
        rows.addLayout(self._first_steps())
        rows.addStretch(1)
        column.addWidget(FittingScroll(content, name="scroll"), 1)

    def _first_steps(self) -> QLayout:
        row = QHBoxLayout()
        row.addWidget(self._button("firstSteps", self.tr("&First steps…"), self.welcome_wanted.emit))
        row.addStretch(1)
        return row

    def _head(self) -> QLayout:
        row = QHBoxLayout()
        row.setSpacing(14)
        picture = QLabel()
        picture.setPixmap(app_icon().pixmap(_PICTURE, _PICTURE))
        picture.setAccessibleName("Deskbell")
        row.addWidget(picture)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(Label("Deskbell", name="name", bold=True, scale=1.5))
        self._address = Label("", name="address", tone=Tone.MUTED, selectable=True)
        words.addWidget(self._address)
        row.addLayout(words, 1)
        self._copy = self._button(
            "copyAddress", self.tr("&Copy address"), lambda: _copy(self._status.address)
        )
        row.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignVCenter)
        self._waiting = self._button("answerAll", "", self.questions_wanted.emit)
        row.addWidget(self._waiting, 0, Qt.AlignmentFlag.AlignVCenter)
        return row

    def _connect(self) -> Section:
        section = Section("connect", self.tr("Connect an AI app"))
        wrapped = f"{_joined(console_command())} wrap -- {_SERVER}"

        def lay_out(wrapped: str) -> QLayout:
            column = QVBoxLayout()
            first = QHBoxLayout()
            said = self.tr("Connect your AI apps – you can review every change.")
            first.addWidget(Label(said), 1)
            first.addWidget(self._button("aiApps", self.tr("A&I apps…"), self.hosts_wanted.emit))
            column.addLayout(first)
            column.addWidget(
                Label(
                    self.tr("Or by hand, with “deskbell wrap --” before a server's command:"), tone=Tone.MUTED
                )
            )
            line = QHBoxLayout()
            line.addWidget(Label(wrapped, name="wrapLine", selectable=True, bold=True), 1)
            line.addWidget(self._button("copyWrap", self.tr("C&opy"), lambda: _copy(wrapped)))
            column.addLayout(line)
            return column

        section.draw({"wrap": wrapped}, lay_out)
        return section

    def _host(self, host: HostStatus) -> QLayout:
        name = f"{one_line(host.name, 60)} {one_line(host.version, 20)}".strip()
        servers = isolate_all(one_line(server, 40) for server in host.servers)
        return _row(name, servers and self.tr("uses {servers}").format(servers=servers))

    def _way_in(self, server: ServerStatus) -> str:
        """Return the label of the sign-in button; "" if none is needed or a Question asks already."""
        if any(question.server == server.name and question.ours for question in self._status.waiting):
            return ""
        return {"needed": self.tr("Sign in…"), "under way": self.tr("Open again")}.get(server.sign_in, "")

    def _server(self, server: ServerStatus, way_in: str) -> QLayout:
        ours = server.kind == "built-in"
        state = Label(kind_of(server.kind) if ours else state_of(server), tone=tone_of(server))
        row = _row(one_line(server.name, 60), label_text(server.problem), state)
        if way_in:
            button = self._button("signIn", way_in, lambda: self._service.sign_in(server.name))
            button.setAccessibleName(f"{way_in} {one_line(server.name, 60)}")
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
            row.setAlignment(state, Qt.AlignmentFlag.AlignVCenter)  # aligned with the button's text
        return row

    def _button(self, name: str, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.clicked.connect(lambda: act())
        return button


def _sentence(text: str, tone: Tone) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(Label(readable(text), tone=tone, selectable=True), 1)
    return row


def _row(title: str, text: str, side: QWidget | None = None) -> QHBoxLayout:
    row = QHBoxLayout()
    words = QVBoxLayout()
    words.setSpacing(1)
    words.addWidget(Label(title))
    if text:
        words.addWidget(Label(text, tone=Tone.MUTED))
    row.addLayout(words, 1)
    if side is not None:
        if isinstance(side, Label):
            side.setWordWrap(False)
        row.addWidget(side, 0, Qt.AlignmentFlag.AlignTop)
    return row


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
