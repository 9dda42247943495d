"""A frame around rows: the surface of a card, without its pointer and keyboard."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from desktop.theme.colours import current
from desktop.theme.metrics import CARD_RADIUS
from desktop.theme.painting import rounded


class Panel(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)

    def paintEvent(self, event: QPaintEvent) -> None:
        use = current()
        rounded(QPainter(self), QRectF(self.rect()), CARD_RADIUS, use.surface, use.line)
