"""The tool author's API: from a typed function to a tool that asks, as a host of the engine meets it."""

from __future__ import annotations

import asyncio
import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest
from msgspec import Meta

import bridge.tools
from bridge.tools import (
    Cancelled,
    Declined,
    Elicitor,
    NobodyToAsk,
    NoModel,
    Prose,
    Report,
    TimedOut,
    Toolbox,
    ToolContext,
    ToolProblem,
)
from bridge.tools.desk import DESK
from bridge.tools.discovery import OWN, find
from tests.fixtures.toolbox_host import Talk

ACCEPT: dict[str, Any] = {"action": "accept"}


def box() -> Toolbox:
    return Toolbox("box")


def listed(made: Toolbox, name: str) -> dict[str, Any]:
    return json.loads(msgspec.json.encode(made.tools[name].listing()))


def error_of(said: dict[str, Any]) -> str:
    assert said["isError"] is True
    return json.loads(said["content"][0]["text"])["error"]


# --- from a signature ----------------------------------------------------------------------------------


def test_schemas_come_from_the_function():
    made = box()

    @made.tool(title="Find", read_only=True, names={"view_as": "viewAs"})
    async def find(
        ctx: ToolContext,
        query: Annotated[str, Meta(min_length=1)],
        from_: str | None = None,
        limit: int = 10,
        sort: Literal["new", "top"] = "new",
        view_as: str | None = None,
    ) -> list[str]:
        """Finds posts.

        In all of them.

        Args:
            query: what to look for,
                in words
            limit: at most so many
        """
        return [query]

    tool = listed(made, "find")
    assert tool["description"] == "Finds posts.\n\nIn all of them."
    assert tool["inputSchema"] == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "description": "what to look for, in words"},
            "from": {"type": "string"},
            "limit": {"type": "integer", "default": 10, "description": "at most so many"},
            "sort": {"type": "string", "enum": ["new", "top"], "default": "new"},
            "viewAs": {"type": "string"},
        },
        "required": ["query"],
        "additionalProperties": False,
    }
    assert tool["outputSchema"] == {
        "type": "object",
        "properties": {"result": {"type": "array", "items": {"type": "string"}}},
        "required": ["result"],
    }
    assert tool["annotations"] == {"readOnlyHint": True, "openWorldHint": True}
    jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])


class Tree(TypedDict):
    name: str
    branches: list[Tree]


class Leaf(TypedDict):
    size: int | None


def test_a_type_within_a_type_is_spelt_out_and_one_that_contains_itself_is_referred_to():
    made = box()

    @made.tool()
    async def plant(ctx: ToolContext, tree: Tree, leaf: Leaf) -> None:
        """Plants."""

    schema = listed(made, "plant")["inputSchema"]
    assert schema["properties"]["leaf"]["properties"]["size"]["anyOf"][0] == {"type": "integer"}
    assert set(schema["$defs"]) == {"Tree"}
    oak = {"name": "oak", "branches": [{"name": "twig", "branches": []}]}
    jsonschema.validate({"tree": oak, "leaf": {"size": 1}}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"tree": {"name": 5, "branches": []}, "leaf": {"size": 1}}, schema)
    assert listed(made, "plant")["outputSchema"]["properties"] == {}


async def untyped(ctx, word) -> None: ...
async def endless(ctx: ToolContext, *words: str) -> None: ...


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (untyped, "word of untyped needs a type"),
        (endless, r"\*words"),
    ],
)
def test_a_function_that_cannot_be_a_tool_is_refused_where_it_is_written(function, words):
    with pytest.raises(TypeError, match=words):
        box().tool()(function)


def test_names_that_hosts_would_refuse_are_refused():
    with pytest.raises(ValueError, match="server's name"):
        Toolbox("my box")
    with pytest.raises(ValueError, match="tool's name"):
        box().tool(name="two words")(no_context_needed)
    twice = box()
    twice.tool()(no_context_needed)
    with pytest.raises(ValueError, match="two tools called"):
        twice.tool()(no_context_needed)


async def no_context_needed(ctx: ToolContext) -> None:
    """Does nothing."""


# --- calling -------------------------------------------------------------------------------------------


