"""A rounded surface that groups what belongs together; a clickable one is a button for mouse and keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from desktop.theme import painting
from desktop.theme.colours import current
from desktop.theme.metrics import CARD_RADIUS, GRID, RING

MARGINS = (2 * GRID, GRID + 4, 2 * GRID, GRID + 4)
_PRESS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class Card(QFrame):
    """`clickable`: it can be pressed and focused. `stripe`: a field of Colours, for a bar at its edge."""

    clicked = Signal()

    def __init__(self, name: str = "", *, clickable: bool = False, stripe: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self._clickable, self._stripe = clickable, stripe
        self._hovered = self._selected = False
        if clickable:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    @property
    def is_selected(self) -> bool:
        return self._selected

    def set_selected(self, on: bool) -> None:
        self._selected = on
        self.update()

    def set_stripe(self, role: str) -> None:
        self._stripe = role
        self.update()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hovered = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = False
        self.update()
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_left = event.button() is Qt.MouseButton.LeftButton
        if self._clickable and is_left and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._clickable and event.key() in _PRESS:
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        use = current()
        painter = QPainter(self)
        place = QRectF(self.rect())
        ground = use.selected if self._selected else use.surface
        if self._clickable and self._hovered and not self._selected:
            ground = use.hover
        edge = use.accent if self._selected else use.line
        painting.rounded(painter, place, CARD_RADIUS, ground, edge)
        if self._stripe:
            self._paint_stripe(painter, place)
        if self.hasFocus():
            painting.rounded(painter, place, CARD_RADIUS, None, use.focus, RING)

    def _paint_stripe(self, painter: QPainter, place: QRectF) -> None:
        bar = QRectF(place.x() + 1, place.y() + GRID, 4, place.height() - 2 * GRID)
        if self.isRightToLeft():
            bar.moveRight(place.right() - 1)
        painting.rounded(painter, bar, 2, getattr(current(), self._stripe), None)


class Separator(QWidget):
    """A thin line across."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), current().line)
