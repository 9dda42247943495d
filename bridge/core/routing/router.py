"""The Router: which part of the core an event concerns. Pure: Events in, Commands out.

The life of a request is in exchange.py, the words of each era in core/protocol, what hosts say in
from_hosts.py, what servers say in from_servers.py, server_requests.py and notifications.py, what an Exchange
wishes in exchange_runner.py, who hears of changes in subscriptions.py, many servers in merged_server.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.policy.rules import Policy
from bridge.core.policy.tool_pins import Pins
from bridge.core.ports import ServerSpec
from bridge.core.protocol.handshake import unanswered
from bridge.core.protocol.jsonrpc import INTERNAL_ERROR, UNANSWERED, Made, error_body
from bridge.core.protocol.request_state import Tickets
from bridge.core.protocol.translate import said_no
from bridge.core.questions.question import CANCEL, EXPIRED, Action, Answer, Mode, Question
from bridge.core.routing import question_history
from bridge.core.routing.clock_changes import Sleeps
from bridge.core.routing.exchange import State
from bridge.core.routing.exchange_runner import CONFIRM_KEY, Wishes
from bridge.core.routing.from_hosts import HostSide
from bridge.core.routing.from_servers import UpstreamSide
from bridge.core.routing.reload import Reload
from bridge.core.routing.running_calls import Underway
from bridge.core.routing.sign_in_state import SignIns
from bridge.core.routing.snooze import Quiet, turned_away
from bridge.core.routing.state import Book, Errand, Link, Party
from bridge.core.routing.unanswered import left_alone

ALLOWED = Answer(Action.ACCEPT)
IDLE_PARTY = 300.0  # seconds after which a stateless host's connections are closed


class Router:
    def __init__(
        self,
        servers: Mapping[str, ServerSpec],
        policy: Policy,
        ticket_key: bytes,
        question_limit: float = 300.0,
        remembered: Mapping[tuple[str, str], bytes] | None = None,
        met: Iterable[str] = (),
        pinned: Mapping[tuple[str, str], bytes] | None = None,
    ) -> None:
        tickets = Tickets(ticket_key)
        self.book = Book(servers, policy, question_limit)
        self.book.remembered.update(remembered or {})
        self.book.met.update(met)
        self.book.pins = Pins(self.book.remembered, pinned)
        self.wishes = Wishes(self.book, tickets)
        self.upstreams = UpstreamSide(self.book, self.wishes)
        self.hosts = HostSide(self.book, self.wishes, self.upstreams, tickets)
        self.reload = Reload(self.book, self.wishes, self.upstreams.merge, self.upstreams.revivals)
        self.quiet = Quiet(self.book, self._settle)
        self.sign_ins = SignIns(self.book, self.wishes)
        self.underway = Underway(self.book, self.wishes)
        self.sleeps = Sleeps(self.book)
        self._table: dict[type, Callable[[Any], None]] = {
            ev.HostSent: self.hosts.sent,
            ev.UpstreamSent: self.upstreams.sent,
            ev.LinkOpened: self._link_opened,
            ev.LinkClosed: self._link_closed,
            ev.UpstreamUnreached: self.upstreams.unreached,
            ev.UpstreamEnded: self.upstreams.ended,
            ev.PersonAnswered: self._person_answered,
            ev.Snoozed: self.quiet.snoozed,
            ev.Resumed: self.quiet.resumed,
            ev.Muted: self.quiet.muted,
            ev.Unmuted: self.quiet.unmuted,
            ev.Spared: self.quiet.spared,
            ev.DeskbellAsked: self._deskbell_asked,
            ev.DeskbellWithdrew: self._deskbell_withdrew,
            ev.SignInChanged: self.sign_ins.changed,
            ev.SecretsAwaited: self.sign_ins.secrets_awaited,
            ev.CallCancelled: self.underway.cancelled,
            ev.RestartWanted: self.reload.restart,
            ev.ServerRenamed: self.reload.renamed,
            ev.TimePassed: self._time_passed,
            ev.ClockRead: self.sleeps.clock_read,
            ev.SettingsChanged: self.reload.changed,
            ev.QuitRequested: self._quit,
        }

    def feed(self, event: ev.Event) -> list[do.Command]:
        out: list[do.Command] = []
        self.book.out = out
        self._table[type(event)](event)
        while self.book.turned_away:
            self._conclude(*self.book.turned_away.pop(0))
        if self.book.leaving:
            self.reload.let_go()
        return out

    @property
    def pace(self) -> float:
        """In how many seconds TimePassed is wanted; 0 when nothing waits for it."""
        book = self.book
        under_way = book.errands or book.gathers or book.revivals or book.desk.waiting()
        if under_way or any(conn.introduction is None for conn in book.conns.values()):
            return 1.0
        idle = 60.0 if any(not party.private for party in book.parties.values()) else 0.0
        return self.quiet.pace or idle

    # --- Links ---------------------------------------------------------------------------------------

    def _link_opened(self, event: ev.LinkOpened) -> None:
        book = self.book
        key = event.caller.party or f"link:{event.link}"
        party = book.parties.get(key)
        if party is None:
            party = book.parties[key] = Party(key, private=not event.caller.party)
        book.links[event.link] = party.links[event.link] = Link(event.link, event.caller, party)

    def _link_closed(self, event: ev.LinkClosed) -> None:
        link = self.book.links.pop(event.link, None)
        if link is None:
            return
        if event.why:
            self.book.complain_of(link, "hung up", event.why)
        link.asked.clear()  # nothing can be said to it any more
        for errand in list(link.errands.values()):
            self.wishes.live(errand, ev.HostLeft())
        for gather in list(link.gathers):
            self.upstreams.merge.lists.left(gather)
        self.wishes.listening.end_all(link)
        del link.party.links[link.id]
        if link.party.private:
            self._close_party(link.party)

    def _close_party(self, party: Party) -> None:
        for errand in [e for e in self.book.errands.values() if e.party is party]:
            self.wishes.live(errand, ev.HostLeft())
        for conn in [conn for conn in self.book.conns.values() if conn.party is party]:
            self.book.drop(conn)
            self.book.emit(do.Disconnect(conn.id))
        for conn in self.book.conns.values():
            if conn.party.guests.pop(party.key, None) is not None:  # it shared this one
                conn.party.used = self.book.now
                conn.live = {task: owner for task, owner in conn.live.items() if owner != party.key}
                self.wishes.listening.leave(conn, party)
        self.book.rests.forget(party.key)
        if party.private:  # a stateless one may come back for its tasks
            self.book.owners.forget(party.key)
        self.book.parties.pop(party.key, None)  # that of a shared connection went with it

    # --- the person ----------------------------------------------------------------------------------

    def _deskbell_asked(self, event: ev.DeskbellAsked) -> None:
        question = self.book.dated(event.question)
        away = turned_away(self.book, question)
        if away is not None:
            self._tell_deskbell(question, *away)
            return
        self.book.emit(do.Show(self.book.desk.put(question, None)))

    def _tell_deskbell(self, question: Question, answer: Answer, outcome: str) -> None:
        """What the person typed is not for the history."""
        book = self.book
        book.left(question)
        book.emit(question_history.line(question, outcome, book.epoch - question.asked_at))
        book.emit(do.Heard(question.id, answer))

    def _deskbell_withdrew(self, event: ev.DeskbellWithdrew) -> None:
        self._settle(event.question, CANCEL, "withdrawn")

    def _person_answered(self, event: ev.PersonAnswered) -> None:
        visitor = self.wishes.end_visit(event.question)
        if visitor is None:
            answer = event.answer
            self._settle(event.question, answer, answer.unanswered or answer.action.value)
        elif event.answer.action is Action.CANCEL:
            self._call_off(visitor)

    def _call_off(self, errand: Errand) -> None:
        """The person went to a page, and does not want to go on."""
        text = f"The person cancelled this on the page {errand.conn.spec.name} had sent them to."
        body = Made(error=error_body(INTERNAL_ERROR, text))
        self.wishes.live(
            errand, ev.TimedOut(said_no(text, errand.presence.era) if errand.method == "tools/call" else body)
        )

    def _settle(self, question_id: str, answer: Answer, outcome: str) -> None:
        """A Question leaves the Desk with this Answer. One that is not there was answered before."""
        book = self.book
        found = book.desk.take(question_id)
        if found is None:
            return
        question, asker = found
        book.emit(do.TakeBack(question.id))
        if asker is None:
            self._tell_deskbell(question, answer, outcome)
            return
        errand, key = asker
        errand.shown.pop(key, None)
        if question.first and outcome in (Action.ACCEPT, Action.DECLINE):
            self._meet(errand.conn.spec)
        if answer.action is Action.ACCEPT:
            book.floods.welcomed(question.server)
        book.left(question)
        self._conclude(question, errand, key, answer, outcome)

    def _conclude(self, question: Question, errand: Errand, key: str, answer: Answer, outcome: str) -> None:
        """A Question ends with this Answer."""
        book = self.book
        told = question_history.line(question, outcome, book.epoch - question.asked_at, answer)
        book.recall(told, errand)
        end = left_alone(book, errand, question, answer)
        if end is not None:
            self.wishes.live(errand, end)
            return
        if question.mode is not Mode.CONFIRM:
            self.wishes.live(errand, ev.Answered(key, Made(answer.result(why=errand.conn.spec.builtin))))
            if question.mode is Mode.URL and answer.action is Action.ACCEPT and errand.id in book.errands:
                book.visits.begin(question, errand, book.now + book.question_limit)
            return
        self.wishes.live(errand, ev.Confirmed(answer))
        if answer.always and answer.action is Action.ACCEPT:
            spec = errand.conn.spec
            if not spec.builtin and book.pins.approve(spec.name, errand.name):
                book.emit(do.Pin())
            if not question.change:
                book.emit(do.AllowAlways(errand.public, errand.table, question.host))
            same = [one for one in book.errands.values() if (one.public, one.table) == key_of(errand)]
            for waiting in [one.shown[CONFIRM_KEY] for one in same if CONFIRM_KEY in one.shown]:
                self._settle(waiting, ALLOWED, ALLOWED.action.value)

    def _meet(self, spec: ServerSpec) -> None:
        if spec.identity not in self.book.met:
            self.book.met.add(spec.identity)
            self.book.emit(do.Meet(spec.identity))

    # --- time ----------------------------------------------------------------------------------------

    def _time_passed(self, event: ev.TimePassed) -> None:
        book = self.book
        self.quiet.time_passed()
        for question_id in book.desk.expired(book.epoch):
            self._settle(question_id, EXPIRED, EXPIRED.unanswered)
        for question_id in book.visits.expired(book.now):
            self.wishes.end_visit(question_id)
        for errand in [one for one in book.errands.values() if one.relayed]:
            self.wishes.expire(errand)
        for errand in list(book.errands.values()):
            busy = kept_waiting(errand) or book.visits.of(errand) or book.awaits_person(errand.conn.spec.name)
            if errand.deadline and errand.deadline <= book.now and not busy:
                self._run_out(errand)
        self.underway.note()
        self.upstreams.hurry()
        self.upstreams.revivals.due()
        for gather in [g for g in book.gathers if g.deadline <= book.now]:
            self.upstreams.merge.lists.serve(gather)
        for party in list(book.parties.values()):
            alone = not party.private and not party.links and not party.guests
            if alone and party.used + IDLE_PARTY <= book.now:
                self._close_idle(party)

    def _close_idle(self, party: Party) -> None:
        if not any(errand.party is party for errand in self.book.errands.values()):
            self._close_party(party)

    def _run_out(self, errand: Errand) -> None:
        server = errand.conn.spec
        words = unanswered(server.name, server.timeout)
        self.wishes.live(errand, ev.TimedOut(Made(error=self.book.sorry(UNANSWERED, words))))

    # --- the end -------------------------------------------------------------------------------------

    def _quit(self, event: ev.QuitRequested) -> None:
        book = self.book
        for question in book.desk.waiting():
            if question.mode is not Mode.CONFIRM:  # an approval goes with its call
                self._settle(question.id, CANCEL, CANCEL.action.value)
        self.wishes.listening.close()
        closing = Made(error=error_body(INTERNAL_ERROR, "Deskbell is closing."))
        for errand in list(book.errands.values()):
            self.wishes.live(errand, ev.TimedOut(closing))
        for gather in list(book.gathers):
            self.upstreams.merge.lists.serve(gather)
        for conn in list(book.conns.values()):
            book.drop(conn)
            book.emit(do.Disconnect(conn.id))
        for link in book.links:
            book.emit(do.HangUp(link))


def key_of(errand: Errand) -> tuple[str, str]:
    """Which approvals are the same: of one tool, by the rules of one table."""
    return errand.public, errand.table


def kept_waiting(errand: Errand) -> bool:
    """Does its server wait for a person? It does not say for which of its calls: none of them runs out, save
    those of other hosts where it is known whose it is."""
    asking = (asker.party for asker, _ in errand.conn.asked.values())
    return errand.exchange.state is State.CALLING and any(
        party in (errand.party, errand.conn.party) for party in asking
    )
