"""Base model and views of all tables: rows in a list, columns described by Column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
)
from PySide6.QtGui import QFocusEvent, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QTreeView

from desktop.theme.metrics import CELL_PADDING, row_height
from desktop.widgets.text.bidi import isolate_columns

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """`text` returns the text of a row's cell. `isolated`: names or foreign text (bidi.py)."""

    title: str
    width: int  # average characters
    text: Callable[[T], str]
    isolated: bool = False
    stretched: bool = False  # takes the rest of the width; one column of each table


class TableModel(QAbstractTableModel, Generic[T]):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = self.make_columns()
        self.rows: list[T] = []
        self.roles: dict[int, Callable[[T, int], Any]] = {
            Qt.ItemDataRole.DisplayRole: self.text,
            Qt.ItemDataRole.ToolTipRole: self.text,
        }

    def make_columns(self) -> tuple[Column[T], ...]:
        raise NotImplementedError

    def text(self, row: T, column: int) -> str:
        return self.columns[column].text(row)

    def describe_rows(self, describe: Callable[[T], str]) -> None:
        """Set a row's tooltip and accessible description, if `describe` returns any."""
        for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            self.roles[role] = lambda row, _: describe(row) or None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return data for `roles`. Qt asks for nine roles per painted cell; the others must cost nothing."""
        read = self.roles.get(role)
        return None if read is None or not index.isValid() else read(self.row(index), index.column())

    def height(self, row: T, column: int) -> QSize:
        """Return the row height for a QTreeView, which measures one row."""
        return QSize(0, row_height(QFontMetrics(QGuiApplication.font())))

    def row(self, index: Index) -> T:
        return self.rows[index.row()]

    def replace_rows(self, rows: Sequence[T]) -> None:
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def append(self, rows: list[T]) -> None:
        if rows:
            self.beginInsertRows(NOWHERE, len(self.rows), len(self.rows) + len(rows) - 1)
            self.rows += rows
            self.endInsertRows()

    def remove(self, place: int, count: int = 1) -> None:
        self.beginRemoveRows(NOWHERE, place, place + count - 1)
        del self.rows[place : place + count]
        self.endRemoveRows()

    def keep(self, wanted: Callable[[T], bool]) -> None:
        """Remove the other rows, adjacent ones together: a view takes as long for one row as for many."""
        place = len(self.rows)
        while place:
            last = place
            while place and not wanted(self.rows[place - 1]):
                place -= 1
            if place < last:
                self.remove(place, last - place)
            else:
                place -= 1

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        """Override Qt's, which calls both counts: a filter model asks for five indexes per cell."""
        if 0 <= row < len(self.rows) and 0 <= column < len(self.columns) and not parent.isValid():
            return self.createIndex(row, column)
        return QModelIndex()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return self.columns[section].title


def _set_columns(view: QAbstractItemView, head: QHeaderView, model: TableModel[Any]) -> None:
    isolate_columns(view, (place for place, column in enumerate(model.columns) if column.isolated))
    head.setStretchLastSection(False)
    metrics = view.fontMetrics()
    letter = metrics.averageCharWidth()
    for place, column in enumerate(model.columns):
        title = metrics.horizontalAdvance(column.title)
        wanted = max(letter * column.width, title + letter * 2)
        head.resizeSection(place, wanted + 2 * CELL_PADDING)
        if column.stretched:
            head.setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)


class _Table(QTableView):
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the current row on keyboard focus: Qt only marks it, and no key selects an only row."""
        super().focusInEvent(event)
        current = self.currentIndex()
        by_mouse = event.reason() in (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
        if current.isValid() and not by_mouse and not self.selectionModel().hasSelection():
            self.setCurrentIndex(current)


def make_tree(
    name: str, title: str, model: TableModel[Any], filtered: QAbstractItemModel | None = None
) -> QTreeView:
    """Make a list of rows with columns. `title`: accessible name; `filtered`: a proxy of the model."""
    view = QTreeView()
    view.setObjectName(name)
    view.setAccessibleName(title)
    model.roles[Qt.ItemDataRole.SizeHintRole] = model.height
    view.setModel(filtered or model)
    view.setRootIsDecorated(False)
    view.setUniformRowHeights(True)  # measures one row, not a thousand
    view.setAllColumnsShowFocus(True)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    _set_columns(view, view.header(), model)
    return view


def make_table(name: str, title: str, model: TableModel[Any], *, single: bool = False) -> QTableView:
    """Make a table of equal rows, selected as a whole. A QTreeView would fetch every page of the model.

    `title`: accessible name; `single`: only one row can be selected.
    """
    view = _Table()
    view.setObjectName(name)
    view.setAccessibleName(title)
    view.setModel(model)
    view.setShowGrid(False)
    view.setTabKeyNavigation(False)
    view.setWordWrap(False)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    modes = QAbstractItemView.SelectionMode
    view.setSelectionMode(modes.SingleSelection if single else modes.ExtendedSelection)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.verticalHeader().hide()
    view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.verticalHeader().setDefaultSectionSize(row_height(view.fontMetrics()))
    head = view.horizontalHeader()
    head.setHighlightSections(False)
    head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
    head.setMinimumSectionSize(view.fontMetrics().averageCharWidth() * 5)
    _set_columns(view, head, model)
    return view


def chosen_row(view: QTableView, model: TableModel[T]) -> T | None:
    """Return the first selected row."""
    rows = view.selectionModel().selectedRows()
    return model.row(rows[0]) if rows else None


def choose_row(view: QTableView, row: int) -> None:
    """Select a row. QTableView.selectRow selects nothing in a right-to-left layout."""
    view.setCurrentIndex(view.model().index(row, 0))
