"""Box layouts as expressions: `column(title, row(name, button), (table, 1))`; CachedColumn for many rows."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QBoxLayout,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop.theme.metrics import control_height

NO_MARGINS = (0, 0, 0, 0)
PAGE = (24, 20, 24, 16)
DIALOG = (24, 20, 24, 16)
_ONE_LINE = (QLineEdit, QComboBox, QAbstractSpinBox)

Margins = tuple[int, int, int, int] | None  # pixels; None: as the style has it
# a number: room that stretches; a tuple: the arguments of addWidget or addLayout
Part = QWidget | QLayout | int | tuple[Any, ...]


def column(*parts: Part, margins: Margins = NO_MARGINS, spacing: int = -1) -> QVBoxLayout:
    """Return these parts below one another. `spacing` -1: as around it."""
    layout = QVBoxLayout()
    _fill(layout, parts, margins, spacing)
    return layout


def row(*parts: Part, margins: Margins = NO_MARGINS, spacing: int = -1) -> QHBoxLayout:
    """Return these parts beside one another. `spacing` -1: as around it."""
    layout = QHBoxLayout()
    _fill(layout, parts, margins, spacing)
    return layout


def _fill(layout: QBoxLayout, parts: tuple[Part, ...], margins: Margins, spacing: int) -> None:
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing >= 0:
        layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, int):
            layout.addStretch(part)
            continue
        arguments = part if isinstance(part, tuple) else (part,)
        (layout.addLayout if isinstance(arguments[0], QLayout) else layout.addWidget)(*arguments)


def align_labels(form: QFormLayout) -> None:
    """Put each label of a form beside the middle of its field; Qt puts it a few pixels higher or lower."""
    for place in range(form.rowCount()):
        label = form.itemAt(place, QFormLayout.ItemRole.LabelRole)
        field = form.itemAt(place, QFormLayout.ItemRole.FieldRole)
        if label is not None and field is not None and isinstance(text := label.widget(), QLabel):
            line = field.layout()
            if isinstance(line, QHBoxLayout):
                parts = (part for place in range(line.count()) if (part := line.itemAt(place)) is not None)
                heights = (
                    widget.sizeHint().height() for part in parts if (widget := part.widget()) is not None
                )
                text.setFixedHeight(max(heights))
            elif line is not None or isinstance(field.widget(), _ONE_LINE):
                text.setFixedHeight(control_height(text.fontMetrics()))


def widget_with(layout: QLayout) -> QWidget:
    """Return a widget that holds this layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def vertical_splitter(name: str, *parts: QWidget) -> QSplitter:
    """Return these parts below one another, with handles between; Tab follows them from the top."""
    splitter = QSplitter(Qt.Orientation.Vertical)
    splitter.setObjectName(name)
    splitter.setChildrenCollapsible(False)
    for part in parts:
        splitter.addWidget(part)
    for part in reversed(parts):  # the tab order follows the stacking order, which a splitter reverses
        part.lower()
    return splitter


def discard(*widgets: QWidget) -> None:
    """Hide widgets at once and delete them when no event of theirs is being handled."""
    for widget in widgets:
        widget.hide()
        widget.deleteLater()


class CachedColumn(QVBoxLayout):
    """Caches heightForWidth for each width until its content changes.

    Qt asks for the same few widths (with and without scroll bar, preferred) again and again and caches only
    the last one: a page of many wrapping labels would take half a second to lay out.
    """

    def __init__(self, parent: QWidget, *, spacing: int) -> None:
        self._heights: dict[int, int] = {}
        super().__init__(parent)
        self.setContentsMargins(*NO_MARGINS)
        self.setSpacing(spacing)

    def invalidate(self) -> None:
        self._heights.clear()
        super().invalidate()

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = super().heightForWidth(width)
        return self._heights[width]

    def insert_row(self, place: int, row: QWidget) -> None:
        """Insert and show a row; Qt lays out once for all rows inserted in a turn, not once for each."""
        self.setEnabled(False)
        self.insertWidget(place, row)
        row.show()
        self.setEnabled(True)
