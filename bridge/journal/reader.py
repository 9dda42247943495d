"""Query the journal, from any thread; never creates a file.

Pages continue by id, not by offset.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bridge.journal.database import NAMES, PLAIN, SEARCHED, has_index
from bridge.journal.entries import COLUMNS, Contents, HistoryFilter, HistoryNames, JournalRow

_SHORTEST = 3  # characters; shorter words are not in the trigram index
_ALL = ", ".join(f"entries.{name}" for name in (*COLUMNS.split(", "), "id"))
_NAMES = ", ".join(NAMES)
_TEXT = "||' '||".join(f"entries.{name}" for name in SEARCHED)
_WITH_CONTENTS = f"{_TEXT}||' '||contents.arguments||' '||contents.result"
_LIKE = " LIKE ? ESCAPE '!'"
_MOST_NAMES = 2_000
_FIVE = ", ".join("?" * len(NAMES))
_INDEXED = f"FROM entries INDEXED BY entries_by_names WHERE {PLAIN} AND ({_NAMES})"
_NEXT_NAMES = f"SELECT {_NAMES} {_INDEXED} > ({_FIVE}) ORDER BY {_NAMES} LIMIT 1"
_OF_NAMES = f"SELECT {_ALL} {_INDEXED} = ({_FIVE}) AND id < ?"
Values = tuple[str | int | float, ...]


class History:
    def __init__(self, path: Path) -> None:
        self._path = path

    def search(
        self, text: str = "", limit: int = 100, before_id: int | None = None, kind: str = ""
    ) -> list[JournalRow]:
        """Return entries that contain every word of `text`, newest first; `before_id` continues after a
        page."""
        return self.find(HistoryFilter(text, kind), limit, before_id)

    def find(self, wanted: HistoryFilter, limit: int = 100, before_id: int | None = None) -> list[JournalRow]:
        """Return the entries that match the filter, newest first; `before_id` continues after a page."""
        with contextlib.suppress(sqlite3.DatabaseError), self._reading() as store:
            return [_row(*columns) for columns in _find(store, wanted, before_id or 1 << 62, limit)]
        return []  # no database yet, or one that the writer will replace

    def contents(self, row: int) -> Contents | None:
        """Return the contents of this entry's call; None if they were not kept."""
        return self.contents_between(row, row).get(row)

    def contents_between(self, first: int, last: int) -> dict[int, Contents]:
        query = """SELECT id, arguments, arguments_size, result, result_size FROM contents
        WHERE id BETWEEN ? AND ?"""
        with contextlib.suppress(sqlite3.DatabaseError), self._reading() as store:
            return {row: Contents(*columns) for row, *columns in store.execute(query, (first, last))}
        return {}

    def names(self) -> HistoryNames:
        """Return the hosts and servers that occur."""
        with contextlib.suppress(sqlite3.DatabaseError), self._reading() as store:
            found = store.execute("SELECT DISTINCT host, server FROM entries LIMIT 5000").fetchall()
            hosts, servers = ({pair[at] for pair in found if pair[at]} for at in (0, 1))
            return HistoryNames(tuple(sorted(hosts)), tuple(sorted(servers)))
        return HistoryNames()

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        store = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=rw", uri=True, timeout=2.0)
        with contextlib.closing(store):
            store.execute("PRAGMA query_only = 1")
            yield store


def _where(wanted: HistoryFilter) -> tuple[str, Values]:
    """Return the SQL conditions other than words, each after an AND."""
    parts = ""
    values: Values = ()
    for name in ("kind", "host", "server"):
        if value := getattr(wanted, name):
            parts, values = f"{parts} AND entries.{name} = ?", (*values, value)
    if wanted.outcomes:
        marks = ", ".join("?" * len(wanted.outcomes))
        parts, values = f"{parts} AND entries.outcome IN ({marks})", (*values, *wanted.outcomes)
    times, moments = _times(wanted)
    return parts + times, (*values, *moments)


def _times(wanted: HistoryFilter) -> tuple[str, Values]:
    since, until = bool(wanted.since), bool(wanted.until)
    moments = (*(wanted.since,) * since, *(wanted.until,) * until)
    return " AND entries.at >= ?" * since + " AND entries.at < ?" * until, moments


