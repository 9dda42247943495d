"""One answer for every surface: what a function returned, and what any server's result means without MCP."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass

import msgspec
import pytest

from bridge.core.protocol.jsonrpc import peek
from bridge.tools.results import Prose, Report, call_result, failed, failure_of, result_of
from tests.core.wire_messages import failure, response


@dataclass
class Post:
    likes: int
    text: str


class Colour(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        (5, '{"result":5}'),
        (5.0, '{"result":5.0}'),
        (12345678901234567890, '{"result":12345678901234567890}'),
        ("five", '{"result":"five"}'),
        (None, "{}"),
        ([1, 2], '{"result":[1,2]}'),
        ((1, "b"), '{"result0":1,"result1":"b"}'),
        ((1,), '{"result":1}'),
        (Post(3, "hi"), '{"result":{"likes":3,"text":"hi"}}'),
        (Colour.RED, '{"result":"red"}'),
        ({"result": 1}, '{"result":{"result":1}}'),
    ],
)
def test_what_a_function_returns_is_text_and_structure_alike_and_its_types_survive(value, answer):
    result = result_of(value)
    assert result["content"] == [{"type": "text", "text": answer}]
    assert msgspec.json.encode(result["structuredContent"]).decode() == answer


def test_prose_is_sent_as_text_unchanged():
    assert result_of(Prose("# Hello")) == {"content": [{"type": "text", "text": "# Hello"}]}


def test_a_report_is_prose_for_the_model_and_data_for_a_program():
    result = json.loads(msgspec.json.encode(result_of(Report("**3** likes", Post(3, "hi")))))
    assert result["content"] == [{"type": "text", "text": "**3** likes"}]
    assert result["structuredContent"] == {"result": {"likes": 3, "text": "hi"}}


def test_a_value_json_cannot_hold_is_a_type_error():
    with pytest.raises(TypeError):
        result_of(object())


def said(result):
    return call_result(peek(response(b"1", result)))


def text(*words):
    return [{"type": "text", "text": word} for word in words]


IMAGE = {"type": "image", "data": "AA==", "mimeType": "image/png"}


@pytest.mark.parametrize(
    ("result", "body"),
    [
        ({"content": text("hello")}, {"result": "hello"}),
        ({"content": []}, {}),
        ({}, {}),
        ({"content": text("a", "b")}, {"result0": "a", "result1": "b"}),
        ({"content": [*text("a"), IMAGE]}, {"result0": "a", "result1": IMAGE}),
        ({"content": [{"type": "text"}]}, {"result": {"type": "text"}}),
        ({"content": text("x"), "structuredContent": {"a": 1}}, {"result": {"a": 1}}),
        ({"content": text("x"), "structuredContent": {"result": 5}}, {"result": 5}),
        ({"structuredContent": {"result0": 5, "result1": 6}}, {"result0": 5, "result1": 6}),
        ({"structuredContent": {"result": 5, "more": 6}}, {"result": {"result": 5, "more": 6}}),
        ({"structuredContent": {}}, {}),
        ({"content": text("x"), "structuredContent": None}, {"result": "x"}),
    ],
)
def test_every_result_of_a_server_has_one_answer(result, body):
    answer = said(result)
    assert (answer.status, json.loads(answer.body), answer.failed) == (200, body, False)


def test_numbers_leave_as_they_came():
    raw = b'{"structuredContent": {"a": 1.0, "b": 123456789012345678901234567890, "c": 1e2}}'
    body = said(raw).body
    assert body == b'{"result":{"a":1.0,"b":123456789012345678901234567890,"c":1e2}}'


def test_a_person_reads_the_text_and_where_there_is_more_than_text_the_json():
    assert said({"content": text("**a**", "b")}).text == "**a**\nb"
    assert said({"content": [*text("a"), IMAGE]}).text.startswith('a\n{\n  "type": "image"')
    assert said({}).text == ""
    assert said(json.loads(msgspec.json.encode(result_of("tea")))).text == "tea"
    assert said(json.loads(msgspec.json.encode(result_of([1])))).text == "[\n  1\n]"


@pytest.mark.parametrize(
    ("result", "status", "exit_code"),
    [
        ({"content": text("no"), "isError": True}, 500, 5),
        (failure_of("no"), 500, 5),
        (failure_of("no", "arguments"), 400, 1),
        (failure_of("no", "expired"), 504, 4),
        (failure_of("no", "network"), 500, 2),
        (failure_of("no", "not found"), 500, 3),
    ],
)
def test_a_tools_own_failure_has_a_status_and_an_exit_code(result, status, exit_code):
    answer = said(result)
    assert answer.exit_code == exit_code
    assert (answer.status, answer.body, answer.text, answer.failed) == (
        status,
        b'{"error":"no"}',
        "no",
        True,
    )


@pytest.mark.parametrize(("code", "status"), [(-32602, 400), (-32001, 504), (-32603, 500), (7, 500)])
def test_a_protocol_error_has_a_status(code, status):
    answer = call_result(peek(failure(b"1", {"code": code, "message": "no"})))
    assert (answer.status, answer.body) == (status, b'{"error":"no"}')


@pytest.mark.parametrize("result", [{"content": 5}, {"content": [5]}, {"isError": "maybe"}])
def test_a_result_that_makes_no_sense_is_a_failure_in_words(result):
    answer = said(result)
    assert answer.status == 500
    assert "invalid answer" in answer.text


def test_a_failure_without_words_gets_some():
    assert json.loads(failed(500, "").body) == {"error": "The function failed and did not say why."}
