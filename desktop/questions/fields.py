"""The fields of a form, one row each, for question windows and the window that tries a tool.

bridge.api.schema decides which values are valid.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from concurrent.futures import Future
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QWidget

from bridge.api import parse_form, schema
from desktop.language import translated
from desktop.lazy.time_slices import SlicedTask, Steps, await_thread
from desktop.widgets.inputs.factory import make_input
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import CachedColumn
from desktop.widgets.tab_order import tab_stops
from desktop.widgets.text.safe_text import escape_mnemonic, readable

_HELP = 2_000  # characters
_GAP = 16  # pixels
_CHOICES = (schema.Kind.BOOLEAN, schema.Kind.CHOICE, schema.Kind.MULTI)
LATER = 50  # milliseconds after the window opened: then the other rows are built
_LONG = 4_000  # bytes of a schema; parsing a longer one takes milliseconds


def read_form(requested: bytes) -> Generator[Future[schema.Form], None, schema.Form]:
    """Parse a schema, a long one in a thread, as a step of a SlicedTask. Raises SchemaError."""
    if len(requested) < _LONG:
        return parse_form(requested)
    form: schema.Form = yield from await_thread(partial(parse_form, requested))
    return form


class FieldRow(QWidget):
    """Title, input, help text and error."""

    def __init__(self, field: schema.Field, *, ours: bool = False, starred: bool = True) -> None:
        """`starred`: a required field is marked."""
        super().__init__()
        self.field = field
        self._starred = starred and field.required
        self.secret = schema.looks_secret(field)
        self.setObjectName(f"row:{field.name}")
        self._column = CachedColumn(self, spacing=4)
        self.input = make_input(field)
        self.entered_at_first = self.input.entered()
        self._error: Label | None = None
        helps = (field.help, translated(field.limits), translated(field.note))
        self._help = "\n".join(readable(part[:_HELP]) for part in helps if part)
        self._add_title()
        if self._help and field.kind in _CHOICES:  # read before the choice is made
            self._add_help()
        self._column.addWidget(self.input)
        if self._help and field.kind not in _CHOICES:
            self._add_help()
        if self.secret and not ours:
            self._add_warning()
        self._describe("")
        self.input.changed.connect(lambda: self.show_error(""))

    @property
    def changed(self) -> bool:
        return self.input.entered() != self.entered_at_first

    def show_error(self, reason: str) -> None:
        """Show an error below the input; "" removes it."""
        if self._error is None:
            if not reason:
                return
            self._error = Label("", name=f"error:{self.field.name}", tone=Tone.ERROR)
            self._column.insertWidget(self._column.indexOf(self.input) + 1, self._error)
        reason = self.input.explain(reason)
        self._error.show_text(readable(reason))
        self._describe(reason)

    def _add_title(self) -> None:
        title = Label(escape_mnemonic(self.input.title), name=f"title:{self.field.name}", bold=True)
        if self._starred:
            title.show_text(f"{escape_mnemonic(self.input.title)} *")
        title.setAccessibleName(self.input.title)
        title.setBuddy(self.input.label_target)
        self._column.addWidget(title)

    def _add_help(self) -> None:
        name = f"help:{self.field.name}"
        self._column.addWidget(Label(self._help, name=name, tone=Tone.MUTED, scale=0.92))

    def _add_warning(self) -> None:
        text = self.tr("This looks like a password or key. Servers should not ask for it in a form.")
        self._column.addWidget(Label(text, name=f"secret:{self.field.name}", tone=Tone.WARNING))
        self._help = "\n".join(filter(None, (self._help, text)))

    def _describe(self, reason: str) -> None:
        needed = self.tr("Required") if self.field.required else ""
        self.input.describe("\n".join(filter(None, (reason, needed, self._help))))


class FormFields(QWidget):
    """All rows of a form. `build` makes a screenful of them; the others are built in slices once it is shown.

    `grew`: the given widget is the last tab stop now.
    """

    submitted = Signal()
    changed = Signal()
    resized = Signal()
    grew = Signal(QWidget)

    def __init__(self, fields: tuple[schema.Field, ...], *, ours: bool = False, starred: bool = True) -> None:
        super().__init__()
        self._starred = starred
        self.setObjectName("fields")
        self.rows: list[FieldRow] = []
        self._ours = ours
        self._unbuilt = list(reversed(fields))
        self._slices = SlicedTask(self)
        self._column = CachedColumn(self, spacing=_GAP)
        self._column.setContentsMargins(0, 2, 0, 2)
        self._column.addStretch(1)

    def build(self) -> Steps:
        """Build as many rows as the tallest screen can show."""
        left = max(screen.availableSize().height() for screen in QGuiApplication.screens())
        while self._unbuilt and left > 0:
            left -= self._add_row().sizeHint().height() + _GAP
            yield None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._unbuilt and not self._slices.running:
            QTimer.singleShot(LATER, self, lambda: self._slices.start(self._build_rest()))

    def entered(self) -> dict[str, schema.Entered]:
        self.build_all()
        return {row.field.name: row.input.entered() for row in self.rows}

    def show_errors(self, errors: Mapping[str, str]) -> FieldRow | None:
        """Show the errors by field name, focus the first wrong field and return its row."""
        for row in self.rows:
            row.show_error(translated(errors.get(row.field.name, "")))
        first = next((row for row in self.rows if row.field.name in errors), None)
        if first is not None:
            first.input.setFocus(Qt.FocusReason.OtherFocusReason)
        return first

    def freeze(self) -> None:
        for row in self.rows:
            row.input.freeze()

    def build_all(self) -> None:
        while self._unbuilt:
            self._add_row()

    def _build_rest(self) -> Steps:
        while self._unbuilt:
            self.grew.emit(tab_stops(self._add_row())[-1])
            yield None

    def _add_row(self) -> FieldRow:
        row = FieldRow(self._unbuilt.pop(), ours=self._ours, starred=self._starred)
        row.input.submitted.connect(self.submitted)
        row.input.changed.connect(self.changed)
        row.input.resized.connect(self.resized)
        self._column.insert_row(len(self.rows), row)
        self.rows.append(row)
        return row
