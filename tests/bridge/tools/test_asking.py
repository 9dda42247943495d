"""What authors get when they ask: values that fit, defaults in one line, labelled options."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.tools import Toolbox, ToolContext
from bridge.tools.elicit_tools import DESK
from tests.fixtures.toolbox_host import Talk

ACCEPT: dict[str, Any] = {"action": "accept"}
NO_ONE = {"action": "cancel", "_meta": {"deskbell/unanswered": "nobody"}}
LATE = {"action": "cancel", "_meta": {"deskbell/unanswered": "expired"}}
SIZE = {"type": "object", "properties": {"size": {"type": "integer", "minimum": 1}}, "required": ["size"]}


def asking() -> Toolbox:
    box = Toolbox("box")

    @box.tool()
    async def size(ctx: ToolContext) -> Any:
        """Asks for a size."""
        reply = await ctx.elicit("Which size?", SIZE)
        return {"action": reply.action, "content": reply.content}

    @box.tool()
    async def tea(ctx: ToolContext) -> str:
        """Asks for a tea."""
        return await ctx.elicitor.or_default(ctx.elicitor.choose("Which?", ["Assam", "Sencha"]), "Assam")

    return box


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ({**ACCEPT, "content": {"size": 3}}, {"action": "accept", "content": {"size": 3}}),
        ({"action": "decline"}, {"action": "decline", "content": None}),
        ({"action": "cancel"}, {"action": "cancel", "content": None}),
    ],
)
async def test_elicit_returns_the_action_and_the_values(answer, result):
    said = await Talk(asking()).call_answering("size", answer)
    assert said["structuredContent"] == {"result": result}


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({**ACCEPT, "content": {"size": 0}}, "does not fit the question. size: "),
        (ACCEPT, "does not fit the question. size: "),
        (LATE, "Nobody answered in time."),
        (NO_ONE, "nobody can be asked"),
    ],
)
async def test_elicit_validates_and_a_time_out_is_a_time_out(answer, words):
    said = await Talk(asking()).call_answering("size", answer)
    assert said["isError"] is True
    assert words in json.loads(said["content"][0]["text"])["error"]


@pytest.mark.parametrize(
    ("answer", "tea"),
    [({**ACCEPT, "content": {"value": "Sencha"}}, "Sencha"), (NO_ONE, "Assam"), (LATE, "Assam")],
)
async def test_where_nobody_can_be_asked_a_default_is_one_line(answer, tea):
    assert (await Talk(asking()).call_answering("tea", answer))["structuredContent"] == {"result": tea}


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_a_default_is_not_the_answer_of_a_person_who_refused(action):
    assert (await Talk(asking()).call_answering("tea", {"action": action}))["isError"] is True


async def test_elicit_choice_takes_labelled_options():
    talk = Talk(DESK)
    options = [{"value": "a", "label": "Assam"}, "Sencha"]
    answer = {**ACCEPT, "content": {"value": "a"}}
    said = await talk.call_answering("elicit_choice", answer, message="Which?", options=options, default="a")
    assert said["structuredContent"] == {"result": {"action": "accept", "value": "a"}}
    field = (await talk.asked())["params"]["requestedSchema"]["properties"]["value"]
    assert field["oneOf"] == [{"const": "a", "title": "Assam"}, {"const": "Sencha", "title": "Sencha"}]
