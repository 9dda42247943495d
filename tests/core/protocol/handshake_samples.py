"""Servers to be met, for the tests of handshakes."""

from __future__ import annotations

from tests.core.fake_peers import Upstream, Wire


def heard(server: Upstream) -> list[str]:
    return [message.method for message in server.heard]


def files(wire: Wire) -> Upstream:
    return wire.upstreams["files"]
