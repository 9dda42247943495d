"""The built-in server `desk`: an agent asks the person on purpose.

Each tool puts one question on the desk and returns what came of it. A question nobody answered is never
taken for a yes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from bridge.core.questions import Action, Answer
from bridge.tools.base import Arguments, Tool, ToolContext, ToolProblem

_MESSAGE = {"type": "string", "description": "The question, in words for the person.", "minLength": 1}
_ACTION = {
    "type": "string",
    "enum": ["accept", "decline", "cancel"],
    "description": "accept: answered; decline: said no; cancel: closed the question or was not there.",
}


def _object(properties: Mapping[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(required)}


def _value(answer: Answer) -> Any:
    return msgspec.json.decode(answer.content or b"{}").get("value")


async def elicit_input(ctx: ToolContext, arguments: Arguments) -> Mapping[str, Any]:
    field = {"type": "string", "title": arguments.get("label", "Answer"), "minLength": 1}
    if "default" in arguments:
        field["default"] = arguments["default"]
    answer = await ctx.elicit(arguments["message"], _object({"value": field}, "value"))
    return {"action": answer.action.value, "value": _value(answer)}


async def elicit_number(ctx: ToolContext, arguments: Arguments) -> Mapping[str, Any]:
    field: dict[str, Any] = {"type": "number", "title": arguments.get("label", "Number")}
    field |= {bound: arguments[bound] for bound in ("minimum", "maximum", "default") if bound in arguments}
    answer = await ctx.elicit(arguments["message"], _object({"value": field}, "value"))
    return {"action": answer.action.value, "value": _value(answer)}


async def elicit_choice(ctx: ToolContext, arguments: Arguments) -> Mapping[str, Any]:
    options = arguments["options"]
    if len(set(options)) != len(options):
        raise ToolProblem("The options must differ from one another.")
    field = {"type": "string", "title": arguments.get("label", "Choice"), "enum": options}
    answer = await ctx.elicit(arguments["message"], _object({"value": field}, "value"))
    return {"action": answer.action.value, "value": _value(answer)}


async def elicit_confirm(ctx: ToolContext, arguments: Arguments) -> Mapping[str, Any]:
    answer = await ctx.elicit(arguments["message"], _object({}))
    return {"action": answer.action.value, "confirmed": answer.action is Action.ACCEPT}


async def elicit_form(ctx: ToolContext, arguments: Arguments) -> Mapping[str, Any]:
    answer = await ctx.elicit(arguments["message"], arguments["schema"])
    return {"action": answer.action.value, "content": msgspec.json.decode(answer.content or b"null")}


_LABEL = {"type": "string", "description": "What the field is called."}
_OPTIONS = {
    "type": "array",
    "items": {"type": "string"},
    "minItems": 1,
    "description": "What to choose from.",
}
_SCHEMA = {
    "type": "object",
    "description": "A flat JSON schema of the fields to fill in, as in MCP elicitation.",
}
_TEXT_OUT = _object({"action": _ACTION, "value": {"type": ["string", "null"]}}, "action")

TOOLS = (
    Tool(
        "elicit_input",
        "Ask for text",
        "Asks the person at this computer for a line of text and waits for the answer.",
        _object({"message": _MESSAGE, "label": _LABEL, "default": {"type": "string"}}, "message"),
        _TEXT_OUT,
        elicit_input,
    ),
    Tool(
        "elicit_number",
        "Ask for a number",
        "Asks the person at this computer for a number and waits for the answer.",
        _object(
            {
                "message": _MESSAGE,
                "label": _LABEL,
                "minimum": {"type": "number"},
                "maximum": {"type": "number"},
                "default": {"type": "number"},
            },
            "message",
        ),
        _object({"action": _ACTION, "value": {"type": ["number", "null"]}}, "action"),
        elicit_number,
    ),
    Tool(
        "elicit_choice",
        "Ask for a choice",
        "Asks the person at this computer to choose one of several options and waits for the answer.",
        _object({"message": _MESSAGE, "options": _OPTIONS, "label": _LABEL}, "message", "options"),
        _TEXT_OUT,
        elicit_choice,
    ),
    Tool(
        "elicit_confirm",
        "Ask for a yes",
        "Asks the person at this computer to agree to something. Only `confirmed: true` is a yes.",
        _object({"message": _MESSAGE}, "message"),
        _object({"action": _ACTION, "confirmed": {"type": "boolean"}}, "action", "confirmed"),
        elicit_confirm,
    ),
    Tool(
        "elicit_form",
        "Ask with a form",
        "Asks the person at this computer to fill in a form and waits for the answer.",
        _object({"message": _MESSAGE, "schema": _SCHEMA}, "message", "schema"),
        _object({"action": _ACTION, "content": {"type": ["object", "null"]}}, "action"),
        elicit_form,
    ),
)
