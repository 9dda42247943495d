"""The card in a corner of the screen: a new question, above all windows, that never takes the keyboard.

It answers what one press answers; Open shows the window, Later puts the question back. It also says what was
missed, and lets a refusal be undone. It is no window of the task bar; the question's own window is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPainterPath, QPaintEvent, QRegion, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from bridge.api import (
    DECLINE,
    Action,
    Answer,
    Flood,
    HeldBack,
    Mode,
    PressAnswer,
    Question,
    accept,
    check_url,
    one_press,
    parse_form,
    schema,
)
from desktop.language import translated
from desktop.questions.asker import app_name, asker, asker_line, avatar_of
from desktop.questions.byline import first_time_chip, tool_name
from desktop.questions.confirm import is_dangerous
from desktop.questions.option_buttons import OptionButtons
from desktop.questions.readable_data import describe_json
from desktop.system.window_placement import pointer_screen
from desktop.system.x11 import is_composited, leave_out_of_task_bar
from desktop.theme.colours import current
from desktop.theme.metrics import CARD_RADIUS, GRID, SMALL
from desktop.theme.painting import ButtonKind, rounded
from desktop.widgets.card import Separator
from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label, Tone, announce
from desktop.widgets.layouts import Part, column, discard, row, widget_with
from desktop.widgets.text.bidi import isolate, strip_isolates
from desktop.widgets.text.safe_text import one_line, readable, strip_markdown

WIDTH = 400
_EDGE = 2 * GRID  # from the edges of the screen
_MESSAGE = 280  # characters
_MESSAGE_LINES = 8
_LONGEST = 2_000  # characters of a message that are read for the card
_LINES = 3  # arguments of an approval that fit
_GUARD = 600  # milliseconds without answers, against a click meant for something else
_HOUR = 3600.0
_STRIPE = 4  # pixels, at the side where lines begin
_SCHEMA = 4_000  # bytes; a longer form is not for a card


@dataclass(frozen=True, slots=True)
class PopupCardContent:
    """What the card shows. `more`: other Questions that wait."""

    question: Question | None = None
    more: int = 0
    undo: HeldBack | None = None
    missed: tuple[Question, ...] = ()
    flood: Flood | None = None

    @property
    def is_empty(self) -> bool:
        return self == PopupCardContent(more=self.more)


class PopupCard(QWidget):
    answered = Signal(str, object)  # Question id, Answer
    refused = Signal(str, object)  # Question id, Answer; it can be undone
    open_wanted = Signal(str)  # Question id
    later_wanted = Signal(str)  # Question id
    next_wanted = Signal(str)  # the Question that is shown
    undo_wanted = Signal(str)  # Question id
    missed_wanted = Signal()  # to see what was missed
    missed_seen = Signal()
    mute_wanted = Signal(str, float)  # server, seconds
    ask_anyway_wanted = Signal(str)  # server

    def __init__(self) -> None:
        flags = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint
        stays = Qt.WindowType.WindowStaysOnTopHint | Qt.WindowType.WindowDoesNotAcceptFocus
        super().__init__(None, flags | stays)
        self.setObjectName("questionCard")
        self.setWindowTitle(self.tr("Deskbell: new question"))
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAttribute(Qt.WidgetAttribute.WA_X11NetWmWindowTypeNotification)
        self.setFixedWidth(WIDTH)
        self.shown = PopupCardContent()
        self._is_cut = False  # no compositor runs
        self._parts: QWidget | None = None
        self._answers: QWidget | None = None
        self._can_say_yes = False  # there is a button that accepts
        self._guard = QTimer(self, singleShot=True, interval=_GUARD)
        self._guard.timeout.connect(self._settle)
        margins = (2 * GRID, GRID + 4, 2 * GRID, GRID + 4)
        self._column = column(margins=margins)
        self.setLayout(self._column)

    def draw(self, content: PopupCardContent) -> None:
        """Show this; nothing at all hides the card."""
        if content == self.shown and (self.isVisible() or content.is_empty):
            return
        fresh = content.question is not None and content.question != self.shown.question
        self.shown = content
        if self._parts is not None:
            discard(self._parts)
            self._parts = None
        if content.is_empty:
            self.hide()
            return
        self._parts = self._build(content)
        self._column.addWidget(self._parts)
        self._parts.show()  # Qt would show them in the next turn, and count no hidden part until then
        if fresh:
            self._wait()
        self._place()
        self.show()
        self.raise_()
        self._announce(content)

    def build_ahead(self, content: PopupCardContent) -> None:
        """Build what `draw` would show, and show nothing."""
        self._parts = self._build(content)
        self._column.addWidget(self._parts)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        leave_out_of_task_bar(int(self.winId()))
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the corners off where they would be black."""
        super().resizeEvent(event)
        self._is_cut = not is_composited()
        if self._is_cut:
            path = QPainterPath()
            path.addRoundedRect(QRectF(self.rect()), CARD_RADIUS - 1, CARD_RADIUS - 1)
            self.setMask(QRegion(path.toFillPolygon().toPolygon()))
        else:
            self.clearMask()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._guard.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        use = current()
        painter = QPainter(self)
        if self._is_cut:
            painter.fillRect(self.rect(), use.border)  # what is left of the corners
        rounded(painter, QRectF(self.rect()), CARD_RADIUS, use.surface, use.border)
        if self.shown.question is not None and self.shown.question.mode is Mode.CONFIRM:
            role = use.error if is_dangerous(self.shown.question) else use.accent
            left = self.width() - 1 - _STRIPE if self.isRightToLeft() else 1
            rounded(
                painter, QRectF(left, CARD_RADIUS, _STRIPE, self.height() - 2 * CARD_RADIUS), 2, role, None
            )

    @property
    def settled(self) -> bool:
        return not self._guard.isActive()

    # parts

    def _build(self, content: PopupCardContent) -> QWidget:
        parts: list[QWidget] = []
        if content.missed:
            parts.append(self._missed_part(content.missed))
        if content.question is not None:
            parts.append(self._question_part(content.question, content.more))
        if content.flood is not None:
            parts.append(self._flood_part(content.flood))
        if content.undo is not None:
            parts.append(self._undo_part(content.undo))
        split = [part for one in parts for part in (Separator(), one)][1:]
        whole = widget_with(column(*split, spacing=GRID))
        for button in whole.findChildren(QPushButton):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the card never has the keyboard
        return whole

    def _question_part(self, question: Question, more: int) -> QWidget:
        who = Label(self._who(question), name="who", tone=Tone.MUTED, scale=SMALL)
        head: list[Part] = [avatar_of(question, 24), (who, 1)]
        head += [first_time_chip()] if question.first else []
        if more:
            words = self.tr("{count} more ▸").format(count=more)
            show_next = partial(self.next_wanted.emit, question.id)
            head.append(self._quiet("next", words, show_next, self.tr("Show the next question")))
        headline, _, rest = self._message(question).partition("\n")
        message = Label(headline, name="message", bold=True, scale=1.1)
        self._answers = self._answer_part(question)
        later = self._quiet("later", self.tr("Later"), partial(self.later_wanted.emit, question.id))
        later.setToolTip(self.tr("Put this question back; it keeps waiting"))
        open_ = make_button(
            "open", self.tr("Open"), partial(self.open_wanted.emit, question.id), auto_default=False,
            kind=ButtonKind.PLAIN if self._can_say_yes else ButtonKind.PRIMARY,
        )  # fmt: skip
        body: list[Part] = [row(*head, spacing=GRID), message]
        body += [Label(rest, name="messageRest")] if rest else []
        if question.mode is Mode.CONFIRM and is_dangerous(question):
            body.append(
                Label(self.tr("This can delete or overwrite things."), name="danger", tone=Tone.ERROR)
            )
        body += [self._answers] if self._answers is not None else []
        return widget_with(column(*body, row(later, 1, open_, spacing=GRID), spacing=GRID))

    def _answer_part(self, question: Question) -> QWidget | None:
        """Return the buttons that answer at once; None if it takes more than a press."""
        self._can_say_yes = True
        if question.mode is Mode.CONFIRM:
            return self._approval(question)
        answers = press_answers(question) if shown_message(question)[1] else ()
        if not answers:  # or the message is cut: no answer to what nobody can have read
            self._can_say_yes = False
            return None
        buttons = OptionButtons(answers)
        buttons.pressed.connect(lambda content: self._answer(question, Answer(Action.ACCEPT, content)))
        if len(answers) == 1:
            buttons.add_no(partial(self._refuse, question))
        return buttons

    def _approval(self, question: Question) -> QWidget | None:
        """Return Don't allow and Allow once, if all of the call is on the card and it destroys nothing."""
        deny = make_button(
            "deny", self.tr("Don't allow"), partial(self._refuse, question), auto_default=False
        )
        if is_dangerous(question) or question.change or len(arguments_line(question)) > _MESSAGE:
            self._can_say_yes = False
            return widget_with(row(deny, 1))
        allow = make_button(
            "allow", self.tr("Allow once"), lambda: self._answer(question, accept()), auto_default=False,
            kind=ButtonKind.PRIMARY,
        )  # fmt: skip
        shown = Label(arguments_line(question), name="arguments", tone=Tone.MUTED)
        return widget_with(column(shown, row(deny, allow, 1, spacing=GRID), spacing=GRID))

    def _flood_part(self, flood: Flood) -> QWidget:
        words = self.tr("{server} is asking a lot ({count} waiting).")
        words = words.format(server=isolate(one_line(flood.server, 40)), count=flood.waiting)
        mute = make_button(
            "mute", self.tr("Mute for an hour"), lambda: self.mute_wanted.emit(flood.server, _HOUR),
            auto_default=False,
        )  # fmt: skip
        ask = self._quiet(
            "spare", self.tr("Ask me anyway"), partial(self.ask_anyway_wanted.emit, flood.server)
        )
        title = Label(words, name="flood", bold=True)
        return widget_with(column(title, row(ask, 1, mute, spacing=GRID), spacing=4))

    def _undo_part(self, held: HeldBack) -> QWidget:
        server, app = asker(held.question)
        words = self.tr("You didn't answer {server}.").format(server=isolate(one_line(server or app, 40)))
        if held.question.mode is Mode.CONFIRM:
            words = self.tr("Not allowed: {tool}.").format(tool=isolate(tool_name(held.question)))
        undo = make_button(
            "undo", self.tr("Undo"), partial(self.undo_wanted.emit, held.question.id), auto_default=False
        )
        return widget_with(row((Label(words, name="undoWords"), 1), undo, spacing=GRID))

    def _missed_part(self, missed: tuple[Question, ...]) -> QWidget:
        show = make_button("showMissed", self.tr("Show"), self.missed_wanted.emit, auto_default=False)
        seen = self._quiet("missedSeen", self.tr("OK"), self.missed_seen.emit)
        title = Label(missed_title(missed), name="missedTitle", bold=True)
        text = Label(missed_text(missed), name="missedText", tone=Tone.MUTED)
        return widget_with(column(title, text, row(seen, 1, show, spacing=GRID), spacing=4))

    def _quiet(self, name: str, text: str, act: object, spoken: str = "") -> QWidget:
        return make_button(name, text, act, spoken=spoken, auto_default=False, kind=ButtonKind.QUIET)  # type: ignore[arg-type]

    # words

    def _who(self, question: Question) -> str:
        if question.mode is not Mode.CONFIRM:
            return asker_line(question)
        return self.tr("{app} · approval").format(
            app=isolate(app_name(question) or one_line(question.server, 60))
        )

    def _message(self, question: Question) -> str:
        if question.mode is Mode.CONFIRM:
            app = isolate(app_name(question)) or self.tr("An AI app")
            names = {
                "app": app,
                "tool": isolate(tool_name(question)),
                "server": isolate(one_line(question.server, 60)),
            }
            return self.tr("{app} wants to use “{tool}” of {server}").format(**names)
        if question.mode is Mode.SAMPLING:
            return self.tr("Send a request to your model?")
        if question.review is not None:
            server = isolate(one_line(question.server, 60))
            return self.tr("{server} wants to ask a model. You can answer instead.").format(server=server)
        if question.mode is Mode.URL and (site := check_url(question.url).site):
            opens = self.tr("Wants to open {site}").format(site=isolate(site))
            return f"{shown_message(question)[0]}\n{opens}"
        return shown_message(question)[0]

    def _announce(self, content: PopupCardContent) -> None:
        labels = ("message", "messageRest", "danger", "missedTitle", "flood", "undoWords")
        parts = self._parts or self  # not what was discarded a moment ago
        found = [one for name in labels for one in parts.findChildren(Label, name)]
        self.setAccessibleName(self.windowTitle())
        self.setAccessibleDescription(" ".join(strip_isolates(one.text()) for one in found))
        announce(self, self.accessibleDescription())

    # answering

    def _wait(self) -> None:
        """Take no answer for a moment: the card may appear under a click meant for something else."""
        if self._answers is not None:
            self._answers.setEnabled(False)
        self._guard.start()

    def _settle(self) -> None:
        if self._answers is not None:
            self._answers.setEnabled(True)

    def _answer(self, question: Question, answer: Answer) -> None:
        if self.settled:
            self.answered.emit(question.id, answer)

    def _refuse(self, question: Question) -> None:
        if self.settled:
            self.refused.emit(question.id, DECLINE)

    def _place(self) -> None:
        """Move to the corner of the screen with the pointer where lines end; stay there while visible."""
        screen = self.screen() if self.isVisible() else pointer_screen()
        room = screen.availableGeometry()
        self._column.activate()
        height = self._column.totalHeightForWidth(WIDTH) if self._column.hasHeightForWidth() else 0
        size = QSize(WIDTH, max(height, self._column.totalMinimumSize().height()))
        leftward = QApplication.isRightToLeft()
        left = room.left() + _EDGE if leftward else room.right() - _EDGE - size.width()
        self.setGeometry(left, room.bottom() - _EDGE - size.height(), size.width(), size.height())
        self.move(QPoint(left, room.bottom() - _EDGE - size.height()))


