"""Table model of servers. Emits only changes, so that a selection stays."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QGuiApplication

from bridge.api import ServerStatus
from desktop.language import translated
from desktop.pages.texts import kind_of, state_of, tone_of
from desktop.widgets.labels import Tone, is_dark
from desktop.widgets.safe_text import one_line
from desktop.widgets.table import NOWHERE, Column, TableModel

_STATE, PROTOCOL, _PROBLEM = 2, 3, 5  # columns


class ServerModel(TableModel[ServerStatus]):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.roles[Qt.ItemDataRole.ForegroundRole] = self._colour
        self.describe_rows(lambda server: one_line(translated(server.problem), 400))

    def make_columns(self) -> tuple[Column[ServerStatus], ...]:
        return (
            Column(self.tr("Server"), 22, lambda one: one_line(one.name, 64), isolated=True),
            Column(self.tr("Kind"), 11, lambda one: kind_of(one.kind)),
            Column(self.tr("State"), 31, state_of),
            Column(self.tr("Protocol"), 12, lambda one: one.revision),
            Column(self.tr("Tools"), 7, lambda one: str(one.tools) if one.tools >= 0 else ""),
            Column(self.tr("Last problem"), 20, self._problem, isolated=True, stretched=True),
        )

    def draw(self, servers: tuple[ServerStatus, ...]) -> None:
        """Show these servers, built-in ones last."""
        ordered = sorted(servers, key=lambda one: one.kind == "built-in")
        if [one.name for one in ordered] != [one.name for one in self.rows]:
            self._fit(ordered)
        for place, one in enumerate(ordered):
            if self.rows[place] != one:
                self.rows[place] = one
                self.dataChanged.emit(self.index(place, 0), self.index(place, _PROBLEM))

    def _fit(self, servers: list[ServerStatus]) -> None:
        if not self.rows:
            self.append(servers)
            return
        names = [one.name for one in servers]
        for place in reversed(range(len(self.rows))):
            if self.rows[place].name not in names:
                self.remove(place)
        for place, one in enumerate(servers):
            known = [row.name for row in self.rows]
            if one.name not in known:
                self.beginInsertRows(NOWHERE, place, place)
                self.rows.insert(place, one)
                self.endInsertRows()
        if [row.name for row in self.rows] != names:  # config.toml was reordered
            self.replace_rows(servers)

    def place_of(self, name: str) -> int:
        return next((place for place, one in enumerate(self.rows) if one.name == name), -1)

    def _problem(self, server: ServerStatus) -> str:
        if server.missing:
            return self.tr("needs {names}").format(names=", ".join(server.missing))
        return one_line(translated(server.problem), 200)

    def _colour(self, server: ServerStatus, column: int) -> QColor | None:
        if column not in (_STATE, _PROBLEM):
            return None
        tone = tone_of(server)
        return None if tone is Tone.MUTED else QColor(tone.value[is_dark(QGuiApplication.palette())])
