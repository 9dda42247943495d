"""Schemas as providers want them, and what comes back."""

from __future__ import annotations

import pytest

from bridge.core.sampling.structured import NotJson, check, described, read, resolve, strict, without_nulls

NAME = {"type": "object", "properties": {"first": {"type": "string"}}}
PERSON = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "name": {"$ref": "#/$defs/Name", "description": "theirs"},
        "age": {"type": ["integer", "null"]},
        "tags": {"type": "array", "items": {"type": "string"}, "default": []},
        "pet": {"oneOf": [NAME, {"type": "string"}]},
        "all": {"allOf": [{"$ref": "#/$defs/Name"}]},
    },
    "required": ["tags"],
    "$defs": {"Name": NAME},
}


def test_strict_objects_are_closed_and_require_everything_optional_parts_may_be_null():
    made = strict(PERSON)
    assert made is not None
    assert made["required"] == ["name", "age", "tags", "pet", "all"]
    assert made["additionalProperties"] is False
    name = {
        "type": "object",
        "properties": {"first": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
        "required": ["first"],
        "additionalProperties": False,
    }
    assert made["properties"] == {
        "name": {"anyOf": [{**name, "description": "theirs"}, {"type": "null"}]},
        "age": {"type": ["integer", "null"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "pet": {"anyOf": [{"anyOf": [name, {"type": "string"}]}, {"type": "null"}]},
        "all": {"anyOf": [{"allOf": [{"$ref": "#/$defs/Name"}]}, {"type": "null"}]},
    }
    assert made["$defs"] == {"Name": name}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {"x": {}}, "additionalProperties": True},
        {"type": "object", "properties": {"x": {}}, "patternProperties": {"a": {}}},
        {"type": "object", "properties": {"x": True}},
        {"type": "array"},
        {"type": "object", "properties": {"x": {"$ref": "#/properties/x", "title": "itself"}}},
    ],
)
def test_what_strict_mode_cannot_express_is_sent_as_it_is(schema):
    assert strict(schema) is None


def test_nulls_that_strict_mode_made_are_removed_and_nulls_that_are_meant_stay():
    answer = {
        "name": {"first": None},
        "age": None,
        "tags": ["a"],
        "pet": {"first": None},
        "all": None,
        "odd": None,
    }
    assert without_nulls(answer, PERSON, PERSON) == {
        "name": {},
        "age": None,
        "tags": ["a"],
        "pet": {},
        "odd": None,
    }


def test_nulls_in_lists_and_of_required_properties():
    schema = {
        "type": "object",
        "properties": {"all": {"type": "array", "items": NAME}, "must": {}, "free": {"type": "array"}},
        "required": ["must"],
    }
    answer = {"all": [{"first": None}], "must": None, "free": [None]}
    assert without_nulls(answer, schema, schema) == {"all": [{}], "must": None, "free": [None]}


def test_a_schema_that_refers_to_itself_ends():
    loop: dict = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"anyOf": [True]}},
    }
    loop["$defs"]["A"]["anyOf"].append({"$ref": "#/$defs/A"})
    assert without_nulls({"x": None}, loop, loop) == {}


@pytest.mark.parametrize("reference", ["#", "#/$defs/B", "#/type/x", "https://example.org/schema", 3])
def test_references_elsewhere_mean_nothing(reference):
    assert resolve(PERSON, reference) == {}


def test_anthropics_subset_keeps_what_it_knows_and_describes_the_rest():
    assert described(
        {
            "type": "object",
            "properties": {
                "n": {"type": "integer", "minimum": 1, "description": "A number"},
                "when": {"type": "string", "format": "date"},
                "odd": {"type": "string", "format": "odd"},
                "few": {"type": "array", "items": {"type": "string"}, "minItems": 1},
                "many": {"type": "array", "minItems": 3},
                "one": {"oneOf": [{"type": "string"}, {"type": "null"}]},
                "both": {"allOf": [{"$ref": "#/$defs/A", "title": "x"}]},
                "bad": True,
            },
            "additionalProperties": True,
            "required": ["n"],
            "$defs": {"A": {"enum": [1]}},
        }
    ) == {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "description": "A number\n\n{minimum: 1}"},
            "when": {"type": "string", "format": "date"},
            "odd": {"type": "string", "description": '{format: "odd"}'},
            "few": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "many": {"type": "array", "description": "{minItems: 3}"},
            "one": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "both": {"allOf": [{"$ref": "#/$defs/A"}]},
            "bad": {},
        },
        "additionalProperties": False,
        "required": ["n"],
        "$defs": {"A": {"enum": [1]}},
    }


@pytest.mark.parametrize("text", ["Rome", "[1]", "3", '{"a":'])
def test_what_is_no_json_object_is_told_apart(text):
    with pytest.raises(NotJson):
        read(text)


def test_valid_data_is_left_as_it_is():
    assert check({"age": None, "tags": []}, PERSON) == ({"age": None, "tags": []}, "")
