"""Batch the writes that one read causes: one write per connection instead of one per message.

A reader opens the batch for all messages of one read; their output is written when it closes, without another
round of the event loop. Output outside of any read is written at once, and opens a batch that collects what
follows in the same round of the loop.

The plain twin is to call `flush` for each message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

Flush = Callable[[], None]


class WriteBatch:
    """One per event loop; the engine owns it."""

    def __init__(self) -> None:
        self._open = False
        self._scheduled: list[Flush] = []

    def __enter__(self) -> None:
        self._open = True

    def __exit__(self, *_: object) -> None:
        self._open = False
        while self._scheduled:
            scheduled, self._scheduled = self._scheduled, []
            for flush in scheduled:
                flush()

    def schedule(self, flush: Flush) -> None:
        """Call `flush` when the batch closes. The caller schedules it once, until it was called."""
        if self._open:
            self._scheduled.append(flush)
            return
        self._open = True
        asyncio.get_running_loop().call_soon(self.__exit__)
        flush()
