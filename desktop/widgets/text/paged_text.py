"""Foreign text of any length, shown in pages of LIMIT characters.

A window must neither hang on millions of characters nor hide what follows the first ones.
"""

from __future__ import annotations

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QWidget

from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row
from desktop.widgets.text.safe_text import readable
from desktop.widgets.text.text_box import LIMIT, TextBox


class PagedText(QWidget):
    def __init__(self, text: str, *, name: str, title: str, lines: int) -> None:
        super().__init__()
        self._text = text
        self._at = 0
        self.text_box = TextBox("", name=name, lines=lines)
        self.text_box.setAccessibleName(title)
        self._where = Label("", name="part", tone=Tone.WARNING)
        previous, following = self.tr("&Previous part"), self.tr("&Next part")
        self._back = make_button("partBefore", previous, lambda: self._turn(-1), auto_default=False)
        self._on = make_button("partAfter", following, lambda: self._turn(1), auto_default=False)
        buttons = row((self._where, 1), self._back, self._on)
        self.setLayout(column((self.text_box, 1), buttons, spacing=4))
        for button in (self._back, self._on):
            button.setVisible(self.count > 1)
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
