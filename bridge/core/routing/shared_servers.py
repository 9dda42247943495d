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
from bridge.core.protocol.tool_names import NoRoute
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.merged_lists import MAX_PAGES, Page
from bridge.core.routing.state import Link, OpenRequest, RoutingState, TaskPages, Tenant, UpstreamConnection
from bridge.core.routing.subscription_filter import LISTEN, UPDATED, Uri, wanted
from bridge.core.routing.task_owners import TaskOwners

LEVEL = "logging/setLevel"
_ABOUT_ONE = (tasks.STATUS, tasks.CHANGED)
_LOGGED = "notifications/message"


class SharedServers:
    def __init__(self, state: RoutingState, runner: ExchangeRunner, owners: TaskOwners) -> None:
        self.owners = owners
        self.subscriptions = runner.subscriptions
        self.state = state
        self.runner = runner

    # --- requests ------------------------------------------------------------------------------------

    def admitted(self, tenant: Tenant, conn: UpstreamConnection, envelope: Envelope, changed: bytes) -> bytes:
        """The params to send instead, if any; another's task is refused, just as one that nobody made."""
        method, params = envelope.method or "", changed or envelope.params
        if method.startswith("tasks/") and method != tasks.LIST:
            _refuse_doubts(params, "taskId")
            self._require(tenant, conn, jsonrpc.read(tasks.Task, params or b"{}").task_id)
        if not is_object(params):
            return changed
        related = tasks.related(params)
        if related is not None:
            self._require(tenant, conn, related)
        if method == LISTEN:
            return self._heard_of(tenant, conn, params)
        if method != LEVEL:
            return changed
        return self.subscriptions.common_params(conn, tenant, method, bytes(params))

    def _require(self, tenant: Tenant, conn: UpstreamConnection, task: str) -> None:
        if not self.owners.may_see(tenant, conn.spec, task):
            raise NoRoute(f"There is no task called {task}.")

    def _heard_of(self, tenant: Tenant, conn: UpstreamConnection, params: bytes | Raw) -> bytes:
        """A `subscriptions/listen` without the tasks of others."""
        _refuse_doubts(params, "notifications")
        said = members(params).get("notifications", b"{}")
        _refuse_doubts(said, "taskIds")
        named = wanted(params).task_ids
        if named is None:
            return bytes(params)
        own = [task for task in named if self.owners.may_see(tenant, conn.spec, task)]
        return edit(params, {"notifications": edit(said, {"taskIds": msgspec.json.encode(own)})})

    # --- what one host settles for all ---------------------------------------------------------------

    def answers(self, link: Link, conn: UpstreamConnection, envelope: Envelope) -> bool:
        """A host that wants to hear of a resource no more is answered here, while others do want to."""
        legacy = conn.introduction is not None and conn.introduction.era is Era.LEGACY
        if envelope.method != "resources/unsubscribe" or not legacy:
            return False
        if not self.subscriptions.is_awaited(conn, jsonrpc.read(Uri, envelope.params).uri, but=link.tenant):
            return False
        self.subscriptions.settled(link.tenant).learn(conn.spec.name, envelope.method, bytes(envelope.params))
        request_id = bytes(envelope.id)
        self.state.emit(do.Deliver(link.id, jsonrpc.response(request_id, b"{}"), request_id, True))
        return True

    # --- lists ---------------------------------------------------------------------------------------

    def listed(self, request: OpenRequest, result: Raw) -> bytes | None:
        """The host's own among a server's tasks, of all pages at once: a cursor may name another's task.
        None: the next page is on its way."""
        spec = request.conn.spec
        listing = request.listing = request.listing or TaskPages()
        for item in jsonrpc.elements(members(result).get("tasks", b"[]")):
            task = jsonrpc.read(tasks.Task, item).task_id
            if self.owners.may_see(request.tenant, spec, task):
                listing.found[task] = item
        listing.count += 1
        cursor = jsonrpc.read(Page, result).next_cursor
        if cursor is not None and listing.count < MAX_PAGES:
            self.runner.turn_page(request, cursor)
            return None
        if cursor is not None:
            text = f"Its {request.method} has more than {MAX_PAGES} pages."
            self.state.complain(request.conn, "endless", text)
        own = b"[" + b",".join(listing.found.values()) + b"]"
        return edit(result, {"tasks": own, "nextCursor": None})

    # --- notes and questions -------------------------------------------------------------------------

    def hearers(
        self, conn: UpstreamConnection, data: bytes, envelope: Envelope, about: bytes
    ) -> Sequence[Tenant]:
        """Which hosts may hear this note: what speaks of a task is for the one that began it."""
        if not conn.tenant.shared:
            return (conn.tenant,)
        if tasks.NAMED in data:
            task = tasks.related(envelope.params)
            if envelope.method in _ABOUT_ONE:
                task = jsonrpc.read(tasks.Task, envelope.params).task_id
            if task is not None:
                owner = self.owner(conn, task)
                return () if owner is None else (owner,)
        guests = tuple(conn.tenant.guests.values())
        if envelope.method == _LOGGED:
            return self._loggers(conn, guests, envelope, about)
        if envelope.method == UPDATED:
            uri, server = jsonrpc.read(Uri, envelope.params).uri, conn.spec.name
            return tuple(one for one in guests if self._hears_of(one, server, uri)) or guests
        return guests

    def _loggers(
        self, conn: UpstreamConnection, guests: Sequence[Tenant], envelope: Envelope, about: bytes
    ) -> Sequence[Tenant]:
        """Whose call it is that is logged, if that is known; else all who want messages as loud as this."""
        request = conn.pending.get(about)
        if isinstance(request, OpenRequest):
            guests = (request.tenant,)
        return tuple(one for one in guests if self._wants_log(one, envelope.params))

    def _wants_log(self, tenant: Tenant, logged: Raw) -> bool:
        level = self.subscriptions.settled(tenant).level
        return not level or log_levels.reaches_level(logged, log_levels.log_level(level))

    def _hears_of(self, tenant: Tenant, server: str, uri: str) -> bool:
        """True if an update of `uri` is for this host: a part of a resource it subscribed to, in the legacy
        era. Modern hosts are told what they listen to."""
        if tenant.presence.era is Era.MODERN:
            return True
        return any(uri.startswith(one) for one in self.subscriptions.settled(tenant).uris(server))

    def owner(self, conn: UpstreamConnection, task: str) -> Tenant | None:
        """Whose task this is, if that host is there."""
        return conn.tenant.guests.get(self.owners.of(conn.spec.identity, task))


def _refuse_doubts(params: bytes | Raw, key: str) -> None:
    refuse_repeats(params)
    refuse_lookalikes(params, spellings([key]))
