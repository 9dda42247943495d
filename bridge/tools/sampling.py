"""A tool asks a model: samples, the exchanges they make, and conversations with limits.

Messages are MCP's: `{"role": "user" | "assistant", "content": block or [block, …]}`. An exchange can be
appended to a conversation and sent on. Tools that a model calls are run by the author, never here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import msgspec

from bridge.core.sampling.budget import estimate
from bridge.core.sampling.model_call import RETRIES, SCHEMA_HINT, TOOL_HINT
from bridge.core.sampling.params import SCHEMA_TOOL
from bridge.core.sampling.structured import NotJson, check, read
from bridge.tools.base import NoModel, Peer, PeerRefused, ToolProblem
from bridge.tools.signature import schema_of

T = TypeVar("T")
Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a model wants made."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SampleExchange(Generic[T]):
    """`messages`: request and response; of structured output also the tool_result that closes it."""

    request: Message
    response: Message
    messages: tuple[Message, ...]
    parsed: T | None = None

    def answered(self, results: Mapping[str, object]) -> tuple[Message, ...]:
        """Return the messages with the results of all tool calls, by id; a missing one is an error."""
        calls = [block for block in _blocks(self.response) if block.get("type") == "tool_use"]
        closing = [_tool_result(call["id"], results.get(call["id"], _MISSING)) for call in calls]
        return (self.request, self.response, {"role": "user", "content": closing})


_MISSING = ToolProblem("There is no result.")


@dataclass(frozen=True, slots=True)
class Sample(Generic[T]):
    """The reply of a model. `stop`: why it ended; `problem`: why `parsed` is None."""

    text: str
    model: str
    stop: str
    blocks: tuple[Mapping[str, Any], ...]
    exchange: SampleExchange[T]
    calls: tuple[ToolCall, ...] = ()
    parsed: T | None = None
    problem: str = ""


class SampleFailed(ToolProblem):
    """No attempt gave what was asked for; `last` is the last one."""

    def __init__(self, helper: str, attempts: int, last: Sample[Any], why: str) -> None:
        super().__init__(f"{helper} failed after {attempts} attempts: {why}")
        self.helper = helper
        self.attempts = attempts
        self.last = last


class DepthExceeded(ToolProblem):
    """A branch inside more branches than allowed."""


class BudgetExceeded(ToolProblem):
    """A conversation, or one it is a branch of, has used more tokens than allowed."""


class Conversation:
    """The messages so far, and the limits that hold for them and for branches."""

    def __init__(
        self,
        parent: Conversation | None = None,
        messages: Sequence[Message] = (),
        system: str = "",
        max_depth: int | None = None,
        max_tokens: int | None = None,
    ) -> None:
        self.parent = parent
        self.messages = list(messages)
        self.system = system
        self.depth: int = parent.depth + 1 if parent is not None else 0
        self.max_depth = max_depth
        self.max_tokens = max_tokens
        self.tokens = 0  # estimated, of this conversation and its branches
        self.elicits = 0  # keyed questions, for the ids of their exchanges

    def spend(self, tokens: int) -> None:
        """Count tokens here and in every ancestor. Raises BudgetExceeded."""
        node: Conversation | None = self
        while node is not None:
            node.tokens += tokens
            if node.max_tokens is not None and node.tokens > node.max_tokens:
                raise BudgetExceeded(f"{node.tokens} tokens were used; {node.max_tokens} are allowed.")
            node = node.parent


class Sampler:
    """The sampling methods of a ToolContext."""

    def __init__(self, peer: Peer, conversation: Conversation | None = None) -> None:
        self._sampling_peer = peer
        self._conversation = conversation or Conversation()

    @property
    def conversation(self) -> tuple[Message, ...]:
        """The messages of this conversation so far."""
        return tuple(self._conversation.messages)

    @property
    def depth(self) -> int:
        """0 for the call itself, 1 in its branches, and so on."""
        return self._conversation.depth

    async def sample(
        self,
        prompt: str | None = None,
        *,
        messages: Sequence[Message] | None = None,
        system: str = "",
        max_tokens: int = 1000,
        schema: type[Any] | Mapping[str, Any] | None = None,
        tools: Sequence[Mapping[str, Any]] = (),
        tool_choice: str = "auto",
        temperature: float | None = None,
        stop: Sequence[str] = (),
        model: Sequence[str] = (),
        cost: float | None = None,
        speed: float | None = None,
        intelligence: float | None = None,
    ) -> Sample[Any]:
        """Let a model reply. `prompt` continues this conversation; `messages` are sent as they are.

        `schema`: the reply is data of this type, in `parsed`. `tools`: what the model may call, each with
        `name` and `inputSchema`; its calls are in `calls`. `model`: names to prefer, in this order.
        Raises NoModel if nobody can reply.
        """
        if (prompt is None) == (messages is None):
            raise ValueError("sample() takes either a prompt or messages")
        if schema is not None and tools:
            raise ValueError("sample() takes either a schema or tools")
        talk = self._conversation
        asked = _user(prompt) if prompt is not None else (messages or [_user("")])[-1]
        sent = [*talk.messages, asked] if prompt is not None else list(messages or ())
        wanted = _json_schema(schema)
        params: dict[str, Any] = {"messages": sent, "maxTokens": max_tokens}
        preferences = {"costPriority": cost, "speedPriority": speed, "intelligencePriority": intelligence}
        more = {
            "systemPrompt": system or talk.system,
            "temperature": temperature,
            "stopSequences": list(stop),
            "modelPreferences": {key: value for key, value in preferences.items() if value is not None}
            | ({"hints": [{"name": name} for name in model]} if model else {}),
            "tools": [_SCHEMA_TOOL | {"inputSchema": wanted}] if wanted is not None else list(tools),
            "toolChoice": {"mode": "required" if wanted is not None else tool_choice}
            if wanted or tools
            else None,
        }
        params |= {key: value for key, value in more.items() if value not in (None, "", [], {})}
        result = await self._ask_model(params)
        made = _read(asked, result, schema, wanted)
        used = estimate(params.get("systemPrompt", "")) + sum(map(_tokens, (*sent, made.exchange.response)))
        if prompt is not None:
            talk.messages.extend(made.exchange.messages)
        talk.spend(used)
        return made

    async def _ask_model(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            return await self._sampling_peer.request("sampling/createMessage", params)
        except PeerRefused as error:
            raise NoModel(f"No model can be asked through {self._sampling_peer.host}: {error}") from error

    async def sample_schema(
        self, prompt: str | Sequence[Message], schema: type[T], *, retries: int = RETRIES, **more: Any
    ) -> Sample[T]:
        """Let a model reply with data of this type: `parsed` is never None. Raises SampleFailed."""
        hint = ""
        for left in range(retries, -1, -1):
            made: Sample[T] = await self._hinted(prompt, hint, schema=schema, **more)
            if made.parsed is not None:
                return made
            if not left:
                break
            hint = SCHEMA_HINT.format(problem=made.problem.rstrip("."))
        raise SampleFailed("sample_schema", retries + 1, made, made.problem)

    async def sample_tools(
        self,
        prompt: str | Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        *,
        tool_choice: str = "required",
        retries: int = RETRIES,
        **more: Any,
    ) -> Sample[None]:
        """Let a model call at least one of these tools. Raises SampleFailed."""
        hint = ""
        for _ in range(retries + 1):
            made: Sample[None] = await self._hinted(
                prompt, hint, tools=tools, tool_choice=tool_choice, **more
            )
            if made.calls:
                return made
            hint = TOOL_HINT
        raise SampleFailed("sample_tools", retries + 1, made, "the model did not call a tool")

    async def _hinted(self, prompt: str | Sequence[Message], hint: str, **more: Any) -> Sample[Any]:
        """Sample with a hint at the end, which the conversation does not keep."""
        if not isinstance(prompt, str):
            *before, last = prompt
            texts = [*_blocks(last), {"type": "text", "text": hint.strip()}] if hint else _blocks(last)
            return await self.sample(messages=[*before, {**last, "content": texts}], **more)
        talk = self._conversation
        before = list(talk.messages)
        made: Sample[Any] = await self.sample(prompt + hint, **more)
        exchange = replace(made.exchange, request=_user(prompt))
        exchange = replace(exchange, messages=(exchange.request, *made.exchange.messages[1:]))
        talk.messages = [*before, *exchange.messages] if made.calls or made.parsed is not None else before
        return replace(made, exchange=exchange)

    async def ask(self, question: str, max_tokens: int = 500) -> str:
        """Return a model's answer to a question, in words."""
        return (await self.sample(question, max_tokens=max_tokens)).text


