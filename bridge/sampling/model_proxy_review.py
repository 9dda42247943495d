"""Show a request in OpenAI's or Anthropic's own words to the person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from bridge.core.questions.sampling_review import ReviewFile, ReviewMessage, SamplingReview
from bridge.core.sampling.budget import TOKENS_PER_FILE, estimate
from bridge.core.sampling.model_choice import ModelSpec, cost
from bridge.core.sampling.params import Message, SamplingRequest, SamplingTool

CAPS = ("max_completion_tokens", "max_tokens")
_PARAMETERS = (*CAPS, "temperature", "stop", "stop_sequences", "reasoning_effort")


def review_of(body: Mapping[str, Any], model: ModelSpec) -> SamplingReview:
    given = [one for one in body.get("messages") or () if isinstance(one, dict)]
    messages = [_message(one) for one in given]
    system = "\n\n".join(one.text for one in messages if one.role in ("system", "developer"))
    cap = next((body[name] for name in CAPS if isinstance(body.get(name), int)), 0)
    tokens = estimate("".join(one.text for one in messages)) + estimate(_text(body.get("system")))
    tokens += sum(len(one.files) for one in messages) * TOKENS_PER_FILE
    return SamplingReview(
        model.name,
        model.model,
        urlsplit(model.url).netloc,
        model.is_local,
        system or _text(body.get("system")),
        tuple(one for one in messages if one.role not in ("system", "developer")),
        tuple((name, str(body[name])) for name in _PARAMETERS if body.get(name) is not None),
        tuple(_tool(one) for one in body.get("tools") or () if isinstance(one, dict)),
        tokens,
        cap,
        cost(model, tokens, cap),
    )


def request_of(seen: SamplingReview) -> SamplingRequest:
    """Return the request as the history keeps it: texts of two roles."""
    messages = tuple(Message(_role(one.role), ({"type": "text", "text": one.text},)) for one in seen.messages)
    tools = tuple(SamplingTool(name) for name in seen.tools)
    return SamplingRequest(messages, seen.max_tokens, seen.system, tools=tools)


def _role(role: str) -> str:
    return "assistant" if role == "assistant" else "user"


def _tool(tool: Mapping[str, Any]) -> str:
    function = tool.get("function")
    return str((function if isinstance(function, dict) else tool).get("name", ""))


def _message(message: Mapping[str, Any]) -> ReviewMessage:
    content = message.get("content")
    parts = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    files = tuple(_file(one) for one in parts if one.get("type") in ("image_url", "image", "input_audio"))
    calls = message.get("tool_calls")
    text = _text(content) + (f"\n→ {_json(calls)}" if calls else "")
    return ReviewMessage(str(message.get("role", "")), text, files)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [_part(one) for one in content if isinstance(one, dict)]
    return "\n\n".join(filter(None, texts))


def _part(part: Mapping[str, Any]) -> str:
    match part.get("type"):
        case "text":
            return str(part.get("text", ""))
        case "tool_use":
            return f"→ {part.get('name')} {_json(part.get('input'))}"
        case "tool_result":
            return f"← {_text(part.get('content'))}"
        case "image_url" | "image" | "input_audio":
            return ""  # shown as a file
    return f"[{part.get('type')}] {_json(part)}"  # nothing is sent unseen


def _file(part: Mapping[str, Any]) -> ReviewFile:
    source = part.get("source") or part.get("image_url") or part.get("input_audio") or {}
    source = source if isinstance(source, dict) else {}
    mime, _, data = str(source.get("url", "")).removeprefix("data:").partition(";base64,")
    return ReviewFile(source.get("media_type") or mime, source.get("data") or data)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
