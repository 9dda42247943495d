"""Convert and check the arguments of a call by the JSON schema of its tool. Pure.

A string becomes a number, a boolean or a list where the schema does not allow a string; arguments that fit
are sent unchanged, byte for byte. Missing and wrong arguments are reported here; the server checks the rules
that forms do not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from bridge.core.forms.json_values import decode, encode, equality_key, is_type, shown
from bridge.core.forms.schema import SchemaError, parse
from bridge.core.protocol.jsonrpc import Malformed, edit

MAX_REFS = 20  # $ref that leads to $ref
_MAX_DEPTH = 32
_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
_OPEN_KEYWORDS = frozenset(  # may allow arguments that `properties` does not list
    {"patternProperties", "unevaluatedProperties", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"}
)
_MAX_PROBLEMS = 8  # in one error text
_MAX_LENGTH = 100  # characters of a value in an error text

Schema = Mapping[str, Any]
Renaming = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class InvalidArguments(ValueError):
    """These arguments do not fit the schema; the text says which and why."""


def decode_body(body: bytes) -> object:
    """Decode the JSON body of a call. Raises InvalidArguments."""
    try:
        return decode(body)
    except ValueError as error:
        raise InvalidArguments(f"Invalid JSON body: {error.__cause__}.") from error


def fit(tool: str, schema: Schema, arguments: bytes, renaming: Renaming = lambda values: values) -> bytes:
    """Return the arguments as a JSON object that fits the schema. Raises InvalidArguments.

    `renaming`: returns them under the names of the schema.
    """
    values = decode_body(arguments)
    if not isinstance(values, dict):
        raise InvalidArguments(f"The arguments of {tool} must be one JSON object.")
    try:
        edit(arguments, {})  # refuses duplicate keys
        now = renaming(values)
        if now != values:
            values, arguments = dict(now), encode(dict(now))
        converted = _convert_object(values, resolve(schema, schema), schema, 0)
        converted |= _missing_defaults(converted, schema)
        _check(tool, converted, schema)
        changed = {
            name: value
            for name, value in converted.items()
            if name not in values or value is not values[name]
        }
        return edit(arguments, {name: encode(value) for name, value in changed.items()})
    except Malformed as error:
        raise InvalidArguments(f"The arguments of {tool} are not valid: {error}.") from error


def from_words(tool: str, schema: Schema, words: Sequence[tuple[str, str]]) -> bytes:
    """Return arguments typed as name=value, as JSON; the name of a list may be repeated."""
    known = properties(schema)
    values: dict[str, Any] = {}
    for name, word in words:
        node = resolve(known.get(name, {}), schema)
        value = _parse_word(word, node, schema)
        if name not in values:
            values[name] = value
        elif "array" in types(node, schema):
            values[name] = [*_as_list(values[name]), *_as_list(value)]
        else:
            raise InvalidArguments(f"{name} is given more than once.")
    for name, value in values.items():
        if "array" in types(resolve(known.get(name, {}), schema), schema) and not isinstance(value, list):
            values[name] = [value]
    return encode(values)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _parse_word(word: str, node: Schema, root: Schema) -> Any:
    """Keep a string where the schema allows it; without a schema, parse JSON."""
    if types(node, root):
        return _convert(word, node, root, 0)
    try:
        return decode(word)
    except ValueError:
        return word


# --- reading schemas -------------------------------------------------------------------------------------


def properties(schema: Schema) -> Mapping[str, Any]:
    known = resolve(schema, schema).get("properties")
    return known if isinstance(known, dict) else {}


def required(schema: Schema) -> list[str]:
    listed = resolve(schema, schema).get("required")
    return [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []


def resolve(node: object, root: Schema) -> Schema:
    """Follow local references; remote ones are never fetched."""
    for _ in range(MAX_REFS):
        if not isinstance(node, dict):
            return {}
        ref = node.get("$ref")
        if not isinstance(ref, str):
            return node
        node = ref_target(ref, root)
    return {}


def ref_target(ref: str, root: Schema) -> object:
    """Return what a local reference leads to; None if it leads nowhere."""
    node: object = root
    for step in ref.removeprefix("#").split("/")[1:] if ref.startswith("#") else ("",):
        step = step.replace("~1", "/").replace("~0", "~")
        node = node.get(step) if isinstance(node, dict) else None
    return node


def alternatives(node: Schema, root: Schema) -> list[Schema]:
    """Return the anyOf or oneOf schemas of a node, or the node itself."""
    for key in ("anyOf", "oneOf"):
        listed = node.get(key)
        if isinstance(listed, list) and listed:
            return [resolve(option, root) for option in listed]
    return [node]


def types(node: Schema, root: Schema) -> frozenset[str]:
    """Return the JSON types that a value may have; empty if the schema allows any."""
    found: set[str] = set()
    for option in alternatives(node, root):
        declared = option.get("type")
        if isinstance(declared, str):
            own = {declared}
        elif isinstance(declared, list):
            own = {kind for kind in declared if isinstance(kind, str)}
        else:
            own = {kind for value in choices(option) for kind in _TYPES if is_type(value, kind)}
        if not own:
            return frozenset()
        found |= own
    return frozenset(found)


def choices(node: Schema) -> list[Any]:
    """Return the values of `const` or `enum`; [] without them."""
    if "const" in node:
        return [node["const"]]
    listed = node.get("enum")
    return listed if isinstance(listed, list) else []


# --- converting ------------------------------------------------------------------------------------------


def _convert_object(values: dict[str, Any], node: Schema, root: Schema, depth: int) -> dict[str, Any]:
    known = node.get("properties")
    known = known if isinstance(known, dict) else {}
    return {
        name: _convert(value, resolve(known.get(name, {}), root), root, depth + 1)
        for name, value in values.items()
    }


def _convert(value: Any, node: Schema, root: Schema, depth: int) -> Any:
    """Return the value as the schema wants it; the identical object if nothing changes."""
    if depth > _MAX_DEPTH:
        return value
    if isinstance(value, dict):
        new: Any = _convert_object(value, node, root, depth)
        return new if any(new[name] is not value[name] for name in value) else value
    if isinstance(value, list):
        item = resolve(node.get("items", {}), root)
        new = [_convert(each, item, root, depth + 1) for each in value]
        return new if any(a is not b for a, b in zip(new, value, strict=True)) else value
    allowed = types(node, root)
    if not isinstance(value, str) or not allowed or "string" in allowed:
        return value
    try:
        parsed = decode(value)
    except ValueError:
        return value
    if isinstance(parsed, str) or not any(is_type(parsed, kind) for kind in allowed):
        return value
    return _convert(parsed, node, root, depth + 1)


# --- checking --------------------------------------------------------------------------------------------


def _missing_defaults(values: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """Return the defaults of required arguments that are missing: some servers require what has a default."""
    known = properties(schema)
    nodes = {name: resolve(known.get(name, {}), schema) for name in required(schema) if name not in values}
    return {name: node["default"] for name, node in nodes.items() if "default" in node}


def _check(tool: str, values: Mapping[str, Any], schema: Schema) -> None:
    missing = [name for name in required(schema) if name not in values]
    if missing:
        raise InvalidArguments(f"{tool} needs {', '.join(missing)}.")
    known = properties(schema)
    if _is_closed(resolve(schema, schema), known):
        unknown = [name for name in values if name not in known]
        if unknown:
            has = ", ".join(known) or "none"
            raise InvalidArguments(f"{tool} has no argument called {_join_first(unknown)}. It has: {has}.")
    wrong = [problem for name in values for problem in _mismatch(name, values[name], known.get(name), schema)]
    wrong = wrong or [f"{name}: {reason}" for name, reason in _form_errors(values, schema)]
    if wrong:
        raise InvalidArguments(f"The arguments of {tool} do not fit. {' '.join(wrong[:_MAX_PROBLEMS])}")


def _is_closed(node: Schema, known: Mapping[str, Any]) -> bool:
    """True if only the listed arguments are allowed. A schema that does not say counts as closed: most
    servers ignore unknown arguments silently, so that a typing error would go unnoticed."""
    if "additionalProperties" in node:
        return node["additionalProperties"] is False
    return bool(known) and not _OPEN_KEYWORDS & node.keys()


def _mismatch(name: str, value: Any, raw: object, root: Schema) -> Iterator[str]:
    node = resolve(raw, root)
    allowed = types(node, root)
    listed = [choices(option) for option in alternatives(node, root)]
    if allowed and not any(is_type(value, kind) for kind in allowed):
        expected = " or ".join(kind for kind in _TYPES if kind in allowed) or "unknown"
        yield f"{name} must be of type {expected}, not {_shorten(value)}."
    elif all(listed) and equality_key(value) not in [equality_key(item) for some in listed for item in some]:
        yield f"{name} must be one of {_join_first([_shorten(item) for some in listed for item in some])}."


def _form_errors(values: Mapping[str, Any], schema: Schema) -> Iterable[tuple[str, str]]:
    """Check bounds, lengths and formats as a form with these fields would."""
    try:
        return parse(encode(schema)).check(encode(values)).errors.items()
    except (SchemaError, RecursionError):  # left to the server
        return ()


def _join_first(names: Sequence[str]) -> str:
    """Join the first names: a caller may send a million of them."""
    first = ", ".join(name[:_MAX_LENGTH] for name in names[:_MAX_PROBLEMS])
    return f"{first} and {len(names) - _MAX_PROBLEMS} more" if len(names) > _MAX_PROBLEMS else first


def _shorten(value: Any) -> str:
    text = " ".join(shown(value).split())
    return text if len(text) <= _MAX_LENGTH else f"{text[: _MAX_LENGTH - 1]}…"
