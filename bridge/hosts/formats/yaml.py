"""Parse and edit YAML by replacing text at the positions ruamel reports.

ruamel's own writer keeps comments, but indents, quotes and folds the whole file anew.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from bridge.hosts.formats.edits import Drop, Path, Put, TextPosition, UnreadableText, nested

NAMED = "name"  # key of the name of a listed entry
_PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9_./-]*")
_WORDS = {"yes", "no", "on", "off", "true", "false", "null", "y", "n"}


def load(text: str) -> Any:
    try:
        return YAML(typ="safe", pure=True).load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = TextPosition(mark.line + 1, mark.column + 1) if mark else TextPosition(1, 1)
        raise UnreadableText(str(error.problem or error.context), place) from error
    except YAMLError as error:
        raise UnreadableText(" ".join(str(error).split()), TextPosition(1, 1)) from error


def span(text: str, path: Path) -> tuple[int, int] | None:
    node = _root(text)
    for key in path:
        found = _child(node, key)
        node = found[1] if found else None
    return (node.start_mark.index, _end(node)) if node is not None else None


def edit(text: str, change: Put | Drop, newline: str) -> str:
    root = _root(text)
    if isinstance(change, Drop):
        return _drop(text, root, change.path)
    node, path = root, list(change.path)
    while path and (found := _child(node, path[0])) is not None:
        node, path = found[1], path[1:]
    value = change.value
    if not path and node is not None:
        return _replace(text, node, change, newline)
    if isinstance(node, SequenceNode):
        return _add(text, node, value, newline, None)
    value = nested(path[1:], value)
    return _add(text, node, value, newline, path[0], _parent_column(root, change.path[: -len(path)]))


def _add(text: str, node: Node | None, value: Any, newline: str, key: str | None, column: int = -2) -> str:
    """Add an entry at the end of a mapping (with `key`) or of a list (without)."""
    if node is not None and _is_flow(node):
        return _add_in_line(text, node, value, key)
    empty = node is None or isinstance(node, ScalarNode)
    indent = " " * (column + 2 if node is None or empty else _column(node))
    rows = _block({key: value} if key is not None else [value], indent)
    at = _line_after(text, _end(node) if node is not None else len(text))
    return _with_lines(text, at, rows, newline)


def _add_in_line(text: str, node: Node, value: Any, key: str | None) -> str:
    """Add an entry to a mapping or list in braces."""
    end = node.end_mark.index - 1
    item = f"{_scalar(key, plain=False)}: {_flow(value)}" if key is not None else _flow(value)
    body = text[:end].rstrip()
    comma = "" if not node.value or body.endswith(",") else ", "
    return body + comma + item + text[end:]


def _replace(text: str, node: Node, change: Put, newline: str) -> str:
    start, end, value = node.start_mark.index, _end(node), change.value
    if isinstance(value, dict):
        return edit(_drop(text, _root(text), change.path), change, newline)
    if isinstance(value, list) and isinstance(node, SequenceNode) and not _is_flow(node) and value:
        rows = _block(value, " " * node.start_mark.column)
        return text[:start] + newline.join(rows).lstrip(" ") + text[end:]
    new = _flow(value) if isinstance(value, list) else _scalar(value)
    space = " " if start == end else ""
    return text[:start] + space + new + text[end:]


def _drop(text: str, root: Node | None, path: Path) -> str:
    node: Node | None = root
    outer: Node | None = None
    for key in path[:-1]:
        found = _child(node, key)
        outer, node = (node, found[1]) if found else (node, None)
    found = _child(node, path[-1])
    if node is None or found is None:
        return text
    if _is_flow(node):
        return _drop_in_line(text, node, found)
    if len(node.value) == 1:
        empty = "{}" if isinstance(node, MappingNode) else "[]"
        start = node.start_mark.index
        before = text[:start].rstrip() if outer is not None else text[:start]
        return f"{before}{' ' if outer is not None else ''}{empty}{text[_end(node) :]}"
    start = text.rfind("\n", 0, found[0].start_mark.index) + 1
    return text[:start] + text[_line_after(text, _end(found[1])) :]


def _drop_in_line(text: str, node: Node, found: tuple[Node, Node]) -> str:
    start, end = found[0].start_mark.index, found[1].end_mark.index
    after = re.compile(r"\s*,\s*").match(text, end)
    if after:
        return text[:start] + text[after.end() :]
    before = re.search(r"\s*,\s*$", text[:start])
    return text[: before.start() if before else start] + text[end:]


# --- places ----------------------------------------------------------------------------------------------


def _root(text: str) -> Node | None:
    root: Node | None = YAML(typ="safe", pure=True).compose(text)
    return root


def _child(node: Node | None, key: str) -> tuple[Node, Node] | None:
    """Return the nodes of a key and its value; of a list, the item with this name, twice."""
    if isinstance(node, MappingNode):
        return next((pair for pair in node.value if pair[0].value == key), None)
    if isinstance(node, SequenceNode):
        for item in node.value:
            name = _child(item, NAMED) if isinstance(item, MappingNode) else None
            if name is not None and name[1].value == key:
                return item, item
    return None


def _end(node: Node) -> int:
    """Return the offset after the last character. ruamel's own mark includes comments after a block."""
    while not _is_flow(node) and not isinstance(node, ScalarNode) and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    if isinstance(node, ScalarNode) and not node.value and node.style is None:
        return int(node.start_mark.index)  # an empty value
    return int(node.end_mark.index)


