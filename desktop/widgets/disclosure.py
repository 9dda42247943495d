"""A button with an arrow that shows or hides more."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget


class Disclosure(QToolButton):
    """`toggled(True)`: opened."""

    def __init__(self, text: str, words: str, parent: QWidget | None = None, *, name: str) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setText(text)
        self.setToolTip(words)
        self.setAccessibleDescription(words)
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.toggled.connect(self._turn)
        self._turn(False)

    def _turn(self, on: bool) -> None:
        closed = Qt.ArrowType.LeftArrow if self.isRightToLeft() else Qt.ArrowType.RightArrow
        self.setArrowType(Qt.ArrowType.DownArrow if on else closed)
