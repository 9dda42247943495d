"""Re-list a server's tools when it starts or reports a change. Pure.

So pinned tools are checked even if no host lists them. Only servers with pinned tools are asked, one list per
connection at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

from bridge.core.protocol.jsonrpc import Envelope, Malformed
from bridge.core.routing.lists.merged_lists import MergedLists
from bridge.core.routing.lists.pages import array
from bridge.core.routing.peer_limits import MOST_LOOKS
from bridge.core.routing.state import RoutingState, ToolCheck, UpstreamConnection

TOOLS = "tools/list"


@dataclass(eq=False)
class ToolChecks:
    state: RoutingState
    lists: MergedLists

    def look(self, conn: UpstreamConnection) -> None:
        known = conn.introduction
        if conn.spec.builtin or known is None or not known.has("tools"):
            return
        if not self.state.pins.has_pins(conn.spec.name):
            return
        under_way = next((one for one in conn.pending.values() if isinstance(one, ToolCheck)), None)
        if under_way is not None:
            under_way.again = True
        else:
            self._begin(conn)

    def _begin(self, conn: UpstreamConnection) -> None:
        """List a server's tools, within a limit; beyond it, hosts that list them still notice changes."""
        if conn.limits.checks_too_often(self.state.now):
            text = f"Its tools changed more than {MOST_LOOKS} times in a minute; the rest was not looked at."
            self.state.record_problem(conn, "restless", text)
        else:
            self._ask(conn, ToolCheck())

    def _ask(self, conn: UpstreamConnection, check: ToolCheck, cursor: str | None = None) -> None:
        self.lists.request_page(conn, check, TOOLS, conn.tenant, cursor)

    def receive(self, conn: UpstreamConnection, check: ToolCheck, envelope: Envelope) -> None:
        """Take a page. A list that fails, is invalid or has no end is dropped."""
        if not len(envelope.result):
            return
        try:
            cursor = check.add_page(envelope.result, "tools")
        except Malformed:
            return
        if check.excess:
            return
        if cursor is not None:
            self._ask(conn, check, cursor)
            return
        self.state.pins.add_list(conn.spec.name, check.items)
        self.lists.remember(conn.spec, TOOLS, array(check.items))
        if check.again:
            self._begin(conn)
