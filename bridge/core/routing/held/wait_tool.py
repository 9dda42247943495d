"""The tool `desk_wait`: its entry in lists of tools, and the result of a call that it gives. Pure.

The call may be of any tool, with structuredContent or without. Hosts that check results against an output
schema want some from a tool that has one, so `desk_wait` makes it of the text where there is none.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

import msgspec

from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import edit

NAME = "desk_wait"
_ENTRY = (
    b'{"name":"desk_wait","description":"Goes on waiting for a call that is not finished.",'
    b'"inputSchema":{"type":"object","properties":{"ticket":{"type":"string"}},"required":["ticket"]}'
)
_OUTPUT = (
    b'"outputSchema":{"type":"object","description":"The structured content of the call that was waited for. '
    b'If it has none, `result` is its text."}'
)
# Codex shows a model only structuredContent, if there is any: pictures would be lost. It checks none.
_DATA_ALONE = "codex-mcp-client*"


class _Resource(msgspec.Struct, frozen=True):
    uri: str = ""
    text: str = ""


class _Block(msgspec.Struct, frozen=True):
    type: str = ""
    text: str = ""
    uri: str = ""
    resource: _Resource = _Resource()

    def __str__(self) -> str:
        uri = self.uri or self.resource.uri
        return self.text or self.resource.text or f"[{self.type} {uri}]".replace(" ]", "]")


class _Result(msgspec.Struct, frozen=True, rename="camel"):
    content: list[_Block] = []
    is_error: bool = False
    result_type: str = "complete"
    structured_content: msgspec.Raw = jsonrpc.ABSENT


def listing(host: str) -> bytes:
    """Return the entry in the list of a host of this name."""
    return _ENTRY + (b"}" if fnmatchcase(host, _DATA_ALONE) else b"," + _OUTPUT + b"}")


def fitted(reply: bytes, host: str) -> bytes:
    """Return the reply to a call as one that fits the output schema of `desk_wait`."""
    envelope = jsonrpc.peek(reply)
    if not jsonrpc.is_object(envelope.result) or fnmatchcase(host, _DATA_ALONE):
        return reply
    try:
        result = jsonrpc.read(_Result, envelope.result)
        data = bytes(result.structured_content)
        if result.is_error or result.result_type != "complete" or jsonrpc.is_object(data):
            return reply
        text = msgspec.json.encode("\n".join(map(str, result.content)))
        made = b'{"result":' + (data if data not in (b"", b"null") else text) + b"}"
        fits = edit(envelope.result, {"structuredContent": made})
    except jsonrpc.Malformed:  # the server's fault: it is passed on as it is
        return reply
    return jsonrpc.response(bytes(envelope.id), fits)
