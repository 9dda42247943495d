"""What a legacy host has settled with its servers, for their next connections: log level and subscriptions.

Pure. The modern era says such things with every request, and needs none of this.
"""

from __future__ import annotations

from collections.abc import Iterator

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import Malformed
from bridge.core.routing.subscription_filter import Uri

LEARNT = frozenset({"logging/setLevel", "resources/subscribe", "resources/unsubscribe"})
MOST = 1000  # subscriptions with one server that are remembered


class HostSubscriptions:
    def __init__(self) -> None:
        self.level = b""  # params of logging/setLevel
        self._subscribed: dict[str, dict[str, bytes]] = {}  # server → resource → params

    def learn(self, server: str, method: str, params: bytes) -> None:
        """A server has agreed to this request, which is one of LEARNT."""
        if method == "logging/setLevel":
            self.level = params
        elif method == "resources/subscribe":
            known = self._subscribed.setdefault(server, {})
            if len(known) < MOST:
                known[_uri(params)] = params
        else:
            self._subscribed.get(server, {}).pop(_uri(params), None)

    def subscribes(self, server: str) -> bool:
        return bool(self._subscribed.get(server))

    def uris(self, server: str) -> list[str]:
        return list(self._subscribed.get(server, ()))

    def wants(self, server: str, uri: str) -> bool:
        return uri in self._subscribed.get(server, ())

    def again(self, server: str, has_logging: bool) -> Iterator[tuple[str, bytes]]:
        """Method and params of what a new connection to the server must hear."""
        if self.level and has_logging:
            yield "logging/setLevel", self.level
        for params in self._subscribed.get(server, {}).values():
            yield "resources/subscribe", params


def _uri(params: bytes) -> str:
    try:
        return jsonrpc.read(Uri, params).uri
    except Malformed:  # the server knew what was meant
        return ""
