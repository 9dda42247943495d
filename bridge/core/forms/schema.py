"""Parse a `requestedSchema` into a Form: fields to show, and the answer they make together. Pure.

It knows the elicitation subset of JSON Schema and what servers send beside it: enumNames, enumLabels, integer
enums, local $refs, nullable types. Anything else becomes a JSON field, which the validator that `parse` is
given checks (full_validation.py). References are never fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, cast

from bridge.core.forms import files, patterns
from bridge.core.forms.fields import UNSET, Entered, Field, Kind, Option, Validator, Value
from bridge.core.forms.form import Form, FormResult, looks_secret
from bridge.core.forms.json_values import (
    TYPES,
    Number,
    decode,
    encode,
    equality_key,
    is_number,
    is_type,
    shown,
)
from bridge.i18n import say

__all__ = [
    "UNSET",
    "Entered",
    "Field",
    "Form",
    "FormResult",
    "Kind",
    "Option",
    "SchemaError",
    "Value",
    "looks_secret",
    "parse",
    "shown",
]

LARGEST = 1 << 20  # bytes
MOST_FIELDS = 500
MOST_OPTIONS = 50_000  # of all fields together; beyond, a field takes JSON
MOST_SKETCHED = 2000  # values in all examples of JSON together
LONGEST_DEFAULT = 20_000  # bytes
_DEEPEST = 64
_SKETCHED = 3  # levels
_MOST_HOPS = 20  # from one $ref to the next
MakeValidator = Callable[[dict[str, Any], object], Validator]  # root schema, a schema in it → validator

_KINDS = {"string": Kind.TEXT, "number": Kind.NUMBER, "integer": Kind.INTEGER, "boolean": Kind.BOOLEAN}
_NOTES = frozenset({"title", "description", "default", "examples", "$comment"})
_LISTS = ("enum", "oneOf", "anyOf", "const")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_BEYOND = frozenset({"allOf", "not", "if", "$dynamicRef", "prefixItems", "contains", "unevaluatedItems"})
# Rules about the whole answer, beside those of its fields.
_ON_THE_WHOLE = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "if", "minProperties", "maxProperties", "patternProperties"}
    | {"propertyNames", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"}
)


class SchemaError(ValueError):
    """This requestedSchema cannot be shown as a form; the text says why."""


class _BeyondSubset(Exception):
    """The field becomes a JSON field."""


@dataclass(slots=True)
class _Document:
    """The whole schema, and how many more values its fields may expand to: a $ref can repeat a part many
    times."""

    root: dict[str, Any]
    fields: int
    options: int = MOST_OPTIONS
    sketched: int = MOST_SKETCHED

    def spend_options(self, count: int) -> None:
        self.options -= count
        if self.options < 0:
            raise _BeyondSubset


def parse(schema: bytes, judging: MakeValidator | None = None) -> Form:
    """Return the Form of this requestedSchema; b"" is the empty form. Raises SchemaError."""
    if len(schema) > LARGEST:
        raise SchemaError(say("The form is larger than 1 MiB."))
    try:
        root = decode(schema or b"{}")
    except ValueError as error:
        raise SchemaError(say("The form cannot be read. {reason}", reason=error.args[0])) from error
    return _form(root, judging)


def _form(root: object, judging: MakeValidator | None) -> Form:
    if not isinstance(root, dict) or root.get("type", "object") != "object":
        raise SchemaError(say("The form does not describe an object."))
    properties = root.get("properties", {})
    if not isinstance(properties, dict):
        raise SchemaError(say("The form's properties are not an object."))
    _refuse_hostile(root)
    listed = root.get("required")
    required = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    names = dict.fromkeys([*properties, *required])  # a required name without a schema accepts any JSON
    if len(names) > MOST_FIELDS:
        raise SchemaError(say("The form has more than {count} fields.", count=MOST_FIELDS))
    form = _Document(root, len(names))
    fields = tuple(_field(name, properties.get(name, {}), name in required, form) for name in names)
    closed = root.get("additionalProperties") is False
    if judging is None:
        return Form(fields, closed)
    judged = tuple(
        replace(each, judge=judging(root, properties.get(each.name, {}))) if each.kind is Kind.JSON else each
        for each in fields
    )
    return Form(judged, closed, judging(root, root) if root.keys() & _ON_THE_WHOLE else None)


def _refuse_hostile(root: object) -> None:
    """Raise SchemaError for a reference to another document, or too deep nesting."""
    todo = [(root, 0)]
    while todo:
        node, depth = todo.pop()
        if depth > _DEEPEST:
            raise SchemaError(say("The form is nested too deeply."))
        if isinstance(node, dict):
            refs = [node.get(name) for name in _REFERENCES]
            if any(isinstance(ref, str) and not ref.startswith("#") for ref in refs):
                words = say("The form refers to a schema elsewhere; such references are never fetched.")
                raise SchemaError(words)
            todo.extend((item, depth + 1) for item in node.values())
        elif isinstance(node, list):
            todo.extend((item, depth + 1) for item in node)


def _field(name: str, schema: object, required: bool, form: _Document) -> Field:
    node = schema if isinstance(schema, dict) else {}
    nullable = False
    try:
        node = _flat(node, form)
        node, nullable = _without_null(node, form)
        shape = _shape(node, form)
    except _BeyondSubset:
        sketch = _sketch(node, form)
        shape = Field("", Kind.JSON, types=_types(node), sketch=shown(sketch) if sketch else "")
    described = replace(
        shape,
        nullable=nullable,
        name=name,
        title=_text(node.get("title")).strip() or name,
        help=_text(node.get("description")),
        required=required,
    )
    return replace(described, default=_default(described, node))


def _flat(node: dict[str, Any], form: _Document) -> dict[str, Any]:
    """Resolve a local $ref or an allOf with one element, as generators write them."""
    for _ in range(_MOST_HOPS):
        if "$ref" in node:
            rest = {key: item for key, item in node.items() if key != "$ref"}
            node = _merged(rest, _target(node["$ref"], form.root))
        elif isinstance(node.get("allOf"), list) and len(node["allOf"]) == 1:
            rest = {key: item for key, item in node.items() if key != "allOf"}
            node = _merged(rest, node["allOf"][0])
        else:
            return node
    raise _BeyondSubset


def _target(ref: object, root: dict[str, Any]) -> object:
    """Resolve a JSON Pointer fragment (RFC 6901)."""
    found: object = root
    for step in str(ref).split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, dict) or key not in found:
            raise _BeyondSubset
        found = found[key]
    return found


def _merged(outer: dict[str, Any], inner: object) -> dict[str, Any]:
    """Merge two schemas; title and description come from the outer one. A rule in both is not supported."""
    if not isinstance(inner, dict) or (outer.keys() & inner.keys()) - _NOTES:
        raise _BeyondSubset
    return {**inner, **outer}


def _without_null(node: dict[str, Any], form: _Document) -> tuple[dict[str, Any], bool]:
    """Return X and True for `type: [X, "null"]` and `anyOf: [X, {"type": "null"}]`."""
    match node.get("type"):
        case list() as names if "null" in names and len(names) == 2:
            return {**node, "type": next((name for name in names if name != "null"), "null")}, True
    for key in ("anyOf", "oneOf"):
        arms = node.get(key)
        if isinstance(arms, list) and {"type": "null"} in arms:
            rest = {name: item for name, item in node.items() if name != key}
            others = [arm for arm in arms if arm != {"type": "null"}]
            inner = others[0] if len(others) == 1 else {key: others}
            return _flat(_merged(rest, inner), form), True
    return node, False


def _shape(node: dict[str, Any], form: _Document) -> Field:
    """Return a field's kind, options and bounds."""
    if node.keys() & _BEYOND:
        raise _BeyondSubset
    plain = _plain(node, form.fields)
    if any(key in node for key in _LISTS):
        return _choice(plain, node, form)
    if node.get("type") == "array":
        return _several(plain, _field("", node.get("items"), True, form))
    if plain.kind is Kind.JSON:
        raise _BeyondSubset
    return plain


