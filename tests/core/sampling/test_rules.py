"""The rules that a local answerer of sampling must keep, where no server or host is needed to see them.

Those that concern routing are in tests/core/routing/asking/test_sampling.py.
"""

from __future__ import annotations

import base64

import pytest

from bridge.core.sampling import params
from bridge.core.sampling.completion import CompletedCall, Completion, person_result, result
from bridge.core.sampling.content import LARGEST_FILE, BadParams
from bridge.core.sampling.dialect import Dialect
from bridge.core.sampling.model_call import TOOL_HINT, ModelFailed
from bridge.core.sampling.model_choice import PROVIDERS, ModelSpec, choose
from tests.core.sampling.models import CLAUDE, LOCAL, OLLAMA, called, refusal
from tests.core.sampling.requests import (
    CITY,
    REQUIRED,
    SCHEMA_TOOL,
    WEATHER,
    assistant,
    audio,
    image,
    made,
    request,
    text,
    tool_result,
    tool_use,
    user,
)


def test_1_no_tools_in_the_request_exactly_one_content_block_an_object_never_an_array():
    reader = PROVIDERS["anthropic"].reader()
    blocks = [{"type": "thinking", "thinking": "hm"}, text("Hello "), text("world")]
    reader.feed({"type": "message", "model": "m", "content": blocks})
    answer = result(request(), reader.completion(), "m")
    assert answer["content"] == text("Hello world")


@pytest.mark.parametrize("more", [{"tools": []}, {"toolChoice": {"mode": "auto"}}, {"tools": [WEATHER]}])
def test_2_tools_or_tool_choice_present_an_answer_in_words_is_one_object_which_all_sdks_take(more):
    assert result(request(**more), Completion("m", "Hello"), "m")["content"] == text("Hello")


@pytest.mark.parametrize(
    "messages",
    [
        [user(text("?")), assistant(tool_use("a")), user(text("well"))],
        [user(text("?")), assistant(tool_use("a"))],
        [user(text("?")), assistant(tool_use("a"), tool_use("b")), user(tool_result("a"))],
        [
            user(text("?")),
            assistant(tool_use("a")),
            user(text("well")),
            assistant(tool_use("b")),
            user(tool_result("b")),
        ],
    ],
)
def test_4_each_tool_use_of_an_assistant_message_is_answered_all_at_once_in_the_next_message(messages):
    assert refusal(*messages) == "Tool result missing in request"


def test_4_tool_result_messages_hold_only_tool_results():
    messages = [user(text("?")), assistant(tool_use("a")), user(tool_result("a"), text("there"))]
    assert refusal(*messages) == "Tool results mixed with other content"


def test_5_tool_use_ids_are_unique_within_a_conversation_and_an_unknown_one_is_refused():
    twice = [assistant(tool_use("a")), user(tool_result("a"))] * 2
    assert "appears twice" in refusal(*twice)
    assert "answers no tool_use" in refusal(user(tool_result("x")))


def test_5_tool_use_ids_are_generated_where_the_provider_has_none():
    known = [user(text("?")), assistant(tool_use("call_1")), user(tool_result("call_1"))]
    calls = (CompletedCall("", "weather", {}), CompletedCall("", "weather", {}))
    answer = result(request(*known, tools=[WEATHER]), Completion("m", "", calls), "m")
    assert [block["id"] for block in answer["content"]] == ["call_2", "call_3"]


def test_6_parallel_tool_use_as_many_as_the_model_made():
    calls = (CompletedCall("a", "weather", {"city": "Rome"}), CompletedCall("b", "weather", {"city": "Oslo"}))
    answer = result(request(tools=[WEATHER]), Completion("m", "Let me see.", calls, "toolUse"), "m")
    assert answer["content"] == [
        text("Let me see."),
        tool_use("a", city="Rome"),
        tool_use("b", city="Oslo"),
    ]
    assert answer["stopReason"] == "toolUse"


def test_6_tool_choice_none_with_tools_they_are_omitted_unless_the_provider_knows_none():
    none = {"tools": [WEATHER], "toolChoice": {"mode": "none"}}
    assert "tools" not in called(OLLAMA, **none).body()
    assert called(LOCAL, **none).body()["tool_choice"] == "none"
    assert called(CLAUDE, **none).body()["tool_choice"] == {"type": "none"}


