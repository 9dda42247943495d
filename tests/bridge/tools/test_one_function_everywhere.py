"""One function on every surface: MCP, REST, CGI and the command line, with the same words and schemas."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import jsonschema  # type: ignore[import-untyped]
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from bridge import __version__
from bridge.api import DECLINE
from bridge.cli import cgi
from bridge.cli.parser import main
from bridge.tools import Prose, Toolbox, ToolContext, ToolProblem
from bridge.tools.bluesky import toolbox as bluesky_toolbox
from bridge.tools.elicit_tools import DESK
from bridge.tools.permission import with_permission
from tests.bridge.running_app import House, house
from tests.fixtures.patience import WITHIN
from tests.fixtures.peers import MODULES, NODE, needs_everything
from tests.fixtures.toolbox_host import Talk

TOOLS = '''
from __future__ import annotations

from dataclasses import dataclass

from bridge.tools import Toolbox, ToolContext, ToolProblem

BOX = Toolbox("box")


@dataclass
class Place:
    name: str
    country: str | None = None


@BOX.tool()
async def broken(ctx: ToolContext) -> int:
    """Refuses."""
    raise ToolProblem("It is broken.")


@BOX.tool()
async def fault(ctx: ToolContext) -> int:
    """Fails."""
    raise KeyError("the drawer is empty")


@BOX.tool()
def plain(text: str, times: int = 2) -> str:
    """Repeats a text."""
    return text * times


@BOX.tool()
def one(ctx: ToolContext) -> tuple[int]:
    """Returns one value."""
    return (1,)


@BOX.tool()
def two() -> tuple[int, str]:
    """Returns two values."""
    return 1, "b"


@BOX.tool()
def row() -> tuple[int, ...]:
    """Returns a list."""
    return 1, 2, 3


@BOX.tool()
def maybe(there: bool) -> Place | None:
    """Returns a place or nothing."""
    return Place("Rome") if there else None


@BOX.tool()
def mounted(ctx: ToolContext, name: str) -> str:
    """Reads a file."""
    return ctx.files.path(name).read_text()


@BOX.tool()
def denied() -> int:
    """Is denied by the settings."""
    return 1


@BOX.tool()
def unasked() -> int:
    """Needs an approval."""
    return 1


@BOX.tool()
def nothing() -> None:
    """Returns nothing."""
'''
RETURNS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("one", {}, {"result": 1}),
    ("two", {}, {"result0": 1, "result1": "b"}),
    ("row", {}, {"result": [1, 2, 3]}),
    ("maybe", {"there": True}, {"result": {"name": "Rome", "country": None}}),
    ("maybe", {"there": False}, {"result": None}),
    ("nothing", {}, {}),
    ("plain", {"text": "ab"}, {"result": "abab"}),
]
FAILURES: list[tuple[str, str, int]] = [
    ("broken", "{}", 500),
    ("fault", "{}", 500),
    ("plain", "{}", 400),
    ("plain", '{"text": 5}', 400),
    ("plain", '{"text": "a", "times": "many"}', 400),
    ("plain", '{"text": "a", "word": "b", "more": 1}', 400),
]


@pytest.fixture(scope="module")
def deskbell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    packages = tmp_path_factory.mktemp("packages")
    (packages / "box_tools.py").write_text(TOOLS)
    info = packages / "box_tools-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: box-tools\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[deskbell.tools]\nbox = box_tools:BOX\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DESKBELL_PORT", "0")
        patch.syspath_prepend(packages)
        home = tmp_path_factory.mktemp("home")
        patch.setenv("DESKBELL_HOME", str(home))
        folder = tmp_path_factory.mktemp("mounted")
        (folder / "a.txt").write_text("inside")
        rules = '[policy]\n"box_denied" = "deny"\n"box_unasked" = "confirm"\n'
        with house(home, f"[files]\nbox = {json.dumps(str(folder))}\n{rules}") as built:
            yield built
    sys.modules.pop("box_tools", None)


def sdk(deskbell: House, path: str = "/mcp/box", mode: str = "auto") -> Client:
    http = httpx2.AsyncClient(
        headers={"Authorization": f"Bearer {deskbell.home.read_token()}"}, timeout=WITHIN
    )
    address = f"http://127.0.0.1:{deskbell.port}{path}"
    return Client(streamable_http_client(address, http_client=http), mode=mode)


def by_cgi(deskbell: House, name: str, body: bytes, method: str = "POST") -> tuple[int, bytes]:
    env = {"REQUEST_METHOD": method, "PATH_INFO": name, "CONTENT_LENGTH": str(len(body))}
    try:
        reply = cgi._answer(env, io.BytesIO(body), deskbell.home)
    except cgi.CgiRefusal as refused:
        reply = refused.reply
    return reply.status, reply.body


# --- errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "arguments", "status"), FAILURES)
async def test_an_error_over_mcp_is_the_json_that_rest_cgi_and_the_command_line_give(
    deskbell, capsys, name, arguments, status
):
    async with sdk(deskbell) as host:
        await host.list_tools()
        result = await host.call_tool(name, json.loads(arguments))
    assert result.is_error
    (block,) = result.content
    body = block.text.encode()  # type: ignore[union-attr]
    assert set(json.loads(body)) == {"error"}
    rest = deskbell.post(name, arguments)
    assert (rest.status, rest.body) == (status, body)
    assert deskbell.post(f"box_{name}", arguments).body == body
    assert by_cgi(deskbell, f"/{name}", arguments.encode()) == (status, body)
    assert main(["call", name, "--json", arguments, "--format", "json"]) == (1 if status == 400 else 5)
    assert capsys.readouterr().out.encode().strip() == body


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("denied", "The settings of Deskbell do not allow box_denied."),
        ("unasked", "The person did not allow box_unasked. Do not try again unless they ask for it."),
    ],
)
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_refusal_of_the_settings_or_the_person_over_mcp_is_the_json_that_rest_gives(
    deskbell, name, words, mode
):
    deskbell.answer = lambda question: DECLINE
    async with sdk(deskbell, mode=mode) as host:
        result = await host.call_tool(name, {})
    assert result.is_error
    (block,) = result.content
    body = block.text.encode()  # type: ignore[union-attr]
    assert json.loads(body) == {"error": words}
    assert deskbell.post(name).body == body


async def test_bluesky_keeps_prose_errors(tmp_path):
    assert bluesky_toolbox(None, tmp_path).prose_errors  # type: ignore[arg-type]
    assert not DESK.prose_errors
    box = Toolbox("prose", prose_errors=True)

    @box.tool()
    async def post(ctx: ToolContext) -> Prose:
        """Refuses."""
        raise ToolProblem("It is not signed in.")

    assert (await Talk(box).call("post"))["content"] == [{"type": "text", "text": "It is not signed in."}]


@pytest.mark.parametrize(
    "body", [b"{", b'{"text": "\xff"}', b"\xff\xfe{}", b"text=a", b'{"text": 1e999}'], ids=range(5)
)
def test_bad_json_is_called_an_invalid_json_body_then_the_detail(deskbell, body):
    rest = deskbell.post("plain", body)
    assert rest.status == 400
    assert rest.json["error"].startswith("Invalid JSON body: ")
    assert by_cgi(deskbell, "/plain", body) == (400, rest.body)


@pytest.mark.parametrize(
    ("method", "path", "words"),
    [
        ("GET", "/functions/plain", "Use POST here."),
        ("OPTIONS", "/functions/plain", "Use POST here."),
        ("DELETE", "/functions/plain", "Use POST here."),
        ("POST", "/openapi.json", "Use GET here."),
        ("OPTIONS", "/openapi.json", "Use GET here."),
    ],
)
def test_405_texts_are_alike(deskbell, method, path, words):
    said = deskbell.ask(method, path)
    assert (said.status, said.json) == (405, {"error": words})
    assert by_cgi(deskbell, path, b"", method) == (405, said.body)


async def test_an_unknown_tool_has_the_words_of_rest(deskbell):
    assert deskbell.post("box_nowhere").json == {"error": "Function not found: box_nowhere"}
    async with sdk(deskbell, "/mcp") as client:
        with pytest.raises(MCPError, match=r"^Function not found: box_nowhere$"):
            await client.call_tool("box_nowhere", {})
        with pytest.raises(MCPError, match=r"^Function not found: nowhere$"):
            await client.call_tool("nowhere", {})
    error = await Talk(DESK).call("nowhere")
    assert error == {"code": -32602, "message": "Function not found: nowhere"}


# --- answers and their schemas ---------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(("name", "arguments", "answer"), RETURNS)
async def test_every_return_type_obeys_its_own_output_schema_for_the_python_sdk(
    deskbell, name, arguments, answer, mode
):
    async with sdk(deskbell, mode=mode) as host:
        tools = {tool.name: tool for tool in (await host.list_tools()).tools}
        result = await host.call_tool(name, arguments)  # the SDK validates
    assert not result.is_error
    assert result.structured_content == answer
    jsonschema.validate(answer, tools[name].output_schema)
    assert deskbell.post(name, json.dumps(arguments)).json == answer


@needs_everything
@pytest.mark.parametrize(("name", "arguments", "answer"), RETURNS)
def test_every_return_type_obeys_its_own_output_schema_for_the_typescript_sdk(
    deskbell, name, arguments, answer
):
    host = Path(__file__).parents[2] / "fixtures" / "host.mjs"
    address = f"http://127.0.0.1:{deskbell.port}/mcp/box"
    words = [NODE, host, MODULES, "1", "legacy", "cannot", name, json.dumps(arguments), address]
    env = {**os.environ, "TOKEN": deskbell.home.read_token()}
    said = subprocess.run(list(map(str, words)), capture_output=True, env=env, check=True, timeout=WITHIN)
    assert json.loads(said.stdout)["result"]["structuredContent"] == answer


def test_every_built_in_tool_but_blueskys_has_an_output_schema():
    """`desk_wait` too: tests/core/routing/held/test_wait_tool.py."""
    box = with_permission(DESK, None)  # type: ignore[arg-type]
    assert [name for name, tool in box.tools.items() if tool.output_schema is None] == []


def test_a_tool_reads_the_folder_that_the_settings_mount_for_its_toolbox_and_no_other(deskbell):
    assert deskbell.post("mounted", {"name": "a.txt"}).json == {"result": "inside"}
    said = deskbell.post("mounted", {"name": "../a.txt"})
    assert (said.status, said.json) == (500, {"error": "../a.txt is not in a folder of box."})


# --- who may read what an exception says -----------------------------------------------------------------


def test_an_exceptions_message_reaches_the_tools_author_and_not_strangers(deskbell, capsys, caplog):
    secret = "the drawer is empty"
    assert secret not in deskbell.post("fault").body.decode()
    assert secret in caplog.text  # the log, and stderr by DESKBELL_LOG
    assert main(["call", "fault"]) == 5
    assert secret not in capsys.readouterr().err
    assert main(["call", "fault", "--debug"]) == 5
    said = capsys.readouterr().err
    assert f"KeyError: '{secret}'" in said
    assert "box_tools.py" in said
    assert secret in deskbell.home.log.read_text()


# --- names, versions, levels -----------------------------------------------------------------------------


async def test_operation_ids_are_the_names_of_functions_on_every_surface(deskbell, capsys):
    document = deskbell.ask("GET", "/openapi.json").json
    operations = {path: item["post"]["operationId"] for path, item in document["paths"].items()}
    assert all(path == f"/functions/{name}" for path, name in operations.items())
    assert main(["tools", "--json"]) == 0
    listed = {tool["name"] for tool in json.loads(capsys.readouterr().out)}
    async with sdk(deskbell, "/mcp") as host:
        merged = {tool.name for tool in (await host.list_tools()).tools}
    assert set(operations.values()) == listed
    assert listed <= merged
    assert {"box_plain", "desk_elicit_input", "desk_permission"} <= listed


def test_openapi_promises_what_the_answer_is(deskbell):
    schemas = deskbell.ask("GET", "/openapi.json").json["components"]["schemas"]
    for name, arguments, answer in RETURNS:
        jsonschema.validate(deskbell.post(name, json.dumps(arguments)).json, schemas[f"box_{name}.answer"])
        assert set(schemas[f"box_{name}.answer"]["properties"]) == set(answer)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/box", "/mcp/desk"])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_server_info_carries_our_version(deskbell, path, mode):
    async with sdk(deskbell, path, mode) as host:
        assert host.server_info is not None
        assert host.server_info.version == __version__


async def test_an_unknown_log_level_is_refused():
    error = await Talk(DESK).result("logging/setLevel", {"level": "loud"})
    assert error["code"] == -32602
    assert "'loud' is not a level; use one of debug, info," in error["message"]
    assert await Talk(DESK).result("logging/setLevel", {"level": "alert"}) == {}