def _plain(node: dict[str, Any], fields: int) -> Field:
    pattern = node.get("pattern")
    multiple_of = _bound(node, "multipleOf")
    if not isinstance(pattern, str | None) or (multiple_of is not None and multiple_of <= 0):
        raise _BeyondSubset
    return Field(
        "",
        _KINDS.get(_text(node.get("type")), Kind.JSON),
        types=_types(node),
        format=_text(node.get("format")),
        encoding=files.encoding_of(node),
        media_type=_text(node.get("contentMediaType")),
        min_length=_size(node, "minLength"),
        max_length=_size(node, "maxLength"),
        pattern=None if pattern is None else patterns.read(pattern).shared_by(fields),
        minimum=_bound(node, "minimum"),
        maximum=_bound(node, "maximum"),
        exclusive_minimum=_bound(node, "exclusiveMinimum"),
        exclusive_maximum=_bound(node, "exclusiveMaximum"),
        multiple_of=multiple_of,
        min_items=_size(node, "minItems"),
        max_items=_size(node, "maxItems"),
        unique=node.get("uniqueItems") is True,
    )


def _choice(plain: Field, node: dict[str, Any], form: _Document) -> Field:
    """Return a choice, without options that the field's other rules forbid."""
    options: dict[Hashable, Option] = {}
    listed = _options(node, form)
    if plain.pattern is not None:
        plain = replace(plain, pattern=plain.pattern.shared_by(len(listed)))
    for each in listed:
        if not plain.problem(each.value):
            options.setdefault(equality_key(each.value), each)
    if not options:
        raise _BeyondSubset
    return replace(plain, kind=Kind.CHOICE, options=tuple(options.values()))