def _is_flow(node: Node) -> bool:
    return bool(getattr(node, "flow_style", False))


def _column(node: Node) -> int:
    return int(node.start_mark.column)


def _parent_column(root: Node | None, path: Path) -> int:
    """Return the column of the last key of the path; -2 for the document itself."""
    node, column = root, -2
    for key in path:
        if (found := _child(node, key)) is not None:
            column, node = _column(found[0]), found[1]
    return column


def _line_after(text: str, end: int) -> int:
    """Return the offset of the next line."""
    if end and text[end - 1] == "\n":
        return end
    newline = text.find("\n", end)
    return newline + 1 if newline >= 0 else len(text)


def _with_lines(text: str, at: int, rows: list[str], newline: str) -> str:
    if at and text[at - 1] != "\n":
        return text[:at] + newline + newline.join(rows) + text[at:]
    return text[:at] + newline.join(rows) + newline + text[at:]


# --- writing ---------------------------------------------------------------------------------------------


def _block(value: Any, indent: str) -> list[str]:
    rows: list[str] = []
    if isinstance(value, dict):
        for key, inner in value.items():
            rows += _pair(f"{indent}{_scalar(key)}:", inner, indent + "  ")
        return rows
    for inner in value:
        inside = _block(inner, indent + "  ") if isinstance(inner, dict) and inner else [_plain(inner)]
        rows += [f"{indent}- {inside[0].lstrip(' ')}", *inside[1:]]
    return rows


def _pair(start: str, value: Any, indent: str) -> list[str]:
    if isinstance(value, dict | list) and value:
        return [start, *_block(value, indent)]
    return [f"{start} {_plain(value)}"]


def _plain(value: Any) -> str:
    return _flow(value) if isinstance(value, dict | list) else _scalar(value)


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(k, plain=False)}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value, plain=False)


def _scalar(value: Any, plain: bool = True) -> str:
    if not isinstance(value, str):
        return json.dumps(value)
    if plain and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return '"' + "".join(_letter(letter) for letter in value) + '"'


def _letter(letter: str) -> str:
    if ord(letter) >= 0x10000 and not letter.isprintable():
        return f"\\U{ord(letter):08x}"  # JSON would write two surrogates
    return json.dumps(letter, ensure_ascii=not letter.isprintable())[1:-1]
