"""One message on its way to an HTTP server: what its headers need to know of it. Pure: no I/O."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
from msgspec import Raw

from bridge.core.eras import MODERN_REVISION, VERSION_KEY
from bridge.core.messages import ABSENT, Malformed, members, peek

# Revision 2026-07-28: the parameter that Mcp-Name mirrors.
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_SAFE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?").fullmatch
_WRAPPED = re.compile(r"=\?base64\?.*\?=").fullmatch


@dataclass(frozen=True, slots=True)
class Outgoing:
    message: bytes
    id: bytes = b""  # raw; b"": not a request
    method: str = ""  # "": a response
    revision: str = ""  # as the message itself says, in the modern era only
    name: str = ""
    cancels: bytes = b""  # raw id of the request that notifications/cancelled names

    @property
    def modern(self) -> bool:
        return self.revision >= MODERN_REVISION

    def modern_headers(self) -> Mapping[str, str]:
        headers = {"Mcp-Method": header_value(self.method)}
        return headers | {"Mcp-Name": header_value(self.name)} if self.name else headers


def outgoing(message: bytes) -> Outgoing:
    try:
        envelope = peek(message)
        if not envelope.method:
            return Outgoing(message)
        params = members(envelope.params)
        meta = members(params.get("_meta", ABSENT))
    except Malformed:
        return Outgoing(message)
    return Outgoing(
        message,
        bytes(envelope.id),
        envelope.method,
        _text(meta.get(VERSION_KEY, ABSENT)),
        _text(params.get(_NAMED.get(envelope.method, ""), ABSENT)),
        bytes(params.get("requestId", ABSENT)),
    )


def header_value(text: str) -> str:
    """`text` where a header can carry it, else in the wrapping that revision 2026-07-28 prescribes."""
    if not text or (_SAFE(text) and not _WRAPPED(text)):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def _text(raw: Raw) -> str:
    try:
        return msgspec.json.decode(raw, type=str) if len(raw) else ""
    except msgspec.DecodeError:
        return ""
