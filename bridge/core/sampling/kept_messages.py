"""What the history keeps of an exchange: MCP messages, bounded, without pictures and sounds. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from bridge.core.sampling.content import Block, mime_type
from bridge.core.sampling.params import SCHEMA_TOOL, SamplingRequest

TEXT = 4_000  # characters of one text
ANSWER = 2_000  # characters of the answer and of the system text, as the history shows them
MOST = 40_000  # bytes of all messages; beyond that only the last one and its answer are kept

KeptMessage = Mapping[str, Any]


def facts(request: SamplingRequest, content: Block | Sequence[Block]) -> dict[str, object]:
    """Return the answer in words, the messages with it, and the system text, for a line of history."""
    made: dict[str, object] = {
        "answer": _short(_words(content), ANSWER),
        "messages": [*asked(request), *answered(content)],
    }
    return {**made, "system": _short(request.system, ANSWER)} if request.system else made


def _words(content: Block | Sequence[Block]) -> str:
    blocks = [content] if isinstance(content, Mapping) else content
    return "\n\n".join(
        block["text"] if block["type"] == "text" else msgspec.json.encode(block["input"]).decode()
        for block in blocks
    )


def asked(request: SamplingRequest) -> list[KeptMessage]:
    """Return the messages of a request."""
    made: list[KeptMessage] = [
        {"role": one.role, "content": [_kept(block) for block in one.blocks]} for one in request.messages
    ]
    while len(made) > 1 and len(msgspec.json.encode(made)) > MOST:
        made = made[-1:]
    return made


def answered(content: Block | Sequence[Block]) -> list[KeptMessage]:
    """Return the message with this answer; structured output is closed by its tool_result."""
    blocks = [content] if isinstance(content, Mapping) else content
    made: list[KeptMessage] = [{"role": "assistant", "content": [_kept(block) for block in blocks]}]
    data = [block for block in blocks if block["type"] == "tool_use" and block["name"] == SCHEMA_TOOL]
    return [*made, _result(data[0]["id"], "ok")] if data else made


def elicited(name: str, call_id: str, message: str, answer: Mapping[str, Any]) -> list[KeptMessage]:
    """Return a question to a person as a tool_use of the assistant, and the answer as its tool_result."""
    call = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
    request = {"role": "assistant", "content": [{"type": "text", "text": message}, call]}
    return [request, _result(call_id, msgspec.json.encode(answer).decode())]


def _result(call_id: str, words: str) -> KeptMessage:
    result = {"type": "tool_result", "toolUseId": call_id, "content": [{"type": "text", "text": words}]}
    return {"role": "user", "content": [result]}


def _kept(block: Block) -> Block:
    match block["type"]:
        case "text":
            return {"type": "text", "text": _short(block["text"])}
        case "tool_use":
            data = msgspec.json.encode(block["input"]).decode()
            whole = len(data) <= TEXT
            return {**block, "input": block["input"] if whole else {"cut": _short(data)}}
        case "tool_result":
            return {**block, "content": _all_kept(block.get("content") or ())}
    return {"type": "text", "text": f"[{mime_type(block) or block['type']}]"}


def _all_kept(blocks: Iterable[Block]) -> list[Block]:
    return [_kept(block) for block in blocks]


def _short(text: str, limit: int = TEXT) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
