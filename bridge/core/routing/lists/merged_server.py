"""Many servers behind one endpoint: route each request to the server it names. Pure.

The merged lists are in merged_lists.py. Deskbell introduces itself before any server has started, so the
servers' instructions come from their last introductions.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import msgspec

from bridge.core import commands as do
from bridge.core.ports import ServerSpec
from bridge.core.protocol import jsonrpc, log_levels, tasks
from bridge.core.protocol.jsonrpc import Envelope, Malformed, edit, members, quote, set_name
from bridge.core.protocol.own_introduction import discovery, introduction
from bridge.core.protocol.revisions import Era
from bridge.core.protocol.tool_names import InBackoff, NoRoute, Routes, not_found
from bridge.core.protocol.translate import Params
from bridge.core.routing.connections.connections import Connections
from bridge.core.routing.lists.merged_lists import INSTRUCTIONS, LISTS, NONE, MergedLists
from bridge.core.routing.state import Link, RoutingState, UpstreamConnection
from bridge.core.routing.subscriptions.filter import LISTEN, Uri, wanted
from bridge.core.routing.task_owners import TaskOwners

_BY_URI = frozenset({"resources/read", "resources/subscribe", "resources/unsubscribe"})
_HERE = frozenset({"initialize", "server/discover", "ping", "logging/setLevel"})
_ELSEWHERE = frozenset({LISTEN, *LISTS})  # MCP methods that are not in this host's era


class _Ref(msgspec.Struct, frozen=True):
    type: str = ""
    name: str = ""
    uri: str = ""


class _Completion(msgspec.Struct, frozen=True):
    ref: _Ref = _Ref()


class RouteTarget(NamedTuple):
    """Where a request goes."""

    conn: UpstreamConnection
    name: str = ""  # of the tool, prompt or task at its server
    params: bytes = b""  # to send instead of the host's


class MergedServer:
    def __init__(
        self, state: RoutingState, connections: Connections, lists: MergedLists, owners: TaskOwners
    ) -> None:
        self.state = state
        self.connections = connections
        self.subscriptions = connections.subscriptions
        self.lists = lists
        self.owners = owners

    def servers(self, link: Link) -> list[ServerSpec]:
        """Return the servers this host is offered."""
        specs = self.state.servers.values()
        return [spec for spec in specs if spec.enabled and link.tenant.rule.offers_server(spec.name)]

    # --- requests ------------------------------------------------------------------------------------

    def route(self, link: Link, envelope: Envelope, params: Params) -> RouteTarget | None:
        """Return where a host's request goes; None if it is answered here."""
        method = envelope.method or ""
        if method in ("tools/call", "prompts/get"):
            return self._by_name(link, envelope, params)
        if method in LISTS and not (method == tasks.LIST and link.tenant.presence.era is Era.MODERN):
            conns = self._with_tasks(link) if method == tasks.LIST else self._all(link)
            self.lists.begin(link, bytes(envelope.id), method, conns)
            return None
        if method in tasks.BY_TASK:
            return self._by_task(link, envelope)
        if method in _BY_URI:
            return RouteTarget(self.conn(link, self._owner(link, jsonrpc.read(Uri, envelope.params).uri)))
        if method == "completion/complete":
            return self._complete(link, envelope)
        if method == LISTEN and link.tenant.presence.era is Era.MODERN:
            self._listen(link, envelope)
            return None
        if method in _HERE:
            self._answer_here(link, method, envelope)
            return None
        return self._vendor(link, envelope)

    def _vendor(self, link: Link, envelope: Envelope) -> RouteTarget | None:
        """Send a method MCP does not define to the only server, if there is just one."""
        servers = [spec.name for spec in self.servers(link) if not spec.builtin]
        if len(servers) == 1 and envelope.method not in _ELSEWHERE:
            return RouteTarget(self.conn(link, servers[0]))
        way = "connect to /mcp/NAME for one of them."
        text = f"{envelope.method} cannot be used where servers are merged; {way}"
        self.state.refuse(link, bytes(envelope.id), jsonrpc.METHOD_NOT_FOUND, text)
        return None

    def _answer_here(self, link: Link, method: str, envelope: Envelope) -> None:
        request_id = bytes(envelope.id)
        if method == "initialize":
            result = introduction(link.tenant.presence.revision, self._instructions(link))
        elif method == "server/discover":
            result = discovery(self._instructions(link))
        else:
            result = b"{}"
            if method != "ping":
                log_levels.known_level(envelope.params)
                self.subscriptions.learn(link.tenant, "", method, envelope.params)
                self._tell_all(link, method, envelope)
        self.state.emit(do.Deliver(link.id, jsonrpc.response(request_id, result), request_id, True))

    def _instructions(self, link: Link) -> str:
        """Return the instructions of the host's servers as one text, each under its server's name."""
        texts: list[str] = []
        for spec in self.servers(link):
            with suppress(Malformed):  # the file may be damaged
                known = self.state.remembered.get((spec.name, INSTRUCTIONS), NONE)
                texts += [f"# {spec.name}\n{text}" for text in jsonrpc.read(list[str], known)]
        return "\n\n".join(texts)

    def _tell_all(self, link: Link, method: str, envelope: Envelope) -> None:
        for conn in link.tenant.conns.values():
            if conn.era is Era.LEGACY and conn.introduction and conn.introduction.has("logging"):
                level = self.subscriptions.common_level(conn, link.tenant, link.tenant.level)
                self.state.tell(conn, method, edit(envelope.params, {"level": quote(level)}))

    def _by_name(self, link: Link, envelope: Envelope, params: Params) -> RouteTarget:
        names = self.lists.names(link.tenant)
        routes = names.tools if envelope.method == "tools/call" else names.prompts
        server, name = self._find(routes, link, params.name, envelope.method or "")
        changed = set_name(envelope.params, params.name, name)
        return RouteTarget(self.conn(link, server), name, changed)

    def _by_task(self, link: Link, envelope: Envelope) -> RouteTarget:
        public = jsonrpc.read(tasks.Task, envelope.params).task_id
        server, own = tasks.split(public)
        if not server:
            raise NoRoute(f"There is no task called {public}.")
        conn = self.connections.retired.with_task(link.tenant, own) or self.conn(link, server)
        return RouteTarget(conn, own, tasks.own(envelope.params))

    def _complete(self, link: Link, envelope: Envelope) -> RouteTarget:
        ref = jsonrpc.read(_Completion, envelope.params).ref
        if not ref.name:
            return RouteTarget(self.conn(link, self._owner(link, ref.uri)))
        names = self.lists.names(link.tenant)
        is_tool = ref.type == "ref/tool"  # our extension
        routes = names.tools if is_tool else names.prompts
        server, name = self._find(routes, link, ref.name, "tools/call" if is_tool else "prompts/get")
        own_ref = edit(members(envelope.params)["ref"], {"name": quote(name)})
        return RouteTarget(self.conn(link, server), params=edit(envelope.params, {"ref": own_ref}))

    def _listen(self, link: Link, envelope: Envelope) -> None:
        want = wanted(envelope.params)
        owners = {}
        for uri in want.resource_subscriptions or ():
            with suppress(NoRoute):  # an unknown resource is left out of the acknowledgement
                owners[uri] = self._owner(link, uri)
        known = [one for one in want.task_ids or () if self._may_hear(link, *tasks.split(one))]
        want = msgspec.structs.replace(want, task_ids=known)
        self.subscriptions.open_for_all(link, bytes(envelope.id), want, owners)

    def _find(self, routes: Routes, link: Link, public: str, method: str) -> tuple[str, str]:
        found = routes.find(public) or Routes(s.name for s in self.servers(link)).find(public)
        if found is None:
            raise NoRoute(not_found(public, method))
        return found

    def _owner(self, link: Link, uri: str) -> str:
        """Return the server that listed a resource or its template, or the only one with resources."""
        tenant, names = link.tenant, self.lists.names(link.tenant)
        begins = max((start for start in names.templates if uri.startswith(start)), key=len, default="")
        listed = names.uris.get(uri) or names.templates.get(begins)
        if listed:  # listed by several servers: the first has it, as in the list
            return next((name for name in self.state.servers if name in listed), min(listed))
        able = [c for c in tenant.conns.values() if c.introduction and c.introduction.has("resources")]
        if len(able) == 1:
            return able[0].spec.name
        raise NoRoute(f"No server has listed {uri}. List the resources again for what there is.")

    def _may_use(self, link: Link, server: str) -> ServerSpec | None:
        spec = self.state.servers.get(server)
        return spec if spec is not None and spec.enabled and link.tenant.rule.offers_server(server) else None

    def _may_hear(self, link: Link, server: str, task: str) -> bool:
        spec = self._may_use(link, server)
        return spec is not None and self.owners.may_see(link.tenant, spec, task)

    def conn(self, link: Link, server: str) -> UpstreamConnection:
        spec = self._may_use(link, server)
        if spec is None:
            text = f"There is no server called {server} for this host. See `deskbell servers list`."
            raise NoRoute(text)
        return link.tenant.conns.get(server) or self.connections.connect(link.tenant, spec)

    def _all(self, link: Link) -> list[UpstreamConnection]:
        """Return connections to all servers of the host, without those in back-off."""
        conns: list[UpstreamConnection] = []
        for spec in self.servers(link):
            with suppress(InBackoff):
                conns.append(self.connections.connect(link.tenant, spec))
        return conns

    def _with_tasks(self, link: Link) -> list[UpstreamConnection]:
        """Return the connections that may have tasks; a server that was not started has none."""
        return [conn for conn in link.tenant.conns.values() if conn.era is Era.LEGACY]
