"""The consent window: a server wants to send this to a model. Return alone never sends it.

Requests that wait together are a list in its upper part; choosing one shows it in the same place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from bridge.api import DECLINE, Action, Answer, Mode, Question, SamplingReview, accept
from desktop.language import translated
from desktop.lazy.time_slices import Steps
from desktop.questions.base_window import QuestionWindow, Role
from desktop.questions.sampling_view import RequestView, about_model
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button, make_check
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, row
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.text.bidi import isolate, strip_isolates
from desktop.widgets.text.safe_text import one_line, readable

_ROWS = 4  # waiting requests that are seen at once


class WaitingList(QWidget):
    """The requests that wait, if there are several: opens one of them, or refuses them all."""

    def __init__(self, window: QuestionWindow) -> None:
        super().__init__()
        self._window = window
        self._title = Label("", name="waitingTitle", bold=True)
        self._list = QListWidget()
        self._list.setObjectName("waitingRequests")
        self._list.setAccessibleName(self.tr("Waiting requests"))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.currentItemChanged.connect(self._choose)
        refuse = make_button("refuseAll", self.tr("Re&fuse all"), self._refuse_all, auto_default=False)
        self.setLayout(column(row((self._title, 1), refuse), self._list, spacing=4))
        self.hide()

    def draw(self, questions: Sequence[Question]) -> None:
        """List these Questions, and select the one that the window shows."""
        ids = [question.id for question in questions]
        if self._window.question.id not in ids:  # answered; the window is about to close
            return
        if ids != self._ids():
            with QSignalBlocker(self._list):
                self._list.clear()
                for question in questions:
                    item = QListWidgetItem(self._line(question), self._list)
                    item.setData(Qt.ItemDataRole.UserRole, question.id)
            rows = min(len(ids), _ROWS) * self._list.sizeHintForRow(0)
            self._list.setFixedHeight(rows + 2 * self._list.frameWidth())
            self._title.show_text(self.tr("{count} requests are waiting for you").format(count=len(ids)))
        with QSignalBlocker(self._list):
            self._list.setCurrentRow(ids.index(self._window.question.id))
        self.setVisible(len(ids) > 1)

    @property
    def has_keyboard(self) -> bool:
        return self._list.hasFocus()

    def take_keyboard(self) -> None:
        self._list.setFocus()

    def _ids(self) -> list[str]:
        items = (self._list.item(place) for place in range(self._list.count()))
        return [str(item.data(Qt.ItemDataRole.UserRole)) for item in items]

    def _line(self, question: Question) -> str:
        review = question.review or SamplingReview()
        last = review.answer or (review.messages[0].text if review.messages else "")
        verb = self.tr("answer: {words}") if review.answer_kind else "{words}"
        return f"{one_line(question.server, 40)} – {verb.format(words=one_line(last, 120))}"

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._window.open_wanted.emit(str(item.data(Qt.ItemDataRole.UserRole)))

    def _refuse_all(self) -> None:
        own = self._window.question.id
        for question_id in self._ids():
            if question_id != own:
                self._window.end_wanted.emit(question_id, DECLINE)
        self._window.answer(DECLINE)


class _Place(NamedTuple):
    at: QPoint
    in_list: bool  # the list has the keyboard


class AboutModelWindow(QuestionWindow):
    """Base class of windows on what goes to a model or comes from it."""

    @property
    def review(self) -> SamplingReview:
        return self.question.review or SamplingReview()

    def fill_body(self) -> Steps:
        self.message.hide()  # the message is for terminals: this window shows its parts
        self._waiting = WaitingList(self)
        self.body.addWidget(self._waiting)
        words = self.headline()
        self.setAccessibleDescription(strip_isolates(words))
        self.body.addWidget(Label(words, name="request", bold=True, scale=1.25))
        self.body.addWidget(Label(about_model(self.review), name="aboutModel", tone=Tone.MUTED))
        for note in self.review.notes:
            self.body.addWidget(Label(readable(translated(note)), name="note", tone=Tone.WARNING))
        yield None

    def headline(self) -> str:
        raise NotImplementedError

    def show_others(self, waiting: Sequence[Question]) -> None:
        before = self._waiting.isVisible()
        self._waiting.draw([one for one in waiting if one.mode is Mode.SAMPLING])
        if self._waiting.isVisible() != before:
            self.fit()

    def place(self) -> object:
        return _Place(self.pos(), self._waiting.has_keyboard)

    def take_place(self, place: object) -> None:
        if isinstance(place, _Place):
            self.move(place.at)
            if place.in_list:
                self._waiting.take_keyboard()

    def names(self) -> dict[str, str]:
        """Return the names of server and model, for sentences."""
        server, model = one_line(self.question.server, 60), one_line(self.review.model, 60)
        return {"server": isolate(server), "model": isolate(model)}


class SamplingWindow(AboutModelWindow):
    def fill_body(self) -> Steps:
        yield from super().fill_body()
        self._view = RequestView(self.review)
        yield from self._view.build()
        self.body.addWidget(FittingScroll(self._view, name="scroll"), 1)
        words = self.tr("Show me the answer &before {server} gets it").format(**self.names())
        self._check = make_check("checkAnswer", strip_isolates(words))
        self._check.setVisible(self.review.editable)
        self.body.addWidget(self._check)
        self.body.addWidget(Label(self._always(), name="scope", tone=Tone.MUTED))

    def fill_buttons(self) -> None:
        send = partial(self._send, always=False)
        self.add_button("send", self.tr("&Send"), Role.AcceptRole, send, ButtonKind.PRIMARY)
        always = partial(self._send, always=True)
        button = self.add_button("always", self.tr("A&lways for this server"), Role.ActionRole, always)
        button.setAccessibleDescription(strip_isolates(self._always()))
        self._edit = self.add_button("edit", self.tr("&Edit"), Role.ActionRole, self._start_editing)
        self._edit.setVisible(self.review.editable)
        refuse = partial(self.answer, DECLINE)
        self.add_button("refuse", self.tr("&Refuse"), Role.ResetRole, refuse, ButtonKind.QUIET).setFocus()

    def typed(self) -> str:
        changes = self._view.changes()
        texts = changes.pop("texts", {})
        return "\n\n".join(str(one) for one in (*changes.values(), *dict(texts).values()))  # type: ignore[call-overload]

    def freeze(self) -> None:
        self._view.freeze()

    def headline(self) -> str:
        return self.tr("{server} wants an answer from your model {model}.").format(**self.names())

    def _start_editing(self) -> None:
        self._view.edit()
        self._edit.setEnabled(False)
        self.fit()

    def _send(self, always: bool) -> None:
        content = accept(self._view.changes() or None).content
        self.answer(Answer(Action.ACCEPT, content, always, self._check.isChecked()))

    def _always(self) -> str:
        """Return the scope of "Always for this server"."""
        words = self.tr(
            "Always: whatever {server} asks is sent to your models without asking you, until you "
            "change it under Models."
        )
        return words.format(**self.names())
