"""The hooks by which the Router tells its parts what has happened."""

from __future__ import annotations

from bridge.core.events import SettingsChanged
from bridge.core.routing.state import Link, Tenant, UpstreamConnection


class RouterPart:
    """A part of the core: it owns its fields. The Router calls these hooks in the order of `Router.parts`."""

    def time_passed(self, now: float) -> None:
        """End what is overdue. `now`: seconds of the monotonic clock, as in `RoutingState.now`."""

    def link_closed(self, link: Link) -> None:
        """Drop what was only for this Link. It is still known to its Tenant."""

    def tenant_closed(self, tenant: Tenant) -> None:
        """Drop what was only for this Tenant. Its own connections are closed already."""

    def connection_closed(self, conn: UpstreamConnection) -> None:
        """Drop what was only for this connection."""

    def settings_changed(self, old: SettingsChanged, new: SettingsChanged) -> None:
        """Adapt to the settings in force; `RoutingState` has the new ones already."""
