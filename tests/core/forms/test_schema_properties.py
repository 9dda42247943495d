"""Laws that hold for schemas of every shape, judged by an independent validator."""

from __future__ import annotations

import json
from decimal import Decimal, localcontext
from typing import Any

import jsonschema  # type: ignore[import-untyped]
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bridge.core.forms import schema
from bridge.core.forms.json_values import encode, equality_key
from bridge.core.forms.schema import Entered, Field, Kind, Value

NUMBERS = st.one_of(st.integers(-(10**30), 10**30), st.decimals(-(10**9), 10**9, places=3))
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def numeric(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    bounds = dict.fromkeys(
        ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], st.integers(-50, 50)
    )
    steps = st.sampled_from([1, 2, 5, Decimal("0.5"), Decimal("0.1")])
    return st.fixed_dictionaries({"type": st.just(kind)}, optional={**bounds, "multipleOf": steps})


def options() -> st.SearchStrategy[dict[str, Any]]:
    values = st.lists(st.one_of(TEXT, st.booleans(), st.none(), NUMBERS), min_size=1, max_size=6)
    consts = values.map(lambda each: {"anyOf": [{"const": value, "title": "T"} for value in each]})
    return st.one_of(values.map(lambda each: {"enum": each}), consts)


SINGLE = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("string")},
        optional={
            "minLength": st.integers(0, 5),
            "maxLength": st.integers(0, 9),
            "pattern": st.sampled_from(["^a", "[0-9]+$", "^.{2,4}$", "(x|y)+"]),
            "format": st.sampled_from(["email", "date", "date-time", "uri"]),
        },
    ),
    numeric("number"),
    numeric("integer"),
)
PLAIN = st.one_of(
    SINGLE,
    st.just({"type": "boolean"}),
    options(),
    st.fixed_dictionaries(
        {"type": st.just("array"), "items": st.one_of(options(), SINGLE)},
        optional={
            "minItems": st.integers(0, 3),
            "maxItems": st.integers(0, 5),
            "uniqueItems": st.booleans(),
        },
    ),
)
NODES = st.one_of(PLAIN, PLAIN.map(lambda node: {"anyOf": [node, {"type": "null"}]}))
ENTRIES = st.one_of(
    TEXT,
    NUMBERS.map(str),
    st.booleans(),
    st.none(),
    st.integers(0, 6),
    st.lists(st.integers(0, 6), max_size=4).map(tuple),
    st.lists(st.one_of(TEXT, st.integers(-50, 50).map(str)), max_size=4).map(tuple),
)


def exact(text: bytes) -> Any:
    return json.loads(text, parse_float=Decimal)


def likely(field: Field) -> st.SearchStrategy[Any]:
    """Values that this field may well accept."""
    picked = st.sampled_from([option.value for option in field.options] or [None])
    match field.kind:
        case Kind.TEXT:
            return st.one_of(
                TEXT, st.sampled_from(["a@b.example", "2026-03-31", "2026-03-31T00:00:00Z", "a:b", "ax1"])
            )
        case Kind.NUMBER | Kind.INTEGER:
            return st.one_of(NUMBERS, st.integers(-50, 50), st.decimals(-50, 50, places=1))
        case Kind.MULTI:  # a person picks an option once
            return st.lists(picked, max_size=4, unique_by=equality_key)
        case Kind.LIST if field.item is not None:
            return st.lists(likely(field.item), max_size=4)
        case Kind.CHOICE:
            return picked
        case _:
            return st.one_of(st.booleans(), TEXT, st.lists(TEXT, max_size=2))


def accepts(node: Any, value: Any) -> bool:
    checker = jsonschema.FormatChecker(["email", "date"])
    with localcontext(prec=100):  # the validator divides; the default of 28 digits is not enough for it
        return bool(jsonschema.Draft202012Validator(node, format_checker=checker).is_valid(value))


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(TEXT, st.tuples(NODES, st.booleans(), ENTRIES), max_size=4))
def test_what_a_form_sends_is_always_valid(asked: dict[str, tuple[Any, bool, Entered]]) -> None:
    text = encode(
        {
            "type": "object",
            "properties": {name: node for name, (node, _, _) in asked.items()},
            "required": [name for name, (_, required, _) in asked.items() if required],
        }
    )
    filled = schema.parse(text).fill({name: entered for name, (_, _, entered) in asked.items()})
    assert (filled.content is None) == bool(filled.errors)
    if filled.content is not None:
        assert accepts(exact(text), exact(filled.content))
        assert schema.parse(text).check(filled.content).content == filled.content


@settings(max_examples=200, deadline=None)
@given(st.data(), NODES, st.booleans())
def test_every_valid_value_can_be_entered(data: st.DataObject, node: Any, required: bool) -> None:
    node = exact(encode(node))
    field = schema.parse(encode({"properties": {"it": node}, "required": ["it"] if required else []})).fields[
        0
    ]
    value = data.draw(st.one_of(likely(field), st.none()))
    value = exact(encode(value))
    assume(accepts(node, value) and not field.problem(value))
    read = field.read(field.enter(value))
    blank = value is None or (value in ("", []) and field.kind in (Kind.TEXT, Kind.MULTI, Kind.LIST))
    assert read == Value(value) or (blank and read == field.read(field.blank))
