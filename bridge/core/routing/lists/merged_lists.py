"""Merged lists: tools, prompts, resources and tasks of many servers as one list. Pure.

A host is answered as soon as every server has replied or is known from its last run, at the latest after
PATIENCE. Differences that turn up later are announced by list_changed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple, cast

import msgspec

from bridge.core import commands as do
from bridge.core.events import SettingsChanged
from bridge.core.ports import ServerSpec
from bridge.core.protocol import jsonrpc, tasks, translate
from bridge.core.protocol.handshake import ServerIdentity
from bridge.core.protocol.jsonrpc import Envelope, Malformed, edit, members, quote, set_name
from bridge.core.protocol.revisions import Era
from bridge.core.protocol.tool_names import Routes
from bridge.core.routing.held import wait_tool
from bridge.core.routing.held.held_calls import HeldCalls
from bridge.core.routing.lists.pages import array
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import (
    Link,
    ListPart,
    MergedList,
    RoutingState,
    Tenant,
    ToolCheck,
    UpstreamConnection,
)
from bridge.core.routing.subscriptions.subscriptions import Subscriptions
from bridge.core.routing.task_owners import TaskOwners

PATIENCE = 1.8  # seconds for a server that starts; Claude Code turns to another era after 2, Cline gives up
COMPLETE = 20.0  # seconds for callers without MCP, to which changes cannot be announced
INSTRUCTIONS = "instructions"  # the key they are remembered by
NONE = b"[]"
LONGEST = 4000  # characters of one server's instructions: they are part of every conversation
MOST_URIS = 100_000  # known resources of one host


class _List(NamedTuple):
    """One kind of list: its capability, its member, what names an item, its list_changed method."""

    capability: str
    member: str
    naming: str
    changed: str


LISTS = {
    "tools/list": _List("tools", "tools", "name", "notifications/tools/list_changed"),
    "prompts/list": _List("prompts", "prompts", "name", "notifications/prompts/list_changed"),
    "resources/list": _List("resources", "resources", "uri", "notifications/resources/list_changed"),
    "resources/templates/list": _List(
        "resources", "resourceTemplates", "uriTemplate", "notifications/resources/list_changed"
    ),
    tasks.LIST: _List("tasks", "tasks", "taskId", ""),  # has no list_changed
}


class _Content(msgspec.Struct, frozen=True):
    type: str = ""
    uri: str = ""


class _Result(msgspec.Struct, frozen=True):
    content: list[_Content] = []


class _Introduction(msgspec.Struct, frozen=True):
    instructions: str = ""


def instructions_of(introduction: ServerIdentity) -> bytes:
    """Return a server's instructions for `remembered`: a JSON array of one text, or of none."""
    try:
        text = jsonrpc.read(_Introduction, introduction.result).instructions.strip()
    except Malformed:
        text = ""
    if len(text) > LONGEST:
        text = text[:LONGEST] + "…"
    return msgspec.json.encode([text] if text else [])


class PublicNames(msgspec.Struct, eq=False):
    """Which server has which tool, prompt or resource, by the lists that one Tenant got."""

    tools: Routes = msgspec.field(default_factory=Routes)
    prompts: Routes = msgspec.field(default_factory=Routes)
    uris: dict[str, set[str]] = {}  # resource → servers that listed it
    templates: dict[str, set[str]] = {}  # prefix of a resource template → servers that listed it


