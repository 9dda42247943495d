"""The first page: where Deskbell listens, who is connected, what is wrong, how to connect.

Rebuilt from Status; a part that has not changed is left alone, so that focus and selection stay.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLayout, QPushButton, QVBoxLayout, QWidget

from bridge.api import HostStatus, ServerStatus, Status
from desktop.servers.words import kind_of, state_of, tone_of
from desktop.widgets.icons import app_icon
from desktop.widgets.labels import Label, Tone
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.text import one_line, readable

_SERVER = "npx -y @modelcontextprotocol/server-everything"
_PICTURE = 48


class Section(QWidget):
    """A title and a framed list of rows; hidden while there is nothing to list and nothing to say."""

    def __init__(self, name: str, title: str, empty: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self._name, self._empty = name, empty
        self._drawn: object = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(Label(title, name=f"{name}Title", bold=True))
        self._frame = QFrame()
        self._frame.setFrameShape(QFrame.Shape.StyledPanel)
        self._frame.setAccessibleName(title)
        self._rows = QVBoxLayout(self._frame)
        self._rows.setContentsMargins(12, 10, 12, 10)
        self._rows.setSpacing(10)
        column.addWidget(self._frame)

    def draw(self, items: tuple[object, ...], row: Callable[[int], QLayout]) -> None:
        if items == self._drawn:
            return
        self._drawn = items
        _clear(self._rows)
        for place in range(len(items)):
            self._rows.addLayout(row(place))
        if not items and self._empty:
            self._rows.addWidget(Label(self._empty, name=f"{self._name}Empty", tone=Tone.MUTED))
        self.setVisible(bool(items or self._empty))


class OverviewPage(QWidget):
    questions_wanted = Signal()
    hosts_wanted = Signal()
    sign_in_wanted = Signal(str)  # to this server
    welcome_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("overview")
        self._status = Status()
        self._problems = Section("problems", self.tr("Something is wrong"))
        self._notices = Section("notices", self.tr("Good to know"))
        self._hosts = Section("hosts", self.tr("AI apps"), self.tr("No AI app is connected at the moment."))
        self._servers = Section("servers", self.tr("Servers"), self.tr("No servers yet."))
        self._secrets = Section("secrets", self.tr("Secrets"))
        self._build()

    def draw(self, status: Status) -> None:
        self._status = status
        if self.isVisible():
            self._redraw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._redraw()

    def _redraw(self) -> None:
        status = self._status
        hosts = tuple(replace(host, calls=0) for host in status.hosts)  # not shown: no reason to draw again
        self._address.say(self._where(status))
        self._copy.setVisible(bool(status.address))
        self._problems.draw(status.problems, lambda place: _sentence(status.problems[place], Tone.ERROR))
        self._notices.draw(status.notices, lambda place: _sentence(status.notices[place], Tone.WARNING))
        self._waiting.setVisible(bool(status.waiting))
        count = len(status.waiting)
        self._waiting.setText(self.tr("&Answer questions ({count})").format(count=count))
        self._hosts.draw(hosts, lambda place: self._host(hosts[place]))
        servers = tuple((server, self._way_in(server)) for server in status.servers)
        self._servers.draw(servers, lambda place: self._server(*servers[place]))
        vault = status.vault
        tone = {"unusable": Tone.ERROR, "asking": Tone.WARNING}.get(vault.state, Tone.MUTED)
        self._secrets.draw((vault,) if vault.store else (), lambda _: _sentence(vault.words(), tone))

    def tell_tray(self, there: bool) -> None:
        """Say what it means that this desktop has no tray."""
        self._no_tray.say(
            ""
            if there
            else self.tr(
                "This desktop has no system tray, so Deskbell lives in this window. Questions open by "
                "themselves. If you close the window, Deskbell keeps running; start it again to see it."
            )
        )

    def _where(self, status: Status) -> str:
        if status.address:
            return self.tr("Listening on {address}").format(address=status.address)
        if status.version:
            return self.tr("Serving AI apps on this computer, but not over HTTP")
        return self.tr("Starting…")

    # parts

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(20, 18, 20, 8)
        rows.setSpacing(18)
        rows.addLayout(self._head())
        self._no_tray = Label("", name="noTray", tone=Tone.WARNING)
        rows.addWidget(self._no_tray)
        parts = (self._problems, self._notices, self._hosts, self._servers, self._secrets)
        for part in (*parts, self._connect()):
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
        wrapped = f"{_command()} wrap -- {_SERVER}"

        def row(place: int) -> QLayout:
            column = QVBoxLayout()
            first = QHBoxLayout()
            said = self.tr("Deskbell writes itself into your AI apps' settings, once you have seen how:")
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

        section.draw((wrapped,), row)
        return section

    def _host(self, host: HostStatus) -> QLayout:
        name = f"{one_line(host.name, 60)} {one_line(host.version, 20)}".strip()
        servers = ", ".join(one_line(server, 40) for server in host.servers)
        return _row(name, servers and self.tr("uses {servers}").format(servers=servers))

    def _way_in(self, server: ServerStatus) -> str:
        """What the button to its sign-in says; "": there is none. A Question has a window of its own."""
        if any(question.server == server.name and question.ours for question in self._status.waiting):
            return ""
        return {"needed": self.tr("Sign in…"), "under way": self.tr("Open again")}.get(server.sign_in, "")

    def _server(self, server: ServerStatus, way_in: str) -> QLayout:
        ours = server.kind == "built-in"
        state = Label(kind_of(server.kind) if ours else state_of(server), tone=tone_of(server))
        row = _row(one_line(server.name, 60), readable(server.problem), state)
        if way_in:
            button = self._button("signIn", way_in, lambda: self.sign_in_wanted.emit(server.name))
            button.setAccessibleName(f"{way_in} {one_line(server.name, 60)}")
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _button(self, name: str, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.clicked.connect(lambda: act())
        return button


def _sentence(text: str, tone: Tone) -> QLayout:
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


def _command() -> str:
    """This Deskbell by its path: an AI app does not look where it is installed."""
    path = Path(sys.executable).with_name("deskbell.exe" if sys.platform == "win32" else "deskbell")
    if not path.exists():
        return "deskbell"
    return f'"{path}"' if " " in str(path) else str(path)


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def _clear(layout: QLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            _clear(inner)
