"""Message bars: one sentence each, with buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.widgets.bidi import strip_isolates
from desktop.widgets.labels import Label, Tone
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
        spoken_text = strip_isolates(words)
        self.setAccessibleName(spoken_text)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 10, 6)
        row.addWidget(Label(words, name="words", tone=tone), 1)
        for key, text, act in buttons:
            button = make_button(key, text, act)
            button.setAccessibleDescription(spoken_text)
            row.addWidget(button)


class MessageBarList(QWidget):
    """Message bars below one another, at most `lines` text lines tall; then they scroll."""

    grew = Signal()  # its tab stops have changed

    def __init__(self, name: str, lines: int) -> None:
        super().__init__()
        self.setObjectName(name)
        self._lines = lines
        self._area: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.hide()

    def draw(self, bars: Sequence[MessageBar]) -> None:
        """Show these bars instead of the previous ones."""
        if self._area is not None:
            self._area.hide()
            self._area.deleteLater()
            self._area = None
        if bars:
            content = QWidget()
            rows = QVBoxLayout(content)
            rows.setContentsMargins(0, 0, 0, 0)
            rows.setSpacing(6)
            for bar in bars:
                rows.addWidget(bar)
            self._area = FittingScroll(content, name="bars")
            self._area.setMaximumHeight(self.fontMetrics().lineSpacing() * self._lines)
            policy = QSizePolicy.Policy
            self._area.setSizePolicy(policy.Expanding, policy.Maximum)
            self._column.addWidget(self._area)
        self.setVisible(bool(bars))
        self.grew.emit()


def make_button(name: str, text: str, act: Callable[[], object]) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.clicked.connect(lambda: act())
    return button
