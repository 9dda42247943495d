"""A column that remembers how tall it is at each width, until something in it changes.

Qt asks for that again and again, at the width with the scroll bar, without it, and at the one it would like
best, and forgets all but the last answer: with many labels that wrap, a page would take half a second.
"""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget


class CachedColumn(QVBoxLayout):
    def __init__(self, parent: QWidget | None = None, *, spacing: int) -> None:
        self._heights: dict[int, int] = {}
        super().__init__() if parent is None else super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = super().heightForWidth(width)
        return self._heights[width]


def insert_row(column: CachedColumn, place: int, row: QWidget) -> None:
    """Qt lays a whole page out for each widget that is shown on it; here once for all that come in a turn."""
    column.setEnabled(False)
    column.insertWidget(place, row)
    row.show()
    column.setEnabled(True)
