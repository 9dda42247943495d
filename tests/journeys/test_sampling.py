"""A server asks for a model: real processes, both eras, stdio and HTTP; the provider is scripted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fixtures.model_server import HANG, ModelServer, model_server_in_thread, said
from tests.journeys.app_under_test import Person, asking, server, until
from tests.journeys.conftest import Connect, Spawn, Start
from tests.journeys.hosts import said_in

HELLO: dict[str, Any] = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "Say hello."}}],
    "maxTokens": 50,
    "systemPrompt": "Be brief.",
}
ERAS = ["legacy", "modern"]


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server_in_thread() as made:
        yield made


def config(model: ModelServer, era: str, *more: str) -> str:
    spec = {"kind": "openai", "url": f"{model.url}/v1", "model": "tiny"}
    table = "".join(f"{key} = {json.dumps(value)}\n" for key, value in spec.items())
    return f"[models.local]\n{table}" + "\n".join(more) + "\n" + server("quiz", asking(era))


@pytest.mark.parametrize("era", ERAS)
def test_a_model_answers_after_the_person_agreed(
    era: str, model: ModelServer, start: Start, person: Person, spawn: Spawn
):
    model.script = [said("Hello there")]
    start(person.says("accept"), config(model, era))
    host = spawn("stdio", "--server", "quiz")
    host.open()
    answer = said_in(host.call("sample", **HELLO))
    assert answer == {
        "role": "assistant",
        "content": {"type": "text", "text": "Hello there"},
        "model": "tiny-1",
        "stopReason": "endTurn",
    }
    (asked,) = person.asked
    assert asked["mode"] == "sampling"
    assert "Say hello." in asked["message"]
    assert "To the model local (tiny, on this computer)" in asked["message"]
    assert model.bodies[0]["messages"][0] == {"role": "system", "content": "Be brief."}


def test_a_refusal_is_error_minus_1_to_a_legacy_server(
    model: ModelServer, start: Start, person: Person, spawn: Spawn
):
    start(person.says("decline"), config(model, "legacy"))
    host = spawn("stdio", "--server", "quiz")
    host.open()
    answer = said_in(host.call("sample", **HELLO))
    assert answer == {"error": {"code": -1, "message": "User rejected sampling request"}}
    assert model.bodies == []


def test_a_refusal_ends_the_call_of_a_modern_server(
    model: ModelServer, start: Start, person: Person, spawn: Spawn
):
    start(person.says("decline"), config(model, "modern"))
    host = spawn("stdio", "--server", "quiz")
    host.open()
    result = host.call("sample", **HELLO)
    assert result["isError"] is True
    assert "User rejected sampling request" in str(result["content"])


@pytest.mark.parametrize("era", ERAS)
def test_an_allowed_server_over_http_is_not_asked_about_and_its_tokens_are_counted(
    era: str, model: ModelServer, start: Start, connect: Connect
):
    model.script = [said("Hello")]
    app = start("silent", config(model, era, "[sampling]", 'allow = ["quiz"]'))
    host = connect(app, "/mcp/quiz")
    host.open()
    assert said_in(host.call("sample", **HELLO))["content"]["text"] == "Hello"
    (usage,) = app.until(lambda status: status["models"]["usage"])
    assert (usage["server"], usage["requests"], usage["tokens_in"], usage["tokens_out"]) == ("quiz", 1, 5, 1)


def test_without_a_model_sampling_is_not_offered(start: Start, spawn: Spawn):
    start("silent", server("quiz", asking("legacy")))
    host = spawn("stdio", "--server", "quiz")
    host.open()
    with pytest.raises(Exception, match="nobody there can be asked"):
        host.call("sample", **HELLO)


def test_a_wrapped_server_gets_a_model_too(model: ModelServer, start: Start, person: Person, spawn: Spawn):
    model.script = [said("Hello")]
    start(person.says("accept"), config(model, "legacy"))
    host = spawn("wrap", "--name", "mine", "--", *asking("legacy"))
    host.open()
    assert said_in(host.call("sample", **HELLO))["content"]["text"] == "Hello"


def test_a_host_that_leaves_closes_the_request_to_the_model(model: ModelServer, start: Start, spawn: Spawn):
    model.script = [[*said("One two")[:1], HANG]]
    start("silent", config(model, "legacy", "[sampling]", 'allow = ["quiz"]'))
    host = spawn("stdio", "--server", "quiz")
    host.open()
    host.begin_call("sample", **HELLO)
    until(model.begun.is_set)
    host.close()
    until(model.closed.is_set)


def test_a_model_that_is_down_is_told_in_words(model: ModelServer, start: Start, spawn: Spawn):
    model.script = [(401, {"error": {"message": "wrong key"}})]
    start("silent", config(model, "legacy", "[sampling]", 'allow = ["quiz"]'))
    host = spawn("stdio", "--server", "quiz")
    host.open()
    answer = said_in(host.call("sample", **HELLO))
    assert "The model local does not accept the key: wrong key." in answer["error"]["message"]
