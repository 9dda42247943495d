"""Subscriptions across eras: `subscriptions/listen`, `resources/subscribe`, list_changed. Pure.

A modern host subscribes by a request that stays open; for a legacy server, or many servers, Deskbell keeps
that request open itself. A legacy host gets changes without asking; from a modern server, because Deskbell
subscribes for it.
"""

from __future__ import annotations

import msgspec

from bridge.core import commands as do
from bridge.core.protocol import jsonrpc, log_levels, tasks, translate
from bridge.core.protocol.handshake import ServerIdentity
from bridge.core.protocol.jsonrpc import edit, members
from bridge.core.protocol.revisions import SUBSCRIPTION_KEY, Era
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import (
    Link,
    OpenRequest,
    RoutingState,
    Subscription,
    Tenant,
    UpstreamConnection,
)
from bridge.core.routing.subscriptions.filter import (
    ACKNOWLEDGED,
    KINDS,
    LISTEN,
    UPDATED,
    Filter,
    Uri,
    features,
    filter_of,
    wanted,
)
from bridge.core.routing.task_owners import TaskOwners

LEARNT = frozenset({"logging/setLevel", "resources/subscribe", "resources/unsubscribe"})
MOST = 1000  # subscriptions of one host with one server that are restored


class _Listened(msgspec.Struct, eq=False):
    """What a connection was told to report."""

    request_id: bytes = b""  # of our own subscriptions/listen to a modern server
    filter: bytes = b"{}"  # of that request
    subscribed: dict[str, set[str]] = {}  # resource → its subscribers


