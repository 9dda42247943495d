"""Inputs for bounded numbers: a slider beside the line, and stars for a rating."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QSlider, QToolButton

from bridge.api import schema
from desktop.theme.symbols import symbol
from desktop.widgets.controls import ignore_wheel
from desktop.widgets.inputs.base import Input, entered_text
from desktop.widgets.inputs.text import LineInput
from desktop.widgets.layouts import row

_MOST_STARS = 10
_MOST_STEPS = 1000
_STAR = 20  # pixels
_RATING = re.compile(
    r"\b(rating|rate|stars?|score|grade|satisf\w+|Bewertung|Sterne|"
    r"how (?:was|good|well|happy|likely)|how (?:do|did) you like)\b|評価",
    re.IGNORECASE,
)


def has_stars(field: schema.Field) -> bool:
    """True for a whole number from 0 or 1 to a few that calls itself a rating."""
    low, high = _bounds(field)
    words = f"{field.name} {field.title}".replace("_", " ")
    small = low in (0, 1) and high is not None and 3 <= high <= _MOST_STARS
    return field.kind is schema.Kind.INTEGER and small and _RATING.search(words) is not None


def has_slider(field: schema.Field) -> bool:
    """True for a whole number between two bounds that a slider can tell apart."""
    low, high = _bounds(field)
    whole = field.kind is schema.Kind.INTEGER and not field.multiple_of
    return whole and low is not None and high is not None and 1 < high - low <= _MOST_STEPS


def _bounds(field: schema.Field) -> tuple[int | None, int | None]:
    low, high = field.minimum, field.maximum
    if field.exclusive_minimum is not None or field.exclusive_maximum is not None:
        return None, None
    whole = isinstance(low, int) and isinstance(high, int)
    return (int(low), int(high)) if whole else (None, None)  # type: ignore[arg-type]


class SliderInput(LineInput):
    """The line has the value, and may be blank; the slider follows it and changes it."""

    def __init__(self, field: schema.Field) -> None:
        super().__init__(field)
        low, high = _bounds(field)
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setObjectName(f"slider:{field.name}")
        self._slider.setAccessibleName(self.tr("Slider for {field}").format(field=self.title))
        self._slider.setRange(low or 0, high or 0)
        self._slider.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Tab leads from the line to Send
        ignore_wheel(self._slider)
        self._line.setMaximumWidth(self.fontMetrics().averageCharWidth() * 14)
        layout = self.layout()
        if isinstance(layout, QBoxLayout):
            layout.setSpacing(12)
            layout.setStretch(0, 0)
            layout.addWidget(self._slider, 1)
        self._follow(self._line.text())
        self._line.textChanged.connect(self._follow)
        self._slider.valueChanged.connect(self._take)
        self._slider.sliderPressed.connect(lambda: self._take(self._slider.value()))

    def freeze(self) -> None:
        super().freeze()
        self._slider.setEnabled(False)

    def takes_key(self, event: QKeyEvent) -> bool:
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
        if event.key() in steps:
            self._slider.setValue(self._slider.value() + steps[Qt.Key(event.key())])
            self._take(self._slider.value())
            return True
        return super().takes_key(event)

    def _follow(self, text: str) -> None:
        if re.fullmatch(r"[+-]?\d{1,9}", text.strip()):
            self._slider.blockSignals(True)
            self._slider.setValue(int(text))
            self._slider.blockSignals(False)

    def _take(self, value: int) -> None:
        if self._line.text().strip() != str(value):
            self._line.setText(str(value))


class StarsInput(Input):
    """A star for each value from 1; pressing the chosen one again clears it."""

    def __init__(self, field: schema.Field) -> None:
        super().__init__(field)
        self.setAccessibleName(self.title)
        _, high = _bounds(field)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._value = 0
        self._buttons = [self._star(place + 1, high or 0) for place in range(high or 0)]
        self.setLayout(row(*self._buttons, 1, spacing=2))
        self.setFocusProxy(self._buttons[0])
        initial = entered_text(field.initial)
        self._show(int(initial) if initial.isdigit() else 0)
        self._initial = initial

    def entered(self) -> schema.Entered:
        return str(self._value) if self._value else ("0" if self._initial == "0" else "")

    def enter(self, entered: schema.Entered) -> None:
        text = entered_text(entered)
        self._choose(min(int(text), len(self._buttons)) if text.isdigit() else 0)

    def takes_key(self, event: QKeyEvent) -> bool:
        digit = event.text()
        if digit.isdigit() and 1 <= int(digit) <= len(self._buttons):
            self._choose(int(digit))
            return True
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1}
        if event.key() in steps:
            value = min(max(self._value + steps[Qt.Key(event.key())], 1), len(self._buttons))
            self._choose(value)
            self._buttons[value - 1].setFocus()
            return True
        return super().takes_key(event)

    def _star(self, value: int, of: int) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"star:{self.field.name}:{value}")
        button.setAccessibleName(self.tr("{count} of {most}").format(count=value, most=of))
        button.setAccessibleDescription(self.title)
        button.setAutoRaise(True)
        button.setIconSize(QSize(_STAR, _STAR))
        button.setCheckable(True)
        button.installEventFilter(self)
        button.clicked.connect(lambda: self._choose(0 if value == self._value else value))
        return button

    def _choose(self, value: int) -> None:
        self._show(value)
        self._initial = ""
        self.changed.emit()

    def _show(self, value: int) -> None:
        self._value = value
        for place, button in enumerate(self._buttons):
            on = place < value
            button.setIcon(symbol("star", "accent", filled=True) if on else symbol("star", "muted"))
            button.setChecked(place + 1 == value)
