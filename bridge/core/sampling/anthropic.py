"""Anthropic's Messages API, also as llama.cpp and LM Studio offer it. Pure.

`temperature` is never sent: current models answer it with 400 (the field is gone from anthropic 2.9).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bridge.core.sampling import structured
from bridge.core.sampling.completion import END, LENGTH, REFUSAL, TOOL_USE, Completion
from bridge.core.sampling.content import BadParams, Block, mime_type, result_blocks
from bridge.core.sampling.dialect import FORCED_TOOL, PROMPTED, SCHEMA_MODE, Dialect
from bridge.core.sampling.openai import read_calls
from bridge.core.sampling.params import Message, SamplingRequest, SamplingTool

VERSION = "2023-06-01"
_CHOICES = {"auto": "auto", "required": "any", "none": "none"}
_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_STOPS = {
    "end_turn": END,
    "max_tokens": LENGTH,
    "model_context_window_exceeded": LENGTH,
    "stop_sequence": "stopSequence",
    "tool_use": TOOL_USE,
    "pause_turn": END,
    "refusal": REFUSAL,
}


_READ = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")  # each counts apart


class Anthropic:
    kind = "anthropic"

    def api(self, url: str) -> str:
        base = url.rstrip("/")
        return f"{base}/messages" if base.endswith("/v1") else f"{base}/v1/messages"

    def headers(self, key: str) -> dict[str, str]:
        return {"anthropic-version": VERSION, **({"x-api-key": key} if key else {})}

    def body(self, request: SamplingRequest, dialect: Dialect) -> dict[str, Any]:
        made: dict[str, Any] = {
            "model": dialect.model,
            "max_tokens": dialect.cap(request),
            "messages": [_message(message) for message in request.messages],
            "stream": True,
        }
        system = request.system
        if request.schema is not None and dialect.structured == PROMPTED:
            system = "\n\n".join(filter(None, (system, structured.prompt(request.schema))))
        if system:
            made["system"] = system
        if not dialect.bare:
            made |= _extras(request)
        if request.schema is not None and dialect.structured == SCHEMA_MODE:
            schema = structured.described(request.schema)
            made["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        elif request.tools and (request.schema is None or dialect.structured == FORCED_TOOL):
            made["tools"] = [_tool(tool) for tool in request.tools]
            made["tool_choice"] = {"type": _CHOICES[request.choice]}
        return made

    def reader(self) -> AnthropicReader:
        return AnthropicReader()


def _extras(request: SamplingRequest) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if request.stop:
        made["stop_sequences"] = list(request.stop)
    user = request.metadata.get("user_id")
    if isinstance(user, str):
        made["metadata"] = {"user_id": user}
    return made


def _tool(tool: SamplingTool) -> dict[str, Any]:
    made: dict[str, Any] = {"name": tool.name, "input_schema": dict(tool.schema)}
    return {**made, "description": tool.description} if tool.description else made


def _message(message: Message) -> dict[str, Any]:
    return {"role": message.role, "content": [_block(block) for block in message.blocks]}


def _block(block: Block) -> dict[str, Any]:
    match block["type"]:
        case "text":
            return {"type": "text", "text": block["text"]}
        case "image" if mime_type(block) in _IMAGES:
            source = {"type": "base64", "media_type": mime_type(block), "data": block["data"]}
            return {"type": "image", "source": source}
        case "tool_use":
            return {"type": "tool_use", "id": block["id"], "name": block["name"], "input": block["input"]}
        case "tool_result":
            content = [_block(one) for one in result_blocks(block)]
            made = {"type": "tool_result", "tool_use_id": block["toolUseId"], "content": content}
            return {**made, "is_error": True} if block.get("isError") else made
    raise BadParams(f"The model's provider cannot take {mime_type(block)}.")


# ---- the answer ---------------------------------------------------------------------------------------


class AnthropicReader:
    """Reads the events of a message stream, or one message."""

    def __init__(self) -> None:
        self._model = ""
        self._texts: list[str] = []
        self._calls: dict[int, dict[str, str]] = {}
        self._inputs: dict[int, Mapping[str, Any]] = {}  # of calls that came whole
        self._stop = END
        self._words = ""  # of a refusal
        self._in = self._out = 0

    def feed(self, part: Mapping[str, Any]) -> None:
        match part.get("type"):
            case "message_start":
                self._message(part.get("message") or {})
            case "message":
                self._message(part)
                for at, block in enumerate(part.get("content") or ()):
                    self._block(at, block)
            case "content_block_start":
                self._block(part.get("index", 0), part.get("content_block") or {})
            case "content_block_delta":
                self._delta(part.get("index", 0), part.get("delta") or {})
            case "message_delta":
                self._end(part.get("delta") or {})
                self._use(part.get("usage") or {})

    def _message(self, message: Mapping[str, Any]) -> None:
        self._model = message.get("model") or self._model
        self._use(message.get("usage") or {})
        self._end(message)

    def _end(self, part: Mapping[str, Any]) -> None:
        reason = part.get("stop_reason")
        if reason:
            self._stop = _STOPS.get(reason, str(reason))
        self._words = (part.get("stop_details") or {}).get("explanation") or self._words

    def _use(self, usage: Mapping[str, Any]) -> None:
        self._in = sum(int(usage.get(name) or 0) for name in _READ) or self._in
        self._out = int(usage.get("output_tokens") or self._out)

    def _block(self, at: int, block: Mapping[str, Any]) -> None:
        if block.get("type") == "text":
            self._texts.append(block.get("text") or "")
        elif block.get("type") == "tool_use":
            self._calls[at] = {"id": block.get("id") or "", "name": block.get("name") or "", "arguments": ""}
            self._inputs[at] = block.get("input") or {}

    def _delta(self, at: int, delta: Mapping[str, Any]) -> None:
        if delta.get("type") == "text_delta":
            self._texts.append(delta.get("text") or "")
        elif delta.get("type") == "input_json_delta" and at in self._calls:
            self._calls[at]["arguments"] += delta.get("partial_json") or ""

    def completion(self) -> Completion:
        calls, problem = read_calls(self._calls)
        whole = self._inputs.values()
        calls = tuple(
            call if call.input else type(call)(call.id, call.name, input_)
            for call, input_ in zip(calls, whole, strict=False)
        )
        text = "".join(self._texts) or (self._words if self._stop == REFUSAL else "")
        return Completion(self._model, text, calls, self._stop, self._in, self._out, problem)
