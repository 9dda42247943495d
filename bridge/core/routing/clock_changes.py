"""The machine slept, or its clock was set: what that does to the time people have. Pure.

`Book.now` stands still while the machine sleeps; the time of day does not. A Question's deadline is a time of
day, for windows to count down to: it moves by as much as was lost, so that nobody's time runs out asleep.
"""

from __future__ import annotations

from dataclasses import replace

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.questions.question import Question
from bridge.core.routing.state import Book

NOTICED = 2.0  # seconds; less is a clock that is kept right
SLEPT = 20.0  # seconds after which connections may have died unheard


class Sleeps:
    def __init__(self, book: Book) -> None:
        self.book = book
        self._known = False  # the time of day was set before

    def clock_read(self, event: ev.ClockRead) -> None:
        book = self.book
        lost, book.offset = event.offset - book.offset, event.offset
        known, self._known = self._known, True
        if not known or abs(lost) < NOTICED:
            return
        book.desk.shift(lost)
        for errand in book.errands.values():
            for key, asked in errand.exchange.open.items():
                errand.exchange.open[key] = asked._replace(question=shifted(asked.question, lost))
        if lost >= SLEPT:
            book.emit(do.Record("notice", outcome="slept", seconds=lost))
            for conn in book.conns.values():
                if conn.spec.url:
                    book.emit(do.Rouse(conn.id))
            for spec in book.servers.values():
                if spec.url:  # out of reach before is no reason to wait now
                    book.rests.forget(server=spec.name)
        elif book.desk.waiting():
            book.emit(do.Record("notice", outcome="clock changed", seconds=lost))


def shifted(question: Question, seconds: float) -> Question:
    return replace(question, deadline=question.deadline + seconds) if question.deadline else question
