"""Many servers behind one entry: one list out of many, and each name back to its own server. Pure."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import msgspec

from bridge.core import commands as do
from bridge.core import entry, eras, messages, tasks
from bridge.core.dial import Introduction
from bridge.core.eras import Era, Params
from bridge.core.listening import LISTEN, Listening, wanted
from bridge.core.messages import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    UNANSWERED,
    Envelope,
    Malformed,
    edit,
    members,
    quote,
)
from bridge.core.ports import ServerSpec
from bridge.core.routes import Routes
from bridge.core.state import Book, Conn, Gather, Link, Part, Party

PATIENCE = 20.0  # seconds a list waits for its slowest server; hosts give up at 30
MAX_PAGES = 200


class Unknown(Exception):
    """Nothing here is called so; the text says what to do."""

    code = INVALID_PARAMS


class Resting(Unknown):
    """It keeps ending and is not started again just yet."""

    code = UNANSWERED


class _List(NamedTuple):
    """One kind of list: the capability it needs, its member, what names an item, what tells of changes."""

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
    tasks.LIST: _List("tasks", "tasks", "taskId", ""),  # comes and goes untold
}
_BY_URI = frozenset({"resources/read", "resources/subscribe", "resources/unsubscribe"})


class _Uri(msgspec.Struct, frozen=True):
    uri: str = ""


class _Ref(msgspec.Struct, frozen=True):
    name: str = ""
    uri: str = ""


class _Completion(msgspec.Struct, frozen=True):
    ref: _Ref = _Ref()


class _Page(msgspec.Struct, frozen=True, rename="camel"):
    next_cursor: str | None = None


class Merge:
    """`open_errand` is given by the host side, which opens Exchanges."""

    open_errand: Callable[..., None]

    def __init__(
        self, book: Book, connect: Callable[[Party, ServerSpec], Conn], listening: Listening
    ) -> None:
        self.book = book
        self.listening = listening
        self.connect = connect

    def allowed(self, link: Link, server: str) -> bool:
        servers = self.book.policy.host(self.book.host_name(link)).servers
        return servers is None or server in servers

    def servers(self, link: Link) -> list[ServerSpec]:
        return [s for s in self.book.servers.values() if s.enabled and self.allowed(link, s.name)]

    # --- requests ------------------------------------------------------------------------------------

    def requested(self, link: Link, data: bytes, envelope: Envelope, params: Params) -> None:
        method = envelope.method or ""
        if method in LISTS and not (method == tasks.LIST and link.party.presence.era is Era.MODERN):
            self._gather(link, bytes(envelope.id), method)
        elif method in tasks.BY_TASK:
            self._by_task(link, data, envelope, params)
        elif method in ("tools/call", "prompts/get"):
            self._by_name(link, data, envelope, params)
        elif method in _BY_URI:
            conn = self.conn(link, self._owner(link, eras.read(_Uri, envelope.params).uri))
            self.open_errand(link, conn, data, envelope, params, "")
        elif method == "completion/complete":
            self._complete(link, data, envelope, params)
        elif method == LISTEN and link.party.presence.era is Era.MODERN:
            self._listen(link, envelope)
        else:
            self._answer_here(link, method, envelope)

    def _answer_here(self, link: Link, method: str, envelope: Envelope) -> None:
        request = bytes(envelope.id)
        if method == "initialize":
            result = entry.introduction(link.party.presence.revision, self._instructions(link))
        elif method == "server/discover":
            result = entry.discovery(self._instructions(link))
        elif method in ("ping", "logging/setLevel"):
            result = b"{}"
            if method != "ping":
                link.party.level = eras.log_level(envelope.params)
                link.party.standing.learn("", method, bytes(envelope.params))
                self._tell_all(link, method, envelope)
        else:
            text = f"{method} cannot be used where servers are merged; connect to /mcp/NAME for one of them."
            self.book.refuse(link, request, METHOD_NOT_FOUND, text)
            return
        self.book.emit(do.Deliver(link.id, messages.response(request, result), request, True))

    def _instructions(self, link: Link) -> str:
        names = [spec.name for spec in self.servers(link)]
        kept = [(name, self.book.remembered.get((name, entry.INSTRUCTIONS), entry.NONE)) for name in names]
        return entry.instructions(kept)

    def introduced(self, conn: Conn, introduction: Introduction) -> None:
        """What it says for all its tools is for the next host too."""
        spec, told = conn.spec, entry.instructions_of(introduction)
        before = self.book.remembered.get((spec.name, entry.INSTRUCTIONS), entry.NONE)
        if told != before and self.book.servers.get(spec.name) == spec:
            self._remember(spec, entry.INSTRUCTIONS, told)

    def _remember(self, spec: ServerSpec, what: str, items: bytes) -> None:
        """What is built in is never slow, and not worth remembering."""
        if not spec.builtin and self.book.remembered.get((spec.name, what)) != items:
            self.book.remembered[spec.name, what] = items
            self.book.emit(do.Remember(spec.name, what, items))

    def _tell_all(self, link: Link, method: str, envelope: Envelope) -> None:
        for conn in link.party.conns.values():
            known = conn.introduction
            if known is not None and known.era is Era.LEGACY and known.has("logging"):
                request = b"%d" % self.book.next()
                self.book.emit(do.Send(conn.id, messages.request(request, method, envelope.params)))

    def _by_name(self, link: Link, data: bytes, envelope: Envelope, params: Params) -> None:
        party = link.party
        routes = party.tools if envelope.method == "tools/call" else party.prompts
        server, name = self._find(routes, link, params.name)
        changed = edit(envelope.params, {"name": quote(name)})
        self.open_errand(link, self.conn(link, server), data, envelope, params, name, changed)

    def _by_task(self, link: Link, data: bytes, envelope: Envelope, params: Params) -> None:
        public = eras.read(tasks.Task, envelope.params).task_id
        server, own = tasks.split(public)
        if not server:
            raise Unknown(f"There is no task called {public}.")
        changed = tasks.own(envelope.params)
        self.open_errand(link, self.conn(link, server), data, envelope, params, own, changed)

    def _complete(self, link: Link, data: bytes, envelope: Envelope, params: Params) -> None:
        ref = eras.read(_Completion, envelope.params).ref
        changed = b""
        if ref.name:
            server, name = self._find(link.party.prompts, link, ref.name)
            said = edit(members(envelope.params)["ref"], {"name": quote(name)})
            changed = edit(envelope.params, {"ref": said})
        else:
            server = self._owner(link, ref.uri)
        self.open_errand(link, self.conn(link, server), data, envelope, params, "", changed)

    def _listen(self, link: Link, envelope: Envelope) -> None:
        want = wanted(envelope.params)
        owners = {}
        for uri in want.resource_subscriptions or ():
            with suppress(Unknown):  # what is not acknowledged is not heard of
                owners[uri] = self._owner(link, uri)
        known = [one for one in want.task_ids or () if self._may_use(link, tasks.split(one)[0])]
        want = msgspec.structs.replace(want, task_ids=known)
        self.listening.keep_for_all(link, bytes(envelope.id), want, owners)

    def _find(self, routes: Routes, link: Link, public: str) -> tuple[str, str]:
        found = routes.find(public) or Routes(s.name for s in self.servers(link)).find(public)
        if found is None:
            raise Unknown(f"There is nothing called {public}. List again for what there is.")
        return found

    def _owner(self, link: Link, uri: str) -> str:
        """Whose resource this is: as listed, as a template begins, or the only server's there is."""
        party = link.party
        if uri in party.uris:
            return party.uris[uri]
        begins = max((start for start in party.templates if uri.startswith(start)), key=len, default=None)
        if begins is not None:
            return party.templates[begins]
        able = [c for c in party.conns.values() if c.introduction and c.introduction.has("resources")]
        if len(able) == 1:
            return able[0].spec.name
        raise Unknown(f"No server has listed {uri}. List the resources again for what there is.")

    def _may_use(self, link: Link, server: str) -> ServerSpec | None:
        spec = self.book.servers.get(server)
        return spec if spec is not None and spec.enabled and self.allowed(link, server) else None

    def conn(self, link: Link, server: str) -> Conn:
        spec = self._may_use(link, server)
        if spec is None:
            text = f"There is no server called {server} for this host. See `deskbell servers list`."
            raise Unknown(text)
        return self.connect(link.party, spec)

    # --- lists ---------------------------------------------------------------------------------------

    def _gather(self, link: Link, request: bytes, method: str) -> None:
        gather = Gather(link, request, method, self.book.now + PATIENCE)
        conns = self._with_tasks(link) if method == tasks.LIST else self._all(link)
        link.requests[request] = gather
        link.gathers.add(gather)
        self.book.gathers.add(gather)
        gather.wanted = {conn.spec.name for conn in conns}
        for conn in conns:
            part = Part(gather, conn)
            if conn.introduction is None:
                conn.backlog.append(part)
                self._guess(part)
            else:
                self.ask(part)
        self._serve_if_complete(gather)

    def _guess(self, part: Part) -> None:
        """While a server starts, what it listed in its last run will do, for a host that can be corrected."""
        gather, server = part.gather, part.conn.spec.name
        known = self.book.remembered.get((server, gather.method))
        if known is None or gather.link.party.presence.era is Era.MODERN:
            return
        with suppress(Malformed):  # it was kept in a file, and who knows what happened to that
            gather.guessed[server] = [self._named(gather, server, item) for item in messages.elements(known)]

    def _serve_if_complete(self, gather: Gather) -> None:
        if gather in self.book.gathers and gather.wanted <= gather.guessed.keys():
            self.serve(gather)

    def _all(self, link: Link) -> list[Conn]:
        return [conn for spec in self.servers(link) if (conn := self._awake(link.party, spec))]

    def _with_tasks(self, link: Link) -> list[Conn]:
        """A server that was not started has no tasks."""
        conns = link.party.conns.values()
        return [conn for conn in conns if conn.introduction and conn.introduction.era is Era.LEGACY]

    def _awake(self, party: Party, spec: ServerSpec) -> Conn | None:
        try:
            return self.connect(party, spec)
        except Resting:
            return None

    def ask(self, part: Part, cursor: str | None = None) -> None:
        """Ask one server for (the next page of) its list, if it has such a list at all."""
        conn, gather = part.conn, part.gather
        known = conn.introduction
        if known is None or part.pages >= MAX_PAGES:
            self.failed(part)
            return
        if not known.has(LISTS[gather.method].capability):
            self._complete_list(part)
            return
        part.pages += 1
        request = b"%d" % self.book.next()
        params = edit(b"", {"cursor": quote(cursor)}) if cursor is not None else b""
        if known.era is Era.MODERN:
            presence = gather.link.party.presence
            params = eras.modern_params(params, presence.capabilities, presence.info)
        conn.pending[request] = part
        self.book.emit(do.Send(conn.id, messages.request(request, gather.method, params)))

    def heard(self, part: Part, envelope: Envelope) -> None:
        gather, server = part.gather, part.conn.spec.name
        if not len(envelope.result):
            self.failed(part)
            return
        try:
            listed = messages.elements(members(envelope.result).get(LISTS[gather.method].member, b"[]"))
            named = [self._named(gather, server, item) for item in listed]
            gather.items.setdefault(server, []).extend(named)
            part.own += listed
            cursor = eras.read(_Page, envelope.result).next_cursor
        except Malformed as error:
            detail = f"Its {gather.method} makes no sense: {error}."
            self.book.emit(do.Record("notice", server=server, outcome="malformed", detail=detail))
            self.failed(part)
            return
        if cursor is None:
            self._complete_list(part)
        else:
            self.ask(part, cursor)

    def _complete_list(self, part: Part) -> None:
        """All of a server's list is here."""
        spec, method = part.conn.spec, part.gather.method
        part.gather.items.setdefault(spec.name, [])
        if LISTS[method].changed:
            self._remember(spec, method, b"[" + b",".join(part.own) + b"]")
        self.failed(part)

    def failed(self, part: Part) -> None:
        """Nothing more comes from this server."""
        gather = part.gather
        gather.wanted.discard(part.conn.spec.name)
        self._serve_if_complete(gather)
        if gather.wanted:
            return
        news = any(gather.served.get(server, []) != items for server, items in gather.items.items())
        if news and LISTS[gather.method].changed:  # it was served before, without these
            self.listening.changed(gather.link, LISTS[gather.method].changed)
        gather.link.gathers.discard(gather)

    def _named(self, gather: Gather, server: str, item: bytes) -> bytes:
        """An item under its public name, and where to find it again."""
        party, kind = gather.link.party, LISTS[gather.method]
        if gather.method == tasks.LIST:
            return tasks.published(item, server)
        own = eras.read(str, members(item).get(kind.naming, b'""'))
        if kind.naming == "name":
            routes = party.tools if gather.method == "tools/list" else party.prompts
            return edit(item, {"name": quote(routes.learn(server, own))})
        table = party.uris if kind.naming == "uri" else party.templates
        table.setdefault(own.partition("{")[0] if kind.naming == "uriTemplate" else own, server)
        return item

    def serve(self, gather: Gather) -> None:
        """Answer with what there is. A server that is late is told of by list_changed."""
        link = gather.link
        half = gather.wanted & gather.guessed.keys()  # better what was whole once
        heard = {name: list(items) for name, items in gather.items.items() if name not in half}
        gather.served = {**gather.guessed, **heard}
        order = [name for name in self.book.servers if name in gather.served]
        listed = b",".join(item for name in order for item in gather.served[name])
        result = b'{"' + LISTS[gather.method].member.encode() + b'":[' + listed + b"]}"
        if link.party.presence.era is Era.MODERN:
            result = eras.modern_result(gather.method, result)
        self._forget(gather)
        self.book.emit(do.Deliver(link.id, messages.response(gather.request, result), gather.request, True))

    def _forget(self, gather: Gather) -> None:
        self.book.gathers.discard(gather)
        gather.link.requests.pop(gather.request, None)

    def abandon(self, gather: Gather) -> None:
        """Nobody wants the list, nor to hear that it is complete."""
        self._forget(gather)
        gather.link.gathers.discard(gather)
        for conn in self.book.conns.values():
            conn.pending = {key: one for key, one in conn.pending.items() if not _is_of(gather, one)}
            conn.backlog = [one for one in conn.backlog if not _is_of(gather, one)]


def _is_of(gather: Gather, one: object) -> bool:
    return isinstance(one, Part) and one.gather is gather
