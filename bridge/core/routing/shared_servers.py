"""Keep hosts that share a server from seeing each other's tasks, logs and requests. Pure.

Each host sees and changes only its own tasks (task_owners.py); another host's task looks like one that does
not exist. Subscriptions and log levels suit all of them.
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
from bridge.core.routing.lists.pages import PagedList, array
from bridge.core.routing.state import Link, OpenRequest, RoutingState, Tenant, UpstreamConnection
from bridge.core.routing.subscriptions.filter import LISTEN, UPDATED, Uri, wanted
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
        """Return the params to send instead of the host's; b"" if none. Raises NoRoute for others' tasks."""
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
            return self._own_tasks_only(tenant, conn, params)
        if method != LEVEL:
            return changed
        level = self.subscriptions.common_level(conn, tenant, log_levels.log_level(params))
        return edit(params, {"level": jsonrpc.quote(level)})

    def _require(self, tenant: Tenant, conn: UpstreamConnection, task: str) -> None:
        if not self.owners.may_see(tenant, conn.spec, task):
            raise NoRoute(f"There is no task called {task}.")

    def _own_tasks_only(self, tenant: Tenant, conn: UpstreamConnection, params: bytes | Raw) -> bytes:
        """Return the params of a `subscriptions/listen` without other hosts' tasks."""
        _refuse_doubts(params, "notifications")
        notifications = members(params).get("notifications", b"{}")
        _refuse_doubts(notifications, "taskIds")
        named = wanted(params).task_ids
        if named is None:
            return bytes(params)
        own = [task for task in named if self.owners.may_see(tenant, conn.spec, task)]
        return edit(params, {"notifications": edit(notifications, {"taskIds": msgspec.json.encode(own)})})

    # --- what one host settles for all ---------------------------------------------------------------

    def answers(self, link: Link, conn: UpstreamConnection, envelope: Envelope) -> bool:
        """Answer an unsubscribe here, while other hosts still subscribe to the resource."""
        if envelope.method != "resources/unsubscribe" or conn.era is not Era.LEGACY:
            return False
        if not self.subscriptions.is_subscribed(
            conn, jsonrpc.read(Uri, envelope.params).uri, but=link.tenant
        ):
            return False
        self.subscriptions.learn(link.tenant, conn.spec.name, envelope.method, envelope.params)
        request_id = bytes(envelope.id)
        self.state.emit(do.Deliver(link.id, jsonrpc.response(request_id, b"{}"), request_id, True))
        return True

    # --- lists ---------------------------------------------------------------------------------------

    def listed(self, request: OpenRequest, result: Raw) -> bytes | None:
        """Return a tasks/list result with the host's own tasks of all pages; None if another page was
        requested.

        A cursor is not passed on: it may name another host's task.
        """
        spec = request.conn.spec
        listing = request.listing = request.listing or PagedList()
        cursor = listing.add_page(result, "tasks")
        if cursor is not None and not listing.excess:
            self.runner.turn_page(request, cursor)
            return None
        if cursor is not None:
            text = f"Its {request.method} has more than {listing.excess}."
            self.state.record_problem(request.conn, "endless", text)
        found = {jsonrpc.read(tasks.Task, item).task_id: item for item in listing.items}
        own = [item for task, item in found.items() if self.owners.may_see(request.tenant, spec, task)]
        return edit(result, {"tasks": array(own), "nextCursor": None})

    # --- notes and questions -------------------------------------------------------------------------

    def recipients(
        self, conn: UpstreamConnection, data: bytes, envelope: Envelope, about: bytes
    ) -> Sequence[Tenant]:
        """Return the hosts that get this notification; one about a task is for the host that started it."""
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
            return self._log_recipients(conn, guests, envelope, about)
        if envelope.method == UPDATED:
            uri, server = jsonrpc.read(Uri, envelope.params).uri, conn.spec.name
            return tuple(one for one in guests if self._gets_update(one, server, uri)) or guests
        return guests

    def _log_recipients(
        self, conn: UpstreamConnection, guests: Sequence[Tenant], envelope: Envelope, about: bytes
    ) -> Sequence[Tenant]:
        """Return the hosts that get a log message: of its call, if known; of any level they want."""
        request = conn.pending.get(about)
        if isinstance(request, OpenRequest):
            guests = (request.tenant,)
        return tuple(one for one in guests if self._wants_log(one, envelope.params))

    def _wants_log(self, tenant: Tenant, logged: Raw) -> bool:
        return not tenant.level or log_levels.reaches_level(logged, tenant.level)

    def _gets_update(self, tenant: Tenant, server: str, uri: str) -> bool:
        """True if an update of `uri` is for this host: a part of a resource it subscribed to, in the legacy
        era. Modern hosts are told what they listen to."""
        if tenant.presence.era is Era.MODERN:
            return True
        return any(uri.startswith(one) for one in self.subscriptions.resources(tenant, server))

    def owner(self, conn: UpstreamConnection, task: str) -> Tenant | None:
        """Return the host that started this task, if it is connected."""
        return conn.tenant.guests.get(self.owners.of(conn.spec.identity, task))


def _refuse_doubts(params: bytes | Raw, key: str) -> None:
    refuse_repeats(params)
    refuse_lookalikes(params, spellings([key]))
