"""A host and a server that only relay."""

from __future__ import annotations

from tests.core.fake_peers import LEGACY, MODERN, Host, Upstream, Wire, script


def pair(era: str = LEGACY, can: dict | None = None) -> tuple[Wire, Host, Upstream]:
    wire = Wire(script("files", era))
    host = wire.legacy_host(can) if era == LEGACY else wire.modern_host(can)
    if era == MODERN:
        host.requests("server/discover")
        wire.upstreams["files"].replies(wire.upstreams["files"].last(), {})
    host.new()
    wire.upstreams["files"].new()
    return wire, host, wire.upstreams["files"]
