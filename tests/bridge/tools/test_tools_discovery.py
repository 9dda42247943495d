"""The built-in server desk, tools of other packages, and the guide for authors."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

import bridge.tools
from bridge.tools import (
    Elicitor,
    Toolbox,
)
from bridge.tools.discovery import find
from bridge.tools.elicit_tools import DESK
from tests.bridge.tools.toolbox_samples import ACCEPT, LATE, NO_ONE, error_of, listed
from tests.fixtures.toolbox_host import Talk


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
    others = set(find().boxes)
    packages("broken_tools", "raise RuntimeError('no luck')", "broken = broken_tools:BOX")
    packages("stranger", STRANGER, "n = stranger:NUMBER", "any = stranger:NOTES", "desk = stranger:shout")
    found = find(taken=("notes",))
    assert set(found.boxes) == others
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
