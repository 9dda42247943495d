"""Who hears of changes, between the eras: `subscriptions/listen`, `resources/subscribe`, list_changed.

A modern host listens by a request that stays open; before a legacy server, or many servers, that request is
ours to keep. A legacy host just hears; of a modern server it does because we listen for it. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bridge.core import commands as do
from bridge.core.protocol import jsonrpc, tasks, translate
from bridge.core.protocol.handshake import Introduction
from bridge.core.protocol.jsonrpc import Malformed, edit, members
from bridge.core.protocol.revisions import SUBSCRIPTION_KEY, Era
from bridge.core.routing.state import Book, Conn, Errand, Link, Listener, Party

LISTEN = "subscriptions/listen"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
UPDATED = "notifications/resources/updated"
KINDS = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
}


class _Uri(msgspec.Struct, frozen=True):
    uri: str = ""


class Filter(msgspec.Struct, frozen=True, rename="camel"):
    tools_list_changed: bool | None = None
    prompts_list_changed: bool | None = None
    resources_list_changed: bool | None = None
    resource_subscriptions: list[str] | None = None
    task_ids: list[str] | None = None

    @property
    def kinds(self) -> frozenset[str]:
        flags = (self.tools_list_changed, self.prompts_list_changed, self.resources_list_changed)
        return frozenset(kind for kind, wanted in zip(KINDS.values(), flags, strict=True) if wanted)


class _Listen(msgspec.Struct, frozen=True):
    notifications: Filter = Filter()


class _Feature(msgspec.Struct, frozen=True, rename="camel"):
    list_changed: bool = False
    subscribe: bool = False


class _Features(msgspec.Struct, frozen=True):
    tools: _Feature = _Feature()
    prompts: _Feature = _Feature()
    resources: _Feature = _Feature()


class _Introduced(msgspec.Struct, frozen=True):
    capabilities: _Features = _Features()


def wanted(params: bytes | msgspec.Raw) -> Filter:
    """What a `subscriptions/listen` wants to hear of."""
    return jsonrpc.read(_Listen, params).notifications


def features(introduction: Introduction) -> tuple[frozenset[str], bool]:
    """Of which kinds of change a server tells, and whether it does so of single resources."""
    try:
        can = jsonrpc.read(_Introduced, introduction.result).capabilities
    except Malformed:
        return frozenset(), False
    flags = (can.tools.list_changed, can.prompts.list_changed, can.resources.list_changed)
    kinds = frozenset(kind for kind, told in zip(KINDS.values(), flags, strict=True) if told)
    return kinds, can.resources.subscribe


def filter_of(kinds: frozenset[str], uris: list[str], task_ids: Sequence[str] = ()) -> bytes:
    said: dict[str, bytes | None] = {kind: b"true" for kind in KINDS.values() if kind in kinds}
    if uris:
        said["resourceSubscriptions"] = msgspec.json.encode(uris)
    if task_ids:
        said["taskIds"] = msgspec.json.encode(task_ids)
    return edit(b"{}", said)


class Listening:
    def __init__(self, book: Book) -> None:
        self.book = book

    # --- modern hosts --------------------------------------------------------------------------------

    def keep(self, errand: Errand, introduction: Introduction, link: Link) -> None:
        """A modern host listens to one legacy server: its request stays open here."""
        want = wanted(errand.envelope.params)
        kinds, subscribe = features(introduction)
        uris = (want.resource_subscriptions or []) if subscribe else []
        owners = dict.fromkeys(uris, errand.conn.spec.name)
        request, kinds = errand.exchange.request, want.kinds & kinds
        self._open(Listener(errand.id, link, request, kinds, owners, errand.conn))

    def keep_for_all(self, link: Link, request: bytes, want: Filter, owners: dict[str, str]) -> None:
        """A modern host listens to many servers. `owners`: whose the wanted resources are."""
        listener = Listener(self.book.next(), link, request, want.kinds, owners)
        listener.tasks = tuple(want.task_ids or ())
        link.requests[request] = listener
        self._open(listener)
        for method in [one for one in KINDS if one in link.party.missed and KINDS[one] in listener.kinds]:
            link.party.missed.discard(method)
            self._tell(listener, method, b"{}")

    def _open(self, listener: Listener) -> None:
        self.book.listeners[listener.id] = listener
        said = filter_of(listener.kinds, list(listener.uris), listener.tasks)
        self._tell(listener, ACKNOWLEDGED, edit(b"{}", {"notifications": said}))
        for conn in self._conns(listener):
            self._attend(conn, listener)
            self.refresh(conn)

    def end(self, listener: Listener) -> None:
        """It does not listen any more."""
        del self.book.listeners[listener.id]
        if listener.conn is None:
            listener.link.requests.pop(listener.request, None)
        for conn in self._conns(listener):
            for uri in listener.uris:
                self._unsubscribe(conn, uri, listener.owner)
            self.refresh(conn)

    def end_kept(self, errand: Errand) -> None:
        listener = self.book.listeners.get(errand.id)
        if listener is not None:
            self.end(listener)

    def end_all(self, link: Link) -> None:
        for listener in [one for one in self.book.listeners.values() if one.link is link]:
            self.end(listener)

    def close(self) -> None:
        """The last word to those who listen to many servers."""
        for listener in [one for one in self.book.listeners.values() if one.conn is None]:
            self.end(listener)
            meta = edit(b"{}", {SUBSCRIPTION_KEY: listener.request})
            result = edit(b'{"resultType":"complete"}', {"_meta": meta})
            reply = jsonrpc.response(listener.request, result)
            self.book.emit(do.Deliver(listener.link.id, reply, listener.request, True))

    def _conns(self, listener: Listener) -> list[Conn]:
        conns = [listener.conn] if listener.conn else listener.link.party.conns.values()
        return [conn for conn in conns if conn.id in self.book.conns and conn.introduction is not None]

    def _heeds(self, conn: Conn) -> list[Listener]:
        """Who hears what this connection tells."""
        users = (conn.party, *conn.party.guests.values())
        listeners = self.book.listeners.values()
        return [x for x in listeners if x.conn is conn or (x.conn is None and x.link.party in users)]

    def _attend(self, conn: Conn, listener: Listener) -> None:
        for uri, server in listener.uris.items():
            if server == conn.spec.name:
                self._subscribe(conn, uri, listener.owner)

    def changed(self, link: Link, method: str) -> None:
        """A list is not what it was, for the host of this Link."""
        if link.party.presence.era is Era.LEGACY:
            self.book.emit(do.Deliver(link.id, jsonrpc.notification(method)))
            return
        for listener in [one for one in self.book.listeners.values() if one.link is link]:
            if KINDS[method] in listener.kinds:
                self._tell(listener, method, b"{}")

    def corrected(self, party: Party, method: str) -> None:
        """A list that this host was given is not what it was. Who listens only later is told then."""
        for link in list(party.links.values()):
            self.changed(link, method)
        listens = any(x.conn is None and KINDS[method] in x.kinds for x in self._of(party))
        if party.presence.era is Era.MODERN and not listens:
            party.missed.add(method)

    def _of(self, party: Party) -> list[Listener]:
        return [one for one in self.book.listeners.values() if one.link.party is party]

    def _tell(self, listener: Listener, method: str, params: bytes | msgspec.Raw) -> None:
        meta = edit(members(params).get("_meta", b""), {SUBSCRIPTION_KEY: listener.request})
        told = jsonrpc.notification(method, edit(params, {"_meta": meta}))
        self.book.emit(do.Deliver(listener.link.id, told, listener.request))

    # --- servers -------------------------------------------------------------------------------------

    def introduced(self, conn: Conn, introduction: Introduction) -> None:
        """A new connection hears what is wanted of it."""
        for user in (conn.party, *conn.party.guests.values()) if introduction.era is Era.MODERN else ():
            for _, params in user.standing.again(conn.spec.name, has_logging=False):
                self._subscribe(conn, jsonrpc.read(_Uri, params).uri, user.key)
        for listener in self._heeds(conn):
            self._attend(conn, listener)
        self.refresh(conn)

    def heard(self, conn: Conn, data: bytes, envelope: jsonrpc.Envelope) -> bytes:
        """A server's note reaches those who listen. Returns it for legacy hosts; b"": it is not for them."""
        params = envelope.params
        if conn.introduction is not None and conn.introduction.era is Era.MODERN:
            meta = members(params).get("_meta", b"") if jsonrpc.is_object(params) else b""
            subscription = bytes(members(meta).get(SUBSCRIPTION_KEY, b""))
            if subscription and (subscription != conn.ear or envelope.method == ACKNOWLEDGED):
                return b""
            if subscription:
                params = msgspec.Raw(_without_subscription(params))
                data = jsonrpc.notification(envelope.method or "", params)
        if self.book.listeners:
            self._spread(conn, envelope.method or "", params)
        return b"" if envelope.method == tasks.CHANGED else data

    def _spread(self, conn: Conn, method: str, params: msgspec.Raw) -> None:
        if method == tasks.CHANGED:
            self._spread_task(conn, params)
        kind = KINDS.get(method)
        uri = jsonrpc.read(_Uri, params).uri if method == UPDATED else None
        for listener in self._heeds(conn):
            if kind in listener.kinds or (uri is not None and listener.uris.get(uri) == conn.spec.name):
                self._tell(listener, method, params)

    def _spread_task(self, conn: Conn, params: msgspec.Raw) -> None:
        """Only to those who named this task: it may hold the task's result."""
        own = jsonrpc.read(tasks.Task, params).task_id
        told = tasks.published(params, conn.spec.name)
        public = jsonrpc.read(tasks.Task, told).task_id
        for listener in [one for one in self._heeds(conn) if public in one.tasks]:
            if self.book.may_see(listener.link.party, conn.spec, own):
                self._tell(listener, tasks.CHANGED, told)

    def subscribe(self, errand: Errand) -> None:
        """A legacy host subscribes to a modern server's resource, or no more."""
        uri, party, conn = jsonrpc.read(_Uri, errand.envelope.params).uri, errand.party, errand.conn
        if errand.method == "resources/subscribe":
            self._subscribe(conn, uri, party.key)
        else:
            self._unsubscribe(conn, uri, party.key)
        party.standing.learn(conn.spec.name, errand.method, bytes(errand.envelope.params))
        self.refresh(conn)

    def _subscribe(self, conn: Conn, uri: str, owner: str) -> None:
        owners = conn.subscribed.setdefault(uri, set())
        if not owners:
            self._say(conn, "resources/subscribe", uri)
        owners.add(owner)

    def _unsubscribe(self, conn: Conn, uri: str, owner: str) -> None:
        owners = conn.subscribed.get(uri, set())
        if owner in owners:
            owners.discard(owner)
            if not owners:
                del conn.subscribed[uri]
                self._unless_awaited(conn, uri)

    def leave(self, conn: Conn, party: Party) -> None:
        """This host has left a connection that others go on to use."""
        for uri in party.standing.uris(conn.spec.name):
            if uri in conn.subscribed:
                self._unsubscribe(conn, uri, party.key)
            else:
                self._unless_awaited(conn, uri)
        self.refresh(conn)

    def _unless_awaited(self, conn: Conn, uri: str) -> None:
        if not self.book.is_awaited(conn, uri):
            self._say(conn, "resources/unsubscribe", uri)

    def _say(self, conn: Conn, method: str, uri: str) -> None:
        """A modern server is told by `refresh`."""
        if conn.introduction is not None and conn.introduction.era is Era.LEGACY:
            params = edit(b"", {"uri": jsonrpc.quote(uri)})
            self.book.tell(conn, method, params)

    def refresh(self, conn: Conn) -> None:
        """Listen to a modern server for those who cannot do so themselves: by one request, to all of it."""
        known = conn.introduction
        if known is None or known.era is not Era.MODERN:
            return
        said = b"{}"
        if self._is_needed(conn):
            said = filter_of(features(known)[0], list(conn.subscribed), self._tasks(conn))
        if said == conn.hears:
            return
        old, conn.ear, conn.hears = conn.ear, b"", said
        if said != b"{}":
            presence = conn.party.presence
            params = edit(b"", {"notifications": said})
            params = translate.modern_params(params, presence.capabilities, presence.info)
            conn.ear = self.book.tell(conn, LISTEN, params)
        if old:
            body = b'{"requestId":' + old + b"}"
            self.book.emit(do.Send(conn.id, jsonrpc.notification("notifications/cancelled", body)))

    def _tasks(self, conn: Conn) -> list[str]:
        """Of which of its tasks somebody wants to hear."""
        named = [tasks.split(task) for listener in self._heeds(conn) for task in listener.tasks]
        return sorted({own for server, own in named if server == conn.spec.name})

    def _is_needed(self, conn: Conn) -> bool:
        links = self.book.links_of(conn.party)
        return any(one.party.presence.era is Era.LEGACY for one in links) or bool(self._heeds(conn))


def _without_subscription(params: bytes | msgspec.Raw) -> bytes:
    meta = edit(members(params)["_meta"], {SUBSCRIPTION_KEY: None})
    return edit(params, {"_meta": None if meta == b"{}" else meta})
