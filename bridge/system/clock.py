"""A monotonic clock that stops while the machine sleeps, so that sleep does not expire deadlines.

`time.monotonic` does that on Linux and macOS; on Windows it keeps running, and another clock is read.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from typing import Any

if sys.platform == "win32":
    _kernel: Any = ctypes.windll.kernel32

    def awake_seconds() -> float:
        ticks = ctypes.c_ulonglong(0)  # in units of 100 ns
        return (
            ticks.value / 1e7 if _kernel.QueryUnbiasedInterruptTime(ctypes.byref(ticks)) else time.monotonic()
        )

else:
    awake_seconds = time.monotonic


def epoch_offset() -> float:
    """Return the offset from `awake_seconds` to Unix time. It changes after sleep and with the clock."""
    return time.time() - awake_seconds()


if sys.platform == "win32":

    def load_of_each_processor() -> float:
        return 0.0  # Windows keeps no load average

else:

    def load_of_each_processor() -> float:
        """Return how many processes want each processor, on average over the last minute."""
        return os.getloadavg()[0] / (os.cpu_count() or 1)
