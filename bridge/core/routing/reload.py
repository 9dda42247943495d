"""Settings that change while hosts are connected: hosts hear of it, and no call is dropped. Pure."""

from __future__ import annotations

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.ports import ServerSpec
from bridge.core.protocol.jsonrpc import UNANSWERED, Made
from bridge.core.protocol.revisions import Era
from bridge.core.routing.auto_restart import Revivals
from bridge.core.routing.exchange_runner import Wishes
from bridge.core.routing.merged_lists import LISTS
from bridge.core.routing.merged_server import Merge
from bridge.core.routing.state import Book, Conn, Link, Part
from bridge.core.routing.subscriptions import LISTEN
from bridge.i18n import say

TOOLS_CHANGED = LISTS["tools/list"].changed
CHANGED = tuple(dict.fromkeys(kind.changed for kind in LISTS.values() if kind.changed))


class Reload:
    def __init__(self, book: Book, wishes: Wishes, merge: Merge, revivals: Revivals) -> None:
        self.book = book
        self.wishes = wishes
        self.merge = merge
        self.revivals = revivals

    def changed(self, event: ev.SettingsChanged) -> None:
        book = self.book
        before, known = self._offers(), book.servers
        book.offer(event.servers)
        book.policy, book.question_limit = event.policy, event.question_limit
        if not event.policy.reason and book.pins.keep(event.policy.allows, book.spellings):
            book.emit(do.Pin())
        book.floods.limit = event.flood
        for name in [name for name, spec in known.items() if book.servers.get(name) != spec]:
            book.rests.forget(server=name)  # as edited, it deserves a fresh start
            book.pins.forget(name)
            for key in [key for key in book.remembered if key[0] == name]:
                del book.remembered[key]
        for conn in list(book.conns.values()):
            if conn not in book.leaving and not self._wanted(conn):
                self._retire(conn)
        after = self._offers()
        for link in [link for link in before if before[link] != after[link]]:
            servers_changed = before[link][0] != after[link][0]
            for method in CHANGED if servers_changed else (TOOLS_CHANGED,):
                self.wishes.listening.changed(book.links[link], method)

    def renamed(self, event: ev.ServerRenamed) -> None:
        """Before SettingsChanged tells of it: what no rule speaks of any more would be let go."""
        book, old, new = self.book, event.old, event.new
        for server, method in [key for key in book.remembered if key[0] == old]:
            items = book.remembered[new, method] = book.remembered.pop((server, method))
            book.emit(do.Remember(new, method, items))
        if book.pins.rename(old, new):
            book.emit(do.Pin())
        spec = book.servers.get(old)
        if spec is not None and spec.identity in book.met:
            book.met.add(event.identity)
            book.emit(do.Meet(event.identity))

    def restart(self, event: ev.RestartWanted) -> None:
        """Hosts hear that its lists may be others now; who asks for them, calls, or has subscribed to what it
        has, starts it."""
        book, name = self.book, event.server
        conns = [conn for conn in book.conns.values() if conn.spec.name == name]
        for conn in conns:
            if conn not in book.leaving:
                self.revivals.ended(conn)
                self._retire(conn)
            if event.at_once:
                self._cut_short(conn)
        book.rests.forget(server=name)
        book.failures.pop(name, None)
        book.late.discard(name)
        for link in [one for one in self._told() if one.merged and name in self._names(one)]:
            for method in CHANGED:
                self.wishes.listening.changed(link, method)

    def _cut_short(self, conn: Conn) -> None:
        """What is under way there will not be answered."""
        words = say("{server} was restarted. Try again.", server=conn.spec.name)
        body = self.book.sorry(UNANSWERED, words)
        for errand in [one for one in self.book.errands.values() if one.conn is conn]:
            self.wishes.live(errand, ev.UpstreamDied(Made(error=body)))
        for part in [one for one in (*conn.pending.values(), *conn.backlog) if isinstance(one, Part)]:
            self.merge.lists.failed(part)
        self.book.drop(conn)
        self.book.emit(do.Disconnect(conn.id))

    def _offers(self) -> dict[int, tuple[list[ServerSpec], tuple[str, ...] | None]]:
        """What stands behind its entry, for each host that can be told when it changes."""
        return {
            link.id: (self.merge.servers(link) if link.merged else [], self._tools(link))
            for link in self._told()
        }

    def _told(self) -> list[Link]:
        links = self.book.links.values()
        return [link for link in links if link.initialized or link.party.presence.era is Era.MODERN]

    def _names(self, link: Link) -> list[str]:
        return [spec.name for spec in self.merge.servers(link)]

    def _tools(self, link: Link) -> tuple[str, ...] | None:
        return self.book.rule(link).tools

    def _wanted(self, conn: Conn) -> bool:
        links = self.book.links_of(conn.party)
        if any(link.caller.wrap is conn.spec for link in links):
            return True
        name = conn.spec.name
        allowed = not links or any(self.merge.allowed(link, name) for link in links)
        return allowed and conn.spec.enabled and self.book.servers.get(name) == conn.spec

    def _retire(self, conn: Conn) -> None:
        """No new calls go to it, and it ends with its last one. What would never end by itself is ended."""
        book = self.book
        book.detach(conn)
        book.leaving.add(conn)
        words = say("The settings of {server} were changed. Try again.", server=conn.spec.name)
        body = book.sorry(UNANSWERED, words)
        for errand in [one for one in book.errands.values() if one.conn is conn and one.method == LISTEN]:
            self.wishes.live(errand, ev.TimedOut(Made(error=body)))

    def let_go(self) -> None:
        """Close what was only kept for its last call."""
        for conn in [conn for conn in self.book.leaving if not self.book.at_work(conn)]:
            self.book.drop(conn)
            self.book.emit(do.Disconnect(conn.id))
