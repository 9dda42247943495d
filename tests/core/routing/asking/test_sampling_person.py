"""Sampling: the person answers in place of a model, or changes what is sent and returned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bridge.core import events as ev
from bridge.core.ports import ServerSpec
from bridge.core.questions.question import DECLINE, Action, Answer, Mode, accept
from bridge.core.sampling.rules import USUAL_RULES, SamplingRules
from tests.core.fake_peers import Wire, script
from tests.core.routing.asking.sampling_samples import (
    ALWAYS,
    ANSWER,
    HELLO,
    METHOD,
    MODEL,
    SCHEMA,
    TOOLS,
    YES,
    asking,
    files,
    wired,
)
from tests.core.sampling.requests import (
    SCHEMA_TOOL,
    WEATHER,
    assistant,
    image,
    made,
    text,
    tool_result,
    tool_use,
    user,
)
from tests.core.wire_messages import raw, strict

PERSON = USUAL_RULES  # app, else model, else the person


def test_the_person_answers_in_words():
    wire, _ = asking(PERSON)
    question = wire.question()
    assert question.mode is Mode.FORM
    assert "in place of a model" in question.message
    assert "Choose one under Models" in question.message
    wire.person(accept({"answer": "Hello yourself."}))
    assert files(wire).last().result == {
        "role": "assistant",
        "content": text("Hello yourself."),
        "model": "person",
        "stopReason": "endTurn",
    }


def test_the_person_answers_structured_output_by_the_same_form_as_any_question():
    wire = wired(plot=script(sampling="person"))
    wire.legacy_host().calls()
    files(wire).asks(b"9", SCHEMA, METHOD)
    assert strict(wire.question().schema) == SCHEMA_TOOL["inputSchema"]
    assert "Choose one" not in wire.question().message, "the person wants to answer this server"
    wire.person(accept({"city": "Rome"}))
    assert files(wire).last().result["content"]["input"] == {"city": "Rome"}
    assert files(wire).last().result["model"] == "person"


def test_a_program_that_answers_for_the_person_with_invalid_data_is_an_error():
    wire, _ = asking(PERSON, SCHEMA)
    wire.person(accept({"people": 3}))
    assert "Missing: city" in files(wire).last().error["message"]


def test_the_person_declines_to_answer():
    wire, _ = asking(PERSON)
    wire.person(DECLINE)
    assert files(wire).last().error["code"] == -1


def test_a_muted_server_is_refused():
    wire, _ = asking()
    wire.feed(ev.Muted("files", wire.state.epoch + 60))
    assert files(wire).last().error["code"] == -1
    files(wire).asks(b"10", HELLO, METHOD)
    assert files(wire).last().error["code"] == -1
    assert wire.samples == []


def test_the_rules_of_one_server_do_not_concern_another():
    other = ServerSpec("other", command="x")
    rules = SamplingRules((replace(MODEL, servers=("files",)),), person=False)
    assert rules.here(other, has_desk=True) == frozenset()


# --- what the person changes, and the answer before it is returned --------------------------------------


def test_a_message_the_person_rewrote_is_what_is_sent():
    wire, _ = asking(params=strict(made(user(text("Sum up."), image()), assistant(text("Of what?")))))
    seen = wire.question().review
    assert seen is not None
    assert seen.editable
    assert [one.editable for one in seen.messages] == [True, True]
    wire.person(accept({"texts": {"0": "Say hello."}}))
    first, second = wire.samples[0].request.messages
    assert [block["type"] for block in first.blocks] == ["text", "image"]
    assert (first.blocks[0]["text"], second.blocks[0]["text"]) == ("Say hello.", "Of what?")


def test_messages_with_calls_or_several_texts_cannot_be_rewritten():
    messages = [user(text("a"), text("b")), assistant(tool_use("a")), user(tool_result("a", text("sun")))]
    wire, _ = asking(params=strict(made(*messages, tools=[WEATHER])))
    seen = wire.question().review
    assert seen is not None
    assert [one.editable for one in seen.messages] == [False, False, False]


@pytest.mark.parametrize("changes", [{"texts": {"7": "x"}}, {"texts": {"-1": "x"}}])
def test_changes_that_fit_no_message_are_refused(changes):
    wire, _ = asking()
    wire.person(accept(changes))
    assert wire.samples == []
    assert files(wire).last().error["code"] == -32602


CHECKED = SamplingRules((MODEL,), allow=("files",), check_answers=True)
CALL = {"type": "tool_use", "id": "a", "name": "weather", "input": {"city": "Rome"}}
DATA = {**CALL, "name": "__schema__"}


def checking(params: Any = HELLO, content: Any = None) -> Wire:
    """A model has answered, and the person is to see it."""
    wire, _ = asking(CHECKED, params)
    wire.model_says({**ANSWER, "content": content or text("Hi.")})
    assert files(wire).last().method != "sampling/createMessage"
    return wire


def test_the_answer_is_shown_before_it_is_returned_if_the_settings_say_so():
    wire = checking()
    question = wire.question()
    seen = question.review
    assert seen is not None
    assert (question.mode, seen.answer_kind, seen.answer, seen.model) == (
        Mode.SAMPLING,
        "text",
        "Hi.",
        "local",
    )
    assert "The model local answered." in question.message
    wire.person(YES)
    assert files(wire).last().json["result"] == ANSWER


def test_the_answer_is_shown_before_it_is_returned_if_the_person_asks_for_it():
    wire, _ = asking()
    wire.person(Answer(Action.ACCEPT, check_answer=True))
    wire.model_says(ANSWER)
    wire.person(accept({"answer": "Hello."}))
    assert files(wire).last().json["result"] == {**ANSWER, "content": text("Hello.")}


def test_an_answer_the_person_keeps_back_is_refused():
    wire = checking()
    wire.person(DECLINE)
    assert files(wire).last().error["code"] == -1


def test_an_answer_the_person_left_as_it_is_is_returned_as_it_is():
    wire = checking(SCHEMA, [DATA])
    seen = wire.question().review
    assert seen is not None
    assert seen.answer_kind == "data"
    wire.person(accept({"answer": seen.answer}))
    assert files(wire).last().json["result"]["content"] == [DATA]


@pytest.mark.parametrize(
    ("params", "content", "typed", "returned"),
    [
        (SCHEMA, DATA, '{"city": "Oslo"}', {**DATA, "input": {"city": "Oslo"}}),
        (TOOLS, [text("So:"), CALL], raw([CALL]).decode(), [CALL]),
    ],
)
def test_data_and_calls_can_be_changed_too(params, content, typed, returned):
    wire = checking(params, content)
    wire.person(accept({"answer": typed}))
    assert files(wire).last().json["result"]["content"] == returned


@pytest.mark.parametrize(
    ("params", "content", "typed"),
    [
        (SCHEMA, DATA, "{}"),
        (SCHEMA, DATA, "{"),
        (SCHEMA, DATA, "[]"),
        (TOOLS, CALL, "{}"),
        (TOOLS, CALL, "[]"),
        (TOOLS, CALL, '[{"type": "nothing"}]'),
    ],
)
def test_an_answer_changed_into_nonsense_is_an_error(params, content, typed):
    wire = checking(params, content)
    wire.person(accept({"answer": typed}))
    assert files(wire).last().error["code"] == -32603


def test_always_for_this_server_returns_no_answer_that_is_being_checked():
    wire, _ = asking()
    files(wire).asks(b"10", HELLO, METHOD)
    first, second = wire.desk
    wire.person(Answer(Action.ACCEPT, check_answer=True), first)
    wire.model_says(ANSWER)
    wire.person(ALWAYS, second)
    assert [one.review.answer_kind for one in wire.desk if one.review] == ["text"]


def test_a_call_that_is_cancelled_takes_the_answer_off_the_desk():
    wire = checking()
    files(wire).withdraws(b"9")
    assert wire.desk == []
