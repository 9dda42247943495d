"""Clean the JSON schemas of servers for use in an OpenAPI document. Pure; nothing is ever fetched.

Keywords that are invalid in JSON Schema 2020-12 are removed, and references that leave the schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from bridge.tools.arguments import ref_target

_MAX_DEPTH = 48
_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_NODES = frozenset({"not", "if", "then", "else", "contains", "propertyNames"})
_NODES |= {"items", "additionalItems", "unevaluatedItems"}
_NODES |= {"additionalProperties", "unevaluatedProperties"}
_COUNTED = ("Length", "Items", "Properties", "Contains")  # minLength, maxLength …
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_TYPES = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})
_DROPPED = frozenset({"$schema", "$id", "id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary"})
_DROPPED |= {"discriminator", "xml", "externalDocs", "dependentRequired"}


def clean_schema(schema: object) -> dict[str, Any]:
    """Return the valid part of a schema; {} if it is not an object."""
    whole = _node(schema, 0)
    return _remove_dead_refs(whole) if isinstance(whole, dict) else {}


def _node(node: object, depth: int) -> Any:
    if isinstance(node, bool):
        return node
    if not isinstance(node, dict) or depth > _MAX_DEPTH:
        return {}
    # `prefixItems`: the name since 2020-12
    renamed = {"prefixItems" if k == "items" and isinstance(v, list) else k: v for k, v in node.items()}
    valid = {key: value for key, value in renamed.items() if key not in _RULES or _RULES[key](value)}
    return _change_parts(valid, lambda part: _node(part, depth + 1))


def _change_parts(node: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    """Apply `change` to each schema directly inside a valid one, not to data (enum, default, examples)."""
    changed = dict(node)
    for key, value in node.items():
        if key in _MAPS:
            changed[key] = {name: change(part) for name, part in value.items()}
        elif key in _NODES:
            changed[key] = change(value)
        elif key in _LISTS:
            changed[key] = [change(part) for part in value]
    return changed


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
    **dict.fromkeys(_MAPS, lambda value: isinstance(value, dict)),
    **dict.fromkeys(_NODES, lambda value: isinstance(value, dict | bool)),
    **dict.fromkeys(_LISTS, lambda value: isinstance(value, list) and bool(value)),
    **dict.fromkeys(_DROPPED, lambda value: False),
}


def _walk(node: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Apply `change` to a valid schema and to every one inside it."""
    return change(_change_parts(node, lambda part: _walk(part, change))) if isinstance(node, dict) else node


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
