"""A dialog of the store's own, such as a locked keyring's: whether one is open, and how to take it back.

The store's thread shows it and waits for it; the loop, whose clock stands meanwhile, looks at it. A dialog
that cannot be seen from here is taken to be open when a call that could ask takes long.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LONG = 2.0  # seconds; a keyring that asks nobody has answered long before


class UnlockDialog:
    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._on_change = on_change
        self._stop = threading.Event()
        self.since = 0.0  # by time.monotonic; 0: nobody is asked
        self.until = 0.0  # the last one was open until then

    @contextmanager
    def shown(self) -> Iterator[threading.Event]:
        """Around a dialog that is open. Whoever is in here takes it back when the event is set."""
        self._stop.clear()
        self._open()
        try:
            yield self._stop
        finally:
            self._close()

    @contextmanager
    def perhaps(self) -> Iterator[None]:
        """Around a call that may show one unseen."""
        timer = threading.Timer(_LONG, self._open)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            self._close()

    def take_back(self) -> None:
        """Nobody waits for the answer any more."""
        self._stop.set()

    @property
    def taken_back(self) -> bool:
        return self._stop.is_set()

    def _open(self) -> None:
        self.since = time.monotonic()
        self._on_change()

    def _close(self) -> None:
        if self.since:
            self.since, self.until = 0.0, time.monotonic()
            self._on_change()
