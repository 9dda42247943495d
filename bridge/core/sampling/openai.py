"""OpenAI's chat completions, as OpenAI, LM Studio, llama.cpp, vLLM and Ollama's `/v1` offer them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from bridge.core.sampling import structured
from bridge.core.sampling.completion import (
    END,
    FILTERED,
    LENGTH,
    REFUSAL,
    TOOL_USE,
    CompletedCall,
    Completion,
)
from bridge.core.sampling.content import BadParams, Block, data_url, mime_type, result_blocks
from bridge.core.sampling.dialect import FORCED_TOOL, PROMPTED, SCHEMA_MODE, Dialect
from bridge.core.sampling.params import Message, SamplingRequest, SamplingTool

_STOPS = {
    "stop": END,
    "length": LENGTH,
    "tool_calls": TOOL_USE,
    "function_call": TOOL_USE,
    "content_filter": FILTERED,
}
_SOUNDS = {"audio/wav": "wav", "audio/mpeg": "mp3"}


class OpenAI:
    kind = "openai"

    def api(self, url: str) -> str:
        return url.rstrip("/") + "/chat/completions"

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, request: SamplingRequest, dialect: Dialect) -> dict[str, Any]:
        cap = "max_completion_tokens" if dialect.renamed_cap else "max_tokens"
        made: dict[str, Any] = {
            "model": dialect.model,
            "messages": _messages(request, dialect),
            cap: dialect.cap(request),
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if not dialect.bare:
            made |= _extras(request)
        if request.schema is not None and dialect.structured == SCHEMA_MODE:
            made["response_format"] = _response_format(request.schema)
        elif request.tools and (request.schema is None or dialect.structured == FORCED_TOOL):
            made["tools"] = [_tool(tool) for tool in request.tools]
            made["tool_choice"] = request.choice
        return made

    def reader(self) -> OpenAIReader:
        return OpenAIReader()


def _extras(request: SamplingRequest) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if request.temperature is not None:
        made["temperature"] = request.temperature
    if request.stop:
        made["stop"] = list(request.stop)
    if request.metadata and all(isinstance(value, str) for value in request.metadata.values()):
        made["metadata"] = dict(request.metadata)
    return made


def _response_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    strict = structured.strict(schema)
    wanted = {"name": "answer", "schema": strict or dict(schema), "strict": strict is not None}
    return {"type": "json_schema", "json_schema": wanted}


def _tool(tool: SamplingTool) -> dict[str, Any]:
    function: dict[str, Any] = {"name": tool.name, "parameters": dict(tool.schema)}
    if tool.description:
        function["description"] = tool.description
    return {"type": "function", "function": function}


# ---- messages -----------------------------------------------------------------------------------------


def _messages(request: SamplingRequest, dialect: Dialect) -> list[dict[str, Any]]:
    system = request.system
    if request.schema is not None and dialect.structured == PROMPTED:
        system = "\n\n".join(filter(None, (system, structured.prompt(request.schema))))
    made: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    for message in request.messages:
        if message.of_type("tool_result"):
            made += _tool_results(message)
        else:
            made.append(_user(message.blocks) if message.role == "user" else _assistant(message))
    return made


def _user(blocks: tuple[Block, ...]) -> dict[str, Any]:
    if len(blocks) == 1 and blocks[0]["type"] == "text":
        return {"role": "user", "content": blocks[0]["text"]}
    return {"role": "user", "content": [_part(block) for block in blocks]}


def _part(block: Block) -> dict[str, Any]:
    match block["type"]:
        case "text":
            return {"type": "text", "text": block["text"]}
        case "image":
            return {"type": "image_url", "image_url": {"url": data_url(block)}}
    sound = _SOUNDS.get(mime_type(block))
    if sound is None:
        raise BadParams(f"The model's provider takes sounds as WAV and MP3, not as {mime_type(block)}.")
    return {"type": "input_audio", "input_audio": {"data": block["data"], "format": sound}}


def _assistant(message: Message) -> dict[str, Any]:
    for block in message.blocks:
        if block["type"] in ("image", "audio"):
            kind = block["type"]
            raise BadParams(f"The model's provider cannot take an {kind} in a message of the assistant.")
    made: dict[str, Any] = {"role": "assistant"}
    texts = [block["text"] for block in message.of_type("text")]
    if texts:
        made["content"] = "\n\n".join(texts)
    calls = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": msgspec.json.encode(call["input"]).decode()},
        }
        for call in message.of_type("tool_use")
    ]
    return {**made, "tool_calls": calls} if calls else made


def _tool_results(message: Message) -> list[dict[str, Any]]:
    """Return a message of the role `tool` for each result. Files, which it cannot hold, follow in one."""
    made: list[dict[str, Any]] = []
    files: list[Block] = []
    for result in message.blocks:
        blocks = result_blocks(result)
        text = "\n\n".join(block["text"] for block in blocks if block["type"] == "text")
        mine = [block for block in blocks if block["type"] != "text"]
        if mine:
            files += [{"type": "text", "text": f"Files in the result of {result['toolUseId']}:"}, *mine]
        prefix = "Error: " if result.get("isError") else ""
        made.append({"role": "tool", "tool_call_id": result["toolUseId"], "content": prefix + text})
    return [*made, _user(tuple(files))] if files else made


# ---- the answer ---------------------------------------------------------------------------------------


class OpenAIReader:
    """Reads `chat.completion.chunk` objects, or one `chat.completion`."""

    def __init__(self) -> None:
        self._model = ""
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._calls: dict[int, dict[str, str]] = {}
        self._stop = END
        self._usage: Mapping[str, Any] = {}

    def feed(self, part: Mapping[str, Any]) -> None:
        self._model = part.get("model") or self._model
        self._usage = part.get("usage") or self._usage
        for choice in part.get("choices") or ():
            self._take(choice.get("delta") or choice.get("message") or {})
            reason = choice.get("finish_reason")
            if reason:
                self._stop = _STOPS.get(reason, str(reason))

    def _take(self, delta: Mapping[str, Any]) -> None:
        self._texts.append(delta.get("content") or "")
        self._refusals.append(delta.get("refusal") or "")
        for at, call in enumerate(delta.get("tool_calls") or ()):
            known = self._calls.setdefault(call.get("index", at), {"id": "", "name": "", "arguments": ""})
            function = call.get("function") or {}
            known["id"] = call.get("id") or known["id"]
            known["name"] = function.get("name") or known["name"]
            known["arguments"] += function.get("arguments") or ""

    def completion(self) -> Completion:
        refusal = "".join(self._refusals)
        calls, problem = read_calls(self._calls)
        return Completion(
            self._model,
            refusal or "".join(self._texts),
            calls,
            REFUSAL if refusal else self._stop,
            int(self._usage.get("prompt_tokens") or 0),
            int(self._usage.get("completion_tokens") or 0),
            problem,
        )


def read_calls(calls: Mapping[int, Mapping[str, str]]) -> tuple[tuple[CompletedCall, ...], str]:
    """Return tool calls whose arguments came as JSON texts, and what is wrong with them."""
    made = []
    for call in calls.values():
        try:
            arguments = structured.read(call["arguments"] or "{}")
        except structured.NotJson as error:
            return (), f"The arguments of {call['name']} cannot be read: {error}"
        made.append(CompletedCall(call["id"], call["name"], arguments))
    return tuple(made), ""
