"""JSON Schema for structured output: as each provider wants it, and the check of what came back. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from bridge.core.forms.full_validation import problem_of

Schema = Mapping[str, Any]
_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
)
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(.*)\n\s*```\s*\Z", re.DOTALL | re.IGNORECASE)
_BRANCHES = ("anyOf", "oneOf", "allOf")
_DEFINITIONS = ("$defs", "definitions")
_DEEPEST = 64


class NotJson(ValueError):
    """The model did not write JSON: it ignored the schema."""


# ---- for OpenAI ---------------------------------------------------------------------------------------


def strict(schema: Schema) -> dict[str, Any] | None:
    """Return the schema in OpenAI's strict subset; None if it cannot be expressed there.

    Every object is closed and requires all its properties; optional ones may be null instead.
    """
    try:
        return _strict(schema, schema, 0) if schema.get("type") == "object" else None
    except _NotStrict:
        return None


class _NotStrict(Exception):
    """An object of free keys, a deep recursion or a reference to elsewhere."""


def _strict(node: Any, root: Schema, depth: int) -> dict[str, Any]:
    if not isinstance(node, Mapping) or depth > _DEEPEST:
        raise _NotStrict
    if "$ref" in node and len(node) > 1:
        found = resolve(root, node["$ref"])
        node = {**found, **{key: value for key, value in node.items() if key != "$ref"}}
        return _strict(node, root, depth + 1)
    made = {key: value for key, value in node.items() if key not in ("default", "$schema", "$id")}
    if "oneOf" in made:
        made["anyOf"] = made.pop("oneOf")
    for name in ("anyOf", "allOf"):
        if name in made:
            made[name] = [_strict(one, root, depth + 1) for one in made[name]]
    if "items" in made:
        made["items"] = _strict(made["items"], root, depth + 1)
    for name in _DEFINITIONS:
        if name in made:
            made[name] = {key: _strict(one, root, depth + 1) for key, one in made[name].items()}
    return _closed(made, root, depth) if "object" in _types(made) else made


def _closed(made: dict[str, Any], root: Schema, depth: int) -> dict[str, Any]:
    properties = made.get("properties")
    if not properties or made.get("additionalProperties") not in (None, False) or "patternProperties" in made:
        raise _NotStrict
    required = made.get("required", ())
    made["properties"] = {
        name: _strict(one, root, depth + 1) if name in required else _nullable(_strict(one, root, depth + 1))
        for name, one in properties.items()
    }
    return {**made, "required": list(properties), "additionalProperties": False}


def _nullable(node: dict[str, Any]) -> dict[str, Any]:
    return node if "null" in _types(node) else {"anyOf": [node, {"type": "null"}]}


def _types(node: Schema) -> tuple[str, ...]:
    given = node.get("type", ())
    return (given,) if isinstance(given, str) else tuple(given)


def resolve(root: Schema, reference: object) -> Schema:
    """Return what a local `$ref` names; {} for any other one."""
    node: Any = root
    steps = str(reference).removeprefix("#").strip("/").split("/") if str(reference).startswith("#") else [""]
    for step in filter(None, steps):
        node = node.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(node, Mapping) else None
    return node if isinstance(node, Mapping) and node is not root else {}


def without_nulls(value: Any, node: Schema, root: Schema) -> Any:
    """Remove the nulls of optional properties that may not be null: strict mode made the model write them."""
    if isinstance(value, list):
        items = [one["items"] for one in _alternatives(node, root) if isinstance(one.get("items"), Mapping)]
        return [without_nulls(item, items[0], root) for item in value] if items else value
    if not isinstance(value, dict):
        return value
    kept = {}
    for name, one in value.items():
        owners = [each for each in _alternatives(node, root) if name in each.get("properties", {})]
        if one is None and any(_adds_null(owner, name, root) for owner in owners):
            continue
        kept[name] = without_nulls(one, owners[0]["properties"][name], root) if owners else one
    return kept


def _adds_null(owner: Schema, name: str, root: Schema) -> bool:
    if name in owner.get("required", ()):
        return False
    return all("null" not in _types(one) for one in _alternatives(owner["properties"][name], root))


def _alternatives(node: Any, root: Schema, depth: int = 0) -> list[Schema]:
    """Return the schema, with its references resolved, and all its branches."""
    if not isinstance(node, Mapping) or depth > _DEEPEST:
        return []
    if "$ref" in node:
        node = {**resolve(root, node["$ref"]), **{key: one for key, one in node.items() if key != "$ref"}}
    branches = [branch for name in _BRANCHES for branch in node.get(name, ())]
    return [node, *(one for branch in branches for one in _alternatives(branch, root, depth + 1))]


# ---- for Anthropic ------------------------------------------------------------------------------------


def described(node: Any) -> dict[str, Any]:
    """Return the schema in Anthropic's subset; rules beyond it become part of the descriptions."""
    if not isinstance(node, Mapping):
        return {}
    made: dict[str, Any] = {}
    rest = {key: value for key, value in node.items() if key not in ("$schema", "$id", "default")}
    for name in _DEFINITIONS:
        if name in rest:
            made[name] = {key: described(one) for key, one in rest.pop(name).items()}
    if "$ref" in rest:
        return {**made, "$ref": rest["$ref"]}
    for name in _BRANCHES:
        if name in rest:
            made["allOf" if name == "allOf" else "anyOf"] = [described(one) for one in rest.pop(name)]
    for name in ("type", "enum", "const", "title", "description", "required"):
        if name in rest:
            made[name] = rest.pop(name)
    types = _types(made)
    if "object" in types:
        made["properties"] = {key: described(one) for key, one in rest.pop("properties", {}).items()}
        made["additionalProperties"] = False
        rest.pop("additionalProperties", None)
    if "array" in types:
        _move(rest, made, "items", described)
        if rest.get("minItems") in (0, 1):
            _move(rest, made, "minItems")
    if rest.get("format") in _FORMATS:
        _move(rest, made, "format")
    return _noted(made, rest)


def _move(rest: dict[str, Any], made: dict[str, Any], name: str, change: Any = lambda value: value) -> None:
    if name in rest:
        made[name] = change(rest.pop(name))


def _noted(made: dict[str, Any], rest: Schema) -> dict[str, Any]:
    if rest:
        rules = ", ".join(f"{key}: {_json(value)}" for key, value in rest.items())
        made["description"] = "\n\n".join(filter(None, (made.get("description"), f"{{{rules}}}")))
    return made


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


# ---- what came back -----------------------------------------------------------------------------------


def read(text: str) -> dict[str, Any]:
    """Return the JSON object a model wrote, also inside a code fence. Raises NotJson."""
    fenced = _FENCE.match(text)
    try:
        value = msgspec.json.decode(fenced[1] if fenced else text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise NotJson(f"it is not JSON ({error})") from error
    if not isinstance(value, dict):
        raise NotJson("it is not a JSON object")
    return value


def check(value: Any, schema: Schema) -> tuple[Any, str]:
    """Return the value without the nulls of strict mode, and what is wrong with it by the original schema."""
    if problem_of(dict(schema), value):
        value = without_nulls(value, schema, schema)
    return value, problem_of(dict(schema), value)


def prompt(schema: Schema) -> str:
    """Return the words that ask for JSON of this schema, where a provider has no schema mode."""
    return f"Respond only with a JSON object that matches this JSON Schema:\n{_json(schema)}"
