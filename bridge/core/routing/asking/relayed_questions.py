"""Questions that the host itself asks: by requests while it waits, or by returning its request. Pure.

Owns which Questions each host was asked. A returned request carries our Ticket (`requestState`), by which the
host's retry finds the parked call again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from bridge.core import commands as do
from bridge.core.exchange.commands import Relay
from bridge.core.exchange.events import Expired, HostSilent, HostStoppedWaiting
from bridge.core.exchange.replies import DESK_CAN
from bridge.core.exchange.state_machine import State
from bridge.core.exchange.who_asks import AskChannel
from bridge.core.policy.unshown_questions import SILENCE
from bridge.core.protocol import elicitation, jsonrpc
from bridge.core.protocol.elicitation import ServerQuestion
from bridge.core.protocol.jsonrpc import OwnReply
from bridge.core.protocol.request_state import TicketContents, TicketRefused, Tickets, binding
from bridge.core.protocol.translate import Params
from bridge.core.questions.question import EXPIRED
from bridge.core.routing.asking.open_questions import Questions
from bridge.core.routing.asking.unanswered import unapproved
from bridge.core.routing.held.held_entry import SILENT, same
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import Link, OpenRequest, RoutingState, Tenant, UpstreamConnection

_AWAY = (State.AWAY, State.CONFIRMING_AWAY)
_LATE = OwnReply(EXPIRED.result(why=True))
MOST_VISITS = 1000  # links of one host that are not reported complete

if TYPE_CHECKING:
    from bridge.core.routing.exchange_runner import ExchangeRunner


@dataclass(eq=False)
class RelayedQuestions(RouterPart):
    state: RoutingState
    runner: ExchangeRunner
    questions: Questions
    tickets: Tickets
    _parked: dict[int, OpenRequest] = field(default_factory=dict)  # handed back; some have gone on since

    def relay(self, request: OpenRequest, command: Relay) -> None:
        link = cast(Link, request.link)  # an Exchange relays only to a host that is there
        if request.exchange.via is AskChannel.HOST_RETURNS:
            self._hand_back(request, link, command)
            return
        for key, asked in command.questions.items():
            host_id = request.relayed[key] = b"%d" % self.state.next()
            link.relayed[host_id] = (request, key)
            if asked.question.elicitation_id:
                self.note_visit(request, asked)
            data = jsonrpc.request(host_id, asked.method, asked.params)
            self.state.emit(do.Deliver(link.id, data, command.request))

    def note_visit(self, request: OpenRequest, asked: ServerQuestion) -> None:
        """Note that the host was asked to open a link: it is told when the server reports completion."""
        link = cast(Link, request.link)
        if len(link.visits) >= MOST_VISITS:
            link.visits.clear()
        link.visits.add((request.conn.id, asked.question.elicitation_id))

    def _hand_back(self, request: OpenRequest, link: Link, command: Relay) -> None:
        """Return the host's request with our Ticket; the call stays open upstream."""
        state = self.state
        request.round += 1
        bound = binding(link.tenant.key, request.method, request.target, request.arguments)
        ticket = self.tickets.mint(request.id, request.round, bound, state.epoch + state.question_limit)
        questions = {key: elicitation.input_request(asked) for key, asked in command.questions.items()}
        reply = jsonrpc.response(command.request, elicitation.input_required(questions, ticket))
        self.runner.park(request, link)
        self._parked[request.id] = request
        state.emit(do.Deliver(link.id, reply, command.request, True))

    def open_ticket(self, link: Link, method: str, params: Params) -> TicketContents:
        """Return what the Ticket that a host brings back says; raise TicketRefused."""
        bound = binding(link.tenant.key, method, params.name or params.uri, bytes(params.arguments))
        return self.tickets.open(params.request_state or "", bound, self.state.epoch)

    def find(self, stub: TicketContents) -> OpenRequest:
        """Return the parked request that a Ticket names; raise TicketRefused."""
        request = self.state.open_requests.get(stub.exchange)
        if request is None or request.exchange.state not in _AWAY or request.round != stub.round:
            raise TicketRefused("This requestState was used before, or its call has ended. Call again.")
        return request

    def take(self, link: Link, host_id: bytes) -> tuple[OpenRequest, str] | None:
        """Return the request and the key of the Question that a host replies to; None if it is not open."""
        found = link.relayed.pop(host_id, None)
        if found is not None:
            found[0].relayed.pop(found[1], None)
        return found

    def withdraw(self, request: OpenRequest, key: str, answered: bool = False) -> None:
        """Cancel our request to the host for this Question, if there is one. `answered`: on the Desk."""
        host_id = request.relayed.pop(key, b"")
        if request.link is not None and request.link.relayed.pop(host_id, None) is not None:
            request.link.tenant.limits.abandon_reply(host_id)
            reason = b',"reason":"It was settled in Deskbell."' if answered else b""
            body = b'{"requestId":' + host_id + reason + b"}"
            self.runner.tell(request, jsonrpc.notification("notifications/cancelled", body))

    def move(self, request: OpenRequest, to: OpenRequest, key: str) -> bool:
        """Have the host's reply to our request passed to another request; False if there is none."""
        host_id = request.relayed.pop(key, b"")
        if request.link is None or host_id not in request.link.relayed:
            return False
        request.link.relayed[host_id] = (to, key)
        to.relayed[key] = host_id
        return True

    def take_visit(self, link: Link, conn: UpstreamConnection, elicitation_id: str) -> bool:
        """True if this host was asked to open the link that a server reports complete; once."""
        visited = (conn.id, elicitation_id)
        asked = visited in link.visits
        link.visits.discard(visited)
        return asked

    def time_passed(self, now: float) -> None:
        away = State.AWAY
        self._parked = {number: one for number, one in self._parked.items() if one.exchange.state is away}
        for request in list(self.state.open_requests.values()):
            if request.relayed or request.exchange.state is away:
                self._look_at_clock(request)
                if request.exchange.state is away and request.shown.keys() >= request.exchange.open.keys():
                    self._take_over(request)

    def made_again(self, tenant: Tenant, conn: UpstreamConnection, tool: str, arguments: bytes) -> None:
        """Take over a call that this host was handed Questions of, and makes again without an answer."""
        are_same = self.runner.held.servers.are_same
        for request in list(self._parked.values()):
            if request.exchange.state is not State.AWAY:
                del self._parked[request.id]
            elif (request.tenant, request.name) == (tenant, tool) and are_same(request.conn, conn):
                questions = [asked.question for asked in request.exchange.open.values()]
                silent = all(one.asked_at + SILENT <= self.state.epoch for one in questions)
                here = self.state.has_desk and all(one.mode in DESK_CAN for one in questions)
                if silent and here and same(request.arguments, arguments):
                    self._ask_here(request)

    def _ask_here(self, request: OpenRequest) -> None:
        for key in request.exchange.open.keys() - request.shown.keys():
            self.runner.advance(request, HostSilent(key))
        self._take_over(request)

    def _take_over(self, request: OpenRequest) -> None:
        """Go on without a host that has Questions of its call and did not come back: the Desk asks them all,
        and what comes of it is kept for the host's next try."""
        later = {asked.question.mode for asked in request.exchange.held.values()}
        if request.shown and request.method == "tools/call" and later <= DESK_CAN:
            self.runner.held.take_over(request, (request.id, request.round))
            self.runner.advance(request, HostStoppedWaiting())

    def _look_at_clock(self, request: OpenRequest) -> None:
        """Cancel Questions that the host has not answered in time; ask on the Desk those that it has not
        answered for a while, or is about to give up."""
        epoch, hurry = self.state.epoch, self.runner.held.is_time(request, self.state.now)
        for key, asked in list(request.exchange.open.items()):
            question = asked.question
            if key in request.shown:
                continue  # the Desk has its clock
            if key in request.relayed and 0.0 < question.deadline <= epoch:
                self.questions.record(question, "expired", request)
                approval = request.exchange.state is State.CONFIRMING
                late = _LATE if request.conn.spec.builtin and question.mode in DESK_CAN else None
                expired = Expired(key, late)
                ended = unapproved(self.state, request, question, EXPIRED) if approval else expired
                self.runner.advance(request, ended)
            elif (
                (hurry or question.asked_at + SILENCE <= epoch)
                and question.mode in DESK_CAN
                and self.state.has_desk
            ):
                self.state.unshown.fell_silent(request.tenant.name)
                self.runner.advance(request, HostSilent(key))

    def link_closed(self, link: Link) -> None:
        link.relayed.clear()  # nothing can be sent on a closed link
