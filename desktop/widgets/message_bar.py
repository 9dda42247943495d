"""Message bars: one sentence each, with buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from desktop.theme.colours import current
from desktop.theme.metrics import CARD_RADIUS, GRID, SIDEBAR_ICON
from desktop.theme.painting import rounded
from desktop.theme.symbols import symbol_pixmap
from desktop.widgets.chip import tone_colours
from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, discard, row, widget_with
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.text.bidi import strip_isolates

_SYMBOLS = {
    Tone.WARNING: "triangle-alert",
    Tone.ERROR: "octagon-alert",
    Tone.SUCCESS: "circle-check",
    Tone.INFO: "info",
}


class MessageBar(QFrame):
    """One sentence with buttons: (object name, label, callback) each. Its tone is its ground and symbol."""

    def __init__(
        self,
        name: str,
        words: str,
        buttons: tuple[tuple[str, str, Callable[[], None]], ...],
        tone: Tone = Tone.PLAIN,
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        spoken = strip_isolates(words)
        self.setAccessibleName(spoken)
        made = (make_button(*button, about=spoken) for button in buttons)
        self._tone = tone
        self._symbol = QLabel() if tone in _SYMBOLS else None
        self._draw_symbol()
        parts = [self._symbol] if self._symbol is not None else []
        label = Label(words, name="words", tone=tone)
        self.setLayout(row(*parts, (label, 1), *made, margins=(2 * GRID, GRID, GRID, GRID), spacing=GRID))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._draw_symbol()

    def paintEvent(self, event: QPaintEvent) -> None:
        _, ground = tone_colours(self._tone)
        rounded(QPainter(self), QRectF(self.rect()), CARD_RADIUS, ground, current().line)

    def _draw_symbol(self) -> None:
        if self._symbol is not None:
            ink, _ = tone_colours(self._tone)
            picture = symbol_pixmap(_SYMBOLS[self._tone], ink, SIDEBAR_ICON, self.devicePixelRatioF())
            self._symbol.setPixmap(picture)


class MessageBarList(QWidget):
    """Message bars below one another, at most `lines` text lines tall; then they scroll."""

    grew = Signal()  # its tab stops have changed

    def __init__(self, name: str, lines: int) -> None:
        super().__init__()
        self.setObjectName(name)
        self._lines = lines
        self._area: QWidget | None = None
        self._column = column()
        self.setLayout(self._column)
        self.hide()

    def draw(self, bars: Sequence[MessageBar]) -> None:
        """Show these bars instead of the previous ones."""
        if self._area is not None:
            discard(self._area)
            self._area = None
        if bars:
            self._area = FittingScroll(widget_with(column(*bars, spacing=6)), name="bars")
            self._area.setMaximumHeight(self.fontMetrics().lineSpacing() * self._lines)
            self._area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
            self._column.addWidget(self._area)
        self.setVisible(bool(bars))
        self.grew.emit()
