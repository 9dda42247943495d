"""Split a reply to tools/call into blocks for the windows. Pure; nothing is fetched or opened."""

from __future__ import annotations

import binascii
from base64 import b64decode
from dataclasses import replace
from itertools import islice

import msgspec

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import ABSENT, Envelope, Malformed, elements, is_object
from bridge.core.status.servers import ContentBlock
from bridge.tools.results import ErrorObject, failure_message

MAX_BLOCKS = 200
MAX_LENGTH = 200_000  # characters of one block


class _Resource(msgspec.Struct, frozen=True, rename="camel"):
    uri: str = ""
    mime_type: str = ""
    text: str | None = None
    blob: str = ""


class _Part(msgspec.Struct, frozen=True, rename="camel"):
    type: str = ""
    text: str = ""
    data: str = ""
    mime_type: str = ""
    uri: str = ""
    name: str = ""
    title: str = ""
    description: str = ""
    resource: _Resource = _Resource()


class _Result(msgspec.Struct, frozen=True, rename="camel"):
    content: msgspec.Raw = ABSENT
    structured_content: msgspec.Raw = ABSENT
    is_error: bool = False


def content_blocks(reply: Envelope) -> tuple[bool, tuple[ContentBlock, ...]]:
    """Return whether the call failed, and the blocks of its result."""
    try:
        if len(reply.error):
            return True, (ContentBlock("text", jsonrpc.read(ErrorObject, reply.error).message),)
        result = jsonrpc.read(_Result, reply.result)
        parts = elements(result.content) if len(result.content) else []
        blocks = [_block(raw) for raw in islice(parts, MAX_BLOCKS)]
        if result.is_error:
            blocks = [replace(block, text=failure_message(block.text)) for block in blocks]
    except Malformed as error:
        return True, (ContentBlock("text", f"The server sent an invalid answer: {error}."),)
    if is_object(result.structured_content):
        data = msgspec.json.format(result.structured_content, indent=-1).decode()
        blocks = [block for block in blocks if block.kind != "text" or block.text.strip() != data]
        blocks.append(ContentBlock("json", data[:MAX_LENGTH]))
    return result.is_error, tuple(blocks)


def _block(raw: bytes) -> ContentBlock:
    try:
        part = jsonrpc.read(_Part, raw)
    except Malformed:  # a member of a wrong type: show the JSON
        return ContentBlock("json", raw.decode(errors="replace")[:MAX_LENGTH])
    match part.type:
        case "text":
            return ContentBlock("text", part.text[:MAX_LENGTH])
        case "image" | "audio":
            return ContentBlock(part.type, data=_decode_base64(part.data), mime=part.mime_type)
        case "resource_link":
            text = "\n".join(filter(None, (part.title or part.name, part.description)))
            return ContentBlock("link", text[:MAX_LENGTH], mime=part.mime_type, uri=part.uri)
        case "resource":
            return _resource(part.resource)
    return ContentBlock("json", raw.decode(errors="replace")[:MAX_LENGTH])


def _resource(resource: _Resource) -> ContentBlock:
    if resource.text is not None:
        return ContentBlock("resource", resource.text[:MAX_LENGTH], mime=resource.mime_type, uri=resource.uri)
    kind = "image" if resource.mime_type.startswith("image/") else "resource"
    return ContentBlock(kind, data=_decode_base64(resource.blob), mime=resource.mime_type, uri=resource.uri)


def _decode_base64(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return b""
