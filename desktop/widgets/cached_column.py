"""A QVBoxLayout that caches heightForWidth for each width until its content changes.

Qt asks for the same few widths (with and without scroll bar, preferred) again and again and caches only the
last one: a page of many wrapping labels would take half a second to lay out.
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
    """Insert and show a row; Qt lays out the page once for all rows inserted in a turn, not once for each."""
    column.setEnabled(False)
    column.insertWidget(place, row)
    row.show()
    column.setEnabled(True)
