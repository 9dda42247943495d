"""Hosts and calls that the tests of held calls share."""

from __future__ import annotations

from typing import Any

from bridge.core.policy.host_patience import HostPatience
from bridge.core.questions.question import accept
from tests.core.fake_peers import LEGACY, Host, Upstream, Wire, script
from tests.core.wire_messages import FORM, Message, wants

ADA = accept({"name": "Ada"})
DONE = {"content": [{"type": "text", "text": "done"}]}
CLOCK = "McpError: MCP error -32001: Request timed out"
ASK = {"name": "ask", "inputSchema": {"type": "object"}}


def house(era: str = LEGACY, **more: Any) -> Wire:
    answers = {"tools/list": {"tools": [more.pop("tool", ASK)]}}
    more.setdefault("patience", HostPatience())
    return Wire(script("files", era, answers=answers), **more)


def pair(era: str = LEGACY, name: str = "Host", **more: Any) -> tuple[Wire, Host, Upstream]:
    wire = house(era, **more)
    host = wire.legacy_host(name=name) if era == LEGACY else wire.modern_host(name=name)
    host.requests("tools/list")
    server = wire.upstreams["files"]
    host.new()
    server.new()
    return wire, host, server


def calls(host: Host, server: Upstream, **params: Any) -> tuple[bytes, Message]:
    """The host calls `ask`, and the server asks the person. Returns both ids of the call."""
    request = host.calls(arguments=params.pop("arguments", {"n": 1}), **params)
    sent = server.calls[-1]
    server.asks(b'"e%b"' % sent.id.strip(b'"'), FORM)
    return request, sent


def text(host: Host, request: bytes) -> str:
    return str(host.replies[request].result["content"][0]["text"])


def ticket(host: Host, request: bytes) -> str:
    said = text(host, request)
    return said[said.index('"wait-') + 1 :].partition('"')[0]


def held(era: str = LEGACY, name: str = "codex-mcp-client", **more: Any) -> tuple[Wire, Host, Upstream, str]:
    """A call that was let go, with its ticket."""
    wire, host, server = pair(era, name, **more)
    request = host.calls(arguments={"n": 1})
    sent = server.calls[-1]
    if era == LEGACY:
        server.asks(b"1", FORM)
    else:
        server.replies(sent, wants(who=FORM))
    wire.passes(291.0)
    return wire, host, server, ticket(host, request)


def ran(server: Upstream) -> int:
    """How often the tool was run: calls that reached the server, without those that carry answers."""
    made = [one for one in server.calls if one.method == "tools/call"]
    return len([one for one in made if "inputResponses" not in one.params])


def replies(server: Upstream) -> None:
    """The server has its answer, and replies to the call."""
    made = [one for one in server.calls if one.method == "tools/call"]
    server.replies(made[-1], DONE)


def waits(wire: Wire, host: Host, tool: str, **arguments: Any) -> float:
    """Return the seconds after which a call is let go."""
    request, began = host.calls(tool, arguments=arguments), wire.state.now
    while request not in host.replies:
        wire.passes(1.0)
    return wire.state.now - began
