"""A server that talks to OpenAI or Anthropic by their own SDKs uses the models of Deskbell, without a key."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.model_server import ModelServer, model_server_in_thread, said
from tests.fixtures.patience import WITHIN
from tests.journeys.app_under_test import DESKBELL, FIXTURES, ROOT, App, Person, server, until
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
    assert asked["host"] == "journey"
    assert provider.bodies == []


def test_nothing_is_sent_that_the_person_has_not_seen(
    provider: ModelServer, start: Start, person: Person, spawn: Spawn
):
    start(person.says("decline"), config(provider))
    parts = [{"type": "text", "text": "Read this"}, {"type": "file", "file": {"file_data": "my diary"}}]
    host_of(spawn).call("openai", messages=[{"role": "user", "content": parts}])
    assert "my diary" in person.asked[0]["message"]


def test_outside_any_call_a_server_may_not_use_models_unless_it_is_allowed(
    provider: ModelServer, start: Start, spawn: Spawn
):
    provider.script = [(200, WHOLE)]
    app = start("silent", config(provider, *ALLOWED))
    host = host_of(spawn)
    token = words(host.call("variable", name="OPENAI_API_KEY"))
    found, reply = posted(app, "/models/v1/chat/completions", f"Bearer {token}", {"messages": []})
    assert (found, "may not use models outside a call" in reply) == (403, True)
    app.home.config.write_text(config(provider, *ALLOWED, 'background = ["writer"]'))
    until(lambda: posted(app, "/models/v1/chat/completions", f"Bearer {token}", {"messages": []})[0] == 200)


def test_the_history_has_both_texts_and_the_budget_caps_the_answer(
    provider: ModelServer, start: Start, spawn: Spawn, env: dict[str, str], tmp_path: Path
):
    provider.script = [(200, WHOLE)]
    app = start("silent", config(provider, *ALLOWED, "tokens_per_day = 30"))
    host = host_of(spawn)
    assert words(host.call("openai", prompt="Say hello")) == "Hello there"
    assert provider.bodies[0]["max_tokens"] == 30
    app.until(lambda status: status["models"]["usage"])
    (exchange,) = conversations(env, tmp_path / "talk.json")
    assert (exchange["server"], exchange["host"], exchange["model"]) == ("writer", "journey", "openai-one")
    assert [one["content"][0]["text"] for one in exchange["messages"]] == ["Say hello", "Hello there"]


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


def conversations(env: dict[str, str], file: Path) -> list[dict[str, Any]]:
    command = [*DESKBELL, "history", "--export", str(file)]
    subprocess.run(command, env=env, cwd=ROOT, capture_output=True, check=True, timeout=WITHIN)
    return list(json.loads(file.read_text("utf-8")))


def status(app: App, path: str, authorization: str) -> int:
    return posted(app, path, authorization, {})[0]


def posted(app: App, path: str, authorization: str, body: dict[str, Any]) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", app.port, timeout=WITHIN)
    connection.request("POST", path, json.dumps(body), {"Authorization": authorization})
    reply = connection.getresponse()
    found = reply.status, reply.read().decode()
    connection.close()
    return found
