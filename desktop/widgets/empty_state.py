"""What a list shows while it is empty: a picture, a title, one sentence, and what to do."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from desktop.theme.colours import current
from desktop.theme.metrics import GRID, HEADING
from desktop.theme.symbols import symbol_pixmap
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import Part, column, row

_PICTURE = 44
_WIDE = 56  # characters


class EmptyState(QWidget):
    def __init__(self, name: str, symbol: str, title: str, text: str = "", *buttons: QPushButton) -> None:
        super().__init__()
        self.setObjectName(name)
        self._symbol = symbol
        self._picture = QLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title = Label(title, name=f"{name}Title", bold=True, scale=HEADING)
        self._text = Label(text, name=f"{name}Text", tone=Tone.MUTED)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            label.centred = True
        self._text.setMaximumWidth(self.fontMetrics().averageCharWidth() * _WIDE)
        words = row(1, (self._text, 8), 1)
        parts: list[Part] = [self._picture, self._title, words]
        if buttons:
            parts.append(row(1, *buttons, 1, spacing=GRID, margins=(0, GRID, 0, 0)))
        self.setLayout(column(1, *parts, 1, spacing=GRID, margins=(GRID, 3 * GRID, GRID, 3 * GRID)))
        self._draw_picture()

    def show_words(self, title: str, text: str = "") -> None:
        self._title.show_text(title)
        self._text.show_text(text)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._draw_picture()

    def _draw_picture(self) -> None:
        ratio = self.devicePixelRatioF()
        self._picture.setPixmap(symbol_pixmap(self._symbol, current().border, _PICTURE, ratio))
