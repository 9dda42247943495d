"""The languages in which applications speak to models: what is offered, what came back, how to reply.

Each Dialect reads one kind of request body and writes the reply to it, whole or streamed.
"""

from __future__ import annotations

import itertools
import json
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

Body = Mapping[str, Any]
_numbers = itertools.count(1)


class OfferedTool(NamedTuple):
    name: str
    namespace: str = ""  # Codex puts the tools of a server into one


class ToolResult(NamedTuple):
    call: str  # id of the call; "": not told
    text: str  # as the model reads it


class ToolCall(NamedTuple):
    id: str
    tool: OfferedTool
    arguments: dict[str, Any]


Reply = ToolCall | str
Encoded = tuple[str, bytes]  # content type and body


class Dialect:
    path: str  # how the path of its requests ends

    @abstractmethod
    def offered(self, body: Body) -> Iterator[OfferedTool]: ...

    @abstractmethod
    def results(self, body: Body) -> Iterator[ToolResult]: ...

    @abstractmethod
    def encode(self, reply: Reply, body: Body, path: str) -> Encoded: ...


def readable(content: Any) -> str:
    """Return what a model reads of the content of a tool result."""
    if content is None or isinstance(content, str):
        return content or ""
    blocks = content if isinstance(content, list) else [content]
    texts = (one if isinstance(one, str) else one.get("text") or json.dumps(one) for one in blocks)
    return "\n".join(texts)


def json_reply(value: Any) -> Encoded:
    return "application/json", json.dumps(value).encode()


def event_stream(events: Iterable[Mapping[str, Any]], *, named: bool) -> Encoded:
    text = "".join(
        (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n" for event in events
    )
    return "text/event-stream", text.encode()


class Anthropic(Dialect):
    """Anthropic Messages: Claude Code."""

    path = "/messages"

    def offered(self, body: Body) -> Iterator[OfferedTool]:
        return (OfferedTool(tool["name"]) for tool in body.get("tools") or () if "name" in tool)

    def results(self, body: Body) -> Iterator[ToolResult]:
        for message in body.get("messages") or ():
            for block in message["content"] if isinstance(message["content"], list) else ():
                if block.get("type") == "tool_result":
                    yield ToolResult(block["tool_use_id"], readable(block.get("content")))

    def encode(self, reply: Reply, body: Body, path: str) -> Encoded:
        if isinstance(reply, str):
            block: dict[str, Any] = {"type": "text", "text": reply}
            begun: dict[str, Any] = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": reply}
        else:
            block = {"type": "tool_use", "id": reply.id, "name": reply.tool.name, "input": reply.arguments}
            begun = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(reply.arguments)}
        stop = {"stop_reason": "end_turn" if isinstance(reply, str) else "tool_use", "stop_sequence": None}
        usage = {"input_tokens": 1, "output_tokens": 1}
        head = {"id": f"msg_{next(_numbers)}", "type": "message", "role": "assistant", "usage": usage}
        head["model"] = body.get("model", "scripted")
        if not body.get("stream"):
            return json_reply({**head, **stop, "content": [block]})
        nothing_yet: dict[str, Any] = {"content": [], "stop_reason": None, "stop_sequence": None}
        return event_stream(
            (
                {"type": "message_start", "message": {**head, **nothing_yet}},
                {"type": "content_block_start", "index": 0, "content_block": begun},
                {"type": "content_block_delta", "index": 0, "delta": delta},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": stop, "usage": usage},
                {"type": "message_stop"},
            ),
            named=True,
        )


