"""The Tools tab: a searchable list of a server's tools."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QLineEdit, QTreeView, QVBoxLayout, QWidget

from bridge.api import ServerForm, ServerTool, ServerView
from desktop.language import label_text
from desktop.pages.servers.texts import hint_of
from desktop.widgets.inputs.base import make_clearable
from desktop.widgets.labels import Label, Tone
from desktop.widgets.message_bar import make_button
from desktop.widgets.safe_text import one_line, readable, strip_markdown
from desktop.widgets.table import TableModel, set_columns

_SEARCHED = Qt.ItemDataRole.UserRole
_MANY = 8  # with more tools there is a search line


class ServerToolModel(TableModel[ServerTool]):
    widths = (28, 26, 30)
    stretched = 2
    isolated = (0, 2)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.roles |= {
            _SEARCHED: lambda tool, _: f"{tool.name} {tool.title} {tool.description}",
            Qt.ItemDataRole.SizeHintRole: self.height,
            Qt.ItemDataRole.ToolTipRole: self._described,
            Qt.ItemDataRole.AccessibleDescriptionRole: self._described,
        }

    def draw(self, tools: tuple[ServerTool, ...]) -> None:
        self.beginResetModel()
        self.rows = list(tools)
        self.endResetModel()

    def titles(self) -> tuple[str, ...]:
        return self.tr("Tool"), self.tr("Says of itself"), self.tr("Description")

    def text(self, row: ServerTool, column: int) -> str:
        match column:
            case 0:
                return one_line(row.name, 80)
            case 1:
                return ", ".join(map(hint_of, row.hints))
        return one_line(strip_markdown(row.description or row.title), 200)

    def _described(self, tool: ServerTool, column: int) -> str | None:
        return readable(tool.description[:1000]) or None


class ServerTools(QWidget):
    try_wanted = Signal(str, object)  # server, Tool
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
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        self._search = QLineEdit()
        self._search.setObjectName("searchTools")
        self._search.setPlaceholderText(self.tr("Search tools"))
        self._search.setAccessibleName(self.tr("Search tools"))
        make_clearable(self._search, "clearSearch", self.tr("Clear"))
        self._search.textChanged.connect(self._shown.setFilterFixedString)
        column.addWidget(self._search)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._search.setFocus)
        self._said = Label("", name="toolsSaid", tone=Tone.MUTED)
        column.addWidget(self._said)
        self._view = self._make_view()
        column.addWidget(self._view, 1)
        row = QHBoxLayout()
        self._try = make_button("try", self.tr("&Try it…"), self._wish)
        self._list = make_button("list", self.tr("Start a&nd load tools"), self._wish_list)
        row.addWidget(self._try)
        row.addWidget(self._list)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(0)  # takes the room while no list is shown

    def draw(self, look: ServerView) -> None:
        seen = (look.plan.name, look.plan.enabled, look.tools, look.listed, look.busy, look.problem)
        if seen == self._drawn:
            return
        self._drawn = seen
        if self._server != look.plan.name:
            self._server = look.plan.name
            self._search.clear()
        if self._model.rows != list(look.tools):
            self._model.draw(look.tools)
            if look.tools:
                self._view.setCurrentIndex(self._shown.index(0, 0))
        self._search.setVisible(len(look.tools) > _MANY)
        self._view.setVisible(bool(look.tools))
        self._try.setVisible(bool(look.tools))
        self._try.setEnabled(look.plan.enabled)
        self._list.setVisible(look.plan.enabled and look.kind != "built-in")
        self._list.setEnabled(not look.busy)
        self._list.setText(self.tr("Refres&h") if look.listed else self.tr("Start a&nd load tools"))
        self._said.set_tone(Tone.ERROR if look.problem else Tone.MUTED)
        self._said.show_text(self._words(look))

    def tell_wrapped(self, server: str) -> None:
        """Explain a server that an AI app starts through `deskbell wrap`: it is not in config.toml."""
        self.draw(ServerView(ServerForm(server), "built-in", listed=True))
        self._said.show_text(
            self.tr("An AI app starts this one itself, through Deskbell. Its tools are that app's.")
        )

    def _words(self, look: ServerView) -> str:
        if look.busy:
            return self.tr("Asking it for its tools…")
        if look.problem:
            return label_text(look.problem)
        if not look.plan.enabled:
            return self.tr("It is switched off: no AI app can use it.")
        if not look.listed:
            return self.tr("Not started yet.")
        return "" if look.tools else self.tr("It has no tools.")

    def _make_view(self) -> QTreeView:
        view = QTreeView()
        view.setObjectName("toolList")
        view.setAccessibleName(self.tr("Tools"))
        view.setModel(self._shown)
        view.setRootIsDecorated(False)
        view.setUniformRowHeights(True)
        view.setAllColumnsShowFocus(True)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.activated.connect(lambda _: self._wish())
        set_columns(view, view.header(), self._model)
        return view

    def _chosen(self) -> ServerTool | None:
        index: QModelIndex = self._shown.mapToSource(self._view.currentIndex())
        return self._model.row(index) if index.isValid() else None

    def _wish(self) -> None:
        tool = self._chosen()
        if tool is not None and self._try.isEnabled():
            self.try_wanted.emit(self._server, tool)

    def _wish_list(self) -> None:
        self.list_wanted.emit(self._server)