def branched(
    talk: Conversation,
    inherit_messages: bool,
    inherit_system: bool,
    messages: Sequence[Message],
    system: str | None,
    max_depth: int | None,
    max_tokens: int | None,
) -> Conversation:
    """Return a branch of a conversation. Raises DepthExceeded."""
    inherited = talk.messages if inherit_messages else []
    words = system if system is not None else talk.system if inherit_system else ""
    deepest = max_depth if max_depth is not None else talk.max_depth
    made = Conversation(talk, [*inherited, *messages], words, deepest, max_tokens)
    if deepest is not None and made.depth > deepest:
        raise DepthExceeded(f"Branch depth {made.depth} exceeds maximum {deepest}.")
    return made


# ---- messages -----------------------------------------------------------------------------------------


_SCHEMA_TOOL = {"name": SCHEMA_TOOL, "description": "Respond with structured data matching this schema."}


def _user(words: str) -> Message:
    return {"role": "user", "content": {"type": "text", "text": words}}


def _blocks(message: Message) -> list[dict[str, Any]]:
    content = message["content"]
    return list(content) if isinstance(content, list | tuple) else [content]


def _tokens(message: Message) -> int:
    return estimate(msgspec.json.encode(message["content"]).decode())


def _json_schema(schema: type[T] | Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    return schema if schema is None or isinstance(schema, Mapping) else schema_of(schema)


def _tool_result(call_id: str, result: object) -> dict[str, Any]:
    failed = isinstance(result, Exception)
    words = (
        result if isinstance(result, str) else str(result) if failed else msgspec.json.encode(result).decode()
    )
    closing = {"type": "tool_result", "toolUseId": call_id, "content": [{"type": "text", "text": words}]}
    return {**closing, "isError": True} if failed else closing


def _read(
    asked: Message,
    result: Mapping[str, Any],
    schema: type[Any] | Mapping[str, Any] | None,
    wanted: Mapping[str, Any] | None,
) -> Sample[Any]:
    """Return a CreateMessageResult as a Sample. Data comes as a call of `__schema__`, or as JSON in words."""
    blocks = _blocks(result)
    text = "".join(str(block.get("text", "")) for block in blocks)
    called = [block for block in blocks if block.get("type") == "tool_use"]
    calls = tuple(ToolCall(one["id"], one["name"], one.get("input") or {}) for one in called)
    response: Message = {"role": "assistant", "content": blocks}
    parsed, problem = None, ""
    closing: tuple[Message, ...] = ()
    if wanted is not None:
        parsed, problem = _parse(calls, text, schema, wanted)
        if calls:
            closing = ({"role": "user", "content": [_tool_result(call.id, "ok") for call in calls]},)
    exchange = SampleExchange(asked, response, (asked, response, *closing), parsed)
    stop, name = str(result.get("stopReason", "")), str(result.get("model", ""))
    shown = () if wanted is not None else calls
    return Sample(text, name, stop, tuple(blocks), exchange, shown, parsed, problem)


def _parse(calls: Sequence[ToolCall], text: str, schema: Any, wanted: Mapping[str, Any]) -> tuple[Any, str]:
    try:
        value: Any = calls[0].arguments if calls else read(text)
        value, problem = check(value, wanted)
        if problem:
            return None, problem
        return (value if isinstance(schema, Mapping) else msgspec.convert(value, schema)), ""
    except (NotJson, msgspec.ValidationError) as error:
        return None, str(error)
