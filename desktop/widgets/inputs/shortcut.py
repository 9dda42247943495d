"""A field that takes a key combination by being pressed, with a button that clears it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QLineEdit

from desktop.system.shortcuts.keys import DEFAULT, NONE, parse
from desktop.widgets.controls import make_clearable

_META = "Win" if sys.platform == "win32" else "Super"


class KeysField(QKeySequenceEdit):
    """Saves a combination when it was pressed; none if it was cleared. One that cannot work is not taken."""

    def __init__(self, save: Callable[[object], object]) -> None:
        super().__init__()
        self._drawn = ""
        self._save = save
        self.setMaximumSequenceLength(1)
        self.editingFinished.connect(self._finished)
        for line in self.findChildren(QLineEdit):
            line.setPlaceholderText(self.tr("Press keys"))
            make_clearable(line, "clear-keys", self.tr("Clear the keys"))
            line.textChanged.connect(partial(_name_meta, line))

    def draw(self, text: str) -> None:
        """Show the combination in force; "": the default."""
        self._drawn = text
        if not self.hasFocus():
            self.setKeySequence(QKeySequence() if text == NONE else QKeySequence(text or DEFAULT))

    def _finished(self) -> None:
        wanted = self.keySequence().toString(QKeySequence.SequenceFormat.PortableText) or NONE
        if wanted in (self._drawn, self._drawn or DEFAULT):
            return
        if wanted != NONE and parse(wanted) is None:
            self.setKeySequence(QKeySequence(self._drawn or DEFAULT))
            return
        self._drawn = wanted
        self._save(wanted)


def _name_meta(line: QLineEdit, text: str) -> None:
    """Name this key as it is known here; Qt calls it "Meta" everywhere."""
    if "Meta+" in text:
        line.setText(text.replace("Meta+", f"{_META}+"))
