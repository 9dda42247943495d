"""What a function declares is what its callers get."""

from __future__ import annotations

import json
from dataclasses import dataclass

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest

from bridge.tools import Prose, Report, Toolbox
from tests.fixtures.toolbox_host import Talk


@dataclass
class Row:
    size: int | None = None


@pytest.mark.parametrize("data", [Row(), Row(3), None])
async def test_an_optional_value_of_a_report_obeys_its_output_schema(data):
    box = Toolbox("box")

    @box.tool()
    async def report() -> Report[Row | None]:
        """Reports."""
        return Report("text", data)

    said = await Talk(box).call("report")
    jsonschema.validate(
        said["structuredContent"], json.loads(msgspec.json.encode(box.tools["report"].output_schema))
    )


async def test_a_report_without_the_type_of_its_data_has_no_output_schema():
    box = Toolbox("box")

    @box.tool()
    async def report() -> Report:
        """Reports."""
        return Report("text", 5)

    assert box.tools["report"].output_schema is None
    assert (await Talk(box).call("report"))["structuredContent"] == {"result": 5}


async def test_a_value_of_another_type_than_declared_is_a_failure_that_its_author_can_read(caplog):
    box = Toolbox("box")

    @box.tool()
    def wrong() -> int:
        return "seven"  # type: ignore[return-value]

    @box.tool()
    def short() -> tuple[int, str]:
        return (1,)  # type: ignore[return-value]

    @box.tool()
    def proses() -> int:
        return Prose("seven")  # type: ignore[return-value]

    @box.tool()
    def reports() -> Report[Row]:
        return Report("text", "seven")  # type: ignore[arg-type]

    for name in box.tools:
        said = await Talk(box).call(name)
        assert said["isError"]
        assert said["content"][0]["text"] == f'{{"error":"{name} failed: TypeError."}}'
    assert "it returned what is not the declared <class 'int'>: Expected `int`, got `str`" in caplog.text


async def test_plain_functions_and_functions_without_a_context_are_tools():
    box = Toolbox("box")

    @box.tool()
    def shout(text: str) -> str:
        return text.upper()

    @box.tool()
    async def host_of(ctx) -> str:
        return ctx.host

    @box.tool()
    async def answer() -> int:
        return 42

    talk = Talk(box)
    assert (await talk.call("shout", text="a"))["structuredContent"] == {"result": "A"}
    assert (await talk.call("host_of"))["structuredContent"] == {"result": "Unknown Client"}
    assert (await talk.call("answer"))["structuredContent"] == {"result": 42}
    assert "ctx" not in box.tools["host_of"].input_schema["properties"]
