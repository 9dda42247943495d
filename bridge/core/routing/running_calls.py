"""Calls under way: which there are, which of them history should know of, and how one is called off. Pure.

Most calls are over before anybody could look; only what takes its time costs anything here.
"""

from __future__ import annotations

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.protocol.translate import said_no
from bridge.core.routing.exchange import State
from bridge.core.routing.exchange_runner import Wishes
from bridge.core.routing.state import Book, Errand
from bridge.core.status import RunningCall

LONG = 1.0  # seconds
CANCELLED = "cancelled"
_STATES = {
    State.CONFIRMING: "approval",
    State.ASKING: "question",
    State.AWAY: "question",
}


class Underway:
    def __init__(self, book: Book, wishes: Wishes) -> None:
        self.book = book
        self.wishes = wishes

    def note(self) -> None:
        """Tell history of the calls that take their time."""
        book = self.book
        for errand in _calls(book):
            if not errand.begun and errand.started + LONG <= book.now:
                errand.begun = True
                at = book.offset + errand.started
                who = book.host_name(errand.link or errand.party)
                server = errand.conn.spec.name
                book.emit(do.Begin(errand.id, who, server, errand.name, at, errand.arguments))

    def cancelled(self, event: ev.CallCancelled) -> None:
        errand = self.book.errands.get(event.call)
        if errand is not None and errand.method == "tools/call":
            text = "The person cancelled this call in Deskbell. Do not try again unless they ask for it."
            self.wishes.live(errand, ev.TimedOut(said_no(text, errand.presence.era), CANCELLED))


def running(book: Book, most: int) -> tuple[RunningCall, ...]:
    """The calls that are under way, oldest first."""
    return tuple(
        RunningCall(
            errand.id,
            book.host_name(errand.link or errand.party),
            errand.conn.spec.name,
            errand.name,
            book.offset + errand.started,
            _STATES.get(errand.exchange.state, "server"),
            len(errand.arguments),
        )
        for errand in _calls(book)[:most]
    )


def _calls(book: Book) -> list[Errand]:
    return [errand for errand in book.errands.values() if errand.method == "tools/call"]
