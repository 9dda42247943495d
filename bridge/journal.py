"""The Journal: what happened, in SQLite. Recording is an append to a queue; one thread writes.

It keeps what it is given and decides nothing, but whatever looks like a key or a token is masked on its way
in. A database that cannot be used is moved aside and a new one begun: history is never a reason to stop.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

VERSION = 1  # PRAGMA user_version
TICK = 0.05  # seconds in which rows gather to be written together
BATCH = 500  # rows in one transaction
RETRY = 1.0  # seconds until a full disk or a locked file is tried again
CLOSING = 2.0  # seconds
MOST_WAITING = 200_000  # rows that a disk which takes none may leave in memory; then the oldest go
PRUNE_EVERY = 5_000  # rows

_COLUMNS = "at, kind, host, server, tool, outcome, ms, size, detail"
_CREATE = """
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, host TEXT NOT NULL, server TEXT NOT NULL,
    tool TEXT NOT NULL, outcome TEXT NOT NULL, ms REAL NOT NULL, size INTEGER NOT NULL, detail TEXT NOT NULL
)"""
_INSERT = f"INSERT OR IGNORE INTO entries ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - our own names
_WORD = " AND kind||' '||host||' '||server||' '||tool||' '||outcome||' '||detail LIKE ? ESCAPE '!'"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened."""

    kind: str  # call | question | server | notice
    host: str = ""
    server: str = ""
    tool: str = ""
    outcome: str = ""
    ms: float = 0.0
    size: int = 0
    detail: Mapping[str, Any] = field(default_factory=dict)
    at: float = field(default_factory=time.time)  # seconds since the epoch


@dataclass(frozen=True, slots=True)
class Row(Entry):
    """An Entry as it was kept. Ids grow."""

    id: int = 0


class Journal:
    """`record` is for any thread and never waits. One that is only searched starts no thread and no file."""

    def __init__(self, path: Path, *, keep_days: float = 30, keep_rows: int = 100_000) -> None:
        self._path = path
        self._writer = _Writer(path, keep_days, keep_rows)

    def record(self, entry: Entry) -> None:
        self._writer.put(entry)

    def flush(self, timeout: float = CLOSING) -> bool:
        """Wait until all that was recorded before is on disk; False if that takes too long."""
        return self._writer.flush(timeout)

    def close(self) -> None:
        """Write what waits and end, within 2 s."""
        self._writer.close()

    def search(self, text: str = "", limit: int = 100, before_id: int | None = None) -> list[Row]:
        """Newest first, from any thread. Every word of `text` must occur; `before_id` turns the page."""
        words = ["%" + re.sub(r"[%_!]", r"!\g<0>", word) + "%" for word in text.split()]
        query = (
            f"SELECT {_COLUMNS}, id FROM entries WHERE id < ?{_WORD * len(words)} ORDER BY id DESC LIMIT ?"  # noqa: S608
        )
        try:
            reading = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=rw", uri=True, timeout=2.0)
            with contextlib.closing(reading):
                reading.execute("PRAGMA query_only = 1")
                found = reading.execute(query, (before_id or 1 << 62, *words, limit)).fetchall()
        except sqlite3.DatabaseError:  # none yet, or one that the writer will move aside
            return []
        return [_row(*columns) for columns in found]


class _Writer:
    """The thread that writes. It sleeps until there is something to write."""

    def __init__(self, path: Path, keep_days: float, keep_rows: int) -> None:
        self._path = path
        self._keep = (keep_days, keep_rows)
        self._queue: deque[Entry | threading.Event] = deque(maxlen=MOST_WAITING)
        self._batch: list[Entry | threading.Event] = []
        self._store: sqlite3.Connection | None = None
        self._unpruned = 0
        self._wake = threading.Event()
        self._hurry = threading.Event()
        self._closing = False
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, item: Entry | threading.Event) -> None:
        self._queue.append(item)
        if not self._wake.is_set():
            self._wake.set()
        if self._thread is None:
            self._start()

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
        store = self._store = self._store or _open(self._path)
        if not self._batch:
            self._batch = [self._queue.popleft() for _ in range(min(BATCH, len(self._queue)))]
        with store:
            store.execute("BEGIN")
            store.executemany(_INSERT, [_columns(item) for item in self._batch if isinstance(item, Entry)])
            self._prune(store)
        for item in self._batch:
            if isinstance(item, threading.Event):
                item.set()
        self._batch = []

    def _prune(self, store: sqlite3.Connection) -> None:
        self._unpruned -= len(self._batch)
        if self._unpruned < 0:
            self._unpruned = PRUNE_EVERY
            days, rows = self._keep
            store.execute("DELETE FROM entries WHERE at < ?", (time.time() - days * 86_400,))
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