def test_6_required_that_the_provider_cannot_force_up_to_2_retries_with_the_hint_then_an_error():
    call = called(OLLAMA, tools=[WEATHER], **REQUIRED)
    assert call.completed(Completion("m", "Sunny.")) is None
    assert call.body()["messages"][-1]["content"] == "Hello" + TOOL_HINT
    assert call.completed(Completion("m", "Sunny!")) is None
    with pytest.raises(ModelFailed, match="did not call a tool"):
        call.completed(Completion("m", "Sunny, I say."))


def test_6_required_and_cut_off_is_told_as_cut_off():
    with pytest.raises(ModelFailed, match="cut off at 100 tokens"):
        called(tools=[WEATHER], **REQUIRED).completed(Completion("m", "Well…", stop="maxTokens"))


def test_6_a_call_with_broken_arguments_is_tried_again():
    call = called(tools=[WEATHER])
    assert call.completed(Completion("m", problem="The arguments cannot be read")) is None
    good = Completion("m", "", (CompletedCall("a", "weather", {}),), "toolUse")
    assert call.completed(good)["stopReason"] == "toolUse"


@pytest.mark.parametrize("cap", [None, 0, -1, "100", True, 1.5])
def test_7_max_tokens_is_a_must(cap):
    assert refusal(maxTokens=cap).startswith("maxTokens")


def test_7_max_tokens_is_not_sent_larger_than_the_providers_own_limit():
    small = ModelSpec("local", "openai", "http://127.0.0.1:1/v1", "qwen3", limit=50)
    assert called(small).body()["max_tokens"] == 50
    assert called(small, maxTokens=20).body()["max_tokens"] == 20


@pytest.mark.parametrize(
    ("kind", "part", "stop"),
    [
        ("openai", {"choices": [{"delta": {}, "finish_reason": "length"}]}, "maxTokens"),
        ("openai", {"choices": [{"delta": {}, "finish_reason": "odd"}]}, "odd"),
        ("openai", {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}, "endTurn"),
        ("anthropic", {"type": "message_delta", "delta": {"stop_reason": "stop_sequence"}}, "stopSequence"),
        (
            "anthropic",
            {"type": "message_delta", "delta": {"stop_reason": "model_context_window_exceeded"}},
            "maxTokens",
        ),
        ("anthropic", {"type": "message_delta", "delta": {"stop_reason": "pause_turn"}}, "endTurn"),
        ("ollama", {"done": True, "done_reason": "length"}, "maxTokens"),
        ("ollama", {"done": True}, "endTurn"),
    ],
)
def test_8_stop_reason_is_a_string_and_tool_use_exactly_when_there_is_a_tool_use_block(kind, part, stop):
    reader = PROVIDERS[kind].reader()
    reader.feed(part)
    assert result(request(tools=[WEATHER]), reader.completion(), "m")["stopReason"] == stop


def test_9_model_is_never_empty():
    assert result(request(), Completion(), "qwen3")["model"] == "qwen3"
    assert person_result("Hello")["model"] == "person"


def test_10_temperature_stop_and_metadata_are_dropped_on_the_providers_400_and_retried_once_without():
    call = called(temperature=0.5, stopSequences=["."], metadata={"user": "me"})
    assert {"temperature", "stop", "metadata"} <= call.body().keys()
    assert call.rejected(400, "temperature is not supported")
    assert not {"temperature", "stop", "metadata"} & call.body().keys()
    assert not call.rejected(400, "still not")


@pytest.mark.parametrize("kind", PROVIDERS)
def test_10_the_system_prompt_is_never_merged_with_words_of_ours(kind):
    def system(**more):
        body = PROVIDERS[kind].body(request(**more), Dialect("m"))
        roles = [one["content"] for one in body["messages"] if one["role"] == "system"]
        return [*roles, *filter(None, [body.get("system")])]

    assert system(systemPrompt="Be brief.") == ["Be brief."]
    assert system() == []


