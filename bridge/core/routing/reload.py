"""Settings that change while hosts are connected: hosts hear of it, and no call is dropped. Pure."""

from __future__ import annotations

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.policy.rules import HostRule
from bridge.core.ports import ServerSpec
from bridge.core.protocol.jsonrpc import UNANSWERED, Made
from bridge.core.protocol.revisions import Era
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.from_servers import FromServers
from bridge.core.routing.merged_lists import LISTS
from bridge.core.routing.part import Part
from bridge.core.routing.state import Link, ListPart, RoutingState, UpstreamConnection
from bridge.core.routing.subscriptions import LISTEN
from bridge.i18n import say

TOOLS_CHANGED = LISTS["tools/list"].changed
CHANGED = tuple(dict.fromkeys(kind.changed for kind in LISTS.values() if kind.changed))


class Reload(Part):
    def __init__(self, state: RoutingState, runner: ExchangeRunner, upstreams: FromServers) -> None:
        self.state = state
        self.runner = runner
        self.upstreams = upstreams
        self.merged_server = upstreams.merged_server
        self.auto_restart = upstreams.auto_restart

    def settings_changed(self, old: ev.SettingsChanged, new: ev.SettingsChanged) -> None:
        state = self.state
        if not new.policy.reason and state.pins.drop_unallowed(new.policy.allows, state.spellings):
            state.emit(do.Pin())
        for name in [name for name, spec in old.servers.items() if new.servers.get(name) != spec]:
            state.backoff.forget(server=name)  # as edited, it deserves a fresh start
            state.pins.forget(name)
            for key in [key for key in state.remembered if key[0] == name]:
                del state.remembered[key]
        for conn in list(state.conns.values()):
            if conn not in state.leaving and not self._wanted(conn):
                self._retire(conn)
        for link in self._told():
            self._announce(link, old, new)

    def _announce(self, link: Link, old: ev.SettingsChanged, new: ev.SettingsChanged) -> None:
        """Tell a host which lists the new settings change for it."""
        host = link.tenant.name
        before, after = old.policy.host(host), new.policy.host(host)
        servers_changed = link.merged and _offered(old, before) != _offered(new, after)
        if servers_changed or before.tools != after.tools:
            for method in CHANGED if servers_changed else (TOOLS_CHANGED,):
                self.runner.subscriptions.changed(link, method)

    def renamed(self, event: ev.ServerRenamed) -> None:
        """Before SettingsChanged tells of it: what no rule speaks of any more would be let go."""
        state, old, new = self.state, event.old, event.new
        for server, method in [key for key in state.remembered if key[0] == old]:
            items = state.remembered[new, method] = state.remembered.pop((server, method))
            state.emit(do.Remember(new, method, items))
        if state.pins.rename(old, new):
            state.emit(do.Pin())
        spec = state.servers.get(old)
        questions = self.runner.questions
        if spec is not None and not questions.is_first(spec.identity):
            questions.meet(event.identity)

    def restart(self, event: ev.RestartWanted) -> None:
        """Hosts hear that its lists may be others now; who asks for them, calls, or has subscribed to what it
        has, starts it."""
        state, name = self.state, event.server
        conns = [conn for conn in state.conns.values() if conn.spec.name == name]
        for conn in conns:
            if conn not in state.leaving:
                self.auto_restart.ended(conn)
                self._retire(conn)
            if event.at_once:
                self._cut_short(conn)
        state.backoff.forget(server=name)
        state.failures.pop(name, None)
        state.late.discard(name)
        for link in [one for one in self._told() if one.merged and name in self._names(one)]:
            for method in CHANGED:
                self.runner.subscriptions.changed(link, method)

    def _cut_short(self, conn: UpstreamConnection) -> None:
        """What is under way there will not be answered."""
        words = say("{server} was restarted. Try again.", server=conn.spec.name)
        body = self.state.sorry(UNANSWERED, words)
        for request in [one for one in self.state.open_requests.values() if one.conn is conn]:
            self.runner.advance(request, ev.UpstreamDied(Made(error=body)))
        for part in [one for one in (*conn.pending.values(), *conn.backlog) if isinstance(one, ListPart)]:
            self.merged_server.lists.failed(part)
        self.upstreams.close_connection(conn)

    def _told(self) -> list[Link]:
        links = self.state.links.values()
        return [link for link in links if link.initialized or link.tenant.presence.era is Era.MODERN]

    def _names(self, link: Link) -> list[str]:
        return [spec.name for spec in self.merged_server.servers(link)]

    def _wanted(self, conn: UpstreamConnection) -> bool:
        links = self.state.links_of(conn.tenant)
        if any(link.caller.wrap is conn.spec for link in links):
            return True
        name = conn.spec.name
        allowed = not links or any(self.merged_server.allowed(link, name) for link in links)
        return allowed and conn.spec.enabled and self.state.servers.get(name) == conn.spec

    def _retire(self, conn: UpstreamConnection) -> None:
        """No new calls go to it, and it ends with its last one. What would never end by itself is ended."""
        state = self.state
        state.detach(conn)
        state.leaving.add(conn)
        words = say("The settings of {server} were changed. Try again.", server=conn.spec.name)
        body = state.sorry(UNANSWERED, words)
        for request in [
            one for one in state.open_requests.values() if one.conn is conn and one.method == LISTEN
        ]:
            self.runner.advance(request, ev.TimedOut(Made(error=body)))

    def let_go(self) -> None:
        """Close what was only kept for its last call."""
        for conn in [conn for conn in self.state.leaving if not self.state.at_work(conn)]:
            self.upstreams.close_connection(conn)


def _offered(settings: ev.SettingsChanged, rule: HostRule) -> list[ServerSpec]:
    """Return the servers a host with this rule is offered."""
    allowed = rule.servers
    specs = settings.servers.values()
    return [spec for spec in specs if spec.enabled and (allowed is None or spec.name in allowed)]