def _find(store: sqlite3.Connection, wanted: HistoryFilter, before: int, limit: int) -> list[Any]:
    words = wanted.text.split()
    long = [word for word in words if len(word) >= _SHORTEST] if has_index(store) else []
    short = [word for word in words if word not in long]
    if not words:
        return _rows(store, "entries", "entries.id", (before,), wanted, [], limit)
    found = _in_contents(store, wanted, before, limit)
    if long:
        phrases = " AND ".join('"' + word.replace('"', '""') + '"' for word in long)
        # Ordering by the index's own rowid needs no sort.
        indexed = "words JOIN entries ON entries.id = words.rowid AND words MATCH ?"
        found += _rows(store, indexed, "words.rowid", (phrases, before), wanted, short, limit)
        found += _plain(store, words, wanted, before, limit)
    else:
        found += _rows(store, "entries", "entries.id", (before,), wanted, short, limit)
    by_id = {row[-1]: row for row in found}
    return [by_id[number] for number in sorted(by_id, reverse=True)[:limit]]


def _in_contents(store: sqlite3.Connection, wanted: HistoryFilter, before: int, limit: int) -> list[Any]:
    """Search contents of calls by a scan; few calls have contents."""
    source = "contents JOIN entries ON entries.id = contents.id"
    return _rows(store, source, "contents.id", (before,), wanted, wanted.text.split(), limit, _WITH_CONTENTS)


def _plain(
    store: sqlite3.Connection, words: list[str], wanted: HistoryFilter, before: int, limit: int
) -> list[Any]:
    """Search entries that are not in the full-text index, by their few distinct names."""
    sought = [word.casefold() for word in words]
    times, moments = _times(wanted)
    found: list[Any] = []
    for number, names in enumerate(_names(store)):
        if number == _MOST_NAMES:
            where = f"(SELECT * FROM entries WHERE {PLAIN}) AS entries"  # noqa: S608 - our own names
            return _rows(store, where, "entries.id", (before,), wanted, words, limit)
        text = " ".join(names).casefold()
        if _is_wanted(names, wanted) and all(word in text for word in sought):
            query = f"{_OF_NAMES}{times} ORDER BY id DESC LIMIT ?"
            found += store.execute(query, (*names, before, *moments, limit))
    return found


def _is_wanted(names: tuple[str, ...], wanted: HistoryFilter) -> bool:
    kind, host, server, _, outcome = names
    fits = all(want in ("", has) for want, has in ((wanted.kind, kind), (wanted.host, host)))
    return fits and wanted.server in ("", server) and (not wanted.outcomes or outcome in wanted.outcomes)


def _names(store: sqlite3.Connection) -> Iterator[tuple[str, ...]]:
    """Yield distinct names, by skipping through the index."""
    names = ("",) * len(NAMES)
    while found := store.execute(_NEXT_NAMES, names).fetchone():
        names = found
        yield names


def _rows(
    store: sqlite3.Connection,
    source: str,
    order: str,
    values: Values,
    wanted: HistoryFilter,
    words: list[str],
    limit: int,
    text: str = _TEXT,
) -> list[Any]:
    """Return rows, newest first; words are matched by LIKE."""
    conditions, more = _where(wanted)
    where = f"{order} < ?{conditions}" + f" AND {text}{_LIKE}" * len(words)
    query = f"SELECT {_ALL} FROM {source} WHERE {where} ORDER BY {order} DESC LIMIT ?"  # noqa: S608 - our own names
    return store.execute(query, (*values, *more, *map(_like, words), limit)).fetchall()


def _like(word: str) -> str:
    return "%" + re.sub(r"[%_!]", r"!\g<0>", word) + "%"


def _row(at: float, kind: str, host: str, server: str, tool: str, outcome: str, *rest: Any) -> JournalRow:
    ms, size, detail, id_ = rest
    return JournalRow(kind, host, server, tool, outcome, ms, size, json.loads(detail), at, id=id_)
