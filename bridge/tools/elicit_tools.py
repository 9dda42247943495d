"""The built-in server `desk`: tools with which an agent asks the user.

Each tool asks one question and returns the answer. If the question expires, its default is returned; without
a default the call fails. A destructive action is never confirmed by default.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict, TypeVar

from msgspec import Meta

from bridge.tools.base import BadArguments, Cancelled, Declined, NobodyToAsk, NotAnswered, TimedOut
from bridge.tools.context import ToolContext
from bridge.tools.toolbox import Toolbox

T = TypeVar("T")

Message = Annotated[str, Meta(min_length=1, description="The question, in words for the person.")]
Label = Annotated[str, Meta(description="What the field is called.")]
Action = Annotated[
    Literal["accept", "decline", "cancel"],
    Meta(description="accept: answered; decline: said no; cancel: closed the question or was not there."),
]

Reason = Annotated[str, Meta(description="Why the person declined, in their words.")]


class Labelled(TypedDict):
    value: str
    label: str


Options = Annotated[
    list[str | Labelled],
    Meta(min_length=1, description="What to choose from: texts, or values with the labels that are shown."),
]
_DEFAULT = "Filled in beforehand, and the answer if nobody gives one."


class _Why(TypedDict):
    reason: NotRequired[Reason]


class TextAnswer(TypedDict):
    action: Action
    value: str | None
    reason: NotRequired[Reason]


class NumberAnswer(TypedDict):
    action: Action
    value: float | None
    reason: NotRequired[Reason]


class YesOrNo(TypedDict):
    action: Action
    confirmed: bool
    reason: NotRequired[Reason]


class FormAnswer(TypedDict):
    action: Action
    content: dict[str, Any] | None
    reason: NotRequired[Reason]


class ModelAnswer(TypedDict):
    text: str
    data: dict[str, Any] | None
    model: str


DESK = Toolbox("desk", "Desk")
_IRREVERSIBLE = "This cannot be undone."


@DESK.tool(title="Ask for text", read_only=True, open_world=False)
async def elicit_input(
    ctx: ToolContext,
    message: Message,
    label: Label = "Answer",
    default: Annotated[str | None, Meta(description=_DEFAULT)] = None,
) -> TextAnswer:
    """Asks the person at this computer for a line of text and waits for the answer."""
    action, value, why = await _answer(ctx.elicitor.text(message, label, default=default), default)
    return {"action": action, "value": value, **why}


@DESK.tool(title="Ask for a number", read_only=True, open_world=False)
async def elicit_number(
    ctx: ToolContext,
    message: Message,
    label: Label = "Number",
    minimum: float | None = None,
    maximum: float | None = None,
    integer: Annotated[bool, Meta(description="Only whole numbers.")] = False,
    default: Annotated[float | None, Meta(description=_DEFAULT)] = None,
) -> NumberAnswer:
    """Asks the person at this computer for a number and waits for the answer."""
    if minimum is not None and maximum is not None and minimum > maximum:
        raise BadArguments("minimum must not be larger than maximum.")
    asking = ctx.elicitor.number(message, minimum, maximum, field=label, integer=integer, default=default)
    action, value, why = await _answer(asking, default)
    return {"action": action, "value": value, **why}


@DESK.tool(title="Ask for a choice", read_only=True, open_world=False)
async def elicit_choice(
    ctx: ToolContext,
    message: Message,
    options: Options,
    label: Label = "Choice",
    default: Annotated[str | None, Meta(description=_DEFAULT)] = None,
) -> TextAnswer:
    """Asks the person at this computer to choose one of several options and waits for the answer."""
    pairs = [(one, one) if isinstance(one, str) else (one["value"], one["label"]) for one in options]
    labels = dict(pairs)
    if len(labels) != len(options):
        raise BadArguments("The options must differ from one another.")
    if default is not None and default not in labels:
        raise BadArguments("default must be one of the options.")
    choices = list(labels) if all(value == text for value, text in pairs) else labels
    asking = ctx.elicitor.choose(message, choices, field=label, default=default)
    action, value, why = await _answer(asking, default)
    return {"action": action, "value": value, **why}


@DESK.tool(title="Ask for a yes", read_only=True, open_world=False)
async def elicit_confirm(
    ctx: ToolContext,
    message: Message,
    destructive: Annotated[
        bool, Meta(description="What is asked for cannot be undone: without a yes it is refused.")
    ] = False,
    default: Annotated[
        bool | None, Meta(description="The answer if nobody gives one. Not for what is destructive.")
    ] = None,
) -> YesOrNo:
    """Asks the person at this computer to agree to something. Only `confirmed: true` is a yes."""
    try:
        text = f"{message}\n\n**{_IRREVERSIBLE}**" if destructive else message
        action, yes, why = await _answer(ctx.elicitor.confirm(text), None if destructive else default)
    except NotAnswered as problem:
        raise type(problem)(f"Refused: nobody confirmed it. {problem}") from problem
    outcome = "decline" if action == "accept" and not yes else action
    return {"action": outcome, "confirmed": yes is True, **why}


@DESK.tool(title="Ask with a form", read_only=True, open_world=False)
async def elicit_form(
    ctx: ToolContext,
    message: Message,
    schema: Annotated[
        dict[str, Any], Meta(description="A flat JSON schema of the fields, as in MCP elicitation.")
    ],
    default: Annotated[dict[str, Any] | None, Meta(description="The answer if nobody gives one.")] = None,
) -> FormAnswer:
    """Asks the person at this computer to fill in a form and waits for the answer."""
    mapping: Mapping[str, Any] = schema  # selects the overload that returns a dict
    action, content, why = await _answer(ctx.elicitor.form(message, mapping), default)
    return {"action": action, "content": content, **why}


@DESK.tool(title="Ask a model", read_only=True, requires={"sampling"})
async def sample(
    ctx: ToolContext,
    prompt: Annotated[str, Meta(min_length=1, description="What to ask.")],
    schema: Annotated[
        dict[str, Any] | None,
        Meta(description="A JSON schema: the answer is then an object that matches it."),
    ] = None,
    system: Annotated[str, Meta(description="How the model should behave.")] = "",
    max_tokens: Annotated[int, Meta(ge=1, le=100_000)] = 1000,
) -> ModelAnswer:
    """Asks another model, which the person at this computer has chosen and agrees to."""
    if schema is None:
        made = await ctx.sample(prompt, system=system, max_tokens=max_tokens)
        return {"text": made.text, "data": None, "model": made.model}
    mapping: Any = schema
    data = await ctx.sample_schema(prompt, mapping, retries=0, system=system, max_tokens=max_tokens)
    return {"text": data.text, "data": data.parsed, "model": data.model}


async def _answer(
    asking: Awaitable[T], default: T | None
) -> tuple[Literal["accept", "decline", "cancel"], T | None, _Why]:
    """Return action, value and the reason of a refusal. An expired question raises without a default."""
    try:
        return "accept", await asking, {}
    except Declined as declined:
        return "decline", None, {"reason": declined.reason} if declined.reason else {}
    except (TimedOut, NobodyToAsk):
        if default is None:
            raise
        return "cancel", default, {}
    except Cancelled:
        return "cancel", None, {}
