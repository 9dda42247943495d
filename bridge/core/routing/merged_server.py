"""Many servers behind one entry: each name back to its own server. Pure. The lists are in merged_lists.py.

How Deskbell introduces itself where many servers stand behind one entry. Pure: wire forms out.

Hosts want to be greeted before any server has started: what a server had to say for all its tools is known
from its last introduction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

import msgspec

from bridge.core import commands as do
from bridge.core.ports import ServerSpec
from bridge.core.protocol import jsonrpc, log_levels, tasks, translate
from bridge.core.protocol.handshake import ServerIdentity
from bridge.core.protocol.jsonrpc import (
    METHOD_NOT_FOUND,
    Envelope,
    Malformed,
    edit,
    is_object,
    members,
    quote,
)
from bridge.core.protocol.revisions import (
    LEGACY_REVISIONS,
    MODERN_REVISION,
    NEWEST_LEGACY,
    SERVER_INFO_KEY,
    TASKS_EXTENSION,
    Era,
)
from bridge.core.protocol.tool_names import InBackoff, NoRoute, Routes
from bridge.core.protocol.translate import Params
from bridge.core.routing.merged_lists import LISTS, MergedLists
from bridge.core.routing.state import Link, RoutingState, Tenant, UpstreamConnection
from bridge.core.routing.subscriptions import LISTEN, Subscriptions, wanted

INSTRUCTIONS = "instructions"  # under what they are remembered
NONE = b"[]"
LONGEST = 4000  # letters of one server's instructions: they are part of every conversation
_INFO = b'{"name":"deskbell","title":"Deskbell","version":"1"}'
_CAPABILITIES = (
    b'{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},'
    b'"logging":{},"completions":{}}'
)
_TASKS = b'{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}'


class _Said(msgspec.Struct, frozen=True):
    instructions: str = ""


def instructions_of(introduction: ServerIdentity) -> bytes:
    """What is remembered of an introduction: an array of one text, or of none."""
    try:
        said = jsonrpc.read(_Said, introduction.result).instructions.strip()
    except Malformed:
        said = ""
    if len(said) > LONGEST:
        said = said[:LONGEST] + "…"
    return msgspec.json.encode([said] if said else [])


def instructions(known: Iterable[tuple[str, bytes]]) -> str:
    """One text out of those of many servers, each under the name that its tools begin with."""
    return "\n\n".join(f"# {server}\n{text}" for server, kept in known for text in _texts(kept))


def _texts(kept: bytes) -> list[str]:
    try:
        return jsonrpc.read(list[str], kept)
    except Malformed:  # it was in a file, and who knows what happened to that
        return []


def introduction(asked: str, text: str = "") -> bytes:
    """Our own `initialize` result."""
    revision = asked if asked in LEGACY_REVISIONS else NEWEST_LEGACY
    can = edit(_CAPABILITIES, {"tasks": _TASKS}) if revision == NEWEST_LEGACY else _CAPABILITIES
    hello = {"protocolVersion": quote(revision), "capabilities": can, "serverInfo": _INFO}
    return edit(b"{}", hello | _told(text))


def discovery(text: str = "") -> bytes:
    """Our own `server/discover` result."""
    versions = msgspec.json.encode([MODERN_REVISION, *LEGACY_REVISIONS])
    can = edit(_CAPABILITIES, {"extensions": edit(b"{}", {TASKS_EXTENSION: b"{}"})})
    meta = edit(b"{}", {SERVER_INFO_KEY: _INFO})
    found = edit(b"{}", {"supportedVersions": versions, "capabilities": can, "_meta": meta} | _told(text))
    return translate.modern_result("server/discover", found)


def _told(text: str) -> dict[str, bytes]:
    return {"instructions": quote(text)} if text else {}


_BY_URI = frozenset({"resources/read", "resources/subscribe", "resources/unsubscribe"})
_HERE = frozenset({"initialize", "server/discover", "ping", "logging/setLevel"})
_ELSEWHERE = frozenset({LISTEN, *LISTS})  # MCP's own, but not in this host's era


class _Uri(msgspec.Struct, frozen=True):
    uri: str = ""


class _Ref(msgspec.Struct, frozen=True):
    name: str = ""
    uri: str = ""


class _Completion(msgspec.Struct, frozen=True):
    ref: _Ref = _Ref()


class _Meant(msgspec.Struct, frozen=True):
    server: str = msgspec.field(default="", name="deskbell/server")


class _Vendor(msgspec.Struct, frozen=True):
    meta: _Meant = msgspec.field(default=_Meant(), name="_meta")


class MergedServer:
    """`open_errand` is given by the host side, which opens Exchanges."""

    open_errand: Callable[..., None]

    def __init__(
        self,
        state: RoutingState,
        connect: Callable[[Tenant, ServerSpec], UpstreamConnection],
        subscriptions: Subscriptions,
    ) -> None:
        self.state = state
        self.subscriptions = subscriptions
        self.connect = connect
        self.lists = MergedLists(state, subscriptions)

    def allowed(self, link: Link, server: str) -> bool:
        servers = link.tenant.rule.servers
        return servers is None or server in servers

    def servers(self, link: Link) -> list[ServerSpec]:
        return [s for s in self.state.servers.values() if s.enabled and self.allowed(link, s.name)]

    # --- requests ------------------------------------------------------------------------------------

    def requested(self, link: Link, data: bytes, envelope: Envelope, params: Params) -> None:
        method = envelope.method or ""
        if method in LISTS and not (method == tasks.LIST and link.tenant.presence.era is Era.MODERN):
            conns = self._with_tasks(link) if method == tasks.LIST else self._all(link)
            self.lists.begin(link, bytes(envelope.id), method, conns)
        elif method in tasks.BY_TASK:
            self._by_task(link, data, envelope, params)
        elif method in ("tools/call", "prompts/get"):
            self._by_name(link, data, envelope, params)
        elif method in _BY_URI:
            conn = self.conn(link, self._owner(link, jsonrpc.read(_Uri, envelope.params).uri))
            self.open_errand(link, conn, data, envelope, params, "")
        elif method == "completion/complete":
            self._complete(link, data, envelope, params)
        elif method == LISTEN and link.tenant.presence.era is Era.MODERN:
            self._listen(link, envelope)
        elif method in _HERE:
            self._answer_here(link, method, envelope)
        else:
            self._vendor(link, data, envelope, params)

    def _vendor(self, link: Link, data: bytes, envelope: Envelope, params: Params) -> None:
        """What MCP has no word for goes to the server that `_meta` names, or to the only one there is."""
        named = jsonrpc.read(_Vendor, envelope.params).meta.server if is_object(envelope.params) else ""
        servers = [named] if named else [spec.name for spec in self.servers(link) if not spec.builtin]
        if len(servers) == 1 and envelope.method not in _ELSEWHERE:
            self.open_errand(link, self.conn(link, servers[0]), data, envelope, params, "")
            return
        way = "connect to /mcp/NAME for one of them."
        text = f"{envelope.method} cannot be used where servers are merged; {way}"
        self.state.refuse(link, bytes(envelope.id), METHOD_NOT_FOUND, text)

    def _answer_here(self, link: Link, method: str, envelope: Envelope) -> None:
        request_id = bytes(envelope.id)
        if method == "initialize":
            result = introduction(link.tenant.presence.revision, self._instructions(link))
        elif method == "server/discover":
            result = discovery(self._instructions(link))
        else:
            result = b"{}"
            if method != "ping":
                link.tenant.level = log_levels.log_level(envelope.params)
                link.tenant.settled.learn("", method, bytes(envelope.params))
                self._tell_all(link, method, envelope)
        self.state.emit(do.Deliver(link.id, jsonrpc.response(request_id, result), request_id, True))

    def _instructions(self, link: Link) -> str:
        names = [spec.name for spec in self.servers(link)]
        kept = [(name, self.state.remembered.get((name, INSTRUCTIONS), NONE)) for name in names]
        return instructions(kept)

    def introduced(self, conn: UpstreamConnection, introduction: ServerIdentity) -> None:
        """What it says for all its tools is for the next host too."""
        spec, told = conn.spec, instructions_of(introduction)
        before = self.state.remembered.get((spec.name, INSTRUCTIONS), NONE)
        if told != before and self.state.servers.get(spec.name) == spec:
            self.lists.remember(spec, INSTRUCTIONS, told)

    def _tell_all(self, link: Link, method: str, envelope: Envelope) -> None:
        for conn in link.tenant.conns.values():
            known = conn.introduction
            if known is not None and known.era is Era.LEGACY and known.has("logging"):
                level = self.state.common_level(conn, link.tenant, link.tenant.level)
                self.state.tell(conn, method, edit(envelope.params, {"level": quote(level)}))

    def _by_name(self, link: Link, data: bytes, envelope: Envelope, params: Params) -> None:
        tenant = link.tenant
        routes = tenant.tools if envelope.method == "tools/call" else tenant.prompts
        server, name = self._find(routes, link, params.name)
        changed = jsonrpc.renamed(envelope.params, params.name, name)
        self.open_errand(link, self.conn(link, server), data, envelope, params, name, changed)

    def _by_task(self, link: Link, data: bytes, envelope: Envelope, params: Params) -> None:
        public = jsonrpc.read(tasks.Task, envelope.params).task_id
        server, own = tasks.split(public)
        if not server:
            raise NoRoute(f"There is no task called {public}.")
        changed = tasks.own(envelope.params)
        conn = self.state.kept_for(link.tenant, own) or self.conn(link, server)
        self.open_errand(link, conn, data, envelope, params, own, changed)

    def _complete(self, link: Link, data: bytes, envelope: Envelope, params: Params) -> None:
        ref = jsonrpc.read(_Completion, envelope.params).ref
        changed = b""
        if ref.name:
            server, name = self._find(link.tenant.prompts, link, ref.name)
            said = edit(members(envelope.params)["ref"], {"name": quote(name)})
            changed = edit(envelope.params, {"ref": said})
        else:
            server = self._owner(link, ref.uri)
        self.open_errand(link, self.conn(link, server), data, envelope, params, "", changed)

    def _listen(self, link: Link, envelope: Envelope) -> None:
        want = wanted(envelope.params)
        owners = {}
        for uri in want.resource_subscriptions or ():
            with suppress(NoRoute):  # what is not acknowledged is not heard of
                owners[uri] = self._owner(link, uri)
        known = [one for one in want.task_ids or () if self._may_hear(link, *tasks.split(one))]
        want = msgspec.structs.replace(want, task_ids=known)
        self.subscriptions.keep_for_all(link, bytes(envelope.id), want, owners)

    def _find(self, routes: Routes, link: Link, public: str) -> tuple[str, str]:
        found = routes.find(public) or Routes(s.name for s in self.servers(link)).find(public)
        if found is None:
            raise NoRoute(f"There is nothing called {public}. List again for what there is.")
        return found

    def _owner(self, link: Link, uri: str) -> str:
        """Whose resource this is: as listed, as a template begins, or the only server's there is."""
        tenant = link.tenant
        begins = max((start for start in tenant.templates if uri.startswith(start)), key=len, default="")
        listed = tenant.uris.get(uri) or tenant.templates.get(begins)
        if listed:  # by several servers: the first has it, as in the list
            return next((name for name in self.state.servers if name in listed), min(listed))
        able = [c for c in tenant.conns.values() if c.introduction and c.introduction.has("resources")]
        if len(able) == 1:
            return able[0].spec.name
        raise NoRoute(f"No server has listed {uri}. List the resources again for what there is.")

    def _may_use(self, link: Link, server: str) -> ServerSpec | None:
        spec = self.state.servers.get(server)
        return spec if spec is not None and spec.enabled and self.allowed(link, server) else None

    def _may_hear(self, link: Link, server: str, task: str) -> bool:
        spec = self._may_use(link, server)
        return spec is not None and self.state.may_see(link.tenant, spec, task)

    def conn(self, link: Link, server: str) -> UpstreamConnection:
        spec = self._may_use(link, server)
        if spec is None:
            text = f"There is no server called {server} for this host. See `deskbell servers list`."
            raise NoRoute(text)
        return self.connect(link.tenant, spec)

    def _all(self, link: Link) -> list[UpstreamConnection]:
        return [conn for spec in self.servers(link) if (conn := self._awake(link.tenant, spec))]

    def _with_tasks(self, link: Link) -> list[UpstreamConnection]:
        """A server that was not started has no tasks."""
        conns = link.tenant.conns.values()
        return [conn for conn in conns if conn.introduction and conn.introduction.era is Era.LEGACY]

    def _awake(self, tenant: Tenant, spec: ServerSpec) -> UpstreamConnection | None:
        try:
            return self.connect(tenant, spec)
        except InBackoff:
            return None
