"""Wrap a pipe's file descriptor as the file object that event loops expect."""

from __future__ import annotations

import asyncio
import os


class PipeFile:
    """`close` does nothing under uvloop, which closes the descriptor first: its number may belong to another
    thread's file by then."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._left_to_us = isinstance(asyncio.get_running_loop(), asyncio.BaseEventLoop)

    def fileno(self) -> int:
        return self._descriptor

    def close(self) -> None:
        if self._left_to_us:
            os.close(self._descriptor)
