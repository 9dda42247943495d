"""Tools ask models: words, data, calls, and conversations with limits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from bridge.tools import BudgetExceeded, DepthExceeded, NoModel, SampleFailed, Toolbox, ToolContext
from bridge.tools.base import PeerRefused
from bridge.tools.elicit_tools import DESK
from tests.fixtures.toolbox_host import Talk

WEATHER = {"name": "weather", "inputSchema": {"type": "object"}}


@dataclass
class City:
    name: str
    people: int = 0


class Model:
    """A Peer whose model says what it is told, in order."""

    host = known_as = "Claude"
    log_level = "info"

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[Mapping[str, Any]] = []
        self.session: dict[str, Any] = {}

    async def request(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        assert method == "sampling/createMessage"
        self.asked.append(params)
        answer = self.answers.pop(0)
        if answer is None:
            raise PeerRefused("User rejected sampling request")
        if answer == "hang":
            await asyncio.Event().wait()
        blocks = answer if isinstance(answer, list | dict) else text(answer)
        return {"role": "assistant", "content": blocks, "model": "tiny", "stopReason": "endTurn"}

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        raise AssertionError

    @property
    def files(self) -> Any:
        raise AssertionError

    def notify_resource(self, uri: str) -> None:
        raise AssertionError


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(tool: str, id_: str = "a", /, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id_, "name": tool, "input": arguments}


def data(**members: Any) -> dict[str, Any]:
    return call("__schema__", **members)


async def test_a_model_answers_in_words_and_the_conversation_goes_on():
    model = Model("Paris.", "About two million.")
    ctx = ToolContext(model)
    sample = await ctx.sample("Capital of France?", system="Be brief", temperature=0.5, stop=["!"])
    assert (sample.text, sample.model, sample.stop) == ("Paris.", "tiny", "endTurn")
    assert model.asked[0]["systemPrompt"] == "Be brief"
    assert model.asked[0]["stopSequences"] == ["!"]
    assert await ctx.ask("How many people?") == "About two million."
    assert [message["role"] for message in model.asked[1]["messages"]] == ["user", "assistant", "user"]
    assert len(ctx.conversation) == 4


async def test_explicit_messages_are_sent_as_they_are_and_not_kept():
    model = Model("Yes.")
    ctx = ToolContext(model)
    said = [{"role": "user", "content": text("Well?")}]
    sample = await ctx.sample(messages=said, model=["claude", "gpt"], cost=0.2, intelligence=1.0)
    assert model.asked[0]["messages"] == said
    assert model.asked[0]["modelPreferences"] == {
        "costPriority": 0.2,
        "intelligencePriority": 1.0,
        "hints": [{"name": "claude"}, {"name": "gpt"}],
    }
    assert sample.exchange.messages == (*said, {"role": "assistant", "content": [text("Yes.")]})
    assert ctx.conversation == ()


@pytest.mark.parametrize(
    "wrong", [{}, {"prompt": "a", "messages": []}, {"prompt": "a", "schema": City, "tools": [WEATHER]}]
)
async def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(ValueError, match="either"):
        await ToolContext(Model()).sample(**wrong)


async def test_nobody_to_ask_is_no_model():
    with pytest.raises(NoModel, match="No model can be asked through Claude: User rejected"):
        await ToolContext(Model(None)).sample("Why?")


async def test_structured_output_is_a_value_of_the_type_and_its_exchange_has_three_messages():
    model = Model(data(name="Rome", people=3))
    sample = await ToolContext(model).sample("Which city?", schema=City)
    assert sample.parsed == City("Rome", 3)
    assert model.asked[0]["tools"][0]["name"] == "__schema__"
    assert model.asked[0]["toolChoice"] == {"mode": "required"}
    request, response, closing = sample.exchange.messages
    assert request["content"] == text("Which city?")
    assert response["content"][0]["input"] == {"name": "Rome", "people": 3}
    assert closing["content"][0] == {
        "type": "tool_result",
        "toolUseId": "a",
        "content": [{"type": "text", "text": "ok"}],
    }


async def test_json_in_words_is_taken_too_and_nonsense_is_told_without_an_exception():
    assert (await ToolContext(Model('{"name": "Rome"}')).sample("?", schema=City)).parsed == City("Rome")
    sample = await ToolContext(Model("Rome, I think.")).sample("?", schema=City)
    assert sample.parsed is None
    assert "not JSON" in sample.problem


async def test_sample_schema_tries_again_with_a_hint_that_is_not_kept():
    model = Model(data(people=1), data(name="Rome"))
    ctx = ToolContext(model)
    assert (await ctx.sample_schema("Which city?", City)).parsed == City("Rome")
    assert "[IMPORTANT: Your previous response was invalid" in str(model.asked[1]["messages"])
    assert len(model.asked[1]["messages"]) == 1
    assert "IMPORTANT" not in str(ctx.conversation)
    assert len(ctx.conversation) == 3


async def test_sample_schema_gives_up_after_its_retries():
    with pytest.raises(SampleFailed, match="sample_schema failed after 3 attempts") as raised:
        await ToolContext(Model(*["no"] * 3)).sample_schema("Which city?", City)
    assert (raised.value.helper, raised.value.attempts, raised.value.last.text) == ("sample_schema", 3, "no")


async def test_calls_are_returned_and_their_results_close_the_exchange():
    model = Model([text("I look."), call("weather", "x", city="Rome"), call("weather", "y")])
    sample = await ToolContext(model).sample_tools("Weather?", [WEATHER])
    assert [(one.id, one.name, dict(one.arguments)) for one in sample.calls] == [
        ("x", "weather", {"city": "Rome"}),
        ("y", "weather", {}),
    ]
    closing = sample.exchange.answered({"x": {"degrees": 7}})[-1]["content"]
    assert closing[0]["content"][0]["text"] == '{"degrees":7}'
    assert closing[1]["isError"] is True


async def test_sample_tools_insists_on_a_call():
    model = Model("Sunny.", "Sunny!", call("weather"))
    said = [{"role": "user", "content": text("Weather?")}]
    assert (await ToolContext(model).sample_tools(said, [WEATHER])).calls
    assert "You must call one of the available tools" in str(model.asked[1]["messages"])
    with pytest.raises(SampleFailed, match="the model did not call a tool"):
        await ToolContext(Model(*["no"] * 3)).sample_tools("Weather?", [WEATHER])


async def test_a_branch_begins_with_the_conversation_and_keeps_its_own_words():
    model = Model("one", "two", "three")
    ctx = ToolContext(model)
    await ctx.sample("First")
    async with ctx.branch(messages=[{"role": "user", "content": text("Aside")}], system="Be kind") as sub:
        assert (sub.depth, len(sub.conversation)) == (1, 3)
        await sub.ask("Second")
    assert model.asked[1]["systemPrompt"] == "Be kind"
    assert len(model.asked[1]["messages"]) == 4
    assert len(ctx.conversation) == 2
    async with ctx.branch(inherit_messages=False) as sub:
        await sub.ask("Third")
    assert len(model.asked[2]["messages"]) == 1


async def test_the_limits_of_a_branch_are_kept():
    ctx = ToolContext(Model("x" * 400, "hang"))
    async with ctx.branch(max_depth=1) as sub:
        with pytest.raises(DepthExceeded, match="Branch depth 2 exceeds maximum 1"):
            async with sub.branch():
                pass
    async with ctx.branch(max_tokens=50) as sub, sub.branch() as deeper:
        with pytest.raises(BudgetExceeded):
            await deeper.ask("Tell me all")
    with pytest.raises(TimeoutError):
        async with ctx.branch(timeout=0.05) as sub:
            await sub.ask("Hello?")


def box() -> Toolbox:
    made = Toolbox("thinker")

    @made.tool(requires={"sampling"})
    async def think(ctx: ToolContext) -> str:
        """Thinks."""
        return await ctx.ask("Why?")

    return made


@pytest.mark.parametrize(("can", "names"), [({}, []), ({"sampling": {}}, ["think"])])
async def test_a_tool_that_requires_a_model_is_listed_where_one_can_be_asked(can, names):
    talk = Talk(box())
    await talk.result("initialize", {"capabilities": can})
    assert [tool["name"] for tool in (await talk.result("tools/list"))["tools"]] == names


async def test_an_agent_may_ask_a_model_in_words_or_for_data():
    talk = Talk(DESK)
    words = {"role": "assistant", "content": text("Because."), "model": "tiny", "stopReason": "endTurn"}
    said = await talk.call_answering("sample", words, prompt="Why?")
    assert said["structuredContent"]["result"] == {"text": "Because.", "data": None, "model": "tiny"}
    talk = Talk(DESK)
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    answer = {**words, "content": data(n=7), "stopReason": "toolUse"}
    said = await talk.call_answering("sample", answer, prompt="How many?", schema=schema)
    assert said["structuredContent"]["result"]["data"] == {"n": 7}


def asking_box() -> Toolbox:
    made = Toolbox("travel")

    @made.tool(elicits={"pick_city": City, "free": {"type": "object", "properties": {}}})
    async def travel(ctx: ToolContext, key: str = "pick_city") -> list[Any]:
        """Travels."""
        reply = await ctx.elicit(key, "Where to?", flights=3)
        if reply.exchange is None:
            return [str(reply.action)]
        told = reply.exchange.with_arguments(lambda context: {"count": context["flights"]})
        city: Any = reply.content
        return [city.name, reply.exchange.messages, told[0]["content"][1]["input"]]

    return made


async def test_a_question_by_key_has_a_typed_answer_a_context_and_an_exchange():
    talk = Talk(asking_box())
    answer = {"action": "accept", "content": {"name": "Rome"}}
    said = await talk.call_answering("travel", answer)
    asked = await talk.asked()
    assert asked["params"]["requestedSchema"]["x-elicit-context"] == {"flights": 3}
    content, messages, told = said["structuredContent"]["result"]
    assert content == "Rome"
    assert messages[0]["content"][1] == {
        "type": "tool_use",
        "id": "elicit_pick_city_1",
        "name": "pick_city",
        "input": {},
    }
    assert messages[1]["content"][0]["content"] == [text('{"name":"Rome"}')]
    assert told == {"count": 3}


async def test_a_question_by_key_may_be_declined_and_an_unknown_key_is_a_fault():
    said = await Talk(asking_box()).call_answering("travel", {"action": "decline"}, key="free")
    assert said["structuredContent"]["result"] == ["decline"]
    assert (await Talk(asking_box()).call("travel", key="odd"))["isError"] is True
