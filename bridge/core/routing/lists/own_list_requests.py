"""Requests for lists that Deskbell makes for itself, mainly to check pinned tools. Pure.

A server's tools are listed again when it starts or reports a change, so that pinned tools are checked even if
no host lists them; only servers with pinned tools are asked, one list per connection at a time. A list that a
host got before its server had started is compared with the server's own. A server that starts although its
host has left is asked for all its lists, for the next host.
"""

from __future__ import annotations

from collections.abc import Callable

from bridge.core.protocol.jsonrpc import Envelope, Malformed
from bridge.core.routing.early_replies import ServedList
from bridge.core.routing.lists.merged_lists import LISTS, MergedLists
from bridge.core.routing.lists.pages import array
from bridge.core.routing.peer_limits import MOST_LOOKS
from bridge.core.routing.state import OpenRequest, RoutingState, Tenant, ToolCheck, UpstreamConnection
from bridge.core.routing.subscriptions.filter import LISTEN

TOOLS = "tools/list"


class OwnListRequests:
    def __init__(self, state: RoutingState, lists: MergedLists) -> None:
        self.state = state
        self.lists = lists
        self.judge: Callable[[OpenRequest], None]  # set by FromHosts: lets the policy decide on a call

    def is_needed(self, conn: UpstreamConnection) -> bool:
        """True if a tool of this server that was allowed may have changed unseen since."""
        return not conn.tools_checked and self.state.pins.has_pins(conn.spec.name)

    def wait(self, request: OpenRequest) -> None:
        """Keep a call until its server's tools are listed: the policy goes by what they are now."""
        request.conn.unjudged.append(request)
        if request.conn.introduction is not None:
            self.look(request.conn)

    def take_waiting(self, conn: UpstreamConnection) -> list[OpenRequest]:
        waiting, conn.unjudged = conn.unjudged, []
        return waiting

    def _checked(self, conn: UpstreamConnection) -> None:
        conn.tools_checked = True
        for request in self.take_waiting(conn):
            self.judge(request)

    def look(self, conn: UpstreamConnection) -> None:
        known = conn.introduction
        if conn.spec.builtin or known is None:
            return
        if not known.has("tools") or not self.state.pins.has_pins(conn.spec.name):
            self._checked(conn)
            return
        under_way = next((one for one in conn.pending.values() if _lists_tools(one)), None)
        if isinstance(under_way, ToolCheck):
            under_way.again = True
        else:
            self._begin(conn)

    def _begin(self, conn: UpstreamConnection) -> None:
        """List a server's tools, within a limit; beyond it, hosts that list them still notice changes."""
        if conn.limits.checks_too_often(self.state.now):
            text = f"Its tools changed more than {MOST_LOOKS} times in a minute; the rest was not looked at."
            self.state.record_problem(conn, "restless", text)
            self._checked(conn)
        else:
            self._ask(conn, ToolCheck())

    def compare(self, conn: UpstreamConnection, served: ServedList) -> None:
        """Find out whether a list that a host got before its server had started is right."""
        check = ToolCheck(method=served.method, tenant=served.tenant, served=served.items)
        self._request(conn, check)

    def list_all(self, conn: UpstreamConnection) -> None:
        """Remember all lists of a server whose host has left."""
        for method in [method for method, kind in LISTS.items() if kind.changed]:
            self._request(conn, ToolCheck(method=method))

    def _request(self, conn: UpstreamConnection, check: ToolCheck) -> None:
        known = conn.introduction
        if known is not None and known.has(LISTS[check.method].capability):
            self._ask(conn, check)
        else:
            self._complete(conn, check)

    def _ask(self, conn: UpstreamConnection, check: ToolCheck, cursor: str | None = None) -> None:
        self.lists.request_page(conn, check, check.method, check.tenant or conn.tenant, cursor)

    def receive(self, conn: UpstreamConnection, check: ToolCheck, envelope: Envelope) -> None:
        """Take a page. A list that fails, is invalid or has no end is dropped."""
        if not self._add_page(conn, check, envelope):
            return
        if check.again:
            self._begin(conn)
        elif check.method == TOOLS:
            self._checked(conn)

    def _add_page(self, conn: UpstreamConnection, check: ToolCheck, envelope: Envelope) -> bool:
        """Add a page to a list; True if it was the last, or the list is dropped."""
        if not len(envelope.result):
            return True
        try:
            cursor = check.add_page(envelope.result, LISTS[check.method].member)
        except Malformed:
            return True
        if cursor is not None and not check.excess:
            self._ask(conn, check, cursor)
            return False
        if not check.excess:
            self._complete(conn, check)
        return True

    def _complete(self, conn: UpstreamConnection, check: ToolCheck) -> None:
        items, tenant = array(check.items), check.tenant or conn.tenant
        if check.method == TOOLS:
            self.state.pins.add_list(conn.spec.name, check.items)
        self.lists.remember(conn, tenant, check.method, items)
        if check.served not in (None, items):
            self._announce(conn, tenant, LISTS[check.method].changed)

    def _announce(self, conn: UpstreamConnection, tenant: Tenant, method: str) -> None:
        """Tell a host that a list differs from the one it got; a modern host, where it listens."""
        for link in tenant.links.values():
            self.lists.subscriptions.changed(link, method)
        for request in self.state.requests_of(conn):
            if request.tenant is tenant and request.method == LISTEN:
                self.lists.subscriptions.forwarded(request, method)


def _lists_tools(one: object) -> bool:
    return isinstance(one, ToolCheck) and one.method == TOOLS
