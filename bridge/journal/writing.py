"""The thread that writes, and the Journal in front of it."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bridge.journal.entries import COLUMNS, Entry
from bridge.journal.reading import History
from bridge.journal.redacting import masked
from bridge.journal.store import forget, open_store

TICK = 0.05  # seconds in which rows gather to be written together
BATCH = 500  # rows in one transaction
RETRY = 1.0  # seconds until a full disk or a locked file is tried again
CLOSING = 2.0  # seconds
MOST_WAITING = 200_000  # rows that a disk which takes none may leave in memory; then the oldest go
PRUNE_EVERY = 5_000  # rows

DAY = 86_400.0

_INSERT = f"INSERT OR IGNORE INTO entries ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - our own names
Order = Callable[[sqlite3.Connection], None]


class Journal(History):
    """`record` is for any thread and never waits. One that is only searched starts no thread and no file."""

    def __init__(self, path: Path, *, keep_days: float = 30, keep_rows: int = 100_000) -> None:
        super().__init__(path)
        self._days = keep_days
        self._writer = _Writer(path, keep_days, keep_rows)

    def record(self, entry: Entry) -> None:
        if self._days:
            self._writer.put(entry)

    def keep(self, days: float) -> None:
        """From now on keep what happened for so many days; 0: nothing, not even what is there."""
        if days != self._days:
            self._days = days
            self._writer.keep(days)

    def forget(self, rows: tuple[int, ...] | None) -> None:
        """Remove these lines, or all of them (None)."""
        self._writer.put(lambda store: forget(store, rows))

    def flush(self, timeout: float = CLOSING) -> bool:
        """Wait until all that was recorded before is on disk; False if that takes too long."""
        return self._writer.flush(timeout)

    def close(self) -> None:
        """Write what waits and end, within 2 s."""
        self._writer.close()


class _Writer:
    """The thread that writes. It sleeps until there is something to write."""

    def __init__(self, path: Path, keep_days: float, keep_rows: int) -> None:
        self._path = path
        self._keep = (keep_days, keep_rows)
        self._queue: deque[Entry | Order | threading.Event] = deque(maxlen=MOST_WAITING)
        self._batch: list[Entry | Order | threading.Event] = []
        self._store: sqlite3.Connection | None = None
        self._unpruned = 0
        self._wake = threading.Event()
        self._hurry = threading.Event()
        self._closing = False
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, item: Entry | Order | threading.Event) -> None:
        self._queue.append(item)
        if not self._wake.is_set():
            self._wake.set()
        if self._thread is None:
            self._start()

    def keep(self, days: float) -> None:
        self._keep = (days, self._keep[1])
        self.put(self._shorten)

    def flush(self, timeout: float) -> bool:
        written = threading.Event()
        self.put(written)
        self._hurry.set()
        return written.wait(timeout)

    def close(self) -> None:
        self._closing = True
        self._hurry.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(CLOSING)

    def _start(self) -> None:
        with self._starting:
            if self._thread is None and not self._closing:
                self._thread = threading.Thread(target=self._run, name="deskbell-journal", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        done = False
        while not done:
            self._wake.wait()
            self._hurry.wait(TICK)
            self._wake.clear()
            done = self._closing  # what was recorded until here is in the queue by now
            if not done:
                self._hurry.clear()
            if not self._drain() and not done:
                self._hurry.wait(RETRY)
                self._wake.set()
        if self._store is not None:
            self._store.close()

    def _drain(self, *, first: bool = True) -> bool:
        """Write all that waits; False if that must be tried again later."""
        try:
            while self._batch or self._queue:
                self._write()
        except sqlite3.OperationalError:  # full, locked, out of reach: none of it says the file is bad
            return False
        except sqlite3.DatabaseError as error:
            return first and self._begin_anew(str(error)) and self._drain(first=False)
        return True

    def _write(self) -> None:
        """One transaction. The batch is let go only when it is on disk."""
        store = self._store = self._store or open_store(self._path)
        if not self._batch:
            self._batch = [self._queue.popleft() for _ in range(min(BATCH, len(self._queue)))]
        with store:
            store.execute("BEGIN")
            store.executemany(_INSERT, [_columns(item) for item in self._batch if isinstance(item, Entry)])
            for order in [item for item in self._batch if callable(item)]:
                order(store)
            self._prune(store)
        for item in self._batch:
            if isinstance(item, threading.Event):
                item.set()
        self._batch = []

    def _prune(self, store: sqlite3.Connection) -> None:
        self._unpruned -= len(self._batch)
        if self._unpruned < 0:
            self._unpruned = PRUNE_EVERY
            self._shorten(store)

    def _shorten(self, store: sqlite3.Connection) -> None:
        days, rows = self._keep
        store.execute("DELETE FROM entries WHERE at < ?", (time.time() - days * DAY,))
        store.execute("DELETE FROM entries WHERE id <= (SELECT max(id) FROM entries) - ?", (rows,))

    def _begin_anew(self, reason: str) -> bool:
        if self._store is not None:
            self._store.close()
            self._store = None
        aside = f"{self._path}.broken-{time.strftime('%Y%m%d-%H%M%S')}"
        try:
            for end in ("", "-wal", "-shm"):
                with contextlib.suppress(FileNotFoundError):
                    os.replace(f"{self._path}{end}", aside + end)
        except OSError:
            return False
        words = f"The history could not be read ({reason}). It was moved to {aside}, and a new one begun."
        self._batch.append(Entry(kind="notice", outcome="journal", detail={"text": words}))
        return True


def _columns(entry: Entry) -> tuple[object, ...]:
    texts = (_clean(text) for text in (entry.kind, entry.host, entry.server, entry.tool, entry.outcome))
    return entry.at, *texts, entry.ms, min(entry.size, (1 << 63) - 1), _clean(_json(entry.detail))


def _json(detail: Mapping[str, Any]) -> str:
    if not detail:
        return "{}"
    try:
        return json.dumps(masked(detail), ensure_ascii=False, default=str)
    except (ValueError, RecursionError):  # it holds itself
        return "{}"


def _clean(text: str) -> str:
    """SQLite takes no lone surrogates."""
    return text.encode("utf-8", "backslashreplace").decode()
