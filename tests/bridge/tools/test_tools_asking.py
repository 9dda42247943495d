"""Tools that ask people and models."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from msgspec import Meta

from bridge.tools import (
    Cancelled,
    Declined,
    NobodyToAsk,
    NoModel,
    TimedOut,
    Toolbox,
    ToolContext,
    ToolProblem,
)
from tests.bridge.tools.toolbox_samples import ACCEPT, LATE, NO_ONE, box, error_of
from tests.fixtures.toolbox_host import Talk


@dataclass
class Trip:
    """Where to go."""

    city: str
    days: Annotated[int, Meta(ge=1)] = 3


def questions() -> Toolbox:
    made = box()

    @made.tool()
    async def ask(ctx: ToolContext, kind: str) -> Any:
        """Asks."""
        ask = ctx.elicitor
        match kind:
            case "choose":
                return await ask.choose("Which?", ["a", "b"], default="b")
            case "choose by title":
                return await ask.choose("Which?", {"a": "The first", "b": "The second"})
            case "text":
                return await ask.text("Who?", "Name", max_length=5, format="email")
            case "number":
                return await ask.number("How many?", 1, 10)
            case "confirm":
                return await ask.confirm("Really?")
            case "trip":
                return repr(await ask.form("Where?", Trip))
            case "hurry":
                return await ask.text("Quick!", within=0.01)
            case "visit":
                visit = await ask.visit("Sign in", "https://example.com")
                await visit.complete()
                return "visited"
        return await ask.form("Fill in", {"type": "object", "properties": {"x": {"type": "integer"}}})

    return made


@pytest.mark.parametrize(
    ("kind", "answer", "result"),
    [
        ("choose", {"value": "a"}, "a"),
        ("choose by title", {"value": "b"}, "b"),
        ("text", {"value": "a@b.c"}, "a@b.c"),
        ("number", {"value": 3}, 3),
        ("number", {"value": 3.5}, 3.5),
        ("confirm", {"answer": "yes"}, True),
        ("confirm", {"answer": "no"}, False),
        ("trip", {"city": "Rome", "days": 2}, "Trip(city='Rome', days=2)"),
        ("trip", {"city": "Rome"}, "Trip(city='Rome', days=3)"),
        ("form", {"x": 1}, {"x": 1}),
        ("form", {}, {}),
    ],
)
async def test_each_question_has_a_typed_answer(kind, answer, result):
    said = await Talk(questions()).call_answering("ask", {**ACCEPT, "content": answer}, kind=kind)
    assert said["structuredContent"] == {"result": result}


async def test_questions_are_forms_that_every_revision_knows():
    talk = Talk(questions())
    talk.say("tools/call", {"name": "ask", "arguments": {"kind": "choose"}})
    params = (await talk.asked())["params"]
    assert params == {
        "message": "Which?",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "value": {"type": "string", "enum": ["a", "b"], "title": "Choice", "default": "b"}
            },
            "required": ["value"],
        },
    }
    assert talk.back.about[-1] == b"101"  # the call that asks, so that its end takes the question along


async def test_a_visit_ends_with_the_word_that_it_is_complete():
    talk = Talk(questions())
    said = await talk.call_answering("ask", ACCEPT, kind="visit")
    asked = (await talk.asked())["params"]
    assert (asked["mode"], asked["url"]) == ("url", "https://example.com")
    done = await talk.heard(lambda one: one.get("method") == "notifications/elicitation/complete")
    assert done["params"]["elicitationId"] == asked["elicitationId"]
    assert said["structuredContent"] == {"result": "visited"}


CROWDED = {"action": "cancel", "_meta": {"deskbell/unanswered": "too many"}}


@pytest.mark.parametrize(
    ("answer", "words", "meta"),
    [
        ({"action": "decline"}, "The person declined to answer.", None),
        ({"action": "cancel"}, "The person closed the question", None),
        ({"action": "perhaps"}, "The person closed the question", None),
        (LATE, "Nobody answered in time.", {"deskbell/failure": "expired"}),
        (NO_ONE, "nobody can be asked: Unknown Client cannot show questions", None),
        (CROWDED, "Too many questions wait for the person already", None),
        ({**ACCEPT, "content": {"value": "aardvark"}}, "does not fit the question. value: ", None),
    ],
)
async def test_a_question_without_an_answer_ends_the_tool_that_does_not_care_to_catch_it(answer, words, meta):
    said = await Talk(questions()).call_answering("ask", answer, kind="choose")
    assert said["isError"] is True
    assert words in said["content"][0]["text"]
    assert said.get("_meta") == meta


@pytest.mark.parametrize("content", [None, {}, {"answer": "maybe"}, {"confirmed": True}])
async def test_an_acceptance_without_a_yes_confirms_nothing(content):
    accepted = ACCEPT if content is None else {**ACCEPT, "content": content}
    said = await Talk(questions()).call_answering("ask", accepted, kind="confirm")
    assert said["isError"] is True
    assert "without a yes" in said["content"][0]["text"]


async def test_a_confirmation_is_a_required_choice_marked_as_one_with_consequences():
    talk = Talk(questions())
    talk.say("tools/call", {"name": "ask", "arguments": {"kind": "confirm"}})
    params = (await talk.asked())["params"]
    assert params["requestedSchema"]["required"] == ["answer"]
    assert params["requestedSchema"]["properties"]["answer"]["enum"] == ["yes", "no"]
    assert params["_meta"] == {"deskbell/consent": True}


async def test_declining_a_confirmation_is_a_no_and_closing_it_is_neither():
    said = await Talk(questions()).call_answering("ask", {"action": "decline"}, kind="confirm")
    assert said["structuredContent"] == {"result": False}
    said = await Talk(questions()).call_answering("ask", {"action": "cancel"}, kind="confirm")
    assert said["isError"] is True


async def test_a_question_with_a_limit_is_taken_back_when_it_is_over():
    talk = Talk(questions())
    said = await talk.call("ask", kind="hurry")
    assert error_of(said) == "Nobody answered within 0.01 s."
    taken = await talk.heard(lambda one: one.get("method") == "notifications/cancelled")
    assert taken["params"] == {"requestId": 1}


def test_the_ways_not_to_answer_can_be_told_apart():
    assert not issubclass(Declined, Cancelled)
    assert issubclass(TimedOut, Cancelled)
    assert issubclass(NobodyToAsk, Cancelled)
    assert issubclass(Cancelled, ToolProblem)


async def test_a_cancelled_call_takes_its_question_along():
    talk = Talk(questions())
    calling = talk.say("tools/call", {"name": "ask", "arguments": {"kind": "text"}})
    await talk.asked()
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": calling}}
    talk.connection.send(json.dumps(note).encode())
    assert await talk.heard(lambda one: one.get("method") == "notifications/cancelled")


# --- telling and sampling ------------------------------------------------------------------------------


def teller() -> Toolbox:
    made = box()

    @made.tool()
    async def work(ctx: ToolContext) -> str:
        """Works."""
        await ctx.progress(1, 2, "half")
        await ctx.log("debug", "unheard")
        await ctx.log("warning", {"disk": "full"}, "disk")
        return ctx.host

    @made.tool()
    async def think(ctx: ToolContext) -> str:
        """Thinks."""
        try:
            return (await ctx.sample("Why?", system="Be brief")).text
        except NoModel as problem:
            return str(problem)

    return made


async def test_progress_goes_by_the_hosts_token_and_logs_by_the_level_it_wants():
    talk = Talk(teller())
    await talk.result("initialize", {"clientInfo": {"name": "Claude", "version": "1"}})
    params = {"name": "work", "arguments": {}, "_meta": {"progressToken": "t"}}
    said = await talk.result("tools/call", params)
    assert said["structuredContent"] == {"result": "Claude"}
    notes = [one for one in map(json.loads, talk.back.messages) if "id" not in one]
    assert [one["params"] for one in notes] == [
        {"progressToken": "t", "progress": 1, "total": 2, "message": "half"},
        {"level": "warning", "data": {"disk": "full"}, "logger": "disk"},
    ]


async def test_a_host_that_wants_to_hear_all_hears_all_and_one_without_a_token_no_progress():
    talk = Talk(teller())
    assert await talk.result("logging/setLevel", {"level": "debug"}) == {}
    await talk.call("work")
    notes = [one["params"] for one in map(json.loads, talk.back.messages) if "id" not in one]
    assert [one["level"] for one in notes] == ["debug", "warning"]


async def test_there_are_eight_levels_and_no_ninth():
    with pytest.raises(ValueError, match="is not a level"):
        await ToolContext(None).log("loud", "x")  # type: ignore[arg-type]


async def test_a_model_answers_through_the_host():
    talk = Talk(teller())
    reply = {"role": "assistant", "model": "m", "content": {"type": "text", "text": "Because."}}
    said = await talk.call_answering("think", reply)
    assert said["structuredContent"] == {"result": "Because."}
    assert (await talk.asked())["params"]["systemPrompt"] == "Be brief"


async def test_where_no_model_can_be_asked_the_tool_is_told():
    talk = Talk(teller())
    calling = asyncio.ensure_future(talk.call("think"))
    asked = await talk.asked()
    refusal = {"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "no"}}
    talk.connection.send(json.dumps(refusal).encode())
    said = await calling
    assert said["structuredContent"] == {"result": "No model can be asked through Unknown Client: no"}


async def test_an_argument_is_completed_by_whoever_knows_it():
    made = box()

    async def friends(ctx: ToolContext, begun: str) -> list[str]:
        return [name for name in ("ada", "alan", "bob") if name.startswith(begun)]

    @made.tool(completers={"who": friends})
    async def greet(ctx: ToolContext, who: str, how: str = "") -> str:
        """Greets."""
        return who

    talk = Talk(made)

    def wanted(argument: str, kind: str = "ref/tool") -> dict[str, Any]:
        return {"ref": {"type": kind, "name": "greet"}, "argument": {"name": argument, "value": "a"}}

    said = await talk.result("completion/complete", wanted("who"))
    assert said == {"completion": {"values": ["ada", "alan"], "total": 2, "hasMore": False}}
    assert (await talk.result("completion/complete", wanted("how")))["completion"]["values"] == []
    assert (await talk.result("completion/complete", wanted("who", "ref/prompt")))["code"] == -32602
