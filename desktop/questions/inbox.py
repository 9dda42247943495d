"""The Questions page: waiting Questions, floods and mutes, unsent drafts, past Questions. Draws Status."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from bridge.api import CANCEL, DECLINE, Answer, Flood, History, Mute, Services, Status
from desktop.pages.base_page import StatusPage
from desktop.questions.inbox_history import PastQuestions
from desktop.questions.inbox_table import QuestionModel
from desktop.questions.presenter import AnswerDraft
from desktop.widgets.bidi import isolate
from desktop.widgets.controls import make_button
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import PAGE, column, row, widget_with
from desktop.widgets.message_bar import MessageBar, MessageBarList
from desktop.widgets.safe_text import one_line
from desktop.widgets.table import make_tree
from desktop.widgets.time_text import format_time

HOUR = 3600.0
_SEEN = 6  # waiting questions that are always visible
_BARS = 11  # text lines of bars before they scroll


class InboxPage(StatusPage):
    """`answered` is for Questions that are declined or cancelled from the list."""

    open_wanted = Signal(str)  # Question id
    answered = Signal(str, object)  # Question id, Answer
    discard_wanted = Signal(object)  # Draft
    past_wanted = Signal()  # show past Questions on the Activity page

    def __init__(self, past: History, services: Services) -> None:
        super().__init__("questions")
        self._service = services.questions
        self._bars_drawn: object = None
        self._model = QuestionModel(self)
        self._bars = MessageBarList("bars", _BARS)
        self._view = self._make_view()
        self._empty = Label(self.tr("No questions."), name="noQuestions", tone=Tone.MUTED)
        self._kept = DraftList()
        self._kept.discard_wanted.connect(self.discard_wanted)
        self._kept.bars.grew.connect(self.grew)
        title = Label(self.tr("Waiting for your answer"), name="waitingTitle", bold=True)
        self._bars.grew.connect(self.grew)
        self._acts = self._make_buttons()
        self._earlier = PastQuestions(past)
        self._earlier.all_wanted.connect(self.past_wanted)
        lists = ((self._view, 3), self._acts, (self._earlier, 2), 0)  # 0: the room of hidden lists
        parts = (title, self._bars, self._empty, *lists, self._kept)
        self.setLayout(column(*parts, margins=PAGE, spacing=10))
        self._clock = QTimer(self, interval=1000)
        self._clock.timeout.connect(self._model.tick)
        self._redraw()

    def draw(self, status: Status) -> None:
        super().draw(status)
        self._earlier.draw(status)

    def close_history(self) -> None:
        self._earlier.close_history()

    def draw_drafts(self, drafts: tuple[AnswerDraft, ...]) -> None:
        self._kept.draw(drafts)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._clock.stop()

    def _redraw(self) -> None:
        status = self._status
        self._model.draw(status.waiting, paused=status.snoozed)
        self._empty.setVisible(not status.waiting)
        self._view.setVisible(bool(status.waiting))
        self._acts.setVisible(bool(status.waiting))
        if status.waiting and not self._view.currentIndex().isValid():
            self._view.setCurrentIndex(self._model.index(0, 0))
        lines = min(len(status.waiting), _SEEN) * self._view.sizeHintForRow(0)
        self._view.setMinimumHeight(
            lines + self._view.header().sizeHint().height() + 2 * self._view.frameWidth()
        )
        self._enable()
        bars = (status.snoozed, status.snoozed_until, status.floods, status.mutes)
        if bars != self._bars_drawn:
            self._bars_drawn = bars
            self._draw_bars(status)

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
        return MessageBar("snoozeBar", words, (("resume", self.tr("&Resume"), self._service.resume),))

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

    # the list

    def _make_view(self) -> QTreeView:
        view = make_tree("waiting", self.tr("Questions that wait"), self._model)
        view.setAccessibleDescription(self.tr("The oldest is first. Return opens a question."))
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.activated.connect(self._open_at)
        view.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        return view

    def _make_buttons(self) -> QWidget:
        open_ = make_button("open", self.tr("&Open"), self._open_current)
        about, end = self.tr("Say no to the selected questions"), partial(self._end, DECLINE)
        decline = make_button("declineSelected", self.tr("&Decline"), end, about=about)
        about, end = self.tr("Close the selected questions without an answer"), partial(self._end, CANCEL)
        cancel = make_button("cancelSelected", self.tr("&Cancel"), end, about=about)
        self._buttons = (open_, decline, cancel)
        return widget_with(row(*self._buttons, 1))

    def _enable(self) -> None:
        chosen = bool(self._view.selectionModel().hasSelection() and self._status.waiting)
        for button in self._buttons:
            button.setEnabled(chosen)

    def _open_at(self, index: QModelIndex) -> None:
        self.open_wanted.emit(self._model.row(index).id)

    def _open_current(self) -> None:
        if (index := self._view.currentIndex()).isValid():
            self._open_at(index)

    def _end(self, answer: Answer) -> None:
        """Decline or cancel the selected Questions."""
        rows = self._view.selectionModel().selectedRows()
        for question_id in [self._model.row(index).id for index in rows]:
            self.answered.emit(question_id, answer)
        flags = QItemSelectionModel.SelectionFlag
        self._view.selectionModel().clear()
        self._view.setCurrentIndex(self._model.index(0, 0))
        self._view.selectionModel().select(self._model.index(0, 0), flags.ClearAndSelect | flags.Rows)


class DraftList(QWidget):
    """Typed answers of Questions that went away; in memory while Deskbell runs."""

    discard_wanted = Signal(object)  # Draft

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("drafts")
        title = Label(self.tr("Unsent drafts"), name="draftsTitle", bold=True)
        self.bars = MessageBarList("draftsArea", _BARS)
        self.setLayout(column(title, self.bars, margins=(0, 6, 0, 0)))
        self.hide()

    def draw(self, drafts: tuple[AnswerDraft, ...]) -> None:
        self.bars.draw([self._bar(draft) for draft in reversed(drafts)])
        self.setVisible(bool(drafts))

    def _bar(self, draft: AnswerDraft) -> MessageBar:
        who = self.tr("{server}, {time}: {text}").format(
            server=isolate(one_line(draft.question.server, 40)),
            time=format_time(draft.at),
            text=isolate(one_line(draft.text, 120)),
        )
        return MessageBar(
            f"draft:{draft.question.id}",
            f"{who}\n{draft.why}" if draft.why else who,
            (
                ("copyDraft", self.tr("Copy"), lambda: QGuiApplication.clipboard().setText(draft.text)),
                ("discardDraft", self.tr("Discard"), lambda: self.discard_wanted.emit(draft)),
            ),
        )
