"""What is to be changed in an application's file, whatever its format. Values only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Path = tuple[str, ...]  # keys from the top; where entries are a list, an entry's key is its name


@dataclass(frozen=True, slots=True)
class Put:
    """This value at this path, in place of what is there; tables on the way are made."""

    path: Path
    value: Any


@dataclass(frozen=True, slots=True)
class Drop:
    """Nothing at this path."""

    path: Path


Change = Put | Drop


class TextPosition(NamedTuple):
    """Where in a text; both count from 1."""

    line: int
    column: int

    @classmethod
    def of(cls, text: str, at: int) -> TextPosition:
        return cls(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


class Unreadable(ValueError):
    """A text that its format does not allow, and where."""

    def __init__(self, words: str, place: TextPosition) -> None:
        super().__init__(f"line {place.line}, column {place.column}: {words}")
        self.words = words
        self.place = place


class NoTable(ValueError):
    """Something stands where a table of servers is expected."""


def applied(document: Any, changes: Sequence[Change], named: str) -> Any:
    """What the document must say after the changes. `named`: the key of a listed entry's name."""
    for change in changes:
        document = _after(document, change, change.path, named)
    return document


def without_empty(document: Any, wanted: Sequence[Change], named: str) -> Any:
    """An emptied table may stay or go: formats differ. Without those from which something was taken."""
    for change in wanted:
        if isinstance(change, Drop):
            document = _pruned(document, change.path[:-1], named)
    return document


def _pruned(node: Any, path: Path, named: str) -> Any:
    if isinstance(node, list) and path:
        place = place_in(node, path[0], named)
        return [_pruned(e, path[1:], named) if n == place else e for n, e in enumerate(node)]
    if not path or not isinstance(node, dict) or path[0] not in node:
        return node
    inner = _pruned(node[path[0]], path[1:], named)
    kept = {key: value for key, value in node.items() if key != path[0]}
    return {**node, path[0]: inner} if inner else kept


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
    place = place_in(entries, path[0], named)
    if isinstance(change, Drop) and len(path) == 1:
        return [entry for n, entry in enumerate(entries) if n != place]
    if place is None:
        return entries if isinstance(change, Drop) else [*entries, _after({}, change, path[1:], named)]
    return [_after(e, change, path[1:], named) if n == place else e for n, e in enumerate(entries)]


def place_in(entries: Sequence[Any], name: str, named: str) -> int | None:
    """Of several with one name, the first."""
    for place, entry in enumerate(entries):
        if isinstance(entry, dict) and entry.get(named) == name:
            return place
    return None
