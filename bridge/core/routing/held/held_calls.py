"""Calls that outlive their host's patience. Pure.

A person may think longer than a host waits. Shortly before its clock runs out, the host gets a result that
tells the model to call again; the call and its Question go on (HostStoppedWaiting). The next matching call of
that host takes the same call up (HostWaitsAgain) or gets the reply that was kept for it; either comes by
the tool `desk_wait` with a ticket, or by the same tool with the same arguments. So no tool runs twice.

Owns the calls that were let go, until their reply is delivered, deleted, or LONGEST_KEPT seconds old.
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from math import inf
from typing import TYPE_CHECKING

import msgspec

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.exchange.events import CallTimedOut, HostStoppedWaiting
from bridge.core.exchange.state_machine import State
from bridge.core.policy.host_patience import WENT_AWAY, HostPatience, Patience, blames_clock
from bridge.core.ports import HeldCall
from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import Malformed, members
from bridge.core.protocol.revisions import Era
from bridge.core.protocol.translate import Params, refusal_result, text_result
from bridge.core.routing.connections.sign_in_state import SignInState
from bridge.core.routing.held import held_texts, wait_tool
from bridge.core.routing.held.edited_servers import EditedServers
from bridge.core.routing.held.held_entry import (
    SILENT,
    HandedKey,
    HeldEntry,
    arguments_digest,
    in_order,
    reply_for,
    same,
)
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import Link, OpenRequest, RoutingState, Tenant, UpstreamConnection
from bridge.core.status import HeldCallStatus

if TYPE_CHECKING:
    from bridge.core.routing.exchange_runner import ExchangeRunner

LONGEST_KEPT = 86_400.0  # seconds
MOST_KEPT = 1000  # calls; a host may call without end
THOUGHT = 2.0  # seconds from a host's giving up to its next call, at least
AWAY = 20.0  # seconds after which a host that was let go counts as away
PREFIX = "wait-"  # of tickets


class _Ticket(msgspec.Struct, frozen=True):
    ticket: str = ""


class HeldCalls(RouterPart):
    def __init__(
        self,
        state: RoutingState,
        sign_in: SignInState,
        key: bytes,
        patience: HostPatience,
        runner: ExchangeRunner,
    ) -> None:
        self.state = state
        self.sign_in = sign_in
        self.runner = runner
        self.patience = patience
        self.calls: dict[str, HeldEntry] = {}  # ticket → call
        self._key = key
        self._proven: dict[Tenant, float] = {}  # host → seconds it has waited; -inf: it gave up silently
        self.servers = EditedServers()

    def patience_of(self, tenant: Tenant) -> Patience:
        return self.patience.of(tenant.rule, tenant.name, tenant.presence.who.name)

    def wait_tool(self, link: Link) -> bytes:
        """Return the entry of desk_wait among the tools this host is offered; b"" if it is not.

        The list of a single server stays as it is, unless this very host is known to give up; what is learned
        while it is connected does not change the list it has.
        """
        patience = self.patience_of(link.tenant)
        known = link.merged or patience.source in ("measured", "settings", "entry")
        if not known or link.caller.plain or patience.limit(True) == inf:
            return b""
        return wait_tool.listing(link.tenant.presence.who.name)

    # --- letting a host go ---------------------------------------------------------------------------

    def time_passed(self, now: float) -> None:
        for request in [one for one in self.state.open_requests.values() if self._is_due(one, now)]:
            self._let_go_when_saved(request)
        for entry in [one for one in self.calls.values() if one.left_at and one.left_at + AWAY <= now]:
            self._mark_questions(entry, True)
        for entry in [one for one in self.calls.values() if self._is_old(one.call)]:
            self._delete(entry, held_texts.too_old())

    def _is_due(self, request: OpenRequest, now: float) -> bool:
        return self.is_time(request, now) and self._may_outlive(request)

    def is_time(self, request: OpenRequest, now: float) -> bool:
        """True if the host of a call will give it up shortly."""
        if request.link is None or request.method != "tools/call":
            return False
        patience = self.patience_of(request.tenant)
        hold_after = patience.hold_after(bool(request.token))
        if request.ticket and patience.source == "shared":
            hold_after = max(hold_after, 2.0 * self._proven.get(request.tenant, 0.0))
        return request.waits_since + hold_after <= now

    def _is_old(self, call: HeldCall) -> bool:
        return (call.finished or call.begun) + LONGEST_KEPT <= self.state.epoch

    def _may_outlive(self, request: OpenRequest) -> bool:
        """True if a call is worth going on without its host: a person is or was asked for it, here."""
        link = request.link
        if request.method != "tools/call" or link is None or link.caller.plain:
            return False
        if not request.relayed.keys() <= request.shown.keys():
            return False
        asked = bool(request.shown or request.thought) or self._awaits_person(request)
        return asked and "task" not in members(request.envelope.params)

    def _awaits_person(self, request: OpenRequest) -> bool:
        questions, server = self.runner.questions, request.conn.spec.name
        return questions.awaits_person(request) or self.sign_in.awaits_person(server)

    def _let_go_when_saved(self, request: OpenRequest) -> None:
        """Let the host stop waiting once the call is saved: not even after a crash must it be made again."""
        entry = self.calls.get(request.ticket) or self._enter(request)
        if entry.is_saved:
            self.let_go(request)
        else:
            self.state.emit(do.SaveHeldCalls(entry.call.ticket))

    def call_saved(self, event: ev.HeldCallSaved) -> None:
        entry = self.calls.get(event.ticket)
        if entry is not None:
            entry.is_saved = True
            if entry.request is not None and self._is_due(entry.request, self.state.now):
                self.let_go(entry.request)

    def let_go(self, request: OpenRequest, cancelled: bool = False) -> None:
        """Let the host stop waiting, and go on with its call. `cancelled`: by the host itself."""
        entry = self.calls.get(request.ticket) or self._enter(request)
        outcome = None if cancelled else self._not_yet(entry, request)
        entry.left_at = self.state.now
        request.held += 1
        self.runner.advance(request, HostStoppedWaiting(outcome))
        entry.by_wait = False
        if cancelled:
            self._mark_questions(entry, True)
        self.state.emit(do.SaveHeldCalls())

    def take_over(self, request: OpenRequest, handed: HandedKey) -> None:
        """Go on with a call whose host has its Questions and does not come back; `handed`: by what its host
        names the call if it does."""
        entry = self.calls.get(request.ticket) or self._enter(request)
        entry.left_at, entry.by_wait, entry.handed = self.state.now, False, handed
        request.held += 1
        self.state.emit(do.SaveHeldCalls())

    def _mark_questions(self, entry: HeldEntry, left: bool) -> None:
        """Update what windows show: whether the host still waits for the answers."""
        shown, desk = entry.request.shown if entry.request else {}, self.runner.questions.desk
        if [question_id for question_id in shown.values() if desk.mark_left(question_id, left)]:
            self.state.emit(do.SaveHeldCalls())

    def _enter(self, request: OpenRequest) -> HeldEntry:
        if len(self.calls) >= MOST_KEPT:
            oldest = next((one for one in self.calls.values() if one.request is None), None)
            self._delete(oldest or next(iter(self.calls.values())), held_texts.too_many())
        state, spec = self.state, request.conn.spec
        ticket = self._new_ticket()
        host = request.tenant.name or state.host_name(request.tenant)
        digest = arguments_digest(ticket, in_order(request.arguments))
        identity, begun = self.servers.identity(request.conn), state.offset + request.started
        wrapped = spec.base_env is not None
        call = HeldCall(ticket, host, spec.name, identity, request.name, digest, begun, wrapped=wrapped)
        request.ticket = ticket
        entry = self.calls[ticket] = HeldEntry(call, request)
        return entry

    def _new_ticket(self) -> str:
        """Return a name for a call that no other has, not even one of an earlier run."""
        while True:
            seed = b"%d %f" % (self.state.next(), self.state.epoch)
            ticket = PREFIX + b32encode(hmac.digest(self._key, seed, "sha256"))[:12].decode().lower()
            if ticket not in self.calls:
                return ticket

    def _not_yet(self, entry: HeldEntry, request: OpenRequest) -> jsonrpc.OwnReply:
        """Return the result that tells the model to go on waiting."""
        listed = request.link is not None and bool(self.wait_tool(request.link))
        text = held_texts.not_yet(request, entry.call.ticket if listed else "", wait_tool.NAME)
        pins, server = self.state.pins, request.conn.spec.name
        fails = not entry.by_wait and pins.may_have_output_schema(server, request.name)
        return text_result(text, request.presence.era, fails)

    def fitted(self, request: OpenRequest, reply: bytes) -> bytes:
        """Return a reply to a host as the tool by which it waits promises it."""
        entry = self.calls.get(request.ticket)
        waits = entry is not None and entry.by_wait
        return wait_tool.fitted(reply, request.presence.who.name) if waits else reply

    # --- hosts that give up --------------------------------------------------------------------------

    def cancelled(self, request: OpenRequest, reason: str) -> bool:
        """Go on with a call that its host cancelled because of its clock; False if its user stopped it."""
        if not self._may_outlive(request):
            return False
        waited, progress = self.state.now - request.waits_since, bool(request.token)
        vanished = WENT_AWAY in reason
        if blames_clock(reason):
            self._learn(request.tenant, waited)
        elif not vanished and not self.patience_of(request.tenant).is_about(waited, progress):
            return False
        self.let_go(request, cancelled=True)
        if vanished:  # its session may outlive it for a while
            self.calls[request.ticket].owner = None
        return True

    def _learn(self, tenant: Tenant, seconds: float) -> None:
        """Note that a host gave up after so many seconds; under a shared name, for this host alone."""
        if self.patience_of(tenant).source == "shared":
            self._proven[tenant] = -inf
        elif seconds < self.patience_of(tenant).seconds and self.patience.learn(tenant.name, seconds):
            self.state.emit(do.SavePatience())

    def link_closed(self, link: Link) -> None:
        for request in list(link.open_requests.values()):
            if not self.cancelled(request, "") and self._is_asked_for(request):
                self.runner.advance(request, HostStoppedWaiting())

    def _is_asked_for(self, request: OpenRequest) -> bool:
        """True if a server asks something outside any call, on a connection with a call that goes on."""
        asks = not request.exchange.request and request.relayed.keys() <= request.shown.keys()
        entries = self.calls.values() if asks else ()
        return any(one.request is not None and one.request.conn is request.conn for one in entries)

    # --- hosts that come back ------------------------------------------------------------------------

    def wait(self, link: Link, request_id: bytes, params: Params) -> bool:
        """Serve a call of desk_wait; False if this is another server's tool of that name."""
        try:
            ticket = jsonrpc.read(_Ticket, params.arguments).ticket.strip()
        except Malformed:
            ticket = ""
        if not link.merged and not ticket.startswith(PREFIX):
            return False
        entry = self.calls.get(ticket)
        if entry is None or entry.call.host != link.tenant.name:
            text = refusal_result(held_texts.no_such_ticket(), link.tenant.presence.era)
            self.state.emit(do.Deliver(link.id, text.wire(request_id), request_id, True))
        else:
            self.take_up(entry, link, request_id, bytes(params.meta.progress_token), by_wait=True)
        return True

    def returned(self, handed: HandedKey) -> HeldEntry | None:
        """Return the call that a host names by what it was handed; once."""
        entry = next((one for one in self.calls.values() if one.handed == handed), None)
        if entry is not None:
            entry.handed = None
        return entry

    def repeats(
        self, link: Link, request_id: bytes, conn: UpstreamConnection, tool: str, params: Params
    ) -> bool:
        """True if a call repeats one that was let go, or given up without a word: it is not made again."""
        if len(params.task):
            return False
        arguments = bytes(params.arguments)
        entry = self._same(link, conn, tool, arguments) or self._given_up(link, conn, tool, arguments)
        if entry is not None:
            self.take_up(entry, link, request_id, bytes(params.meta.progress_token))
        return entry is not None

    def _same(self, link: Link, conn: UpstreamConnection, tool: str, arguments: bytes) -> HeldEntry | None:
        wanted = (link.tenant.name, self.servers.identity(conn), tool)
        free = [one for one in self.calls.values() if one.called == wanted and self._is_free(one, link)]
        ordered = in_order(arguments) if free else b""  # once, however many there are
        digests = ((one, arguments_digest(one.call.ticket, ordered)) for one in free)
        return next((one for one, digest in digests if one.call.arguments == digest), None)

    def _is_free(self, entry: HeldEntry, link: Link) -> bool:
        """True if this host may take up the call: it was its own, or that of one that is gone."""
        gone = entry.owner is None or not entry.owner.links
        return not entry.is_awaited and (gone or entry.owner is link.tenant)

    def _given_up(
        self, link: Link, conn: UpstreamConnection, tool: str, arguments: bytes
    ) -> HeldEntry | None:
        """Return the call that this host makes again although the first still waits for the person.

        A model that repeats a call word for word has seen the first one fail.
        """
        if self.patience_of(link.tenant).seconds == inf:
            return None
        until = self.state.now - SILENT
        for request in link.open_requests.values():
            called = self.servers.are_same(request.conn, conn) and request.name == tool
            waits = called and request.waits_since <= until
            repeated = waits and bool(request.shown) and same(request.arguments, arguments)
            if repeated and self._may_outlive(request):
                self._learn(link.tenant, self.state.now - request.waits_since - THOUGHT)
                self.let_go(request)
                return self.calls[request.ticket]
        return None

    def take_up(
        self, entry: HeldEntry, link: Link, request_id: bytes, token: bytes, by_wait: bool = False
    ) -> None:
        """Have a host wait again for its call, or give it the reply that was kept."""
        request = entry.request
        if request is None:
            self._deliver(entry, link, request_id, by_wait)
            return
        tenant = link.tenant
        if request.link is not None:
            self._proven[tenant] = -inf  # the host gave up without cancelling
            self.let_go(request)  # only one of them gets the reply
        else:
            proven, waited = self._proven.get(tenant, 0.0), entry.left_at - request.waits_since
            self._proven[tenant] = max(proven, waited) if proven >= 0.0 else proven
        entry.owner, entry.by_wait, entry.left_at = link.tenant, by_wait, 0.0
        self._mark_questions(entry, False)
        self.runner.host_waits_again(request, link, request_id, token)
        self.state.emit(do.SaveHeldCalls())

    def settings_changed(self, old: ev.SettingsChanged, new: ev.SettingsChanged) -> None:
        if self.patience.set_limits(new.call_limits):
            self.state.emit(do.SavePatience())
        for name, spec in new.servers.items():
            if name in old.servers and old.servers[name].identity != spec.identity:
                self.server_edited(old.servers[name].identity, spec.identity, name)

    def server_edited(self, old: str, new: str, name: str) -> None:
        """Let calls of a server go on under its new identity: the same call must not be made again."""
        self.servers.edited(old, new)
        for entry in [one for one in self.calls.values() if one.call.identity == old]:
            entry.call = msgspec.structs.replace(entry.call, identity=new, server=name)
            self.state.emit(do.SaveHeldCalls())

    def tenant_closed(self, tenant: Tenant) -> None:
        self._proven.pop(tenant, None)

    # --- replies -------------------------------------------------------------------------------------

    def keep(self, request: OpenRequest) -> None:
        """Keep the reply of a finished call until its host asks for it."""
        entry, finished = self.calls[request.ticket], self.state.epoch
        entry.call = msgspec.structs.replace(entry.call, finished=finished, reply=request.reply)

    def finished(self, request: OpenRequest) -> None:
        """Forget the request of a call; the call too, unless its reply is kept."""
        entry = self.calls[request.ticket]
        entry.request = None
        if not entry.call.finished:
            del self.calls[request.ticket]
        self.state.emit(do.SaveHeldCalls())

    def _deliver(self, entry: HeldEntry, link: Link, request_id: bytes, by_wait: bool) -> None:
        call, host = entry.call, link.tenant.presence
        data = reply_for(call.reply, request_id, host.era)
        data = wait_tool.fitted(data, host.who.name) if by_wait else data
        self.state.emit(do.Deliver(link.id, data, request_id, True))
        facts = {"held": True}
        took = self.state.epoch - call.begun
        self.state.emit(
            do.Record("notice", call.host, call.server, call.tool, "delivered", took, len(data), facts=facts)
        )
        del self.calls[call.ticket]
        self.state.emit(do.SaveHeldCalls())

    # --- the person, and the end ---------------------------------------------------------------------

    def deleted(self, event: ev.HeldCallDeleted) -> None:
        entry = self.calls.get(event.ticket)
        if entry is not None:
            self._delete(entry, held_texts.deleted())

    def _delete(self, entry: HeldEntry, why: str) -> None:
        """Delete a call: cancel it if it is under way."""
        request = entry.request
        if request is not None:
            self.runner.advance(request, CallTimedOut(request.refusal(why), "cancelled"))
        self.calls.pop(entry.call.ticket, None)
        self.state.emit(do.SaveHeldCalls())

    def restored(self, event: ev.HeldCallsRestored) -> None:
        """Take over the calls of the last run. A call that was not finished then is repeated only if the host
        asks again."""
        for call in event.calls:
            if not call.reply:
                reply = refusal_result(held_texts.interrupted(), Era.LEGACY).wire(jsonrpc.NULL)
                finished = call.finished or self.state.epoch
                call = msgspec.structs.replace(call, finished=finished, reply=reply)
            self.calls[call.ticket] = HeldEntry(call)
        self._follow_edits(event.calls)

    def _follow_edits(self, calls: tuple[HeldCall, ...]) -> None:
        """Note which servers of these calls were edited while Deskbell was not running."""
        servers = self.state.servers
        known = {spec.identity for spec in servers.values()}
        edited = {one.identity: one.server for one in calls if one.identity not in known and not one.wrapped}
        for identity, name in edited.items():
            if name in servers:
                self.server_edited(identity, servers[name].identity, name)

    def close(self) -> None:
        """End the calls that nobody waits for: Deskbell quits."""
        for request in [one.request for one in self.calls.values() if one.request is not None]:
            if request.link is None:
                unmade = request.exchange.state is State.CONFIRMING or request in request.conn.backlog
                text = held_texts.not_made() if unmade else held_texts.interrupted()
                self.runner.advance(request, CallTimedOut(request.refusal(text)))

    def statuses(self) -> tuple[HeldCallStatus, ...]:
        """Return what windows show, oldest first."""
        return tuple(entry.status() for entry in self.calls.values())

    def saved(self) -> tuple[HeldCall, ...]:
        """Return what do.SaveHeldCalls saves, oldest first."""
        return tuple(entry.call for entry in self.calls.values())
