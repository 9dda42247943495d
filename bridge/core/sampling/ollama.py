"""Ollama's own API, `/api/chat`. Pure.

It has no ids of tool calls, ignores `tool_choice` (ollama#17921), and wants results by the tool's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bridge.core.sampling import structured
from bridge.core.sampling.completion import END, LENGTH, CompletedCall, Completion
from bridge.core.sampling.content import BadParams, Block, result_blocks
from bridge.core.sampling.dialect import FORCED_TOOL, SCHEMA_MODE, Dialect
from bridge.core.sampling.params import SamplingRequest, SamplingTool

_STOPS = {"stop": END, "length": LENGTH}


class Ollama:
    kind = "ollama"

    def api(self, url: str) -> str:
        return url.rstrip("/").removesuffix("/v1") + "/api/chat"

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, request: SamplingRequest, dialect: Dialect) -> dict[str, Any]:
        made: dict[str, Any] = {
            "model": dialect.model,
            "messages": _messages(request),
            "stream": True,
            "options": {"num_predict": dialect.cap(request)},
        }
        if not dialect.bare:
            if request.temperature is not None:
                made["options"]["temperature"] = request.temperature
            if request.stop:
                made["options"]["stop"] = list(request.stop)
        if request.schema is not None and dialect.structured == SCHEMA_MODE:
            made["format"] = dict(request.schema)
        elif _shows_tools(request, dialect):
            made["tools"] = [_tool(tool) for tool in request.tools]
        return made

    def reader(self) -> OllamaReader:
        return OllamaReader()


def _shows_tools(request: SamplingRequest, dialect: Dialect) -> bool:
    if request.schema is not None:
        return dialect.structured == FORCED_TOOL
    return bool(request.tools) and request.choice != "none"


def _tool(tool: SamplingTool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)}
    return {"type": "function", "function": function}


def _messages(request: SamplingRequest) -> list[dict[str, Any]]:
    system = request.system
    if request.schema is not None:  # the documentation advises to repeat the schema in the prompt
        system = "\n\n".join(filter(None, (system, structured.prompt(request.schema))))
    made: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    names: dict[str, str] = {}  # tool_use id → tool
    for message in request.messages:
        names |= {call["id"]: call["name"] for call in message.of_type("tool_use")}
        results = message.of_type("tool_result")
        if results:
            made += [_result(one, names[one["toolUseId"]]) for one in results]
        else:
            made.append(_message(message.role, message.blocks))
    return made


def _message(role: str, blocks: tuple[Block, ...]) -> dict[str, Any]:
    made: dict[str, Any] = {"role": role, "content": "\n\n".join(_texts(blocks))}
    images = _images(blocks)
    if images:
        made["images"] = images
    calls = [
        {"function": {"name": block["name"], "arguments": block["input"]}}
        for block in blocks
        if block["type"] == "tool_use"
    ]
    return {**made, "tool_calls": calls} if calls else made


def _result(result: Block, tool: str) -> dict[str, Any]:
    blocks = tuple(result_blocks(result))
    text = ("Error: " if result.get("isError") else "") + "\n\n".join(_texts(blocks))
    made: dict[str, Any] = {"role": "tool", "tool_name": tool, "content": text}
    images = _images(blocks)
    return {**made, "images": images} if images else made


def _texts(blocks: tuple[Block, ...]) -> list[str]:
    return [block["text"] for block in blocks if block["type"] == "text"]


def _images(blocks: tuple[Block, ...]) -> list[str]:
    if any(block["type"] == "audio" for block in blocks):
        raise BadParams("The model's provider cannot take audio.")
    return [block["data"] for block in blocks if block["type"] == "image"]


class OllamaReader:
    """Reads the lines of one reply."""

    def __init__(self) -> None:
        self._model = ""
        self._texts: list[str] = []
        self._calls: list[CompletedCall] = []
        self._stop = END
        self._in = self._out = 0

    def feed(self, part: Mapping[str, Any]) -> None:
        self._model = part.get("model") or self._model
        message = part.get("message") or {}
        self._texts.append(message.get("content") or "")
        for call in message.get("tool_calls") or ():
            function = call.get("function") or {}
            name, arguments = function.get("name") or "", function.get("arguments") or {}
            self._calls.append(CompletedCall(call.get("id") or "", name, arguments))
        reason = part.get("done_reason")
        if reason:
            self._stop = _STOPS.get(reason, str(reason))
        self._in = int(part.get("prompt_eval_count") or self._in)
        self._out = int(part.get("eval_count") or self._out)

    def completion(self) -> Completion:
        text = "".join(self._texts)
        return Completion(self._model, text, tuple(self._calls), self._stop, self._in, self._out)
