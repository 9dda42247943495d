"""Inputs for a few options: radio buttons and check boxes."""

from __future__ import annotations

import textwrap

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QButtonGroup, QCheckBox, QRadioButton

from bridge.api import schema
from desktop.widgets.inputs.base import Input
from desktop.widgets.layouts import column
from desktop.widgets.text.safe_text import escape_mnemonic, one_line

_WRAP = 60  # characters
_ROW = 60  # average characters in a row of a question window
_GAP = 16  # pixels


class ButtonsInput(Input):
    def _set_up(self, button: QAbstractButton, place: int, text: str) -> None:
        """Set up the button of an option, with its text wrapped: Qt's buttons do not wrap."""
        button.setText(escape_mnemonic(textwrap.fill(text, _WRAP)))
        button.setObjectName(f"option:{self.field.name}:{place}")
        button.setAccessibleName(text)
        button.setAccessibleDescription(self.title)
        button.installEventFilter(self)


class RadioInput(ButtonsInput):
    """A few options side by side or below one another, at most one chosen."""

    def __init__(self, field: schema.Field, options: list[tuple[schema.Entered, str]]) -> None:
        super().__init__(field)
        self.setAccessibleName(self.title)
        self._group = QButtonGroup(self)
        self._values = [value for value, _ in options]
        layout = column(spacing=4)
        self.setLayout(layout)
        for place, (value, text) in enumerate(options):
            button = QRadioButton()
            self._set_up(button, place, text)
            button.setChecked(value == field.initial)
            self._group.addButton(button, place)
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        buttons = self._group.buttons()
        wide = sum(button.sizeHint().width() for button in buttons) + _GAP * (len(buttons) - 1)
        if wide <= self.fontMetrics().averageCharWidth() * _ROW:
            layout.setDirection(QBoxLayout.Direction.LeftToRight)
            layout.setSpacing(_GAP)
            layout.addStretch(1)
        self.setFocusProxy(self._group.checkedButton() or self._group.button(0))
        self._group.idToggled.connect(lambda place, on: self.changed.emit() if on else None)

    def entered(self) -> schema.Entered:
        place = self._group.checkedId()
        return None if place < 0 else self._values[place]

    def enter(self, entered: schema.Entered) -> None:
        if entered in self._values:
            self._group.button(self._values.index(entered)).setChecked(True)


class CheckBoxInput(ButtonsInput):
    """A few options, any number chosen."""

    def __init__(self, field: schema.Field) -> None:
        super().__init__(field)
        self.setAccessibleName(self.title)
        self._checks = [QCheckBox() for _ in field.options]
        chosen = field.initial if isinstance(field.initial, tuple) else ()
        for place, check in enumerate(self._checks):
            self._set_up(check, place, one_line(field.options[place].title, 200))
            check.setChecked(place in chosen)
            check.toggled.connect(self.changed)
        lines = ((check, 0, Qt.AlignmentFlag.AlignLeft) for check in self._checks)
        self.setLayout(column(*lines, spacing=4))
        if self._checks:
            self.setFocusProxy(self._checks[0])

    def entered(self) -> schema.Entered:
        return tuple(place for place, check in enumerate(self._checks) if check.isChecked())

    def enter(self, entered: schema.Entered) -> None:
        chosen = entered if isinstance(entered, tuple) else ()
        for place, check in enumerate(self._checks):
            check.setChecked(place in chosen)
