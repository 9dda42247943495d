"""Finding again what was recorded, from any thread. Reads only: makes no file, starts no thread."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bridge.journal.entries import COLUMNS, Row
from bridge.journal.store import SEARCHED, has_index

_SHORTEST = 3  # letters: the index knows texts by their groups of three
_TEXT = "||' '||".join(f"entries.{name}" for name in SEARCHED)
_WORD = f" AND {_TEXT} LIKE ? ESCAPE '!'"


class History:
    def __init__(self, path: Path) -> None:
        self._path = path

    def search(
        self, text: str = "", limit: int = 100, before_id: int | None = None, kind: str = ""
    ) -> list[Row]:
        """Newest first. Every word of `text` must occur; `before_id` turns the page."""
        try:
            with self._reading() as store:
                query, values = _query(text.split(), kind, indexed=has_index(store))
                found = store.execute(query, (before_id or 1 << 62, *values, limit)).fetchall()
        except sqlite3.DatabaseError:  # none yet, or one that the writer will move aside
            return []
        return [_row(*columns) for columns in found]

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        store = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=rw", uri=True, timeout=2.0)
        with contextlib.closing(store):
            store.execute("PRAGMA query_only = 1")
            yield store


def _query(words: list[str], kind: str, *, indexed: bool) -> tuple[str, tuple[str, ...]]:
    """Long words by the index, newest first; short ones by looking at each line in turn."""
    long = [word for word in words if len(word) >= _SHORTEST] if indexed else []
    short = [word for word in words if word not in long]
    columns = ", ".join(f"entries.{name}" for name in COLUMNS.split(", "))
    source, order = "entries", "entries.id"
    if long:  # the alias of its rowid is what the index gives in order, without sorting
        source, order = "words JOIN entries ON entries.id = words.rowid", "words.rowid"
    where = f"{order} < ?" + " AND words MATCH ?" * bool(long) + " AND entries.kind = ?" * bool(kind)
    query = f"SELECT {columns}, entries.id FROM {source} WHERE {where}{_WORD * len(short)}"  # noqa: S608 - our own names
    phrases = " AND ".join('"' + word.replace('"', '""') + '"' for word in long)
    likes = ["%" + re.sub(r"[%_!]", r"!\g<0>", word) + "%" for word in short]
    return f"{query} ORDER BY {order} DESC LIMIT ?", (*filter(None, (phrases, kind)), *likes)


def _row(at: float, kind: str, host: str, server: str, tool: str, outcome: str, *rest: Any) -> Row:
    ms, size, detail, id_ = rest
    return Row(kind, host, server, tool, outcome, ms, size, json.loads(detail), at, id=id_)