class Subscriptions(RouterPart):
    def __init__(self, state: RoutingState, owners: TaskOwners) -> None:
        self.state = state
        self.owners = owners
        self.open: dict[int, Subscription] = {}
        self._resources: dict[Tenant, dict[str, dict[str, bytes]]] = {}  # see `resources`
        self._missed: dict[Tenant, set[str]] = {}  # list_changed a modern host did not get
        self._listened: dict[UpstreamConnection, _Listened] = {}

    def resources(self, tenant: Tenant, server: str) -> dict[str, bytes]:
        """Return the resources that a legacy host has subscribed to, each with its request's params."""
        return self._resources.setdefault(tenant, {}).setdefault(server, {})

    def learn(self, tenant: Tenant, server: str, method: str, params: bytes | msgspec.Raw) -> None:
        """Note a request of a legacy host that was accepted, to repeat it on the server's next connection.
        `method`: one of LEARNT. Modern hosts send such things with every request."""
        if method == "logging/setLevel":
            tenant.level = log_levels.log_level(params)
            return
        uri, known = jsonrpc.read(Uri, params).uri, self.resources(tenant, server)
        if method == "resources/unsubscribe":
            known.pop(uri, None)
        elif len(known) < MOST:
            known[uri] = bytes(params)

    def _of_conn(self, conn: UpstreamConnection) -> _Listened:
        return self._listened.setdefault(conn, _Listened())

    def connection_closed(self, conn: UpstreamConnection) -> None:
        self._listened.pop(conn, None)
        if conn.tenant.shared:
            self._resources.pop(conn.tenant, None)

    def listed(self, tenant: Tenant, method: str) -> None:
        """Note that a host requests a list again, so that its change need not be announced."""
        self._missed.get(tenant, set()).discard(method)

    def needs(self, tenant: Tenant, server: str) -> bool:
        """True if the Tenant has subscribed to a resource of this server."""
        return bool(self.resources(tenant, server)) or any(
            one.conn is None and one.link.tenant is tenant and server in one.uris.values()
            for one in self.open.values()
        )

    # --- what hosts that share a server settle for all -----------------------------------------------

    def common_level(self, conn: UpstreamConnection, tenant: Tenant, level: str) -> str:
        """Return the log level for a server: one that suits all hosts that share it."""
        others = [one.level for one in conn.tenant.guests.values() if one is not tenant and one.level]
        return log_levels.most_verbose([level, *others])

    def is_subscribed(self, conn: UpstreamConnection, uri: str, but: Tenant | None = None) -> bool:
        """True if another host that shares this server has subscribed to the resource."""
        others = [one for one in conn.tenant.guests.values() if one is not but]
        listed = uri in self._of_conn(conn).subscribed
        return listed or any(uri in self.resources(one, conn.spec.name) for one in others)

    def restore(self, conn: UpstreamConnection, introduction: ServerIdentity) -> None:
        """Repeat on a new connection what hosts have settled with an earlier one. Replies are dropped."""
        for user in conn.tenant.users:
            if user.level and introduction.has("logging"):
                level = self.common_level(conn, user, user.level)
                self.state.tell(conn, "logging/setLevel", edit(b"", {"level": jsonrpc.quote(level)}))
            for params in self.resources(user, conn.spec.name).values():
                self.state.tell(conn, "resources/subscribe", params)

    # --- modern hosts --------------------------------------------------------------------------------

    def keep(self, request: OpenRequest, introduction: ServerIdentity, link: Link) -> None:
        """Open a modern host's subscription to one legacy server."""
        want = wanted(request.envelope.params)
        kinds, subscribe = features(introduction)
        uris = (want.resource_subscriptions or []) if subscribe else []
        owners = dict.fromkeys(uris, request.conn.spec.name)
        request_id, kinds = request.exchange.request, want.kinds & kinds
        self._open(Subscription(request.id, link, request_id, kinds, owners, request.conn))

    def open_for_all(self, link: Link, request_id: bytes, want: Filter, owners: dict[str, str]) -> None:
        """Open a modern host's subscription to many servers. `owners`: resource → server."""
        subscription = Subscription(self.state.next(), link, request_id, want.kinds, owners)
        subscription.tasks = tuple(want.task_ids or ())
        link.requests[request_id] = subscription
        self._open(subscription)
        missed = self._missed.get(link.tenant, set())
        for method in [one for one in KINDS if one in missed and KINDS[one] in subscription.kinds]:
            missed.discard(method)
            self._tell(subscription, method, b"{}")

    def _open(self, subscription: Subscription) -> None:
        self.open[subscription.id] = subscription
        accepted = filter_of(subscription.kinds, list(subscription.uris), subscription.tasks)
        self._tell(subscription, ACKNOWLEDGED, edit(b"{}", {"notifications": accepted}))
        for conn in self._conns(subscription):
            self._subscribe_all(conn, subscription)
            self.refresh(conn)

    def end(self, subscription: Subscription) -> None:
        """Close a subscription."""
        del self.open[subscription.id]
        if subscription.conn is None:
            subscription.link.requests.pop(subscription.request, None)
        for conn in self._conns(subscription):
            for uri in subscription.uris:
                self._unsubscribe(conn, uri, subscription.owner)
            self.refresh(conn)

    def end_of_request(self, request: OpenRequest) -> None:
        subscription = self.open.get(request.id)
        if subscription is not None:
            self.end(subscription)

    def link_closed(self, link: Link) -> None:
        for subscription in [one for one in self.open.values() if one.link is link]:
            self.end(subscription)

    def close(self) -> None:
        """Send the last reply of the subscriptions to many servers: Deskbell quits."""
        for subscription in [one for one in self.open.values() if one.conn is None]:
            self.end(subscription)
            meta = edit(b"{}", {SUBSCRIPTION_KEY: subscription.request})
            result = edit(b'{"resultType":"complete"}', {"_meta": meta})
            reply = jsonrpc.response(subscription.request, result)
            self.state.emit(do.Deliver(subscription.link.id, reply, subscription.request, True))

    def _conns(self, subscription: Subscription) -> list[UpstreamConnection]:
        conns = [subscription.conn] if subscription.conn else subscription.link.tenant.conns.values()
        return [conn for conn in conns if conn.id in self.state.conns and conn.introduction is not None]

    def _subscribers(self, conn: UpstreamConnection) -> list[Subscription]:
        """Return the subscriptions that get what this connection reports."""
        users, known = conn.tenant.users, self.open.values()
        return [x for x in known if x.conn is conn or (x.conn is None and x.link.tenant in users)]

    def _subscribe_all(self, conn: UpstreamConnection, subscription: Subscription) -> None:
        for uri, server in subscription.uris.items():
            if server == conn.spec.name:
                self._subscribe(conn, uri, subscription.owner)

    def changed(self, link: Link, method: str) -> None:
        """Announce a changed list to the host of this Link."""
        if link.tenant.presence.era is Era.LEGACY:
            self.state.emit(do.Deliver(link.id, jsonrpc.notification(method)))
            return
        for subscription in [one for one in self.open.values() if one.link is link]:
            if KINDS[method] in subscription.kinds:
                self._tell(subscription, method, b"{}")

    def forwarded(self, request: OpenRequest, method: str) -> None:
        """Announce a changed list on a modern host's subscription that its modern server keeps."""
        link, kinds = request.link, wanted(request.envelope.params).kinds
        if link is None or request.id in self.open or KINDS[method] not in kinds:
            return
        meta = edit(b"{}", {SUBSCRIPTION_KEY: request.exchange.request})
        message = jsonrpc.notification(method, edit(b"{}", {"_meta": meta}))
        self.state.emit(do.Deliver(link.id, message, request.exchange.request))

    def corrected(self, tenant: Tenant, method: str) -> None:
        """Announce that a list differs from the one this host got; to a modern host when it subscribes."""
        for link in list(tenant.links.values()):
            self.changed(link, method)
        mine = [one for one in self.open.values() if one.link.tenant is tenant and one.conn is None]
        if tenant.presence.era is Era.MODERN and not any(KINDS[method] in one.kinds for one in mine):
            self._missed.setdefault(tenant, set()).add(method)

    def _tell(self, subscription: Subscription, method: str, params: bytes | msgspec.Raw) -> None:
        meta = edit(members(params).get("_meta", b""), {SUBSCRIPTION_KEY: subscription.request})
        message = jsonrpc.notification(method, edit(params, {"_meta": meta}))
        self.state.emit(do.Deliver(subscription.link.id, message, subscription.request))

    # --- servers -------------------------------------------------------------------------------------

    def introduced(self, conn: UpstreamConnection) -> None:
        """Subscribe on a new connection to what hosts want of it."""
        for user in conn.tenant.users if conn.era is Era.MODERN else ():
            for uri in self.resources(user, conn.spec.name):
                self._subscribe(conn, uri, user.key)
        for subscription in self._subscribers(conn):
            self._subscribe_all(conn, subscription)
        self.refresh(conn)

    def receive(self, conn: UpstreamConnection, data: bytes, envelope: jsonrpc.Envelope) -> bytes:
        """Deliver a notification to subscriptions. Return it as legacy hosts get it; b"" if they do not."""
        params = envelope.params
        if conn.era is Era.MODERN:
            meta = members(params).get("_meta", b"") if jsonrpc.is_object(params) else b""
            subscription = bytes(members(meta).get(SUBSCRIPTION_KEY, b""))
            if subscription and (
                subscription != self._of_conn(conn).request_id or envelope.method == ACKNOWLEDGED
            ):
                return b""
            if subscription:
                params = msgspec.Raw(_without_subscription(params))
                data = jsonrpc.notification(envelope.method or "", params)
        if self.open:
            self._deliver_to_subscribers(conn, envelope.method or "", params)
        return b"" if envelope.method == tasks.CHANGED else data

    def _deliver_to_subscribers(self, conn: UpstreamConnection, method: str, params: msgspec.Raw) -> None:
        if method == tasks.CHANGED:
            self._deliver_task(conn, params)
        kind = KINDS.get(method)
        uri = jsonrpc.read(Uri, params).uri if method == UPDATED else None
        for subscription in self._subscribers(conn):
            if kind in subscription.kinds or (
                uri is not None and subscription.uris.get(uri) == conn.spec.name
            ):
                self._tell(subscription, method, params)

    def _deliver_task(self, conn: UpstreamConnection, params: msgspec.Raw) -> None:
        """Deliver a task's state to the hosts that named the task: it may hold the result."""
        own = jsonrpc.read(tasks.Task, params).task_id
        message = tasks.published(params, conn.spec.name)
        public = jsonrpc.read(tasks.Task, message).task_id
        for subscription in [one for one in self._subscribers(conn) if public in one.tasks]:
            if self.owners.may_see(subscription.link.tenant, conn.spec, own):
                self._tell(subscription, tasks.CHANGED, message)

    def subscribe(self, request: OpenRequest) -> None:
        """Subscribe a legacy host to a modern server's resource, or end that."""
        uri, tenant, conn = jsonrpc.read(Uri, request.envelope.params).uri, request.tenant, request.conn
        if request.method == "resources/subscribe":
            self._subscribe(conn, uri, tenant.key)
        else:
            self._unsubscribe(conn, uri, tenant.key)
        self.learn(tenant, conn.spec.name, request.method, request.envelope.params)
        self.refresh(conn)

    def _subscribe(self, conn: UpstreamConnection, uri: str, owner: str) -> None:
        owners = self._of_conn(conn).subscribed.setdefault(uri, set())
        if not owners:
            self._send_subscription(conn, "resources/subscribe", uri)
        owners.add(owner)

    def _unsubscribe(self, conn: UpstreamConnection, uri: str, owner: str) -> None:
        owners = self._of_conn(conn).subscribed.get(uri, set())
        if owner in owners:
            owners.discard(owner)
            if not owners:
                del self._of_conn(conn).subscribed[uri]
                self._unsubscribe_server(conn, uri)

    def tenant_closed(self, tenant: Tenant) -> None:
        for conn in tenant.conns.values():  # shared ones: its own are closed
            self._leave(conn, tenant)
        self._resources.pop(tenant, None)
        self._missed.pop(tenant, None)

    def _leave(self, conn: UpstreamConnection, tenant: Tenant) -> None:
        """Cancel a host's subscriptions on a connection that others go on to use."""
        for uri in self.resources(tenant, conn.spec.name):
            if uri in self._of_conn(conn).subscribed:
                self._unsubscribe(conn, uri, tenant.key)
            else:
                self._unsubscribe_server(conn, uri)
        self.refresh(conn)

    def _unsubscribe_server(self, conn: UpstreamConnection, uri: str) -> None:
        if not self.is_subscribed(conn, uri):
            self._send_subscription(conn, "resources/unsubscribe", uri)

    def _send_subscription(self, conn: UpstreamConnection, method: str, uri: str) -> None:
        """Send (un)subscribe to a legacy server; a modern one is told by `refresh`."""
        if conn.era is Era.LEGACY:
            params = edit(b"", {"uri": jsonrpc.quote(uri)})
            self.state.tell(conn, method, params)

    def refresh(self, conn: UpstreamConnection) -> None:
        """Subscribe to a modern server for the hosts that cannot: by one request for all of them."""
        known = conn.introduction
        if known is None or known.era is not Era.MODERN:
            return
        listened, wanted_filter = self._of_conn(conn), b"{}"
        if self._is_needed(conn):
            wanted_filter = filter_of(features(known)[0], list(listened.subscribed), self._tasks(conn))
        if wanted_filter == listened.filter:
            return
        old, listened.request_id, listened.filter = listened.request_id, b"", wanted_filter
        if wanted_filter != b"{}":
            presence = conn.tenant.presence
            params = edit(b"", {"notifications": wanted_filter})
            params = translate.modern_params(params, conn.declared(presence), presence.info)
            listened.request_id = self.state.tell(conn, LISTEN, params)
        if old:
            body = b'{"requestId":' + old + b"}"
            self.state.emit(do.Send(conn.id, jsonrpc.notification("notifications/cancelled", body)))

    def _tasks(self, conn: UpstreamConnection) -> list[str]:
        """Return the tasks of this server that hosts have subscribed to."""
        named = [tasks.split(task) for subscription in self._subscribers(conn) for task in subscription.tasks]
        return sorted({own for server, own in named if server == conn.spec.name})

    def _is_needed(self, conn: UpstreamConnection) -> bool:
        links = self.state.links_of(conn.tenant)
        return any(one.tenant.presence.era is Era.LEGACY for one in links) or bool(self._subscribers(conn))


def _without_subscription(params: bytes | msgspec.Raw) -> bytes:
    meta = edit(members(params)["_meta"], {SUBSCRIPTION_KEY: None})
    return edit(params, {"_meta": None if meta == b"{}" else meta})
