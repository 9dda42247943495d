"""Which servers are the same although a person edited or renamed them: their calls go on. Pure."""

from __future__ import annotations

from bridge.core.routing.state import UpstreamConnection


class EditedServers:
    def __init__(self) -> None:
        self._now: dict[str, str] = {}  # identity that a server had → the one it has now

    def edited(self, old: str, new: str) -> None:
        """Note the new identity of a server; it may be one that the server had before."""
        self._now = {one: new if now == old else now for one, now in self._now.items()} | {old: new}
        self._now.pop(new, None)

    def identity(self, conn: UpstreamConnection) -> str:
        return self._now.get(conn.identity, conn.identity)

    def are_same(self, one: UpstreamConnection, other: UpstreamConnection) -> bool:
        """True for two connections to a server, also if it was restarted or edited between them."""
        return self.identity(one) == self.identity(other)
