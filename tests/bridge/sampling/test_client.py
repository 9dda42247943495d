"""Requests to models: answers, failures in words, back-off, and cancelling that closes the connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bridge.core.sampling.content import BadParams
from bridge.core.sampling.model_call import ModelFailed
from bridge.core.sampling.model_choice import ModelSpec
from bridge.sampling import client
from bridge.sampling.client import ModelClient
from tests.core.sampling.requests import REQUIRED, SCHEMA_TOOL, WEATHER, audio, request, text, user
from tests.fixtures.model_server import HANG, HANG_UP, ModelServer, model_server, said
from tests.fixtures.patience import WITHIN


class Rig:
    """A provider, and a client that notes how long it would have paused and what was used."""

    def __init__(self, server: ModelServer) -> None:
        self.server = server
        self.pauses: list[float] = []
        self.tokens: list[tuple[int, int]] = []
        self.client = ModelClient(self._fill, self._pause)

    async def _fill(self, key: str) -> str:
        return key.replace("${vault:models}", "secret")

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    async def ask(self, spec: ModelSpec | None = None, *messages: Any, **more: Any) -> dict[str, Any]:
        wanted = request(*messages, **more)
        return await self.client.answer(
            spec or self.server.spec(), wanted, lambda got, made: self.tokens.append((got, made))
        )


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with model_server() as server:
        made = Rig(server)
        yield made
        await made.client.close()


async def test_an_openai_compatible_model_answers(rig: Rig):
    rig.server.script = [said("Hello there")]
    answer = await rig.ask(rig.server.spec(key="${vault:models}"))
    assert answer["content"] == text("Hello there")
    assert answer["model"] == "tiny-1"
    assert rig.server.headers[0]["Authorization"] == "Bearer secret"
    assert rig.tokens == [(5, 2)]


async def test_anthropic_answers_with_a_tool_call(rig: Rig):
    call = {"type": "tool_use", "id": "a", "name": "weather", "input": {}}
    rig.server.script = [
        [
            {"type": "message_start", "message": {"model": "claude", "usage": {"input_tokens": 3}}},
            {"type": "content_block_start", "index": 0, "content_block": call},
            {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": '{"city":"Rome"}'},
            },
            {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}},
        ]
    ]
    answer = await rig.ask(rig.server.spec("anthropic", key="k"), tools=[WEATHER], **REQUIRED)
    assert answer["content"] == [{**call, "input": {"city": "Rome"}}]
    assert rig.server.headers[0]["x-api-key"] == "k"
    assert rig.tokens == [(3, 9)]


async def test_ollama_answers_with_structured_output(rig: Rig):
    rig.server.script = [
        [
            {"model": "llama", "message": {"content": '{"city":'}},
            {"message": {"content": '"Rome"}'}, "done": True},
        ]
    ]
    answer = await rig.ask(rig.server.spec("ollama"), tools=[SCHEMA_TOOL], **REQUIRED)
    assert answer["content"]["input"] == {"city": "Rome"}
    assert rig.server.bodies[0]["format"] == SCHEMA_TOOL["inputSchema"]
    assert rig.tokens == [(31, 4)]  # estimated, the schema too: four characters are a token


async def test_a_model_that_does_not_stream_answers_all_the_same(rig: Rig):
    whole = {"model": "tiny", "choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}
    rig.server.script = [(200, whole)]
    assert (await rig.ask())["content"] == text("Hello")


async def test_structured_output_is_asked_for_again_with_the_hint(rig: Rig):
    rig.server.script = [said('{"people":3}'), said('{"city":"Rome"}')]
    answer = await rig.ask(None, tools=[SCHEMA_TOOL], **REQUIRED)
    assert answer["content"]["input"] == {"city": "Rome"}
    assert "[IMPORTANT: Your previous response was invalid" in rig.server.bodies[1]["messages"][-1]["content"]
    assert len(rig.tokens) == 2


async def test_too_many_requests_are_sent_again_when_the_provider_wants_them(rig: Rig):
    rig.server.script = [(429, {"error": {"message": "slow down"}}), (503, {}), said("Hello")]
    assert (await rig.ask())["content"] == text("Hello")
    assert rig.pauses == [7.0, 2.0]


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (
            401,
            {"error": {"message": "bad key"}},
            "local does not accept the key: bad key. Enter its key again under Models.",
        ),
        (402, {"error": "pay first"}, "local is out of credit: pay first. Add credit at its provider."),
        (404, {"error": "no model tiny"}, "local was not found: no model tiny. Check its name and address."),
        (400, {"detail": "too long."}, "local refused the request: too long. Another model may take it."),
        (418, ["odd"], "local refused the request: HTTP 418. Another model may take it."),
    ],
)
async def test_a_provider_that_refuses_is_told_in_words_that_name_it(rig: Rig, status, body, words):
    rig.server.script = [(status, body)]
    with pytest.raises(ModelFailed, match=words.replace(".", r"\.")):
        await rig.ask()


async def test_a_provider_that_stays_down_is_told_after_three_tries(rig: Rig):
    rig.server.script = [(500, {}), (500, {}), (500, {"message": "boom"})]
    with pytest.raises(ModelFailed, match=r"The model local failed: boom\. Try again later\."):
        await rig.ask()
    assert rig.pauses == [1.0, 2.0]


async def test_being_out_of_quota_is_not_tried_again(rig: Rig):
    rig.server.script = [(429, {"error": {"message": "You exceeded your current quota"}})]
    with pytest.raises(ModelFailed, match="out of credit"):
        await rig.ask()


async def test_a_provider_out_of_reach_is_named(rig: Rig):
    with pytest.raises(ModelFailed, match=r"The model gone: 127\.0\.0\.1:1 cannot be reached"):
        await rig.ask(ModelSpec("gone", "openai", "http://127.0.0.1:1/v1", "tiny"))


async def test_a_provider_that_says_nothing_for_too_long_is_named(rig: Rig):
    rig.server.script = [[HANG]]
    with pytest.raises(ModelFailed, match="did not answer"):
        await rig.ask(rig.server.spec(timeout=0.2))


async def test_an_error_in_the_middle_of_a_stream_is_a_failure(rig: Rig):
    rig.server.script = [[*said("Hello")[:1], {"error": {"message": "overloaded"}}]]
    with pytest.raises(ModelFailed, match="overloaded"):
        await rig.ask()


async def test_temperature_is_left_out_after_a_400_and_tried_with_the_next_request(rig: Rig):
    rig.server.script = [(400, {"error": {"message": "temperature"}}), said("Hello"), said("Hello")]
    await rig.ask(None, temperature=0.5)
    await rig.ask(None, temperature=0.4)
    assert ["temperature" in body for body in rig.server.bodies] == [True, False, True]


async def test_a_schema_mode_that_a_provider_lacks_is_not_tried_again(rig: Rig):
    rig.server.script = [
        (400, {"error": "response_format"}),
        said('{"city":"Rome"}'),
        said('{"city":"Oslo"}'),
    ]
    for _ in range(2):
        await rig.ask(None, tools=[SCHEMA_TOOL], **REQUIRED)
    assert ["response_format" in body for body in rig.server.bodies] == [True, False, False]


async def test_cancelling_closes_the_request_at_once_and_counts_what_came(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
):
    rig.server.script = [[*said("One two")[:2], HANG]]
    read, reading = client._read, asyncio.Event()

    async def noted(*arguments: Any) -> Any:
        reading.set()
        return await read(*arguments)

    monkeypatch.setattr(client, "_read", noted)
    asking = asyncio.ensure_future(rig.ask())
    await asyncio.wait_for(reading.wait(), WITHIN)
    asking.cancel()
    await asyncio.wait_for(rig.server.closed.wait(), 20)
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert len(rig.tokens) == 1


async def test_what_a_provider_cannot_take_is_refused_before_anything_is_sent(rig: Rig):
    with pytest.raises(BadParams):
        await rig.ask(rig.server.spec("ollama"), user(audio()))
    assert rig.server.bodies == []


async def test_a_model_that_fails_three_times_is_named(rig: Rig):
    rig.server.script = [said("no"), said("no"), said("no")]
    with pytest.raises(ModelFailed, match="local: The model failed 3 times"):
        await rig.ask(None, tools=[SCHEMA_TOOL], **REQUIRED)


async def test_a_connection_that_the_provider_has_closed_is_replaced_once(rig: Rig):
    rig.server.script = [HANG_UP, said("Hello")]
    assert (await rig.ask())["content"] == text("Hello")
    rig.server.script = [HANG_UP, HANG_UP]
    with pytest.raises(ModelFailed, match="cannot be reached"):
        await rig.ask()
