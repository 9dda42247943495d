"""Servers that ended while somebody waits to hear from them: started again without being called for. Pure.

Any other server that ended is started by the next call.
"""

from __future__ import annotations

from collections.abc import Callable

from bridge.core.ports import ServerSpec
from bridge.core.protocol.tool_names import Resting
from bridge.core.routing.state import Book, Conn, Party

PAUSE = 1.0  # seconds


class Revivals:
    def __init__(self, book: Book, connect: Callable[[Party, ServerSpec], Conn]) -> None:
        self.book = book
        self.connect = connect

    def ended(self, conn: Conn) -> None:
        """Who has subscribed to this server's resources?"""
        spec = conn.spec
        for user in (conn.party, *conn.party.guests.values()):
            heeds = any(
                one.conn is None and one.link.party is user and spec.name in one.uris.values()
                for one in self.book.listeners.values()
            )
            if heeds or user.standing.subscribes(spec.name):
                self.book.revivals[user.key, spec.name] = (self.book.now + PAUSE, spec)

    def due(self) -> None:
        book = self.book
        for key, (at, spec) in [one for one in book.revivals.items() if one[1][0] <= book.now]:
            del book.revivals[key]
            party = book.parties.get(key[0])
            if party is None or not self._is_current(party, spec):
                continue
            try:
                self.connect(party, spec)
            except Resting:
                book.revivals[key] = (at + PAUSE, spec)

    def _is_current(self, party: Party, spec: ServerSpec) -> bool:
        wrapped = any(link.caller.wrap is spec for link in party.links.values())
        return wrapped or self.book.servers.get(spec.name) == spec
