"""Changes of an application's file, whatever its format, and their effect on parsed data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Path = tuple[str, ...]  # keys from the top; where entries are a list, an entry's key is its name


@dataclass(frozen=True, slots=True)
class Put:
    """Set the value at this path; missing tables on the way are created."""

    path: Path
    value: Any


@dataclass(frozen=True, slots=True)
class Drop:
    """Remove the value at this path."""

    path: Path


Change = Put | Drop


class TextPosition(NamedTuple):
    """Line and column, counted from 1."""

    line: int
    column: int

    @classmethod
    def of(cls, text: str, at: int) -> TextPosition:
        return cls(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


class UnreadableText(ValueError):
    """A syntax error, with its position."""

    def __init__(self, words: str, place: TextPosition) -> None:
        super().__init__(f"line {place.line}, column {place.column}: {words}")
        self.words = words
        self.place = place


class NoTable(ValueError):
    """A value that is not a table stands where the table of servers should be."""


def nested(keys: Sequence[str], value: Any) -> Any:
    """Return the value inside a table for each key."""
    for key in reversed(keys):
        value = {key: value}
    return value


def applied(data: Any, changes: Sequence[Change], named: str) -> Any:
    """Return the data after the changes. `named`: the key that holds the name of a listed entry."""
    for change in changes:
        data = _after(data, change, change.path, named)
    return data


def without_empty(data: Any, changes: Sequence[Change], named: str) -> Any:
    """Return the data without tables that a Drop emptied: some formats keep these, others do not."""
    for change in changes:
        if isinstance(change, Drop):
            data = _pruned(data, change.path[:-1], named)
    return data


def _pruned(node: Any, path: Path, named: str) -> Any:
    if isinstance(node, list) and path:
        place = index_of(node, path[0], named)
        return [_pruned(e, path[1:], named) if n == place else e for n, e in enumerate(node)]
    if not path or not isinstance(node, dict) or path[0] not in node:
        return node
    inner = _pruned(node[path[0]], path[1:], named)
    others = {key: value for key, value in node.items() if key != path[0]}
    return {**node, path[0]: inner} if inner else others


def _after(node: Any, change: Change, path: Path, named: str) -> Any:
    if not path:
        return change.value if isinstance(change, Put) else None
    if isinstance(node, list):
        return _in_list(node, change, path, named)
    if node is not None and not isinstance(node, dict):
        raise NoTable(path[0])
    table = dict(node or {})
    if isinstance(change, Drop) and (len(path) == 1 or path[0] not in table):
        table.pop(path[0], None)
    else:
        table[path[0]] = _after(table.get(path[0]), change, path[1:], named)
    return table


def _in_list(entries: list[Any], change: Change, path: Path, named: str) -> list[Any]:
    place = index_of(entries, path[0], named)
    if isinstance(change, Drop) and len(path) == 1:
        return [entry for n, entry in enumerate(entries) if n != place]
    if place is None:
        return entries if isinstance(change, Drop) else [*entries, _after({}, change, path[1:], named)]
    return [_after(e, change, path[1:], named) if n == place else e for n, e in enumerate(entries)]


def index_of(entries: Sequence[Any], name: str, named: str) -> int | None:
    """Return the index of the first entry with this name."""
    for place, entry in enumerate(entries):
        if isinstance(entry, dict) and entry.get(named) == name:
            return place
    return None
