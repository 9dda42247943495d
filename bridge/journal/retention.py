"""Decide what is deleted from the journal by age and by number, and delete it.

A clock that goes forward by days is often wrong for a while (a dead battery, a wrong time zone, a virtual
machine): nothing is deleted by age for an hour after that. A person's own change of the settings is obeyed at
once.
"""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass

DAY = 86_400.0
HOUR = 3_600.0
LEAP = DAY  # seconds that a clock may go forward without being doubted
MOST_CONTENTS = 20_000  # the newest rows that may have contents


@dataclass(slots=True)
class Retention:
    """For how many days entries and contents of calls are kept, and how many entries."""

    days: float
    contents_days: float
    rows: int
    _offset: float = 0.0  # of the wall clock to the monotonic one, when they were last compared
    _doubted_until: float = 0.0  # on the monotonic clock

    def opened(self, store: sqlite3.Connection) -> None:
        """Compare the clock with the newest entry of the past. Those of the last hour may be of a run in
        which it was wrong already."""
        past = "SELECT max(at) FROM entries WHERE at < ?"
        (newest,) = store.execute(past, (time.time() - HOUR,)).fetchone()
        self._offset = _clock_offset()
        if newest is not None and time.time() - newest > LEAP:
            self._doubt()

    def delete_old(self, store: sqlite3.Connection, *, at_once: bool = False) -> None:
        """Delete what is too much, and what is too old unless the clock is doubted. `at_once`: even then."""
        (last,) = store.execute("SELECT coalesce(max(id), 0) FROM entries").fetchone()
        store.execute("DELETE FROM entries WHERE id <= ?", (last - self.rows,))
        store.execute("DELETE FROM contents WHERE id <= ?", (last - MOST_CONTENTS,))
        if at_once or not self._is_clock_doubted():
            now = time.time()
            store.execute("DELETE FROM entries WHERE at < ?", (now - self.days * DAY,))
            old = "SELECT id FROM entries WHERE at < ?"
            store.execute(f"DELETE FROM contents WHERE id IN ({old})", (now - self.contents_days * DAY,))  # noqa: S608

    def _is_clock_doubted(self) -> bool:
        before, self._offset = self._offset, _clock_offset()
        if self._offset - before > LEAP:
            self._doubt()
        return time.monotonic() < self._doubted_until

    def _doubt(self) -> None:
        self._doubted_until = time.monotonic() + HOUR


def _clock_offset() -> float:
    return time.time() - time.monotonic()
