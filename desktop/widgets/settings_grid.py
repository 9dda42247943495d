"""A grid of settings that share their edges. Each is drawn from Status and saved when the user changes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from bridge.api import Status
from desktop.widgets.controls import ignore_wheel, make_check, make_choice, make_line
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import PAGE, row

_NARROW = 24  # minimum width of a field, in characters
_LABEL, _FIELD, _REST = range(3)
Read = Callable[[Status], Any]  # returns the value in force
Save = Callable[[Any], object]


def _unnamed(value: object) -> str:
    return ""


class NumberField(QSpinBox):
    """Saves a number when the user has changed it: passing through with Tab must not round half a day to 0.

    `zero`: text for 0. `one`: suffix for 1, if it differs from `suffix`.
    """

    def __init__(self, most: int, save: Save, zero: str, suffix: str = "", one: str = "") -> None:
        super().__init__()
        self._drawn = 0
        self._save = save
        self.setRange(0, most)
        self.setSpecialValueText(zero)
        self.setSuffix(suffix)
        if one:
            self.valueChanged.connect(lambda value: self.setSuffix(one if value == 1 else suffix))
        self.setKeyboardTracking(False)
        ignore_wheel(self)
        self.editingFinished.connect(self._finished)

    def draw(self, value: float) -> None:
        self._drawn = round(value)
        self.setValue(self._drawn)

    def _finished(self) -> None:
        if self.value() != self._drawn:
            self._drawn = self.value()
            self._save(self._drawn)


class SettingsGrid(QWidget):
    def __init__(self, margins: tuple[int, int, int, int] = PAGE) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(*margins)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(_REST, 1)
        self._row = 0
        self._drawn_by: list[Callable[[Status], object]] = []

    def draw(self, status: Status) -> None:
        """Show the settings in force."""
        for draw in self._drawn_by:
            draw(status)

    def heading(self, name: str, text: str) -> None:
        if self._row:
            self._grid.setRowMinimumHeight(self._row, self.fontMetrics().lineSpacing())
            self._row += 1
        self._whole(Label(text, name=name, bold=True, scale=1.08))

    def check(self, name: str, text: str, save: Save, read: Read | None = None) -> QCheckBox:
        box = make_check(name, text, save)
        self._whole(box)
        if read is not None:
            self._drawn_by.append(lambda status: set_checked(box, read(status)))
        return box

    def choice(
        self,
        name: str,
        title: str,
        options: Iterable[tuple[str, object]],
        read: Read,
        save: Save,
        unknown: Callable[[Any], str] = _unnamed,
    ) -> QComboBox:
        """Add a combo box. `unknown` names a value that is not among the options; "": the first is shown."""
        box = make_choice(name, "", options)
        self._field(name, title, box)
        box.activated.connect(lambda: save(box.currentData()))
        self._drawn_by.append(lambda status: select_value(box, read(status), unknown))
        return box

    def number(self, name: str, title: str, field: NumberField, read: Read) -> None:
        self._field(name, title, field)
        self._drawn_by.append(lambda status: None if field.hasFocus() else field.draw(read(status)))

    def line(self, name: str, title: str, read: Read, save: Save) -> QLineEdit:
        line = make_line(name)
        self._field(name, title, line)
        line.editingFinished.connect(lambda: save(line.text().strip()))
        self._drawn_by.append(lambda status: None if line.hasFocus() else line.setText(read(status)))
        return line

    def field(self, name: str, title: str, field: QWidget) -> None:
        """Add a field that is drawn by its owner."""
        self._field(name, title, field)

    def shown(self, name: str, title: str) -> Label:
        """Add a value that can be read and copied."""
        value = Label("", name=name, selectable=True)
        label = Label(title, name=f"{name}:label")
        label.setWordWrap(False)
        self._grid.addWidget(label, self._row, _LABEL, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, self._row, _FIELD, 1, 2)
        self._row += 1
        return value

    def buttons(self, *buttons: QPushButton) -> None:
        self._grid.addLayout(row(*buttons, 1, spacing=8), self._row, _LABEL, 1, 3)
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

    def _field(self, name: str, title: str, field: QWidget) -> None:
        field.setObjectName(name)
        field.setAccessibleName(title.replace("&", ""))
        field.setMinimumWidth(self.fontMetrics().averageCharWidth() * _NARROW)
        field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # without WheelFocus
        label = QLabel(title)
        label.setObjectName(f"{name}:label")
        label.setBuddy(field)
        self._grid.addWidget(label, self._row, _LABEL)
        self._grid.addWidget(field, self._row, _FIELD)
        self._row += 1


def set_checked(box: QCheckBox, on: bool) -> None:
    """Check or uncheck a box without emitting signals."""
    with QSignalBlocker(box):
        box.setChecked(on)


def select_value(box: QComboBox, value: object, unknown: Callable[[Any], str] = _unnamed) -> None:
    """Select a value without emitting signals; one that is not offered is added if `unknown` names it."""
    with QSignalBlocker(box):
        place = box.findData(value)
        if place < 0 and (text := unknown(value)):
            box.addItem(text, value)
            place = box.count() - 1
        box.setCurrentIndex(max(place, 0))
