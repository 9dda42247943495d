"""How this process treats its memory: what is needed again is neither given back nor looked through.

For the whole process, so only for programs that are Deskbell.
"""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Mapping

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # malloc.h
_MOST_KEPT = 8 << 20  # bytes at the end of the heap
_LARGE = 4 << 20  # bytes that are asked of the system, and given back, each time
_ALL = 2  # the generation that Python looks through rarely, and then everything


def keep_freed_memory() -> None:
    """Memory for large messages is kept for the next one. glibc only; elsewhere nothing needs to be done.

    By its defaults glibc gives a message of a megabyte back to the system and asks for the same pages again
    with the next, which costs more than all that is done with it.
    """
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # musl has no such knobs
            mallopt = ctypes.CDLL(None).mallopt
            mallopt(_MMAP_THRESHOLD, _LARGE)
            mallopt(_TRIM_THRESHOLD, _MOST_KEPT)


def freeze_modules() -> None:
    """What comes with modules stays, and is not looked through for garbage.

    Python would do so every now and then, and everything stands still meanwhile: 15 ms, with windows 50. It
    is told just before it begins, if modules were loaded since the last time. What is garbage by then stays
    too; that is little, and happens as often only as something new is loaded.
    """
    loaded = 0

    def look(phase: str, info: Mapping[str, int]) -> None:
        nonlocal loaded
        if phase == "start" and info["generation"] == _ALL and len(sys.modules) > loaded:
            loaded = len(sys.modules)
            gc.freeze()

    gc.callbacks.append(look)
