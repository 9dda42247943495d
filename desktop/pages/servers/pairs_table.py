"""A table of names and values, such as environment variables.

Values that look like keys are masked; an eye shows what is typed.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QToolButton, QWidget

from bridge.api import HIDDEN, is_secret_name
from desktop.theme.metrics import GRID, SMALL
from desktop.theme.painting import ButtonKind
from desktop.theme.symbols import symbol
from desktop.widgets.controls import make_button, make_line, make_tool_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row

_REFERENCE = "${vault:"


class _PairRow:
    """The widgets of one pair."""

    def __init__(
        self, name: QLineEdit, value: QLineEdit, eye: QToolButton, remove: QToolButton, kept: str
    ) -> None:
        self.name, self.value, self.eye, self.remove = name, value, eye, remove
        self.kept = kept  # a value that is not shown, until another is typed

    @property
    def pair(self) -> tuple[str, str]:
        return self.name.text().strip(), self.value.text().strip() or self.kept

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        return self.name, self.value, self.eye, self.remove


class PairsTable(QWidget):
    changed = Signal()

    def __init__(self, pairs: tuple[tuple[str, str], ...], title: str) -> None:
        """`title`: what the pairs are, for screen readers."""
        super().__init__()
        self.setObjectName("pairs")
        self.setAccessibleName(title)
        self._rows: list[_PairRow] = []
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GRID)
        self._grid.setColumnStretch(0, 2)
        self._grid.setColumnStretch(1, 3)
        for place, text in enumerate((self.tr("Name"), self.tr("Value"))):
            self._grid.addWidget(Label(text, tone=Tone.MUTED, scale=SMALL), 0, place)
        add, text = self._add_and_focus, self.tr("Add a line")
        more = make_button("addPair", text, add, auto_default=False, kind=ButtonKind.QUIET, icon="plus")
        self.setLayout(column(self._grid, row(more, 1), spacing=GRID))
        for name, value in pairs:
            self._add(name, value)
        if not pairs:
            self._add("", "")

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the pairs that have a name or a value."""
        return tuple(one.pair for one in self._rows if any(one.pair))

    def nameless(self) -> QWidget | None:
        """Return the line of a value that has no name; None if there is none."""
        return next((one.name for one in self._rows if any(one.pair) and not one.pair[0]), None)

    def _add_and_focus(self) -> None:
        self._add("", "").name.setFocus()

    def _add(self, name: str, value: str) -> _PairRow:
        number = len(self._rows) + 1
        names, values = self.tr("Name {number}"), self.tr("Value {number}")
        kept = value if value == HIDDEN or value.startswith(_REFERENCE) else ""
        one = _PairRow(
            make_line(f"pairName:{number}", names.format(number=number), name),
            make_line(f"pairValue:{number}", values.format(number=number), "" if kept else value),
            make_tool_button(
                f"show:{number}", "", self.tr("Show the value"), lambda: self._turn(one), icon="eye"
            ),
            make_tool_button(
                f"drop:{number}", "", self.tr("Remove this line"), lambda: self._drop(one), icon="x"
            ),
            kept,
        )
        if kept:
            self._mark_stored(
                one, self.tr("Not shown") if value == HIDDEN else self.tr("Stored in your keychain")
            )
        one.eye.setCheckable(True)
        for place, widget in enumerate(one.widgets):
            self._grid.addWidget(widget, number, place)
        for line in (one.name, one.value):
            line.textChanged.connect(self.changed)
        one.name.textChanged.connect(partial(self._mask, one))
        self._rows.append(one)
        self._mask(one)
        return one

    def _mark_stored(self, one: _PairRow, words: str) -> None:
        one.value.setPlaceholderText(words)
        one.value.addAction(symbol("key-round", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        for button in one.value.findChildren(QToolButton):
            button.setAccessibleName(words)

    def _mask(self, one: _PairRow, _: str = "") -> None:
        """Mask what looks like a key."""
        secret = bool(is_secret_name(one.name.text()) or one.kept)
        one.eye.setVisible(secret)
        hides = secret and not one.eye.isChecked()
        one.value.setEchoMode(QLineEdit.EchoMode.Password if hides else QLineEdit.EchoMode.Normal)

    def _turn(self, one: _PairRow) -> None:
        self._mask(one)

    def _drop(self, one: _PairRow) -> None:
        self._rows.remove(one)
        for widget in one.widgets:
            self._grid.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        if self._rows:
            self._rows[-1].name.setFocus()
        QTimer.singleShot(0, self, self.changed.emit)
