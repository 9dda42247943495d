"""Arguments that travel as headers too: which, how they are written, and which tools ask too much."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.core.protocol.param_headers import (
    ParamHeaders,
    UnusableSchema,
    decoded,
    encoded,
    headers,
    read_schema,
    read_tools_list,
)

REGION = {"type": "string", "x-mcp-header": "Region"}


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def test_marked_arguments_are_found_however_deep_properties_lead():
    asked = schema(
        region=REGION, plain={"type": "string"}, user=schema(age={"type": "integer", "x-mcp-header": "Age"})
    )
    assert read_schema(asked) == {("region",): "Region", ("user", "age"): "Age"}
    assert read_schema("no schema") == {}


@pytest.mark.parametrize(
    "asked",
    [
        {"x-mcp-header": "Root"},
        schema(a={"type": "number", "x-mcp-header": "A"}),
        schema(a={"type": ["string"], "x-mcp-header": "A"}),
        schema(a={"type": "string", "x-mcp-header": "two words"}),
        schema(a={"type": "string", "x-mcp-header": ""}),
        schema(a={"type": "string", "x-mcp-header": 1}),
        schema(a=REGION, b={"type": "string", "x-mcp-header": "region"}),
        schema(a={"type": "array", "items": REGION}),
        schema(a={"anyOf": [schema(b=REGION)]}),
        {"$defs": {"a": REGION}},
    ],
)
def test_what_no_client_may_send_makes_the_tool_unusable(asked: object):
    with pytest.raises(UnusableSchema):
        read_schema(asked)


def test_present_arguments_are_repeated_and_absent_ones_are_not():
    wanted: ParamHeaders = {
        ("region",): "Region",
        ("on",): "On",
        ("user", "age"): "Age",
        ("gone",): "Gone",
        ("x",): "X",
    }
    said = {"region": "eu", "on": True, "user": {"age": 7}, "gone": None, "x": ["no", "scalar"]}
    assert headers(wanted, said) == {"mcp-param-region": "eu", "mcp-param-on": "true", "mcp-param-age": "7"}
    assert headers({("user", "age"): "Age"}, {"user": "nobody"}) == {}
    assert headers({("on",): "On"}, {"on": False}) == {"mcp-param-on": "false"}


def test_a_text_that_is_no_header_value_is_wrapped_in_base64():
    assert encoded("plain") == decoded("plain") == "plain"
    assert encoded("Zürich") == "=?base64?WsO8cmljaA==?="
    assert decoded("=?base64?WsO8cmljaA==?=") == "Zürich"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_its_header(text: str):
    value = encoded(text)
    assert value.isascii()
    assert value == value.strip() or not text
    assert decoded(value) == text


@pytest.mark.parametrize("value", ["=?base64?***?=", "=?base64?YR==?=", "=?base64?/w==?="])
def test_a_wrapping_no_encoder_writes_is_nothing(value: str):
    assert decoded(value) is None


def test_a_list_of_tools_tells_what_to_repeat_and_loses_what_is_unusable():
    good = {"name": "good", "inputSchema": schema(region=REGION)}
    plain = {"name": "plain"}
    bad = {"name": "bad", "inputSchema": {"x-mcp-header": "Root"}}
    known: dict[str, ParamHeaders] = {"plain": {("old",): "Old"}, "bad": {("old",): "Old"}}
    listed = json.dumps({"tools": [good, plain, bad], "ttlMs": 5}).encode()
    assert json.loads(read_tools_list(listed, known)) == {"tools": [good, plain], "ttlMs": 5}
    assert known == {"good": {("region",): "Region"}}


def test_a_list_without_unusable_tools_stays_as_it_is():
    listed = b'{ "tools" : [ {"name":"plain"} ] }'
    assert read_tools_list(listed, {}) is listed
