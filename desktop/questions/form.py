"""A Question with a form: one row per field, all errors at once, nothing sent before the user says so.

bridge.api.schema decides which values are valid. AnswerPreview shows the answer as it would be sent, secrets
masked; an answer with what looks like a secret needs a second, deliberate click (SecretConfirmation).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bridge.api import Action, Answer, schema
from desktop.language import label_text, translated
from desktop.lazy.time_slices import Steps
from desktop.questions.base_window import QuestionWindow, Role
from desktop.questions.fields import FieldRow, FormFields, read_form
from desktop.widgets.bidi import isolate
from desktop.widgets.controls import Disclosure
from desktop.widgets.dialogs import submit_on_keys
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row
from desktop.widgets.safe_text import format_json, one_line, readable
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.tab_order import set_tab_order
from desktop.widgets.text_box import TextBox


class AnswerPreview(QWidget):
    """The answer as it would be sent. `legend`: text beside the button; `resized`: opened or closed."""

    resized = Signal()

    def __init__(self, legend: str, compose: Callable[[], str]) -> None:
        super().__init__()
        self._compose = compose
        self._text: TextBox | None = None  # built when first opened
        words = self.tr("Show exactly what will be sent")
        self.button = Disclosure(self.tr("Re&view"), words, name="review")
        self.button.toggled.connect(self._toggle)
        label = Label(legend, name="legend", tone=Tone.MUTED, scale=0.92)
        self._column = column(row((label, 1), 0 if legend else 1, self.button))
        self.setLayout(self._column)

    def refresh(self) -> None:
        """Show the answer as it is now."""
        if self.button.isChecked() and self._text is not None:
            self._text.show_text(self._compose())

    def _toggle(self, on: bool) -> None:
        if self._text is None:
            self._text = TextBox("", name="answer", lines=10, least=4)
            self._text.setAccessibleName(self.tr("What will be sent"))
            self._column.addWidget(self._text)
            self.setTabOrder(self.button, self._text)
        self.refresh()
        self._text.setVisible(on)
        self.resized.emit()


class SecretConfirmation(QWidget):
    """Replaces the fields when the answer contains what looks like a secret: who gets it, and all of it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lastLook")
        self._warning = Label("", name="secretWarning", tone=Tone.WARNING, bold=True)
        rule = self.tr("Servers must not ask for passwords, keys or cards in a form. This will be sent:")
        self._text = TextBox("", name="secretAnswer", lines=14)
        self._text.setAccessibleName(self.tr("What will be sent"))
        self.setLayout(column(self._warning, Label(rule, name="secretRule"), self._text, 1))

    def show_answer(self, server: str, fields: str, answer: str) -> None:
        words = self.tr("You are about to give {server} what looks like a secret: {fields}.")
        self._warning.show_text(words.format(server=isolate(server), fields=isolate(fields)))
        self._text.show_text(answer)


