"""`desk_wait` has an output schema, and what it gives fits, whatever tool was called."""

from __future__ import annotations

from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from tests.core.fake_peers import LEGACY, MODERN
from tests.core.routing.held.held_samples import ADA, DONE, held

PICTURE = {"type": "image", "mimeType": "image/png", "data": "AAAA"}
FILE = {"type": "resource", "resource": {"uri": "file:///a.txt", "text": "Inside."}}
LINK = {"type": "resource_link", "uri": "file:///b.txt", "name": "b"}
PICTURES = {"content": [{"type": "text", "text": "Two:"}, PICTURE, FILE, LINK]}
WEATHER = {"content": [{"type": "text", "text": "3 °C"}], "structuredContent": {"degrees": 3}}
NUMBER = {"content": [], "structuredContent": 3}


def waited(name: str, reply: dict[str, Any], era: str = LEGACY, late: bool = False) -> tuple[Any, Any]:
    """Return the entry of desk_wait and its result, after it was called before or after the reply came."""
    wire, host, server, ticket = held(era, name)
    listed = host.requests("tools/list")
    tools = {one["name"]: one for one in host.replies[listed].result["tools"]}

    def finishes() -> None:
        wire.person(ADA)
        server.replies([one for one in server.calls if one.method == "tools/call"][-1], reply)

    if late:
        finishes()
    request = host.calls("desk_wait", arguments={"ticket": ticket})
    if not late:
        finishes()
    return tools["desk_wait"], host.replies[request].result


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize(
    ("reply", "data"),
    [
        (DONE, {"result": "done"}),
        (WEATHER, {"degrees": 3}),
        (NUMBER, {"result": 3}),
        ({"content": [], "structuredContent": None}, {"result": ""}),
        (PICTURES, {"result": "Two:\n[image]\nInside.\n[resource_link file:///b.txt]"}),
    ],
)
def test_what_a_call_gave_fits_the_output_schema_and_loses_no_content(reply, data, era, late):
    tool, result = waited("kimi-code", reply, era, late)
    assert (result["content"], result["structuredContent"]) == (reply["content"], data)
    jsonschema.validate(result["structuredContent"], tool["outputSchema"])


def test_a_host_that_shows_nothing_but_data_gets_results_as_they_are():
    tool, result = waited("codex-mcp-client", PICTURES)
    assert "outputSchema" not in tool
    assert result == PICTURES


@pytest.mark.parametrize("reply", [{"content": [], "isError": True}, {"content": "odd"}, {"content": [5]}])
def test_an_error_and_an_invalid_result_are_passed_on_as_they_are(reply):
    assert waited("kimi-code", reply)[1] == reply


def test_not_finished_yet_fits_too_and_the_same_tool_called_again_keeps_its_own_form():
    wire, host, server, ticket = held(name="kimi-code", limit=10_000.0)
    request = host.calls("desk_wait", arguments={"ticket": ticket})
    wire.passes(60.0)
    result = host.replies[request].result
    assert result["structuredContent"] == {"result": result["content"][0]["text"]}
    assert "Not finished yet" in result["structuredContent"]["result"]
    again = host.calls(arguments={"n": 1})
    wire.passes(60.0)
    assert "structuredContent" not in host.replies[again].result
    again = host.calls(arguments={"n": 1})
    wire.person(ADA)
    server.replies([one for one in server.calls if one.method == "tools/call"][-1], DONE)
    assert host.replies[again].result == DONE
