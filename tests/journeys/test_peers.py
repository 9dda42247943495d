"""Programs others wrote, at both ends: the mcp SDK for Python always, those for Node after `make peers`."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import jsonschema  # type: ignore[import-untyped]
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitRequestParams, ElicitResult

from tests.fixtures.peers import EVERYTHING, MODULES, NODE, needs_everything
from tests.journeys.app_under_test import (
    DESKBELL,
    FIXTURES,
    ROOT,
    WAIT,
    App,
    Person,
    asking,
    environment,
    server,
    until,
)
from tests.journeys.conftest import Spawn, Start
from tests.journeys.hosts import LEGACY, MODERN, Failed, said_in

DESK = {"name": "by the desk", "drink": "coffee"}
HOST = {"name": "by the host", "drink": "tea"}
SDK_SERVER = [sys.executable, str(FIXTURES / "sdk_asking.py")]
BY_STDIO = {
    "legacy": asking("legacy"),
    "modern": asking("modern"),
    "sdk": SDK_SERVER,
}


@contextmanager
def sdk_server(env: dict[str, str], *port: str) -> Iterator[str]:
    """The address of the SDK's server over Streamable HTTP."""
    command = [*SDK_SERVER, "--http", *port]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with sdk_server(environment(tmp_path_factory.mktemp("remote"))) as address:
        yield address


# --- the mcp SDK for Python as host ------------------------------------------------------------------------


async def by_the_host(context: Any, params: ElicitRequestParams) -> ElicitResult:
    return ElicitResult(action="accept", content={**HOST})


def sdk_host(app: App, wire: str, name: str, mode: str, can_ask: bool) -> Client:
    more: dict[str, Any] = {"elicitation_callback": by_the_host} if can_ask else {}
    if wire == "http":
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {app.token}"}, timeout=WAIT)
        path = f"http://127.0.0.1:{app.port}/mcp/{name}".rstrip("/")
        return Client(streamable_http_client(path, http_client=http), mode=mode, **more)
    words = ["wrap", "--", *BY_STDIO[name]] if name in BY_STDIO else ["stdio"]
    words += ["--server", name] if name and name not in BY_STDIO else []
    command = StdioServerParameters(
        command=DESKBELL[0], args=[*DESKBELL[1:], *words], env=dict(app.env), cwd=ROOT
    )
    return Client(command, mode=mode, **more)


async def answered(host: Client, tool: str) -> str:
    """By whom the person was asked, as the tool's result tells."""
    async with asyncio.timeout(WAIT):  # the tools of a slow server are listed when it is there
        while tool not in [each.name for each in (await host.list_tools()).tools]:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.05)
    said: str = (await host.call_tool(tool, {})).content[0].text  # type: ignore[union-attr]
    return str(json.loads(said)["content"]["name"]) if tool == "ask" else said


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("wire", ["stdio", "http"])
async def test_the_python_sdk_as_host_gets_every_kind_of_server_answered(
    wire: str, mode: str, start: Start, person: Person, remote: str
):
    config = "".join(server(name, command) for name, command in BY_STDIO.items())
    app = start(person.says("accept", DESK), config + f'[servers.remote]\nurl = "{remote}"\n')
    once = (mode == "auto") == (
        wire == "stdio"
    )  # the SDK's servers start slowly; each way is gone on one wire
    for name in (*BY_STDIO, "remote"):
        tool = "ask" if name in ("legacy", "modern") else "order"
        for can_ask in (False, True) if tool == "ask" else (once,):
            who = HOST if can_ask else DESK
            async with sdk_host(app, wire, name, mode, can_ask) as host:
                said = await answered(host, tool)
                assert host.protocol_version == (LEGACY if mode == "legacy" else MODERN)
            assert said == (who["name"] if tool == "ask" else f"one {who['drink']}"), name
    assert len(person.asked) == (2 if once else 4)
    assert app.status["waiting"] == []


@pytest.mark.parametrize("wire", ["stdio", "http"])
async def test_the_python_sdk_hears_of_a_new_server_by_its_subscription(wire: str, start: Start):
    config = server("first", asking("legacy"))
    app = start(config=config)
    async with sdk_host(app, wire, "", "auto", False) as host:
        async with host.listen(tools_list_changed=True) as changes:
            app.home.config.write_text(config + server("second", asking("legacy")))
            async with asyncio.timeout(WAIT):
                assert type(await anext(aiter(changes))).__name__ == "ToolsListChanged"
        assert "second_ask" in [each.name for each in (await host.list_tools()).tools]


async def test_the_python_sdk_accepts_what_desk_wait_gives(start: Start, person: Person, tmp_path: Path):
    thought = tmp_path / "thought"
    app = start(person.says("accept", DESK, when=thought), '[hosts."mcp"]\npatience = 2\n')
    async with sdk_host(app, "stdio", "legacy", "auto", False) as host:
        tools = {tool.name: tool for tool in (await host.list_tools()).tools}
        text = (await host.call_tool("ask", {})).content[0].text  # type: ignore[union-attr]
        ticket = {"ticket": re.findall(r"wait-\w+", text)[0]}
        waits = await host.call_tool("desk_wait", ticket)
        thought.touch()
        done = await host.call_tool("desk_wait", ticket)
    assert waits.structured_content == {"result": waits.content[0].text}  # type: ignore[union-attr]
    assert done.structured_content == {"action": "accept", "content": DESK}
    for result in (waits, done):
        jsonschema.validate(result.structured_content, tools["desk_wait"].output_schema)


