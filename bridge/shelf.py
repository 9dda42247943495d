"""The shelf: what the core wants to know again after a restart, each in a file of its own.

What servers listed last, as which tools were allowed, what an "Allow always" has made, and whom the person
has answered before. Files are written in threads, the same one never by two at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bridge import allowed, lists, met, pinned
from bridge.core import commands as do
from bridge.core.policy import Policy
from bridge.core.ports import ServerSpec
from bridge.core.router import Router
from bridge.core.state import Book
from bridge.settings import Home

SAVE_AFTER = 1.0  # seconds


class Shelf:
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
        self._book: Book
        self.allowed = allowed.load(home.allowed)
        self.problem = ""
        self.commands: Mapping[type, Callable[[Any], None]] = {
            do.Pin: self._pin,
            do.Remember: self._remember,
            do.Meet: self._meet,
        }

    def router(self, key: bytes) -> Router:
        """One that knows what is on the shelf; what it learns is kept from now on."""
        pins, self.problem = pinned.load(self._home.pins)
        router = Router(
            {},
            Policy(),
            key,
            remembered=lists.load(self._home.lists, self._servers()),
            met=met.load(self._home.met),
            pinned=pins,
        )
        self._book = router.book
        return router

    def keep_allowed(self, kept: Iterable[allowed.Kept]) -> None:
        self._threads.submit(allowed.save, self._home.allowed, kept)

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
        self._threads.submit(lists.save, self._home.lists, self._servers(), dict(self._book.remembered))

    def _pin(self, command: do.Pin) -> None:
        self._threads.submit(pinned.save, self._home.pins, dict(self._book.pins.pinned))
        self._on_change()

    def _meet(self, command: do.Meet) -> None:
        self._threads.submit(met.add, self._home.met, command.identity)
