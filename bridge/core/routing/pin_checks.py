"""Tools that were allowed are looked at again when their server starts or changes its list. Pure.

Else a change would be noticed only when a host lists the tools. Of servers that have no such tool nothing is
asked, and of one connection one list at a time.
"""

from __future__ import annotations

from bridge.core import commands as do
from bridge.core.protocol import eras, jsonrpc
from bridge.core.protocol.eras import Era
from bridge.core.protocol.jsonrpc import Envelope, Malformed, edit, members, quote
from bridge.core.routing.merged_lists import MAX_PAGES, MOST_BYTES, Gathering, Page
from bridge.core.routing.peer_limits import MOST_LOOKS
from bridge.core.routing.state import Book, Conn, Glance

TOOLS = "tools/list"


class Glances:
    def __init__(self, book: Book, lists: Gathering) -> None:
        self.book = book
        self.lists = lists

    def look(self, conn: Conn) -> None:
        known = conn.introduction
        if conn.spec.builtin or known is None or not known.has("tools"):
            return
        if not self.book.pins.are_of(conn.spec.name):
            return
        under_way = next((one for one in conn.pending.values() if isinstance(one, Glance)), None)
        if under_way is not None:
            under_way.again = True
        else:
            self._begin(conn)

    def _begin(self, conn: Conn) -> None:
        """Not without end: hosts that list it hear of what has changed as well."""
        if conn.manners.is_restless(self.book.now):
            text = f"Its tools changed more than {MOST_LOOKS} times in a minute; the rest was not looked at."
            self.book.complain(conn, "restless", text)
        else:
            self._ask(conn, Glance())

    def _ask(self, conn: Conn, glance: Glance, cursor: str | None = None) -> None:
        glance.pages += 1
        request = b"%d" % self.book.next()
        params = edit(b"", {"cursor": quote(cursor)}) if cursor is not None else b""
        if conn.introduction is not None and conn.introduction.era is Era.MODERN:
            presence = conn.party.presence
            params = eras.modern_params(params, presence.capabilities, presence.info)
        conn.pending[request] = glance
        self.book.emit(do.Send(conn.id, jsonrpc.request(request, TOOLS, params)))

    def heard(self, conn: Conn, glance: Glance, envelope: Envelope) -> None:
        """One that fails, makes no sense or never ends tells nothing: hosts that list it hear of that."""
        glance.size += len(envelope.result)
        if not len(envelope.result) or glance.size > MOST_BYTES:
            return
        try:
            glance.own += jsonrpc.elements(members(envelope.result).get("tools", b"[]"))
            cursor = eras.read(Page, envelope.result).next_cursor
        except Malformed:
            return
        if cursor is not None:
            if glance.pages < MAX_PAGES:
                self._ask(conn, glance, cursor)
            return
        self.book.pins.listed(conn.spec.name, glance.own)
        self.lists.remember(conn.spec, TOOLS, b"[" + b",".join(glance.own) + b"]")
        if glance.again:
            self._begin(conn)
