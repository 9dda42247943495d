"""Params of sampling/createMessage, short to write."""

from __future__ import annotations

import base64
import json
from typing import Any

from bridge.core.sampling import params
from bridge.core.sampling.params import SamplingRequest

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n....").decode()
WAV = base64.b64encode(b"RIFF....WAVEfmt ").decode()
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "people": {"type": "integer"}},
    "required": ["city"],
}
SCHEMA_TOOL = {"name": "__schema__", "inputSchema": CITY}
REQUIRED = {"toolChoice": {"mode": "required"}}
WEATHER = {
    "name": "weather",
    "description": "tells it",
    "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}},
}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": blocks[0] if len(blocks) == 1 else list(blocks)}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def tool_use(id_: str, name: str = "weather", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id_, "name": name, "input": arguments}


def tool_result(id_: str, *blocks: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "toolUseId": id_, "content": list(blocks), **more}


def image(data: str = PNG, mime: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "data": data, "mimeType": mime}


def audio(data: str = WAV, mime: str = "audio/wav") -> dict[str, Any]:
    return {"type": "audio", "data": data, "mimeType": mime}


def made(*messages: Any, **more: Any) -> bytes:
    said = list(messages) or [user(text("Hello"))]
    return json.dumps({"messages": said, "maxTokens": 100, **more}).encode()


def request(*messages: Any, **more: Any) -> SamplingRequest:
    return params.read(made(*messages, **more))
