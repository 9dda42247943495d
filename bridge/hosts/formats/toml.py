"""Parse and edit TOML: by lines where a change is a whole [table], by tomlkit inside other tables.

Servers are tables of a table, or a list of tables with names: [[key]].
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

import tomlkit
import tomlkit.items

from bridge.hosts.formats.edits import Drop, Path, Put, TextPosition, UnreadableText, index_of, nested
from bridge.settings.parser import key_positions

NAMED = "name"  # key of the name of a listed entry
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")


def load(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.search(str(error))
        place = TextPosition(int(found[1]), int(found[2])) if found else TextPosition.of(text, len(text))
        words = _PLACE.sub("", str(error)).removesuffix(" (at end of document)")
        raise UnreadableText(words, place) from error


def span(text: str, path: Path) -> tuple[int, int] | None:
    """Return start and end of the [table] with this path, up to its last value."""
    lines = _split(text)
    own = _lines(text, path)
    if own is None:
        return None
    first, last = own
    start = sum(map(len, lines[:first]))
    return start, start + sum(map(len, lines[first:last]))


def edit(text: str, change: Put | Drop, newline: str) -> str:
    if isinstance(change, Drop):
        return _drop(text, change.path)
    document = tomlkit.parse(text)
    listed = document.get(change.path[0])
    if isinstance(listed, tomlkit.items.Array) and len(change.path) == 2:
        listed.append(_item(change.value))
        return tomlkit.dumps(document)
    outer, known = _known(document, change.path)
    if isinstance(outer, list) and not known:
        return _append(text, change, newline)
    if not known and not isinstance(outer, tomlkit.items.InlineTable):
        if isinstance(change.value, dict) and not isinstance(listed, list):
            return _append(text, change, newline)
        row = "" if isinstance(listed, list) else _row_added(text, change, newline)
        if row:
            return row
    node: Any = document
    for key in change.path[:-1]:
        place = index_of(node, key, NAMED) if isinstance(node, list) else None
        node = node.setdefault(key, tomlkit.inline_table()) if place is None else node[place]
    node[change.path[-1]] = _item(change.value)
    return tomlkit.dumps(document)


def _row_added(text: str, change: Put, newline: str) -> str:
    """Add a line below the last value of the innermost [table] of the path; "" if none has a header."""
    headers = {place.path for place in key_positions(text) if place.header}
    depth = next((n for n in range(len(change.path) - 1, 0, -1) if change.path[:n] in headers), 0)
    own = _lines(text, change.path[:depth], inner=False) if depth else None
    if own is None:
        return ""
    value = nested(change.path[depth + 1 :], change.value)
    lines = _split(text)
    row = f"{_dotted((change.path[depth],))} = {_item(value).as_string()}"
    at = own[1]
    if not lines[at - 1].endswith("\n"):
        return f"{text}{newline}{row}"
    return "".join([*lines[:at], row + newline, *lines[at:]])


def _known(document: Any, path: Path) -> tuple[Any, bool]:
    """Return the innermost existing table of the path, and whether the whole path exists."""
    node = document
    for key in path:
        inner = None
        if isinstance(node, list):
            inner = next((one for one in node if isinstance(one, dict) and one.get(NAMED) == key), None)
        elif isinstance(node, dict):
            inner = node.get(key)
        if inner is None:
            return node, False
        node = inner
    return node, True


def _append(text: str, change: Put, newline: str) -> str:
    """Add a [table] at the end, so that no other line moves."""
    listed = change.value.get(NAMED) == change.path[-1]
    rows = [f"[[{_dotted(change.path[:-1])}]]" if listed else f"[{_dotted(change.path)}]"]
    rows += [f"{_dotted((key,))} = {_item(value).as_string()}" for key, value in change.value.items()]
    block = newline.join(rows)
    if not text.strip():
        return f"{text}{block}{newline}"
    ended = text.endswith("\n")
    return f"{text}{newline if ended else newline * 2}{block}{newline if ended else ''}"


def _drop(text: str, path: Path) -> str:
    own = _lines(text, path)
    if own is None:
        document = tomlkit.parse(text)
        if _known(document, path)[1]:
            outer = _known(document, path[:-1])[0]
            outer.pop(index_of(outer, path[-1], NAMED) if isinstance(outer, list) else path[-1])
        return tomlkit.dumps(document)
    lines = _split(text)
    first, last = own
    if first and not lines[first - 1].strip():
        first -= 1
    left = "".join(lines[:first] + lines[last:])
    return left if text.endswith("\n") or last < len(lines) else left.rstrip("\r\n")


def _lines(text: str, path: Path, inner: bool = True) -> tuple[int, int] | None:
    """Return first and last line of [path] and its subtables, without comments after the last value."""
    headers = [place for place in key_positions(text) if place.header]
    ours = _listed(text, path, [place.path for place in headers])
    if not ours:
        ours = [n for n, place in enumerate(headers) if place.path[: len(path) if inner else None] == path]
        if not ours or headers[ours[0]].path != path or ours != list(range(ours[0], ours[-1] + 1)):
            return None
    lines = text.split("\n")
    first = headers[ours[0]].line - 1
    last = headers[ours[-1] + 1].line - 1 if ours[-1] + 1 < len(headers) else len(lines)
    while last > first and (not lines[last - 1].strip() or lines[last - 1].lstrip().startswith("#")):
        last -= 1
    return first, last


def _listed(text: str, path: Path, headers: list[Path]) -> list[int]:
    """Return which headers belong to the entry of a list of tables, by its name."""
    entries = load(text).get(path[0]) if len(path) == 2 else None
    if not isinstance(entries, list):
        return []
    place = index_of(entries, path[1], NAMED)
    begins = [n for n, header in enumerate(headers) if header == path[:1]]
    if place is None or len(begins) != len(entries):
        return []  # an array in one line
    last = begins[place]
    while last + 1 < len(headers) and len(headers[last + 1]) > 1 and headers[last + 1][0] == path[0]:
        last += 1
    return list(range(begins[place], last + 1))


def _split(text: str) -> list[str]:
    return [f"{line}\n" for line in text.split("\n")[:-1]] + [text.rpartition("\n")[2]]


def _dotted(path: Path) -> str:
    return ".".join(part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else _text(part) for part in path)


def _item(value: Any) -> tomlkit.items.Item:
    if isinstance(value, dict):
        inline = tomlkit.inline_table()
        for key, inner in value.items():
            inline.append(tomlkit.items.SingleKey(key, tomlkit.items.KeyType.Basic), _item(inner))
        return inline
    if isinstance(value, str):
        return tomlkit.items.String.from_raw(value)
    if isinstance(value, list):
        array = tomlkit.array()
        for inner in value:
            array.append(_item(inner))
        return array
    plain: tomlkit.items.Item = tomlkit.item(value)
    return plain


def _text(value: str) -> str:
    return tomlkit.items.String.from_raw(value).as_string()
