"""Find the line and column of a key in TOML text, which tomllib does not report.

A scan by lines: it may take a line of a multi-line string for a key. Callers that edit by it must parse the
result and compare.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

_HEADER = re.compile(r"(\s*\[+)\s*(.*?)\s*\]+\s*(?:#.*)?")
_KEY = re.compile(r"""(\s*)((?:[^\s="'#\[\]{},]|"(?:[^"\\]|\\.)*"|'[^']*'|[ \t])+?)\s*=""")


class KeyPosition(NamedTuple):
    """Line and column count from 1; `header` for a [table]'s own line."""

    line: int
    column: int
    path: tuple[str, ...]
    header: bool = False


def find_key(text: str, path: tuple[str, ...]) -> KeyPosition:
    """Return the position of a key, or of the nearest table around it."""
    best = KeyPosition(1, 1, ())
    for place in key_positions(text):
        if len(place.path) > len(best.path) and place.path == path[: len(place.path)]:
            best = place
    return best


def key_positions(text: str) -> Iterator[KeyPosition]:
    """Yield the position of every table and key."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        header = _HEADER.fullmatch(line)
        found = header or _KEY.match(line)
        path = _path_of(found[2]) if found else ()
        if found and path:
            table = path if header else table
            yield KeyPosition(
                number, found.start(2) + 1, path if header else table + path, header is not None
            )


def dotted(path: tuple[str, ...]) -> str:
    """Return a path in TOML's dotted notation."""
    return ".".join(key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else f'"{key}"' for key in path)


def _path_of(key: str) -> tuple[str, ...]:
    """Return the parts of a dotted key; () if it is not a valid key."""
    try:
        node: Any = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    path: tuple[str, ...] = ()
    while isinstance(node, dict):
        ((part, node),) = node.items()
        path = (*path, part)
    return path