def sums() -> Toolbox:
    made = box()

    @made.tool()
    async def add(ctx: ToolContext, a: int, b: int = 0) -> int:
        """Adds."""
        return a + b

    @made.tool()
    async def split(ctx: ToolContext, text: str) -> tuple[str, int]:
        """Splits."""
        return text[:1], len(text)

    @made.tool()
    async def praise(ctx: ToolContext) -> Prose:
        """Praises."""
        return Prose("# Well done")

    @made.tool()
    async def report(ctx: ToolContext) -> Report[Leaf]:
        """Reports."""
        return Report("**5**", {"size": 5})

    @made.tool()
    async def fault(ctx: ToolContext) -> int:
        """Fails."""
        raise KeyError("a secret of ours")

    return made


async def test_arguments_come_in_their_types_and_the_answer_leaves_in_its_own():
    talk = Talk(sums())
    result = await talk.call("add", a=2, b="3")
    assert result == {
        "content": [{"type": "text", "text": '{"result":5}'}],
        "structuredContent": {"result": 5},
    }
    assert (await talk.call("split", text="word"))["structuredContent"] == {"result0": "w", "result1": 4}
    assert await talk.call("praise") == {"content": [{"type": "text", "text": "# Well done"}]}
    assert (await talk.call("report"))["structuredContent"] == {"result": {"size": 5}}


@pytest.mark.parametrize("name", ["add", "split", "report"])
async def test_every_answer_fits_the_schema_that_promises_it(name):
    arguments: dict[str, Any] = {"a": 1} if name == "add" else {"text": "x"} if name == "split" else {}
    result = await Talk(sums()).call(name, **arguments)
    jsonschema.validate(result["structuredContent"], listed(sums(), name)["outputSchema"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "add needs a."),
        ({"a": 1, "c": 2}, "add has no argument called c. It has: a, b."),
        ({"a": "one"}, 'The arguments of add do not fit. a must be of type integer, not "one".'),
        ({"a": [1]}, "The arguments of add do not fit. a must be of type integer, not [ 1 ]."),
    ],
)
async def test_arguments_that_do_not_fit_are_told_to_the_model(arguments, words):
    result = await Talk(sums()).call("add", **arguments)
    assert error_of(result) == words
    assert result["_meta"] == {"deskbell/failure": "arguments"}


async def test_an_exception_in_a_tool_is_reported_without_secrets(caplog):
    result = await Talk(sums()).call("fault")
    text = '{"error":"fault failed: KeyError."}'
    assert result == {"content": [{"type": "text", "text": text}], "isError": True}
    assert "fault of box failed" in caplog.text
    assert "a secret of ours" in caplog.text


async def test_a_tool_that_is_not_there_is_a_protocol_error():
    assert (await Talk(sums()).call("nothing"))["code"] == -32602
    assert (await Talk(sums()).result("resources/list"))["code"] == -32601


# --- asking --------------------------------------------------------------------------------------------


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


NO_ONE = {"action": "cancel", "_meta": {"deskbell/unanswered": "nobody"}}
LATE = {"action": "cancel", "_meta": {"deskbell/unanswered": "expired"}}
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
    assert error_of(said) == "Nobody answered within 0.01 seconds."
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


# --- the desk ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "arguments", "content", "result"),
    [
        ("elicit_input", {}, {"value": "tea"}, {"value": "tea"}),
        ("elicit_number", {"minimum": 1}, {"value": 3}, {"value": 3}),
        ("elicit_choice", {"options": ["a", "b"]}, {"value": "b"}, {"value": "b"}),
        ("elicit_confirm", {}, {"answer": "yes"}, {"confirmed": True}),
        ("elicit_form", {"schema": {"type": "object", "properties": {}}}, {}, {"content": {}}),
    ],
)
async def test_each_desk_tool_returns_what_the_person_said(tool, arguments, content, result):
    arguments = {"message": "What?", **arguments}
    said = await Talk(DESK).call_answering(tool, {**ACCEPT, "content": content}, **arguments)
    assert said["structuredContent"] == {"result": {"action": "accept", **result}}
    jsonschema.validate(said["structuredContent"], listed(DESK, tool)["outputSchema"])
    value = "confirmed" if tool == "elicit_confirm" else next(iter(result))
    for word in ("decline", "cancel"):
        said = await Talk(DESK).call_answering(tool, {"action": word}, **arguments)
        empty = False if value == "confirmed" else None
        assert said["structuredContent"] == {"result": {"action": word, value: empty}}


