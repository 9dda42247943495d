"""A layout that puts widgets beside one another and begins a new line where there is no more room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    def __init__(self, parent: QWidget, *, spacing: int) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        width = sum(item.sizeHint().width() + self.spacing() for item in self._items) - self.spacing()
        return QSize(max(width, 0), max((item.sizeHint().height() for item in self._items), default=0))

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._items]
        return QSize(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Place the widgets in lines, from the right where lines run so; return their height."""
        parent = self.parentWidget()
        leftward = parent is not None and parent.isRightToLeft()
        x, y, tall = 0, 0, 0
        for item in self._items:
            size = item.sizeHint().boundedTo(QSize(max(rect.width(), 1), 16_777_215))
            if x and x + size.width() > rect.width():
                x, y, tall = 0, y + tall + self.spacing(), 0
            if move:
                left = rect.right() + 1 - x - size.width() if leftward else rect.left() + x
                item.setGeometry(QRect(QPoint(left, rect.top() + y), size))
            x += size.width() + self.spacing()
            tall = max(tall, size.height())
        return y + tall


def flow(*widgets: QWidget, spacing: int) -> QWidget:
    """Return a widget with these beside one another, on as many lines as it takes."""
    made = QWidget()
    layout = FlowLayout(made, spacing=spacing)
    for widget in widgets:
        layout.addWidget(widget)
    policy = made.sizePolicy()
    policy.setHeightForWidth(True)
    made.setSizePolicy(policy)
    return made
