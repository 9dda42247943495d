"""A tool by handoff: `before` and `after` run once each, and only what is between them asks."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bridge.tools import Toolbox, ToolContext, ToolProblem
from tests.fixtures.toolbox_host import Talk

TEA = {"action": "accept", "content": {"value": "Assam"}}


def shop(done: list[str], fails: str = "") -> Toolbox:
    box = Toolbox("shop")

    def note(phase: str) -> None:
        done.append(phase)
        if phase == fails:
            raise ToolProblem(f"{phase} failed.")

    def reserve(cups: int, name: str = "Ada") -> dict[str, Any]:
        """Reserves.

        Args:
            cups: how many
        """
        note("before")
        return {"table": 7}

    async def serve(table: dict[str, Any], kind: str, arguments: dict[str, Any]) -> tuple[str, int]:
        note("after")
        return f"{arguments['cups']} {kind} for {arguments['name']}", table["table"]

    @box.tool(before=reserve, after=serve)
    async def tea(ctx: ToolContext, table: dict[str, Any]) -> str:
        """Serves tea."""
        note("tool")
        return await ctx.elicitor.choose(f"Which tea at table {table['table']}?", ["Assam", "Sencha"])

    @box.tool(before=reserve)
    def count(ctx: ToolContext, table: dict[str, Any]) -> int:
        """Counts."""
        return int(table["table"])

    return box


async def test_before_prepares_the_tool_asks_and_after_answers_once_each():
    done: list[str] = []
    said = await Talk(shop(done)).call_answering("tea", TEA, cups="2")
    assert said["structuredContent"] == {"result0": "2 Assam for Ada", "result1": 7}
    assert done == ["before", "tool", "after"]


async def test_the_arguments_are_those_of_before_and_the_answer_is_that_of_after():
    listed = (await Talk(shop([])).result("tools/list"))["tools"]
    tea, count = listed
    assert tea["description"] == "Serves tea."
    assert tea["inputSchema"]["required"] == ["cups"]
    assert tea["inputSchema"]["properties"]["cups"]["description"] == "how many"
    assert list(tea["outputSchema"]["properties"]) == ["result0", "result1"]
    assert list(count["outputSchema"]["properties"]) == ["result"]


@pytest.mark.parametrize(
    ("arguments", "fails", "phases", "words"),
    [
        ({}, "", [], "tea needs cups."),
        ({"cups": 1}, "before", ["before"], "before failed."),
        ({"cups": 1}, "tool", ["before", "tool"], "tool failed."),
    ],
)
async def test_what_fails_ends_the_call_and_what_follows_does_not_run(arguments, fails, phases, words):
    done: list[str] = []
    said = await Talk(shop(done, fails)).call("tea", **arguments)
    assert said["isError"]
    assert words in said["content"][0]["text"]
    assert done == phases


async def test_a_person_who_declines_ends_the_call_before_after():
    done: list[str] = []
    said = await Talk(shop(done)).call_answering("tea", {"action": "decline"}, cups=1)
    assert said["isError"]
    assert done == ["before", "tool"]


async def test_a_cancelled_call_does_not_finish():
    done: list[str] = []
    talk = Talk(shop(done))
    asked = talk.say("tools/call", {"name": "tea", "arguments": {"cups": 1}})
    await talk.asked()
    cancel = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}'
    talk.connection.send(cancel % asked)
    await talk.connection.closed()
    await asyncio.sleep(0)
    assert done == ["before", "tool"]


async def test_after_is_optional():
    assert (await Talk(shop([])).call("count", cups=1))["structuredContent"] == {"result": 7}


def test_what_makes_no_sense_is_refused_when_it_is_declared():
    box = Toolbox("shop")

    async def asks(ctx: ToolContext, cups: int) -> int:
        return cups

    async def tea(ctx: ToolContext, table: int) -> int:
        return table

    with pytest.raises(TypeError, match="it cannot ask anybody"):
        box.tool(before=asks)(tea)
    with pytest.raises(TypeError, match="must take 2 parameters"):
        box.tool(before=lambda: 1)(lambda table: table)
    with pytest.raises(TypeError, match="must take 3 parameters"):
        box.tool(before=lambda: 1, after=lambda table: table)(tea)
    with pytest.raises(ValueError, match="`after` needs `before`"):
        box.tool(after=lambda table, value, arguments: value)(tea)
