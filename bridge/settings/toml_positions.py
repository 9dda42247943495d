"""Where in a TOML text a key stands. tomllib does not say, and a person needs the line.

A scan by lines: inside a multi-line text it may take a line for a key. Good enough to point at; whoever
edits by it must read the result back.
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
    """The place of a key, or of the nearest table around it."""
    best = KeyPosition(1, 1, ())
    for place in key_positions(text):
        if len(place.path) > len(best.path) and place.path == path[: len(place.path)]:
            best = place
    return best


def key_positions(text: str) -> Iterator[KeyPosition]:
    """Every line that begins a table or a key."""
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
    """A path as TOML writes it."""
    return ".".join(key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else f'"{key}"' for key in path)


def _path_of(key: str) -> tuple[str, ...]:
    """The parts of a dotted key, which may be quoted; () if this is not a key."""
    try:
        node: Any = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    path: tuple[str, ...] = ()
    while isinstance(node, dict):
        ((part, node),) = node.items()
        path = (*path, part)
    return path
