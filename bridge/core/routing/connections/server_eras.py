"""Choose the era of MCP to use with a server: configured, learned before, or that of its host. Pure.

A server that ends at `server/discover`, or announces both eras but can ask in the legacy one only, is
started again with `initialize`.
"""

from __future__ import annotations

from typing import cast

from bridge.core import commands as do
from bridge.core.exchange.replies import DESK_CAN
from bridge.core.exchange.who_asks import who_asks
from bridge.core.ports import ServerSpec
from bridge.core.protocol import capabilities
from bridge.core.protocol.handshake import HostIdentity, ServerIdentity
from bridge.core.protocol.revisions import MODERN, Era
from bridge.core.routing.state import RoutingState, Tenant, UpstreamConnection


class ServerEras:
    def __init__(self, state: RoutingState) -> None:
        self.state = state
        self._legacy_next: set[str] = set()  # identities of servers to connect with `initialize` next

    def host_identity(self, tenant: Tenant, spec: ServerSpec) -> HostIdentity:
        """Return the host's identity as its server sees it.

        The host may make tasks of what it is asked only if it is asked everything, and no other server can
        see the tasks. A caller without MCP has no era of its own: it uses the legacy one, where all that
        servers ask works (`ctx.elicit` of the Python SDK works nowhere else).
        """
        presence = tenant.presence
        era = Era(spec.era) if spec.era else self._learned(tenant, spec)
        if era:
            presence = presence._replace(era=era)
        merged = any(link.merged for link in tenant.links.values())
        _, can = who_asks(tenant.rule, presence)
        if not merged and can >= DESK_CAN:
            return presence
        return presence._replace(capabilities=capabilities.without_own_tasks(presence.capabilities, merged))

    def _learned(self, tenant: Tenant, spec: ServerSpec) -> Era | None:
        if spec.identity in self._legacy_next:
            return Era.LEGACY
        plain = any(link.caller.plain for link in tenant.links.values())
        return self.state.memory.era(spec.identity) or (Era.LEGACY if plain else None)

    def try_legacy(self, conn: UpstreamConnection) -> None:
        """Connect this server with `initialize` the next time."""
        self._legacy_next.add(conn.identity)

    def legacy_failed(self, conn: UpstreamConnection) -> None:
        """Connect this server as before: its connection ended for another reason than the era."""
        self._legacy_next.discard(conn.identity)

    def learn(self, conn: UpstreamConnection) -> None:
        """Remember the era of a server that must not be sent `server/discover`, and of one that was taken for
        a server of both eras."""
        again = conn.identity in self._legacy_next
        self._legacy_next.discard(conn.identity)
        silent = conn.era is Era.LEGACY and conn.dial.first is MODERN and conn.dial.postponed
        if (again or silent) and self.state.memory.learn_era(conn.identity, cast(Era, conn.era)):
            self.state.emit(do.SaveMemory())

    def asks_in_legacy_only(self, conn: UpstreamConnection, introduction: ServerIdentity) -> bool:
        """True if the legacy era must be used with a server before any call. A call that failed at its
        question could not be repeated without doing the work before the question twice."""
        chosen = conn.spec.era or conn.dial.first is not MODERN
        unknown = self.state.memory.era(conn.identity) is None
        return not chosen and unknown and introduction.asks_in_legacy_only

    def change(self, conn: UpstreamConnection) -> bool:
        """Remember that a tool could not ask in this era: True if the other one is used from now on, False if
        the era must not change any more."""
        memory, era = self.state.memory, cast(Era, conn.era)
        if conn.spec.era:
            return False
        if memory.change_era(conn.identity, era):
            self.state.emit(do.SaveMemory())
            return True
        return memory.era(conn.identity) is not era


def sends_initialized(tenant: Tenant) -> bool:
    """True if Deskbell must send `notifications/initialized`: that of a legacy host is forwarded."""
    modern = tenant.presence.era is Era.MODERN
    return modern or tenant.shared or any(link.initialized for link in tenant.links.values())
