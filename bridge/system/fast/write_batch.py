"""A turn: all that one read brings, from its first message to its last.

What is said meanwhile goes out together when the turn ends: one write for each connection instead of one for
each message, and no later round of the loop is needed for it. What is said outside of any turn opens one that
ends with this round of the loop; only its first words go out at once.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

Flush = Callable[[], None]


class _Turn(threading.local):
    """One for each thread: a loop has its own."""

    def __init__(self) -> None:
        self.open = False
        self.owed: list[Flush] = []

    def __enter__(self) -> None:
        self.open = True

    def __exit__(self, *_: object) -> None:
        self.open = False
        while self.owed:
            owed, self.owed = self.owed, []
            for flush in owed:
                flush()


turn = _Turn()


def owe(flush: Flush) -> None:
    """Something waits to be written. `flush` writes all of it, and is owed once until then."""
    if turn.open:
        turn.owed.append(flush)
        return
    turn.open = True
    asyncio.get_running_loop().call_soon(turn.__exit__)
    flush()
