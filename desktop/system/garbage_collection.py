"""Let only the GUI thread collect garbage, and only between two events.

Python collects cyclic garbage in whichever thread allocates next. A QTimer freed by the engine's thread stays
in the GUI thread's list of timers, and Qt crashes when it fires ("Timers cannot be stopped from another
thread"). So automatic collection is off while windows may exist: the GUI thread collects when its event loop
has nothing left to do. Parts that know of work in other threads wake it.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QAbstractEventDispatcher, QObject, Qt, QTimer

_AT_LEAST = 300_000  # ms between two collections: refused HTTP requests leave garbage too, and wake nothing


class GarbageCollection(QObject):
    """Collect by Python's own thresholds, in the thread of `parent`, until `close`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        QAbstractEventDispatcher.instance().aboutToBlock.connect(collect_if_due)
        timer = QTimer(self, interval=_AT_LEAST, timerType=Qt.TimerType.VeryCoarseTimer)
        timer.timeout.connect(collect_if_due)
        timer.start()

    def close(self) -> None:
        """Give collection back to Python: call this when all windows are gone."""
        QAbstractEventDispatcher.instance().aboutToBlock.disconnect(collect_if_due)
        gc.enable()


def collect_if_due() -> None:
    """Collect the oldest generation that is over its threshold; do nothing if none is."""
    counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
    # A threshold of 0 means "never": Python 3.14 has one for the oldest generation.
    due = [generation for generation, (count, most) in enumerate(counts) if 0 < most < count]
    if due:
        gc.collect(due[-1])
