"""The Journal and its writer thread; contents of calls are masked, then cut."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from bridge.journal.database import forget, open_store
from bridge.journal.entries import COLUMNS, INTERRUPTED, KEPT, CallContents, JournalEntry
from bridge.journal.reader import History
from bridge.journal.retention import HOUR, Retention
from bridge.system.key_shapes import redact_known
from bridge.system.masking import masked, redact

HEAD = 8_192  # bytes of arguments and of the reply that are read
_BEYOND = 600  # characters read beyond the cut, to recognise a key that spans it
Hide = Callable[[Any], Any]  # masks known secret values

_RESULT = re.compile(r'"(?:result|error)"\s*:\s*')


def arguments_kept(head: bytes, size: int, hide: Hide) -> str:
    return _kept(head, size, hide, lambda value: value, lambda text: text)


def reply_kept(head: bytes, size: int, hide: Hide) -> str:
    """Return the result or error of a reply, masked and cut."""
    return _kept(head, size, hide, _result, _after_envelope)


def _kept(
    head: bytes, size: int, hide: Hide, inner: Callable[[Any], Any], after: Callable[[str], str]
) -> str:
    text = head.decode("utf-8", "replace")
    try:
        if size > len(head):
            raise ValueError
        text = json.dumps(masked(hide(inner(json.loads(text)))), ensure_ascii=False) if text else ""
    except (ValueError, RecursionError):
        text = str(hide(after(text)))[: KEPT + _BEYOND]
        text = redact(text)
    return text[:KEPT]


def _result(message: Any) -> Any:
    return message.get("result", message.get("error", message)) if isinstance(message, dict) else message


def _after_envelope(text: str) -> str:
    found = _RESULT.search(text[:200])
    return text[found.end() :] if found else text


TICK = 0.05  # seconds in which rows are collected for one transaction
CROWDED = 0.25  # seconds in which rows are collected under load
BATCH = 500  # rows in one transaction
RETRY = 1.0  # seconds until a full disk or a locked file is tried again
CLOSING = 2.0  # seconds
MOST_WAITING = 200_000  # rows held in memory while the disk is unavailable; then the oldest are dropped
PRUNE_EVERY = 5_000  # rows
CALM = 20  # queued rows up to which contents of calls are recorded

_INSERT = f"INSERT OR IGNORE INTO entries ({COLUMNS}, id) VALUES "  # noqa: S608 - our own names
_ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_CONTENTS = "INSERT OR REPLACE INTO contents VALUES (?, ?, ?, ?, ?)"
_BEGIN = "INSERT OR REPLACE INTO underway VALUES (?, ?, ?, ?, ?)"
_RECOVER = f"""INSERT INTO entries ({COLUMNS})
SELECT at, 'call', host, server, tool, '{INTERRUPTED}', 0, 0, '{{}}' FROM underway ORDER BY at"""  # noqa: S608
Order = Callable[[sqlite3.Connection], object]
Item = JournalEntry | CallContents | Order | threading.Event


class Journal(History):
    """`record` may be called from any thread and never blocks. Searching starts no thread and creates no
    file."""

    def __init__(
        self, path: Path, *, keep_days: float = 30, keep_rows: int = 100_000, contents_days: float = 1
    ) -> None:
        super().__init__(path)
        self._kept = Retention(keep_days, contents_days, keep_rows)
        self.hide: Hide = lambda value: value  # masks known secrets in contents of calls
        self.recorded = 0
        self.problem = ""  # why entries wait in memory; "": they are on disk
        self.on_problem: Callable[[], None] = lambda: None  # called in the writer thread when that changes
        self._queue: deque[Item] = deque(maxlen=MOST_WAITING)
        self._batch: list[Item] = []
        self._shortened = 0.0  # monotonic time of the last pruning
        self._store: sqlite3.Connection | None = None
        self._unpruned = 0
        self._wake = threading.Event()
        self._hurry = threading.Event()
        self._closing = False
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def record(self, entry: JournalEntry) -> None:
        if self._kept.days:
            self.recorded += 1
            self._put(entry)

    def record_call(self, entry: JournalEntry, arguments: bytes, reply: bytes, begun: int = 0) -> None:
        """Record a finished call. `begun`: its id in `begin`, or 0."""
        if self._kept.days and self._kept.contents_days and len(self._queue) < CALM:
            self.recorded += 1
            self._put(CallContents(entry, arguments[:HEAD], len(arguments), reply[:HEAD], len(reply)))
        else:
            self.record(entry)
        if begun:
            self._put(lambda store: store.execute("DELETE FROM underway WHERE call = ?", (begun,)))

    def begin(self, call: int, entry: JournalEntry) -> None:
        """Record a long call that is running; `recover` makes an entry of it if Deskbell dies first."""
        names = [_name(text) for text in (entry.host, entry.server, entry.tool)]
        if self._kept.days:
            self._put(lambda store: store.execute(_BEGIN, (call, entry.at, *names)))

    def recover(self, tell: Callable[[int], object] = lambda calls: None) -> None:
        """Record calls that were running when an earlier Deskbell died. `tell` is called in the writer
        thread with their number, if there are any."""
        if self._path.exists():
            self._put(lambda store: _recover(store, tell))

    def keep(self, days: float, contents_days: float | None = None) -> None:
        """Set how many days entries and contents are kept; 0: delete all, and record none."""
        retention = self._kept
        contents = retention.contents_days if contents_days is None else contents_days
        if (days, contents) != (retention.days, retention.contents_days):
            retention.days, retention.contents_days = days, contents
            self._put(lambda store: retention.delete_old(store, at_once=True))

    def forget(self, rows: tuple[int, ...] | None) -> None:
        """Delete these entries, or all (None)."""
        self._put(lambda store: forget(store, rows))

    def flush(self, timeout: float = CLOSING) -> bool:
        """Wait until all entries are on disk; False after the timeout."""
        written = threading.Event()
        self._put(written)
        self._hurry.set()
        return written.wait(timeout)

    def close(self) -> None:
        """Write what is queued and stop, within 2 s."""
        self._closing = True
        self._hurry.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(CLOSING)

    def _put(self, item: Item) -> None:
        self._queue.append(item)
        if not self._wake.is_set():
            self._wake.set()
        if self._thread is None:
            self._start()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None and not self._closing:
                self._thread = threading.Thread(target=self._run, name="deskbell-journal", daemon=True)
                self._thread.start()

    # --- the writer thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        done = False
        while not done:
            if not self._wake.wait(HOUR):
                self._put(self._shorten)
            if not self._hurry.wait(TICK) and len(self._queue) >= CALM:
                self._hurry.wait(CROWDED - TICK)
            self._wake.clear()
            done = self._closing  # everything recorded so far is in the queue
            if not done:
                self._hurry.clear()
            if not self._drain() and not done:
                self._hurry.wait(RETRY)
                self._wake.set()
        if self._store is not None:
            self._store.close()

    def _drain(self, *, first: bool = True) -> bool:
        """Write everything queued; False if it must be retried."""
        try:
            while self._batch or self._queue:
                self._write()
        except sqlite3.OperationalError as error:  # disk full, locked, unavailable: the file may be good
            self._report(str(error))
            return False
        except sqlite3.DatabaseError as error:
            return first and self._begin_anew(str(error)) and self._drain(first=False)
        self._report("")
        return True

    def _report(self, problem: str) -> None:
        if problem != self.problem:
            self.problem = problem
            self.on_problem()

    def _write(self) -> None:
        """Write one transaction; keep the batch until it is on disk."""
        if self._store is None:
            self._store = open_store(self._path)
            self._kept.opened(self._store)
        store = self._store
        if not self._batch:
            self._batch = [self._queue.popleft() for _ in range(min(BATCH, len(self._queue)))]
        with store:
            store.execute("BEGIN")
            self._insert(store)
            for order in [item for item in self._batch if callable(item)]:
                order(store)
            self._prune(store)
        for item in self._batch:
            if isinstance(item, threading.Event):
                item.set()
        self._batch = []

    def _insert(self, store: sqlite3.Connection) -> None:
        entries = [item for item in self._batch if isinstance(item, JournalEntry | CallContents)]
        if not entries:
            return
        (last,) = store.execute("SELECT coalesce(max(id), 0) FROM entries").fetchone()
        numbered = list(enumerate(entries, last + 1))
        for begin, end in _powers_of_two(len(numbered)):
            values = [value for number, item in numbered[begin:end] for value in (*_columns(item), number)]
            store.execute(_INSERT + ", ".join([_ROW] * (end - begin)), values)
        calls = [(number, item) for number, item in numbered if isinstance(item, CallContents)]
        store.executemany(_CONTENTS, [(number, *self._masked_contents(item)) for number, item in calls])

    def _masked_contents(self, call: CallContents) -> tuple[str, int, str, int]:
        arguments = arguments_kept(call.arguments, call.arguments_size, self.hide)
        reply = reply_kept(call.reply, call.reply_size, self.hide)
        return _clean(arguments), call.arguments_size, _clean(reply), call.reply_size

    def _prune(self, store: sqlite3.Connection) -> None:
        self._unpruned -= len(self._batch)
        if self._unpruned < 0 or time.monotonic() - self._shortened > HOUR:
            self._shorten(store)

    def _shorten(self, store: sqlite3.Connection) -> None:
        self._unpruned, self._shortened = PRUNE_EVERY, time.monotonic()
        self._kept.delete_old(store)

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
        self._batch.append(JournalEntry(kind="notice", outcome="journal", detail={"text": words}))
        return True


def _powers_of_two(count: int) -> Iterator[tuple[int, int]]:
    """Yield begin and end of the parts of so many rows. Few parts, because after each statement the writer
    thread waits for the GIL; of few lengths, because sqlite3 caches 128 statements of up to 250 KB."""
    begin = 0
    while count > begin:
        length = 1 << (count - begin).bit_length() - 1
        yield begin, begin + length
        begin += length


def _recover(store: sqlite3.Connection, tell: Callable[[int], object]) -> None:
    calls = store.execute(_RECOVER).rowcount
    store.execute("DELETE FROM underway")
    if calls > 0:
        tell(calls)


def _columns(item: JournalEntry | CallContents) -> tuple[object, ...]:
    entry = item.entry if isinstance(item, CallContents) else item
    texts = (_name(text) for text in (entry.kind, entry.host, entry.server, entry.tool, entry.outcome))
    return entry.at, *texts, entry.ms, min(entry.size, (1 << 63) - 1), _clean(_json(entry.detail))


def _json(detail: Mapping[str, Any]) -> str:
    if not detail:
        return "{}"
    try:
        return json.dumps(masked(detail), ensure_ascii=False, default=str)
    except (ValueError, RecursionError):  # a circular reference
        return "{}"


@lru_cache(maxsize=4096)
def _name(text: str) -> str:
    """Mask keys in a name that an AI app or a server chose."""
    return _clean(redact_known(text))


def _clean(text: str) -> str:
    """Escape lone surrogates, which SQLite rejects."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