def test_a_remote_server_that_was_restarted_is_reached_again(
    start: Start, spawn: Spawn, person: Person, env: dict[str, str]
):
    with sdk_server(env) as address:
        start(person.says("accept", {"drink": "coffee"}), f'[servers.remote]\nurl = "{address}"\n')
        hosts = [spawn("stdio", "--server", "remote", revision=revision) for revision in (LEGACY, MODERN)]
        for host in hosts:
            host.open()
            assert "one coffee" in json.dumps(host.call("order"))
    for host in hosts:
        with pytest.raises(Failed, match="remote"):
            host.call("order")
    with sdk_server(env, address.rpartition(":")[2].partition("/")[0]):
        for host in hosts:
            assert "one coffee" in json.dumps(host.call("order"))


# --- Node --------------------------------------------------------------------------------------------------


def node_host(env: dict[str, str], sdk: str, mode: str, can: str, tool: str, *command: str) -> dict[str, Any]:
    arguments = [str(MODULES), sdk, mode, can, tool, "{}", *DESKBELL, *command]
    host = [str(NODE), str(FIXTURES / "host.mjs"), *arguments]
    done = subprocess.run(host, env=env, cwd=ROOT, capture_output=True, text=True, timeout=WAIT)
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


@needs_everything
@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_the_question_of_server_everything_is_answered(
    revision: str, start: Start, spawn: Spawn, person: Person, env: dict[str, str]
):
    start(person.says("accept", {"name": "Ada", "check": True}))
    host = spawn("wrap", "--", str(NODE), str(EVERYTHING), revision=revision)
    host.open()
    tool = "trigger-elicitation-request"
    until(lambda: tool in host.tools())  # it registers its tools when it knows what the host can
    text = json.dumps(host.call(tool))
    assert "Ada" in text
    assert "User provided the requested information" in text
    [asked] = person.asked
    assert (asked["server"], asked["tool"]) == ("server-everything", tool)


@needs_everything
@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_links_that_server_everything_wants_visited_first_are_visited_and_the_call_is_made_again(
    revision: str, start: Start, spawn: Spawn, person: Person
):
    start(person.says("accept"))
    host = spawn("wrap", "--", str(NODE), str(EVERYTHING), revision=revision)
    host.open()
    tool = "trigger-url-elicitation"
    until(lambda: tool in host.tools())
    result = host.call(tool, url="https://example.org/pay", errorPath=True)
    assert not result.get("isError")
    assert [(asked["mode"], asked.get("url")) for asked in person.asked] == [
        ("url", "https://modelcontextprotocol.io"),
        ("form", None),  # done?
        ("url", "https://example.org/pay"),  # called again, it asks in the middle of the call
    ]


@needs_everything
@pytest.mark.parametrize(
    ("sdk", "mode", "can", "era"),
    [
        ("1", "legacy", "cannot", "modern"),
        ("1", "legacy", "form", "legacy"),
        ("2", "legacy", "cannot", "legacy"),
        ("2", "auto", "cannot", "legacy"),
        ("2", "auto", "form", "legacy"),
        ("2", "auto", "form", "modern"),
    ],
)
def test_the_typescript_sdks_as_hosts_get_their_question_answered(
    sdk: str, mode: str, can: str, era: str, start: Start, person: Person, env: dict[str, str]
):
    start(person.says("accept", DESK))
    said = node_host(env, sdk, mode, can, "ask", "wrap", "--", *asking(era))
    assert said_in(said["result"])["content"]["name"] == (HOST if can == "form" else DESK)["name"]
    assert said["asked"] == (["Who is there?"] if can == "form" else [])
    assert [asked["host"] for asked in person.asked] == ([] if can == "form" else [f"typescript {sdk}"])
    if sdk == "2":
        assert said["revision"] == (LEGACY if mode == "legacy" else MODERN)


@needs_everything
@pytest.mark.parametrize(("sdk", "mode"), [("1", "legacy"), ("2", "auto")])
async def test_the_typescript_sdks_accept_what_desk_wait_gives(
    sdk: str, mode: str, start: Start, person: Person, env: dict[str, str], tmp_path: Path
):
    thought = tmp_path / "thought"
    app = start(person.says("accept", DESK, when=thought), f'[hosts."typescript {sdk}"]\npatience = 2\n')
    host = asyncio.to_thread(node_host, env, sdk, mode, "cannot", "ask", "wrap", "--", *asking("legacy"))
    running = asyncio.create_task(host)
    await asyncio.to_thread(app.until, lambda status: status["held"])
    thought.touch()
    assert (await running)["result"]["structuredContent"] == {"action": "accept", "content": DESK}


@needs_everything
@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_a_typescript_server_that_is_modern_only_is_answered(
    revision: str, start: Start, spawn: Spawn, person: Person
):
    start(person.says("accept", {"drink": "coffee"}))
    modern = [str(NODE), str(FIXTURES / "modern_server.mjs"), str(MODULES)]
    host = spawn("wrap", "--name", "bar", "--", *modern, revision=revision)
    host.open()
    assert host.tools() == ["order"]
    assert said_in(host.call("order"))["content"] == {"drink": "coffee"}
    [asked] = person.asked
    assert (asked["server"], asked["message"]) == ("bar", "What would you like?")


@needs_everything
def test_everything_over_http_by_the_merged_entry(start: Start, connect: Any, person: Person):
    app = start(person.says("decline"), server("all", [str(NODE), str(EVERYTHING)]))
    host = connect(app, "/mcp")
    host.open()
    tool = "all_trigger-elicitation-request"
    until(lambda: tool in host.tools())
    assert "declined" in json.dumps(host.call(tool))
