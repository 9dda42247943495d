"""What a built-in tool is: a name, two schemas, and one function that may ask the person.

Knows nothing of MCP's wire; upstreams/local.py serves what is defined with it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bridge.core.questions import Answer

Arguments = Mapping[str, Any]


class ToolContext(Protocol):
    """What a running tool can do besides computing."""

    async def elicit(self, message: str, schema: Mapping[str, Any]) -> Answer:
        """Ask the person; returns when they answered, declined or closed the question."""


class ToolProblem(Exception):
    """A failure the model should read; the call ends with this text as its error."""


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]
    run: Callable[[ToolContext, Arguments], Awaitable[Mapping[str, Any]]]

    def listing(self) -> dict[str, Any]:
        """As tools/list shows it."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": {"readOnlyHint": True, "openWorldHint": False},
        }
