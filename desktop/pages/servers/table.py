"""Table model of servers. Emits only changes, so that a selection stays."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QGuiApplication

from bridge.api import ServerStatus
from desktop.language import translated
from desktop.pages.servers.texts import kind_of, state_of, tone_of
from desktop.widgets.labels import Tone, is_dark
from desktop.widgets.safe_text import one_line
from desktop.widgets.table import NOWHERE, TableModel

_NAME, _KIND, _STATE, ERA, _TOOLS, _PROBLEM = range(6)


class ServerModel(TableModel[ServerStatus]):
    widths = (22, 11, 31, 12, 7, 20)
    stretched = _PROBLEM
    isolated = (_NAME, _PROBLEM)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.roles |= {
            Qt.ItemDataRole.SizeHintRole: self.height,
            Qt.ItemDataRole.ForegroundRole: self._colour,
            Qt.ItemDataRole.ToolTipRole: self._trouble,
            Qt.ItemDataRole.AccessibleDescriptionRole: self._trouble,
        }

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
            self.beginResetModel()
            self.rows = list(servers)
            self.endResetModel()

    def place_of(self, name: str) -> int:
        return next((place for place, one in enumerate(self.rows) if one.name == name), -1)

    def titles(self) -> tuple[str, ...]:
        return (
            self.tr("Server"),
            self.tr("Kind"),
            self.tr("State"),
            self.tr("Protocol"),
            self.tr("Tools"),
            self.tr("Last problem"),
        )

    def text(self, row: ServerStatus, column: int) -> str:
        match column:
            case 0:
                return one_line(row.name, 64)
            case 1:
                return kind_of(row.kind)
            case 2:
                return state_of(row)
            case 3:
                return row.revision
            case 4:
                return str(row.tools) if row.tools >= 0 else ""
        if row.missing:
            return self.tr("needs {names}").format(names=", ".join(row.missing))
        return one_line(translated(row.problem), 200)

    def _trouble(self, server: ServerStatus, column: int) -> str | None:
        return one_line(translated(server.problem), 400) or None

    def _colour(self, server: ServerStatus, column: int) -> QColor | None:
        if column not in (_STATE, _PROBLEM):
            return None
        tone = tone_of(server)
        return None if tone is Tone.MUTED else QColor(tone.value[is_dark(QGuiApplication.palette())])
