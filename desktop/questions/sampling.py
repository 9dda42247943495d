"""The consent window: a server wants to send this to a model. Return alone never sends it."""

from __future__ import annotations

from functools import partial

from bridge.api import DECLINE, Action, Answer, accept
from desktop.lazy.time_slices import Steps
from desktop.questions.base_window import QuestionWindow, Role
from desktop.widgets.bidi import isolate, strip_isolates
from desktop.widgets.labels import Label, Tone
from desktop.widgets.paged_text import PagedText
from desktop.widgets.safe_text import one_line


class SamplingWindow(QuestionWindow):
    def fill_body(self) -> Steps:
        self.message.hide()  # the same text, in a box that can be read page by page
        self.setAccessibleDescription(strip_isolates(self._request()))
        self.body.addWidget(Label(self._request(), name="request", scale=1.1))
        yield None
        title = self.tr("What would be sent")
        self.body.addWidget(PagedText(self.question.message, name="review", title=title, lines=16), 1)
        self.body.addWidget(Label(self._always(), name="scope", tone=Tone.MUTED))

    def fill_buttons(self) -> None:
        always = partial(self.answer, Answer(Action.ACCEPT, always=True))
        refuse = partial(self.answer, DECLINE)
        self.add_button("send", self.tr("&Send"), Role.AcceptRole, partial(self.answer, accept()))
        button = self.add_button("always", self.tr("A&lways for this server"), Role.AcceptRole, always)
        button.setAccessibleDescription(strip_isolates(self._always()))
        self.add_button("refuse", self.tr("&Refuse"), Role.DestructiveRole, refuse).setFocus()

    def _request(self) -> str:
        server = isolate(one_line(self.question.server, 60))
        review = self.question.review
        model = isolate(one_line(review.model if review else "", 60))
        return self.tr("{server} wants an answer of your model {model}.").format(server=server, model=model)

    def _always(self) -> str:
        """Return the scope of "Always for this server"."""
        words = self.tr("Always: all that {server} asks your models, until you change it in the settings.")
        return words.format(server=isolate(one_line(self.question.server, 60)))
