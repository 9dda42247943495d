"""A read-only, monospaced box of foreign plain text: as tall as the text up to a limit, then it scrolls.

A text box and not a label: it is selected and scrolled by keyboard, and breaks long runs without spaces.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QFontMetrics,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy

LIMIT = 50_000  # characters; setPlainText of millions would hold the GIL too long
_MEASURED = 5_000  # more than any window shows at once
_WIDTH = 440


class TextBox(QPlainTextEdit):
    """`lines`: its greatest height; `least`: its smallest."""

    def __init__(self, text: str = "", *, name: str, lines: int = 12, least: int = 2) -> None:
        self._heights: dict[int, int] = {}  # width → height, until text or style changes
        super().__init__()
        self.setObjectName(name)
        self.textChanged.connect(self._heights.clear)
        self._lines, self._least = lines, least
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalScrollBar().rangeChanged.connect(self._stay)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        flags = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.setTextInteractionFlags(flags)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.show_text(text)

    def show_text(self, text: str) -> None:
        shown = text if len(text) <= LIMIT else text[:LIMIT] + "\n…"
        self.setPlainText(shown)
        self.setAccessibleDescription(shown)
        self.updateGeometry()

    def set_framed(self, on: bool) -> None:
        """Show the edge and the ground of a field, or neither."""
        self.setFrameShape(QFrame.Shape.StyledPanel if on else QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.style().polish(self)  # gives a framed one its margin

    def set_bold(self, start: int, end: int) -> None:
        """Make this part of the text bold."""
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        cursor.mergeCharFormat(bold)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """Measure each width once: Qt asks whenever a neighbour moves."""
        if width not in self._heights:
            self._heights[width] = self._measured(width)
        return self._heights[width]

    def _measured(self, width: int) -> int:
        margin = self._tall(0)
        metrics = QFontMetrics(self.font())
        flags = Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextWrapAnywhere
        text = self.toPlainText()[:_MEASURED] or " "
        needed = metrics.boundingRect(
            QRect(0, 0, max(40, width - margin), 1 << 20), int(flags), text
        ).height()
        return min(needed + margin + 2, self._tall(self._lines))

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, self.heightForWidth(_WIDTH))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, min(self.heightForWidth(_WIDTH), self._tall(self._least)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._heights.clear()

    def _stay(self) -> None:
        """Never scroll sideways: in a right-to-left layout a trailing space would move the text."""
        self.horizontalScrollBar().setRange(0, 0)

    def _tall(self, lines: int) -> int:
        margins = round(2 * self.document().documentMargin()) + 2 * self.frameWidth()
        return lines * self.fontMetrics().lineSpacing() + margins
