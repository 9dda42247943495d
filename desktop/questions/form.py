"""A Question with a form: one row per field, all errors at once, nothing sent before the user says so.

Where one press is an answer (yes or no, a few options, nothing to fill in), the answers are the buttons.
bridge.api.schema decides which values are valid. AnswerPreview tells what would be sent, in words, secrets
masked; an answer with what looks like a secret needs a second, deliberate click (SecretConfirmation).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from bridge.api import (
    DECLINE,
    MASK,
    Action,
    Answer,
    AnswerDraft,
    EarlierAnswer,
    History,
    PressAnswer,
    earlier_answers,
    files,
    one_press,
    schema,
)
from desktop.language import label_text, translated
from desktop.lazy.time_slices import SlicedTask, Steps, await_thread
from desktop.questions.base_window import QuestionWindow, Role
from desktop.questions.earlier_bar import MOST, EarlierBar
from desktop.questions.fields import FieldRow, FormFields, read_form
from desktop.questions.option_buttons import OptionButtons
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import Disclosure
from desktop.widgets.dialogs import submit_on_keys
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.tab_order import set_tab_order, tab_stops
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import one_line, readable, title_of
from desktop.widgets.text.text_box import TextBox
from desktop.widgets.text.time_text import format_time

translate = QCoreApplication.translate
_REVIEWED = 3  # fields from which on the answer can be reviewed


class AnswerPreview(QWidget):
    """What would be sent, in words. `legend`: text beside the button; `resized`: opened or closed."""

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
        self._options: OptionButtons | None = None  # None: the form needs more than one press
        self._confirmation: SecretConfirmation | None = None  # built when first needed
        self._page = QWidget()
        self._page.setObjectName("page")
        self.body.addWidget(self._page, 1)
        try:
            self._form = yield from read_form(self.question.schema)
        except schema.SchemaError as error:
            problem = self.tr("This form cannot be shown, so you cannot answer it.")
            reason = readable(translated(error.args[0]))
            label = Label(f"{problem}\n{reason}", name="problem", tone=Tone.ERROR)
            self._page.setLayout(column(label, 1))
            return
        self._overall = Label("", name="error", tone=Tone.ERROR)
        answers = one_press(self._form)
        if answers and self.question.review is None:
            self._add_options(self._form, answers)
        elif self._form.fields:
            yield from self._add_fields(self._form.fields)
        else:
            self._page.setLayout(column(1, self._overall))

    def fill_buttons(self) -> None:
        if self._form is not None and self._options is None:
            self._send = self.add_button(
                "send", self.tr("&Send"), Role.AcceptRole, self.submit, ButtonKind.PRIMARY
            )
            self.default = self._send
            submit_on_keys(self, self._submit_by_key)
        self.add_refusals()
        if self._options is not None and self._refuse is not None:
            self._options.first_focus.setFocus()
            set_tab_order(self._options, self._refuse)
        self._back = self.add_button("back", self.tr("&Back"), Role.ActionRole, self._back_to_fields)
        self._back.hide()
        self._fields_before_buttons()
        first: QWidget | None = self._rows()[0].input if self._fields else self.default
        if first is not None:
            first.setFocus()

    def typed(self) -> str:
        """Return the typed values, without secrets: those are never kept."""
        return self._told(row for row in self._rows() if row.changed and not row.secret)

    def entered_so_far(self) -> dict[str, schema.Entered]:
        kept = [one for one in self._rows() if one.changed and not one.secret and not one.field.encoding]
        return {one.field.name: one.input.entered() for one in kept}

    def offer_earlier(self, history: History, drafts: tuple[AnswerDraft, ...]) -> None:
        if self._form is not None and (self._fields is not None or self._options is not None):
            SlicedTask(self, self._find_earlier(self._form, history, drafts))

    def _find_earlier(self, form: schema.Form, history: History, drafts: tuple[AnswerDraft, ...]) -> Steps:
        known = (self.question.server, self.question.tool)
        names = {field.name for field in form.fields}
        typed = [one for one in drafts if (one.server, one.tool) == known and one.entered.keys() <= names]
        look = partial(earlier_answers, history, self.question, form, MOST)
        found = yield from await_thread(look)
        if self.over:
            return
        if self._options is not None and found:
            self._tell_last(found[0])
        elif found or (typed and typed[-1].entered):
            draft = typed[-1] if typed and typed[-1].entered else None
            bar = EarlierBar(found, draft, self._earlier_words, self._fill_in)
            self._page.layout().insertWidget(0, bar)  # type: ignore[union-attr]
            bar.show()  # Qt would show it in the next turn, and `fit` counts no hidden part
        self.fit()

    def _tell_last(self, last: EarlierAnswer) -> None:
        when = format_time(last.at)
        words = self.tr("Last time: {answer} · {time}").format(answer=self._earlier_words(last), time=when)
        label = Label(words, name="lastTime", tone=Tone.MUTED, scale=0.92)
        self._page.layout().addWidget(label)  # type: ignore[union-attr]
        label.show()

    def _earlier_words(self, answer: EarlierAnswer) -> str:
        fields = {field.name: field for field in self._form.fields} if self._form is not None else {}
        texts = (_in_words(fields[name], entered) for name, entered in answer.entered.items())
        return isolate(one_line(", ".join(filter(None, texts)), 80))

    def _fill_in(self, answer: EarlierAnswer) -> None:
        """Enter an earlier answer; nothing is sent."""
        if self._fields is not None:
            self._fields.build_all()
        for one in self._rows():
            if one.field.name in answer.entered and not one.secret:
                one.input.enter(answer.entered[one.field.name])
        if self.default is not None:
            self.default.setFocus()

    def _told(self, rows: Iterable[FieldRow]) -> str:
        """Return these rows in words; what looks secret is masked."""
        texts = ((row, _in_words(row.field, row.input.entered())) for row in rows)
        return "\n".join(f"{row.input.title}: {MASK if row.secret and text else text}" for row, text in texts)

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
            self._ask_to_confirm()
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

    # one press

    def _add_options(self, form: schema.Form, answers: tuple[PressAnswer, ...]) -> None:
        parts: list[QWidget] = []
        for field in form.fields:
            title = one_line(field.title or title_of(field.name), 200)
            known = self.question.message.casefold()
            if title.casefold() not in known:
                parts.append(Label(title, name=f"title:{field.name}", bold=True))
            if field.help:
                parts.append(Label(readable(field.help[:2000]), name=f"help:{field.name}", tone=Tone.MUTED))
        self._options = OptionButtons(answers, keys=True)
        self._options.pressed.connect(self._press)
        if not form.fields:
            self._options.add_no(partial(self._refuse_settled, DECLINE))
        self._page.setLayout(column(*parts, self._options, spacing=8))

    def _press(self, content: bytes) -> None:
        if self.settled:
            self.answer(Answer(Action.ACCEPT, content))

    def body_guard(self, on: bool) -> None:
        if self._options is not None:
            self._options.setEnabled(on)

    # fields

    def _add_fields(self, fields: tuple[schema.Field, ...]) -> Steps:
        mixed = any(field.required for field in fields) and not all(field.required for field in fields)
        legend = self.tr("* required") if mixed else ""
        self._review = AnswerPreview(legend, self._preview)
        self._review.setVisible(mixed or len(fields) >= _REVIEWED)
        self._review.button.setVisible(len(fields) >= _REVIEWED)
        self._review.resized.connect(self.fit)
        self._fields = FormFields(fields, ours=self.question.ours, starred=mixed)
        self._fields.submitted.connect(self.submit)
        self._fields.changed.connect(self._review.refresh)
        self._fields.changed.connect(self.note_work)
        self._fields.resized.connect(self.fit)
        self._fields.grew.connect(self._keep_order)
        yield from self._fields.build()
        self._scroll = FittingScroll(self._fields, name="scroll")
        self._page.setLayout(column((self._scroll, 1), self._overall, self._review))

    def _fields_before_buttons(self) -> None:
        if stops := tab_stops(self._fields) if self._fields is not None else []:
            self._keep_order(stops[-1])

    def _keep_order(self, before: QWidget) -> None:
        """Put rows that are built late ahead of the buttons in tab order: Tab leads from a field to Send."""
        outs = self._refuse.stops if self._refuse is not None else ()
        buttons = sorted(self.buttons.buttons(), key=lambda button: button is not self.default)
        for after in (*buttons, *outs, self._later, self._review.button):
            self.setTabOrder(before, after)
            before = after

    def _preview(self) -> str:
        """Return in words what would be sent now."""
        if self._form is None:
            return ""
        filled = self._fill(self._form)
        if filled.content is not None:
            rows = [
                row for row in self._rows() if isinstance(row.field.read(row.input.entered()), schema.Value)
            ]
            return self._told(rows) or self.tr("Nothing is filled in.")
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

    def _ask_to_confirm(self) -> None:
        """Show the answer and wait for a second click. Return alone does not confirm."""
        if self._confirmation is None:
            self._confirmation = SecretConfirmation()
            self.body.addWidget(self._confirmation, 1)
            set_tab_order(self._review.button, self._confirmation, self.buttons.buttons())
        self._confirmation.show_answer(
            one_line(self.question.server), ", ".join(self._entered_secrets()), self._preview()
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
    """Return an entered value as text, options by their titles, a file by its size."""
    match entered:
        case str() if field.encoding:
            size = len(files.decode(field.encoding, entered) or b"")
            return translate("form", "a file of {size} kB").format(size=max(1, size // 1000)) if size else ""
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
