"""A server that talks to OpenAI or Anthropic by their own SDKs uses the models of Deskbell, without a key."""

from __future__ import annotations

import http.client
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fixtures.model_server import ModelServer, model_server_in_thread, said
from tests.journeys.app_under_test import FIXTURES, App, Person, server
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import StdioHost

USER = [sys.executable, str(FIXTURES / "model_user.py")]
KEY = "sk-the-real-key"  # of the provider
CLAUDE: list[dict[str, Any]] = [
    {
        "type": "message_start",
        "message": {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "c",
            "content": [],
            "usage": {"input_tokens": 4, "output_tokens": 0},
        },
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": " there"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
    {"type": "message_stop"},
]
WHOLE = {
    "id": "x",
    "object": "chat.completion",
    "created": 1,
    "model": "tiny",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Hello there"}}
    ],
    "usage": {"prompt_tokens": 6, "completion_tokens": 2, "total_tokens": 8},
}
MESSAGE = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "c",
    "content": [{"type": "text", "text": "Hello there"}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 4, "output_tokens": 2},
}


@pytest.fixture
def provider() -> Iterator[ModelServer]:
    pytest.importorskip("openai")
    pytest.importorskip("anthropic")
    with model_server_in_thread() as made:
        yield made


def config(provider: ModelServer, *more: str, models: bool = True) -> str:
    tables: list[dict[str, Any]] = [
        {"kind": "openai", "url": f"{provider.url}/v1", "model": "tiny", "key": KEY, "slots": ["fast"]},
        {"kind": "anthropic", "url": provider.url, "model": "c", "key": KEY},
    ]
    text = ""
    for table in tables:
        text += f"[models.{table['kind']}-one]\n"
        text += "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())
    return text + "\n".join(more) + "\n" + server("writer", USER, models=models)


ALLOWED = ("[sampling]", 'allow = ["writer"]')


def host_of(spawn: Spawn) -> StdioHost:
    host = spawn("stdio", "--server", "writer")
    host.open()
    return host


def words(result: dict[str, Any]) -> Any:
    text = result["content"][0]["text"]
    assert not result.get("isError"), text
    return json.loads(text)


def test_openais_sdk_gets_the_answer_whole_and_piece_by_piece(
    provider: ModelServer, start: Start, spawn: Spawn
):
    provider.script = [(200, WHOLE), said("Hello there")]
    app = start("silent", config(provider, *ALLOWED))
    host = host_of(spawn)
    assert words(host.call("openai", prompt="Hi", model="fast")) == "Hello there"
    assert words(host.call("openai", prompt="Hi", stream=True)) == ["Hello", " there"]
    assert [body["model"] for body in provider.bodies] == ["tiny", "tiny"]
    assert provider.headers[0]["Authorization"] == f"Bearer {KEY}"
    usage = app.until(lambda status: [one for one in status["models"]["usage"] if one["requests"] == 2])
    assert (usage[0]["tokens_in"], usage[0]["tokens_out"]) == (11, 4)


def test_anthropics_sdk_gets_the_answer_whole_and_piece_by_piece(
    provider: ModelServer, start: Start, spawn: Spawn
):
    provider.script = [(200, MESSAGE), CLAUDE]
    start("silent", config(provider, *ALLOWED))
    host = host_of(spawn)
    assert words(host.call("anthropic", prompt="Hi")) == "Hello there"
    assert words(host.call("anthropic", prompt="Hi", stream=True)) == ["Hello", " there"]
    assert provider.headers[0]["x-api-key"] == KEY


def test_the_person_is_asked_and_may_refuse(
    provider: ModelServer, start: Start, person: Person, spawn: Spawn
):
    start(person.says("decline"), config(provider))
    host = host_of(spawn)
    result = host.call("openai", prompt="Sum up my mail")
    assert "The person did not allow this request" in result["content"][0]["text"]
    (asked,) = person.asked
    assert (asked["mode"], asked["server"]) == ("sampling", "writer")
    assert "Sum up my mail" in asked["message"]
    assert provider.bodies == []


def test_the_real_key_is_not_in_the_servers_environment_and_its_token_opens_nothing_else(
    provider: ModelServer, start: Start, spawn: Spawn
):
    app = start("silent", config(provider, *ALLOWED))
    host = host_of(spawn)
    assert words(host.call("environment", secret=KEY)) == []
    assert words(host.call("environment", secret="deskbell-")) != []
    assert status(app, "/models/v1/messages", f"Bearer {app.token}") == 401
    assert status(app, "/models/v1/messages", "Bearer deskbell-wrong") == 401
    assert status(app, "/functions/desk_sample", "Bearer deskbell-wrong") == 401


def test_a_server_without_models_gets_none(provider: ModelServer, start: Start, spawn: Spawn):
    start("silent", config(provider, models=False))
    host = host_of(spawn)
    assert words(host.call("environment", secret="/models")) == []


def status(app: App, path: str, authorization: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", app.port, timeout=30)
    connection.request("POST", path, b"{}", {"Authorization": authorization})
    found = connection.getresponse().status
    connection.close()
    return found
