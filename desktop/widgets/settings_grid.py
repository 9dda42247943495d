"""A grid of settings: labels, fields and notes that share their edges. Lays out only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from desktop.widgets.controls import ignore_wheel
from desktop.widgets.labels import Label, Tone

_NARROW = 24  # minimum width of a field, in characters
_LABEL, _FIELD, _REST = range(3)


class SettingsGrid(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(20, 18, 20, 8)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(_REST, 1)
        self._row = 0

    def heading(self, name: str, text: str) -> None:
        if self._row:
            self._grid.setRowMinimumHeight(self._row, self.fontMetrics().lineSpacing())
            self._row += 1
        self._whole(Label(text, name=name, bold=True, scale=1.08))

    def check(self, name: str, text: str) -> QCheckBox:
        box = QCheckBox(text)
        box.setObjectName(name)
        self._whole(box)
        return box

    def choice(self, name: str, title: str, options: Iterable[tuple[str, object]]) -> QComboBox:
        box = QComboBox()
        for words, value in options:
            box.addItem(words, value)
        self._field(name, title, box)
        return box

    def number(
        self, name: str, title: str, most: int, *, zero: str = "", suffix: str = "", one: str = ""
    ) -> QSpinBox:
        """Add a number field. `zero`: text shown for 0. `one`: suffix for 1, if it differs from `suffix`."""
        spin = QSpinBox()
        spin.setRange(0, most)
        spin.setSpecialValueText(zero)
        spin.setSuffix(suffix)
        if one:
            spin.valueChanged.connect(lambda value: spin.setSuffix(one if value == 1 else suffix))
        spin.setKeyboardTracking(False)
        self._field(name, title, spin)
        return spin

    def line(self, name: str, title: str) -> QLineEdit:
        line = QLineEdit()
        self._field(name, title, line)
        return line

    def shown(self, name: str, title: str) -> Label:
        """Add a value that can be read and copied."""
        value = Label("", name=name, selectable=True)
        label = Label(title, name=f"{name}:label")
        label.setWordWrap(False)
        self._grid.addWidget(label, self._row, _LABEL, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, self._row, _FIELD, 1, 2)
        self._row += 1
        return value

    def buttons(self, buttons: Sequence[QPushButton]) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in buttons:
            row.addWidget(button)
        row.addStretch(1)
        self._grid.addLayout(row, self._row, _LABEL, 1, 3)
        self._row += 1

    def note(self, name: str, text: str = "", tone: Tone = Tone.MUTED) -> Label:
        """Add a note across the grid; it takes no room while its text is empty."""
        note = Label(text, name=name, tone=tone)
        self._whole(note)
        return note

    def end(self) -> None:
        self._grid.setRowStretch(self._row, 1)

    def _whole(self, widget: QWidget) -> None:
        self._grid.addWidget(widget, self._row, _LABEL, 1, 3)
        self._row += 1

    def _field(self, name: str, title: str, field: QComboBox | QSpinBox | QLineEdit) -> None:
        field.setObjectName(name)
        field.setAccessibleName(title.replace("&", ""))
        field.setMinimumWidth(self.fontMetrics().averageCharWidth() * _NARROW)
        field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # without WheelFocus
        ignore_wheel(field)
        label = QLabel(title)
        label.setObjectName(f"{name}:label")
        label.setBuddy(field)
        self._grid.addWidget(label, self._row, _LABEL)
        self._grid.addWidget(field, self._row, _FIELD)
        self._row += 1


def select_value(box: QComboBox, value: object, otherwise: str = "") -> None:
    """Select a value without emitting signals; a value that is not offered is added as `otherwise`."""
    with QSignalBlocker(box):
        place = box.findData(value)
        if place < 0 and otherwise:
            box.addItem(otherwise, value)
            place = box.count() - 1
        box.setCurrentIndex(max(place, 0))
