"""Directional isolates (UAX #9) around names and foreign text in right-to-left windows.

Without them, characters without a direction move to the other side: a rule for `github_*` would read
`*_github`. Isolates are only for display: copied, searched, saved and announced text has none, and windows
that run from left to right use none.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QLocale, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

_FIRST, _LAST = "\u2068", "\u2069"  # FSI, PDI
_Index = QModelIndex | QPersistentModelIndex
_MARKS = str.maketrans("", "", _FIRST + _LAST)


def isolate(text: str) -> str:
    """Isolate a name for a sentence in a Label. Call `readable` first, so that the only isolates are ours."""
    return f"{_FIRST}{text}{_LAST}" if text and QGuiApplication.isRightToLeft() else text


def isolate_all(names: Iterable[str]) -> str:
    return ", ".join(map(isolate, names))


def strip_isolates(text: str) -> str:
    """Remove isolates, for text that is not displayed."""
    return text.translate(_MARKS) if _FIRST in text else text


class _IsolatingDelegate(QStyledItemDelegate):
    """Isolates cell texts when they are painted; the model's data has no isolates."""

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        return isolate(str(value))


def isolate_columns(view: QAbstractItemView, columns: Iterable[int]) -> None:
    """Isolate the cells of these columns."""
    if QGuiApplication.isRightToLeft():
        cells = _IsolatingDelegate(view)
        for column in columns:
            view.setItemDelegateForColumn(column, cells)


MARKED_ROLE = Qt.ItemDataRole.UserRole  # the text of a cell with its isolates


class _MarkedDelegate(QStyledItemDelegate):
    """Paints the text of MARKED_ROLE; the displayed text, which is read aloud and copied, has no isolates."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        option.text = index.data(MARKED_ROLE)


def paint_isolates(view: QAbstractItemView, column: int) -> None:
    """Paint the cells of this column as MARKED_ROLE has them: sentences with names in them."""
    if QGuiApplication.isRightToLeft():
        view.setItemDelegateForColumn(column, _MarkedDelegate(view))