class MergedLists(RouterPart):
    def __init__(
        self, state: RoutingState, subscriptions: Subscriptions, owners: TaskOwners, held: HeldCalls
    ) -> None:
        self.state = state
        self.held = held
        self.subscriptions = subscriptions
        self.owners = owners
        self.waiting: set[MergedList] = set()  # not answered yet
        self.incomplete: set[MergedList] = set()  # lacks a server's part, answered or not
        self._late: set[str] = set()  # starting servers that were too late for a list
        self._names: dict[Tenant, PublicNames] = {}

    def names(self, tenant: Tenant) -> PublicNames:
        return self._names.setdefault(tenant, PublicNames())

    def begin(self, link: Link, request_id: bytes, method: str, conns: list[UpstreamConnection]) -> None:
        patience = COMPLETE if link.caller.plain else PATIENCE
        merged_list = MergedList(link, request_id, method, self.state.now + patience)
        link.requests[request_id] = merged_list
        self.subscriptions.listed(link.tenant, LISTS[method].changed)
        self.waiting.add(merged_list)
        self.incomplete.add(merged_list)
        merged_list.wanted = {conn.spec.name for conn in conns}
        for conn in conns:
            part = ListPart(merged_list=merged_list, conn=conn)
            if conn.introduction is None:
                conn.backlog.append(part)
                self._use_last_run(part)
            else:
                self.ask(part)
        self._serve_if_complete(merged_list)

    def _use_last_run(self, part: ListPart) -> None:
        """Use the list of a server's last run for such a host while it starts; [] if the server was too late
        for a list before."""
        merged_list, server, link = part.merged_list, part.conn.spec.name, part.merged_list.link
        known = self.state.memory.get(self.state.memory_key(part.conn, link.tenant), merged_list.method)
        if known is None and server in self._late and not link.caller.plain:
            known = b"[]"
        if known is not None:
            with suppress(Malformed):  # the file may be damaged
                merged_list.guessed[server] = self._named(part, jsonrpc.elements(known))

    def _serve_if_complete(self, merged_list: MergedList) -> None:
        if merged_list in self.waiting and merged_list.wanted <= merged_list.guessed.keys():
            self.serve(merged_list)

    # --- one server's share --------------------------------------------------------------------------

    def ask(self, part: ListPart, cursor: str | None = None) -> None:
        """Request (the next page of) one server's list, if the server has such a list."""
        conn, merged_list = part.conn, part.merged_list
        known = cast(ServerIdentity, conn.introduction)  # asked only after the handshake
        if part.excess:
            text = f"Its {merged_list.method} has more than {part.excess}."
            self.state.record_problem(conn, "endless", text)
            self.failed(part)
            return
        if not known.has(LISTS[merged_list.method].capability):
            self._complete(part)
            return
        self.request_page(conn, part, merged_list.method, merged_list.link.tenant, cursor)

    def request_page(
        self,
        conn: UpstreamConnection,
        waiting: ListPart | ToolCheck,
        method: str,
        tenant: Tenant,
        cursor: str | None,
    ) -> None:
        """Send the request for a page in this Tenant's name; `waiting` gets it."""
        request_id, host = b"%d" % self.state.next(), tenant.presence
        params = edit(b"", {"cursor": quote(cursor)}) if cursor is not None else b""
        if conn.era is Era.MODERN:
            params = translate.modern_params(params, conn.declared(host), host.info)
        conn.pending[request_id] = waiting
        self.state.emit(do.Send(conn.id, jsonrpc.request(request_id, method, params)))

    def receive(self, part: ListPart, envelope: Envelope) -> None:
        merged_list, server = part.merged_list, part.conn.spec.name
        if not len(envelope.result):
            self.failed(part)
            return
        try:
            before = len(part.items)
            cursor = part.add_page(envelope.result, LISTS[merged_list.method].member)
            if not part.excess:
                merged_list.items.setdefault(server, {}).update(self._named(part, part.items[before:]))
        except Malformed as error:
            self.state.record_problem(
                part.conn, "malformed", f"Its {merged_list.method} is not valid: {error}."
            )
            self.failed(part)
            return
        if cursor is None and not part.excess:
            self._complete(part)
        else:
            self.ask(part, cursor)

    def _complete(self, part: ListPart) -> None:
        """Take note that one server's list is complete."""
        spec, method = part.conn.spec, part.merged_list.method
        part.merged_list.items.setdefault(spec.name, {})
        if method == "tools/list":
            self.state.pins.add_list(spec.name, part.items)
        if LISTS[method].changed:
            self.remember(part.conn, part.merged_list.link.tenant, method, array(part.items))
        self.failed(part)

    def remember(self, conn: UpstreamConnection, tenant: Tenant, method: str, items: bytes) -> None:
        """Remember a list for such hosts, and the tools of a configured server for windows and pins."""
        self.state.remember(conn, tenant, method, items)
        if method == "tools/list" and self.state.servers.get(conn.spec.name) == conn.spec:
            self._keep(conn.spec, method, items)

    def _keep(self, spec: ServerSpec, what: str, items: bytes) -> None:
        if self.state.remembered.get((spec.name, what)) != items:
            self.state.remembered[spec.name, what] = items
            if not spec.builtin:
                self.state.emit(do.SaveList(spec.name, what, items))

    def failed(self, part: ListPart) -> None:
        """Take note that nothing more comes from this server."""
        merged_list = part.merged_list
        tenant, changed = merged_list.link.tenant, LISTS[merged_list.method].changed
        merged_list.wanted.discard(part.conn.spec.name)
        self._serve_if_complete(merged_list)
        if merged_list.wanted:
            return
        news = any(merged_list.served.get(server, {}) != items for server, items in merged_list.items.items())
        if news and changed:  # the host got a list without these
            self.subscriptions.corrected(tenant, changed)
        self.incomplete.discard(merged_list)

    def introduced(self, conn: UpstreamConnection, introduction: ServerIdentity) -> None:
        """Remember a server's instructions for the next host, and that it has started."""
        self._late.discard(conn.spec.name)
        spec, text = conn.spec, instructions_of(introduction)
        if not spec.builtin:
            self.state.pins.add_instructions(spec.name, introduction.result)
        before = self.state.remembered.get((spec.name, INSTRUCTIONS), NONE)
        if text != before and self.state.servers.get(spec.name) == spec:
            self._keep(spec, INSTRUCTIONS, text)

    # --- names ---------------------------------------------------------------------------------------

    def _named(self, part: ListPart, items: list[bytes]) -> dict[str, bytes]:
        """Return the items by public name. Duplicates are dropped: some hosts refuse a list with one."""
        merged_list, spec = part.merged_list, part.conn.spec
        rename = {"name": self._by_name, "taskId": self._by_task}.get(
            LISTS[merged_list.method].naming, self._by_address
        )
        named = (rename(merged_list, spec, item) for item in items)
        return {public: item for public, item in named if public}

    def _by_name(self, merged_list: MergedList, spec: ServerSpec, item: bytes) -> tuple[str, bytes]:
        names, tools, server = (
            self.names(merged_list.link.tenant),
            merged_list.method == "tools/list",
            spec.name,
        )
        own = jsonrpc.read(str, members(item).get("name", b'""'))
        public = self.state.public(server, own)
        if tools and not merged_list.link.tenant.rule.offers(*self.state.spellings(server, own)):
            return "", b""
        public = (names.tools if tools else names.prompts).learn(server, own, public)
        return public, set_name(item, own, public)

    def _by_task(self, merged_list: MergedList, spec: ServerSpec, item: bytes) -> tuple[str, bytes]:
        if not self.owners.may_see(merged_list.link.tenant, spec, jsonrpc.read(tasks.Task, item).task_id):
            return "", b""
        public = tasks.published(item, spec.name)
        return jsonrpc.read(tasks.Task, public).task_id, public

    def _by_address(self, merged_list: MergedList, spec: ServerSpec, item: bytes) -> tuple[str, bytes]:
        names, naming = self.names(merged_list.link.tenant), LISTS[merged_list.method].naming
        own = jsonrpc.read(str, members(item).get(naming, b'""'))
        if naming == "uri":
            self._place(names.uris, own, spec.name)
        else:
            self._place(names.templates, own.partition("{")[0], spec.name)
        return own, item

    def _place(self, table: dict[str, set[str]], address: str, server: str) -> None:
        if address in table or len(table) < MOST_URIS:
            table.setdefault(address, set()).add(server)

    def linked(self, tenant: Tenant, server: str, result: msgspec.Raw) -> None:
        """Note the resources a tool's result links to, which may be in no list."""
        with suppress(Malformed):
            for content in jsonrpc.read(_Result, result).content:
                if content.type == "resource_link":
                    self._place(self.names(tenant).uris, content.uri, server)

    # --- the answer ----------------------------------------------------------------------------------

    def serve(self, merged_list: MergedList) -> None:
        """Answer with the parts received so far. Those of late servers are announced by list_changed."""
        link = merged_list.link
        starting = {conn.spec.name for conn in self.state.conns.values() if conn.introduction is None}
        self._late |= (merged_list.wanted - merged_list.guessed.keys()) & starting
        half = (
            merged_list.wanted & merged_list.guessed.keys()
        )  # the last run's complete list is better than half of this one
        current = {name: dict(items) for name, items in merged_list.items.items() if name not in half}
        merged_list.served = {**merged_list.guessed, **current}
        merged: dict[str, bytes] = {}
        for name in [name for name in self.state.servers if name in merged_list.served]:
            for public, item in merged_list.served[name].items():
                merged.setdefault(public, item)  # listed by two servers: the first has it
        if merged_list.method == "tools/list" and (own := self.held.wait_tool(link)):
            merged[wait_tool.NAME] = own
        listed = b",".join(merged.values())
        result = b'{"' + LISTS[merged_list.method].member.encode() + b'":[' + listed + b"]}"
        if link.tenant.presence.era is Era.MODERN:
            result = translate.modern_result(merged_list.method, result)
        self._forget(merged_list)
        self.state.emit(
            do.Deliver(link.id, jsonrpc.response(merged_list.request, result), merged_list.request, True)
        )

    def _forget(self, merged_list: MergedList) -> None:
        self.waiting.discard(merged_list)
        merged_list.link.requests.pop(merged_list.request, None)

    def time_passed(self, now: float) -> None:
        for merged_list in [one for one in self.waiting if one.deadline <= now]:
            self.serve(merged_list)

    def serve_all(self) -> None:
        """Answer every open list with the parts received so far: Deskbell quits."""
        for merged_list in list(self.waiting):
            self.serve(merged_list)

    def link_closed(self, link: Link) -> None:
        for merged_list in [one for one in self.incomplete if one.link is link]:
            self._left(merged_list)

    def tenant_closed(self, tenant: Tenant) -> None:
        self._names.pop(tenant, None)
        for merged_list in [one for one in self.incomplete if one.link.tenant is tenant]:
            self.abandon(merged_list)

    def settings_changed(self, old: SettingsChanged, new: SettingsChanged) -> None:
        remembered = self.state.remembered
        for name in [name for name, spec in old.servers.items() if new.servers.get(name) != spec]:
            self.state.memory.forget(old.servers[name].identity)
            self.state.emit(do.SaveMemory())
            for key in [key for key in remembered if key[0] == name]:
                del remembered[key]

    def server_renamed(self, old: str, new: str) -> None:
        remembered = self.state.remembered
        for server, method in [key for key in remembered if key[0] == old]:
            items = remembered[new, method] = remembered.pop((server, method))
            self.state.emit(do.SaveList(new, method, items))

    def server_restarts(self, server: str) -> None:
        self._late.discard(server)

    def _left(self, merged_list: MergedList) -> None:
        """Abandon a list whose Link is closed, unless the rest can still be announced to its Tenant.

        A stateless host's Link was only one POST: if it was answered before the list was complete, a change
        is announced to the host's subscription. One list of each kind is enough for that.
        """
        same = (merged_list.link.tenant, merged_list.method)
        answered, private = merged_list not in self.waiting, merged_list.link.tenant.private
        others = (
            one for one in self.incomplete if one is not merged_list and one.link.id not in self.state.links
        )
        if private or not answered or any((one.link.tenant, one.method) == same for one in others):
            self.abandon(merged_list)

    def abandon(self, merged_list: MergedList) -> None:
        """Drop a list that nobody waits for, and the requests for it."""
        self._forget(merged_list)
        self.incomplete.discard(merged_list)
        for conn in self.state.conns.values():
            for request_id in [key for key, one in conn.pending.items() if _is_of(merged_list, one)]:
                del conn.pending[request_id]
                conn.limits.abandon_reply(request_id)
            conn.backlog = [one for one in conn.backlog if not _is_of(merged_list, one)]


def _is_of(merged_list: MergedList, one: object) -> bool:
    return isinstance(one, ListPart) and one.merged_list is merged_list
