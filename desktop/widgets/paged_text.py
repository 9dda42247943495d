"""Foreign text of any length, shown in pages of LIMIT characters.

A window must neither hang on millions of characters nor hide what follows the first ones.
"""

from __future__ import annotations

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.safe_text import readable
from desktop.widgets.text_box import LIMIT, TextBox


class PagedText(QWidget):
    def __init__(
        self, text: str, parent: QWidget | None = None, *, name: str, title: str, lines: int
    ) -> None:
        super().__init__(parent)
        self._text = text
        self._at = 0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.text_box = TextBox("", name=name, lines=lines, fixed=True)
        self.text_box.setAccessibleName(title)
        column.addWidget(self.text_box, 1)
        row = QHBoxLayout()
        self._where = Label("", name="part", tone=Tone.WARNING)
        row.addWidget(self._where, 1)
        self._back = make_button("partBefore", self.tr("&Previous part"), lambda: self._turn(-1))
        self._on = make_button("partAfter", self.tr("&Next part"), lambda: self._turn(1))
        for button in (self._back, self._on):
            button.setAutoDefault(False)
            row.addWidget(button)
            button.setVisible(self.count > 1)
        column.addLayout(row)
        self._turn(0)

    @property
    def count(self) -> int:
        return max(1, -(-len(self._text) // LIMIT))

    def _turn(self, by: int) -> None:
        self._at += by
        start = self._at * LIMIT
        self.text_box.show_text(readable(self._text[start : start + LIMIT]))
        self._back.setEnabled(self._at > 0)
        self._on.setEnabled(self._at < self.count - 1)
        if self.count > 1:
            words = self.tr("Part {at} of {count}; {letters} characters in all")
            letters = QLocale().toString(len(self._text))
            self._where.show_text(words.format(at=self._at + 1, count=self.count, letters=letters))
