"""A reply to tools/call, part by part, for a person to look at. Pure; nothing is fetched or opened."""

from __future__ import annotations

import binascii
from base64 import b64decode
from itertools import islice

import msgspec

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import ABSENT, Envelope, Malformed, elements, is_object
from bridge.core.status.servers import Block

MOST = 200  # parts
LONGEST = 200_000  # letters of one


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


class _Error(msgspec.Struct, frozen=True):
    message: str = ""


def blocks_of(reply: Envelope) -> tuple[bool, tuple[Block, ...]]:
    """Whether the call failed, and what was said."""
    try:
        if len(reply.error):
            return True, (Block("text", jsonrpc.read(_Error, reply.error).message),)
        result = jsonrpc.read(_Result, reply.result)
        parts = elements(result.content) if len(result.content) else []
        blocks = [_block(raw) for raw in islice(parts, MOST)]
    except Malformed as error:
        return True, (Block("text", f"The server sent an answer that makes no sense: {error}."),)
    if is_object(result.structured_content):
        data = msgspec.json.format(result.structured_content, indent=-1).decode()
        blocks = [one for one in blocks if one.kind != "text" or one.text.strip() != data]
        blocks.append(Block("json", data[:LONGEST]))
    return result.is_error, tuple(blocks)


def _block(raw: bytes) -> Block:
    try:
        part = jsonrpc.read(_Part, raw)
    except Malformed:  # a member of another type: shown as it came
        return Block("json", raw.decode(errors="replace")[:LONGEST])
    match part.type:
        case "text":
            return Block("text", part.text[:LONGEST])
        case "image" | "audio":
            return Block(part.type, data=_bytes(part.data), mime=part.mime_type)
        case "resource_link":
            said = (part.title or part.name, part.description)
            return Block("link", "\n".join(filter(None, said))[:LONGEST], mime=part.mime_type, uri=part.uri)
        case "resource":
            return _resource(part.resource)
    return Block("json", raw.decode(errors="replace")[:LONGEST])


def _resource(given: _Resource) -> Block:
    if given.text is not None:
        return Block("resource", given.text[:LONGEST], mime=given.mime_type, uri=given.uri)
    kind = "image" if given.mime_type.startswith("image/") else "resource"
    return Block(kind, data=_bytes(given.blob), mime=given.mime_type, uri=given.uri)


def _bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        return b""
