"""The answer as it would be sent now, one click away. What looks secret in it is covered."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.widgets.bidi import apart
from desktop.widgets.disclosure import Disclosure
from desktop.widgets.labels import Label, Tone
from desktop.widgets.text_box import Passage


class Review(QWidget):
    """`legend` stands beside the button; `resized`: the answer was opened or closed."""

    resized = Signal()

    def __init__(self, legend: str, compose: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compose = compose
        self._text: Passage | None = None  # None: nobody wanted to see it yet
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(Label(legend, name="legend", tone=Tone.MUTED, scale=0.92), 1)
        row.addStretch(0 if legend else 1)
        words = self.tr("Show exactly what will be sent")
        self.button = Disclosure(self.tr("Re&view"), words, name="review")
        self.button.toggled.connect(self._toggle)
        row.addWidget(self.button)
        self._column.addLayout(row)

    def refresh(self) -> None:
        """The answer has changed."""
        if self.button.isChecked() and self._text is not None:
            self._text.show_text(self._compose())

    def _toggle(self, on: bool) -> None:
        if self._text is None:
            self._text = Passage("", name="answer", lines=10, least=4, fixed=True)
            self._text.setAccessibleName(self.tr("What will be sent"))
            self._column.addWidget(self._text)
            self.setTabOrder(self.button, self._text)
        self.refresh()
        self._text.setVisible(on)
        self.resized.emit()


class LastLook(QWidget):
    """In place of the fields, when the answer holds what looks like a secret: who gets it, and all of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self._warning = Label("", name="secretWarning", tone=Tone.WARNING, bold=True)
        column.addWidget(self._warning)
        rule = self.tr("Servers must not ask for passwords, keys or cards in a form. This will be sent:")
        column.addWidget(Label(rule, name="secretRule"))
        self._text = Passage("", name="secretAnswer", lines=14, fixed=True)
        self._text.setAccessibleName(self.tr("What will be sent"))
        column.addWidget(self._text)
        column.addStretch(1)

    def tell(self, server: str, fields: str, answer: str) -> None:
        words = self.tr("You are about to give {server} what looks like a secret: {fields}.")
        self._warning.say(words.format(server=apart(server), fields=apart(fields)))
        self._text.show_text(answer)
