"""Restart servers without a call, because a host has subscribed to them. Pure."""

from __future__ import annotations

from collections.abc import Callable

from bridge.core.ports import ServerSpec
from bridge.core.protocol.tool_names import NoRoute
from bridge.core.routing.state import RoutingState, Tenant, UpstreamConnection
from bridge.core.routing.subscriptions.subscriptions import Subscriptions

RESTART_DELAY = 1.0  # seconds


class Restarts:
    def __init__(self, state: RoutingState, subscriptions: Subscriptions) -> None:
        self.state = state
        self.subscriptions = subscriptions
        self.planned: dict[tuple[str, str], tuple[float, ServerSpec]] = {}  # tenant, server → when, which

    def plan(self, conn: UpstreamConnection) -> None:
        """Plan to restart a server with subscribers; any other one is started by the next call."""
        for user in conn.tenant.users:
            if self.subscriptions.needs(user, conn.spec.name):
                self.planned[user.key, conn.spec.name] = (self.state.now + RESTART_DELAY, conn.spec)

    def start_due(self, now: float, connect: Callable[[Tenant, ServerSpec], object]) -> None:
        for key, (at, spec) in [one for one in self.planned.items() if one[1][0] <= now]:
            del self.planned[key]
            tenant = self.state.tenants.get(key[0])
            if tenant is None or not self._is_current(tenant, spec):
                continue
            try:
                connect(tenant, spec)
            except NoRoute:
                self.planned[key] = (at + RESTART_DELAY, spec)

    def _is_current(self, tenant: Tenant, spec: ServerSpec) -> bool:
        wrapped = any(link.caller.wrap is spec for link in tenant.links.values())
        return wrapped or self.state.servers.get(spec.name) == spec
