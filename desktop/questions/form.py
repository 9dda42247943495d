"""A Question with a form: one row per field, all errors at once, sent when the person says so, never before.

The widgets only show; which values are right, blank or wrong is bridge.api.schema's to say.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bridge.api import Action, Answer, parse_form, schema
from desktop.questions.window import QuestionWindow, Role
from desktop.widgets.inputs import make_input
from desktop.widgets.labels import Label, Tone
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.text import one_line, readable, unmnemonic


class FieldRow(QWidget):
    """Title, input, help and, when something is wrong, the error."""

    def __init__(self, field: schema.Field) -> None:
        super().__init__()
        self.field = field
        self.setObjectName(f"row:{field.name}")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.input = make_input(field)
        self.entered_at_first = self.input.entered()
        self._error: Label | None = None
        self._help = "\n".join(filter(None, (readable(field.help), readable(field.note))))
        self._add_title()
        self._column.addWidget(self.input)
        if self._help:
            self._column.addWidget(Label(self._help, name=f"help:{field.name}", tone=Tone.MUTED, scale=0.92))
        if schema.looks_secret(field):
            self._add_warning()
        self._describe("")
        self.input.changed.connect(lambda: self.blame(""))

    def blame(self, reason: str) -> None:
        """Show what is wrong with this field; "" when nothing is."""
        if self._error is None:
            if not reason:
                return
            self._error = Label("", name=f"error:{self.field.name}", tone=Tone.ERROR)
            self._column.insertWidget(2, self._error)
        self._error.say(reason)
        self._describe(reason)

    def _add_title(self) -> None:
        title = Label(unmnemonic(self.input.title), name=f"title:{self.field.name}", bold=True)
        if self.field.required:
            title.say(f"{unmnemonic(self.input.title)} *")
        title.setAccessibleName(self.input.title)
        title.setBuddy(self.input.named)
        self._column.addWidget(title)

    def _add_warning(self) -> None:
        text = self.tr(
            "This looks like a secret. Servers should not ask for passwords or keys in a form: "
            "fill it in only if you are sure."
        )
        self._column.addWidget(Label(text, name=f"secret:{self.field.name}", tone=Tone.WARNING, bold=True))
        self._help = "\n".join(filter(None, (self._help, text)))

    def _describe(self, reason: str) -> None:
        needed = self.tr("Required") if self.field.required else ""
        self.input.describe("\n".join(filter(None, (reason, needed, self._help))))


class FormWindow(QuestionWindow):
    def fill_body(self) -> None:
        self._rows: list[FieldRow] = []
        self._form: schema.Form | None = None  # None: it cannot be shown
        try:
            self._form = parse_form(self.question.schema)
        except schema.SchemaError as error:
            self._apologise(str(error))
            return
        if self._form.fields:
            self._add_fields(self._form.fields)
        else:
            self.body.addStretch(1)

    def fill_buttons(self) -> None:
        if self._form is not None:
            self.default = self.add_button("send", self.tr("&Send"), Role.AcceptRole)
            self.default.clicked.connect(self.submit)
            for keys in ("Ctrl+Return", "Ctrl+Enter"):
                QShortcut(QKeySequence(keys), self, self.submit)
        self.add_refusals()
        first: QWidget | None = self._rows[0].input if self._rows else self.default
        if first is not None:
            first.setFocus()

    def typed(self) -> str:
        changed = [row for row in self._rows if row.input.entered() != row.entered_at_first]
        return "\n".join(f"{row.input.title}: {_in_words(row.field, row.input.entered())}" for row in changed)

    def freeze(self) -> None:
        for row in self._rows:
            row.input.freeze()

    def submit(self) -> None:
        """Send, if everything is right; else show what is not."""
        if self.over or self._form is None:
            return
        filled = self._form.fill({row.field.name: row.input.entered() for row in self._rows})
        if filled.content is not None:
            self.answer(Answer(Action.ACCEPT, filled.content))
            return
        for row in self._rows:
            row.blame(filled.errors.get(row.field.name, ""))
        first = next(row for row in self._rows if row.field.name in filled.errors)
        first.input.setFocus(Qt.FocusReason.OtherFocusReason)
        self._scroll.ensureWidgetVisible(first)

    def _add_fields(self, fields: tuple[schema.Field, ...]) -> None:
        content = QWidget()
        content.setObjectName("fields")
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(14)
        for field in fields:
            row = FieldRow(field)
            row.input.submitted.connect(self.submit)
            self._rows.append(row)
            column.addWidget(row)
        column.addStretch(1)
        self._scroll = FittingScroll(content, name="scroll")
        self.body.addWidget(self._scroll, 1)
        if any(field.required for field in fields):
            legend = self.tr("* must be filled in")
            self.body.addWidget(Label(legend, name="legend", tone=Tone.MUTED, scale=0.92))

    def _apologise(self, reason: str) -> None:
        sorry = self.tr("This form cannot be shown, so it cannot be filled in. You can decline it.")
        self.body.addWidget(Label(f"{sorry}\n{readable(reason)}", name="problem", tone=Tone.ERROR))
        self.body.addStretch(1)


def _in_words(field: schema.Field, entered: schema.Entered) -> str:
    """What was entered, by the titles the person saw."""
    match entered:
        case str():
            return entered
        case bool():
            return "yes" if entered else "no"
        case int():
            return one_line(field.options[entered].title)
        case tuple():
            texts = (one if isinstance(one, str) else one_line(field.options[one].title) for one in entered)
            return ", ".join(texts)
        case None:
            return ""
