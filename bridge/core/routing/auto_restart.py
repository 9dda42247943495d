"""Servers that ended while somebody waits to hear from them: started again without being called for. Pure.

Any other server that ended is started by the next call.
"""

from __future__ import annotations

from collections.abc import Callable

from bridge.core.ports import ServerSpec
from bridge.core.protocol.tool_names import InBackoff
from bridge.core.routing.part import Part
from bridge.core.routing.state import RoutingState, Tenant, UpstreamConnection

PAUSE = 1.0  # seconds


class AutoRestart(Part):
    def __init__(
        self, state: RoutingState, connect: Callable[[Tenant, ServerSpec], UpstreamConnection]
    ) -> None:
        self.state = state
        self.connect = connect

    def ended(self, conn: UpstreamConnection) -> None:
        """Who has subscribed to this server's resources?"""
        spec = conn.spec
        for user in (conn.tenant, *conn.tenant.guests.values()):
            heeds = any(
                one.conn is None and one.link.tenant is user and spec.name in one.uris.values()
                for one in self.state.subscriptions.values()
            )
            if heeds or user.settled.subscribes(spec.name):
                self.state.auto_restart[user.key, spec.name] = (self.state.now + PAUSE, spec)

    def time_passed(self, now: float) -> None:
        state = self.state
        for key, (at, spec) in [one for one in state.auto_restart.items() if one[1][0] <= state.now]:
            del state.auto_restart[key]
            tenant = state.tenants.get(key[0])
            if tenant is None or not self._is_current(tenant, spec):
                continue
            try:
                self.connect(tenant, spec)
            except InBackoff:
                state.auto_restart[key] = (at + PAUSE, spec)

    def _is_current(self, tenant: Tenant, spec: ServerSpec) -> bool:
        wrapped = any(link.caller.wrap is spec for link in tenant.links.values())
        return wrapped or self.state.servers.get(spec.name) == spec
