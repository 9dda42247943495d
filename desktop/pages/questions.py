"""The Questions page: waiting Questions as cards, floods and mutes, unsent drafts, past Questions."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLayout

from bridge.api import DECLINE, AnswerDraft, Flood, History, HistoryFilter, Mute, Services, Status
from desktop.pages.activity.last_entries import LastEntries
from desktop.pages.base_page import StatusPage
from desktop.questions.waiting_cards import WaitingCards
from desktop.theme.metrics import GRID, SMALL
from desktop.theme.painting import ButtonKind
from desktop.widgets.controls import make_button
from desktop.widgets.dialogs import confirm
from desktop.widgets.empty_state import EmptyState
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import PAGE, column, row, widget_with
from desktop.widgets.message_bar import MessageBar, MessageBarList
from desktop.widgets.page_head import PageHead
from desktop.widgets.scroll import FittingScroll
from desktop.widgets.section import Section
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import one_line
from desktop.widgets.text.time_text import format_time

HOUR = 3600.0
_BARS = 1000  # text lines: the page scrolls, not their list
_MOST = 50  # cards
_EARLIER = 10
_QUESTIONS = HistoryFilter(kind="question")


class QuestionsPage(StatusPage):
    """`answered`: a Question was answered, declined or cancelled here."""

    open_wanted = Signal(str)  # Question id
    answered = Signal(str, object)  # Question id, Answer
    past_wanted = Signal()  # show past Questions on the Activity page

    def __init__(self, past: History, services: Services) -> None:
        super().__init__("questions")
        self._service = services.questions
        self._bars_drawn: object = None
        self._waiting_ids: frozenset[str] = frozenset()
        self._decline_all = make_button("declineAll", self.tr("&Decline all…"), self._ask_to_decline_all)
        self._head = PageHead(self.tr("Questions"), "", self._decline_all)
        self._bars = MessageBarList("bars", _BARS)
        self._waiting = WaitingCards(_MOST)
        self._waiting.open_wanted.connect(self.open_wanted)
        self._waiting.answered.connect(self.answered)
        self._empty = EmptyState(
            "noQuestions",
            "bell",
            self.tr("No questions waiting"),
            self.tr(
                "When an AI app or one of its tools needs an answer, the bell rings and the question "
                "appears here."
            ),
        )
        self._drafts = Section("drafts", self.tr("Unsent drafts"))
        self._earlier = LastEntries("earlier", self.tr("Earlier questions"), past, _QUESTIONS, _EARLIER)
        self._earlier.all_wanted.connect(self.past_wanted)
        for part in (self._bars, self._waiting, self._drafts, self._earlier):
            part.grew.connect(self.grew)
        parts = (self._head, self._bars, self._waiting, self._empty, self._drafts, self._earlier)
        inside = widget_with(column(*parts, 1, margins=PAGE, spacing=2 * GRID))
        self.setLayout(column((FittingScroll(inside, name="scroll"), 1)))
        self._redraw()

    def close_history(self) -> None:
        self._earlier.close_history()

    def _redraw(self) -> None:
        status = self._status
        count = len(status.waiting)
        waiting = self.tr("{count} waiting for your answer").format(count=count)
        self._head.show_subtitle(waiting if count else self.tr("Nothing is waiting."))
        self._decline_all.setVisible(count > 1)
        self._waiting.draw(status.waiting, paused=status.snoozed)
        self._empty.setVisible(not count)
        self._drafts.draw({draft.id: draft for draft in reversed(status.drafts)}, self._draft)
        ids = frozenset(question.id for question in status.waiting)
        if self._waiting_ids - ids:
            self._earlier.look_soon()
        self._waiting_ids = ids
        bars = (status.snoozed, status.snoozed_until, status.floods, status.mutes)
        if bars != self._bars_drawn:
            self._bars_drawn = bars
            self._draw_bars(status)

    def _ask_to_decline_all(self) -> None:
        waiting = self._status.waiting
        confirm(
            self,
            self.tr("Decline all {count} questions?").format(count=len(waiting)),
            self.tr("The servers that asked will be told that you said no."),
            self.tr("&Decline all"),
            lambda: self._decline(tuple(question.id for question in waiting)),
            name="declineAllBox",
        )

    def _decline(self, questions: tuple[str, ...]) -> None:
        for question_id in questions:
            self.answered.emit(question_id, DECLINE)

    def _draft(self, draft: AnswerDraft) -> QLayout:
        server = isolate(one_line(draft.server, 40))
        about = " · ".join(filter(None, (server, format_time(draft.at), draft.why)))
        words = column(
            Label(isolate(one_line(draft.text, 200)), name="draftText"),
            Label(about, name="draftWhy", tone=Tone.MUTED, scale=SMALL),
            spacing=2,
        )
        copied = partial(QGuiApplication.clipboard().setText, draft.text)
        copy = make_button("copyDraft", self.tr("Copy"), copied)
        drop = partial(self._service.discard_draft, draft.id)
        discard = make_button("discardDraft", self.tr("Discard"), drop, kind=ButtonKind.QUIET)
        return row((words, 1), copy, discard, spacing=GRID)

    # bars

    def _draw_bars(self, status: Status) -> None:
        bars = [self._snooze_bar(status.snoozed_until)] if status.snoozed else []
        bars += [self._flood_bar(flood) for flood in status.floods]
        bars += [self._mute_bar(mute) for mute in status.mutes]
        self._bars.draw(bars)

    def _snooze_bar(self, until: float) -> MessageBar:
        words = self.tr("Snoozed until you resume. Questions are on hold and won't expire.")
        if until:
            words = self.tr("Snoozed until {time}. Questions are on hold and won't expire.")
            words = words.format(time=format_time(until))
        resume = ("resume", self.tr("&Resume"), self._service.resume)
        return MessageBar("snoozeBar", words, (resume,), Tone.INFO)

    def _flood_bar(self, flood: Flood) -> MessageBar:
        server = flood.server
        words = self.tr("{server} is asking a lot ({count} waiting). Mute it for an hour?")
        return MessageBar(
            f"flood:{server}",
            words.format(server=isolate(one_line(server, 60)), count=flood.waiting),
            (
                ("mute", self.tr("&Mute for an hour"), lambda: self._service.mute(server, HOUR)),
                ("spare", self.tr("&Ask me anyway"), lambda: self._service.ask_anyway(server)),
            ),
            tone=Tone.WARNING,
        )

    def _mute_bar(self, mute: Mute) -> MessageBar:
        server = mute.server
        words = self.tr("{server} is muted until {time}: its questions are declined.")
        return MessageBar(
            f"mute:{server}",
            words.format(server=isolate(one_line(server, 60)), time=format_time(mute.until)),
            (("unmute", self.tr("&Unmute"), lambda: self._service.unmute(server)),),
        )
