"""Message bars: one sentence each, with buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.widgets.bidi import strip_isolates
from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, discard, row, widget_with
from desktop.widgets.panel import Panel
from desktop.widgets.scroll import FittingScroll


class MessageBar(Panel):
    """One sentence with buttons: (object name, label, callback) each."""

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
        self.setLayout(row((Label(words, name="words", tone=tone), 1), *made, margins=(10, 6, 10, 6)))


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
