"""Apply what a person changed: in a request before it is sent, in an answer before it is returned. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from bridge.core.questions.sampling_review import CALLS, DATA, TEXT
from bridge.core.sampling import params, structured
from bridge.core.sampling.content import BadParams, check_block
from bridge.core.sampling.params import SamplingRequest

TEXTS = "texts"  # member with the changed texts of messages: their numbers, from 0, and the text of each


def edited(given: bytes, changes: bytes) -> SamplingRequest:
    """Return the request with the person's changes: members of its params, and `texts`. Raises BadParams."""
    made = msgspec.json.decode(changes)
    texts = made.pop(TEXTS, {})
    changed = {**msgspec.json.decode(given), **made}
    for number, text in texts.items():
        _set_text(changed["messages"], number, text)
    return params.read(msgspec.json.encode(changed))


def _set_text(messages: list[dict[str, Any]], number: str, text: str) -> None:
    message = messages[int(number)] if number.isdecimal() and int(number) < len(messages) else {}
    found = [block for block in blocks_of(message) if block["type"] == "text"]
    if len(found) != 1:
        raise BadParams(f"Message {number} has no text that can be changed.")
    found[0]["text"] = text


def blocks_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the content blocks of a message or of a CreateMessageResult."""
    content = message.get("content", [])
    return content if isinstance(content, list) else [content]


def answer_text(request: SamplingRequest, result: Mapping[str, Any]) -> tuple[str, str]:
    """Return what the answer is (TEXT, DATA or CALLS) and its text, for a person to read and change."""
    blocks = blocks_of(result)
    if request.schema is not None:
        return DATA, _json(blocks[-1]["input"])
    if len(blocks) == 1 and blocks[0]["type"] == "text":
        return TEXT, blocks[0]["text"]
    return CALLS, _json(blocks)


def edited_answer(request: SamplingRequest, result: dict[str, Any], text: str) -> dict[str, Any]:
    """Return the CreateMessageResult with the text the person made of its answer. Raises BadParams."""
    kind, before = answer_text(request, result)
    if text == before:
        return result
    if kind == TEXT:
        return {**result, "content": {"type": "text", "text": text}}
    if kind == DATA and request.schema is not None:
        data, problem = structured.check(_object(text), request.schema)
        if problem:
            raise BadParams(f"The person's answer is not valid: {problem}")
        return {**result, "content": {**blocks_of(result)[-1], "input": data}}
    blocks = _parsed(text)
    if not isinstance(blocks, list) or not blocks:
        raise BadParams("The person's answer must be a list of content blocks.")
    return {**result, "content": [check_block(block, "content", "assistant") for block in blocks]}


def _object(text: str) -> dict[str, Any]:
    value = _parsed(text)
    if not isinstance(value, dict):
        raise BadParams("The person's answer must be an object.")
    return value


def _parsed(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadParams(f"The person's answer is not JSON: {error}") from error


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
