"""MCP content blocks of sampling messages: check them, and turn what providers lack into text. Pure."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

import msgspec

Block = Mapping[str, Any]
LARGEST_FILE = 20 << 20  # bytes, decoded
_SIGNATURES = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
    "audio/wav": (b"RIFF",),
    "audio/mpeg": (b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"\xff\xfa"),
}
_ALIASES = {
    "image/jpg": "image/jpeg",
    "audio/mp3": "audio/mpeg",
    "audio/x-wav": "audio/wav",
    "audio/wave": "audio/wav",
}


class BadParams(Exception):
    """The request is invalid, or the provider cannot take it; the text is for the server's author."""


def mime_type(block: Block) -> str:
    given = str(block.get("mimeType", "")).lower().partition(";")[0].strip()
    return _ALIASES.get(given, given)


def check_block(given: object, where: str, role: str) -> Block:
    """Return a content block of a message. Raises BadParams."""
    block = given if isinstance(given, dict) else {}
    kind = block.get("type")
    match kind:
        case "text":
            _check_texts(block, where, "text")
        case "image" | "audio":
            _check_file(block, f"The {kind} in {where}")
        case "tool_use" if role == "assistant":
            _check_texts(block, where, "id", "name")
            _check_input(block, where)
        case "tool_result" if role == "user":
            _check_texts(block, where, "toolUseId")
            _check_results(block, where)
        case "tool_use" | "tool_result":
            raise BadParams(f"{where} has a {kind}, which a message of the {role} cannot have.")
        case _:
            raise BadParams(f"{where} has a block of the unknown type {kind!r}.")
    return block


def _check_input(block: Block, where: str) -> None:
    if not isinstance(block.get("input"), dict):
        raise BadParams(f"The input of a tool_use in {where} must be an object.")


def _check_texts(block: Block, where: str, *names: str) -> None:
    for name in names:
        if not isinstance(block.get(name), str):
            raise BadParams(f"A {block['type']} in {where} has no {name}.")


def _check_results(result: Block, where: str) -> None:
    content = result.get("content", [])
    for given in content if isinstance(content, list) else [None]:
        block = given if isinstance(given, dict) else {}
        kind = block.get("type")
        if kind in ("text", "image", "audio"):
            check_block(block, where, "user")
        elif kind == "resource" and isinstance(block.get("resource"), dict):
            blob = block["resource"].get("blob")
            if blob is not None:
                _decoded(blob, f"The resource in {where}")
        elif kind != "resource_link":
            raise BadParams(f"A tool_result in {where} has a block of the unknown type {kind!r}.")


def _check_file(block: Block, what: str) -> None:
    data, mime = _decoded(block.get("data"), what), mime_type(block)
    if not mime:
        raise BadParams(f"{what} has no mimeType.")
    if mime in _SIGNATURES and not data.startswith(_SIGNATURES[mime]):
        raise BadParams(f"{what} is not {mime}, as its mimeType says.")


def _decoded(data: object, what: str) -> bytes:
    if not isinstance(data, str):
        raise BadParams(f"{what} has no data.")
    if len(data) * 3 // 4 > LARGEST_FILE + 2:
        raise BadParams(f"{what} is larger than {LARGEST_FILE >> 20} MB.")
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadParams(f"{what} is not valid base64.") from error


# ---- towards providers -----------------------------------------------------------------------------------


def result_blocks(result: Block) -> list[Block]:
    """Return the content of a tool_result as text and image blocks; other blocks become text.

    `structuredContent` is added as text, unless the content holds it already.
    """
    blocks = [_simple(block) for block in result.get("content", [])]
    structured = result.get("structuredContent")
    if structured is not None:
        text = msgspec.json.encode(structured).decode()
        if not any(_is_same(block.get("text"), structured) for block in blocks):
            blocks.append({"type": "text", "text": text})
    return blocks


def _is_same(text: object, value: object) -> bool:
    try:
        return isinstance(text, str) and bool(msgspec.json.decode(text) == value)
    except (msgspec.DecodeError, RecursionError):
        return False


def _simple(block: Block) -> Block:
    if block["type"] == "resource_link":
        name = block.get("title") or block.get("name") or ""
        about = f": {block['description']}" if block.get("description") else ""
        return _as_text(f"[{name}]({block.get('uri', '')}){about}")
    if block["type"] == "resource":
        return _embedded(block["resource"])
    return block


def _embedded(resource: Mapping[str, Any]) -> Block:
    uri, mime = resource.get("uri", ""), mime_type(resource)
    if "blob" not in resource:
        return _as_text(f"{uri}\n{resource.get('text', '')}")
    if mime in ("image/png", "image/jpeg", "image/gif", "image/webp"):
        return {"type": "image", "data": resource["blob"], "mimeType": mime}
    return _as_text(f"{uri} ({mime or 'a file'}, its contents are not included)")


def _as_text(text: str) -> Block:
    return {"type": "text", "text": text}


def data_url(block: Block) -> str:
    return f"data:{mime_type(block)};base64,{block['data']}"
