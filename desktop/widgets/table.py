"""What every table of ours has in common: rows in a list, and titles above them. Shows nothing by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
T = TypeVar("T")


class TableModel(QAbstractTableModel, Generic[T]):
    """`widths` of the columns in average letters; one is `stretched` to what is left."""

    widths: tuple[int, ...] = ()
    stretched = 0

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[T] = []

    def titles(self) -> tuple[str, ...]:
        raise NotImplementedError

    def row(self, index: Index) -> T:
        return self.rows[index.row()]

    def append(self, rows: list[T]) -> None:
        if rows:
            self.beginInsertRows(NOWHERE, len(self.rows), len(self.rows) + len(rows) - 1)
            self.rows += rows
            self.endInsertRows()

    def remove(self, place: int) -> None:
        self.beginRemoveRows(NOWHERE, place, place)
        del self.rows[place]
        self.endRemoveRows()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.widths)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return self.titles()[section]


def set_widths(view: QAbstractItemView, head: QHeaderView, model: TableModel[Any]) -> None:
    head.setStretchLastSection(False)
    letter = view.fontMetrics().averageCharWidth()
    for column, width in enumerate(model.widths):
        head.resizeSection(column, letter * width)
    head.setSectionResizeMode(model.stretched, QHeaderView.ResizeMode.Stretch)


def make_table(name: str, model: TableModel[Any]) -> QTableView:
    """Lines of one height, chosen as a whole. A QTreeView would fetch all there is, page by page."""
    view = QTableView()
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
    view.verticalHeader().setDefaultSectionSize(round(view.fontMetrics().lineSpacing() * 1.35))
    head = view.horizontalHeader()
    head.setHighlightSections(False)
    head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
    head.setMinimumSectionSize(view.fontMetrics().averageCharWidth() * 5)
    set_widths(view, head, model)
    return view


def fit_columns(view: QTableView, texts: Sequence[Sequence[str]], most: int) -> None:
    """As wide as what is in them, but none wider than so many letters. `texts`: by column."""
    metrics = view.fontMetrics()
    letter = metrics.averageCharWidth()
    head = view.horizontalHeader()
    for column, found in enumerate(texts):
        title = str(view.model().headerData(column, Qt.Orientation.Horizontal))
        longest = max((*sorted(set(found), key=len)[-3:], title), key=metrics.horizontalAdvance)
        head.resizeSection(column, min(metrics.horizontalAdvance(longest) + letter * 2, letter * most))
