"""Reply to a host while its single server starts: hosts leave out a server that is slow to reply. Pure.

The host gets what the server sent in its last run. Where nothing is known the request waits PATIENCE seconds;
then the introduction is our own and the lists are empty. When the server has started, the lists are compared
(lists/own_list_requests.py) and the host is told of changes. A server that has started gets the requests
itself. Merged lists are in lists/merged_lists.py.
"""

from __future__ import annotations

from contextlib import suppress
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple, cast

from bridge.core import commands as do
from bridge.core.exchange.events import UpstreamReplied
from bridge.core.protocol import translate
from bridge.core.protocol.handshake import ServerIdentity
from bridge.core.protocol.jsonrpc import Malformed, Outcome, OwnReply
from bridge.core.protocol.own_introduction import starting_server
from bridge.core.protocol.revisions import Era
from bridge.core.routing import local_replies
from bridge.core.routing.lists.merged_lists import LISTS, NONE, PATIENCE
from bridge.core.routing.lists.tool_list import offered
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import Link, OpenRequest, RoutingState, Tenant, UpstreamConnection

if TYPE_CHECKING:
    from bridge.core.routing.exchange_runner import ExchangeRunner

LONG_PATIENCE = 20.0  # seconds for the first list of a host that may read its lists once, within its clock
_READ_AGAIN = ("claude-code", "gemini-cli-mcp-client*", "opencode", "kilo", "copilot-cli", "github-copilot*")
_LISTS = frozenset(method for method, kind in LISTS.items() if kind.changed)
EARLY = frozenset({"initialize", "server/discover", "ping", *_LISTS})


class ServedList(NamedTuple):
    """A list that a host got before its server had started."""

    tenant: Tenant
    method: str
    items: bytes  # a JSON array


class EarlyReplies(RouterPart):
    def __init__(self, state: RoutingState, runner: ExchangeRunner) -> None:
        self.state = state
        self.runner = runner
        self._served: dict[UpstreamConnection, dict[tuple[str, str], ServedList]] = {}
        self._introduced: set[tuple[str, str]] = set()  # tenant, server: the host got our own introduction

    @property
    def waits(self) -> bool:
        """True if a request waits that will be answered without its server."""
        return any(
            self._may_answer(one) for conn in self._starting() for one in conn.backlog if _is_early(one)
        )

    def reply(self, request: OpenRequest) -> Outcome | None:
        """Return what the starting server replied last time; None if the request waits for the server."""
        if request.method not in EARLY or not self._may_answer(request):
            return None
        if request.method == "ping":
            return OwnReply(b"{}")
        with suppress(Malformed):  # the file may be damaged
            return self._known(request)
        return None

    def missing_list(self, request: OpenRequest, server: ServerIdentity) -> Outcome | None:
        """Return an empty list if the server lacks what its host was told before the server had started."""
        kind = LISTS.get(request.method)
        if kind is None or server.has(kind.capability) or _pair(request) not in self._introduced:
            return None
        return OwnReply(_list_result(request, NONE))

    def introduced(self, conn: UpstreamConnection, introduction: ServerIdentity) -> list[ServedList]:
        """Remember a server's introduction; return the lists that hosts got before it."""
        state, news = self.state, False
        for user in conn.tenant.users:
            news |= state.memory.introduced(state.memory_key(conn, user), introduction)
        if news and not conn.spec.builtin:
            state.emit(do.SaveMemory())
        return self.take_served(conn)

    def take_served(self, conn: UpstreamConnection) -> list[ServedList]:
        return list(self._served.pop(conn, {}).values())

    def note_served(self, conn: UpstreamConnection, served: ServedList) -> None:
        """Note which list a host got before its server had started, to be compared with the server's own."""
        self._served.setdefault(conn, {})[served.tenant.key, served.method] = served

    def connection_closed(self, conn: UpstreamConnection) -> None:
        self._served.pop(conn, None)

    def tenant_closed(self, tenant: Tenant) -> None:
        self._introduced = {pair for pair in self._introduced if pair[0] != tenant.key}
        for served in self._served.values():
            for key in [key for key in served if key[0] == tenant.key]:
                del served[key]

    def time_passed(self, now: float) -> None:
        """Reply in place of a server that takes too long to start and of which nothing is known."""
        for conn in self._starting():
            for request in [one for one in conn.backlog if self._is_overdue(one, now)]:
                conn.backlog.remove(request)
                request = cast(OpenRequest, request)
                self.runner.advance(request, UpstreamReplied(self._unknown(request)))

    def _starting(self) -> list[UpstreamConnection]:
        return [conn for conn in self.state.conns.values() if conn.introduction is None and conn.backlog]

    def _may_answer(self, request: object) -> bool:
        return not cast(Link, cast(OpenRequest, request).link).caller.plain

    def _is_overdue(self, one: object, now: float) -> bool:
        if not _is_early(one) or not self._may_answer(one):
            return False
        request = cast(OpenRequest, one)
        return request.started + self._patience(request) <= now

    def _patience(self, request: OpenRequest) -> float:
        """Return how long a request waits for a server of which nothing is known. A host that does not read
        its lists again has no use for an empty one."""
        name = request.presence.who.name
        if request.method not in _LISTS or any(fnmatchcase(name, again) for again in _READ_AGAIN):
            return PATIENCE
        return min(LONG_PATIENCE, self.runner.held.patience_of(request.tenant).hold_after(False))

    def _known(self, request: OpenRequest) -> Outcome | None:
        memory, key = self.state.memory, self.state.memory_key(request.conn, request.tenant)
        if request.method == "tools/list" and self.state.pins.has_pins(request.conn.spec.name):
            return None  # a tool that was allowed may have changed: the host waits until that is known
        if request.method in _LISTS:
            items = memory.get(key, request.method)
            return None if items is None else self._list(request, items)
        introduction = memory.introduction(key)
        if introduction is None:
            return None
        reply = local_replies.answer(request, introduction, self.runner.subscriptions)
        self._introduced.add(_pair(request))
        return OwnReply(introduction.result) if reply is None else reply

    def _unknown(self, request: OpenRequest) -> Outcome:
        if request.method in _LISTS:
            return self._list(request, NONE)
        self._introduced.add(_pair(request))
        revision, name = request.presence.revision, request.conn.spec.name
        return OwnReply(starting_server(request.method, revision, name))

    def _list(self, request: OpenRequest, items: bytes) -> Outcome:
        result = _list_result(request, items)
        if request.method == "tools/list":
            own = self.runner.held.wait_tool(cast(Link, request.link))
            result = offered(self.state, request, result, own)
        self.note_served(request.conn, ServedList(request.tenant, request.method, items))
        return OwnReply(result)


def _is_early(one: object) -> bool:
    return isinstance(one, OpenRequest) and one.method in EARLY


def _pair(request: OpenRequest) -> tuple[str, str]:
    return request.tenant.key, request.conn.spec.name


def _list_result(request: OpenRequest, items: bytes) -> bytes:
    result = b'{"' + LISTS[request.method].member.encode() + b'":' + items + b"}"
    modern = request.presence.era is Era.MODERN
    return translate.modern_result(request.method, result) if modern else result
