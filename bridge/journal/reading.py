"""Finding again what was recorded, from any thread. Reads only: makes no file, starts no thread."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bridge.journal.entries import COLUMNS, Row
from bridge.journal.store import NAMES, PLAIN, SEARCHED, has_index

_SHORTEST = 3  # letters: the index knows texts by their groups of three
_ALL = ", ".join(f"entries.{name}" for name in (*COLUMNS.split(", "), "id"))
_NAMES = ", ".join(NAMES)
_TEXT = "||' '||".join(f"entries.{name}" for name in SEARCHED)
_WORD = f" AND {_TEXT} LIKE ? ESCAPE '!'"
_MOST_NAMES = 2_000
_FIVE = ", ".join("?" * len(NAMES))
_INDEXED = f"FROM entries INDEXED BY entries_by_names WHERE {PLAIN} AND ({_NAMES})"
_NEXT_NAMES = f"SELECT {_NAMES} {_INDEXED} > ({_FIVE}) ORDER BY {_NAMES} LIMIT 1"
_OF_NAMES = f"SELECT {_ALL} {_INDEXED} = ({_FIVE}) AND id < ? ORDER BY id DESC LIMIT ?"
Values = tuple[str | int, ...]


class History:
    def __init__(self, path: Path) -> None:
        self._path = path

    def search(
        self, text: str = "", limit: int = 100, before_id: int | None = None, kind: str = ""
    ) -> list[Row]:
        """Newest first. Every word of `text` must occur; `before_id` turns the page."""
        try:
            with self._reading() as store:
                found = _find(store, text.split(), kind, before_id or 1 << 62, limit)
        except sqlite3.DatabaseError:  # none yet, or one that the writer will move aside
            return []
        return [_row(*columns) for columns in found]

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        store = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=rw", uri=True, timeout=2.0)
        with contextlib.closing(store):
            store.execute("PRAGMA query_only = 1")
            yield store


def _find(store: sqlite3.Connection, words: list[str], kind: str, before: int, limit: int) -> list[Any]:
    long = [word for word in words if len(word) >= _SHORTEST] if has_index(store) else []
    short = _likes(word for word in words if word not in long)
    if not long:
        return _rows(store, "entries", "entries.id", (before,), kind, short, limit)
    phrases = " AND ".join('"' + word.replace('"', '""') + '"' for word in long)
    # The alias of its rowid is what the index gives in order, without sorting.
    indexed = "words JOIN entries ON entries.id = words.rowid AND words MATCH ?"
    found = _rows(store, indexed, "words.rowid", (phrases, before), kind, short, limit)
    found += _plain(store, words, kind, before, limit)
    return sorted(found, key=lambda row: row[-1], reverse=True)[:limit]


def _plain(store: sqlite3.Connection, words: list[str], kind: str, before: int, limit: int) -> list[Any]:
    """Lines that are not in the index: few different names, and only those are looked at."""
    wanted = [word.casefold() for word in words]
    found: list[Any] = []
    for number, names in enumerate(_names(store)):
        if number == _MOST_NAMES:
            where = f"(SELECT * FROM entries WHERE {PLAIN}) AS entries"  # noqa: S608 - our own names
            return _rows(store, where, "entries.id", (before,), kind, _likes(words), limit)
        text = " ".join(names).casefold()
        if kind in ("", names[0]) and all(word in text for word in wanted):
            found += store.execute(_OF_NAMES, (*names, before, limit))
    return found


def _names(store: sqlite3.Connection) -> Iterator[tuple[str, ...]]:
    """From one to the next by the index, however many lines bear each."""
    names = ("",) * len(NAMES)
    while found := store.execute(_NEXT_NAMES, names).fetchone():
        names = found
        yield names


def _rows(
    store: sqlite3.Connection,
    source: str,
    order: str,
    values: Values,
    kind: str,
    likes: list[str],
    limit: int,
) -> list[Any]:
    """Newest first; what must be like something is looked at line by line."""
    where = f"{order} < ?" + " AND entries.kind = ?" * bool(kind) + _WORD * len(likes)
    query = f"SELECT {_ALL} FROM {source} WHERE {where} ORDER BY {order} DESC LIMIT ?"  # noqa: S608 - our own names
    return store.execute(query, (*values, *filter(None, (kind,)), *likes, limit)).fetchall()


def _likes(words: Iterable[str]) -> list[str]:
    return ["%" + re.sub(r"[%_!]", r"!\g<0>", word) + "%" for word in words]


def _row(at: float, kind: str, host: str, server: str, tool: str, outcome: str, *rest: Any) -> Row:
    ms, size, detail, id_ = rest
    return Row(kind, host, server, tool, outcome, ms, size, json.loads(detail), at, id=id_)
