"""Re-list a server's tools when it starts or reports a change. Pure.

So pinned tools are checked even if no host lists them. Only servers with pinned tools are asked, one list per
connection at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

from bridge.core import commands as do
from bridge.core.protocol import jsonrpc, translate
from bridge.core.protocol.jsonrpc import Envelope, Malformed, edit, members, quote
from bridge.core.protocol.revisions import Era
from bridge.core.routing.lists.merged_lists import MAX_PAGES, MOST_BYTES, ListPage, MergedLists
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
        check.requested += 1
        request_id = b"%d" % self.state.next()
        params = edit(b"", {"cursor": quote(cursor)}) if cursor is not None else b""
        if conn.era is Era.MODERN:
            presence = conn.tenant.presence
            params = translate.modern_params(params, presence.capabilities, presence.info)
        conn.pending[request_id] = check
        self.state.emit(do.Send(conn.id, jsonrpc.request(request_id, TOOLS, params)))

    def receive(self, conn: UpstreamConnection, check: ToolCheck, envelope: Envelope) -> None:
        """Take a page. A list that fails, is invalid or has no end is dropped."""
        check.received += len(envelope.result)
        if not len(envelope.result) or check.received > MOST_BYTES:
            return
        try:
            check.tools += jsonrpc.elements(members(envelope.result).get("tools", b"[]"))
            cursor = jsonrpc.read(ListPage, envelope.result).next_cursor
        except Malformed:
            return
        if cursor is not None:
            if check.requested < MAX_PAGES:
                self._ask(conn, check, cursor)
            return
        self.state.pins.add_list(conn.spec.name, check.tools)
        self.lists.remember(conn.spec, TOOLS, b"[" + b",".join(check.tools) + b"]")
        if check.again:
            self._begin(conn)
