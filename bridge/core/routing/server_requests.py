"""What upstreams ask: whose call it is for, and the Question it becomes. Pure.

A modern server returns `input_required`, a legacy one asks mid-call, out of the blue, or by -32042.
"""

from __future__ import annotations

from dataclasses import replace

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.protocol import elicitation, jsonrpc, revisions, tasks, translate
from bridge.core.protocol.elicitation import Asked, Inquiry
from bridge.core.protocol.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Envelope,
    Made,
    Malformed,
    error_body,
)
from bridge.core.protocol.revisions import RESUMABLE, Era
from bridge.core.questions.question import Mode
from bridge.core.routing.exchange import DESK_CAN, Exchange, Via
from bridge.core.routing.exchange_runner import Wishes
from bridge.core.routing.peer_limits import MOST_ASKED
from bridge.core.routing.shared_servers import Sharing
from bridge.core.routing.state import Book, Conn, Errand, Handed, Party
from bridge.core.routing.who_asks import who_asks

_MOST_HANDED = 100  # of one host; a flood is forgotten
_ASKED_BY_CALLS = frozenset({"elicitation/create", "sampling/createMessage"})


class Inquiries:
    def __init__(self, book: Book, wishes: Wishes, sharing: Sharing) -> None:
        self.book = book
        self.wishes = wishes
        self.sharing = sharing

    def wants_input(self, errand: Errand, envelope: Envelope) -> ev.UpstreamAsked | None:
        """Did a modern upstream return `input_required`? A host that can do all of it gets it as it is."""
        returned = jsonrpc.read(elicitation.Returned, envelope.result)
        if returned.result_type != "input_required":
            return None
        inquiries = {key: jsonrpc.read(Inquiry, raw) for key, raw in returned.input_requests.items()}
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

    def links_first(self, errand: Errand, envelope: Envelope) -> ev.UpstreamSentAway | None:
        """Does a legacy server want links visited first (-32042)? A host that knows of it does it itself."""
        exchange, server = errand.exchange, errand.conn.spec.name
        links = elicitation.links_first(envelope.error)
        if not links or (exchange.via is Via.HOST_WAITS and Mode.URL in exchange.can):
            return None
        asked = [self._question(errand, link) for link in links]
        text = f"{server} wants a link opened first ({asked[0].question.url}), and that is not done. "
        text += "Call again when the person says that it is."
        body = error_body(INTERNAL_ERROR, text)
        refusal = (
            translate.said_no(text, errand.presence.era)
            if errand.method == "tools/call"
            else Made(error=body)
        )
        done = elicitation.done_visiting(asked[0].question, f"q{self.book.next()}")
        return ev.UpstreamSentAway({one.question.id: one for one in asked}, done, refusal)

    def _question(self, errand: Errand, inquiry: Inquiry) -> Asked:
        book = self.book
        host = book.host_name(errand.link or errand.party)
        asked = elicitation.asked(inquiry, f"q{book.next()}", errand.conn.spec.name, host)
        if errand.exchange.via is Via.HOST_WAITS:
            asked = elicitation.for_legacy_host(asked)
        elif errand.exchange.via is Via.HOST_RETURNS:
            asked = elicitation.for_modern_host(asked)
        tool = errand.name if errand.method == "tools/call" else ""
        if errand.merged and tasks.NAMED in asked.params:
            asked = asked._replace(params=tasks.published_relation(asked.params, errand.conn.spec.name))
        spec = errand.conn.spec
        first = not spec.builtin and spec.identity not in book.met
        question = replace(asked.question, tool=tool, arguments=errand.arguments, first=first)
        return asked._replace(question=book.dated(question))

    def asked(self, conn: Conn, envelope: Envelope, about: bytes) -> None:
        """A legacy server asks mid-call, or out of the blue."""
        method, server_id = envelope.method or "", bytes(envelope.id)
        if method == "ping":
            self.book.emit(do.Send(conn.id, jsonrpc.response(server_id, b"{}")))
            return
        if conn.introduction is not None and conn.introduction.era is Era.MODERN:
            body = error_body(
                METHOD_NOT_FOUND, f"In {revisions.MODERN_REVISION} a server returns what it asks."
            )
            self.book.emit(do.Send(conn.id, jsonrpc.failure(server_id, body)))
            return
        if len(conn.asked) >= MOST_ASKED:
            self.book.complain(conn, "flood", f"It asked more than {MOST_ASKED} questions at once.")
            body = error_body(INTERNAL_ERROR, "Too many questions are open.")
            self.book.emit(do.Send(conn.id, jsonrpc.failure(server_id, body)))
            return
        try:
            task = tasks.related(envelope.params)
            errand = self._asker(conn, method, about, task) or self._unprompted(conn, task)
            asked = self._question(errand, Inquiry(method, envelope.params))
        except Malformed as error:
            body = error_body(INVALID_PARAMS, f"The parameters of {method} make no sense: {error}.")
            self.book.emit(do.Send(conn.id, jsonrpc.failure(server_id, body)))
            return
        key = asked.question.id
        errand.inquiries[key] = server_id
        conn.asked[server_id] = (errand, key)
        self.book.errands[errand.id] = errand
        if errand.link is not None:
            errand.link.errands[errand.id] = errand
        self.wishes.live(errand, ev.UpstreamAsked({key: asked}))

    def _asker(self, conn: Conn, method: str, about: bytes, task: str | None) -> Errand | None:
        """Which call asks this? None: perhaps none, and the end of none must take the question along.

        A modern host is asked by returning a request of its own, and any that asks nothing yet will do: the
        answer goes back by the server's own id. But stateless hosts share a party: it may not be theirs.
        """
        known = conn.pending.get(about)
        if isinstance(known, Errand):
            return known
        calls = [e for e in conn.pending.values() if isinstance(e, Errand) and e.method in RESUMABLE]
        if task is not None or any(key != e.party.key for e in calls for key in conn.live.values()):
            return None  # a task asks, or may ask
        if len(calls) == 1 and method in _ASKED_BY_CALLS:
            return calls[0]
        returning = [e for e in calls if e.exchange.via is Via.HOST_RETURNS and not e.inquiries]
        return returning[0] if returning and (len(calls) == 1 or conn.party.private) else None

    def _unprompted(self, conn: Conn, task: str | None) -> Errand:
        """Nobody's call: ask the one host while it waits, if there is just one; else the Desk."""
        party = self._only_user(conn, task)
        link = next(iter(party.links.values())) if party.private and party.links else None
        via, can = who_asks(self.book.rule(link or party), party.presence)
        if link is None or via is Via.HOST_RETURNS:
            via = Via.DESK
        owner, exchange = link.party if link else conn.party, Exchange.of_server(via, can)
        merged = link is not None and link.merged
        return Errand(self.book.next(), exchange, link, owner, conn, party.presence, merged=merged)

    def _only_user(self, conn: Conn, task: str | None) -> Party:
        """The one host that can be concerned; of a shared connection there may be none."""
        if not conn.party.shared:
            return conn.party
        if task is not None:
            return self.sharing.owner(conn, task) or conn.party
        guests = conn.party.guests
        calling = {one.party.key: one.party for one in conn.pending.values() if isinstance(one, Errand)}
        working_for = calling | {key: guests[key] for key in conn.live.values()}
        users = list((working_for or guests).values())
        return users[0] if len(users) == 1 else conn.party
