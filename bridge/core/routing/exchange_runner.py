"""Carrying out what an Exchange wishes, in the words of whichever wire it concerns.

Pure: LifeCommands become Commands. Nothing here decides what happens next; exchange.py does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.protocol import elicitation, handshake, jsonrpc, log_levels, tasks, translate
from bridge.core.protocol.handshake import Introduction
from bridge.core.protocol.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    Made,
    Malformed,
    Outcome,
    edit,
    error_body,
    members,
)
from bridge.core.protocol.request_state import Tickets, binding
from bridge.core.protocol.revisions import MODERN, Era
from bridge.core.questions.question import Question
from bridge.core.routing import question_history
from bridge.core.routing.exchange import ASKING, CALLING, DESK_CAN, DONE, State, Via
from bridge.core.routing.snooze import turned_away
from bridge.core.routing.state import Book, Conn, Errand, Link
from bridge.core.routing.subscriptions import LISTEN, Listening

_SILENT_IN_MODERN = frozenset({"ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"})
_MAY_STAY = frozenset({"initialize", "server/discover", LISTEN, *_SILENT_IN_MODERN})  # and need no upstream
_PERSONS = (ASKING, State.CONFIRMING)  # who has to do something next
UNTIMED = frozenset({LISTEN, tasks.RESULT})  # what takes as long as it takes


class Wishes:
    def __init__(self, book: Book, tickets: Tickets) -> None:
        self.book = book
        self.tickets = tickets
        self.listening = Listening(book)

    def live(self, errand: Errand, event: ev.LifeEvent) -> None:
        """Let an Exchange live through an event, and do as it wishes."""
        exchange = errand.exchange
        for wish in exchange.on(event):
            _WISHES[type(wish)](self, errand, wish)
        state = exchange.state
        if errand.thinks_since is not None or state in _PERSONS:
            self._count_thinking(errand, state in _PERSONS)
        if state is DONE:
            self._finish(errand)
        elif state is ASKING:
            errand.deadline = 0.0  # a person thinks
        elif state is CALLING and not errand.deadline:
            self.start_clock(errand)

    def _count_thinking(self, errand: Errand, thinks: bool) -> None:
        now = self.book.now
        since = now if errand.thinks_since is None else errand.thinks_since
        errand.thinks_since = since if thinks else None
        errand.thought += 0.0 if thinks else now - since

    def start_clock(self, errand: Errand) -> None:
        if errand.method not in UNTIMED:
            errand.deadline = self.book.now + errand.conn.spec.timeout

    def _finish(self, errand: Errand) -> None:
        if self.book.errands.pop(errand.id, None) is None:
            return
        if errand.link is not None:
            errand.link.errands.pop(errand.id, None)
            errand.link.requests.pop(errand.exchange.request, None)
        errand.conn.pending.pop(errand.upstream_id, None)
        if self.book.visits:
            for question_id in self.book.visits.of(errand):
                self.end_visit(question_id)
        self.listening.end_kept(errand)
        for server_id in errand.inquiries.values():
            self.close_inquiry(errand.conn, server_id)
        if errand.method == "tools/call":
            self._record(errand)

    def close_inquiry(self, conn: Conn, server_id: bytes) -> None:
        """A server's own request is over. Any of its calls may have waited for that: their clocks restart."""
        conn.asked.pop(server_id, None)
        if not conn.asked:
            for one in conn.pending.values():
                if isinstance(one, Errand) and one.exchange.state is State.CALLING:
                    self.start_clock(one)

    # --- the call ------------------------------------------------------------------------------------

    def call(self, errand: Errand, wish: do.Call | None = None) -> None:
        conn = errand.conn
        if conn.introduction is None:
            conn.backlog.append(errand)
            return
        if errand.method in _MAY_STAY and self._stays(errand, conn.introduction):
            return
        if errand.level:
            self._set_level(errand, conn.introduction)
        upstream_id = self._post(errand)
        try:
            if self._adapt(errand, upstream_id):
                data = jsonrpc.readdress(errand.data, errand.envelope, upstream_id, errand.params)
            else:
                data = jsonrpc.readdress(errand.data, errand.envelope, upstream_id)
        except Malformed as error:
            self._unsendable(errand, error)
            return
        self.book.emit(do.Send(conn.id, data))

    def _stays(self, errand: Errand, introduction: Introduction) -> bool:
        """Whether there is nothing to send for it, now or ever."""
        try:
            if self._kept_here(errand, introduction):
                return True
            here = self._answer_here(errand, introduction)
        except Malformed as error:
            self._unsendable(errand, error)
            return True
        if here is not None:
            self.live(errand, ev.UpstreamReplied(here))
        return here is not None

    def _set_level(self, errand: Errand, introduction: Introduction) -> None:
        """A legacy server is told once which log messages a modern host asks for with each request."""
        conn = errand.conn
        legacy = introduction.era is Era.LEGACY and introduction.has("logging")
        level = self.book.common_level(conn, errand.party, errand.level)
        if legacy and conn.level != level:
            conn.level = level
            params = edit(b"", {"level": jsonrpc.quote(level)})
            self.book.tell(conn, "logging/setLevel", params)

    def _unsendable(self, errand: Errand, error: Malformed) -> None:
        body = error_body(INVALID_PARAMS, f"This {errand.method} makes no sense: {error}.")
        self.live(errand, ev.UpstreamDied(Made(error=body)))

    def _post(self, errand: Errand) -> bytes:
        errand.upstream_id = upstream_id = b"%d" % self.book.next()
        errand.conn.pending[upstream_id] = errand
        self.start_clock(errand)
        return upstream_id

    def _kept_here(self, errand: Errand, introduction: Introduction) -> bool:
        """A modern host listens: a legacy server has no word for it, so that its request waits here."""
        listens = errand.method == LISTEN and errand.presence.era is Era.MODERN
        if listens and introduction.era is Era.LEGACY:
            self.listening.keep(errand, introduction, cast(Link, errand.link))
            return True
        return False

    def _answer_here(self, errand: Errand, introduction: Introduction) -> Outcome | None:
        """What needs no upstream: introductions across eras, and what the other era has no word for."""
        presence, method = errand.presence, errand.method
        if introduction.era is Era.LEGACY:
            if method == "initialize":
                return Made(bytes(handshake.initialize_answer(introduction.result, presence.revision)))
            if method == "server/discover":
                return Made(handshake.discover_from_initialize(introduction.result))
        elif method == "initialize":
            return Made(handshake.initialize_from_discover(introduction.result, presence.revision))
        elif method in _SILENT_IN_MODERN:
            self._heed(errand)
            return Made(b"{}")
        return None

    def _heed(self, errand: Errand) -> None:
        """What a legacy host says once, a modern server hears by other requests."""
        if errand.method == "logging/setLevel":
            errand.party.level = log_levels.log_level(errand.envelope.params)
        elif errand.method != "ping":
            self.listening.subscribe(errand)

    def _adapt(self, errand: Errand, upstream_id: bytes) -> bool:
        """Give the errand the params its upstream needs. False: the host's own are right as they are."""
        introduction, presence = errand.conn.introduction, errand.presence
        params = errand.params or errand.envelope.params
        changed = bool(errand.params)
        to_modern = introduction is not None and introduction.era is MODERN
        from_modern = presence.era is MODERN
        if to_modern and not (from_modern and presence.can >= DESK_CAN):
            params = translate.modern_params(params, presence.capabilities, presence.info, errand.party.level)
            changed = True
        elif from_modern and not to_modern:
            params = translate.legacy_params(params)
            changed = True
        if errand.token:
            meta = edit(members(params).get("_meta", b""), {"progressToken": upstream_id})
            params = edit(params, {"_meta": meta})
            changed = True
        if changed:
            errand.params = bytes(params)
        return changed

    def _resume(self, errand: Errand, wish: do.Resume) -> None:
        if wish.ticket is None:
            self._respond(errand, wish.answers)
            return
        answers = {key: outcome.result for key, outcome in wish.answers.items()}
        upstream_id = self._post(errand)
        try:
            self._adapt(errand, upstream_id)
            params = translate.retry_params(errand.params or errand.envelope.params, answers, wish.ticket)
        except Malformed as error:
            self._unsendable(errand, error)
            return
        self.book.emit(do.Send(errand.conn.id, jsonrpc.request(upstream_id, errand.method, params)))

    def turn_page(self, errand: Errand, cursor: str) -> None:
        """The same request, for the next page of a list."""
        upstream_id = self._post(errand)
        params = errand.params or errand.envelope.params
        errand.params = edit(params, {"cursor": jsonrpc.quote(cursor)})
        self._adapt(errand, upstream_id)
        data = jsonrpc.request(upstream_id, errand.method, errand.params)
        self.book.emit(do.Send(errand.conn.id, data))

    def _respond(self, errand: Errand, answers: dict[str, Outcome]) -> None:
        """A live call gets its answers as responses to the server's own requests, a task by our request."""
        conn = errand.conn
        if errand.task:
            self._update(errand, {key: outcome.result for key, outcome in answers.items()})
            return
        for key, outcome in answers.items():
            server_id = errand.inquiries.pop(key)
            data, _ = addressed(outcome, server_id, "The host")
            self.book.emit(do.Send(conn.id, data))
            self.close_inquiry(conn, server_id)

    def _update(self, errand: Errand, answers: dict[str, bytes]) -> None:
        host = errand.presence
        params = translate.modern_params(tasks.update(errand.task, answers), host.capabilities, host.info)
        self.book.tell(errand.conn, tasks.UPDATE, params)

    def _abandon(self, errand: Errand, wish: do.Abandon) -> None:
        conn, book = errand.conn, self.book
        if errand in conn.backlog:
            conn.backlog.remove(errand)
        if conn.pending.pop(errand.upstream_id, None) is not None:
            conn.manners.expect(errand.upstream_id)
            body = b'{"requestId":' + errand.upstream_id + b',"reason":"The answer is no longer wanted."}'
            book.emit(do.Send(conn.id, jsonrpc.notification("notifications/cancelled", body)))

    # --- questions -----------------------------------------------------------------------------------

    def _ask(self, errand: Errand, wish: do.Ask) -> None:
        self._show(errand, wish.key, wish.asked.question)

    def _ask_confirm(self, errand: Errand, wish: do.AskConfirm) -> None:
        self._show(errand, CONFIRM_KEY, wish.question)

    def _show(self, errand: Errand, key: str, question: Question) -> None:
        if not question.asked_at:
            question = self.book.dated(question)
        away = turned_away(self.book, question)
        if away is not None:
            self.book.turned_away.append((question, errand, key, *away))
            return
        errand.shown[key] = question.id
        self.book.emit(do.Show(self.book.desk.put(question, (errand, key))))

    def end_visit(self, question_id: str) -> Errand | None:
        """The page is not needed any more. Whose call it was for: its clock restarts."""
        errand = self.book.visits.end(question_id)
        if errand is not None:
            self.book.emit(do.EndVisit(question_id))
            if errand.exchange.state is State.CALLING:
                self.start_clock(errand)
        return errand

    def _relay(self, errand: Errand, wish: do.Relay) -> None:
        link = cast(Link, errand.link)  # an Exchange relays only to a host that is there
        if errand.exchange.via is Via.HOST_RETURNS:
            self._hand_back(errand, link, wish)
            return
        for key, asked in wish.questions.items():
            host_id = errand.relayed[key] = b"%d" % self.book.next()
            link.asked[host_id] = (errand, key)
            data = jsonrpc.request(host_id, asked.method, asked.params)
            self.book.emit(do.Deliver(link.id, data, wish.request))

    def expire(self, errand: Errand) -> None:
        """What the host has not answered in time counts as cancelled, and the host is told."""
        book = self.book
        for key, asked in list(errand.exchange.open.items()):
            question = asked.question
            if key in errand.relayed and 0.0 < question.deadline <= book.epoch:
                book.recall(
                    question_history.line(question, "expired", book.epoch - question.asked_at), errand
                )
                self.live(errand, ev.Expired(key))

    def _hand_back(self, errand: Errand, link: Link, wish: do.Relay) -> None:
        """The host gets its request back with our Ticket; the call stays parked upstream."""
        book = self.book
        errand.round += 1
        errand.deadline = book.now + book.question_limit
        bound = binding(link.party.key, errand.method, errand.target, errand.arguments)
        ticket = self.tickets.mint(errand.id, errand.round, bound, book.epoch + book.question_limit)
        requests = {key: elicitation.input_request(asked) for key, asked in wish.questions.items()}
        reply = jsonrpc.response(wish.request, elicitation.input_required(requests, ticket))
        link.errands.pop(errand.id, None)
        link.requests.pop(wish.request, None)
        errand.link = None
        book.emit(do.Deliver(link.id, reply, wish.request, True))

    def _withdraw(self, errand: Errand, wish: do.Withdraw) -> None:
        book = self.book
        for key in wish.keys or (CONFIRM_KEY,):
            found = book.desk.take(errand.shown.pop(key, ""))
            if found is not None:
                question = found[0]
                book.emit(do.TakeBack(question.id))
                book.recall(
                    question_history.line(question, "withdrawn", book.epoch - question.asked_at), errand
                )
                book.left(question)
            host_id = errand.relayed.pop(key, b"")
            if errand.link is not None and errand.link.asked.pop(host_id, None) is not None:
                told = b'{"requestId":' + host_id + b"}"
                errand.link.party.manners.expect(host_id)
                self.tell(errand, jsonrpc.notification("notifications/cancelled", told))

    # --- the end -------------------------------------------------------------------------------------

    def tell(self, errand: Errand, data: bytes, final: bool = False) -> None:
        """Say something about the errand to its host, if it is there."""
        if errand.link is not None:
            self.book.emit(do.Deliver(errand.link.id, data, errand.exchange.request, final))

    def _reply(self, errand: Errand, wish: do.Reply) -> None:
        data, failed = addressed(wish.outcome, wish.request, errand.conn.spec.name)
        failed = failed or (errand.method == "tools/call" and translate.seems_to_have_failed(data))
        errand.replied = wish.history or ("error" if failed else "ok")
        errand.reply = data
        self.tell(errand, data, True)

    def _record(self, errand: Errand) -> None:
        book, server = self.book, errand.conn.spec.name
        host = book.host_name(errand.link or errand.party)
        took = book.now - errand.started
        facts: dict[str, object] = {"questions": errand.questions} if errand.questions else {}
        if errand.thought:
            facts["thought"] = round(errand.thought, 3)
        arguments, reply, begun = errand.arguments, errand.reply, errand.id if errand.begun else 0
        book.emit(
            do.Record(
                "call",
                host,
                server,
                errand.name,
                errand.replied,
                took,
                len(reply),
                "",
                facts,
                arguments,
                reply,
                begun,
            )
        )


def addressed(outcome: Outcome, request_id: bytes, sender: str) -> tuple[bytes, bool]:
    """An outcome on its way to whoever asked, and whether it failed."""
    try:
        return outcome.wire(request_id), outcome.failed
    except Malformed as error:
        text = f"{sender} sent an answer that cannot be passed on: {error}."
        return jsonrpc.failure(request_id, error_body(INTERNAL_ERROR, text)), True


CONFIRM_KEY = "confirm"
_WISHES: dict[type, Callable[[Wishes, Errand, Any], None]] = {
    do.Call: Wishes.call,
    do.Ask: Wishes._ask,
    do.AskConfirm: Wishes._ask_confirm,
    do.Relay: Wishes._relay,
    do.Withdraw: Wishes._withdraw,
    do.Resume: Wishes._resume,
    do.Reply: Wishes._reply,
    do.Abandon: Wishes._abandon,
}
