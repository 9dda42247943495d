"""Answers of providers, streamed and whole, as they are documented."""

from __future__ import annotations

from bridge.core.sampling.completion import CompletedCall, Completion
from bridge.core.sampling.model_choice import PROVIDERS


def read(kind: str, *parts: dict) -> Completion:
    reader = PROVIDERS[kind].reader()
    for part in parts:
        reader.feed(part)
    return reader.completion()


def chunk(**delta) -> dict:
    return {"model": "gpt", "choices": [{"delta": delta}]}


def test_openai_streams_words_and_counts_tokens_last():
    last = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}
    stop = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    assert read("openai", chunk(content="Hel"), chunk(content="lo"), stop, last) == Completion(
        "gpt", "Hello", (), "endTurn", 7, 2
    )


def test_openai_streams_tool_calls_in_pieces():
    first = [{"index": 0, "id": "a", "function": {"name": "weather", "arguments": '{"ci'}}]
    other = [{"index": 1, "id": "b", "function": {"name": "time", "arguments": ""}}]
    rest = [{"index": 0, "function": {"arguments": 'ty":"Rome"}'}}]
    done = read("openai", chunk(tool_calls=first), chunk(tool_calls=other), chunk(tool_calls=rest))
    assert done.calls == (CompletedCall("a", "weather", {"city": "Rome"}), CompletedCall("b", "time", {}))


def test_openai_answers_whole():
    call = {"id": "a", "function": {"name": "weather", "arguments": "{}"}}
    whole = {"model": "gpt", "choices": [{"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    assert read("openai", whole).calls == (CompletedCall("a", "weather", {}),)


def test_openai_arguments_that_are_not_json_are_a_problem():
    cut = [{"index": 0, "id": "a", "function": {"name": "weather", "arguments": '{"ci'}}]
    assert "arguments of weather cannot be read" in read("openai", chunk(tool_calls=cut)).problem


def test_anthropic_streams_words_and_tool_calls():
    done = read(
        "anthropic",
        {
            "type": "message_start",
            "message": {"model": "claude", "usage": {"input_tokens": 2, "cache_read_input_tokens": 7}},
        },
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "I look."}},
        {
            "type": "content_block_start",
            "index": 2,
            "content_block": {"type": "tool_use", "id": "a", "name": "weather", "input": {}},
        },
        {
            "type": "content_block_delta",
            "index": 2,
            "delta": {"type": "input_json_delta", "partial_json": '{"city":'},
        },
        {
            "type": "content_block_delta",
            "index": 2,
            "delta": {"type": "input_json_delta", "partial_json": '"Rome"}'},
        },
        {"type": "ping"},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 4}},
        {"type": "message_stop"},
    )
    calls = (CompletedCall("a", "weather", {"city": "Rome"}),)
    assert done == Completion("claude", "I look.", calls, "toolUse", 9, 4)


def test_anthropic_answers_whole():
    call = {"type": "tool_use", "id": "a", "name": "weather", "input": {"city": "Rome"}}
    message = {"type": "message", "model": "claude", "content": [call], "stop_reason": "tool_use"}
    assert read("anthropic", message).calls == (CompletedCall("a", "weather", {"city": "Rome"}),)


def test_anthropic_events_without_their_parts_do_no_harm():
    kinds = ("message_start", "content_block_start", "content_block_delta", "message_delta", "message", "odd")
    assert read("anthropic", *({"type": kind} for kind in kinds)) == Completion()
    lost = {"type": "content_block_delta", "index": 5, "delta": {"type": "input_json_delta"}}
    assert read("anthropic", lost).calls == ()


def test_ollama_streams_lines():
    done = read(
        "ollama",
        {"model": "llama3", "message": {"content": "Hel"}},
        {"message": {"content": "lo"}},
        {"message": {"tool_calls": [{"function": {"name": "weather", "arguments": {"city": "Rome"}}}]}},
        {"done": True, "done_reason": "stop", "prompt_eval_count": 3, "eval_count": 2},
    )
    calls = (CompletedCall("", "weather", {"city": "Rome"}),)
    assert done == Completion("llama3", "Hello", calls, "endTurn", 3, 2)
