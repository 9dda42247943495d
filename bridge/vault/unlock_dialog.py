"""UnlockDialog: whether a secret store shows a dialog of its own, such as a locked keyring's; and closing it.

The store's thread shows the dialog and waits for it. The event loop reads `since`, and does not count that
time as the store's. A dialog that cannot be observed is assumed to be open when a call takes long.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LONG = 2.0  # seconds; without a dialog a keyring answers much faster


class UnlockDialog:
    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._on_change = on_change
        self._stop = threading.Event()
        self.since = 0.0  # monotonic time at which the dialog was opened; 0: none is open
        self.until = 0.0  # monotonic time at which the last one was closed

    @contextmanager
    def shown(self) -> Iterator[threading.Event]:
        """Mark the dialog as open. The caller must close it when the yielded event is set."""
        self._stop.clear()
        self._open()
        try:
            yield self._stop
        finally:
            self._close()

    @contextmanager
    def assumed_when_slow(self) -> Iterator[None]:
        """Mark a dialog as open while the call in this context takes longer than _LONG."""
        timer = threading.Timer(_LONG, self._open)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            self._close()

    def request_close(self) -> None:
        """Have the dialog closed: its result is no longer needed."""
        self._stop.set()

    @property
    def close_requested(self) -> bool:
        return self._stop.is_set()

    def _open(self) -> None:
        self.since = time.monotonic()
        self._on_change()

    def _close(self) -> None:
        if self.since:
            self.since, self.until = 0.0, time.monotonic()
            self._on_change()