def shown_message(question: Question) -> tuple[str, bool]:
    """Return the message as it fits on the card, and True if that is all of it."""
    source = translated(question.message)
    lines = strip_markdown(readable(source[:_LONGEST])).splitlines()
    text = "\n".join(line for line in (one_line(line, _LONGEST) for line in lines) if line)
    shown = "\n".join(text[:_MESSAGE].split("\n")[:_MESSAGE_LINES])
    whole = shown == text and len(source) <= _LONGEST
    return (shown if whole else f"{shown}…"), whole


def press_answers(question: Question) -> tuple[PressAnswer, ...]:
    """Return the answers that one press gives; () if it takes more."""
    if question.mode is not Mode.FORM or question.review is not None or len(question.schema) > _SCHEMA:
        return ()
    try:
        return one_press(parse_form(question.schema))
    except schema.SchemaError:
        return ()


def arguments_line(question: Question) -> str:
    """Return the arguments of a call in words, on a few lines."""
    pairs = [(title, text.replace("\n", " · ")) for title, text in describe_json(question.arguments)]
    lines = [
        f"{title}: {one_line(text, _MESSAGE)}" if title else one_line(text, _MESSAGE) for title, text in pairs
    ]
    return readable("\n".join(lines)) if len(lines) <= _LINES else "…" * (_MESSAGE + 1)


def missed_title(missed: tuple[Question, ...]) -> str:
    who = (server or app for server, app in map(asker, missed))
    servers = list(dict.fromkeys(one_line(one, 40) for one in who))
    if len(missed) == 1:
        return QApplication.translate("missed", "You missed a question from {server}").format(
            server=servers[0]
        )
    words = QApplication.translate("missed", "You missed {count} questions from {servers}")
    return words.format(count=len(missed), servers=", ".join(servers[:3]))


def missed_text(missed: tuple[Question, ...]) -> str:
    """Say what became of it and what to do."""
    app = app_name(missed[-1])
    if not app:
        return QApplication.translate("missed", "Nobody answered in time. Run it again to be asked again.")
    words = QApplication.translate("missed", "{app} was told that nobody answered. Ask it to try again.")
    return words.format(app=app)
