"""The tool author's API: from a typed function to a tool that asks, as a host of the engine meets it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import jsonschema  # type: ignore[import-untyped]
import pytest
from msgspec import Meta

from bridge.tools import (
    Prose,
    Report,
    Toolbox,
    ToolContext,
)
from tests.bridge.tools.toolbox_samples import box, error_of, listed
from tests.fixtures.toolbox_host import Talk

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


def late(word: str, ctx: ToolContext) -> None: ...


def opens(file: Path) -> None: ...


def made_of() -> Path:
    return Path()


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (untyped, "word of untyped needs a type"),
        (endless, r"\*words"),
        (late, "ctx of late must be its first parameter"),
        (opens, "opens cannot be described by a schema: type <class 'pathlib.*Path'> is not supported"),
        (made_of, "made_of cannot be described by a schema: type <class 'pathlib.*Path'> is not supported"),
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
