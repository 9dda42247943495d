"""Replies to hosts that need no server: introductions across eras, and methods that the server's era does
not have. Pure."""

from __future__ import annotations

from typing import cast

from bridge.core.protocol import handshake, log_levels
from bridge.core.protocol.handshake import ServerIdentity
from bridge.core.protocol.jsonrpc import Outcome, OwnReply
from bridge.core.protocol.revisions import Era
from bridge.core.routing.state import Link, OpenRequest
from bridge.core.routing.subscriptions.filter import LISTEN
from bridge.core.routing.subscriptions.subscriptions import Subscriptions

_NOT_IN_MODERN = frozenset({"ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"})
_LISTS = frozenset({"tools/list", "prompts/list", "resources/list", "resources/templates/list"})
MAYBE = frozenset({"initialize", "server/discover", LISTEN, *_NOT_IN_MODERN, *_LISTS})


def stays_open(request: OpenRequest, server: ServerIdentity, subscriptions: Subscriptions) -> bool:
    """Keep a modern host's `subscriptions/listen` open here if its legacy server has no such method."""
    listens = request.method == LISTEN and request.presence.era is Era.MODERN
    if listens and server.era is Era.LEGACY:
        subscriptions.keep(request, server, cast(Link, request.link))
        return True
    return False


def answer(request: OpenRequest, server: ServerIdentity, subscriptions: Subscriptions) -> Outcome | None:
    """Return the reply to a request that is not sent to the server; None if it is sent."""
    host, method = request.presence, request.method
    if server.era is Era.LEGACY:
        if method == "initialize":
            return OwnReply(bytes(handshake.initialize_answer(server.result, host.revision)))
        if method == "server/discover":
            return OwnReply(handshake.discover_from_initialize(server.result))
    elif method == "initialize":
        return OwnReply(handshake.initialize_from_discover(server.result, host.revision))
    elif method in _NOT_IN_MODERN:
        _apply(request, subscriptions)
        return OwnReply(b"{}")
    return None


def _apply(request: OpenRequest, subscriptions: Subscriptions) -> None:
    """Pass on by other means what a legacy host sets once and a modern server gets with other requests."""
    if request.method == "logging/setLevel":
        log_levels.known_level(request.envelope.params)
        subscriptions.learn(request.tenant, "", request.method, request.envelope.params)
    elif request.method != "ping":
        subscriptions.subscribe(request)
