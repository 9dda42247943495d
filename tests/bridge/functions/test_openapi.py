"""OpenAPI of any server's tools: one valid document."""

from __future__ import annotations

from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from bridge.functions.openapi import Function, document
from bridge.functions.schema_cleanup import clean_schema, move_schema


def function(name: str = "echo", server: str = "files", **tool: Any) -> Function:
    return Function(server, name, f"{server}_{name}", {"name": name, **tool})


def test_each_tool_is_an_operation_of_its_name_with_a_tag_for_its_server():
    whole = document([function(title="Echo", description="Says it"), function("add", "math")], "1")
    assert whole["openapi"] == "3.1.0"
    assert list(whole["paths"]) == ["/functions/files_echo", "/functions/math_add"]
    operation = whole["paths"]["/functions/files_echo"]["post"]
    assert operation["operationId"] == "files_echo"
    assert (operation["summary"], operation["description"]) == ("Echo", "Says it")
    assert operation["tags"] == ["files"]
    assert [tag["name"] for tag in whole["tags"]] == ["files", "math"]
    assert {"200", "400", "404", "500", "504"} <= set(operation["responses"])
    assert whole["security"] == [{"token": []}]
    assert whole["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    error = whole["components"]["responses"]["404"]["content"]["application/json"]["schema"]
    assert error == {"$ref": "#/components/schemas/Error"}


def test_servers_that_told_nothing_are_named():
    about = document([], "1", missing=["files", "mail"])["info"]["description"]
    assert "Not in this document: files, mail, as no list came from there." in about
    assert "Not in this document" not in document([], "1")["info"]["description"]


def test_a_cgi_document_wants_no_token():
    whole = document([], "1", "/tools", needs_token=False)
    assert (whole["servers"], whole["security"]) == ([{"url": "/tools"}], [])


def schemas(**tool: Any) -> tuple[Any, Any]:
    parts = document([function(**tool)], "1")["components"]["schemas"]
    return parts["files_echo.arguments"], parts["files_echo.answer"]


def test_arguments_are_an_object_and_needed_when_one_of_them_is():
    whole = document([function(inputSchema={"properties": {"a": {}}, "required": ["a"]})], "1")
    assert whole["paths"]["/functions/files_echo"]["post"]["requestBody"]["required"] is True
    assert schemas(inputSchema=None)[0] == {"type": "object"}


def test_the_schema_of_an_answer_fits_the_answer():
    answer = {"type": "object", "properties": {"result": {"type": "integer"}}, "required": ["result"]}
    assert schemas(outputSchema=answer)[1] == answer
    several = {"type": "object", "properties": {"result0": {}, "result1": {}}}
    assert schemas(outputSchema=several)[1] == several
    weather = {"type": "object", "properties": {"rain": {"$ref": "#/$defs/r"}}, "$defs": {"r": {}}}
    inner = schemas(outputSchema=weather)[1]["properties"]["result"]
    assert inner["properties"]["rain"] == {
        "$ref": "#/components/schemas/files_echo.answer/properties/result/$defs/r"
    }
    assert schemas()[1]["type"] == "object"


def test_references_follow_their_schema_into_the_document():
    tree = {"type": "object", "properties": {"left": {"$ref": "#"}, "other": {"$ref": "#/$defs/x"}}}
    parts = schemas(inputSchema={**tree, "$defs": {"x": {"type": "string"}}})[0]
    assert parts["properties"] == {
        "left": {"$ref": "#/components/schemas/files_echo.arguments"},
        "other": {"$ref": "#/components/schemas/files_echo.arguments/$defs/x"},
    }


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (5, {}),
        (True, {}),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "$id": "x", "title": "T"}, {"title": "T"}),
        ({"type": "banana"}, {}),
        ({"type": ["string", "string"]}, {}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"type": []}, {}),
        ({"properties": 5}, {}),
        ({"properties": {"a": 5, "b": True}}, {"properties": {"a": {}, "b": True}}),
        ({"required": True}, {}),
        ({"required": ["a", "a"]}, {}),
        ({"items": [{"type": "string"}]}, {"prefixItems": [{"type": "string"}]}),
        ({"items": 5}, {}),
        ({"anyOf": []}, {}),
        ({"anyOf": [{"minimum": 1}, {"minimum": "1"}]}, {"anyOf": [{"minimum": 1}, {}]}),
        ({"exclusiveMinimum": True, "minLength": -1, "multipleOf": 0}, {}),
        ({"pattern": "("}, {}),
        ({"pattern": 5}, {}),
        ({"pattern": "a+"}, {"pattern": "a+"}),
        ({"enum": []}, {}),
        ({"discriminator": 5, "x-own": 5}, {"x-own": 5}),
        ({"$ref": "https://example.com/s.json", "title": "T"}, {"title": "T"}),
        ({"$ref": "#/$defs/nowhere"}, {}),
        ({"$ref": "#/$defs/a/b/c", "$defs": {"a": True}}, {"$defs": {"a": True}}),
        ({"$ref": "#anchor"}, {}),
        ({"$ref": "#/title", "title": "T"}, {"title": "T"}),
        ({"enum": [{"$ref": "#/nowhere"}]}, {"enum": [{"$ref": "#/nowhere"}]}),
        ({"allOf": [{"not": {"if": {"type": 5}}}]}, {"allOf": [{"not": {"if": {}}}]}),
    ],
)
def test_invalid_keywords_are_removed_from_schemas(given, kept):
    assert clean_schema(given) == kept
    jsonschema.Draft202012Validator.check_schema(clean_schema(given))


def test_a_schema_without_end_ends():
    deep: dict[str, Any] = {}
    for _ in range(500):
        deep = {"items": deep}
    assert jsonschema.Draft202012Validator(clean_schema(deep)).is_valid(5)


def test_moving_leaves_data_alone():
    schema = {"items": {"$ref": "#"}, "default": {"$ref": "#"}, "additionalProperties": False}
    assert move_schema(schema, "#/x") == {
        "items": {"$ref": "#/x"},
        "default": {"$ref": "#"},
        "additionalProperties": False,
    }
