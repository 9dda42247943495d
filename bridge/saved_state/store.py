"""The shelf: what the core wants to know again after a restart, each in a file of its own.

What servers listed last, as which tools were allowed, what an "Allow always" has made, and whom the person
has answered before. Files are written in threads, the same one never by two at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bridge.core import commands as do
from bridge.core.policy.rules import Policy
from bridge.core.ports import ServerSpec
from bridge.core.routing.router import Router
from bridge.core.routing.state import RoutingState
from bridge.saved_state import allow_always, answered_servers, listed_tools, pinned_tools
from bridge.settings import Home

SAVE_AFTER = 1.0  # seconds


class SavedState:
    """`servers`: as they are configured now; what was listed by others is of no use. `on_change`: what is
    pinned has changed."""

    def __init__(
        self, home: Home, servers: Callable[[], Mapping[str, ServerSpec]], on_change: Callable[[], None]
    ) -> None:
        self._home = home
        self._servers = servers
        self._on_change = on_change
        self._loop = asyncio.get_running_loop()
        self._threads = ThreadPoolExecutor(1, "deskbell-shelf")  # one after the other
        self._save: asyncio.TimerHandle | None = None
        self._book: RoutingState
        self.allowed = allow_always.load(home.allowed)
        self.problem = ""
        self.commands: Mapping[type, Callable[[Any], None]] = {
            do.Pin: self._pin,
            do.Remember: self._remember,
            do.Meet: self._meet,
        }

    def router(self, key: bytes) -> Router:
        """One that knows what is on the shelf; what it learns is kept from now on."""
        pins, self.problem = pinned_tools.load(self._home.pins)
        router = Router(
            {},
            Policy(),
            key,
            remembered=listed_tools.load(self._home.lists, self._servers()),
            met=answered_servers.load(self._home.met),
            pinned=pins,
        )
        self._book = router.state
        return router

    def keep_allowed(self, kept: Iterable[allow_always.Kept]) -> None:
        self._threads.submit(allow_always.save, self._home.allowed, kept)

    def close(self) -> None:
        """All that was to be kept is."""
        if self._save is not None:
            self._save.cancel()
            self._save_lists()
        self._threads.shutdown()

    def _remember(self, command: do.Remember) -> None:
        """Once for all that comes together, and when the host has had its answer."""
        if self._save is None:
            self._save = self._loop.call_later(SAVE_AFTER, self._save_lists)

    def _save_lists(self) -> None:
        self._save = None
        self._threads.submit(
            listed_tools.save, self._home.lists, self._servers(), dict(self._book.remembered)
        )

    def _pin(self, command: do.Pin) -> None:
        self._threads.submit(pinned_tools.save, self._home.pins, dict(self._book.pins.pinned))
        self._on_change()

    def _meet(self, command: do.Meet) -> None:
        self._threads.submit(answered_servers.add, self._home.met, command.identity)
