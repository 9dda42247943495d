"""Request bodies in the form that each provider's API takes; test_vendor_sdks.py has them judged by SDKs."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.sampling.model_call import ModelCall
from bridge.core.sampling.model_choice import ModelSpec, cost
from tests.core.sampling.requests import (
    REQUIRED,
    SCHEMA_TOOL,
    WEATHER,
    assistant,
    audio,
    image,
    request,
    text,
    tool_result,
    tool_use,
    user,
)

LOCAL = ModelSpec("local", "openai", "http://127.0.0.1:1/v1", "qwen3")
CLAUDE = ModelSpec("claude", "anthropic", "https://api.anthropic.com", "claude-opus")
OLLAMA = ModelSpec("ollama", "ollama", "http://127.0.0.1:1", "llama3")

REQUESTS: dict[str, dict[str, Any]] = {
    "words": {},
    "system": {"systemPrompt": "Be brief.", "temperature": 0.2, "stopSequences": ["."]},
    "metadata": {"metadata": {"user_id": "me"}},
    "odd metadata": {"metadata": {"n": 1}},
    "image": {"messages": [user(text("What is this?"), image())]},
    "one image": {"messages": [user(image())]},
    "tools": {"tools": [WEATHER, {"name": "time"}]},
    "required": {"tools": [WEATHER], **REQUIRED},
    "schema": {"tools": [SCHEMA_TOOL], **REQUIRED},
    "conversation": {
        "messages": [
            user(text("Weather?")),
            assistant(text("I look."), tool_use("a", city="Rome"), tool_use("b", city="Oslo")),
            user(tool_result("a", text("sun"), image()), tool_result("b", text("no"), isError=True)),
        ],
        "tools": [WEATHER],
    },
}


def body_of(spec: ModelSpec, **more: Any) -> dict[str, Any]:
    messages = more.pop("messages", [])
    return ModelCall(request(*messages, **more), spec.provider, spec.dialect).body()


def test_anthropic_gets_stop_sequences_and_the_user():
    body = body_of(CLAUDE, stopSequences=["."], metadata={"user_id": "me", "n": 1})
    assert (body["stop_sequences"], body["metadata"]) == (["."], {"user_id": "me"})


def test_openai_gets_sound():
    (part,) = body_of(LOCAL, messages=[user(audio())])["messages"][0]["content"]
    assert (part["type"], part["input_audio"]["format"]) == ("input_audio", "wav")


def test_ollama_gets_images_and_results_as_its_document_says():
    body = body_of(OLLAMA, **REQUESTS["conversation"], temperature=0.2, stopSequences=["."])
    assert body["messages"] == [
        {"role": "user", "content": "Weather?"},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {"function": {"name": "weather", "arguments": {"city": "Rome"}}},
                {"function": {"name": "weather", "arguments": {"city": "Oslo"}}},
            ],
        },
        {"role": "tool", "tool_name": "weather", "content": "sun", "images": [image()["data"]]},
        {"role": "tool", "tool_name": "weather", "content": "Error: no"},
    ]
    assert body["options"] == {"num_predict": 100, "temperature": 0.2, "stop": ["."]}
    shown = body_of(OLLAMA, messages=[user(text("?"), image())])["messages"]
    assert shown == [{"role": "user", "content": "?", "images": [image()["data"]]}]


def test_ollama_without_its_options():
    call = ModelCall(request(temperature=1), OLLAMA.provider, OLLAMA.dialect)
    assert call.rejected(400, "no")
    assert call.body()["options"] == {"num_predict": 100}


def test_anthropic_without_stop_sequences():
    call = ModelCall(request(stopSequences=["."]), CLAUDE.provider, CLAUDE.dialect)
    assert call.rejected(400, "no")
    assert "stop_sequences" not in call.body()


def test_openai_itself_wants_the_renamed_limit_and_others_may_say_so():
    theirs = ModelSpec("gpt", "openai", "https://api.openai.com/v1", "gpt-5")
    assert body_of(theirs)["max_completion_tokens"] == 100
    call = ModelCall(request(), LOCAL.provider, LOCAL.dialect)
    assert call.rejected(400, "Use 'max_completion_tokens' instead.")
    assert call.body()["max_completion_tokens"] == 100
    assert not call.rejected(400, "Use 'max_completion_tokens' instead.")


@pytest.mark.parametrize(
    ("spec", "address"),
    [
        (LOCAL, "http://127.0.0.1:1/v1/chat/completions"),
        (CLAUDE, "https://api.anthropic.com/v1/messages"),
        (ModelSpec("x", "anthropic", "http://127.0.0.1:1/v1/", "m"), "http://127.0.0.1:1/v1/messages"),
        (OLLAMA, "http://127.0.0.1:1/api/chat"),
        (ModelSpec("x", "ollama", "http://127.0.0.1:1/v1", "m"), "http://127.0.0.1:1/api/chat"),
    ],
)
def test_where_requests_go(spec, address):
    assert spec.provider.api(spec.url) == address


def test_keys_go_into_the_header_of_the_provider():
    assert LOCAL.provider.headers("k") == {"Authorization": "Bearer k"}
    assert OLLAMA.provider.headers("k") == {"Authorization": "Bearer k"}
    assert CLAUDE.provider.headers("k")["x-api-key"] == "k"
    assert LOCAL.provider.headers("") == OLLAMA.provider.headers("") == {}
    assert CLAUDE.provider.headers("").keys() == {"anthropic-version"}


def test_what_tokens_cost():
    assert cost(LOCAL, 1000, 1000) == 0.0
    priced = ModelSpec("p", "openai", "", "m", price_in=1, price_out=5)
    assert cost(priced, 1_000_000, 200_000) == 2.0
    assert LOCAL.is_local
    assert not CLAUDE.is_local
