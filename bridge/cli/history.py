"""`deskbell history`: print the history as a table or JSON, or export it to a file."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from bridge.cli.output import table
from bridge.journal import History, HistoryFilter, JournalRow, export
from bridge.presenters.tty import one_line
from bridge.settings import Home

_DAY = 86_400  # seconds
_NOTE = 100  # characters of a note in the table; --json has all


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--search", metavar="TEXT", default="", help="only entries that contain TEXT")
    kinds = ("call", "question", "server", "notice")
    add("--kind", choices=kinds, default="", help="only entries of this kind")
    add("--host", metavar="NAME", default="", help="only entries of this AI app")
    add("--server", metavar="NAME", default="", help="only entries of this server")
    add("--outcome", metavar="WORD", default="", help="only entries with this outcome: ok, error, denied, …")
    add("--since", type=count, default=0, metavar="DAYS", help="only the last DAYS days")
    add("--limit", type=count, default=100, metavar="N", help="at most N entries (default: 100)")
    add("--json", action="store_true", help="one JSON object a line")
    add(
        "--export",
        metavar="FILE",
        help="write the entries, with contents of calls, to a .csv or .jsonl file; to a .json or .md file: "
        "what was asked of models and of you, with the answers, as conversations",
    )
    parser.set_defaults(run=history)


def count(word: str) -> int:
    """Parse a positive number. argparse uses this function's name in its error message."""
    number = int(word)
    if number < 1:
        raise ValueError(word)
    return number


def history(arguments: argparse.Namespace, home: Home) -> int:
    if not home.journal.exists():
        print("Nothing has happened yet.", file=sys.stderr)
        return 0
    journal = History(home.journal)
    wanted = HistoryFilter(
        arguments.search,
        arguments.kind,
        arguments.host,
        arguments.server,
        (arguments.outcome,) if arguments.outcome else (),
        time.time() - arguments.since * _DAY if arguments.since else 0.0,
    )
    if arguments.export:
        count = export(journal, wanted, Path(arguments.export))
        print(f"Entries in {arguments.export}: {count}.", file=sys.stderr)
        return 0
    rows = journal.find(wanted, arguments.limit)
    if not rows:
        print("Nothing found.", file=sys.stderr)
    if arguments.json:
        for row in rows:
            print(msgspec.json.encode(row).decode())
    else:
        head = ("WHEN", "WHAT", "HOST", "SERVER", "TOOL", "OUTCOME", "MS", "NOTE")
        table(head, [_history_row(row) for row in rows])
    return 0


_HIDDEN = ("mode", "thought")


def _history_row(row: JournalRow) -> Sequence[str]:
    when = datetime.fromtimestamp(row.at).strftime("%Y-%m-%d %H:%M:%S")
    took = f"{row.ms:.0f}" if row.ms else ""
    note = one_line(" · ".join(_note(key, value) for key, value in row.detail.items() if key not in _HIDDEN))
    note = note if len(note) <= _NOTE else f"{note[: _NOTE - 1]}…"
    return when, row.kind, row.host, row.server, row.tool, row.outcome, took, note


def _note(key: str, value: object) -> str:
    """Format one detail: questions and sent values as text, anything else as it is."""
    if key == "sent" and isinstance(value, dict):
        return ", ".join(f"{name}: {sent}" for name, sent in value.items())
    if key == "questions" and isinstance(value, list):
        return "; ".join(_asked(one) for one in value)
    return str(value)


def _asked(question: Mapping[str, object]) -> str:
    """Format a question of a call: message, outcome, sent values."""
    about = question.get("message") or question.get("page") or question.get("mode", "question")
    sent = _note("sent", question["sent"]) if question.get("sent") else ""
    text = f"“{about}” {question.get('outcome', '')}".rstrip()
    return f"{text} ({sent})" if sent else text
