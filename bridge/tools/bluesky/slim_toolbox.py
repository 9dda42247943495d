"""SlimToolbox: list tools in few tokens, and accept the argument names of earlier versions.

Defaults that say nothing are left out of the schemas. Earlier names are not listed and cost nothing; the
schemas are open, so that hosts let them pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bridge.tools.base import Arguments, Tool
from bridge.tools.context import ToolContext
from bridge.tools.toolbox import Toolbox

_ACTORS = ("viewAs", "postAs", "reactAs", "as", "account")
_NAMES: Mapping[str, tuple[str, ...]] = {  # earlier name → names it may have now
    "handle": ("account", "from", *_ACTORS),
    "account": ("from", *_ACTORS),
    "login": _ACTORS,
    "action": ("command",),
    "cursor": ("continueAtCursor",),
    "continueAtCursor": ("cursor",),
    "uri": ("postURI", "posts"),
    "postURI": ("posts",),
    "posts": ("postURI",),
}
_VALUES = {"set-default": "default", "logout": "delete", "remove": "delete"}  # of `command`


class SlimToolbox(Toolbox):
    def renamed(self, tool: str, arguments: Arguments) -> Arguments:
        return renamed(arguments, self.tools[tool].input_schema["properties"])

    def add(self, tool: Tool) -> None:
        known = tool.input_schema["properties"]

        async def run(ctx: ToolContext, arguments: Arguments) -> Any:
            return await tool.run(ctx, renamed(arguments, known))

        super().add(replace(tool, input_schema=_slim(tool.input_schema), run=run))


def _slim(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = {
        name: {key: value for key, value in one.items() if key != "default" or value}
        for name, one in schema["properties"].items()
    }
    required = {"required": schema["required"]} if schema.get("required") else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": True}


def renamed(arguments: Arguments, known: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the arguments under the names of the schema; a name that has no meaning stays as it is."""
    result: dict[str, Any] = {}
    for name, value in arguments.items():
        free = (one for one in _NAMES.get(name, ()) if one in known and one not in arguments)
        new = name if name in known else next(free, name)
        result[new] = _adapted(new, value, known.get(new, {}))
    return result


def _adapted(name: str, value: Any, schema: Mapping[str, Any]) -> Any:
    if name == "command" and isinstance(value, str):
        return _VALUES.get(value, value)
    return [value] if schema.get("type") == "array" and isinstance(value, str) else value
