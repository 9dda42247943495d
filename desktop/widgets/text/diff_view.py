"""A unified diff, read-only: additions green, deletions red, and the sign that starts each line for those who
see no colours. Left to right in every language: it is a file."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QFontDatabase, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit

from desktop.theme.colours import is_dark
from desktop.widgets.text.safe_text import readable

_LIMIT = 50_000  # characters, as in TextBox
_COLOURS = {"+": ("#116329", "#7ee787"), "-": ("#a40e26", "#ffa198"), "@": ("#5c5c5c", "#b8b8b8")}
_WIDE, _TALL = 84, 18  # initial size in characters and lines


class DiffView(QPlainTextEdit):
    def __init__(self, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        flags = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.setTextInteractionFlags(flags)
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self.document().setDefaultTextOption(option)
        self._painter = _DiffHighlighter(self.document(), self)

    def show_diff(self, text: str) -> None:
        shown = readable(text if len(text) <= _LIMIT else f"{text[:_LIMIT]}\n…")
        if shown != self.toPlainText():
            self.setPlainText(shown)
        self.setAccessibleDescription(shown)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        lines = min(max(self.blockCount() + 2, 6), _TALL)
        return QSize(metrics.averageCharWidth() * _WIDE, metrics.lineSpacing() * lines)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._painter.rehighlight()


class _DiffHighlighter(QSyntaxHighlighter):
    def __init__(self, document: QTextDocument, view: QPlainTextEdit) -> None:
        super().__init__(document)
        self._view = view

    def highlightBlock(self, text: str) -> None:
        is_head = self.currentBlock().blockNumber() < 2  # which file
        colours = _COLOURS.get("@" if is_head else text[:1])
        if colours is not None:
            style = QTextCharFormat()
            style.setForeground(QColor(colours[is_dark(self._view.palette())]))
            self.setFormat(0, len(text), style)
