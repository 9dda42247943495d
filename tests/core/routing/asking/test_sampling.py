"""A server asks for a model: the host answers, or a model here, or the person; or it was not offered at all.

The rules of a local answerer that need a server and a host to be seen; the others are in
tests/core/sampling/test_rules.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from bridge.core import events as ev
from bridge.core.questions.question import Mode, accept
from bridge.core.sampling import kept_messages
from bridge.core.sampling.rules import USUAL_RULES, SamplingRules
from tests.core.fake_peers import Wire
from tests.core.routing.asking.sampling_samples import (
    ALLOWED,
    ALWAYS,
    ANSWER,
    DONE,
    FAR,
    HELLO,
    METHOD,
    MODEL,
    SCHEMA,
    YES,
    asking,
    files,
)
from tests.core.sampling.requests import (
    WEATHER,
    assistant,
    image,
    made,
    request,
    text,
    tool_result,
    tool_use,
    user,
)
from tests.core.wire_messages import FORM, strict

# --- a model answers ------------------------------------------------------------------------------------


def test_before_anything_is_sent_the_person_sees_who_asks_what_and_which_model():
    wire, _ = asking(
        params=strict(made(user(text("Sum up."), image()), systemPrompt="Be brief.", temperature=0.5))
    )
    question = wire.question()
    assert (question.mode, question.server, question.host, question.tool) == (
        Mode.SAMPLING,
        "files",
        "Claude",
        "summarise",
    )
    assert wire.samples == []
    seen = question.review
    assert seen is not None
    assert (seen.model, seen.model_id, seen.place, seen.is_local) == ("local", "qwen3", "127.0.0.1:1", True)
    assert seen.system == "Be brief."
    assert seen.messages[0].text == "Sum up."
    assert seen.messages[0].files[0].mime_type == "image/png"
    assert seen.parameters == (("maxTokens", "100"), ("temperature", "0.5"))
    assert question.message == (
        "To the model local (qwen3, on this computer): about 1605 tokens, at most 100 back.\n"
        "\nSystem:\nBe brief.\n\nUser:\nSum up.\n[image/png]\n\nmaxTokens 100, temperature 0.5"
    )


def test_the_review_tells_the_cost_the_tools_and_what_was_said_before():
    messages = [user(text("?")), assistant(tool_use("a", city="Rome")), user(tool_result("a", text("sun")))]
    rules = SamplingRules((replace(FAR, tools=True),))
    params = strict(
        made(
            *messages,
            tools=[WEATHER],
            stopSequences=["."],
            metadata={"user": "me"},
            modelPreferences={"hints": [{"name": "big"}]},
        )
    )
    wire, _ = asking(rules, params)
    words = wire.question().message
    assert "far (big, at models.example)" in words
    assert "which may cost 0.0005" in words
    assert '→ weather {"city":"Rome"}' in words
    assert "←\n\nsun" in words
    assert 'stopSequences ["."], metadata {"user":"me"}, hints big' in words
    assert words.endswith("Tools: weather")


def test_a_long_request_is_shown_in_part():
    wire, _ = asking(params=strict(made(user(text("x" * 30_000)))))
    assert len(wire.question().message) == 20_000


def test_when_the_person_sends_it_the_models_answer_goes_to_the_server():
    wire, host = asking()
    wire.person(YES)
    assert wire.samples[0].model is MODEL
    wire.model_says(ANSWER)
    assert files(wire).last().json == {"jsonrpc": "2.0", "id": 9, "result": ANSWER}
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.last().result == DONE


def test_what_the_person_changed_is_what_is_sent():
    wire, _ = asking()
    wire.person(accept({"systemPrompt": "Be kind.", "maxTokens": 5}))
    assert (wire.samples[0].request.system, wire.samples[0].request.max_tokens) == ("Be kind.", 5)


def test_what_the_person_changed_into_nonsense_is_not_sent():
    wire, _ = asking()
    wire.person(accept({"maxTokens": 0}))
    assert wire.samples == []
    assert files(wire).last().error["code"] == -32602


def test_always_for_this_server_is_remembered_and_answers_what_else_waits():
    wire, _ = asking()
    files(wire).asks(b"10", HELLO, METHOD)
    files(wire).asks(b"11", FORM)
    wire.person(ALWAYS, wire.desk[0])
    assert wire.allowed == ["files"]
    assert len(wire.samples) == 2
    assert [question.mode for question in wire.desk] == [Mode.FORM]


def test_a_server_that_is_always_allowed_is_not_asked_about():
    wire, _ = asking(ALLOWED)
    assert wire.desk == []
    assert len(wire.samples) == 1


def test_the_history_knows_the_model_the_tokens_and_the_answer():
    wire, host = asking(ALLOWED)
    wire.state.now += 2.0
    wire.model_says(ANSWER)
    line = wire.records[-1]
    assert (line.kind, line.host, line.server, line.tool, line.outcome, line.seconds) == (
        "question",
        "Claude",
        "files",
        "summarise",
        "answered",
        2.0,
    )
    assert line.facts["model"] == "local"
    assert (line.facts["tokens in"], line.facts["tokens out"], line.facts["answer"]) == (7, 3, "Hi.")
    assert "Hello" in str(line.facts["message"])
    files(wire).replies(files(wire).calls[-1], DONE)
    assert "'model': 'local'" in str(wire.records[-1].facts["questions"])
    assert host.last().result == DONE


def test_structured_answers_and_calls_are_in_the_history_too():
    wire, _ = asking(ALLOWED, SCHEMA)
    call = {"type": "tool_use", "id": "a", "name": "__schema__", "input": {"city": "Rome"}}
    wire.model_says({**ANSWER, "content": [text("So:"), call]})
    assert wire.records[-1].facts["answer"] == 'So:\n\n{"city":"Rome"}'


def test_the_history_has_the_exchange_as_messages_that_can_be_sent_on():
    asked = [user(text("Sum up."), image()), assistant(tool_use("a")), user(tool_result("a", image()))]
    wire, _ = asking(ALLOWED, strict(made(*asked, systemPrompt="Be brief.")))
    wire.model_says(ANSWER)
    facts = wire.records[-1].facts
    first, call, result, answer = messages_of(wire)
    assert first == {"role": "user", "content": [text("Sum up."), text("[image/png]")]}
    assert call["content"][0]["type"] == "tool_use"
    assert result["content"][0]["content"] == [text("[image/png]")]
    assert answer == {"role": "assistant", "content": [text("Hi.")]}
    assert facts["system"] == "Be brief."
    files(wire).replies(files(wire).calls[-1], DONE)
    assert "messages" not in str(wire.records[-1].facts["questions"]), "they have a line of their own"


def messages_of(wire: Wire) -> list[Any]:
    return cast("list[Any]", wire.records[-1].facts["messages"])


def test_an_exchange_of_structured_output_has_three_messages():
    wire, _ = asking(ALLOWED, SCHEMA)
    call = {"type": "tool_use", "id": "a", "name": "__schema__", "input": {"city": "Rome"}}
    wire.model_says({**ANSWER, "content": call})
    _, answer, closing = messages_of(wire)
    assert answer == {"role": "assistant", "content": [call]}
    assert closing["content"][0]["toolUseId"] == "a"


@pytest.mark.parametrize(
    ("messages", "kept", "first"),
    [
        ([user(text("x" * 10_000))], 1, "x" * 3_999 + "…"),
        ([user(text("x" * 4_000))] * 11 + [user(text("last"))], 1, "last"),
        ([user(text("short"))] * 20, 20, "short"),
    ],
)
def test_what_the_history_keeps_of_an_exchange_is_bounded(messages, kept, first):
    found = kept_messages.asked(request(*messages))
    assert (len(found), found[0]["content"][0]["text"]) == (kept, first)


def test_a_question_to_the_person_is_a_call_of_the_assistant_and_its_result():
    question, answer = kept_messages.elicited("pick", "e1", "Which?", {"city": "Rome"})
    assert question == {"role": "assistant", "content": [text("Which?"), tool_use("e1", "pick")]}
    assert answer == {"role": "user", "content": [tool_result("e1", text('{"city":"Rome"}'))]}


def test_a_long_input_of_a_call_is_cut_in_the_history():
    (message,) = kept_messages.answered([tool_use("a", body="x" * 10_000)])
    assert len(message["content"][0]["input"]["cut"]) == 4_000


@pytest.mark.parametrize(
    ("params", "answer", "structured"),
    [
        ({**HELLO, "systemPrompt": "Be brief."}, {"answer": "Hi."}, False),
        (SCHEMA, {"city": "Rome"}, True),
    ],
)
def test_what_the_person_answered_for_a_model_is_an_exchange_too(params, answer, structured):
    wire, _ = asking(USUAL_RULES, params)
    wire.person(accept(answer))
    facts = wire.records[-1].facts
    assert messages_of(wire)[0]["role"] == "user"
    assert (facts["structured"], facts["sent"]) == (structured, answer)
    assert facts.get("system") == params.get("systemPrompt")


def test_a_model_that_fails_is_an_error_to_the_server_never_a_made_up_text():
    wire, _ = asking(ALLOWED)
    wire.feed(ev.Sampled(wire.samples[0].id, problem="The model local is out of credit."))
    assert files(wire).last().error == {"code": -32603, "message": "The model local is out of credit."}
    assert (wire.records[-1].outcome, wire.records[-1].detail) == (
        "failed",
        "The model local is out of credit.",
    )


def test_the_clock_of_the_call_stands_still_while_a_model_thinks():
    wire, host = asking(ALLOWED)
    wire.passes(200.0)
    wire.model_says(ANSWER)
    wire.passes(100.0)
    assert host.replies.get(b"2") is None
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.last().result == DONE
