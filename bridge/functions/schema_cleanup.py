"""Clean the JSON schemas of servers for use in an OpenAPI document. Pure; nothing is ever fetched.

Keywords that are invalid in JSON Schema 2020-12 are removed, and references that leave the schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from bridge.functions.arguments import ref_target

_MAX_DEPTH = 48
_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_NODES = frozenset({"not", "if", "then", "else", "contains", "propertyNames"})
_NODES |= {"items", "additionalItems", "unevaluatedItems"}
_NODES |= {"additionalProperties", "unevaluatedProperties"}
_COUNTED = ("Length", "Items", "Properties", "Contains")  # minLength, maxLength …
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_TYPES = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})
_DROPPED = frozenset({"$schema", "$id", "id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary"})


def clean_schema(schema: object) -> dict[str, Any]:
    """Return the valid part of a schema; {} if it is not an object."""
    whole = _node(schema, 0)
    return _remove_dead_refs(whole) if isinstance(whole, dict) else {}


def _node(node: object, depth: int) -> Any:
    if isinstance(node, bool):
        return node
    if not isinstance(node, dict) or depth > _MAX_DEPTH:
        return {}
    result = {}
    for key, value in node.items():
        if key == "items" and isinstance(value, list):
            key = "prefixItems"  # the name since 2020-12
        clean = _member(key, value, depth)
        if clean is not None:
            result[key] = clean[0]
    return result


def _member(key: str, value: Any, depth: int) -> tuple[Any] | None:
    """Return the cleaned value in a tuple; None to remove the keyword."""
    if key in _DROPPED:
        return None
    if key in _MAPS:
        fits = isinstance(value, dict)
        return ({name: _node(one, depth + 1) for name, one in value.items()},) if fits else None
    if key in _NODES:
        return (_node(value, depth + 1),) if isinstance(value, dict | bool) else None
    if key in _LISTS:
        return ([_node(one, depth + 1) for one in value],) if isinstance(value, list) and value else None
    rule = _RULES.get(key)
    return (value,) if rule is None or rule(value) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_type(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and len(set(map(str, value))) == len(value) and all(map(_is_type, value))
    return isinstance(value, str) and value in _TYPES


def _is_pattern(value: object) -> bool:
    try:
        re.compile(value if isinstance(value, str) else "(")
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value)) and len(set(value)) == len(value)


_RULES: Mapping[str, Callable[[object], bool]] = {
    "type": _is_type,
    "required": _are_names,
    "enum": lambda value: isinstance(value, list) and bool(value),
    "pattern": _is_pattern,
    "multipleOf": lambda value: _is_number(value) and value > 0,  # type: ignore[operator]
    **dict.fromkeys(("title", "description", "format", "$comment", "$ref"), _is_text),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    **dict.fromkeys((f"{bound}{of}" for bound in ("min", "max") for of in _COUNTED), _is_count),
    **dict.fromkeys(
        ("uniqueItems", "deprecated", "readOnly", "writeOnly"), lambda value: isinstance(value, bool)
    ),
    "examples": lambda value: isinstance(value, list),
    **dict.fromkeys(("discriminator", "xml", "externalDocs", "dependentRequired"), lambda value: False),
}


def _walk(node: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Apply `change` to every schema inside a cleaned one, but not to data (enum, default, examples)."""
    if not isinstance(node, dict):
        return node
    walked: dict[str, Any] = {}
    for key, value in node.items():
        if key in _MAPS:
            walked[key] = {name: _walk(one, change) for name, one in value.items()}
        elif key in _NODES:
            walked[key] = _walk(value, change)
        elif key in _LISTS:
            walked[key] = [_walk(one, change) for one in value]
        else:
            walked[key] = value
    return change(walked)


def _remove_dead_refs(root: dict[str, Any]) -> Any:
    """Remove references that leave the schema or have no target."""

    def change(node: dict[str, Any]) -> dict[str, Any]:
        ref = node.get("$ref")
        if ref is None or ((ref + "/").startswith("#/") and isinstance(ref_target(ref, root), dict | bool)):
            return node
        return {key: value for key, value in node.items() if key != "$ref"}

    return _walk(root, change)


def move_schema(schema: Any, pointer: str) -> Any:
    """Return a schema whose references are valid at `pointer` of a document."""

    def change(node: dict[str, Any]) -> dict[str, Any]:
        return {**node, "$ref": pointer + node["$ref"][1:]} if "$ref" in node else node

    return _walk(schema, change)
