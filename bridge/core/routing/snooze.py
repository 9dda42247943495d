"""What the person says about being asked: snooze, mute, ask me all the same. Pure.

Snoozed: Questions wait and no clock runs, so that nothing is answered in the person's name; whoever cannot
wait withdraws. Muted: the person has said no to all a server asks, and each of its Questions is declined.
"""

from __future__ import annotations

from collections.abc import Callable

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.questions.question import CROWDED, DECLINE, Answer, Question
from bridge.core.routing.state import Book

MUTED = "muted"
Settle = Callable[[str, Answer, str], None]


class Quiet:
    """`settle` takes a Question off the Desk with an Answer."""

    def __init__(self, book: Book, settle: Settle) -> None:
        self.book = book
        self.settle = settle

    def snoozed(self, event: ev.Snoozed) -> None:
        book = self.book
        book.snoozed, book.snoozed_until = True, event.until
        book.desk.pause(book.epoch)
        book.emit(do.Record("notice", outcome="snoozed"))

    def resumed(self, event: ev.Resumed) -> None:
        book = self.book
        if book.snoozed:
            book.snoozed, book.snoozed_until = False, 0.0
            book.desk.resume(book.epoch)
            book.emit(do.Record("notice", outcome="resumed"))

    def muted(self, event: ev.Muted) -> None:
        book = self.book
        book.floods.mute(event.server, event.until)
        book.emit(do.Record("notice", server=event.server, outcome=MUTED))
        for question in [one for one in book.desk.waiting() if one.server == event.server]:
            self.settle(question.id, DECLINE, MUTED)

    def unmuted(self, event: ev.Unmuted) -> None:
        if self.book.floods.unmute(event.server):
            self.book.emit(do.Record("notice", server=event.server, outcome="unmuted"))

    def spared(self, event: ev.Spared) -> None:
        self.book.floods.spare(event.server)
        self.book.emit(do.Record("notice", server=event.server, outcome="spared"))

    def time_passed(self) -> None:
        book = self.book
        if book.snoozed and 0.0 < book.snoozed_until <= book.epoch:
            self.resumed(ev.Resumed())
        for server in book.floods.over(book.epoch):
            self.unmuted(ev.Unmuted(server))

    @property
    def pace(self) -> float:
        """In how many seconds one of these ends; at most a minute, 0 when none will."""
        book = self.book
        ends = [until for _, until in book.floods.mutes]
        if book.snoozed_until:
            ends.append(book.snoozed_until)
        return max(1.0, min(60.0, min(ends) - book.epoch)) if ends else 0.0


def turned_away(book: Book, question: Question) -> tuple[Answer, str] | None:
    """The Answer to a Question that may not wait on the Desk, and how history calls it."""
    if book.floods.is_muted(question.server, book.epoch):
        return DECLINE, MUTED
    if not book.desk.has_room(question.server, question.host):
        return CROWDED, CROWDED.unanswered
    if book.floods.asked(question.server, book.epoch):
        text = f"{question.server} asked more than {book.floods.limit} times within a minute."
        book.emit(do.Record("notice", question.host, question.server, outcome="flood", detail=text))
    return None
