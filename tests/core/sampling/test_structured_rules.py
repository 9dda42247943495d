"""The rules of sampling for structured output, and for models that refuse."""

from __future__ import annotations

import pytest

from bridge.core.sampling.completion import CompletedCall, Completion
from bridge.core.sampling.model_call import ModelFailed
from bridge.core.sampling.model_choice import PROVIDERS
from tests.core.sampling.models import CLAUDE, LOCAL, OLLAMA, called
from tests.core.sampling.requests import (
    REQUIRED,
    SCHEMA_TOOL,
    WEATHER,
    text,
)


@pytest.mark.parametrize(
    ("spec", "member"), [(LOCAL, "response_format"), (CLAUDE, "output_config"), (OLLAMA, "format")]
)
def test_23_schema_with_required_is_structured_output_by_the_providers_best_way(spec, member):
    call = called(spec, tools=[SCHEMA_TOOL], **REQUIRED)
    body = call.body()
    assert member in body
    assert "tools" not in body
    answer = call.completed(Completion("m", '{"city": "Rome", "people": null}'))
    assert answer == {
        "role": "assistant",
        "content": {"type": "tool_use", "id": "call_1", "name": "__schema__", "input": {"city": "Rome"}},
        "model": "m",
        "stopReason": "toolUse",
    }


def test_23_data_is_validated_against_the_original_schema_2_retries_with_the_hint_then_an_error():
    call = called(tools=[SCHEMA_TOOL], **REQUIRED)
    assert call.completed(Completion("m", '{"people": 3}')) is None
    assert call.body()["messages"][-1]["content"] == (
        "Hello\n\n[IMPORTANT: Your previous response was invalid: Missing: city. "
        "Please respond with valid JSON matching the schema.]"
    )
    assert call.completed(Completion("m", '{"city": 3}')) is None
    with pytest.raises(ModelFailed, match=r"failed 3 times: At city: This must be string\."):
        call.completed(Completion("m", '{"city": 3}'))


@pytest.mark.parametrize("spec", [LOCAL, CLAUDE, OLLAMA])
def test_23_a_provider_that_ignores_the_schema_gets_a_forced_tool_then_json_in_the_prompt(spec):
    call = called(spec, tools=[SCHEMA_TOOL], systemPrompt="Be brief.", **REQUIRED)
    assert call.completed(Completion("m", "Rome is a city.")) is None
    assert "tools" in call.body()
    assert call.completed(Completion("m", "[1]")) is None
    assert "matches this JSON Schema" in str(call.body())
    assert call.completed(Completion("m", '```json\n{"city": "Rome"}\n```'))["content"]["input"] == {
        "city": "Rome"
    }


def test_23_a_provider_that_refuses_the_schema_mode_by_400_is_asked_in_other_ways():
    call = called(tools=[SCHEMA_TOOL], **REQUIRED)
    assert call.rejected(400, "response_format")
    assert call.body()["tool_choice"] == "required"
    called_it = Completion("m", "", (CompletedCall("a", "__schema__", {"city": "Rome"}),), "toolUse")
    assert call.completed(called_it)["content"]["input"] == {"city": "Rome"}
    assert call.rejected(422, "tools")
    assert not {"tools", "response_format"} & call.body().keys()
    assert not call.rejected(400, "anything")


def test_23_other_tools_beside_it_ordinary_tool_calling():
    body = called(tools=[SCHEMA_TOOL, WEATHER], **REQUIRED).body()
    assert [tool["function"]["name"] for tool in body["tools"]] == ["__schema__", "weather"]
    assert "response_format" not in body


def test_24_refusals_are_text_with_the_providers_words():
    reader = PROVIDERS["openai"].reader()
    reader.feed({"choices": [{"message": {"refusal": "I will not."}, "finish_reason": "stop"}]})
    answer = called(tools=[WEATHER], **REQUIRED).completed(reader.completion())
    assert answer["content"] == text("I will not.")
    assert answer["stopReason"] == "refusal"


def test_24_anthropics_refusal_has_its_explanation():
    reader = PROVIDERS["anthropic"].reader()
    reader.feed(
        {
            "type": "message_delta",
            "delta": {"stop_reason": "refusal", "stop_details": {"explanation": "No such thing."}},
        }
    )
    assert reader.completion().text == "No such thing."


@pytest.mark.parametrize("words", ["I will not.", ""])
def test_24_for_structured_output_a_refusal_is_an_error_without_retry(words):
    with pytest.raises(ModelFailed, match="refused"):
        called(tools=[SCHEMA_TOOL], **REQUIRED).completed(Completion("m", words, stop="contentFilter"))


def test_24_max_tokens_inside_structured_output_is_cut_off_at_n_tokens():
    with pytest.raises(ModelFailed, match="cut off at 100 tokens"):
        called(tools=[SCHEMA_TOOL], **REQUIRED).completed(Completion("m", '{"city": "Ro', stop="maxTokens"))
