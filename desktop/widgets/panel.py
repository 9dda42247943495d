"""A thin line around what belongs together, seen on light windows and on dark ones.

Qt's own is always darker than the window: on a dark one it is hardly there.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QWidget

_ROUND = 4.0  # pixels
_INK = 0.22  # of the words' colour in the line's


class Panel(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(edge(self.palette()))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _ROUND, _ROUND)


def edge(palette: QPalette) -> QColor:
    window, ink = palette.color(QPalette.ColorRole.Window), palette.color(QPalette.ColorRole.WindowText)
    pairs = zip(window.getRgb()[:3], ink.getRgb()[:3], strict=True)  # type: ignore[index]
    return QColor(*(round(one + (other - one) * _INK) for one, other in pairs))
