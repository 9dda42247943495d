"""Parse and edit JSON with comments and trailing commas; an edit replaces only the text of its own value."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from bridge.hosts.formats.edits import Drop, Path, Put, TextPosition, UnreadableText, nested
from bridge.i18n import say

_SPACE = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_WORD = re.compile(
    r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.])|(?:true|false|null)\b"
)
_REST_OF_LINE = re.compile(r"[ \t]*(?:/\*[^\n]*?\*/[ \t]*)*(?://[^\r\n]*)?(?=\r?\n|\Z)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\Z))|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*(?:"|\Z))|,(?=\s*[}\]])', re.DOTALL)
_DEEPEST = 200


@dataclass(slots=True)
class Node:
    """A value and its position. `members`: key ("" in an array), offset and value of each."""

    kind: str  # object, array or scalar
    start: int
    end: int = 0
    members: list[tuple[str, int, Node]] = field(default_factory=list)
    value: Any = None
    comma: bool = False  # has a trailing comma

    def plain(self) -> Any:
        if self.kind == "object":
            return {key: node.plain() for key, _, node in self.members}
        return [node.plain() for _, _, node in self.members] if self.kind == "array" else self.value

    def member(self, key: str) -> Node | None:
        """Return the value of a key; of duplicates the last, as JSON parsers do."""
        return next((node for name, _, node in reversed(self.members) if name == key), None)


def load(text: str) -> Any:
    root = _Parser(text).document()
    return root.plain() if root is not None else {}


def load_by_json(text: str) -> Any:
    """Parse with the standard library, after removing comments and trailing commas."""

    def replaced(found: re.Match[str]) -> str:
        return found[1] or " "

    return json.loads(_TRAILING_COMMA.sub(replaced, _COMMENT.sub(replaced, text)).strip() or "{}")


def span(text: str, path: Path) -> tuple[int, int] | None:
    """Return start and end of the value at `path`."""
    root = _Parser(text).document()
    if root is None:
        return None
    node, missing = _walk(root, path)
    return None if missing else (node.start, node.end)


def edit(text: str, change: Put | Drop, newline: str) -> str:
    """Return the text with one change; keys missing on the path of a Put are added."""
    root = _Parser(text).document()
    if root is None:  # only white space and comments
        lead = text.rstrip() + newline if text.strip() else ""
        return edit(f"{lead}{{}}{newline}", change, newline)
    return _drop(text, root, change.path) if isinstance(change, Drop) else _put(text, root, change, newline)


def _walk(node: Node, path: Path) -> tuple[Node, Path]:
    """Return the innermost existing value of the path, and the keys that are missing."""
    while path and node.kind == "object" and (below := node.member(path[0])) is not None:
        node, path = below, path[1:]
    return node, path


def _put(text: str, root: Node, change: Put, newline: str) -> str:
    node, path = _walk(root, change.path)
    if not path:
        new = _replacement(text, node, change.value, _unit(text, root), newline)
        return text[: node.start] + new + text[node.end :]
    if node.kind != "object":
        inner = Put(change.path[: -len(path)], nested(path, change.value))
        return _put(text, root, inner, newline)
    value = nested(path[1:], change.value)
    return _insert(text, node, path[0], value, _unit(text, root), newline)


def _replacement(text: str, node: Node, value: Any, unit: str, newline: str) -> str:
    """Return the value as text: on one line if the old value is, else on several."""
    long = "\n" in text[node.start : node.end]
    indent = _indent_at(text, node.start)
    if isinstance(value, list) and value and node.kind == "array" and long:
        inner = _indent_at(text, node.members[0][1]) if node.members else indent + unit
        rows = f",{newline}".join(inner + _in_line(item) for item in value)
        return f"[{newline}{rows}{newline}{indent}]"
    if node.kind != "scalar" and not long:
        return _in_line(value)
    return _written(value, indent, unit, newline)


def _insert(text: str, node: Node, key: str, value: Any, unit: str, newline: str) -> str:
    """Add a member after the last one, in the style of its neighbours."""
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
        comments = inside.rstrip()
        return f"{text[: node.start + 1]}{comments}{member}{newline}{outer}{text[node.end - 1 :]}"
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
    """Remove a member, its comma and the lines that become empty."""
    node, missing = _walk(root, path[:-1])
    place = next((n for n in reversed(range(len(node.members))) if node.members[n][0] == path[-1]), None)
    if missing or place is None:
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
    """Return JSON whose inner lines are indented from `indent`; lists stay on one line."""
    if isinstance(value, dict) and value:
        inner = indent + unit
        members = [
            f"{inner}{_in_line(key)}: {_written(item, inner, unit, newline)}" for key, item in value.items()
        ]
        return "{" + newline + f",{newline}".join(members) + newline + indent + "}"
    return _in_line(value)


def _in_line(value: Any) -> str:
    """Return JSON on one line; a lone surrogate, which UTF-8 cannot encode, stays escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return text if _SURROGATE.search(text) is None else json.dumps(value)


def _past_space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def _indent_at(text: str, at: int) -> str:
    """Return the indentation of the line at this offset."""
    line = text.rfind("\n", 0, at) + 1
    return re.compile(r"[ \t]*").match(text, line)[0]  # type: ignore[index]


def _unit(text: str, root: Node) -> str:
    """Return one step of the document's indentation."""
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
        """Parse the whole text; None if it has only white space and comments."""
        self._skip()
        if self._at == len(self._text):
            return None
        node = self._value(0)
        self._skip()
        if self._at < len(self._text):
            raise self._error(say("nothing may follow here"))
        return node

    def _value(self, depth: int) -> Node:
        start = self._at
        mark = self._text[start : start + 1]
        if depth > _DEEPEST:
            raise self._error(say("this is nested too deeply"))
        if mark == "{":
            return self._container(Node("object", start), "}", depth)
        if mark == "[":
            return self._container(Node("array", start), "]", depth)
        found = _STRING.match(self._text, start) if mark == '"' else _WORD.match(self._text, start)
        if found is None:
            raise self._error(say("a text is not ended") if mark == '"' else say("a value is missing"))
        self._at = found.end()
        return Node("scalar", start, self._at, value=json.loads(found[0]))

    def _container(self, node: Node, closing: str, depth: int) -> Node:
        self._next()
        while self._peek() != closing:
            at = self._at
            key = self._key() if node.kind == "object" else ""
            node.members.append((key, at, self._value(depth + 1)))
            node.comma = self._comma(closing)
        self._at += 1
        node.end = self._at
        return node

    def _key(self) -> str:
        key = _STRING.match(self._text, self._at)
        if key is None:
            raise self._error(say("a name in double quotes is missing"))
        self._at = key.end()
        self._skip()
        if self._peek() != ":":
            raise self._error(say("a colon is missing"))
        self._next()
        return str(json.loads(key[0]))

    def _comma(self, closing: str) -> bool:
        """Skip the separator after a member. True if it was a trailing comma."""
        self._skip()
        if self._peek() == ",":
            self._next()
            return self._peek() == closing
        if self._peek() != closing:
            raise self._error(say("a comma or {mark} is missing", mark=closing))
        return False

    def _next(self) -> None:
        self._at += 1
        self._skip()

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self) -> None:
        self._at = _past_space(self._text, self._at)

    def _error(self, words: str) -> UnreadableText:
        return UnreadableText(words, TextPosition.of(self._text, self._at))
