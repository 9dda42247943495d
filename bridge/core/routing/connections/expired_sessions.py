"""HTTP sessions that a remote server no longer knows (404): which requests may be sent again on a new one.
Pure."""

from __future__ import annotations

import msgspec

from bridge.core.exchange.state_machine import State
from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import Envelope
from bridge.core.routing.state import ListPart, OpenRequest


class _Status(msgspec.Struct, frozen=True):
    """The data of our error for an HTTP reply without a JSON-RPC message."""

    status: int = 0


def may_send_again(waiting: OpenRequest | ListPart, envelope: Envelope) -> bool:
    """True if `waiting` was not run, because its session has expired, and may be sent again: once, and not
    while the server asks (the answer must not reach another connection)."""
    asks = isinstance(waiting, OpenRequest) and waiting.exchange.state is not State.CALLING
    if asks or waiting.renewed or not waiting.conn.spec.url:
        return False
    error = jsonrpc.read_error(envelope.error)
    return error.code == jsonrpc.UNREACHED and error.read_data(_Status).status == 404
