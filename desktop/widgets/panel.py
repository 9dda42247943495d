"""A frame with a thin line that is visible in light and dark windows.

Qt's own line is always darker than the window, and hardly visible in a dark one.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QWidget

_ROUND = 4.0  # pixels
_INK = 0.22  # share of the text colour in the line


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
    return QColor(*(round(ground + (text - ground) * _INK) for ground, text in pairs))
