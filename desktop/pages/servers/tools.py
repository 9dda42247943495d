"""The Tools tab: a searchable list of a server's tools."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHeaderView, QWidget

from bridge.api import ServerForm, ServerTool, ServerView
from desktop.language import label_text
from desktop.pages.texts import risk_of
from desktop.theme.metrics import GRID
from desktop.widgets.controls import make_button, make_search
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row
from desktop.widgets.table import Column, TableModel, make_tree
from desktop.widgets.text.safe_text import one_line, readable, strip_markdown

_SEARCHED = Qt.ItemDataRole.UserRole
_DESCRIPTION = 2  # column
_MANY = 8  # with more tools there is a search line


class ServerToolModel(TableModel[ServerTool]):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.roles[_SEARCHED] = lambda tool, _: f"{tool.name} {tool.title} {tool.description}"
        self.describe_rows(lambda tool: readable(tool.description[:1000]))

    def make_columns(self) -> tuple[Column[ServerTool], ...]:
        return (
            Column(self.tr("Tool"), 18, lambda tool: one_line(tool.title or tool.name, 80), isolated=True),
            Column(self.tr("Risk"), 11, lambda tool: risk_of(tool.hints)),
            Column(self.tr("Description"), 30, _description, isolated=True, stretched=True),
        )


def _description(tool: ServerTool) -> str:
    return one_line(strip_markdown(tool.description), 200)


class ServerTools(QWidget):
    try_wanted = Signal(str, object)  # server, ServerTool
    list_wanted = Signal(str)  # server

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("tools")
        self._server = ""
        self._drawn: object = None
        self._model = ServerToolModel(self)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(self._model)
        self._shown.setFilterRole(_SEARCHED)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        clear = "clearSearch", self.tr("Clear")
        search = self._shown.setFilterFixedString
        self._search = make_search("searchTools", self.tr("Search tools"), search, clear)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._search.setFocus)
        self._note = Label("", name="toolsSaid", tone=Tone.MUTED)
        self._view = make_tree("toolList", self.tr("Tools"), self._model, self._shown)
        self._view.activated.connect(lambda _: self._try_chosen())
        self._try = make_button("try", self.tr("&Try it…"), self._try_chosen)
        load = self.tr("Start a&nd load tools")
        self._list = make_button("list", load, lambda: self.list_wanted.emit(self._server))
        buttons = row(self._try, self._list, 1)
        parts = (self._search, self._note, (self._view, 1), buttons, 0)  # 0: the room of a hidden list
        self.setLayout(column(*parts, margins=(0, GRID, 0, 0), spacing=GRID))

    def draw(self, look: ServerView) -> None:
        seen = (look.plan.name, look.plan.enabled, look.tools, look.listed, look.busy, look.problem)
        if seen == self._drawn:
            return
        self._drawn = seen
        if self._server != look.plan.name:
            self._server = look.plan.name
            self._search.clear()
        if self._model.rows != list(look.tools):
            self._model.replace_rows(look.tools)
            self._show_descriptions(any(tool.description for tool in look.tools))
            if look.tools:
                self._view.setCurrentIndex(self._shown.index(0, 0))
        self._search.setVisible(len(look.tools) > _MANY)
        self._view.setVisible(bool(look.tools))
        self._try.setVisible(bool(look.tools))
        self._try.setEnabled(look.plan.enabled)
        self._list.setVisible(look.plan.enabled and look.kind != "built-in")
        self._list.setEnabled(not look.busy)
        self._list.setText(self.tr("Refres&h") if look.listed else self.tr("Start a&nd load tools"))
        self._note.set_tone(Tone.ERROR if look.problem else Tone.MUTED)
        self._note.show_text(self._words(look))

    def _show_descriptions(self, there: bool) -> None:
        """Show their column, or leave its room to the names."""
        modes = QHeaderView.ResizeMode
        self._view.setColumnHidden(_DESCRIPTION, not there)
        self._view.header().setSectionResizeMode(0, modes.Interactive if there else modes.Stretch)

    def explain_wrapped(self, server: str, tools: tuple[ServerTool, ...]) -> None:
        """Explain a server that an AI app starts through `deskbell wrap`: its tools are only listed."""
        self.draw(ServerView(ServerForm(server), "built-in", listed=True, tools=tools))
        self._try.setEnabled(False)  # for Return in the list
        self._try.hide()
        self._note.show_text(self.tr("One of your AI apps starts this server and uses its tools."))

    def _words(self, look: ServerView) -> str:
        if look.busy:
            return self.tr("Loading its tools…")
        if look.problem:
            return label_text(look.problem)
        if not look.plan.enabled:
            return self.tr("Switched off: no AI app can use it.")
        if not look.listed:
            return self.tr("Not started yet.")
        return "" if look.tools else self.tr("No tools")

    def _try_chosen(self) -> None:
        index: QModelIndex = self._shown.mapToSource(self._view.currentIndex())
        if index.isValid() and self._try.isEnabled():
            self.try_wanted.emit(self._server, self._model.row(index))
