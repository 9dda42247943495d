"""Tasks at a server that hosts share: each host sees and touches its own, and cannot tell others' from none.

Pure. Which task is whose is in owners.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw

from bridge.core import eras, messages, tasks
from bridge.core.doubts import refuse_lookalikes, refuse_repeats, spellings
from bridge.core.gathering import MAX_PAGES, Page
from bridge.core.listening import LISTEN, wanted
from bridge.core.messages import Envelope, edit, is_object, members
from bridge.core.routes import Unknown
from bridge.core.state import Book, Conn, Errand, Listing, Party
from bridge.core.wishes import Wishes

_ABOUT_ONE = (tasks.STATUS, tasks.CHANGED)


class Sharing:
    def __init__(self, book: Book, wishes: Wishes) -> None:
        self.book = book
        self.wishes = wishes

    # --- requests ------------------------------------------------------------------------------------

    def admitted(self, party: Party, conn: Conn, envelope: Envelope, changed: bytes) -> bytes:
        """The params to send instead, if any; another's task is refused, just as one that nobody made."""
        method, params = envelope.method or "", changed or envelope.params
        if not is_object(params):
            return changed
        if method.startswith("tasks/") and method != tasks.LIST:
            _refuse_doubts(params, "taskId")
            self._require(party, conn, eras.read(tasks.Task, params).task_id)
        related = tasks.related(params)
        if related is not None:
            self._require(party, conn, related)
        return self._heard_of(party, conn, params) if method == LISTEN else changed

    def _require(self, party: Party, conn: Conn, task: str) -> None:
        if not self.book.may_see(party, conn.spec, task):
            raise Unknown(f"There is no task called {task}.")

    def _heard_of(self, party: Party, conn: Conn, params: bytes | Raw) -> bytes:
        """A `subscriptions/listen` without the tasks of others."""
        _refuse_doubts(params, "notifications")
        said = members(params).get("notifications", b"{}")
        _refuse_doubts(said, "taskIds")
        named = wanted(params).task_ids
        if named is None:
            return bytes(params)
        own = [task for task in named if self.book.may_see(party, conn.spec, task)]
        return edit(params, {"notifications": edit(said, {"taskIds": msgspec.json.encode(own)})})

    # --- lists ---------------------------------------------------------------------------------------

    def listed(self, errand: Errand, result: Raw) -> bytes | None:
        """The host's own among a server's tasks, of all pages at once: a cursor may name another's task.
        None: the next page is on its way."""
        spec = errand.conn.spec
        listing = errand.listing = errand.listing or Listing()
        for item in messages.elements(members(result).get("tasks", b"[]")):
            task = eras.read(tasks.Task, item).task_id
            if self.book.may_see(errand.party, spec, task):
                listing.items[task] = item
        listing.pages += 1
        cursor = eras.read(Page, result).next_cursor
        if cursor is not None and listing.pages < MAX_PAGES:
            self.wishes.turn_page(errand, cursor)
            return None
        if cursor is not None:
            text = f"Its {errand.method} has more than {MAX_PAGES} pages."
            self.book.complain(errand.conn, "endless", text)
        own = b"[" + b",".join(listing.items.values()) + b"]"
        return edit(result, {"tasks": own, "nextCursor": None})

    # --- notes and questions -------------------------------------------------------------------------

    def hearers(self, conn: Conn, data: bytes, envelope: Envelope) -> Sequence[Party]:
        """Which hosts may hear this note: what speaks of a task is for the one that began it."""
        if not conn.party.shared:
            return (conn.party,)
        if tasks.NAMED in data:
            task = tasks.related(envelope.params)
            if envelope.method in _ABOUT_ONE:
                task = eras.read(tasks.Task, envelope.params).task_id
            if task is not None:
                owner = self.owner(conn, task)
                return () if owner is None else (owner,)
        return tuple(conn.party.guests.values())

    def owner(self, conn: Conn, task: str) -> Party | None:
        """Whose task this is, if that host is there."""
        return conn.party.guests.get(self.book.owners.of(conn.spec.identity, task))


def _refuse_doubts(params: bytes | Raw, key: str) -> None:
    refuse_repeats(params)
    refuse_lookalikes(params, spellings([key]))
