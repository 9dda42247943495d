"""Windows for the answer to a sampling request: one that a model gave, and one that the person gives."""

from __future__ import annotations

import json
from functools import partial

from PySide6.QtWidgets import QWidget

from bridge.api import DECLINE, SamplingReview, accept, parse_form, schema
from desktop.language import label_text, translated
from desktop.lazy.time_slices import Steps
from desktop.questions.base_window import Role
from desktop.questions.form import FormWindow
from desktop.questions.sampling_consent import AboutModelWindow
from desktop.questions.sampling_view import RequestView
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import Disclosure
from desktop.widgets.labels import Label, Tone
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.tab_order import set_tab_order
from desktop.widgets.text.bidi import isolate, strip_isolates
from desktop.widgets.text.safe_text import one_line, readable
from desktop.widgets.text.text_box import LIMIT, TextBox

_LINES = 16


class CheckAnswerWindow(AboutModelWindow):
    """A model has answered: the person returns the answer, changed or not, or keeps it back."""

    def fill_body(self) -> Steps:
        yield from super().fill_body()
        answer = self.review.answer
        self._box = TextBox(readable(answer), name="answer", lines=_LINES, least=4)
        self._box.setAccessibleName(self.tr("The model's answer"))
        if len(answer) <= LIMIT:  # of a longer one only the beginning is shown
            self._box.setUndoRedoEnabled(True)
            self._box.setReadOnly(False)
        if self.review.answer_kind == "text":
            self._box.setFont(self.font())
        self._shown = self._box.toPlainText()
        self.body.addWidget(self._box, 1)
        self._error = Label("", name="error", tone=Tone.ERROR)
        self.body.addWidget(self._error)
        words = self.tr("Show what was asked")
        self._asked = Disclosure(self.tr("Re&quest"), words, name="showRequest")
        self._asked.toggled.connect(self._show_request)
        self.body.addWidget(self._asked)
        self._scroll: QWidget | None = None  # built when first opened

    def fill_buttons(self) -> None:
        self.add_button(
            "return", self.tr("&Use this answer"), Role.AcceptRole, self._return, ButtonKind.PRIMARY
        )
        refuse = partial(self.answer, DECLINE)
        self.add_button("refuse", self.tr("&Refuse"), Role.ResetRole, refuse, ButtonKind.QUIET)
        self._box.setFocus()

    def typed(self) -> str:
        text = self._box.toPlainText()
        return text if text != self._shown else ""

    def freeze(self) -> None:
        self._box.setReadOnly(True)

    def headline(self) -> str:
        return self.tr("Your model {model} answered {server}. You can change the answer.").format(
            **self.names()
        )

    def _return(self) -> None:
        text = self.typed()
        problem = self._problem(text) if text else ""
        self._error.show_text(problem)
        if problem:
            self.fit()
            self._box.setFocus()
            return
        self.answer(accept({"answer": text} if text else None))

    def _problem(self, text: str) -> str:
        """Return why this cannot be returned; "" if it can."""
        kind = self.review.answer_kind
        if kind == "data":
            try:
                errors = parse_form(self.question.schema).check(text.encode()).errors
            except schema.SchemaError:  # the server's own schema decides, when it is returned
                return ""
            return " ".join(
                f"{name}: {label_text(why)}" if name else label_text(why) for name, why in errors.items()
            )
        try:
            fits = kind == "text" or isinstance(json.loads(text), list)
        except (ValueError, RecursionError):
            fits = False
        return "" if fits else self.tr("This is not a list in JSON.")

    def _show_request(self, on: bool) -> None:
        if self._scroll is None:
            view = RequestView(self.review)
            for _ in view.build():
                pass
            view.freeze()
            self._scroll = FittingScroll(view, name="scroll")
            self.body.addWidget(self._scroll, 1)
            set_tab_order(self._asked, self._scroll, self.buttons.buttons())
        self._scroll.setVisible(on)
        self.fit()


class PersonAnswerWindow(FormWindow):
    """The person answers in place of a model: the request, and below it a box or the form that is wanted."""

    def fill_body(self) -> Steps:
        self.message.hide()  # the request says the same
        server = isolate(one_line(self.question.server, 60))
        words = self.tr("{server} wants to ask a model. You can answer instead.").format(server=server)
        self.setAccessibleDescription(strip_isolates(words))
        self.body.addWidget(Label(words, name="request", bold=True, scale=1.25))
        review = self.question.review or SamplingReview()
        for note in review.notes:
            self.body.addWidget(Label(readable(translated(note)), name="note", tone=Tone.MUTED))
        view = RequestView(review)
        yield from view.build()
        self.body.addWidget(FittingScroll(view, name="asked"), 1)
        yield from super().fill_body()
