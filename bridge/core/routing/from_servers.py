"""What upstreams say: introductions, replies, notes. Finds the Errand; lets it live on. Pure.

What they ask is in server_requests.py.
"""

from __future__ import annotations

import re
from contextlib import suppress

import msgspec

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.ports import ServerSpec
from bridge.core.protocol import capabilities, jsonrpc, tasks, translate
from bridge.core.protocol.handshake import PATIENCE, STRANGER, Dial, Introduction, Presence, unanswered
from bridge.core.protocol.jsonrpc import (
    INTERNAL_ERROR,
    UNREACHED,
    Envelope,
    Made,
    Malformed,
    Outcome,
    Relayed,
)
from bridge.core.protocol.revisions import MODERN, RESUMABLE, Era
from bridge.core.protocol.tool_names import Resting
from bridge.core.routing.auto_restart import Revivals
from bridge.core.routing.backoff import STARTED, TRIED
from bridge.core.routing.exchange import DESK_CAN, State
from bridge.core.routing.exchange_runner import Wishes
from bridge.core.routing.merged_lists import Glances, Page
from bridge.core.routing.merged_server import Merge
from bridge.core.routing.notifications import Notes
from bridge.core.routing.peer_limits import MOST_NOTES
from bridge.core.routing.restore_subscriptions import LEARNT
from bridge.core.routing.server_requests import Inquiries
from bridge.core.routing.shared_servers import Sharing
from bridge.core.routing.state import Book, Conn, Errand, Glance, Part, Party
from bridge.core.routing.task_questions import Chores
from bridge.core.routing.who_asks import who_asks
from bridge.i18n import say

_ID = re.compile(rb'"id"\s*:\s*(\d+)')
TOOLS_CHANGED = "notifications/tools/list_changed"
_NEAR = 200  # bytes from either end of a message, where its id is


class _Status(msgspec.Struct, frozen=True):
    status: int = 0


class _Refused(msgspec.Struct, frozen=True):
    """The error that stands for an HTTP answer without a message in it."""

    code: int = 0
    data: _Status = _Status()