def test_10_other_failures_are_not_retried_without_parameters():
    assert not called(temperature=0.5).rejected(401, "no key")
    assert not called().rejected(400, "no")


CHEAP = ModelSpec("small", "openai", "http://127.0.0.1:1/v1", "mini", slots=("cheap", "fast"))
CLEVER = ModelSpec("big", "openai", "http://127.0.0.1:1/v1", "Claude-Opus", slots=("clever",))
PRIVATE = ModelSpec("mine", "openai", "http://127.0.0.1:1/v1", "secret", servers=("notes",))


@pytest.mark.parametrize(
    ("preferences", "name"),
    [
        ({"hints": [{"name": "gpt"}, {"name": "CLAUDE"}]}, "big"),
        ({"hints": [{"name": "small"}]}, "small"),
        ({"hints": [{}, {"name": "secret"}]}, "small"),
        ({"intelligencePriority": 0.9, "costPriority": 0.1}, "big"),
        ({"speedPriority": 1}, "small"),
        ({}, "small"),
    ],
)
def test_11_hints_are_substrings_in_order_else_priorities_choose_never_a_model_nobody_allowed(
    preferences, name
):
    chosen = choose([CHEAP, CLEVER, PRIVATE], "github", request(modelPreferences=preferences))
    assert chosen is not None
    assert chosen.name == name


def test_11_a_model_that_nobody_allowed_for_this_server_is_no_model():
    assert choose([PRIVATE], "github", request()) is None
    assert choose([PRIVATE], "notes", request()) is PRIVATE


def test_11_a_model_that_cannot_call_tools_is_not_chosen_for_them_but_for_a_schema():
    plain = ModelSpec("plain", "openai", "http://127.0.0.1:1/v1", "p", tools=False)
    assert choose([plain], "x", request(tools=[WEATHER])) is None
    assert choose([plain], "x", request(tools=[SCHEMA_TOOL], **REQUIRED)) is plain


@pytest.mark.parametrize("spec", [CLAUDE, OLLAMA])
def test_13_what_a_provider_cannot_take_is_named_before_anything_is_sent(spec):
    with pytest.raises(BadParams, match="audio"):
        called(spec, user(audio())).body()


def test_13_openai_takes_no_odd_sound_and_no_files_of_the_assistant():
    with pytest.raises(BadParams, match="audio/ogg"):
        called(LOCAL, user(audio(mime="audio/ogg"))).body()
    with pytest.raises(BadParams, match="assistant"):
        called(LOCAL, user(text("?")), assistant(image())).body()


LINK = {"type": "resource_link", "uri": "file:///a", "name": "a", "description": "a file"}
BARE_LINK = {"type": "resource_link", "uri": "file:///b", "title": "B"}
EMBEDDED = {"type": "resource", "resource": {"uri": "file:///t", "text": "inside"}}
PICTURE = {
    "type": "resource",
    "resource": {"uri": "file:///p", "blob": image()["data"], "mimeType": "image/png"},
}
PDF = {"type": "resource", "resource": {"uri": "file:///d", "blob": "AAAA", "mimeType": "application/pdf"}}
NAMELESS = {"type": "resource", "resource": {"uri": "file:///n", "blob": "AAAA"}}


@pytest.mark.parametrize("spec", [LOCAL, CLAUDE, OLLAMA])
def test_13_nothing_in_a_tool_result_is_dropped_silently(spec):
    outcome = tool_result(
        "a",
        text("so"),
        LINK,
        BARE_LINK,
        EMBEDDED,
        PICTURE,
        PDF,
        NAMELESS,
        structuredContent={"degrees": 7},
        isError=True,
    )
    sent = str(called(spec, user(text("?")), assistant(tool_use("a")), user(outcome)).body())
    for part in ("so", "[a](file:///a): a file", "[B](file:///b)", "inside", image()["data"]):
        assert part in sent
    assert "file:///d (application/pdf, its contents are not included)" in sent
    assert "file:///n (a file, its contents are not included)" in sent
    assert '{"degrees":7}' in sent
    assert "Error: so" in sent or "'is_error': True" in sent


