"""Fields that want a file: how they say so, and what may be sent in them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.core.forms import files, schema
from bridge.core.forms.fields import Invalid, Value
from bridge.core.questions.question import Action, Answer, Mode, Question
from bridge.core.routing.asking import question_history
from bridge.system.masking import MASK


def field(**node: Any) -> schema.Field:
    asked = json.dumps({"type": "object", "properties": {"it": {"type": "string", **node}}})
    (made,) = schema.parse(asked.encode()).fields
    return made


@pytest.mark.parametrize(
    ("node", "encoding"),
    [
        ({"contentEncoding": "base64", "contentMediaType": "image/png"}, files.BASE64),
        ({"format": "data-url"}, files.DATA_URL),
        ({"format": "data-uri"}, files.DATA_URL),
        ({"contentEncoding": "quoted-printable"}, ""),
        ({}, ""),
    ],
)
def test_a_schema_says_how_it_wants_a_file(node: dict[str, Any], encoding: str):
    assert field(**node).encoding == encoding


def test_a_number_is_no_file():
    assert files.encoding_of({"type": "integer", "contentEncoding": "base64"}) == ""


@pytest.mark.parametrize("encoding", [files.BASE64, files.DATA_URL])
@pytest.mark.parametrize("media_type", ["image/png", ""])
def test_a_file_becomes_a_value_and_is_read_back(encoding: str, media_type: str):
    value = files.encode(encoding, b"\x89PNG", media_type)
    assert files.decode(encoding, value) == b"\x89PNG"
    asked = field(contentEncoding="base64") if encoding == files.BASE64 else field(format="data-url")
    assert asked.read(value) == Value(value)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (field(contentEncoding="base64"), "not base64!"),
        (field(contentEncoding="base64"), "é"),
        (field(format="data-url"), "https://example.org/a.png"),
    ],
)
def test_what_is_no_file_is_refused(asked: schema.Field, text: str):
    assert asked.read(text) == Invalid("This is not a file.")


def test_a_file_may_not_be_too_large(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(files, "LARGEST", 2_000_000)
    text = files.encode(files.BASE64, b"0" * 2_000_001, "")
    assert files.problem(files.BASE64, text) == "This file is larger than 2 MB."


@pytest.mark.parametrize(
    ("given", "wanted", "suits"),
    [
        ("image/png", "", True),
        ("image/png", "image/png", True),
        ("image/png", "image/*", True),
        ("text/plain", "image/*", False),
        ("image/png", "image/jpeg", False),
    ],
)
def test_a_file_suits_the_kind_that_is_wanted(given: str, wanted: str, suits: bool):
    assert files.suits(given, wanted) is suits


def test_the_history_has_no_file_in_it():
    node = {"type": "object", "properties": {"it": {"type": "string", "contentEncoding": "base64"}}}
    question = Question("q1", Mode.FORM, "s", "h", schema=json.dumps(node).encode())
    told, _ = question_history.sent(question, Answer(Action.ACCEPT, b'{"it":"AAAA"}'))
    assert told == {"it": "(file)"}


def test_a_form_that_cannot_be_read_has_no_files_in_it():
    question = Question("q1", Mode.FORM, "s", "h", schema=b'{"contentEncoding": ')
    told, _ = question_history.sent(question, Answer(Action.ACCEPT, b'{"it":"AAAA"}'))
    assert told == {"it": MASK}
