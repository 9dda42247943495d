"""Which servers want the person to sign in, and what waits for that. Pure.

The signing in itself is done by the connections' side; while it is under way no clock runs for its server.
"""

from __future__ import annotations

from bridge.core import events as ev
from bridge.core.exchange import State
from bridge.core.state import Book
from bridge.core.wishes import Wishes

UNDER_WAY, NEEDED, SETTLED = "under way", "needed", ""


class SignIns:
    def __init__(self, book: Book, wishes: Wishes) -> None:
        self.book = book
        self.wishes = wishes

    def changed(self, event: ev.SignInChanged) -> None:
        book = self.book
        if event.state:
            book.sign_ins[event.server] = event.state
            if event.why:
                book.failures[event.server] = event.why
        else:
            book.sign_ins.pop(event.server, None)
            book.rests.forget(server=event.server)
            book.failures.pop(event.server, None)
        if event.state != UNDER_WAY:
            self._restart_clocks(event.server)

    def _restart_clocks(self, server: str) -> None:
        for errand in self.book.errands.values():
            if errand.conn.spec.name == server and errand.exchange.state is State.CALLING:
                self.wishes.start_clock(errand)
        for conn in self.book.conns.values():
            if conn.spec.name == server:
                conn.dial_since = self.book.now
