"""Base model and view of all tables: rows in a list, column titles, column widths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from desktop.widgets.bidi import isolate_columns

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
_A_FEW_WORDS, _NARROW = 20, 11  # characters
T = TypeVar("T")
ROW = 1.35  # height of a row, in text lines


class TableModel(QAbstractTableModel, Generic[T]):
    """`widths` of columns in average characters; column `stretched` takes the rest. `isolated`: columns of
    names or foreign text (bidi.py)."""

    widths: tuple[int, ...] = ()
    stretched = 0
    isolated: tuple[int, ...] = ()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[T] = []
        self.roles: dict[int, Callable[[T, int], Any]] = {
            Qt.ItemDataRole.DisplayRole: self.text,
            Qt.ItemDataRole.ToolTipRole: self.text,
        }

    def text(self, row: T, column: int) -> str:
        raise NotImplementedError

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return data for `roles`. Qt asks for nine roles per painted cell; the others must cost nothing."""
        read = self.roles.get(role)
        return None if read is None or not index.isValid() else read(self.row(index), index.column())

    def height(self, row: T, column: int) -> QSize:
        """Return the row height for a QTreeView, which measures one row."""
        return QSize(0, round(QFontMetrics(QGuiApplication.font()).lineSpacing() * ROW))

    def titles(self) -> tuple[str, ...]:
        raise NotImplementedError

    def row(self, index: Index) -> T:
        return self.rows[index.row()]

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
        return 0 if parent.isValid() else len(self.widths)

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        """Override Qt's, which calls both counts: a filter model asks for five indexes per cell."""
        if 0 <= row < len(self.rows) and 0 <= column < len(self.widths) and not parent.isValid():
            return self.createIndex(row, column)
        return QModelIndex()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return self.titles()[section]


def set_columns(view: QAbstractItemView, head: QHeaderView, model: TableModel[Any]) -> None:
    isolate_columns(view, model.isolated)
    head.setStretchLastSection(False)
    metrics = view.fontMetrics()
    letter = metrics.averageCharWidth()
    for column, (width, title) in enumerate(zip(model.widths, model.titles(), strict=True)):
        head.resizeSection(column, max(letter * width, metrics.horizontalAdvance(title) + letter * 2))
    head.setSectionResizeMode(model.stretched, QHeaderView.ResizeMode.Stretch)


class _Table(QTableView):
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the current row on keyboard focus: Qt only marks it, and no key selects an only row."""
        super().focusInEvent(event)
        current = self.currentIndex()
        by_mouse = event.reason() in (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
        if current.isValid() and not by_mouse and not self.selectionModel().hasSelection():
            self.setCurrentIndex(current)


def make_table(name: str, model: TableModel[Any]) -> QTableView:
    """Make a table of equal rows, selected as a whole. A QTreeView would fetch every page of the model."""
    view = _Table()
    view.setObjectName(name)
    view.setModel(model)
    view.setShowGrid(False)
    view.setTabKeyNavigation(False)
    view.setWordWrap(False)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.verticalHeader().hide()
    view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.verticalHeader().setDefaultSectionSize(round(view.fontMetrics().lineSpacing() * ROW))
    head = view.horizontalHeader()
    head.setHighlightSections(False)
    head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
    head.setMinimumSectionSize(view.fontMetrics().averageCharWidth() * 5)
    set_columns(view, head, model)
    return view


def choose_row(view: QTableView, row: int) -> None:
    """Select a row. QTableView.selectRow selects nothing in a right-to-left layout."""
    view.setCurrentIndex(view.model().index(row, 0))


def fit_columns(view: QTableView, texts: Sequence[Sequence[str]], most: int) -> None:
    """Fit columns to `texts` (by column), none wider than `most` characters. The widest shrink until the
    stretched one has room for a few words, but not so far that a date is cut."""
    metrics = view.fontMetrics()
    letter = metrics.averageCharWidth()
    head = view.horizontalHeader()
    wide = []
    for column, found in enumerate(texts):
        title = str(view.model().headerData(column, Qt.Orientation.Horizontal))
        longest = max((*sorted(set(found), key=len)[-3:], title), key=metrics.horizontalAdvance)
        wide.append(min(metrics.horizontalAdvance(longest) + letter * 2, letter * most))
    room = view.viewport().width() - letter * _A_FEW_WORDS
    while sum(wide) > room and max(wide[1:], default=0) > letter * _NARROW:
        wide[wide.index(max(wide[1:]), 1)] -= letter
    for column, width in enumerate(wide):
        head.resizeSection(column, width)
