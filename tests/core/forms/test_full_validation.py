"""Rules beyond the core's subset are judged too, and no schema keeps anybody busy or reaches the network."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.forms import full_validation
from bridge.core.forms.schema import Form, Kind

ADDRESS = {
    "type": "object",
    "properties": {"street": {"type": "string", "minLength": 2}, "zip": {"$ref": "#/$defs/zip"}},
    "required": ["street", "zip"],
    "additionalProperties": False,
}
DEFS = {"zip": {"type": "string", "pattern": "^[0-9]{5}$"}}


def ask(node: Any, **more: Any) -> Form:
    text = json.dumps({"type": "object", "properties": {"it": node}, "$defs": DEFS, **more})
    return full_validation.parse(text.encode())


def error(node: Any, typed: str) -> str:
    form = ask(node)
    assert form.fields[0].kind is Kind.JSON
    return form.fill({"it": typed}).errors.get("it", "")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ('{"street": "Elm", "zip": "12345"}', ""),
        ('{"street": "Elm"}', "Missing: zip."),
        ("{}", "Missing: street, zip."),
        ('{"street": "E", "zip": "12345"}', "At street: This must keep the rule minLength: 2"),
        ('{"street": "Elm", "zip": "1"}', 'At zip: This must keep the rule pattern: "^[0-9]{5}$"'),
        ('{"street": "Elm", "zip": 12345}', "At zip: This must be string."),
        ('{"street": "Elm", "zip": "12345", "x": 1}', "Does not belong here: x."),
        ("[]", "This must be JSON of type object."),
    ],
)
def test_a_nested_object_is_judged_by_its_own_schema_in_words(typed: str, told: str) -> None:
    assert error(ADDRESS, typed) == told


@pytest.mark.parametrize(
    ("node", "good", "bad"),
    [
        ({"type": "array", "items": ADDRESS, "maxItems": 1}, "[]", "[{}]"),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, "1.0", "1.5"),
        ({"type": "array", "items": {"type": "boolean"}, "uniqueItems": True}, "[true]", "[true, true]"),
        ({"type": "array", "prefixItems": [{"type": "number", "multipleOf": 0.1}]}, "[0.3]", "[0.35]"),
        ({"type": "object", "additionalProperties": {"format": "date"}}, '{"a":"2026-01-31"}', '{"a":"x"}'),
        ({"type": "object", "patternProperties": {"^x": {"type": "null"}}}, '{"a":1}', '{"x":1}'),
        ({"not": {"const": 1}}, "2", "1.0"),
    ],
)
def test_all_of_json_schema_is_known(node: Any, good: str, bad: str) -> None:
    assert error(node, good) == ""
    assert error(node, bad) != ""


@pytest.mark.parametrize(
    "node",
    [
        {"type": "strin"},
        {"type": "object", "minProperties": "3"},
        {"$ref": "#/$defs/lost"},
        {"$ref": "#/properties/it"},
        {"type": "object", "patternProperties": {"(a+)+$": {"type": "null"}}},
        {"allOf": [{"anyOf": [{"$ref": "#/properties/it"}] * 9}] * 9},
    ],
)
def test_what_makes_no_sense_or_never_ends_is_left_to_the_server(node: Any) -> None:
    assert error(node, json.dumps({"a" * 40 + "!": 1})) == ""


def test_names_too_long_to_match_are_left_to_the_server() -> None:
    node = {"type": "object", "patternProperties": {"^x": {"type": "null"}}}
    assert error(node, json.dumps({"x": 1, "y" * 2_000: 1})) == ""


def test_much_work_ends() -> None:
    deep: Any = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}
    root = {"properties": {"it": {"type": "array", "items": {"$ref": "#/$defs/d0"}}}, "$defs": deep}
    deep["d40"] = {"type": "boolean"}
    assert full_validation.parse(json.dumps(root).encode()).fill({"it": '["x"]'}).errors == {}


def test_rules_on_the_whole_answer_are_told_without_a_field() -> None:
    form = ask({"type": "string"}, minProperties=1)
    assert form.fill({}).errors == {"": "This must keep the rule minProperties: 1"}
    assert form.fill({"it": "x"}).content == b'{"it":"x"}'


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text("ab", max_size=3)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
RULES = st.fixed_dictionaries(
    {"type": st.sampled_from(["object", "array", ["object", "string"]])},
    optional={
        "properties": st.just({"a": {"type": "integer"}, "b": {"type": ["string", "null"]}}),
        "required": st.sampled_from([["a"], ["a", "b"]]),
        "additionalProperties": st.booleans(),
        "items": st.just({"type": "object"}),
        "minItems": st.integers(0, 2),
        "minProperties": st.integers(0, 2),
        "not": st.just({"required": ["c"]}),
    },
)


@settings(max_examples=150, deadline=None)
@given(RULES, JSON)
def test_a_json_field_takes_exactly_what_is_valid(node: Any, value: Any) -> None:
    form = ask(node)
    if form.fields[0].kind is Kind.JSON:
        filled = form.fill({"it": json.dumps(value)})
        assert (filled.content is not None) == jsonschema.Draft202012Validator(node).is_valid(value)


def test_numbers_stay_exact_on_their_way_through() -> None:
    form = ask({"type": "object"})
    content = form.fill({"it": '{"n": 0.1000000000000000055511151231257827}'}).content
    assert content is not None
    assert json.loads(content, parse_float=Decimal) == {
        "it": {"n": Decimal("0.1000000000000000055511151231257827")}
    }