def _several(plain: Field, item: Field) -> Field:
    """Return an array field: of options, or of texts or numbers."""
    if item.nullable:
        raise _BeyondSubset
    if item.kind in (Kind.TEXT, Kind.NUMBER, Kind.INTEGER):
        return replace(plain, kind=Kind.LIST, item=item)
    if item.kind is not Kind.CHOICE or (plain.min_items or 0) > len(item.options):
        raise _BeyondSubset
    return replace(plain, kind=Kind.MULTI, options=item.options)


def _options(node: dict[str, Any], form: _Document) -> list[Option]:
    keys = [key for key in _LISTS if key in node]
    listed = [node["const"]] if keys == ["const"] else node[keys[0]]
    if len(keys) > 1 or not isinstance(listed, list):
        raise _BeyondSubset
    form.spend_options(len(listed))
    if keys[0] in ("oneOf", "anyOf"):
        return [_titled(arm) for arm in listed]
    titles = node.get("enumNames", node.get("enumLabels"))
    words = titles if isinstance(titles, list) and len(titles) == len(listed) else [None] * len(listed)
    return [_option(value, title) for value, title in zip(listed, words, strict=True)]


def _titled(arm: object) -> Option:
    if not isinstance(arm, dict) or "const" not in arm:
        raise _BeyondSubset
    return _option(arm["const"], arm.get("title"))


def _option(value: object, title: object) -> Option:
    return Option(value, _text(title).strip() or (value if isinstance(value, str) else shown(value)))


_BLANKS: dict[str, object] = {"string": "", "number": 0, "integer": 0, "boolean": False, "object": {}}


def _sketch(node: object, form: _Document, depth: int = 0) -> object:
    """Return an example value of this schema, for a user who has to enter JSON."""
    form.sketched -= 1
    if form.sketched < 0:
        return None
    try:
        flat = _flat(node if isinstance(node, dict) else {}, form)
    except _BeyondSubset:
        return None
    if "default" in flat or "const" in flat:
        return flat.get("default", flat.get("const"))
    for listed in (flat.get("examples"), flat.get("enum")):
        if isinstance(listed, list) and listed:
            return listed[0]
    properties = flat.get("properties")
    if isinstance(properties, dict) and depth < _SKETCHED:
        return {name: _sketch(each, form, depth + 1) for name, each in properties.items()}
    if flat.get("type") == "array":
        return [_sketch(flat["items"], form, depth + 1)] if "items" in flat and depth < _SKETCHED else []
    return _BLANKS.get(_text(flat.get("type")))


def _types(node: dict[str, Any]) -> frozenset[str]:
    """Return the JSON types a value may have; empty if unknown or invalid."""
    declared = node.get("type")
    listed = declared if isinstance(declared, list) else [declared]
    names = {name for name in listed if isinstance(name, str)}
    return frozenset(names) if names <= TYPES else frozenset()


def _default(of: Field, node: dict[str, Any]) -> object:
    """Return the default; UNSET if it is not of the field's type, or too long to review before sending. One
    that is out of bounds is kept, and shown as an error."""
    value: object = node.get("default", UNSET)
    if value is not UNSET and len(encode(value)) > LONGEST_DEFAULT:
        return UNSET
    item = None if of.item is None else Field("", of.item.kind)
    lenient = Field("", of.kind, options=of.options, types=of.types, item=item)
    if value is UNSET or lenient.problem(value):
        return UNSET
    return int(cast(Number, value)) if of.kind is Kind.INTEGER else value


def _bound(node: dict[str, Any], key: str) -> Number | None:
    value = node.get(key)
    if value is not None and not is_number(value):
        raise _BeyondSubset
    return value


def _size(node: dict[str, Any], key: str) -> int | None:
    value = node.get(key)
    if value is None:
        return None
    if not is_type(value, "integer") or value < 0:
        raise _BeyondSubset
    return int(value)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
