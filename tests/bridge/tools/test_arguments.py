"""Arguments as people and programs give them, and as a tool's schema wants them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.tools import arguments
from bridge.tools.arguments import InvalidArguments, fit, from_words


def tool(*required: str, closed: bool = False, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {**schema, "additionalProperties": False} if closed else schema


NUMBER = {"type": "number"}
INTEGER = {"type": "integer"}
TEXT = {"type": "string"}
YES = {"type": "boolean"}
LIST = {"type": "array", "items": INTEGER}


@pytest.mark.parametrize(
    ("node", "given", "sent"),
    [
        (INTEGER, "5", "5"),
        (INTEGER, '"5"', "5"),
        (NUMBER, '"5.50"', "5.50"),
        (NUMBER, "12345678901234567890123", "12345678901234567890123"),
        (NUMBER, "1.0", "1.0"),
        (TEXT, '"5"', '"5"'),
        (YES, '"true"', "true"),
        ({"type": ["integer", "null"]}, '"null"', "null"),
        ({"type": ["integer", "string"]}, '"5"', '"5"'),
        ({"anyOf": [INTEGER, {"type": "null"}]}, '"5"', "5"),
        ({"oneOf": [INTEGER, TEXT]}, '"5"', '"5"'),
        ({"enum": [1, 2]}, '"2"', "2"),
        ({"const": 1}, '"1"', "1"),
        ({"$ref": "#/$defs/n"}, '"5"', "5"),
        (LIST, '["1",2]', "[1,2]"),
        (LIST, '"[1,2]"', "[1,2]"),
        (LIST, "[1, 2]", "[1, 2]"),
        ({"type": "object", "properties": {"a": INTEGER}}, '{"a":"1","b":"2"}', '{"a":1,"b":"2"}'),
        ({"type": "object", "properties": {"a": INTEGER}}, '{"a": 1}', '{"a": 1}'),
        ({"type": "object"}, '"{}"', "{}"),
        ({}, '"5"', '"5"'),
        (True, '"5"', '"5"'),
    ],
)
def test_a_string_is_converted_only_where_the_schema_allows_no_string(node, given, sent):
    schema = {**tool(x=node), "$defs": {"n": INTEGER}}
    assert fit("t", schema, b'{"x":' + given.encode() + b"}") == b'{"x":' + sent.encode() + b"}"


@pytest.mark.parametrize(
    ("schema", "given", "words"),
    [
        (tool("a", "b", a=INTEGER, b=INTEGER), "{}", "t needs a, b."),
        (tool(a=INTEGER), '{"a":"five"}', 'a must be of type integer, not "five".'),
        (tool(a=INTEGER), '{"a":"\\"5\\""}', "a must be of type integer"),
        (tool(a=INTEGER), '{"a":"[1]"}', "a must be of type integer"),
        (tool(a=INTEGER), '{"a":true}', "a must be of type integer, not true."),
        (tool(a=NUMBER), '{"a":"1e999"}', "a must be of type number"),
        (tool(a={"type": "banana"}), '{"a":1}', "a must be of type unknown"),
        (tool(a={"type": ["integer", "string"]}), '{"a":[]}', "of type string or integer, not []."),
        (tool(a={"enum": ["x", "y"]}), '{"a":"z"}', 'a must be one of "x", "y".'),
        (tool(a={"oneOf": [{"const": 1}, {"const": 2}]}), '{"a":"3"}', "a must be one of 1, 2."),
        (tool(a={"type": "integer", "minimum": 3}), '{"a":"2"}', "a: "),
        (tool(closed=True, a=INTEGER), '{"b":1}', "t has no argument called b. It has: a."),
        (tool(a=INTEGER), '{"a":1,"b":1}', "t has no argument called b. It has: a."),
        (tool(closed=True), '{"b":1}', "It has: none."),
        (tool(closed=True), json.dumps(dict.fromkeys(map(str, range(1000)))), "6, 7 and 992 more. It has"),
        (tool(), "[]", "must be one JSON object"),
        (tool(), "{", "Invalid JSON body: "),
        (tool(), "[" * 100_000, "Invalid JSON body: "),
        (tool(), b'{"a":"\xff"}', "Invalid JSON body: "),
        (tool(a=INTEGER), '{"a":1,"a":2}', "appears twice"),
        (tool(a=INTEGER), json.dumps({"a": "long " * 100}), "…"),
    ],
)
def test_arguments_that_do_not_fit_are_named(schema, given, words):
    with pytest.raises(InvalidArguments) as refused:
        fit("t", schema, given if isinstance(given, bytes) else given.encode())
    assert words in str(refused.value)


def test_arguments_that_fit_a_closed_schema_pass():
    assert fit("t", tool(closed=True, a=INTEGER), b'{"a":1}') == b'{"a":1}'


@pytest.mark.parametrize(
    "more",
    [
        {"additionalProperties": True},
        {"additionalProperties": {"type": "string"}},
        {"patternProperties": {"^x-": {}}},
        {"anyOf": [{"properties": {"b": INTEGER}}, {}]},
        {"properties": {}},
    ],
)
def test_arguments_that_are_not_listed_pass_where_the_schema_lets_them_in(more):
    assert fit("t", {**tool(a=INTEGER), **more}, b'{"b":"1"}') == b'{"b":"1"}'


def test_schemas_that_no_form_supports_are_left_to_the_server():
    schema = {"properties": {str(number): TEXT for number in range(600)}}
    assert fit("t", schema, b'{"1":"x"}') == b'{"1":"x"}'


def test_a_schema_that_refers_to_itself_for_ever_is_no_schema():
    around = {"$ref": "#/$defs/a"}
    assert arguments.resolve(around, {"$defs": {"a": around}}) == {}
    assert arguments.resolve({"$ref": "https://example.com/x"}, {}) == {}
    assert arguments.resolve({"$ref": "#/$defs/a~1b"}, {"$defs": {"a/b": TEXT}}) == TEXT


def test_arguments_nested_too_deep_are_sent_unchanged():
    node: dict[str, Any] = {"type": "object"}
    node["properties"] = {"a": {"$ref": "#/properties/x"}}
    deep = b'{"a":' * 40 + b"1" + b"}" * 40
    assert fit("t", tool(x=node), b'{"x":' + deep + b"}") == b'{"x":' + deep + b"}"


def test_schemas_of_any_shape_are_read():
    assert arguments.properties({"properties": 5}) == {}
    assert arguments.required({"required": 5}) == []
    assert arguments.required({"required": ["a", 5]}) == ["a"]
    assert arguments.types({"anyOf": [TEXT, {}]}, {}) == frozenset()
    assert arguments.types({"enum": 5}, {}) == frozenset()
    assert arguments.types({"anyOf": []}, {}) == frozenset()


@pytest.mark.parametrize(
    ("words", "sent"),
    [
        (["n=5", "t=5", "y=true"], {"n": 5, "t": "5", "y": True}),
        (["t=a=b"], {"t": "a=b"}),
        (["t="], {"t": ""}),
        (["l=1", "l=2"], {"l": [1, 2]}),
        (["l=[1,2]", "l=3"], {"l": [1, 2, 3]}),
        (["l=1"], {"l": [1]}),
        (['o={"a":"1"}'], {"o": {"a": 1}}),
        (["x=5", "z=five"], {"x": 5, "z": "five"}),
        ([], {}),
    ],
)
def test_words_of_a_command_line_are_read_by_the_schema(words, sent):
    shape = {"type": "object", "properties": {"a": INTEGER}}
    schema = {**tool(n=INTEGER, t=TEXT, y=YES, l=LIST, o=shape), "additionalProperties": True}
    pairs = [(word.partition("=")[0], word.partition("=")[2]) for word in words]
    assert json.loads(fit("t", schema, from_words("t", schema, pairs))) == sent


def test_only_a_list_argument_may_be_repeated():
    with pytest.raises(InvalidArguments, match="t is given more than once"):
        from_words("t", tool(t=TEXT), [("t", "a"), ("t", "b")])


def test_a_required_argument_with_a_default_is_filled_in():
    schema = tool("depth", "name", depth={**INTEGER, "default": 3}, name=TEXT)
    assert json.loads(fit("t", schema, b'{"name":"a"}')) == {"name": "a", "depth": 3}
    assert json.loads(fit("t", schema, b'{"name":"a","depth":5}')) == {"name": "a", "depth": 5}
    with pytest.raises(InvalidArguments, match="t needs name"):
        fit("t", schema, b"{}")
