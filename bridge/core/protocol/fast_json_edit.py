"""Replace the id, the params or the name of a message without parsing its members.

Each function returns what its plain twin, `jsonrpc.edit`, returns, byte for byte; or b"" for a layout it does
not know. For 100 KiB that saves one decoding. tests/core/protocol/test_fast_json_edit.py compares them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.core.protocol.jsonrpc import Envelope

HEAD = b'{"jsonrpc":"2.0","id":'
_TAIL = b'"jsonrpc":"2.0","id":'


def set_id(data: bytes, envelope: Envelope, new_id: bytes, params: bytes = b"") -> bytes:
    """Return the message with another id, and with other `params` if any are given.

    Two layouts cover nearly all traffic: id first (Python and most others) or last (TypeScript). A compact
    message that holds only known members has a known length: one comparison proves that no second `id` hides
    in it.
    """
    old = bytes(envelope.id)
    head = HEAD + old
    if len(head) + _length_after_id(envelope) == len(data):
        if data.startswith(head):
            if not params:
                return b"".join((HEAD, new_id, memoryview(data)[len(head) :]))  # copies a large message once
            tail = len(envelope.params) + 1
            if tail > 1 and data.endswith(bytes(envelope.params) + b"}"):
                return HEAD + new_id + data[len(head) : -tail] + params + b"}"
        elif not params and data.endswith(_TAIL + old + b"}"):
            return data[: -len(old) - 1] + new_id + b"}"
    return b""


def _length_after_id(envelope: Envelope) -> int:
    """Return the length, counted from the end of its id, of a compact message that holds only these members;
    negative if that cannot be told."""
    if envelope.method is not None:
        params = len(envelope.params)
        return len(envelope.method) + (params + 23 if params else 13)
    if result := len(envelope.result):
        return result + 11
    error = len(envelope.error)
    return error + 10 if error else -len(HEAD)


def set_name(named: bytes, old: bytes, new: bytes) -> bytes:
    """Return the object with another `name` (both are JSON strings), if `name` is its first key."""
    head = b'{"name":' + old
    if named.startswith(head) and named.count(b'"name"') == 1 and b"\\" not in named:
        return b'{"name":' + new + named[len(head) :]
    return b""
