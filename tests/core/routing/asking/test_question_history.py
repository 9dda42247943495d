"""What history may know: who asked what and what was sent, short, and never a secret."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from bridge.core.questions.question import DECLINE, Mode, Question, accept
from bridge.core.routing.asking import question_history
from bridge.system.masking import MASK

FIELDS: dict[str, Any] = {
    "name": {"type": "string"},
    "apiKey": {"type": "string"},
    "note": {"type": "string", "title": "Your password"},
    "count": {"type": "integer"},
    "extra": {"type": "object"},
}
SCHEMA = json.dumps({"type": "object", "properties": FIELDS}).encode()
FORM = Question("q1", Mode.FORM, "github", "Claude", "Who is there?", "ask", SCHEMA)


def test_a_line_names_who_asked_what_and_how_long_it_took():
    line = question_history.line(FORM, "decline", 4.5, DECLINE)
    assert (line.kind, line.host, line.server, line.tool, line.outcome, line.seconds) == (
        "question",
        "Claude",
        "github",
        "ask",
        "decline",
        4.5,
    )
    assert line.facts == {"mode": "form", "message": "Who is there?"}


def test_what_was_sent_is_kept_without_what_looks_like_a_secret():
    content = {"name": "Ada", "apiKey": "k", "note": "hunter2", "count": 3, "extra": {"a": [1]}}
    kept = question_history.line(FORM, "accept", answer=accept(content)).facts["sent"]
    assert kept == {"name": "Ada", "apiKey": MASK, "note": MASK, "count": 3, "extra": {"a": [1]}}


def test_of_a_form_that_cannot_be_read_only_the_names_are_kept():
    odd = replace(FORM, schema=b'{"type":"object","properties":{"x":{"$ref":"https://example.org/s"}}}')
    assert question_history.line(odd, "accept", answer=accept({"x": "hunter2"})).facts["sent"] == {"x": MASK}


def test_nothing_is_kept_at_length():
    content = {"name": "n" * 5000, "extra": {"list": ["x" * 100] * 100}, **{str(n): n for n in range(200)}}
    line = question_history.line(replace(FORM, message="m" * 9000), "accept", answer=accept(content))
    assert line.facts["message"] == "m" * (question_history.MESSAGE - 1) + "…"
    kept = line.facts["sent"]
    assert isinstance(kept, dict)
    assert len(kept) == question_history.FIELDS
    assert {len(kept["name"]), len(kept["extra"])} == {question_history.VALUE}


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("https://example.org/login?code=1&state=2#t=3", "https://example.org/login"),
        ("https://user:pass@example.org", "https://example.org"),
        ("https://example.org?key=1", "https://example.org"),
        ("javascript:alert(1)", ""),
    ],
)
def test_a_page_is_kept_without_its_keys(url, page):
    question = replace(FORM, mode=Mode.URL, url=url, message="")
    assert question_history.line(question, "accept", answer=accept()).facts == {"mode": "url", "page": page}


def test_what_the_host_itself_asked_is_told_too():
    line = question_history.relayed(FORM, b'{"action":"accept","content":{"name":"Ada","apiKey":"k"}}', 3.0)
    assert (line.outcome, line.seconds) == ("accept", 3.0)
    assert line.facts["sent"] == {"name": "Ada", "apiKey": MASK}
    assert line.facts["asked by"] == "the app"
    assert "sent" not in question_history.relayed(FORM, b'{"action":"decline"}', 0.0).facts


@pytest.mark.parametrize(
    "result", [b"", b"[]", b'{"action":5}', b'{"action":"accept","content":5}', b"[" * 9999]
)
def test_an_answer_that_makes_no_sense_is_an_answer(result):
    line = question_history.relayed(FORM, result, 0.0)
    assert line.outcome == "answered"
    assert "sent" not in line.facts


def test_secret_answers_are_told_to_whoever_masks_and_stored_nowhere():
    answer = accept({"apiKey": "open sesame", "name": "Ann"})
    record = question_history.line(FORM, "accept", 1.0, answer)
    assert record.secrets == ("open sesame",)
    assert record.facts["sent"] == {"apiKey": MASK, "name": "Ann"}
