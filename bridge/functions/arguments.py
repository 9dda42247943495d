"""Arguments of a call, fitted to the schema its tool declares. Pure.

A text is read as a number, a yes or a list where the schema allows nothing else it could mean; what already
fits leaves as it came, byte for byte. What is missing or does not fit is told here, in words; rules beyond
those of a form are the server's to judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from bridge.core.forms.fields import decode, encode, is_type, same, shown
from bridge.core.forms.schema import SchemaError, parse
from bridge.core.protocol.jsonrpc import Malformed, edit

MOST_HOPS = 20  # from one $ref to the next
_DEEPEST = 32
_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
_OPEN = frozenset(  # what lets more arguments in than are listed
    {"patternProperties", "unevaluatedProperties", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"}
)
_FEW = 8  # complaints at once
_LONGEST = 100  # letters of a value in a complaint

Schema = Mapping[str, Any]


class InvalidArguments(ValueError):
    """These arguments cannot be sent; the text names what is wrong."""


def fit(tool: str, schema: Schema, given: bytes) -> bytes:
    """The arguments as the tool wants them: a JSON object. Raises InvalidArguments."""
    try:
        values = decode(given)
    except ValueError as error:
        raise InvalidArguments(str(error)) from error
    if not isinstance(values, dict):
        raise InvalidArguments(f"The arguments of {tool} must be one JSON object.")
    try:
        edit(given, {})  # a name that comes twice could mean either
        meant = _object(values, resolved(schema, schema), schema, 0)
        _judge(tool, meant, schema)
        return edit(given, {name: encode(meant[name]) for name in values if meant[name] is not values[name]})
    except Malformed as error:
        raise InvalidArguments(f"The arguments of {tool} make no sense: {error}.") from error


def from_words(tool: str, schema: Schema, words: Sequence[tuple[str, str]]) -> bytes:
    """The arguments that a person typed as name=value; a list's name may come several times."""
    known = properties(schema)
    values: dict[str, Any] = {}
    for name, word in words:
        node = resolved(known.get(name, {}), schema)
        meant = _read_word(word, node, schema)
        if name not in values:
            values[name] = meant
        elif "array" in types(node, schema):
            values[name] = [*_listed(values[name]), *_listed(meant)]
        else:
            raise InvalidArguments(f"{name} is given more than once.")
    for name, value in values.items():
        if "array" in types(resolved(known.get(name, {}), schema), schema) and not isinstance(value, list):
            values[name] = [value]
    return encode(values)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _read_word(word: str, node: Schema, root: Schema) -> Any:
    """A word stays a text where a text will do; without a schema JSON is taken for what it is."""
    allowed = types(node, root)
    if allowed:
        return _meant(word, node, root, 0)
    try:
        return decode(word)
    except ValueError:
        return word


# --- reading schemas -------------------------------------------------------------------------------------


def properties(schema: Schema) -> Mapping[str, Any]:
    known = resolved(schema, schema).get("properties")
    return known if isinstance(known, dict) else {}


