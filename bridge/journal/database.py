"""The journal's database: tables, full-text index, and opening it.

The FTS5 trigram index makes a search of 100,000 entries instant; without FTS5 a search scans all entries.
Indexing costs more than all other work on a call, so entries without detail, which are most, only have a
plain index of their names.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

VERSION = 4  # PRAGMA user_version: 1 had no index, 2 indexed every entry, 3 had no contents; 0 is a new file
_INDEXED_SINCE = 3  # the version of the current index
NAMES = ("kind", "host", "server", "tool", "outcome")
SEARCHED = (*NAMES, "detail")
PLAIN = "detail = '{}'"  # SQL condition: an entry without detail
_NAMES = ", ".join(SEARCHED)
_NEW, _OLD = (", ".join(f"{row}.{name}" for name in SEARCHED) for row in ("new", "old"))
_TABLES = f"""
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, host TEXT NOT NULL, server TEXT NOT NULL,
    tool TEXT NOT NULL, outcome TEXT NOT NULL, ms REAL NOT NULL, size INTEGER NOT NULL, detail TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS entries_by_kind ON entries (kind, id);
CREATE INDEX IF NOT EXISTS entries_by_names ON entries ({", ".join(NAMES)}) WHERE {PLAIN};
CREATE TABLE IF NOT EXISTS contents (
    id INTEGER PRIMARY KEY, arguments TEXT NOT NULL, arguments_size INTEGER NOT NULL,
    result TEXT NOT NULL, result_size INTEGER NOT NULL
);
CREATE TRIGGER IF NOT EXISTS contents_removed AFTER DELETE ON entries BEGIN
    DELETE FROM contents WHERE id = old.id;
END;
CREATE TABLE IF NOT EXISTS underway (
    call INTEGER PRIMARY KEY, at REAL NOT NULL, host TEXT NOT NULL, server TEXT NOT NULL, tool TEXT NOT NULL
);
CREATE VIEW IF NOT EXISTS wordy AS SELECT id, {_NAMES} FROM entries WHERE NOT {PLAIN};
"""  # noqa: S608 - our own names
_INDEX = f"""
CREATE VIRTUAL TABLE words USING fts5({_NAMES}, content='wordy', content_rowid='id', tokenize='trigram');
CREATE TRIGGER words_added AFTER INSERT ON entries WHEN NOT new.{PLAIN} BEGIN
    INSERT INTO words (rowid, {_NAMES}) VALUES (new.id, {_NEW});
END;
CREATE TRIGGER words_removed AFTER DELETE ON entries WHEN NOT old.{PLAIN} BEGIN
    INSERT INTO words (words, rowid, {_NAMES}) VALUES ('delete', old.id, {_OLD});
END;
INSERT INTO words (words) VALUES ('rebuild');
"""  # noqa: S608 - our own names
_NO_INDEX = """
DROP TRIGGER IF EXISTS words_added;
DROP TRIGGER IF EXISTS words_removed;
"""


def open_store(path: Path) -> sqlite3.Connection:
    """Open or create the database, for its owner only (SQLite gives -wal and -shm the same mode)."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        os.chmod(path, 0o600)
    except OSError as error:
        raise sqlite3.OperationalError(str(error)) from error
    store = sqlite3.connect(path, timeout=1.0, isolation_level=None)
    try:
        _prepare(store)
    except BaseException:
        store.close()
        raise
    return store


def _prepare(store: sqlite3.Connection) -> None:
    store.execute("PRAGMA journal_mode = WAL")
    store.execute("PRAGMA synchronous = NORMAL")  # with WAL: a crash may lose the last transactions
    store.execute("PRAGMA secure_delete = ON")  # overwrite deleted content
    (version,) = store.execute("PRAGMA user_version").fetchone()
    (state,) = store.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok" or not 0 <= version <= VERSION:
        raise sqlite3.DatabaseError(f"version {version}, check {state}")
    store.executescript(_TABLES)
    if version < _INDEXED_SINCE or not _can_index(store):
        store.executescript(_NO_INDEX)
    if _can_index(store) and not has_index(store):
        store.execute("DROP TABLE IF EXISTS words")
        store.executescript(_INDEX)
    store.execute(f"PRAGMA user_version = {VERSION}")


def has_index(store: sqlite3.Connection) -> bool:
    """True if the full-text index is maintained."""
    query = "SELECT count(*) FROM sqlite_master WHERE name IN ('words_added', 'words_removed')"
    return bool(store.execute(query).fetchone() == (2,))


def _can_index(store: sqlite3.Connection) -> bool:
    with contextlib.suppress(sqlite3.OperationalError):
        store.execute("CREATE VIRTUAL TABLE temp.trial USING fts5(text, tokenize='trigram')")
        store.execute("DROP TABLE temp.trial")
        return True
    return False


def forget(store: sqlite3.Connection, rows: tuple[int, ...] | None) -> None:
    """Delete these entries, or all (None), from tables and index."""
    if rows is None:
        store.execute("DELETE FROM entries")
    else:
        store.executemany("DELETE FROM entries WHERE id = ?", [(row,) for row in rows])
    if has_index(store):
        store.execute("INSERT INTO words (words) VALUES (?)", ("rebuild" if rows is None else "optimize",))
