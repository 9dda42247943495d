"""Read and validate the params of `sampling/createMessage`, before anything is sent or billed. Pure.

Every violation is a BadParams, whose text becomes the message of error -32602.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from bridge.core.sampling.budget import TOKENS_PER_FILE, estimate
from bridge.core.sampling.content import BadParams, Block, check_block, result_blocks

SCHEMA_TOOL = "__schema__"
CHOICES = ("auto", "required", "none")
LARGEST = 40 << 20  # bytes of params
_MOST_MESSAGES = 10_000


@dataclass(frozen=True, slots=True)
class Message:
    role: str  # "user" | "assistant"
    blocks: tuple[Block, ...]

    def of_type(self, kind: str) -> list[Block]:
        return [block for block in self.blocks if block["type"] == kind]


@dataclass(frozen=True, slots=True)
class SamplingTool:
    name: str
    description: str = ""
    schema: Mapping[str, Any] = field(default_factory=dict)  # its inputSchema


@dataclass(frozen=True, slots=True)
class SamplingRequest:
    messages: tuple[Message, ...]
    max_tokens: int
    system: str = ""
    temperature: float | None = None
    stop: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    context: str = "none"  # includeContext; treated as "none"
    hints: tuple[str, ...] = ()
    cost: float = 0.0  # priorities, 0 to 1
    speed: float = 0.0
    intelligence: float = 0.0
    tools: tuple[SamplingTool, ...] = ()
    choice: str = "auto"

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The schema of structured output: one tool called `__schema__`, required, and no other."""
        only = self.tools[0] if len(self.tools) == 1 and self.choice == "required" else None
        return only.schema if only is not None and only.name == SCHEMA_TOOL else None

    @property
    def estimated_tokens(self) -> int:
        """Estimate the tokens of this request, its files and offered tools included."""
        tools = [f"{tool.name}{tool.description}{_json(tool.schema)}" for tool in self.tools]
        blocks = [block for message in self.messages for block in message.blocks]
        return sum(map(estimate, (self.system, *tools))) + sum(map(_tokens, blocks))


def _tokens(block: Block) -> int:
    match block["type"]:
        case "text":
            return estimate(block["text"])
        case "tool_use":
            return estimate(block["name"] + _json(block["input"]))
        case "tool_result":
            return sum(map(_tokens, result_blocks(block)))
    return TOKENS_PER_FILE


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def read(params: bytes) -> SamplingRequest:
    """Return the request of these params. Raises BadParams."""
    if len(params) > LARGEST:
        raise BadParams(f"The request is larger than {LARGEST >> 20} MB.")
    try:
        given = msgspec.json.decode(params or b"{}")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadParams(f"The params are not JSON: {error}") from error
    given = _object(given, "params")
    preferences = _object(given.get("modelPreferences") or {}, "modelPreferences")
    messages = tuple(_message(one, at) for at, one in enumerate(_list(given.get("messages"), "messages")))
    if not messages:
        raise BadParams("messages must not be empty.")
    _check_tool_results(messages)
    tools = tuple(_tool(one, at) for at, one in enumerate(_list(given.get("tools") or [], "tools")))
    return SamplingRequest(
        messages=messages,
        max_tokens=_max_tokens(given),
        system=_text(given.get("systemPrompt") or "", "systemPrompt"),
        temperature=_number(given, "temperature"),
        stop=tuple(
            _text(one, "stopSequences") for one in _list(given.get("stopSequences") or [], "stopSequences")
        ),
        metadata=_object(given.get("metadata") or {}, "metadata"),
        context=_text(given.get("includeContext") or "none", "includeContext"),
        hints=tuple(_hints(preferences)),
        cost=_number(preferences, "costPriority") or 0.0,
        speed=_number(preferences, "speedPriority") or 0.0,
        intelligence=_number(preferences, "intelligencePriority") or 0.0,
        tools=tools,
        choice=_choice(given.get("toolChoice"), tools),
    )


# ---- members ------------------------------------------------------------------------------------------


def _object(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadParams(f"{where} must be an object.")
    return value


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadParams(f"{where} must be an array.")
    if len(value) > _MOST_MESSAGES:
        raise BadParams(f"{where} has more than {_MOST_MESSAGES} elements.")
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise BadParams(f"{where} must be a string.")
    return value


def _number(given: Mapping[str, Any], name: str) -> float | None:
    value = given.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadParams(f"{name} must be a number.")
    return float(value)


def _max_tokens(given: Mapping[str, Any]) -> int:
    value = given.get("maxTokens")
    if value is None:
        raise BadParams("maxTokens is missing.")
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value) or value <= 0:
        raise BadParams("maxTokens must be a whole number above 0.")
    return int(value)


def _hints(preferences: Mapping[str, Any]) -> Iterator[str]:
    for hint in _list(preferences.get("hints") or [], "hints"):
        name = _object(hint, "hints").get("name")
        if name:
            yield _text(name, "hints")


def _choice(given: object, tools: tuple[SamplingTool, ...]) -> str:
    choice = "auto" if given is None else _object(given, "toolChoice").get("mode", "auto")
    if choice not in CHOICES:
        raise BadParams(f"toolChoice must be one of {', '.join(CHOICES)}.")
    if choice == "required" and not tools:
        raise BadParams("toolChoice is required, but there are no tools.")
    return str(choice)


def _tool(given: object, at: int) -> SamplingTool:
    tool = _object(given, f"tools[{at}]")
    name = _text(tool.get("name"), f"tools[{at}].name")
    if not name:
        raise BadParams(f"tools[{at}].name must not be empty.")
    schema = _object(tool.get("inputSchema") or {"type": "object"}, f"inputSchema of {name}")
    return SamplingTool(name, _text(tool.get("description") or "", f"description of {name}"), schema)


# ---- messages -----------------------------------------------------------------------------------------


def _message(given: object, at: int) -> Message:
    where = f"messages[{at}]"
    message = _object(given, where)
    role = message.get("role")
    if role not in ("user", "assistant"):
        raise BadParams(f"{where}.role must be user or assistant, not {role!r}.")
    content = message.get("content")
    blocks = content if isinstance(content, list) else [content]
    if not blocks:
        raise BadParams(f"{where}.content must not be empty.")
    checked = tuple(check_block(block, f"{where}.content", role) for block in blocks)
    return Message(str(role), checked)


def _check_tool_results(messages: tuple[Message, ...]) -> None:
    """Check that every tool_use is answered in the next message, by tool_results alone (SEP-1577)."""
    known: set[str] = set()
    open_calls: set[str] = set()
    for message in messages:
        results = message.of_type("tool_result")
        if results and len(results) < len(message.blocks):
            raise BadParams("Tool results mixed with other content")
        _close_calls(open_calls, [str(one["toolUseId"]) for one in results])
        open_calls = set()
        for call in message.of_type("tool_use"):
            if call["id"] in known:
                raise BadParams(f"The tool_use id {call['id']} appears twice.")
            known.add(call["id"])
            open_calls.add(call["id"])
    if open_calls:
        raise BadParams("Tool result missing in request")


def _close_calls(open_calls: set[str], answered: list[str]) -> None:
    for one in answered:
        if one not in open_calls:
            raise BadParams(f"The tool_result {one} answers no tool_use of the message before it.")
        open_calls.discard(one)
    if open_calls:
        raise BadParams("Tool result missing in request")
