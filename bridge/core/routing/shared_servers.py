"""What hosts that share a server must not notice of one another. Pure.

Each sees and touches its own tasks, and cannot tell others' from none (which is whose is in task_owners.py).
What one of them settles with the server, subscriptions and the log level, takes nothing from the others.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw

from bridge.core import commands as do
from bridge.core.protocol import jsonrpc, log_levels, tasks
from bridge.core.protocol.ambiguous_json import refuse_lookalikes, refuse_repeats, spellings
from bridge.core.protocol.jsonrpc import Envelope, edit, is_object, members
from bridge.core.protocol.revisions import Era
from bridge.core.protocol.tool_names import Unknown
from bridge.core.routing.exchange_runner import Wishes
from bridge.core.routing.merged_lists import MAX_PAGES, Page
from bridge.core.routing.state import Book, Conn, Errand, Link, Listing, Party
from bridge.core.routing.subscriptions import LISTEN, UPDATED, wanted

LEVEL = "logging/setLevel"
_ABOUT_ONE = (tasks.STATUS, tasks.CHANGED)
_LOGGED = "notifications/message"


class _Uri(msgspec.Struct, frozen=True):
    uri: str = ""


class Sharing:
    def __init__(self, book: Book, wishes: Wishes) -> None:
        self.book = book
        self.wishes = wishes

    # --- requests ------------------------------------------------------------------------------------

    def admitted(self, party: Party, conn: Conn, envelope: Envelope, changed: bytes) -> bytes:
        """The params to send instead, if any; another's task is refused, just as one that nobody made."""
        method, params = envelope.method or "", changed or envelope.params
        if method.startswith("tasks/") and method != tasks.LIST:
            _refuse_doubts(params, "taskId")
            self._require(party, conn, jsonrpc.read(tasks.Task, params or b"{}").task_id)
        if not is_object(params):
            return changed
        related = tasks.related(params)
        if related is not None:
            self._require(party, conn, related)
        if method == LISTEN:
            return self._heard_of(party, conn, params)
        return self.common(conn, party, method, bytes(params)) if method == LEVEL else changed

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

    # --- what one host settles for all ---------------------------------------------------------------

    def common(self, conn: Conn, party: Party, method: str, params: bytes) -> bytes:
        """What a server is told, so that it suits all."""
        if method != LEVEL:
            return params
        level = self.book.common_level(conn, party, log_levels.log_level(params))
        return edit(params, {"level": jsonrpc.quote(level)})

    def answers(self, link: Link, conn: Conn, envelope: Envelope) -> bool:
        """A host that wants to hear of a resource no more is answered here, while others do want to."""
        legacy = conn.introduction is not None and conn.introduction.era is Era.LEGACY
        if envelope.method != "resources/unsubscribe" or not legacy:
            return False
        if not self.book.is_awaited(conn, jsonrpc.read(_Uri, envelope.params).uri, but=link.party):
            return False
        link.party.standing.learn(conn.spec.name, envelope.method, bytes(envelope.params))
        request = bytes(envelope.id)
        self.book.emit(do.Deliver(link.id, jsonrpc.response(request, b"{}"), request, True))
        return True

    # --- lists ---------------------------------------------------------------------------------------

    def listed(self, errand: Errand, result: Raw) -> bytes | None:
        """The host's own among a server's tasks, of all pages at once: a cursor may name another's task.
        None: the next page is on its way."""
        spec = errand.conn.spec
        listing = errand.listing = errand.listing or Listing()
        for item in jsonrpc.elements(members(result).get("tasks", b"[]")):
            task = jsonrpc.read(tasks.Task, item).task_id
            if self.book.may_see(errand.party, spec, task):
                listing.items[task] = item
        listing.pages += 1
        cursor = jsonrpc.read(Page, result).next_cursor
        if cursor is not None and listing.pages < MAX_PAGES:
            self.wishes.turn_page(errand, cursor)
            return None
        if cursor is not None:
            text = f"Its {errand.method} has more than {MAX_PAGES} pages."
            self.book.complain(errand.conn, "endless", text)
        own = b"[" + b",".join(listing.items.values()) + b"]"
        return edit(result, {"tasks": own, "nextCursor": None})

    # --- notes and questions -------------------------------------------------------------------------

    def hearers(self, conn: Conn, data: bytes, envelope: Envelope, about: bytes) -> Sequence[Party]:
        """Which hosts may hear this note: what speaks of a task is for the one that began it."""
        if not conn.party.shared:
            return (conn.party,)
        if tasks.NAMED in data:
            task = tasks.related(envelope.params)
            if envelope.method in _ABOUT_ONE:
                task = jsonrpc.read(tasks.Task, envelope.params).task_id
            if task is not None:
                owner = self.owner(conn, task)
                return () if owner is None else (owner,)
        guests = tuple(conn.party.guests.values())
        if envelope.method == _LOGGED:
            return self._loggers(conn, guests, envelope, about)
        if envelope.method == UPDATED:
            uri, server = jsonrpc.read(_Uri, envelope.params).uri, conn.spec.name
            return tuple(one for one in guests if _hears_of(one, server, uri)) or guests
        return guests

    def _loggers(
        self, conn: Conn, guests: Sequence[Party], envelope: Envelope, about: bytes
    ) -> Sequence[Party]:
        """Whose call it is that is logged, if that is known; else all who want messages as loud as this."""
        errand = conn.pending.get(about)
        if isinstance(errand, Errand):
            guests = (errand.party,)
        return tuple(one for one in guests if _wants(one, envelope.params))

    def owner(self, conn: Conn, task: str) -> Party | None:
        """Whose task this is, if that host is there."""
        return conn.party.guests.get(self.book.owners.of(conn.spec.identity, task))


def _wants(party: Party, logged: Raw) -> bool:
    level = party.standing.level
    return not level or log_levels.loud_enough(logged, log_levels.log_level(level))


def _hears_of(party: Party, server: str, uri: str) -> bool:
    """What is updated may be a part of what was subscribed to. Modern hosts hear only what they listen to."""
    return party.presence.era is Era.MODERN or any(uri.startswith(one) for one in party.standing.uris(server))


def _refuse_doubts(params: bytes | Raw, key: str) -> None:
    refuse_repeats(params)
    refuse_lookalikes(params, spellings([key]))