class FormWindow(QuestionWindow):
    def fill_body(self) -> Steps:
        self._fields: FormFields | None = None  # None for a form without fields
        self._form: schema.Form | None = None  # None if the schema cannot be shown
        self._confirmation: SecretConfirmation | None = None  # built when first needed
        self._page = QWidget()
        self._page.setObjectName("page")
        self.body.addWidget(self._page, 1)
        try:
            self._form = yield from read_form(self.question.schema)
        except schema.SchemaError as error:
            problem = self.tr("This form cannot be shown, so it cannot be filled in. You can decline it.")
            reason = readable(translated(error.args[0]))
            label = Label(f"{problem}\n{reason}", name="problem", tone=Tone.ERROR)
            self._page.setLayout(column(label, 1))
            return
        self._overall = Label("", name="error", tone=Tone.ERROR)
        if self._form.fields:
            yield from self._add_fields(self._form.fields)
        else:
            self._page.setLayout(column(1, self._overall))

    def fill_buttons(self) -> None:
        if self._form is not None:
            self._send = self.add_button("send", self.tr("&Send"), Role.AcceptRole, self.submit)
            self.default = self._send
            submit_on_keys(self, self._submit_by_key)
        self.add_refusals()
        self._back = self.add_button("back", self.tr("&Back"), Role.ActionRole, self._back_to_fields)
        self._back.hide()
        first: QWidget | None = self._rows()[0].input if self._fields else self.default
        if first is not None:
            first.setFocus()

    def typed(self) -> str:
        """Return the typed values, without secrets: those are never kept."""
        rows = [line for line in self._rows() if line.changed and not line.secret]
        return "\n".join(f"{row.input.title}: {_in_words(row.field, row.input.entered())}" for row in rows)

    def freeze(self) -> None:
        self._back_to_fields()
        if self._fields is not None:
            self._fields.freeze()

    def submit(self) -> None:
        """Send the answer if it is valid; else show the errors."""
        if self.over or not self.settled or self._form is None:
            return
        filled = self._fill(self._form)
        if filled.content is None:
            self._show_errors(filled.errors)
        elif not self._confirming and self._entered_secrets():
            self._ask_to_confirm(self._form.masked(filled.content))
        else:
            self.answer(Answer(Action.ACCEPT, filled.content))

    def _submit_by_key(self) -> None:
        """Submit by Ctrl+Enter, but never confirm a secret with it."""
        if not self._confirming:
            self.submit()

    def _fill(self, form: schema.Form) -> schema.FormResult:
        return form.fill(self._fields.entered() if self._fields else {})

    def _rows(self) -> list[FieldRow]:
        """Return the rows built so far; the user cannot have changed the others."""
        return self._fields.rows if self._fields is not None else []

    def _show_errors(self, errors: Mapping[str, str]) -> None:
        self._back_to_fields()
        self._overall.show_text(label_text(errors.get("", "")))
        first = self._fields.show_errors(errors) if self._fields else None
        self.fit()
        if first is not None:
            self._scroll.ensureWidgetVisible(first)

    # fields

    def _add_fields(self, fields: tuple[schema.Field, ...]) -> Steps:
        legend = self.tr("* required") if any(field.required for field in fields) else ""
        self._review = AnswerPreview(legend, self._preview)
        self._review.resized.connect(self.fit)
        self._fields = FormFields(fields, ours=self.question.ours)
        self._fields.submitted.connect(self.submit)
        self._fields.changed.connect(self._review.refresh)
        self._fields.grew.connect(self._keep_order)
        yield from self._fields.build()
        self._scroll = FittingScroll(self._fields, name="scroll")
        self._page.setLayout(column((self._scroll, 1), self._overall, self._review))

    def _keep_order(self, before: QWidget) -> None:
        """Put rows that are built late ahead of the buttons in tab order."""
        for after in (self._review.button, *self.buttons.buttons()):
            self.setTabOrder(before, after)
            before = after

    def _preview(self) -> str:
        """Return the answer as it would be sent now."""
        if self._form is None:
            return ""
        filled = self._fill(self._form)
        if filled.content is not None:
            return format_json(self._form.masked(filled.content))
        wrong = [row.input.title for row in self._rows() if row.field.name in filled.errors]
        return self.tr("Not complete yet: {fields}").format(fields=", ".join(wrong) or filled.errors[""])

    # secrets

    def _entered_secrets(self) -> list[str]:
        """Return the titles of filled fields that look like secrets."""
        rows = [row for row in self._rows() if row.secret and not self.question.ours]
        filled = [row for row in rows if isinstance(row.field.read(row.input.entered()), schema.Value)]
        return [row.input.title for row in filled]

    @property
    def _confirming(self) -> bool:
        return self._confirmation is not None and not self._confirmation.isHidden()

    def _ask_to_confirm(self, answer: bytes) -> None:
        """Show the answer and wait for a second click. Return alone does not confirm."""
        if self._confirmation is None:
            self._confirmation = SecretConfirmation()
            self.body.addWidget(self._confirmation, 1)
            set_tab_order(self._review.button, self._confirmation, self.buttons.buttons())
        self._confirmation.show_answer(
            one_line(self.question.server), ", ".join(self._entered_secrets()), format_json(answer)
        )
        self._turn(to_confirmation=True)
        self._back.setFocus()

    def _back_to_fields(self) -> None:
        """Show the fields again."""
        if self._confirming:
            self._turn(to_confirmation=False)
            self._rows()[0].input.setFocus()

    def _turn(self, *, to_confirmation: bool) -> None:
        self._page.setVisible(not to_confirmation)
        if self._confirmation is not None:
            self._confirmation.setVisible(to_confirmation)
        self._back.setVisible(to_confirmation)
        self._send.setText(self.tr("Send &anyway") if to_confirmation else self.tr("&Send"))
        self.default = None if to_confirmation else self._send
        self._send.setDefault(not to_confirmation)
        self.fit()


def _in_words(field: schema.Field, entered: schema.Entered) -> str:
    """Return an entered value as text, options by their titles."""
    match entered:
        case str():
            return entered
        case bool():
            return "yes" if entered else "no"
        case int():
            return one_line(field.options[entered].title)
        case tuple():
            texts = (
                item if isinstance(item, str) else one_line(field.options[item].title) for item in entered
            )
            return ", ".join(texts)
        case None:
            return ""