def test_13_structured_content_that_the_text_repeats_is_sent_once():
    outcome = tool_result("a", text("no JSON"), text('{"degrees": 7}'), structuredContent={"degrees": 7})
    body = called(LOCAL, user(text("?")), assistant(tool_use("a")), user(outcome)).body()
    assert body["messages"][-1]["content"] == 'no JSON\n\n{"degrees": 7}'


@pytest.mark.parametrize(
    ("block", "why"),
    [
        (image(data="not base64!"), "not valid base64"),
        (image(mime="image/jpeg"), "is not image/jpeg"),
        (image(mime=""), "no mimeType"),
        ({"type": "image", "mimeType": "image/png"}, "no data"),
        (image(data=base64.b64encode(b"x" * (LARGEST_FILE + 3)).decode()), "larger than 20 MB"),
    ],
)
def test_14_base64_that_does_not_decode_a_mime_type_that_lies_and_more_than_20_mb_are_refused(block, why):
    assert why in refusal(user(block))


def test_14_an_unknown_kind_of_image_is_the_providers_to_judge():
    assert request(user(image(mime="image/avif"))).messages[0].blocks[0]["mimeType"] == "image/avif"


def test_14_a_broken_resource_in_a_tool_result_is_refused():
    broken = {"type": "resource", "resource": {"uri": "x", "blob": "?"}}
    assert "base64" in refusal(user(text("?")), assistant(tool_use("a")), user(tool_result("a", broken)))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (b"[", "not JSON"),
        (b"[]", "params must be an object"),
        (made(maxTokens=None), "maxTokens is missing"),
        (b'{"maxTokens":1}', "messages must be an array"),
        (b'{"maxTokens":1,"messages":[]}', "must not be empty"),
        (made({"role": "system", "content": text("x")}), "role must be user or assistant, not 'system'"),
        (made("hello"), "messages[0] must be an object"),
        (made({"role": "user", "content": []}), "content must not be empty"),
        (made({"role": "user", "content": "bare"}), "unknown type None"),
        (made(user({"type": "video"})), "unknown type 'video'"),
        (made(user({"type": "text"})), "has no text"),
        (made(user(tool_use("a"))), "message of the user cannot have"),
        (made(assistant(tool_result("a"))), "message of the assistant cannot have"),
        (made(assistant({"type": "tool_use", "id": "a", "name": "b"})), "input of a tool_use"),
        (made(user(tool_result("a", {"type": "video"}))), "unknown type 'video'"),
        (made(user({"type": "tool_result", "toolUseId": "a", "content": "x"})), "unknown type None"),
        (made(systemPrompt=1), "systemPrompt must be a string"),
        (made(temperature="hot"), "temperature must be a number"),
        (made(tools=[{}]), "tools[0].name must be a string"),
        (made(tools=[{"name": ""}]), "must not be empty"),
        (made(tools=[WEATHER], toolChoice={"mode": "maybe"}), "one of auto, required, none"),
        (made(**REQUIRED), "there are no tools"),
    ],
)
def test_bad_input_is_refused_with_the_reason(given, why):
    with pytest.raises(BadParams) as raised:
        params.read(given)
    assert why in str(raised.value)


def test_requests_have_a_largest_size_and_a_largest_number_of_messages(monkeypatch):
    monkeypatch.setattr(params, "LARGEST", 100)
    with pytest.raises(BadParams, match="larger than"):
        params.read(made(user(text("x" * 200))))
    monkeypatch.undo()
    assert "more than 10000" in refusal(*[user(text("x"))] * 10_001)


def test_a_hint_after_a_tool_result_is_a_message_of_its_own():
    known = [user(text("?")), assistant(tool_use("a")), user(tool_result("a", text("7")))]
    call = called(CLAUDE, *known, tools=[WEATHER], **REQUIRED)
    call.completed(Completion("m", "Seven."))
    assert call.body()["messages"][-1]["content"] == [text(TOOL_HINT.strip())]


def test_a_schema_of_a_tool_without_one_is_any_object():
    assert request(tools=[{"name": "x"}]).tools[0].schema == {"type": "object"}
    assert CITY["type"] == "object"
