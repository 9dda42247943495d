"""One server's tools/list result: which tools its host is offered, and names that occur twice. Pure."""

from __future__ import annotations

import msgspec

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.handshake import PeerInfo
from bridge.core.protocol.jsonrpc import Malformed, edit, members
from bridge.core.routing.held import wait_tool
from bridge.core.routing.lists.pages import array
from bridge.core.routing.state import OpenRequest, RoutingState


class _Named(msgspec.Struct, frozen=True):
    name: object = ""


class _ToolNames(msgspec.Struct, frozen=True):
    tools: list[_Named] = []


def repeats_name(result: bytes | msgspec.Raw) -> bool:
    """True if two tools of a list have one name: a host might show one, and the rules judge the other."""
    try:
        tools = jsonrpc.read(_ToolNames, result).tools
    except Malformed:
        return False
    names = [tool.name for tool in tools if isinstance(tool.name, str)]
    return len(set(names)) < len(names)


def offered(state: RoutingState, request: OpenRequest, result: bytes | msgspec.Raw, own: bytes) -> bytes:
    """Return one server's tools/list result without the tools this host is not offered, each name once, and
    with the entry of our own desk_wait, if any."""
    rule, server = request.tenant.rule, request.conn.spec.name
    listed = jsonrpc.elements(members(result).get("tools", b"[]"))
    names = [jsonrpc.read(PeerInfo, one).name for one in listed]
    named = dict(zip(names, listed, strict=True))  # of tools with the same name, the policy judges the last
    left = [one for name, one in named.items() if rule.offers(*state.spellings(server, name))]
    if own and wait_tool.NAME not in names:
        left.append(own)
    return edit(result, {"tools": array(left)})