def _open(path: Path) -> sqlite3.Connection:
    """The database, made if need be, for its owner only (SQLite gives its -wal and -shm the same mode)."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        os.chmod(path, 0o600)
    except OSError as error:
        raise sqlite3.OperationalError(str(error)) from error
    store = sqlite3.connect(path, timeout=1.0, isolation_level=None)
    try:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("PRAGMA synchronous = NORMAL")  # with WAL: a crash may lose the last moment, no more
        (version,) = store.execute("PRAGMA user_version").fetchone()
        (state,) = store.execute("PRAGMA quick_check(1)").fetchone()
        if state != "ok" or version not in (0, VERSION):
            raise sqlite3.DatabaseError(f"version {version}, check {state}")
        store.execute(_CREATE)
        store.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        store.close()
        raise
    return store


def _columns(entry: Entry) -> tuple[object, ...]:
    texts = (_clean(text) for text in (entry.kind, entry.host, entry.server, entry.tool, entry.outcome))
    return entry.at, *texts, entry.ms, min(entry.size, (1 << 63) - 1), _clean(_json(entry.detail))


def _json(detail: Mapping[str, Any]) -> str:
    try:
        return json.dumps(_masked(detail), ensure_ascii=False, default=str)
    except (ValueError, RecursionError):  # it holds itself
        return "{}"


def _row(at: float, kind: str, host: str, server: str, tool: str, outcome: str, *rest: Any) -> Row:
    ms, size, detail, id_ = rest
    return Row(kind, host, server, tool, outcome, ms, size, json.loads(detail), at, id=id_)


def _clean(text: str) -> str:
    """SQLite takes no lone surrogates."""
    return text.encode("utf-8", "backslashreplace").decode()


# ---- secrets ---------------------------------------------------------------------------------------

MASK = "•••"
_TELLING = (
    r"pass(?:word|wd|phrase)|pwd|secret|token|(?:api|access|private|signing)[ _-]?key|credential|cookie"
)
_NAMED = re.compile(_TELLING, re.IGNORECASE)
_KEYS = (
    (re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*-----|\Z)", re.DOTALL), MASK),
    (re.compile(r"\b(bearer|basic|dpop|authorization:) +[\w.~+/=:-]{8,}", re.IGNORECASE), rf"\1 {MASK}"),
    (re.compile(r"(://[^/\s:@]{0,256}:)[^/\s@]{1,256}@"), rf"\1{MASK}@"),
    (
        re.compile(
            rf"((?:{_TELLING})[\w-]{{0,40}}[\"']?\s{{0,9}}[:=]\s{{0,9}}[\"']?)[^\s\"'&,;]{{6,}}", re.I
        ),
        rf"\1{MASK}",
    ),
    (re.compile(r"\b(?:sk|pk|rk|whsec|hf|npm|gh[pousr]|github_pat|glpat|xox[a-z])[-_][\w-]{16,}"), MASK),
    (
        re.compile(
            r"\b(?:A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)"
        ),
        MASK,
    ),
    (  # anything long that mixes cases and digits, as generated keys do and hashes and names do not
        re.compile(r"\b(?=[\w-]{0,99}[a-z])(?=[\w-]{0,99}[A-Z])(?=[\w-]{0,99}[0-9])[\w-]{32,}"),
        MASK,
    ),
)


def redact(text: str) -> str:
    """The text without what looks like a key, a token or a password in it."""
    for pattern, instead in _KEYS:
        text = pattern.sub(instead, text)
    return text


def _masked(value: Any) -> Any:
    """The same all through a detail; a value under a telling name is masked whatever it looks like."""
    if isinstance(value, Mapping):
        return {
            str(key): MASK if isinstance(item, str) and _NAMED.search(str(key)) else _masked(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_masked(item) for item in value]
    return redact(value) if isinstance(value, str) else value
