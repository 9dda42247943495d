"""What servers note without being asked: progress, logs, changes; and whose it is. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.protocol import jsonrpc, log_levels, revisions, tasks
from bridge.core.protocol.jsonrpc import Envelope, edit, members
from bridge.core.protocol.revisions import Era
from bridge.core.routing.exchange import State
from bridge.core.routing.exchange_runner import Wishes
from bridge.core.routing.shared_servers import Sharing
from bridge.core.routing.state import Book, Conn, Errand, Link, Party
from bridge.core.routing.task_questions import Chores


class Cancelled(msgspec.Struct, frozen=True, rename="camel"):
    """`notifications/cancelled`, from either side."""

    request_id: msgspec.Raw = jsonrpc.ABSENT


class _Progress(msgspec.Struct, frozen=True, rename="camel"):
    progress_token: msgspec.Raw = jsonrpc.ABSENT


class _Complete(msgspec.Struct, frozen=True, rename="camel"):
    elicitation_id: str = ""


class Notes:
    def __init__(self, book: Book, wishes: Wishes, chores: Chores, sharing: Sharing) -> None:
        self.book = book
        self.wishes = wishes
        self.chores = chores
        self.sharing = sharing

    def heard(self, conn: Conn, data: bytes, envelope: Envelope, about: bytes) -> None:
        if envelope.method == "notifications/progress":
            self._progressed(conn, envelope)
        elif envelope.method == "notifications/cancelled":
            self._withdrew(conn, bytes(jsonrpc.read(Cancelled, envelope.params).request_id))
        else:
            hearers = self.sharing.hearers(conn, data, envelope, about)
            if not hearers:
                return
            if envelope.method == "notifications/elicitation/complete":
                self._completed(conn, jsonrpc.read(_Complete, envelope.params).elicitation_id)
            elif envelope.method == tasks.CHANGED:
                params = self.chores.sifted(conn, hearers[0], envelope.params)
                data = jsonrpc.notification(tasks.CHANGED, params)
                envelope = Envelope(method=tasks.CHANGED, params=msgspec.Raw(params))
            note = self.wishes.listening.heard(conn, data, envelope)
            if note:
                self._tell_legacy(conn, hearers, note, about)
            if conn.party.shared or conn.party.presence.era is Era.MODERN:
                self._tell_modern(conn, hearers, data, envelope, about)

    def _progressed(self, conn: Conn, envelope: Envelope) -> None:
        """Progress goes to the request it is about, under the host's own token, and restarts its clock."""
        token = bytes(jsonrpc.read(_Progress, envelope.params).progress_token)
        errand = conn.pending.get(token)
        if errand is None and token in conn.lasting:
            self._task_progressed(conn, envelope, *conn.lasting[token])
        if not isinstance(errand, Errand) or not errand.token:
            return
        if errand.exchange.state is State.CALLING:
            errand.deadline = self.book.now + conn.spec.timeout
        params = edit(envelope.params, {"progressToken": errand.token})
        self.wishes.tell(errand, jsonrpc.notification("notifications/progress", params))

    def _task_progressed(self, conn: Conn, envelope: Envelope, link: Link, token: bytes) -> None:
        """A call that became a task keeps its token (2025-11-25)."""
        if link.id not in self.book.links:
            return
        params = edit(envelope.params, {"progressToken": token})
        if link.merged:
            params = tasks.published_relation(params, conn.spec.name)
        self.book.emit(do.Deliver(link.id, jsonrpc.notification("notifications/progress", params)))

    def _completed(self, conn: Conn, elicitation_id: str) -> None:
        calls = [one for one in self.book.errands.values() if one.conn is conn]
        for errand in calls if elicitation_id else ():
            for question_id in self.book.visits.of(errand, elicitation_id):
                self.wishes.end_visit(question_id)
            if errand.exchange.detour:
                self.wishes.live(errand, ev.Visited(elicitation_id))

    def _withdrew(self, conn: Conn, server_id: bytes) -> None:
        errand, key = conn.asked.pop(server_id, (None, ""))
        if errand is not None:
            errand.inquiries.pop(key, None)
            self.wishes.live(errand, ev.UpstreamWithdrew(key))
            self.wishes.close_inquiry(conn, server_id)

    def _tell_legacy(self, conn: Conn, hearers: Sequence[Party], data: bytes, about: bytes) -> None:
        errand = self._concerned(conn, about)
        for link in [link for party in hearers for link in party.links.values()]:
            if link.party.presence.era is Era.LEGACY:
                request = errand.exchange.request if errand and errand.link is link else b""
                said = published(data, conn.spec.name) if link.merged and tasks.NAMED in data else data
                self.book.emit(do.Deliver(link.id, said, request))

    def _tell_modern(
        self, conn: Conn, hearers: Sequence[Party], data: bytes, envelope: Envelope, about: bytes
    ) -> None:
        """A modern host hears of what it listens to, by its own id for the subscription; and of its requests
        what it asked for, which only a modern server heeds."""
        meta = members(envelope.params).get("_meta", jsonrpc.ABSENT)
        subscription = bytes(members(meta).get(revisions.SUBSCRIPTION_KEY, b""))
        listens = conn.pending.get(subscription)
        if isinstance(listens, Errand) and listens.presence.era is Era.MODERN:
            if listens.party not in hearers:
                return
            told = edit(meta, {revisions.SUBSCRIPTION_KEY: listens.exchange.request})
            changed = jsonrpc.notification(envelope.method or "", edit(envelope.params, {"_meta": told}))
            self.wishes.tell(listens, changed)
        elif conn.introduction is not None and conn.introduction.era is Era.MODERN:
            errand = None if subscription else self._concerned(conn, about)
            if errand is not None and errand.party in hearers and errand.presence.era is Era.MODERN:
                self.wishes.tell(errand, data)
        elif envelope.method == "notifications/message":
            self._tell_logs(conn, data, envelope, about)

    def _tell_logs(self, conn: Conn, data: bytes, envelope: Envelope, about: bytes) -> None:
        """A legacy server's log goes to the request it concerns, of a modern host that asked for it there."""
        wanting = [one for one in conn.pending.values() if isinstance(one, Errand) and one.level]
        errand = self._concerned(conn, about)
        if errand is None and conn.party.private and wanting:
            errand = wanting[-1]  # nobody knows of which request it is, but the host is the same
        if errand is not None and errand.level and log_levels.loud_enough(envelope.params, errand.level):
            self.wishes.tell(errand, data)

    def _concerned(self, conn: Conn, about: bytes) -> Errand | None:
        """Whose call led to this? A stdio server does not say; with several calls open nobody knows."""
        known = conn.pending.get(about)
        if isinstance(known, Errand):
            return known
        calls = [one for one in conn.pending.values() if isinstance(one, Errand)]
        return calls[0] if len(calls) == 1 else None


def published(note: bytes, server: str) -> bytes:
    """A note that speaks of a task, for a host to whom its server is one of many."""
    envelope = jsonrpc.peek(note)
    rename = tasks.published if envelope.method == tasks.STATUS else tasks.published_relation
    return edit(note, {"params": rename(envelope.params, server)})
