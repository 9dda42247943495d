"""Names in windows that run from right to left: of tools, servers, files and addresses, and others' words.

Each is set apart by Unicode's isolates (UAX #9), so that it reads by its own letters. Without them, what has
no direction of its own goes to the other side: a rule for `github_*` would read `*_github`.
For the eye alone: nothing that is copied, sought, kept or read aloud has them. Windows that run from left to
right do without.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QLocale
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate

_FIRST, _LAST = "\u2068", "\u2069"  # FSI, PDI
_MARKS = str.maketrans("", "", _FIRST + _LAST)


def isolate(text: str) -> str:
    """A name, for a sentence that a Label shows; `readable` first, so that the only marks are ours."""
    return f"{_FIRST}{text}{_LAST}" if text and QGuiApplication.isRightToLeft() else text


def isolate_all(names: Iterable[str]) -> str:
    return ", ".join(map(isolate, names))


def strip_isolates(text: str) -> str:
    """For everything but the eye."""
    return text.translate(_MARKS) if _FIRST in text else text


class _IsolatingDelegate(QStyledItemDelegate):
    """What a model tells stays as it is: this is asked only for what is painted."""

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        return isolate(str(value))


def isolate_columns(view: QAbstractItemView, columns: Iterable[int]) -> None:
    """The cells of these columns."""
    if QGuiApplication.isRightToLeft():
        cells = _IsolatingDelegate(view)
        for column in columns:
            view.setItemDelegateForColumn(column, cells)