def required(schema: Schema) -> list[str]:
    listed = resolved(schema, schema).get("required")
    return [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []


def resolved(node: object, root: Schema) -> Schema:
    """The node itself, behind local references; nothing is ever fetched."""
    for _ in range(MOST_HOPS):
        if not isinstance(node, dict):
            return {}
        ref = node.get("$ref")
        if not isinstance(ref, str):
            return node
        node = _target(ref, root)
    return {}


def _target(ref: str, root: Schema) -> object:
    node: object = root
    for step in ref.removeprefix("#").split("/")[1:] if ref.startswith("#") else ("",):
        step = step.replace("~1", "/").replace("~0", "~")
        node = node.get(step) if isinstance(node, dict) else None
    return node


def arms(node: Schema, root: Schema) -> list[Schema]:
    """The alternatives of a node; of one that has none, itself."""
    for key in ("anyOf", "oneOf"):
        listed = node.get(key)
        if isinstance(listed, list) and listed:
            return [resolved(arm, root) for arm in listed]
    return [node]


def types(node: Schema, root: Schema) -> frozenset[str]:
    """Which types a value may have; none: nobody says."""
    found: set[str] = set()
    for arm in arms(node, root):
        said = arm.get("type")
        if isinstance(said, str | list):
            own = {said} if isinstance(said, str) else {one for one in said if isinstance(one, str)}
        else:
            own = {kind for value in choices(arm) for kind in _TYPES if is_type(value, kind)}
        if not own:
            return frozenset()
        found |= own
    return frozenset(found)


def choices(node: Schema) -> list[Any]:
    """The values a node is limited to, if it is."""
    if "const" in node:
        return [node["const"]]
    listed = node.get("enum")
    return listed if isinstance(listed, list) else []


# --- what is meant ---------------------------------------------------------------------------------------


def _object(values: dict[str, Any], node: Schema, root: Schema, depth: int) -> dict[str, Any]:
    known = node.get("properties")
    known = known if isinstance(known, dict) else {}
    return {
        name: _meant(value, resolved(known.get(name, {}), root), root, depth + 1)
        for name, value in values.items()
    }


def _meant(value: Any, node: Schema, root: Schema, depth: int) -> Any:
    """The value itself, wherever it may be just that."""
    if depth > _DEEPEST:
        return value
    if isinstance(value, dict):
        new: Any = _object(value, node, root, depth)
        return new if any(new[name] is not value[name] for name in value) else value
    if isinstance(value, list):
        item = resolved(node.get("items", {}), root)
        new = [_meant(one, item, root, depth + 1) for one in value]
        return new if any(a is not b for a, b in zip(new, value, strict=True)) else value
    allowed = types(node, root)
    if not isinstance(value, str) or not allowed or "string" in allowed:
        return value
    try:
        read = decode(value)
    except ValueError:
        return value
    if isinstance(read, list | dict):
        return _meant(read, node, root, depth + 1) if any(is_type(read, kind) for kind in allowed) else value
    fits = any(is_type(read, kind) for kind in allowed)
    return read if fits and not isinstance(read, str) else value


# --- what is wrong ---------------------------------------------------------------------------------------


def _judge(tool: str, values: Mapping[str, Any], schema: Schema) -> None:
    missing = [name for name in required(schema) if name not in values]
    if missing:
        raise InvalidArguments(f"{tool} needs {', '.join(missing)}.")
    known = properties(schema)
    if _is_closed(resolved(schema, schema), known):
        unknown = [name for name in values if name not in known]
        if unknown:
            has = ", ".join(known) or "none"
            raise InvalidArguments(f"{tool} has no argument called {_few(unknown)}. It has: {has}.")
    wrong = [problem for name in values for problem in _mismatch(name, values[name], known.get(name), schema)]
    wrong = wrong or [f"{name}: {reason}" for name, reason in _beyond_types(values, schema)]
    if wrong:
        raise InvalidArguments(f"The arguments of {tool} do not fit. {' '.join(wrong[:_FEW])}")


def _is_closed(node: Schema, known: Mapping[str, Any]) -> bool:
    """Are the known arguments all there are? Most servers drop any other without a word, so that a slip would
    go unnoticed: a list of arguments that says nothing of others counts as complete."""
    if "additionalProperties" in node:
        return node["additionalProperties"] is False
    return bool(known) and not _OPEN & node.keys()


def _mismatch(name: str, value: Any, raw: object, root: Schema) -> Iterator[str]:
    node = resolved(raw, root)
    allowed = types(node, root)
    listed = [choices(arm) for arm in arms(node, root)]
    if allowed and not any(is_type(value, kind) for kind in allowed):
        wanted = " or ".join(kind for kind in _TYPES if kind in allowed) or "one that nobody knows"
        yield f"{name} must be of type {wanted}, not {_short(value)}."
    elif all(listed) and same(value) not in [same(one) for some in listed for one in some]:
        yield f"{name} must be one of {_few([_short(one) for some in listed for one in some])}."


def _beyond_types(values: Mapping[str, Any], schema: Schema) -> Iterable[tuple[str, str]]:
    """Bounds, lengths, formats: as a form of the same fields would judge them."""
    try:
        return parse(encode(schema)).check(encode(values)).errors.items()
    except (SchemaError, RecursionError):  # the server itself will know
        return ()


def _few(names: Sequence[str]) -> str:
    """A caller may send a million of them."""
    told = ", ".join(name[:_LONGEST] for name in names[:_FEW])
    return f"{told} and {len(names) - _FEW} more" if len(names) > _FEW else told


def _short(value: Any) -> str:
    text = " ".join(shown(value).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
