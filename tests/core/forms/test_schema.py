"""A requestedSchema becomes fields, and what is entered in them one answer."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from bridge.core.forms import schema
from bridge.core.forms.schema import UNSET, Entered, Kind, Option, SchemaError, Value
from tests.core.forms.json_forms import EVERY_KIND, form, only

# Kinds


@pytest.mark.parametrize(
    ("node", "kind"),
    [
        ({"type": "string"}, Kind.TEXT),
        ({"type": "number"}, Kind.NUMBER),
        ({"type": "integer"}, Kind.INTEGER),
        ({"type": "boolean"}, Kind.BOOLEAN),
        ({"type": "string", "enum": ["a", "b"]}, Kind.CHOICE),
        ({"enum": [1, "a", None, True]}, Kind.CHOICE),
        ({"type": "string", "const": "only"}, Kind.CHOICE),
        ({"type": "string", "oneOf": [{"const": "a", "title": "A"}]}, Kind.CHOICE),
        ({"anyOf": [{"const": "a"}, {"const": "b"}]}, Kind.CHOICE),
        ({"type": "array", "items": {"type": "string", "enum": ["a"]}}, Kind.MULTI),
        ({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}, Kind.MULTI),
        ({"type": "array", "items": {"oneOf": [{"const": "a", "title": "A"}]}}, Kind.MULTI),
        ({"type": "array", "items": {"type": "string", "format": "email"}}, Kind.LIST),
        ({"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, Kind.LIST),
        ({"type": ["string", "null"]}, Kind.TEXT),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, Kind.INTEGER),
        ({"anyOf": [{"const": "a"}, {"const": "b"}, {"type": "null"}]}, Kind.CHOICE),
        ({"$ref": "#/$defs/Colour"}, Kind.CHOICE),
        ({"allOf": [{"$ref": "#/$defs/Colour"}], "title": "Colour"}, Kind.CHOICE),
        ({"anyOf": [{"$ref": "#/$defs/Colour"}, {"type": "null"}]}, Kind.CHOICE),
        ({"$ref": "#/$defs/a~1b~0c"}, Kind.TEXT),
    ],
)
def test_each_schema_of_the_subset_gets_its_kind(node: Any, kind: Kind) -> None:
    defs = {"Colour": {"enum": ["red", "blue"], "title": "The colour"}, "a/b~c": {"type": "string"}}
    assert only(node, defs=defs).kind is kind


@pytest.mark.parametrize(
    "node",
    [
        {},
        True,
        "string",
        None,
        {"type": "object", "properties": {"x": {"type": "string"}}},
        {"type": "array", "items": {"type": "boolean"}},
        {"type": "array", "items": {"type": ["string", "null"]}},
        {"type": "array"},
        {"type": "array", "items": {"enum": ["a"]}, "minItems": 2},
        {"type": "array", "items": {"anyOf": [{"const": "a"}, {"type": "null"}]}},
        {"type": "array", "items": {"enum": ["a"]}, "contains": {"const": "a"}},
        {"type": "strin"},
        {"type": 7},
        {"type": ["string", "integer"]},
        {"type": ["null", "null"]},
        {"type": "string", "minLength": -1},
        {"type": "string", "minLength": "3"},
        {"type": "string", "pattern": 7},
        {"type": "string", "not": {"const": "a"}},
        {"type": "integer", "minimum": "1"},
        {"type": "integer", "minimum": True},
        {"type": "number", "multipleOf": 0},
        {"type": "string", "enum": []},
        {"type": "string", "enum": "ab"},
        {"type": "string", "enum": [1, 2]},
        {"enum": ["a"], "oneOf": [{"const": "a"}]},
        {"oneOf": [{"const": "a"}, {"pattern": "b"}]},
        {"oneOf": [{"const": "a"}, "b"]},
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}], "type": "string"},
        {"$ref": "#/$defs/Missing"},
        {"$ref": "#/properties/it"},
        {"$ref": "#/type/deeper"},
        {"allOf": [True]},
        {"allOf": [{"minLength": 1}, {"maxLength": 2}], "type": "string"},
    ],
)
def test_what_is_malformed_or_beyond_the_subset_becomes_a_json_field(node: Any) -> None:
    assert only(node).kind is Kind.JSON


def test_a_field_tells_its_title_and_help_and_falls_back_to_its_name() -> None:
    told = only({"type": "string", "title": " Your name ", "description": "As on the card"})
    assert (told.title, told.help) == ("Your name", "As on the card")
    silent = only({"type": "string", "title": 7, "description": None})
    assert (silent.title, silent.help) == ("it", "")


def test_bounds_are_attributes_of_the_field() -> None:
    text = only({"type": "string", "minLength": 1.0, "maxLength": 9, "pattern": "^a", "format": "email"})
    assert (text.min_length, text.max_length, text.format) == (1, 9, "email")
    assert text.pattern is not None
    assert text.pattern.source == "^a"
    bounds = {"minimum": 1, "maximum": 2.5, "exclusiveMinimum": 0, "exclusiveMaximum": 3, "multipleOf": 0.5}
    number = only({"type": "number", **bounds})
    assert (number.minimum, number.maximum, number.multiple_of) == (1, Decimal("2.5"), Decimal("0.5"))
    assert (number.exclusive_minimum, number.exclusive_maximum) == (0, 3)
    multi = only({"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "maxItems": 2})
    assert (multi.min_items, multi.max_items) == (1, 2)


# Options


@pytest.mark.parametrize("key", ["enumNames", "enumLabels"])
def test_titles_are_shown_and_values_are_sent(key: str) -> None:
    field = only({"type": "string", "enum": ["r", "g"], key: ["Red", "Green"]})
    assert field.options == (Option("r", "Red"), Option("g", "Green"))
    assert field.read(1) == Value("g")


def test_titles_that_do_not_match_the_values_are_not_trusted() -> None:
    assert only({"enum": ["r", "g"], "enumNames": ["Red"]}).options == (Option("r", "r"), Option("g", "g"))
    assert only({"enum": ["r", "g"], "enumNames": [7, "Green"]}).options[0].title == "r"


def test_options_keep_the_type_of_their_value() -> None:
    field = only({"enum": [1, 2.50, "3", None, True]})
    assert [option.value for option in field.options] == [1, Decimal("2.5"), "3", None, True]
    assert [option.title for option in field.options] == ["1", "2.5", "3", "null", "true"]
    assert field.read(4) == Value(True)


def test_options_the_field_itself_forbids_are_not_offered_and_none_twice() -> None:
    field = only({"type": "string", "enum": ["a", "bb", 7, "bb", "ccc"], "minLength": 2})
    assert [option.value for option in field.options] == ["bb", "ccc"]
    assert (
        len(only({"enum": [1, True, 1.0, [1], [1.0], {"a": [1]}, {"a": [1.0]}, {"a": [True]}]}).options) == 5
    )


def test_ten_thousand_options_and_a_field_named_proto_survive() -> None:
    shown = form({"__proto__": {"enum": [f"o{n}" for n in range(10_000)], "default": "o9999"}}, "__proto__")
    assert shown.fields[0].initial == 9_999
    assert shown.fill({"__proto__": 9_999}).content == b'{"__proto__":"o9999"}'


# Defaults


@pytest.mark.parametrize(
    ("node", "default", "initial"),
    [
        ({"type": "string", "default": "Ann"}, "Ann", "Ann"),
        ({"type": "string", "default": "far too long", "maxLength": 3}, "far too long", "far too long"),
        ({"type": "number", "default": 2.50}, Decimal("2.5"), "2.5"),
        ({"type": "number", "default": 1e22}, Decimal("1e22"), "1E+22"),
        ({"type": "integer", "default": 2**70}, 2**70, str(2**70)),
        ({"type": "integer", "default": 3.0}, 3, "3"),
        ({"type": "boolean", "default": False}, False, False),
        ({"enum": ["a", "b"], "default": "b"}, "b", 1),
        ({"enum": ["a", None], "default": None}, None, 1),
        ({"type": "array", "items": {"enum": ["a", "b"]}, "default": ["b", "a"]}, ["b", "a"], (1, 0)),
        ({"type": "object", "default": {"a": 1}}, {"a": 1}, '{\n  "a": 1\n}'),
        ({"type": "array", "items": {"type": "string"}, "default": ["b", ""]}, ["b", ""], ("b", "")),
        ({"type": "array", "items": {"type": "integer"}, "default": [1, 2.0]}, [1, Decimal(2)], ("1", "2")),
        ({"default": "x"}, "x", '"x"'),
    ],
)
def test_a_default_is_entered_beforehand(node: Any, default: object, initial: Entered) -> None:
    field = only(node)
    assert (field.default, field.initial) == (default, initial)


@pytest.mark.parametrize(
    ("node", "blank"),
    [
        ({"type": "string"}, ""),
        ({"type": "string", "default": 7}, ""),
        ({"type": ["string", "null"], "default": None}, ""),
        ({"type": "number", "default": "7"}, ""),
        ({"type": "number", "default": True}, ""),
        ({"type": "integer", "default": 1.5}, ""),
        ({"type": "boolean", "default": "true"}, None),
        ({"type": "boolean", "default": 0}, None),
        ({"enum": ["a"], "default": "z"}, None),
        ({"enum": [1], "default": True}, None),
        ({"type": "array", "items": {"enum": ["a"]}, "default": ["z"]}, ()),
        ({"type": "array", "items": {"enum": ["a"]}, "default": "a"}, ()),
        ({"type": "array", "items": {"type": "string"}, "default": ["a", 7]}, ()),
        ({"type": "array", "items": {"type": "string"}, "default": "a"}, ()),
        ({"type": "object", "default": []}, ""),
        ({"type": "string", "default": "x" * 20_000}, ""),
        ({"type": "object", "default": {"a": "x" * 20_000}}, ""),
    ],
)
def test_a_default_of_the_wrong_type_or_beyond_reading_is_ignored(node: Any, blank: Entered) -> None:
    field = only(node)
    assert field.default is UNSET
    assert field.initial == blank


def test_null_is_entered_as_blank_where_it_is_allowed() -> None:
    assert only({"type": ["integer", "null"]}, required=True).enter(None) == ""


# The whole form


def test_an_untouched_form_of_optional_fields_sends_an_empty_object() -> None:
    assert form(dict(zip("abcdefgh", EVERY_KIND, strict=True))).fill({}).content == b"{}"
    assert schema.parse(b"").fill({}).content == b"{}"


def test_values_are_sent_in_the_order_of_the_schema() -> None:
    filled = form({"b": {"type": "string"}, "a": {"type": "integer"}}).fill({"a": "1", "b": "x"})
    assert filled.content == b'{"b":"x","a":1}'


def test_all_errors_are_told_at_once() -> None:
    filled = form({"a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": "integer"}}, "a").fill(
        {"b": "x"}
    )
    assert filled.content is None
    assert list(filled.errors) == ["a", "b"]


def test_what_json_was_typed_is_sent_on_one_line() -> None:
    content = form({"it": {}}).fill({"it": '{\n "a" : [1.50 , "x\\ny"]\n}'}).content
    assert content == b'{"it":{"a":[1.50,"x\\ny"]}}'


def test_a_required_name_without_a_schema_is_asked_for_as_json() -> None:
    (field,) = form({}, "lost").fields
    assert (field.name, field.kind, field.required) == ("lost", Kind.JSON, True)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"{", "not valid JSON"),
        (b"[]", "does not describe an object"),
        (b'{"type":"array"}', "does not describe an object"),
        (b'{"properties":[]}', "properties are not an object"),
        (b'{"properties":{"a":{"$ref":"https://example.org/x"}}}', "never fetched"),
        (b'{"$defs":{"a":[{"$ref":"other.json"}]}}', "never fetched"),
        (b'{"$defs":{"a":{"$dynamicRef":"other.json#x"}}}', "never fetched"),
        (b'{"a":"' + b"a" * (1 << 20) + b'"}', "larger than 1 MiB"),
        (b'{"a":' * 100_000, "not valid JSON"),
        (json.dumps({"properties": {str(n): {} for n in range(501)}}).encode(), "more than 500 fields"),
        (b'{"properties":{"a":{"enum":[' + b"[" * 70 + b"]" * 70 + b"]}}}", "nested too deeply"),
    ],
)
def test_a_schema_that_cannot_be_used_says_why(text: bytes, words: str) -> None:
    with pytest.raises(SchemaError, match=words):
        schema.parse(text)


def test_five_hundred_fields_are_fine_and_required_may_be_nonsense() -> None:
    text = json.dumps(
        {"properties": {str(n): {"type": "string"} for n in range(500)}, "required": True}
    ).encode()
    assert len(schema.parse(text).fields) == 500
    assert not any(field.required for field in form({"a": {}}, "a", required=[7]).fields)
