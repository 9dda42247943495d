"""IdleTimer: stop a program that nobody uses any more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class IdleTimer:
    """Call `stop` when there has been no user for `seconds`; 0: never."""

    def __init__(self, seconds: float, stop: Callable[[], None]) -> None:
        self._seconds = seconds
        self._stop = stop
        self._timer: asyncio.TimerHandle | None = None
        self.users = 0

    def count(self, users: int) -> None:
        """Set the number of users."""
        self.users = users
        if users and self._timer is not None:
            self._timer.cancel()
            self._timer = None
        elif self._seconds and not users and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._stop)
