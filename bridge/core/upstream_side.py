"""What upstreams say: introductions, replies, questions, notes. Finds the Errand; lets it live on. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from math import ceil

import msgspec

from bridge.core import commands as do
from bridge.core import detours, eras, messages, tasks
from bridge.core import events as ev
from bridge.core.asking import who_asks
from bridge.core.chores import Chores
from bridge.core.dial import PATIENCE, Dial, Introduction
from bridge.core.eras import RESUMABLE, STRANGER, Asked, Era, Inquiry, Presence
from bridge.core.exchange import DESK_CAN, Exchange, State, Via
from bridge.core.manners import MOST_ASKED, MOST_NOTES
from bridge.core.merge import Merge
from bridge.core.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    UNREACHED,
    Envelope,
    Made,
    Malformed,
    Outcome,
    Relayed,
    error_body,
)
from bridge.core.notes import Notes
from bridge.core.ports import ServerSpec
from bridge.core.questions import Mode
from bridge.core.revivals import Revivals
from bridge.core.routes import Resting
from bridge.core.standing import LEARNT
from bridge.core.state import Book, Conn, Errand, Handed, Part, Party
from bridge.core.tasks import BY_TASK
from bridge.core.wishes import Wishes

_ID = re.compile(rb'"id"\s*:\s*(\d+)')
_NEAR = 200  # bytes from either end of a message, where its id is
_MOST_HANDED = 100  # of one host; a flood is forgotten
_ASKED_BY_CALLS = frozenset({"elicitation/create", "sampling/createMessage"})


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
        self.chores = Chores(book, wishes)
        self.notes = Notes(book, wishes, self.chores)

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
            seconds = ceil(rest.until - self.book.now)
            text = f"{spec.name} keeps ending ({rest.reason}). It is tried again in {seconds} s."
            raise Resting(text)
        self.book.parties[party.key] = party  # news only of one that owns a shared connection
        conn = Conn(self.book.next(), spec, party, Dial(self._face(party)))
        self.book.conns[conn.id] = party.conns[spec.name] = conn
        self.book.emit(do.Connect(conn.id, spec))
        self._speak(conn)
        return conn

    def _face(self, party: Party) -> Presence:
        """A host as its server sees it. It makes tasks of what it is asked only where it is asked everything,
        and where no other server could look at them."""
        presence = party.presence
        merged = any(link.merged for link in party.links.values())
        _, can = who_asks(self.book.rule(party), presence)
        if not merged and can >= DESK_CAN:
            return presence
        return presence._replace(capabilities=eras.without_own_tasks(presence.capabilities, merged))

    def _common(self, guest: Party, spec: ServerSpec) -> Party:
        """Who owns the one connection to a shared server. It speaks for no host: it can only elicit."""
        key = f"shared:{spec.name}"
        party = self.book.parties.get(key)
        if party is None:
            party = Party(key, private=False, shared=True)
            party.presence = STRANGER._replace(era=guest.presence.era)
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
        if conn.introduction.era is Era.LEGACY and speaks_for_itself(conn.party):
            self.book.emit(do.Send(conn.id, messages.notification("notifications/initialized")))
            self._restore(conn, conn.introduction)
        self.merge.introduced(conn, conn.introduction)
        self.wishes.listening.introduced(conn, conn.introduction)
        backlog, conn.backlog = conn.backlog, []
        for waiting in backlog:
            if isinstance(waiting, Part):
                self.merge.lists.ask(waiting)
            else:
                self.wishes.call(waiting)

    def _restore(self, conn: Conn, introduction: Introduction) -> None:
        """What hosts have settled with an earlier connection. The answers are nobody's business."""
        for user in (conn.party, *conn.party.guests.values()):
            for method, params in user.standing.again(conn.spec.name, introduction.has("logging")):
                self.book.tell(conn, method, params)

    def _try_next(self, conn: Conn) -> None:
        if not conn.dial.exhausted:
            self._speak(conn)
            return
        self._end(conn, Made(error=conn.dial.problem), f"would not connect: {conn.dial.complaint}")
        self.book.emit(do.Disconnect(conn.id))

    def hurry(self) -> None:
        """Some legacy servers ignore what they do not know: do not wait for them for ever."""
        for conn in list(self.book.conns.values()):
            waits = conn.introduction is None and not self.book.awaits_person(conn.spec.name)
            if waits and not conn.dial.patient and conn.dial_since + PATIENCE <= self.book.now:
                for request in [key for key, one in conn.pending.items() if one is conn.dial]:
                    del conn.pending[request]
                    conn.manners.expect(request)
                conn.dial.postpone()
                self._speak(conn)

    def ended(self, event: ev.UpstreamEnded) -> None:
        conn = self.book.conns.get(event.conn)
        if conn is not None:
            self._end(conn, Made(error=error_body(INTERNAL_ERROR, event.reason)), event.reason)

    def _end(self, conn: Conn, outcome: Outcome, reason: str) -> None:
        if conn not in self.book.leaving:
            self.book.rests.ended(conn.party.key, conn.spec.name, self.book.now, reason)
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
        self._let_down(conn, outcome, "no longer knew this connection")
        self.book.emit(do.Disconnect(conn.id))

    # --- messages ------------------------------------------------------------------------------------

    def sent(self, event: ev.UpstreamSent) -> None:
        conn = self.book.conns.get(event.conn)
        if conn is None:
            return
        try:
            for data in messages.each(event.data):
                self._said(conn, data, event.about)
        except Malformed as error:
            self._note_malformed(conn, error)

    def _note_malformed(self, conn: Conn, error: Malformed) -> None:
        self.book.complain(conn, "malformed", f"It sent what is no message: {error}.")

    def _said(self, conn: Conn, data: bytes, about: bytes) -> None:
        try:
            envelope = messages.peek(data)
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
        body = error_body(INTERNAL_ERROR, f"{conn.spec.name} sent an answer that cannot be read: {error}.")
        if isinstance(waiting, Errand):
            self.wishes.live(waiting, ev.UpstreamReplied(Made(error=body)))
        elif isinstance(waiting, Part):
            self.merge.lists.failed(waiting)
        elif waiting is not None:
            self._heard(conn, Envelope(error=msgspec.Raw(body)))

    def _received(self, conn: Conn, data: bytes, envelope: Envelope, about: bytes) -> None:
        if envelope.method is not None:
            if len(envelope.id):
                self._asked(conn, envelope, about)
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

    def _replied(self, errand: Errand, data: bytes, envelope: Envelope) -> None:
        outcome: Outcome = Relayed(data, envelope)
        try:
            if not outcome.failed and (errand.may_last or errand.method in BY_TASK):
                outcome, envelope = remade(self.chores.told(errand, bytes(envelope.result)))
            elif errand.method == "tools/list" and not outcome.failed:
                outcome, envelope = self._offered(errand, outcome, envelope)
            elif errand.merged and b'"resource_link"' in data:
                self.merge.lists.linked(errand.party, errand.conn.spec.name, envelope.result)
            event = self._translated(errand, envelope, outcome.failed) or ev.UpstreamReplied(outcome)
        except Malformed as error:
            text = f"{errand.conn.spec.name} sent an answer that makes no sense: {error}."
            event = ev.UpstreamReplied(Made(error=error_body(INTERNAL_ERROR, text)))
        if errand.method in LEARNT and not outcome.failed:
            errand.party.standing.learn(errand.conn.spec.name, errand.method, bytes(errand.envelope.params))
        self.wishes.live(errand, event)

    def _offered(self, errand: Errand, outcome: Outcome, envelope: Envelope) -> tuple[Outcome, Envelope]:
        if self.book.rule(errand.link or errand.party).tools is None:
            return outcome, envelope
        return remade(self.merge.lists.offered(errand, envelope.result))

    def _translated(
        self, errand: Errand, envelope: Envelope, failed: bool
    ) -> ev.UpstreamReplied | ev.UpstreamAsked | ev.UpstreamSentAway | None:
        """What an upstream's answer means in the host's era; None: what it says."""
        if failed:
            if not len(envelope.error):
                raise Malformed("it has neither a result nor an error")
            return self._failed(errand, envelope)
        introduction = errand.conn.introduction
        if introduction is not None and introduction.era is Era.MODERN:
            return self._returned(errand, envelope)
        if errand.presence.era is Era.MODERN:
            return ev.UpstreamReplied(Made(eras.modern_result(errand.method, envelope.result)))
        return None

    def _failed(self, errand: Errand, envelope: Envelope) -> ev.UpstreamReplied | ev.UpstreamSentAway | None:
        known, era = errand.conn.introduction, errand.presence.era
        if known is not None and known.era is not era and errand.method == "resources/read":
            error = eras.resource_error(envelope.error, era)
            if error is not None:
                return ev.UpstreamReplied(Made(error=error))
        legacy = known is not None and known.era is Era.LEGACY
        return self._links_first(errand, envelope) if legacy else None

    def _returned(self, errand: Errand, envelope: Envelope) -> ev.UpstreamReplied | ev.UpstreamAsked | None:
        """A modern server's result, for a host of either era."""
        wanted = self._wants_input(errand, envelope) if errand.method in RESUMABLE else None
        if wanted is not None or errand.presence.era is Era.MODERN:
            return wanted
        result = eras.legacy_result(envelope.result)
        return None if result is None else ev.UpstreamReplied(Made(result))

    # --- questions -----------------------------------------------------------------------------------

    def _wants_input(self, errand: Errand, envelope: Envelope) -> ev.UpstreamAsked | None:
        """Did a modern upstream return `input_required`? A host that can do all of it gets it as it is."""
        returned = eras.read(eras.Returned, envelope.result)
        if returned.result_type != "input_required":
            return None
        inquiries = {key: eras.read(Inquiry, raw) for key, raw in returned.input_requests.items()}
        questions = {key: self._question(errand, inquiry) for key, inquiry in inquiries.items()}
        exchange = errand.exchange
        modes = {asked.question.mode for asked in questions.values()}
        if exchange.via is Via.HOST_RETURNS and modes <= exchange.can:
            self._hand_over(errand, questions)
            return None
        return ev.UpstreamAsked(questions, bytes(returned.request_state))

    def _hand_over(self, errand: Errand, questions: dict[str, Asked]) -> None:
        """The Exchange ends here, but how quickly the host comes back tells whether anybody was asked."""
        handed = errand.party.handed
        if len(handed) >= _MOST_HANDED:
            handed.clear()
        keys = frozenset(key for key, asked in questions.items() if asked.question.mode in DESK_CAN)
        handed[errand.target] = Handed(self.book.epoch, keys)

    def _links_first(self, errand: Errand, envelope: Envelope) -> ev.UpstreamSentAway | None:
        """Does a legacy server want links visited first (-32042)? A host that knows of it does it itself."""
        exchange, server = errand.exchange, errand.conn.spec.name
        links = detours.links_first(envelope.error)
        if not links or (exchange.via is Via.HOST_WAITS and Mode.URL in exchange.can):
            return None
        asked = [self._question(errand, link) for link in links]
        text = f"{server} wants a link opened first ({asked[0].question.url}), and that is not done. "
        text += "Call again when the person says that it is."
        body = error_body(INTERNAL_ERROR, text)
        refusal = eras.said_no(text) if errand.method == "tools/call" else Made(error=body)
        done = detours.done_visiting(asked[0].question, f"q{self.book.next()}")
        return ev.UpstreamSentAway({one.question.id: one for one in asked}, done, refusal)

    def _question(self, errand: Errand, inquiry: Inquiry) -> Asked:
        book = self.book
        host = book.host_name(errand.link or errand.party)
        asked = eras.asked(inquiry, f"q{book.next()}", errand.conn.spec.name, host)
        if errand.exchange.via is Via.HOST_WAITS:
            asked = eras.for_legacy_host(asked)
        elif errand.exchange.via is Via.HOST_RETURNS:
            asked = eras.for_modern_host(asked)
        tool = errand.name if errand.method == "tools/call" else ""
        if errand.merged and tasks.NAMED in asked.params:
            asked = asked._replace(params=tasks.published_relation(asked.params, errand.conn.spec.name))
        spec = errand.conn.spec
        first = not spec.builtin and spec.identity not in book.met
        question = replace(asked.question, tool=tool, arguments=errand.arguments, first=first)
        return asked._replace(question=book.dated(question))

    def _asked(self, conn: Conn, envelope: Envelope, about: bytes) -> None:
        """A legacy server asks mid-call, or out of the blue."""
        method, server_id = envelope.method or "", bytes(envelope.id)
        if method == "ping":
            self.book.emit(do.Send(conn.id, messages.response(server_id, b"{}")))
            return
        if conn.introduction is not None and conn.introduction.era is Era.MODERN:
            body = error_body(METHOD_NOT_FOUND, f"In {eras.MODERN_REVISION} a server returns what it asks.")
            self.book.emit(do.Send(conn.id, messages.failure(server_id, body)))
            return
        if len(conn.asked) >= MOST_ASKED:
            self.book.complain(conn, "flood", f"It asked more than {MOST_ASKED} questions at once.")
            body = error_body(INTERNAL_ERROR, "Too many questions are open.")
            self.book.emit(do.Send(conn.id, messages.failure(server_id, body)))
            return
        errand = self._asker(conn, method, about) or self._unprompted(conn)
        try:
            asked = self._question(errand, Inquiry(method, envelope.params))
        except Malformed as error:
            body = error_body(INVALID_PARAMS, f"The parameters of {method} make no sense: {error}.")
            self.book.emit(do.Send(conn.id, messages.failure(server_id, body)))
            return
        key = asked.question.id
        errand.inquiries[key] = server_id
        conn.asked[server_id] = (errand, key)
        self.book.errands[errand.id] = errand
        if errand.link is not None:
            errand.link.errands[errand.id] = errand
        self.wishes.live(errand, ev.UpstreamAsked({key: asked}))

    def _asker(self, conn: Conn, method: str, about: bytes) -> Errand | None:
        """Which call asks this? None: perhaps none, and the end of none must take the question along.

        A modern host is asked by returning a request of its own, and any that asks nothing yet will do: the
        answer goes back by the server's own id. But stateless hosts share a party: it may not be theirs.
        """
        known = conn.pending.get(about)
        if isinstance(known, Errand):
            return known
        calls = [e for e in conn.pending.values() if isinstance(e, Errand) and e.method in RESUMABLE]
        if len(calls) == 1 and method in _ASKED_BY_CALLS:
            return calls[0]
        returning = [e for e in calls if e.exchange.via is Via.HOST_RETURNS and not e.inquiries]
        return returning[0] if returning and (len(calls) == 1 or conn.party.private) else None

    def _unprompted(self, conn: Conn) -> Errand:
        """Nobody's call: ask the one host while it waits, if there is just one; else the Desk."""
        party = self._only_user(conn)
        link = next(iter(party.links.values())) if party.private and party.links else None
        via, can = who_asks(self.book.rule(link or party), party.presence)
        if link is None or via is Via.HOST_RETURNS:
            via = Via.DESK
        errand = Errand(self.book.next(), Exchange(b"", via, can), link, conn, party.presence)
        errand.merged = link is not None and link.merged
        return errand

    def _only_user(self, conn: Conn) -> Party:
        """The one host that can be concerned; of a shared connection there may be none."""
        calling = {one.party.key: one.party for one in conn.pending.values() if isinstance(one, Errand)}
        users = list((calling or conn.party.guests).values())
        return users[0] if conn.party.shared and len(users) == 1 else conn.party


def is_forgotten(conn: Conn, envelope: Envelope) -> bool:
    """Was this remote server restarted, or did it let us go? It has not done what it was asked for."""
    try:
        refused = eras.read(_Refused, envelope.error)
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
