"""Which servers want the person to sign in or to unlock their secrets, and what waits for that. Pure.

Both are done by the connections' side; while they are under way no clock runs for the server.
"""

from __future__ import annotations

from bridge.core import events as ev
from bridge.core.routing.exchange import State
from bridge.core.routing.exchange_runner import Wishes
from bridge.core.routing.state import Book

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
        self._restart_clocks(event.server)

    def secrets_awaited(self, event: ev.SecretsAwaited) -> None:
        self.book.locked_out[event.server] += 1 if event.waits else -1
        self._restart_clocks(event.server)

    def _restart_clocks(self, server: str) -> None:
        if self.book.awaits_person(server):
            return
        del self.book.locked_out[server]  # none waits
        for errand in self.book.errands.values():
            if errand.conn.spec.name == server and errand.exchange.state is State.CALLING:
                self.wishes.start_clock(errand)
        for conn in self.book.conns.values():
            if conn.spec.name == server:
                conn.dial_since = self.book.now
