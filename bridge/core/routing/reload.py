"""Changes while hosts are connected: settings, a renamed server, a restart. Pure.

Hosts are told which lists have changed, and no call is lost. settings/settings_in_force.py reads the file.
"""

from __future__ import annotations

from dataclasses import dataclass

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.policy.rules import HostRule
from bridge.core.ports import ServerSpec
from bridge.core.protocol.revisions import Era
from bridge.core.routing.asking.open_questions import Questions
from bridge.core.routing.connections.connections import Connections
from bridge.core.routing.lists.merged_lists import LISTS, MergedLists
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import Link, RoutingState

TOOLS_CHANGED = LISTS["tools/list"].changed
CHANGED = tuple(dict.fromkeys(kind.changed for kind in LISTS.values() if kind.changed))


@dataclass(eq=False)
class SettingsReload(RouterPart):
    state: RoutingState
    questions: Questions
    connections: Connections
    lists: MergedLists

    def settings_changed(self, old: ev.SettingsChanged, new: ev.SettingsChanged) -> None:
        pins = self.state.pins
        if not new.policy.reason and pins.drop_unallowed(new.policy.allows, self.state.spellings):
            self.state.emit(do.SavePins())
        for name in [name for name, spec in old.servers.items() if new.servers.get(name) != spec]:
            pins.forget(name)
        for link in self._reachable_links():
            self._announce(link, old, new)

    def _announce(self, link: Link, old: ev.SettingsChanged, new: ev.SettingsChanged) -> None:
        """Tell a host which lists the new settings change for it."""
        host = link.tenant.name
        before, after = old.policy.host(host), new.policy.host(host)
        if link.merged and _offered(old, before) != _offered(new, after):
            self._tell(link, CHANGED)
        elif before.tools != after.tools:
            self._tell(link, (TOOLS_CHANGED,))

    def _tell(self, link: Link, methods: tuple[str, ...]) -> None:
        for method in methods:
            self.connections.subscriptions.changed(link, method)

    def renamed(self, event: ev.ServerRenamed) -> None:
        """Keep what is known of a server. Comes before SettingsChanged, which would drop it."""
        self.lists.server_renamed(event.old, event.new)
        if self.state.pins.rename(event.old, event.new):
            self.state.emit(do.SavePins())
        spec = self.state.servers.get(event.old)
        if spec is not None:
            self.state.memory.rename(spec.identity, event.identity)
            self.lists.held.server_edited(spec.identity, event.identity, event.new)
        if spec is not None and not self.questions.is_first(spec.identity):
            self.questions.meet(event.identity)

    def restart(self, event: ev.RestartWanted) -> None:
        """Restart a server. The next list, call or subscription starts it; hosts are told to list again."""
        self.connections.restart(event.server, event.at_once)
        self.lists.server_restarts(event.server)
        spec = self.state.servers.get(event.server)
        for link in self._reachable_links() if spec is not None and spec.enabled else ():
            if link.merged and link.tenant.rule.offers_server(event.server):
                self._tell(link, CHANGED)

    def _reachable_links(self) -> list[Link]:
        """Return the Links to whose host changes can be announced."""
        links = self.state.links.values()
        return [link for link in links if link.initialized or link.tenant.presence.era is Era.MODERN]


def _offered(settings: ev.SettingsChanged, rule: HostRule) -> list[ServerSpec]:
    """Return the servers a host with this rule is offered."""
    return [spec for spec in settings.servers.values() if spec.enabled and rule.offers_server(spec.name)]
