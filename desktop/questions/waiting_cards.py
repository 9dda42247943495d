"""Waiting Questions as cards: who asks, what, and its answers as buttons where one press is enough.

Used by Home and by the Questions page. A card keeps its place, focus and buttons until its Question goes.
"""

from __future__ import annotations

import time
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from bridge.api import CANCEL, DECLINE, Action, Answer, Mode, Question, app_of, one_press, schema
from desktop.language import translated
from desktop.lazy.time_slices import SlicedTask, Steps
from desktop.questions.asker import asker_line, avatar_of
from desktop.questions.fields import read_form
from desktop.theme.metrics import GRID, HEADING, SMALL
from desktop.theme.painting import ButtonKind, set_kind
from desktop.widgets.card import MARGINS, Card
from desktop.widgets.chip import Chip
from desktop.widgets.controls import make_button, make_tool_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import column, discard, row
from desktop.widgets.text.bidi import isolate, strip_isolates
from desktop.widgets.text.safe_text import one_line, strip_markdown
from desktop.widgets.text.time_text import format_duration

_READ = 1_000  # characters of a message that are read
_SHOWN, _SHORT = 220, 80
_LAST_MINUTE = 60.0  # seconds; only then time matters
_AVATAR = 36
_TOP, _MIDDLE = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignVCenter


class WaitingCards(QWidget):
    """`most`: cards at once; the others are counted. `answered`: by one press, or not at all."""

    open_wanted = Signal(str)  # Question id
    answered = Signal(str, object)  # Question id, Answer
    grew = Signal()

    def __init__(self, most: int = 50) -> None:
        super().__init__()
        self.setObjectName("waiting")
        self.setAccessibleName(self.tr("Waiting questions"))
        self._most = most
        self._cards: dict[str, QuestionCard] = {}
        self._column = column(spacing=GRID)
        self.setLayout(self._column)
        self._clock = QTimer(self, interval=1000)
        self._clock.timeout.connect(self._tick)

    def draw(self, waiting: tuple[Question, ...], *, paused: bool = False) -> None:
        shown = {question.id: question for question in waiting[: self._most]}
        changed = shown.keys() != self._cards.keys()
        for question_id in self._cards.keys() - shown.keys():
            discard(self._cards.pop(question_id))
        for place, (question_id, question) in enumerate(shown.items()):
            if question_id not in self._cards:
                self._cards[question_id] = self._make(question)
                self._column.insertWidget(place, self._cards[question_id])
            self._cards[question_id].draw(question, paused=paused)
        self.setVisible(bool(shown))
        if changed:
            self.grew.emit()

    def _make(self, question: Question) -> QuestionCard:
        card = QuestionCard(question)
        card.clicked.connect(partial(self.open_wanted.emit, question.id))
        card.answered.connect(self.answered)
        card.grew.connect(self.grew)
        return card

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._clock.stop()

    def _tick(self) -> None:
        for card in self._cards.values():
            card.tick()


class QuestionCard(Card):
    answered = Signal(str, object)  # Question id, Answer
    grew = Signal()

    def __init__(self, question: Question) -> None:
        super().__init__(f"card:{question.id}", clickable=True)
        self._question = question
        self._paused = False
        message = self._message(question)
        by_line = self.tr("Needs your approval") if question.mode is Mode.CONFIRM else asker_line(question)
        title = Label(message, name="message", bold=True, scale=HEADING if len(message) < _SHORT else 1.0)
        self.setAccessibleName(strip_isolates(f"{by_line}: {message}"))
        self._left = Chip("", Tone.WARNING, name="timeLeft")
        self._left.hide()
        spoken = self.tr("Open: {question}").format(question=strip_isolates(message))
        self._open = make_button("open", self.tr("Open"), self.clicked.emit, spoken=spoken)
        by = Label(by_line, name="byLine", tone=Tone.MUTED, scale=SMALL)
        words = column(row((by, 1), self._left, spacing=GRID), title, spacing=4)
        avatar = avatar_of(question, _AVATAR)
        self._actions = row(spacing=GRID)
        head = row(
            (avatar, 0, _TOP), (words, 1), (self._open, 0, _MIDDLE), (self._ways_out(message), 0, _MIDDLE)
        )
        head.setSpacing(12)
        self.setLayout(column(head, self._actions, margins=MARGINS, spacing=GRID))
        self._building = SlicedTask(self)
        if question.mode is Mode.FORM and not question.consent:
            self._building.start(self._offer_answers())

    def _ways_out(self, message: str) -> QToolButton:
        """Return the button for not answering."""
        spoken = self.tr("Don't answer: {question}").format(question=strip_isolates(message))
        button = make_tool_button("waysOut", "", spoken, lambda: None, icon="ellipsis")
        menu = QMenu(button)
        for name, text, answer in (
            ("decline", self.tr("Decline"), DECLINE),
            ("cancel", self.tr("Don't answer"), CANCEL),
        ):
            act = partial(self.answered.emit, self._question.id, answer)
            menu.addAction(text, act).setObjectName(name)
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    def _message(self, question: Question) -> str:
        if question.mode is not Mode.CONFIRM:
            return one_line(strip_markdown(translated(question.message)[:_READ]), _SHOWN)
        self.set_stripe("warning")
        app, tool = app_of(question.host).name, question.tool_title or question.tool
        names = {"app": app, "tool": tool, "server": question.server}
        text = self.tr("{app} wants to use “{tool}” of {server}")
        return text.format(**{name: isolate(one_line(value, 60)) for name, value in names.items()})

    def draw(self, question: Question, *, paused: bool) -> None:
        self._question, self._paused = question, paused
        self.tick()

    def tick(self) -> None:
        left = self._question.deadline - time.time() if self._question.deadline else _LAST_MINUTE
        soon = not self._paused and left < _LAST_MINUTE
        if soon:
            self._left.show_state(
                self.tr("{time} left").format(time=format_duration(max(left, 0))), Tone.WARNING
            )
        self._left.setVisible(soon)

    def _offer_answers(self) -> Steps:
        """Add a button for each answer of a form that one press answers."""
        try:
            form = yield from read_form(self._question.schema)
        except schema.SchemaError:
            return
        answers = one_press(form)
        words = {"yes": self.tr("Yes"), "no": self.tr("No"), "skip": self.tr("Skip")}
        for place, answer in enumerate(answers):
            text = words.get(answer.word) or one_line(answer.title, 40)
            act = partial(self._answer, answer.content)
            kind = ButtonKind.QUIET if answer.word == "skip" else ButtonKind.PLAIN
            button = make_button(f"answer:{place}", text.replace("&", "&&"), act, kind=kind)
            self._actions.addWidget(button)
        if len(answers) == 1:  # the form itself has no No
            refuse = partial(self.answered.emit, self._question.id, DECLINE)
            self._actions.addWidget(make_button("answer:no", words["no"], refuse))
        if answers:
            self._actions.insertSpacing(0, _AVATAR + 12)
            self._actions.addStretch(1)
            set_kind(self._open, ButtonKind.QUIET)
            self.grew.emit()
        yield None

    def _answer(self, content: bytes) -> None:
        self.answered.emit(self._question.id, Answer(Action.ACCEPT, content))
