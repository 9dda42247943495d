"""Tune this process for relaying messages: memory allocator, garbage collector, thread switching.

Settings of the whole process, so only programs that are Deskbell itself call these.
"""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Mapping

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # malloc.h
_KEPT_FREE = 8 << 20  # bytes at the end of the heap that free() keeps
_LARGE = 4 << 20  # bytes from which malloc() uses mmap, and free() unmaps
_OLDEST = 2  # the garbage collector's oldest generation
_SWITCH = 0.0005  # seconds a thread may run while others wait


def tune_for_relaying() -> None:
    """Tune memory and threads for an engine that relays messages beside a busy GUI thread.

    By default a thread may run for 5 ms while others wait, and a message that arrives would wait as long for
    the thread of the journal or of the windows.
    """
    sys.setswitchinterval(_SWITCH)
    keep_freed_memory()


def keep_freed_memory() -> None:
    """Make glibc keep the memory of a large message for the next one; other C libraries need nothing.

    By default glibc returns a megabyte to the system and faults the same pages in again for the next message,
    which costs more than all other work on the message.
    """
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # musl has no mallopt
            mallopt = ctypes.CDLL(None).mallopt
            mallopt(_MMAP_THRESHOLD, _LARGE)
            mallopt(_TRIM_THRESHOLD, _KEPT_FREE)


def freeze_modules() -> None:
    """Exclude loaded modules from garbage collection (gc.freeze), and again whenever more were loaded.

    A full collection stops every thread: 15 ms without windows, 50 ms with them. Garbage that exists at that
    moment is frozen too; it is little, and happens only after new modules were loaded.
    """
    loaded = 0

    def freeze(phase: str, info: Mapping[str, int]) -> None:
        nonlocal loaded
        if phase == "start" and info["generation"] == _OLDEST and len(sys.modules) > loaded:
            loaded = len(sys.modules)
            gc.freeze()

    gc.callbacks.append(freeze)