@pytest.mark.parametrize("answer", [NO_ONE, LATE])
@pytest.mark.parametrize(
    ("tool", "arguments", "value"),
    [
        ("elicit_input", {"default": "tea"}, {"value": "tea"}),
        ("elicit_number", {"default": 3}, {"value": 3}),
        ("elicit_choice", {"options": ["a"], "default": "a"}, {"value": "a"}),
        ("elicit_confirm", {"default": True}, {"confirmed": True}),
        ("elicit_form", {"schema": {"type": "object"}, "default": {"x": 1}}, {"content": {"x": 1}}),
    ],
)
async def test_an_optional_question_that_nobody_answers_gets_its_default(tool, arguments, value, answer):
    said = await Talk(DESK).call_answering(tool, answer, message="What?", **arguments)
    assert said["structuredContent"] == {"result": {"action": "cancel", **value}}
    required = {name: given for name, given in arguments.items() if name != "default"}
    said = await Talk(DESK).call_answering(tool, answer, message="What?", **required)
    assert said["isError"] is True


async def test_a_default_is_no_answer_of_a_person_who_closed_the_question():
    arguments = {"message": "Go on?", "default": True}
    said = await Talk(DESK).call_answering("elicit_confirm", {"action": "cancel"}, **arguments)
    assert said["structuredContent"] == {"result": {"action": "cancel", "confirmed": False}}


@pytest.mark.parametrize("answer", [NO_ONE, LATE])
async def test_what_cannot_be_undone_is_refused_where_nobody_confirms_it(answer):
    arguments = {"message": "Delete all?", "destructive": True, "default": True}
    said = await Talk(DESK).call_answering("elicit_confirm", answer, **arguments)
    assert said["isError"] is True
    assert error_of(said).startswith("Refused: nobody confirmed it.")


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("elicit_choice", {"options": ["a", "a"]}, "differ from one another"),
        ("elicit_choice", {"options": []}, "options"),
        ("elicit_choice", {"options": ["a"], "default": "b"}, "one of the options"),
        ("elicit_number", {"minimum": 2, "maximum": 1}, "larger than maximum"),
        ("elicit_form", {"schema": {"type": "array"}}, "cannot be shown. The form does not describe"),
        ("elicit_choice", {"options": ["x" * (1 << 20), "y"]}, "cannot be shown"),
        ("elicit_input", {"message": ""}, "message"),
    ],
)
async def test_a_question_that_makes_no_sense_does_not_bother_the_person(tool, arguments, words):
    said = await Talk(DESK).call(tool, **{"message": "What?", **arguments})
    assert said["_meta"] == {"deskbell/failure": "arguments"}
    assert words in said["content"][0]["text"]


# --- tools of others -----------------------------------------------------------------------------------