class UpstreamSide:
    def __init__(self, book: Book, wishes: Wishes) -> None:
        self.book = book
        self.wishes = wishes
        self.merge = Merge(book, self.connect, wishes.listening)
        self.revivals = Revivals(book, self.connect)
        self.sharing = Sharing(book, wishes)
        self.inquiries = Inquiries(book, wishes, self.sharing)
        self.chores = Chores(book, wishes)
        self.glances = Glances(book, self.merge.lists)
        self.notes = Notes(book, wishes, self.chores, self.sharing)

    # --- dialling ------------------------------------------------------------------------------------

    def connect(self, party: Party, spec: ServerSpec) -> Conn:
        """The party's connection to this server; a new one is dialled at once."""
        conn = party.conns.get(spec.name)
        if conn is None:
            owner = self._common(party, spec) if spec.shared else party
            conn = party.conns[spec.name] = owner.conns.get(spec.name) or self._dial(owner, spec)
            if owner is not party:
                owner.guests[party.key] = party
                self.wishes.listening.refresh(conn)
        return conn

    def _dial(self, party: Party, spec: ServerSpec) -> Conn:
        rest = self.book.rests.of(party.key, spec.name, self.book.now)
        if rest is not None:
            raise Resting(rest.told(self.book.now))
        self.book.parties[party.key] = party  # news only of one that owns a shared connection
        conn = Conn(self.book.next(), spec, party, Dial(self._face(party, spec)))
        self.book.conns[conn.id] = party.conns[spec.name] = conn
        self.book.emit(do.Connect(conn.id, spec))
        self._speak(conn)
        return conn

    def _face(self, party: Party, spec: ServerSpec) -> Presence:
        """A host as its server sees it. It makes tasks of what it is asked only where it is asked everything,
        and where no other server could look at them.

        A caller without MCP has no era of its own: servers of both are met in the older one, where all that
        they ask works (`ctx.elicit` of the Python SDK does nowhere else)."""
        presence = party.presence
        if spec.era:
            presence = presence._replace(era=Era(spec.era))
        elif any(link.caller.plain for link in party.links.values()):
            presence = presence._replace(era=Era.LEGACY)
        merged = any(link.merged for link in party.links.values())
        _, can = who_asks(self.book.rule(party), presence)
        if not merged and can >= DESK_CAN:
            return presence
        return presence._replace(capabilities=capabilities.without_own_tasks(presence.capabilities, merged))

    def _common(self, guest: Party, spec: ServerSpec) -> Party:
        """Who owns the one connection to a shared server. It speaks for no host: it can only elicit."""
        key = f"shared:{spec.name}"
        party = self.book.parties.get(key)
        if party is None:
            party = Party(key, private=False, shared=True)
            party.presence = STRANGER._replace(era=self._face(guest, spec).era)
        return party

    def _speak(self, conn: Conn) -> None:
        request = b"%d" % self.book.next()
        conn.dial_since = self.book.now
        conn.pending[request] = conn.dial
        self.book.emit(do.Send(conn.id, conn.dial.words(request)))

    def _heard(self, conn: Conn, envelope: Envelope) -> None:
        conn.introduction = conn.dial.heard(envelope)
        if conn.introduction is None:
            self._try_next(conn)
            return
        self.book.failures.pop(conn.spec.name, None)
        self.book.late.discard(conn.spec.name)
        if conn.introduction.era is Era.LEGACY and speaks_for_itself(conn.party):
            self.book.emit(do.Send(conn.id, jsonrpc.notification("notifications/initialized")))
            self._restore(conn, conn.introduction)
        self.merge.introduced(conn, conn.introduction)
        self.wishes.listening.introduced(conn, conn.introduction)
        backlog, conn.backlog = conn.backlog, []
        for waiting in backlog:
            if isinstance(waiting, Part):
                self.merge.lists.ask(waiting)
            else:
                self.wishes.call(waiting)
        if conn.introduction.era is MODERN or speaks_for_itself(conn.party):
            self.glances.look(conn)

    def _restore(self, conn: Conn, introduction: Introduction) -> None:
        """What hosts have settled with an earlier connection. The answers are nobody's business."""
        for user in (conn.party, *conn.party.guests.values()):
            for method, params in user.standing.again(conn.spec.name, introduction.has("logging")):
                self.book.tell(conn, method, self.sharing.common(conn, user, method, params))

    def _try_next(self, conn: Conn) -> None:
        if not conn.dial.exhausted:
            self._speak(conn)
            return
        name, reason = conn.spec.name, self.book.phrases.of(conn.dial.complaint)
        if name not in reason:  # a server's own words, not ours about it
            reason = say("{server} would not connect: {reason}", server=name, reason=reason)
        self._end(conn, Made(error=conn.dial.problem), reason)
        self.book.emit(do.Disconnect(conn.id))

    def hurry(self) -> None:
        """Some legacy servers ignore what they do not know: do not wait for them for ever. And say which ones
        do not introduce themselves at all; they may be slow, and are not ended."""
        for conn in list(self.book.conns.values()):
            if conn.introduction is not None or self.book.awaits_person(conn.spec.name):
                continue
            if not conn.dial.patient and conn.dial_since + PATIENCE <= self.book.now:
                for request in [key for key, one in conn.pending.items() if one is conn.dial]:
                    del conn.pending[request]
                    conn.manners.expect(request)
                conn.dial.postpone()
                self._speak(conn)
            elif not conn.overdue and conn.dial_since + conn.spec.timeout <= self.book.now:
                conn.overdue = unanswered(conn.spec.name, conn.spec.timeout)
                self.book.failures[conn.spec.name] = conn.overdue
                self.book.complain(conn, "silent", conn.overdue)

    def ended(self, event: ev.UpstreamEnded) -> None:
        conn = self.book.conns.get(event.conn)
        if conn is not None:
            self._end(conn, Made(error=self.book.sorry(INTERNAL_ERROR, event.reason)), event.reason)

    def _end(self, conn: Conn, outcome: Outcome, reason: str) -> None:
        if conn not in self.book.leaving:
            again = STARTED if conn.introduction is not None and conn.spec.command else TRIED
            self.book.rests.ended(conn.party.key, conn.spec.name, self.book.now, reason, again)
            self.revivals.ended(conn)
        self.book.drop(conn)
        self._let_down(conn, outcome, reason)

    def _let_down(self, conn: Conn, outcome: Outcome, reason: str) -> None:
        """Everybody who waits for something from this connection gets this instead."""
        book = self.book
        book.failures[conn.spec.name] = reason
        host = book.host_name(conn.party)
        book.emit(do.Record("server", host, conn.spec.name, outcome="ended", detail=reason))
        for part in [one for one in (*conn.pending.values(), *conn.backlog) if isinstance(one, Part)]:
            self.merge.lists.failed(part)
        for errand in [one for one in book.errands.values() if one.conn is conn]:
            self.wishes.live(errand, ev.UpstreamDied(outcome))

    def _may_renew(self, waiting: Errand | Part, envelope: Envelope) -> bool:
        """Once, by a server whose settings still hold, and not while it asks: the answer must not reach
        another connection."""
        asks = isinstance(waiting, Errand) and waiting.exchange.state is not State.CALLING
        once = not waiting.renewed and waiting.conn not in self.book.leaving
        return once and not asks and is_forgotten(waiting.conn, envelope)

    def _connect_anew(self, conn: Conn, waiting: Errand | Part, outcome: Outcome) -> None:
        """What the server did not want to know of an old connection is asked once more on a new one."""
        waiting.renewed = True
        self.book.drop(conn)
        party = waiting.party if isinstance(waiting, Errand) else waiting.gather.link.party
        waiting.conn = self.connect(party, conn.spec)
        waiting.conn.backlog.append(waiting)
        self._let_down(conn, outcome, say("no longer knew this connection"))
        self.book.emit(do.Disconnect(conn.id))

    # --- messages ------------------------------------------------------------------------------------

    def sent(self, event: ev.UpstreamSent) -> None:
        conn = self.book.conns.get(event.conn)
        if conn is None:
            return
        try:
            if event.envelope is not None:
                self._received(conn, event.data, event.envelope, event.about)
                return
            for data in jsonrpc.each(event.data):
                self._said(conn, data, event.about)
        except Malformed as error:
            self._note_malformed(conn, error)

    def unreached(self, event: ev.UpstreamUnreached) -> None:
        """What the server did not answer is answered in its place."""
        conn = self.book.conns.get(event.conn)
        if conn is not None:
            data = {"status": event.status} if event.status else None
            reply = jsonrpc.failure(event.request, self.book.sorry(UNREACHED, event.words, data))
            self._received(conn, reply, jsonrpc.peek(reply), event.request)

    def _note_malformed(self, conn: Conn, error: Malformed) -> None:
        self.book.complain(conn, "malformed", f"It sent what is no message: {error}.")

    def _said(self, conn: Conn, data: bytes, about: bytes) -> None:
        try:
            envelope = jsonrpc.peek(data)
        except Malformed as error:
            self._unreadable(conn, data, error)
            return
        try:
            self._received(conn, data, envelope, about)
        except Malformed as error:  # the rest of a batch may be fine
            self._note_malformed(conn, error)

    def _unreadable(self, conn: Conn, data: bytes, error: Malformed) -> None:
        """Whoever waits for this answer, as far as it can be told, need not wait till the time is out."""
        self._note_malformed(conn, error)
        found = _ID.search(data[:_NEAR]) or _ID.search(data[-_NEAR:])
        waiting = conn.pending.pop(found[1], None) if found else None
        words = say(
            "{server} sent an answer that cannot be read: {why}.", server=conn.spec.name, why=str(error)
        )
        body = self.book.sorry(INTERNAL_ERROR, words)
        if isinstance(waiting, Errand):
            self.wishes.live(waiting, ev.UpstreamReplied(Made(error=body)))
        elif isinstance(waiting, Part):
            self.merge.lists.failed(waiting)
        elif isinstance(waiting, Dial):
            self._heard(conn, Envelope(error=msgspec.Raw(body)))

    def _received(self, conn: Conn, data: bytes, envelope: Envelope, about: bytes) -> None:
        if envelope.method is not None:
            if len(envelope.id):
                self.inquiries.asked(conn, envelope, about)
            else:
                self._noted(conn, data, envelope, about)
            return
        waiting = conn.pending.pop(bytes(envelope.id), None)
        failed = len(envelope.error) > 0
        if failed and isinstance(waiting, Errand | Part) and self._may_renew(waiting, envelope):
            self._connect_anew(conn, waiting, Relayed(data, envelope))
        elif isinstance(waiting, Errand):
            self._replied(waiting, data, envelope)
        elif isinstance(waiting, Part):
            self.merge.lists.heard(waiting, envelope)
        elif isinstance(waiting, Glance):
            self.glances.heard(conn, waiting, envelope)
        elif waiting is not None:
            self._heard(conn, envelope)
        elif not conn.manners.expects(bytes(envelope.id)):
            said = bytes(envelope.id).decode(errors="replace")[:40] or "none"
            self.book.complain(conn, "stray", f"It answered what nobody asked, or what is over: id {said}.")

    def _noted(self, conn: Conn, data: bytes, envelope: Envelope, about: bytes) -> None:
        if conn.manners.is_flood(self.book.now):
            text = f"It sent more than {MOST_NOTES} notifications in a second; the rest was not passed on."
            self.book.complain(conn, "flood", text)
        else:
            self.notes.heard(conn, data, envelope, about)
            if envelope.method == TOOLS_CHANGED:
                self.glances.look(conn)

    def _replied(self, errand: Errand, data: bytes, envelope: Envelope) -> None:
        outcome: Outcome = Relayed(data, envelope)
        failed = outcome.failed
        try:
            if errand.method == "tools/list" and not failed:
                outcome, envelope = self._offered(errand, outcome, envelope)
            elif not failed and (errand.may_last or errand.method in tasks.BY_TASK):
                outcome, envelope = remade(self.chores.told(errand, bytes(envelope.result)))
            elif errand.method == tasks.LIST and errand.conn.spec.shared and not failed:
                listed = self.sharing.listed(errand, envelope.result)
                if listed is None:
                    return
                outcome, envelope = remade(listed)
            elif errand.merged and b'"resource_link"' in data:
                self.merge.lists.linked(errand.party, errand.conn.spec.name, envelope.result)
            event = self._translated(errand, envelope, failed) or ev.UpstreamReplied(outcome)
        except Malformed as error:
            name = errand.conn.spec.name
            words = say("{server} sent an answer that makes no sense: {why}.", server=name, why=str(error))
            event = ev.UpstreamReplied(Made(error=self.book.sorry(INTERNAL_ERROR, words)))
        if errand.method in LEARNT and not failed:
            errand.party.standing.learn(errand.conn.spec.name, errand.method, bytes(errand.envelope.params))
        self.wishes.live(errand, event)

    def _offered(self, errand: Errand, outcome: Outcome, envelope: Envelope) -> tuple[Outcome, Envelope]:
        more = b'"cursor"' in bytes(errand.envelope.params)
        self.book.pins.heard(errand.conn.spec.name, bytes(envelope.result), more)
        if not more:
            self._remember(errand.conn.spec, envelope)
        if self.book.rule(errand.link or errand.party).tools is None:
            return outcome, envelope
        return remade(self.merge.lists.offered(errand, envelope.result))

    def _remember(self, spec: ServerSpec, envelope: Envelope) -> None:
        """A list that is whole is worth keeping for the next start; one that makes no sense is not."""
        if self.book.servers.get(spec.name) == spec:  # not one that a host wraps under this name
            with suppress(Malformed):
                tools = jsonrpc.elements(jsonrpc.members(envelope.result).get("tools", b"[]"))
                if jsonrpc.read(Page, envelope.result).next_cursor is None:
                    self.merge.lists.remember(spec, "tools/list", b"[" + b",".join(tools) + b"]")

    def _translated(
        self, errand: Errand, envelope: Envelope, failed: bool
    ) -> ev.UpstreamReplied | ev.UpstreamAsked | ev.UpstreamSentAway | None:
        """What an upstream's answer means in the host's era; None: what it says."""
        if failed:
            if not len(envelope.error):
                raise Malformed("it has neither a result nor an error")
            return self._failed(errand, envelope)
        introduction = errand.conn.introduction
        if introduction is not None and introduction.era is MODERN:
            return self._returned(errand, envelope)
        if errand.presence.era is MODERN:
            return ev.UpstreamReplied(Made(translate.modern_result(errand.method, envelope.result)))
        return None

    def _failed(self, errand: Errand, envelope: Envelope) -> ev.UpstreamReplied | ev.UpstreamSentAway | None:
        known, era = errand.conn.introduction, errand.presence.era
        if known is not None and known.era is not era and errand.method == "resources/read":
            error = translate.resource_error(envelope.error, era)
            if error is not None:
                return ev.UpstreamReplied(Made(error=error))
        legacy = known is not None and known.era is Era.LEGACY
        return self.inquiries.links_first(errand, envelope) if legacy else None

    def _returned(self, errand: Errand, envelope: Envelope) -> ev.UpstreamReplied | ev.UpstreamAsked | None:
        """A modern server's result, for a host of either era."""
        wanted = self.inquiries.wants_input(errand, envelope) if errand.method in RESUMABLE else None
        if wanted is not None or errand.presence.era is Era.MODERN:
            return wanted
        result = translate.legacy_result(envelope.result)
        return None if result is None else ev.UpstreamReplied(Made(result))


def is_forgotten(conn: Conn, envelope: Envelope) -> bool:
    """Was this remote server restarted, or did it let us go? It has not done what it was asked for."""
    try:
        refused = jsonrpc.read(_Refused, envelope.error)
    except Malformed:
        return False
    return bool(conn.spec.url) and (refused.code, refused.data.status) == (UNREACHED, 404)


def speaks_for_itself(party: Party) -> bool:
    """May we say `initialized`? A legacy host says it itself, and it is passed on."""
    modern = party.presence.era is Era.MODERN
    return modern or party.shared or any(link.initialized for link in party.links.values())


def remade(result: bytes) -> tuple[Outcome, Envelope]:
    """A result of ours in place of the server's."""
    return Made(result), Envelope(result=msgspec.Raw(result))
