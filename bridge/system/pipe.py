"""One end of a pipe, as an event loop wants it: something that has a number and can be closed."""

from __future__ import annotations

import asyncio
import os


class Pipe:
    """uvloop closes the descriptor and then calls `close` too: by then its number may be that of another
    thread's file."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._left_to_us = isinstance(asyncio.get_running_loop(), asyncio.BaseEventLoop)

    def fileno(self) -> int:
        return self._descriptor

    def close(self) -> None:
        if self._left_to_us:
            os.close(self._descriptor)
