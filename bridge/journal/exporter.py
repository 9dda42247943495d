"""Export the history, masked, to a private file: CSV, JSON Lines, or its exchanges as conversations."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from bridge.errors import DeskbellError
from bridge.i18n import say
from bridge.journal import conversations
from bridge.journal.entries import Contents, HistoryFilter, JournalRow
from bridge.journal.reader import History

PAGE = 1000  # entries per query
_HEAD = ["time", "kind", "host", "server", "tool", "outcome", "ms", "size", "detail", "arguments", "result"]
_CONVERSATIONS = {".md": conversations.write_markdown, ".json": conversations.write_json}
_SUFFIXES = (".csv", ".jsonl", *_CONVERSATIONS)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # run as a formula by spreadsheets (OWASP, CSV injection)


class ExportError(DeskbellError):
    """The history could not be written to that file."""


def export(
    history: History,
    wanted: HistoryFilter,
    path: Path,
    is_stopped: Callable[[], bool] = lambda: False,
) -> int:
    """Write the matching entries, newest first; return their number. The suffix chooses CSV or JSON Lines;
    of .md and .json it is the exchanges, oldest first. The file is replaced atomically."""
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES:
        words = say("{path} cannot be written", path=path)
        raise ExportError(words, say("Its name must end with {endings}.", endings=", ".join(_SUFFIXES)))
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # 0600
        try:
            with open(handle, "w", encoding="utf-8", newline="") as file:
                if suffix in _CONVERSATIONS:
                    count = _CONVERSATIONS[suffix](file, _exchanges(history, wanted, is_stopped))
                else:
                    write = _write_csv if suffix == ".csv" else _write_lines
                    count = write(file, _lines(history, wanted, is_stopped))
            if is_stopped():
                raise ExportError(say("The export was stopped"), say("Nothing was written."))
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        words = say("{path} cannot be written", path=path)
        raise ExportError(words, f"{error.strerror or error}.") from error
    return count


def _lines(
    history: History, wanted: HistoryFilter, is_stopped: Callable[[], bool]
) -> Iterator[dict[str, Any]]:
    before: int | None = None
    while not is_stopped() and (rows := history.find(wanted, PAGE, before)):
        contents = history.contents_between(rows[-1].id, rows[0].id)
        yield from (_line(row, contents.get(row.id)) for row in rows)
        before = rows[-1].id


def _exchanges(
    history: History, wanted: HistoryFilter, is_stopped: Callable[[], bool]
) -> list[conversations.Exchange]:
    """Return the exchanges of the matching entries, oldest first."""
    found: list[conversations.Exchange] = []
    before: int | None = None
    while not is_stopped() and (rows := history.find(wanted, PAGE, before)):
        found += filter(None, map(conversations.exchange_of, rows))
        before = rows[-1].id
    return found[::-1]


def _line(row: JournalRow, contents: Contents | None) -> dict[str, Any]:
    when = datetime.fromtimestamp(row.at).astimezone().isoformat(timespec="milliseconds")
    line = {"time": when, **{name: getattr(row, name) for name in _HEAD[1:9]}}
    line["ms"] = round(row.ms, 3)
    return {**line, "arguments": contents.arguments, "result": contents.result} if contents else line


def _write_lines(file: IO[str], lines: Iterator[dict[str, Any]]) -> int:
    count = 0
    for count, line in enumerate(lines, 1):  # noqa: B007 - counted on purpose
        file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return count


def _write_csv(file: IO[str], lines: Iterator[dict[str, Any]]) -> int:
    file.write("\ufeff")  # BOM: Excel needs it to detect UTF-8
    out, count = csv.writer(file), 0
    out.writerow(_HEAD)
    for count, line in enumerate(lines, 1):  # noqa: B007 - counted on purpose
        line["detail"] = json.dumps(line["detail"], ensure_ascii=False) if line["detail"] else ""
        out.writerow([_cell(line.get(name, "")) for name in _HEAD])
    return count


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