class ChatCompletions(Dialect):
    """OpenAI chat completions: most applications that let the person choose a model."""

    path = "/chat/completions"

    def offered(self, body: Body) -> Iterator[OfferedTool]:
        functions = (tool.get("function") or tool for tool in body.get("tools") or ())
        return (OfferedTool(function["name"]) for function in functions if function.get("name"))

    def results(self, body: Body) -> Iterator[ToolResult]:
        for message in body.get("messages") or ():
            if message.get("role") == "tool":
                yield ToolResult(message.get("tool_call_id") or "", readable(message.get("content")))

    def encode(self, reply: Reply, body: Body, path: str) -> Encoded:
        said: dict[str, Any] = {"role": "assistant", "content": reply if isinstance(reply, str) else None}
        stop = "stop"
        if isinstance(reply, ToolCall):
            function = {"name": reply.tool.name, "arguments": json.dumps(reply.arguments)}
            said["tool_calls"] = [{"index": 0, "id": reply.id, "type": "function", "function": function}]
            stop = "tool_calls"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        head = {"id": f"chat-{next(_numbers)}", "created": 0, "model": body.get("model", "scripted")}
        if not body.get("stream"):
            choice = {"index": 0, "message": said, "finish_reason": stop}
            return json_reply({**head, "object": "chat.completion", "choices": [choice], "usage": usage})
        head["object"] = "chat.completion.chunk"
        kind, events = event_stream(
            (
                {**head, "choices": [{"index": 0, "delta": said, "finish_reason": None}]},
                {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": stop}]},
                {**head, "choices": [], "usage": usage},
            ),
            named=False,
        )
        return kind, events + b"data: [DONE]\n\n"


class Responses(Dialect):
    """OpenAI Responses: Codex, openai-agents."""

    path = "/responses"

    def offered(self, body: Body) -> Iterator[OfferedTool]:
        yield from self._tools(body.get("tools"))
        for item in self._items(body):
            if item.get("type") in ("tool_search_output", "additional_tools"):
                yield from self._tools(item.get("tools"))

    def _tools(self, tools: Any, namespace: str = "") -> Iterator[OfferedTool]:
        for tool in tools or ():
            if tool.get("type") == "namespace":
                yield from self._tools(tool.get("tools"), tool["name"])
            elif name := tool.get("name") or (tool["type"] if tool.get("type") != "function" else ""):
                yield OfferedTool(name, namespace)

    def results(self, body: Body) -> Iterator[ToolResult]:
        for item in self._items(body):
            if str(item.get("type", "")).endswith("_call_output"):
                yield ToolResult(item.get("call_id") or "", readable(item.get("output")))
            elif item.get("type") == "tool_search_output":
                yield ToolResult(item.get("call_id") or "", json.dumps(item.get("tools")))

    def _items(self, body: Body) -> list[dict[str, Any]]:
        items = body.get("input")
        return items if isinstance(items, list) else []

    def encode(self, reply: Reply, body: Body, path: str) -> Encoded:
        number = next(_numbers)
        item: dict[str, Any] = {"id": f"item_{number}", "status": "completed"}
        if isinstance(reply, str):
            part = {"type": "output_text", "text": reply, "annotations": []}
            item |= {"type": "message", "role": "assistant", "content": [part]}
        elif reply.tool.name == "tool_search":
            item |= {"type": "tool_search_call", "call_id": reply.id, "execution": "client"}
            item["arguments"] = reply.arguments
        else:
            item |= {"type": "function_call", "call_id": reply.id, "name": reply.tool.name}
            item["arguments"] = json.dumps(reply.arguments)
            item |= {"namespace": reply.tool.namespace} if reply.tool.namespace else {}
        counts = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        details = {
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        }
        begun: dict[str, Any] = {"id": f"resp_{number}", "object": "response", "created_at": 0, "tools": []}
        begun |= {"model": body.get("model", "scripted"), "output": [], "parallel_tool_calls": False}
        begun |= {"status": "in_progress", "tool_choice": "auto", "metadata": {}}
        done = {**begun, "status": "completed", "output": [item], "usage": {**counts, **details}}
        if not body.get("stream"):
            return json_reply(done)
        at = {"output_index": 0}
        return event_stream(
            (
                {"type": "response.created", "sequence_number": 0, "response": begun},
                {"type": "response.output_item.added", "sequence_number": 1, **at, "item": item},
                *self._text_events(reply, item, at),
                {"type": "response.output_item.done", "sequence_number": 8, **at, "item": item},
                {"type": "response.completed", "sequence_number": 9, "response": done},
            ),
            named=True,
        )

    def _text_events(self, reply: Reply, item: Body, at: Body) -> Iterator[Mapping[str, Any]]:
        if isinstance(reply, str):
            place = {**at, "item_id": item["id"], "content_index": 0}
            yield {"type": "response.output_text.delta", "sequence_number": 2, **place, "delta": reply}
            yield {"type": "response.output_text.done", "sequence_number": 3, **place, "text": reply}


class Gemini(Dialect):
    """Gemini's generateContent: Gemini CLI."""

    path = "enerateContent"

    def offered(self, body: Body) -> Iterator[OfferedTool]:
        for group in body.get("tools") or ():
            for tool in group.get("functionDeclarations") or ():
                yield OfferedTool(tool["name"])

    def results(self, body: Body) -> Iterator[ToolResult]:
        for message in body.get("contents") or ():
            for part in message.get("parts") or ():
                if response := part.get("functionResponse"):
                    values = response.get("response") or {}
                    texts = [readable(value) for value in values.values()]
                    yield ToolResult(response.get("id") or "", "\n".join(texts))

    def encode(self, reply: Reply, body: Body, path: str) -> Encoded:
        if isinstance(reply, str):
            part: dict[str, Any] = {"text": reply}
        else:
            call = {"id": reply.id, "name": reply.tool.name, "args": reply.arguments}
            part = {"functionCall": call, "thoughtSignature": "c2NyaXB0ZWQ="}
        content = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        counts = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        whole = {"candidates": [content], "usageMetadata": counts, "modelVersion": "scripted"}
        return (
            event_stream((whole,), named=False) if "stream" in path.rpartition(":")[2] else json_reply(whole)
        )


DIALECTS: tuple[Dialect, ...] = (Anthropic(), ChatCompletions(), Responses(), Gemini())
