"""Log level and subscriptions that a legacy host has set, to be repeated on its servers' next connections.
Pure.

Modern hosts send such things with every request.
"""

from __future__ import annotations

from collections.abc import Iterator

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import Malformed
from bridge.core.routing.subscriptions.filter import Uri

LEARNT = frozenset({"logging/setLevel", "resources/subscribe", "resources/unsubscribe"})
MOST = 1000  # subscriptions with one server that are remembered


class HostSubscriptions:
    def __init__(self) -> None:
        self.level = b""  # params of logging/setLevel
        self._subscribed: dict[str, dict[str, bytes]] = {}  # server → resource → params

    def learn(self, server: str, method: str, params: bytes) -> None:
        """Note a request that the server has accepted; its method is one of LEARNT."""
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

    def requests_to_repeat(self, server: str, has_logging: bool) -> Iterator[tuple[str, bytes]]:
        """Yield method and params of the requests to repeat on a new connection to the server."""
        if self.level and has_logging:
            yield "logging/setLevel", self.level
        for params in self._subscribed.get(server, {}).values():
            yield "resources/subscribe", params


def _uri(params: bytes) -> str:
    try:
        return jsonrpc.read(Uri, params).uri
    except Malformed:  # the server knew what was meant
        return ""
