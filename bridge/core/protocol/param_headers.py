"""Arguments repeated as HTTP headers: `x-mcp-header` in a tool's schema (revision 2026-07-28, SEP-2243).
Pure.

Towards an HTTP server Deskbell is the client that sends `Mcp-Param-*`, towards an HTTP host the server that
compares them with the body. The mcp SDK has the same functions, but importing it costs megabytes (pydantic).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from bridge.core.protocol.jsonrpc import edit, elements, members

MARK = "x-mcp-header"
PREFIX = "mcp-param-"
Path = tuple[str, ...]
ParamHeaders = dict[Path, str]  # path of an argument → name of its header

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+").fullmatch  # RFC 9110 §5.6.2
_TYPES = ("string", "integer", "boolean")
_SAFE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?").fullmatch
_WRAPPED = re.compile(r"=\?base64\?(.*)\?=", re.DOTALL).fullmatch
_ONE = ("items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else",
        "unevaluatedItems", "unevaluatedProperties", "contentSchema")  # fmt: skip
_MANY = ("allOf", "anyOf", "oneOf", "prefixItems")
_NAMED = ("patternProperties", "dependentSchemas", "$defs", "definitions")


class UnusableSchema(ValueError):
    """The schema's x-mcp-header is invalid; the text says why."""


def read_schema(schema: object) -> ParamHeaders:
    """Return the headers a schema asks for. Raises UnusableSchema: a client must not use such a tool."""
    found: ParamHeaders = {}
    for path, node in _nodes(schema):
        if MARK in node:
            name = _name(path, node)
            if name.lower() in (other.lower() for other in found.values()):
                raise UnusableSchema(f"two arguments want the header {name}")
            found[path or ()] = name
    return found


def _name(path: Path | None, node: dict[str, Any]) -> str:
    name = node[MARK]
    if not path or not isinstance(name, str) or not _TOKEN(name):
        raise UnusableSchema(f"{name!r} cannot be a header there")
    if node.get("type") not in _TYPES:
        raise UnusableSchema(f"{'.'.join(path)} is neither text, whole number nor boolean")
    return name


def _nodes(schema: object) -> Iterator[tuple[Path | None, dict[str, Any]]]:
    """Yield every subschema, with its path if only `properties` lead to it."""
    todo: list[tuple[Path | None, object]] = [((), schema)]
    while todo:
        path, node = todo.pop()
        if not isinstance(node, dict):
            continue
        yield path, node
        todo += [(None if path is None else (*path, k), v) for k, v in _map(node.get("properties"))]
        todo += [(None, node.get(key)) for key in _ONE]
        todo += [(None, each) for key in _MANY for each in _list(node.get(key))]
        todo += [(None, each) for key in _NAMED for _, each in _map(node.get(key))]


def _map(value: object) -> list[tuple[str, object]]:
    return list(value.items()) if isinstance(value, dict) else []


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def headers(wanted: ParamHeaders, arguments: Mapping[str, object]) -> dict[str, str]:
    """Return the headers for these arguments, names in lower case; none for an absent or null argument."""
    found = {PREFIX + name.lower(): _text(_at(arguments, path)) for path, name in wanted.items()}
    return {name: text for name, text in found.items() if text is not None}


def _at(value: object, path: Path) -> object:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else None


def encoded(text: str) -> str:
    """Return `text` as a header value, in base64 as the revision prescribes if need be."""
    if not text or (_SAFE(text) and not _WRAPPED(text)):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def decoded(value: str) -> str | None:
    """Return the text of a header value; None if its base64 is not canonical."""
    wrapped = _WRAPPED(value)
    if wrapped is None:
        return value
    try:
        text = base64.b64decode(wrapped[1], validate=True)
        return text.decode() if base64.b64encode(text) == wrapped[1].encode() else None
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None


def read_tools_list(listed: bytes, known: dict[str, ParamHeaders]) -> bytes:
    """Record the headers of each tool in `known`; return the tools/list result without unusable tools."""
    tools = elements(members(listed).get("tools", b"[]"))
    usable = []
    for tool in tools:
        found = members(tool)
        name = msgspec.json.decode(found.get("name", b'""'), type=str)
        known.pop(name, None)
        try:
            if wanted := read_schema(msgspec.json.decode(found.get("inputSchema", b"{}"))):
                known[name] = wanted
        except UnusableSchema:
            continue
        usable.append(tool)
    return listed if len(usable) == len(tools) else edit(listed, {"tools": b"[" + b",".join(usable) + b"]"})
