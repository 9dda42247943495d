"""Memory for large messages is kept for the next one. glibc only; elsewhere nothing needs to be done.

By its defaults glibc gives a message of a megabyte back to the system and asks for the same pages again with
the next, which costs more than all that is done with it.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # malloc.h
_MOST_KEPT = 8 << 20  # bytes at the end of the heap
_LARGE = 4 << 20  # bytes that are asked of the system, and given back, each time


def keep_some() -> None:
    """For the whole process."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # musl has no such knobs
            mallopt = ctypes.CDLL(None).mallopt
            mallopt(_MMAP_THRESHOLD, _LARGE)
            mallopt(_TRIM_THRESHOLD, _MOST_KEPT)
