"""JSON with comments and trailing commas, edited by cutting and splicing text: what is not ours stays.

Every value knows where it stands. No file is written here.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from bridge.hosts.formats.edits import Drop, Path, Put, TextPosition, Unreadable
from bridge.i18n import say

_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_WORD = re.compile(
    r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.])|(?:true|false|null)\b"
)
_REST_OF_LINE = re.compile(r"[ \t]*(?:/\*[^\n]*?\*/[ \t]*)*(?://[^\r\n]*)?(?=\r?\n|\Z)")
_HALF = re.compile("[\ud800-\udfff]")
_DEEPEST = 200


@dataclass(slots=True)
class Node:
    """`kind`: object, array or scalar. A member is its key, where that begins, and its value."""

    kind: str
    start: int
    end: int = 0
    members: list[tuple[str, int, Node]] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    value: Any = None
    comma: bool = False  # a trailing one

    def plain(self) -> Any:
        if self.kind == "object":
            return {key: node.plain() for key, _, node in self.members}
        return [item.plain() for item in self.items] if self.kind == "array" else self.value

    def member(self, key: str) -> Node | None:
        """The last one counts, as for every parser."""
        return next((node for name, _, node in reversed(self.members) if name == key), None)


def load(text: str) -> Any:
    root = _Parser(text).document()
    return root.plain() if root is not None else {}


def span(text: str, path: Path) -> tuple[int, int] | None:
    """Where the value at `path` stands."""
    node = _Parser(text).document()
    for key in path:
        node = node.member(str(key)) if node is not None and node.kind == "object" else None
    return (node.start, node.end) if node is not None else None


def edit(text: str, change: Put | Drop, newline: str) -> str:
    """The text with one change. The path's last key may be new; so may all before it, for a Put."""
    root = _Parser(text).document()
    if root is None:  # nothing but space and comments
        lead = text.rstrip() + newline if text.strip() else ""
        return edit(f"{lead}{{}}{newline}", change, newline)
    return _drop(text, root, change.path) if isinstance(change, Drop) else _put(text, root, change, newline)


def _put(text: str, root: Node, change: Put, newline: str) -> str:
    node, path = root, list(change.path)
    while path and node.kind == "object" and (below := node.member(path[0])) is not None:
        node, path = below, path[1:]
    if not path:
        return (
            text[: node.start]
            + _instead(text, node, change.value, _unit(text, root), newline)
            + text[node.end :]
        )
    if node.kind != "object":
        inner = Put(change.path[: -len(path)], _nested(path, change.value))
        return _put(text, root, inner, newline)
    value = _nested(path[1:], change.value)
    return _insert(text, node, path[0], value, _unit(text, root), newline)


def _instead(text: str, node: Node, value: Any, unit: str, newline: str) -> str:
    """The value, on one line or on several as what it replaces."""
    long = "\n" in text[node.start : node.end]
    indent = _indent_at(text, node.start)
    if isinstance(value, list) and value and node.kind == "array" and long:
        inner = _indent_at(text, node.items[0].start) if node.items else indent + unit
        rows = f",{newline}".join(inner + _in_line(item) for item in value)
        return f"[{newline}{rows}{newline}{indent}]"
    if node.kind != "scalar" and not long:
        return _in_line(value)
    return _written(value, indent, unit, newline)


