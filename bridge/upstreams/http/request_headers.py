"""OutgoingMessage: a message to an HTTP server, with the parts that its headers repeat. Pure: no I/O."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Raw

from bridge.core.protocol.jsonrpc import ABSENT, Malformed, members, peek
from bridge.core.protocol.param_headers import ParamHeaders, encoded
from bridge.core.protocol.param_headers import headers as repeated
from bridge.core.protocol.revisions import MODERN_REVISION, VERSION_KEY

# Revision 2026-07-28: the parameter that Mcp-Name mirrors.
_NAMED = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}


class OutgoingMessage(msgspec.Struct, frozen=True):
    message: bytes
    id: bytes = b""  # raw; b"": not a request
    method: str = ""  # "": a response
    revision: str = ""  # as the message itself says, in the modern era only
    name: str = ""
    arguments: bytes = b""  # raw, of tools/call
    cancels: bytes = b""  # raw id of the request that notifications/cancelled names

    @property
    def modern(self) -> bool:
        return self.revision >= MODERN_REVISION

    def modern_headers(self, known: Mapping[str, ParamHeaders]) -> Mapping[str, str]:
        """`known`: tool → which of its arguments are repeated in headers."""
        headers = {"Mcp-Method": encoded(self.method)}
        if self.name:
            headers["Mcp-Name"] = encoded(self.name)
        if self.method == "tools/call" and self.name in known:
            headers |= {name: encoded(text) for name, text in self._repeated(known[self.name]).items()}
        return headers

    def _repeated(self, wanted: ParamHeaders) -> Mapping[str, str]:
        try:
            return repeated(wanted, msgspec.json.decode(self.arguments or b"{}", type=dict))
        except (msgspec.DecodeError, RecursionError):
            return {}


def parse_message(message: bytes) -> OutgoingMessage:
    try:
        envelope = peek(message)
        if not envelope.method:
            return OutgoingMessage(message)
        params = members(envelope.params)
        meta = members(params["_meta"]) if "_meta" in params else {}
    except Malformed:
        return OutgoingMessage(message)
    return OutgoingMessage(
        message,
        bytes(envelope.id),
        envelope.method,
        _text(meta.get(VERSION_KEY, ABSENT)),
        _text(params.get(_NAMED.get(envelope.method, ""), ABSENT)),
        bytes(params.get("arguments", ABSENT)),
        bytes(params.get("requestId", ABSENT)),
    )


def _text(raw: Raw) -> str:
    try:
        return msgspec.json.decode(raw, type=str) if len(raw) else ""
    except (msgspec.DecodeError, RecursionError):
        return ""