STRANGER = """
from bridge.tools import Toolbox, ToolContext

NOTES = Toolbox("notes", "Notes")

@NOTES.tool(read_only=True)
async def count(ctx: ToolContext, text: str) -> int:
    \"\"\"Counts words.\"\"\"
    return len(text.split())

async def shout(ctx: ToolContext, text: str) -> str:
    \"\"\"Shouts.\"\"\"
    return text.upper()

NUMBER = 5
"""


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Installs a package that offers tools, as pip would leave it."""

    def install(name: str, source: str, *entries: str) -> None:
        (tmp_path / f"{name}.py").write_text(source)
        info = tmp_path / f"{name}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (info / "entry_points.txt").write_text("\n".join(["[deskbell.tools]", *entries]))

    monkeypatch.syspath_prepend(tmp_path)
    return install


async def test_a_package_offers_tools_by_an_entry_point(packages):
    packages("stranger", STRANGER, "any = stranger:NOTES", "loud = stranger:shout")
    found = find()
    assert set(found.boxes) >= {"desk", "notes", "loud"}
    assert (await Talk(found.boxes["notes"]).call("count", text="a b"))["structuredContent"] == {"result": 2}
    assert (await Talk(found.boxes["loud"]).call("shout", text="a"))["structuredContent"] == {"result": "A"}
    assert found.problems == []


def test_a_package_that_cannot_be_used_is_told_of_and_hinders_nobody(packages):
    packages("broken_tools", "raise RuntimeError('no luck')", "broken = broken_tools:BOX")
    packages("stranger", STRANGER, "n = stranger:NUMBER", "any = stranger:NOTES", "desk = stranger:shout")
    found = find(taken=("notes",))
    assert set(found.boxes) == {box.name for box in OWN}
    told = "\n".join(sorted(found.problems))
    assert "broken_tools:BOX cannot be used: RuntimeError: no luck." in told
    assert "stranger:NUMBER cannot be used: TypeError: an entry point must lead to" in told
    assert "there is a server called notes already" in told
    assert "there is a server called desk already" in told


# --- the guide -----------------------------------------------------------------------------------------

GUIDE = (Path(__file__).parents[3] / "docs" / "tools.md").read_text()


def guide() -> Toolbox:
    """Execute the Python blocks of docs/tools.md one after the other."""
    written: dict[str, Any] = {}
    for source in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL):
        exec(compile(source, "docs/tools.md", "exec", dont_inherit=True), written)  # noqa: S102
    shop: Toolbox = written["SHOP"]
    return shop


async def test_the_guides_resources_and_prompts_work_as_they_stand():
    talk = Talk(guide())
    await talk.result("resources/subscribe", {"uri": "shop://menu"})
    read = await talk.result("resources/read", {"uri": "shop://teas/assam"})
    assert read["contents"][0]["text"] == "strong"
    wanted = {"name": "recommend", "arguments": {"kind": "assam"}}
    (message,) = (await talk.result("prompts/get", wanted))["messages"]
    assert message["content"]["text"] == "Recommend assam to 1 guests."
    assert (await talk.call("sell_out", kind="assam"))["structuredContent"] == {}
    assert any(b"resources/updated" in one for one in talk.back.messages)
    menu = await talk.result("resources/read", {"uri": "shop://menu"})
    assert menu["contents"][0]["text"] == '["sencha"]'


def test_the_guides_entry_point_leads_to_its_toolbox():
    (source,) = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)
    (target,) = tomllib.loads(source)["project"]["entry-points"]["deskbell.tools"].values()
    assert target.partition(":")[2] == "SHOP"


async def test_the_guides_example_works_as_it_stands():
    talk = Talk(guide())
    said = await talk.call_answering("order", {**ACCEPT, "content": {"value": "Assam"}}, cups=2, sugar=True)
    assert said["structuredContent"] == {"result": "2 × Assam with sugar"}
    said = await Talk(guide()).call_answering("order", {"action": "decline"}, cups=2)
    assert said["structuredContent"] == {"result": "No tea, then."}


async def test_the_guides_handoff_works_as_it_stands():
    said = await Talk(guide()).call_answering("serve_tea", {**ACCEPT, "content": {"value": "Sencha"}}, cups=2)
    assert said["structuredContent"] == {"result": "2 × Sencha at table 7"}


async def test_the_guides_sampling_works_as_it_stands():
    words = {"role": "assistant", "content": {"type": "text", "text": "Mild."}, "model": "m"}
    call = {"type": "tool_use", "id": "a", "name": "__schema__", "input": {"strength": 1, "notes": ["green"]}}
    talk = Talk(guide())
    said = await talk.call_answering("taste", words, {**words, "content": call}, kind="sencha")
    assert said["structuredContent"] == {"result": {"strength": 1, "notes": ["green"]}}
    sent = (await talk.asked(2))["params"]["messages"]
    assert [one["role"] for one in sent] == ["user", "assistant", "user"]


@pytest.mark.parametrize("name", sorted(set(bridge.tools.__all__) - {"Elicitor", "Sample", "Tool", "Visit"}))
def test_the_guide_knows_the_whole_api(name):
    assert name in GUIDE


@pytest.mark.parametrize("ask", [name for name in vars(Elicitor) if not name.startswith("_")])
def test_the_guide_knows_every_question(ask):
    assert f"ctx.elicitor.{ask}(" in GUIDE
