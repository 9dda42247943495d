"""What every table of ours has in common: rows in a list, and titles above them. Shows nothing by itself."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

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
