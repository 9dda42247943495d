"""How long the machine has been awake: a clock that stands still while it sleeps, as the core wants it.

That is what `time.monotonic` is on Linux and macOS; on Windows it goes on, and another clock is asked.
"""

from __future__ import annotations

import ctypes
import sys
import time
from typing import Any

if sys.platform == "win32":
    _kernel: Any = ctypes.windll.kernel32

    def awake_seconds() -> float:
        ticks = ctypes.c_ulonglong(0)  # of 100 ns
        return (
            ticks.value / 1e7 if _kernel.QueryUnbiasedInterruptTime(ctypes.byref(ticks)) else time.monotonic()
        )

else:
    awake_seconds = time.monotonic


def epoch_offset() -> float:
    """What makes a time of day (seconds since the epoch) of `awake`."""
    return time.time() - awake_seconds()