def _nested(keys: list[str], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _insert(text: str, node: Node, key: str, value: Any, unit: str, newline: str) -> str:
    """One more member, after the last, written as its neighbours are."""
    quoted = _in_line(key)
    inside = text[node.start + 1 : node.end - 1]
    if node.members and "\n" not in inside:
        last = node.members[-1][2].end
        tail = "" if node.comma else ","
        after = _past_space(text, last) + 1 if node.comma else last
        mark = "," if node.comma else ""
        return f"{text[:after]}{tail} {quoted}: {_in_line(value)}{mark}{text[after:]}"
    outer = _indent_at(text, node.start)
    if not node.members:
        member = f"{newline}{outer}{unit}{quoted}: {_written(value, outer + unit, unit, newline)}"
        kept = inside.rstrip()
        return f"{text[: node.start + 1]}{kept}{member}{newline}{outer}{text[node.end - 1 :]}"
    _, at, last_node = node.members[-1]
    indent = _indent_at(text, at)
    member = f"{newline}{indent}{quoted}: {_written(value, indent, unit, newline)}"
    end = last_node.end
    if node.comma:
        end = _past_space(text, end) + 1
        member += ","
    rest = _REST_OF_LINE.match(text, end)
    here = rest.end() if rest else end
    comma = "" if node.comma else ","
    return text[:end] + comma + text[end:here] + member + text[here:]


def _drop(text: str, root: Node, path: Path) -> str:
    """Without this member, its comma and, if nothing else is on them, its lines."""
    node = root
    for key in path[:-1]:
        below = node.member(key)
        if below is None:
            return text
        node = below
    place = next((n for n in reversed(range(len(node.members))) if node.members[n][0] == path[-1]), None)
    if place is None:
        return text
    _, start, value = node.members[place]
    end = value.end
    after = _past_space(text, end)
    if text[after] == ",":
        text = text[:after] + text[after + 1 :]
    elif place:
        before = node.members[place - 1][2].end
        comma = _past_space(text, before)
        text = text[:comma] + text[comma + 1 :]
        start, end = start - 1, end - 1
    return _cut(text, start, end)


def _cut(text: str, start: int, end: int) -> str:
    line = text.rfind("\n", 0, start) + 1
    blank = re.compile(r"[ \t]*\r?\n").match(text, end)
    if not text[line:start].strip(" \t") and blank:
        return text[:line] + text[blank.end() :]
    if not text[line:start].strip(" \t"):
        return text[:start] + text[end:].lstrip(" \t")
    return text[:start].rstrip(" \t") + text[end:]


# --- writing ---------------------------------------------------------------------------------------------


def _written(value: Any, indent: str, unit: str, newline: str) -> str:
    """As JSON that begins at `indent`; lists of plain values stay on one line."""
    if isinstance(value, dict) and value:
        inner = indent + unit
        members = [
            f"{inner}{_in_line(key)}: {_written(item, inner, unit, newline)}" for key, item in value.items()
        ]
        return "{" + newline + f",{newline}".join(members) + newline + indent + "}"
    return _in_line(value)


def _in_line(value: Any) -> str:
    """Half a letter (a lone surrogate) is not text, but a file may have it: escaped as it came."""
    text = json.dumps(value, ensure_ascii=False)
    return text if _HALF.search(text) is None else json.dumps(value)


def _past_space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def _indent_at(text: str, at: int) -> str:
    """The white space that the line of this place begins with."""
    line = text.rfind("\n", 0, at) + 1
    return re.compile(r"[ \t]*").match(text, line)[0]  # type: ignore[index]


def _unit(text: str, root: Node) -> str:
    """One step of indentation, as the document has it."""
    for _, at, _ in root.members:
        if indent := _indent_at(text, at):
            return indent
    return "  "


# --- reading ---------------------------------------------------------------------------------------------


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def document(self) -> Node | None:
        """None: there is nothing but space and comments."""
        self._skip()
        if self._at == len(self._text):
            return None
        node = self._value(0)
        self._skip()
        if self._at < len(self._text):
            raise self._fault(say("nothing may follow here"))
        return node

    def _value(self, depth: int) -> Node:
        start = self._at
        mark = self._text[start : start + 1]
        if depth > _DEEPEST:
            raise self._fault(say("this is nested too deeply"))
        if mark == "{":
            return self._object(Node("object", start), depth)
        if mark == "[":
            return self._array(Node("array", start), depth)
        found = _STRING.match(self._text, start) if mark == '"' else _WORD.match(self._text, start)
        if found is None:
            raise self._fault(say("a text is not ended") if mark == '"' else say("a value is missing"))
        self._at = found.end()
        return Node("scalar", start, self._at, value=json.loads(found[0]))

    def _object(self, node: Node, depth: int) -> Node:
        self._next()
        while self._peek() != "}":
            key = _STRING.match(self._text, self._at)
            if key is None:
                raise self._fault(say("a name in double quotes is missing"))
            self._at = key.end()
            self._skip()
            if self._peek() != ":":
                raise self._fault(say("a colon is missing"))
            self._next()
            node.members.append((json.loads(key[0]), key.start(), self._value(depth + 1)))
            node.comma = self._comma("}")
        self._at += 1
        node.end = self._at
        return node

    def _array(self, node: Node, depth: int) -> Node:
        self._next()
        while self._peek() != "]":
            node.items.append(self._value(depth + 1))
            node.comma = self._comma("]")
        self._at += 1
        node.end = self._at
        return node

    def _comma(self, closing: str) -> bool:
        """Past what separates two members. True: a comma that nothing follows."""
        self._skip()
        if self._peek() == ",":
            self._next()
            return self._peek() == closing
        if self._peek() != closing:
            raise self._fault(say("a comma or {mark} is missing", mark=closing))
        return False

    def _next(self) -> None:
        self._at += 1
        self._skip()

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self) -> None:
        self._at = _past_space(self._text, self._at)

    def _fault(self, words: str) -> Unreadable:
        return Unreadable(words, TextPosition.of(self._text, self._at))
