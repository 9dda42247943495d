"""A real model answers: chat, limits, structured output, cancelling, tools it cannot call."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bridge.core.sampling.model_call import ModelFailed
from bridge.core.sampling.model_choice import ModelSpec
from bridge.core.sampling.structured import check
from bridge.http_client.client import HttpClient
from bridge.sampling.client import ModelClient
from bridge.sampling.stream import objects
from tests.core.sampling.requests import REQUIRED, WEATHER, request, text, user
from tests.fixtures.peers import EVERYTHING, NODE, needs_everything
from tests.journeys.app_under_test import DESKBELL, ROOT, App, Person, asking, environment
from tests.journeys.app_under_test import server as entry
from tests.journeys.hosts import LEGACY, MODERN, Host, HttpHost, StdioHost, result_of, said_in
from tests.live import conformance
from tests.rigs import models

pytestmark = [
    pytest.mark.skipif(not models.is_installed(), reason="make rigs installs the model"),
    pytest.mark.timeout(1500),  # a model takes what the machine has to spare
]
PATIENCE = 300.0  # seconds for one answer
BOUNDED: dict[str, Any] = {  # a small model would fill an unbounded text to the last token
    "name": "__schema__",
    "inputSchema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "maxLength": 30},
            "size": {"enum": ["small", "large"]},
            "capital": {"type": "boolean"},
        },
        "required": ["city", "size"],
    },
}
FRANCE = user(text("What is the capital of France?"))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with models.real_model() as url:
        yield url


class Asking:
    def __init__(self, client: ModelClient, address: str) -> None:
        self.client = client
        self.openai = ModelSpec("smol", "openai", f"{address}/v1", "smollm2", timeout=300)
        self.anthropic = ModelSpec("smol", "anthropic", address, "smollm2", timeout=300)
        self.tokens: list[tuple[int, int]] = []

    async def __call__(self, spec: ModelSpec, *messages: Any, **more: Any) -> dict[str, Any]:
        wanted = request(*messages, **more)
        return await self.client.answer(spec, wanted, lambda *used: self.tokens.append(used))


@pytest.fixture
async def ask(address: str) -> AsyncIterator[Asking]:
    async def fill(key: str) -> str:
        return key

    client = ModelClient(fill)
    yield Asking(client, address)
    await client.close()


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
async def test_a_real_model_answers_in_words_and_counts_its_tokens(ask: Asking, kind: str):
    answer = await ask(getattr(ask, kind), FRANCE, systemPrompt="Be brief.", temperature=0.0)
    assert answer["content"]["text"].strip()  # what so small a model says is anybody's guess
    assert answer["stopReason"] in ("endTurn", "maxTokens")
    assert answer["model"]
    ((read, written),) = ask.tokens
    assert read > 5
    assert written > 0


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
async def test_a_real_model_is_cut_off_at_the_limit(ask: Asking, kind: str):
    answer = await ask(getattr(ask, kind), FRANCE, maxTokens=3)
    assert answer["stopReason"] == "maxTokens"


@pytest.mark.timeout(3000)
async def test_structured_output_is_valid_100_times_of_100(ask: Asking):
    for number in range(100):
        question = user(text(f"Tell me about city number {number} of the world."))
        answer = await ask(ask.openai, question, tools=[BOUNDED], maxTokens=200, temperature=1.0, **REQUIRED)
        assert answer["content"]["name"] == "__schema__"
        assert check(answer["content"]["input"], BOUNDED["inputSchema"])[1] == ""


async def test_a_model_that_cannot_call_tools_says_so_instead_of_talking(ask: Asking):
    with pytest.raises(ModelFailed, match="smol cannot call tools"):
        await ask(ask.openai, FRANCE, tools=[WEATHER], **REQUIRED)


async def test_tools_that_are_ignored_are_a_failure_not_an_answer(ask: Asking):
    with pytest.raises(ModelFailed, match=r"did not call a tool|cut off at 60 tokens"):
        await ask(ask.anthropic, FRANCE, tools=[WEATHER], maxTokens=60, **REQUIRED)


async def test_cancelling_ends_the_models_work(ask: Asking, address: str):
    async with HttpClient() as http:

        async def works() -> bool:
            slots = msgspec.json.decode((await http.request("GET", f"{address}/slots")).body)
            return any(slot["is_processing"] for slot in slots)

        story = user(text("Tell a very long story."))
        telling = asyncio.ensure_future(ask(ask.openai, story, maxTokens=3000))
        await until(works)
        telling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await telling
        await until(works, False)


async def until(works: Callable[[], Awaitable[bool]], wanted: bool = True) -> None:
    async with asyncio.timeout(60):
        while await works() is not wanted:
            pass  # each look is a request of its own


async def test_the_answer_streams_in_pieces(ask: Asking):
    body = ask.openai.provider.body(request(FRANCE, maxTokens=20), ask.openai.dialect)
    reader = ask.openai.provider.reader()
    grown: list[str] = []
    async with ask.client.open(ask.openai, body) as stream:
        async for part in objects(stream.chunks(), "smol"):
            reader.feed(part)
            grown.append(reader.completion().text)
    pieces = sorted(set(grown), key=len)
    assert len(pieces) > 3, "it came piece by piece"
    assert all(pieces[-1].startswith(piece) for piece in pieces)


# --- a real server and a real model -----------------------------------------------------------------------


@pytest.fixture(params=["stdio", "HTTP"])
def everything(request: pytest.FixtureRequest, tmp_path: Path, address: str) -> Iterator[StdioHost]:
    """A reference server behind Deskbell, by `wrap` or over HTTP, with a model and a person who agrees."""
    home = tmp_path / "home"
    home.mkdir()
    model = f'kind = "openai"\nurl = "{address}/v1"\nmodel = "smollm2"\ntimeout = 300\n'
    env, person = environment(home), Person(tmp_path)
    with ExitStack() as stack:
        words = ["wrap", "--name", "everything", "--", str(NODE), str(EVERYTHING)]
        server = ""
        if request.param == "HTTP":
            url = stack.enter_context(everything_over_http())
            server = f'[servers.everything]\nurl = "{url}"\n'
            words = ["stdio", "--server", "everything"]
        (home / "config.toml").write_text(f"[models.smol]\n{model}{server}")
        app = App(home, env, person.says("accept"))
        stack.callback(app.stop)
        host = StdioHost([*DESKBELL, *words], env, cwd=str(ROOT))
        stack.callback(host.close)
        host.open()
        yield host


@contextmanager
def everything_over_http() -> Iterator[str]:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    command, env = [str(NODE), str(EVERYTHING), "streamableHttp"], {**os.environ, "PORT": str(port)}
    with conformance.running(command, rf"port ({port})", env):
        yield f"http://127.0.0.1:{port}/mcp"


@needs_everything
def test_trigger_sampling_request_of_server_everything_is_answered_by_the_model(everything: StdioHost):
    assert "trigger-sampling-request" in everything.tools()
    call = everything.begin_call(
        "trigger-sampling-request", prompt="What is the capital of France?", maxTokens=60
    )
    result = result_of(call, PATIENCE)
    words = str(result["content"])
    assert not result.get("isError")
    assert "smollm2" in words.lower()


SERVERS = {"legacy": entry("quiz", asking("legacy")), "modern": entry("quiz", asking("modern"))}


@pytest.fixture(params=["stdio", "HTTP"])
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
@pytest.mark.parametrize("era", SERVERS)
def test_a_host_of_either_era_over_either_wire_gets_the_models_answer(
    era: str, revision: str, wire: str, tmp_path: Path, address: str
):
    home = tmp_path / "home"
    home.mkdir()
    model = f'[models.smol]\nkind = "openai"\nurl = "{address}/v1"\nmodel = "smollm2"\ntimeout = 300\n'
    (home / "config.toml").write_text(model + SERVERS[era])
    env, person = environment(home), Person(tmp_path)
    with ExitStack() as stack:
        app = App(home, env, person.says("accept"))
        stack.callback(app.stop)
        host: Host
        if wire == "HTTP":
            host = http = HttpHost(app.port, app.token, path="/mcp/quiz", revision=revision)
            stack.callback(http.close)
        else:
            words = [*DESKBELL, "stdio", "--server", "quiz"]
            host = stdio = StdioHost(words, env, cwd=str(ROOT), revision=revision)
            stack.callback(stdio.close)
        host.open()
        plain = sampled(host, messages=[FRANCE], maxTokens=20)
        assert (plain["role"], plain["content"]["type"]) == ("assistant", "text")
        data = sampled(host, messages=[FRANCE], maxTokens=200, tools=[BOUNDED], **REQUIRED)
        assert data["stopReason"] == "toolUse"
        assert check(data["content"]["input"], BOUNDED["inputSchema"])[1] == ""
        assert [one["mode"] for one in person.asked] == ["sampling", "sampling"]


def sampled(host: Host, **params: Any) -> Any:
    return said_in(result_of(host.begin_call("sample", **params), PATIENCE))
