"""One call that its host stopped waiting for: its arguments compared, its reply for another request. Pure."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from bridge.core.ports import HeldCall
from bridge.core.protocol import jsonrpc, translate
from bridge.core.protocol.revisions import MODERN, Era
from bridge.core.routing.state import OpenRequest, Tenant
from bridge.core.status import HeldCallStatus

SILENT = 4.0  # seconds; the same call again, after that time, means that the host has given up the first
HandedKey = tuple[str | int, ...]  # what names a call that its host has Questions of


class HeldEntry:
    """A HeldCall and, in the run that it began in, its request."""

    __slots__ = ("by_wait", "call", "handed", "is_saved", "left_at", "owner", "request")

    def __init__(self, call: HeldCall, request: OpenRequest | None = None) -> None:
        self.call = call
        self.request = request  # None: finished
        self.owner: Tenant | None = request.tenant if request else None
        self.is_saved = False
        self.by_wait = False  # its host waits by desk_wait
        self.left_at = 0.0  # monotonic; when the host stopped waiting; 0: it waits
        self.handed: HandedKey | None = None  # key of a call whose Questions its host got

    @property
    def called(self) -> tuple[str, str, str]:
        """The host, the server and the tool of the call."""
        return self.call.host, self.call.identity, self.call.tool

    @property
    def is_awaited(self) -> bool:
        return self.request is not None and self.request.link is not None

    def status(self) -> HeldCallStatus:
        one = self.call
        return HeldCallStatus(
            one.ticket, one.host, one.server, one.tool, one.begun, one.finished, self.is_awaited
        )


def reply_for(reply: bytes, request_id: bytes, era: Era) -> bytes:
    """Return a kept reply under the id of the host's new request, in the host's era."""
    envelope = jsonrpc.peek(reply)
    if len(envelope.result):
        if era is MODERN:
            return jsonrpc.response(request_id, translate.modern_result("tools/call", envelope.result))
        legacy = translate.legacy_result(envelope.result)
        if legacy is not None:
            return jsonrpc.response(request_id, legacy)
    return jsonrpc.set_id(reply, envelope, request_id)


def in_order(arguments: bytes) -> bytes:
    """Return arguments in a fixed order: a model may write the same ones in another."""
    try:
        return msgspec.json.encode(msgspec.json.decode(arguments or b"{}"), order="deterministic")
    except (msgspec.MsgspecError, RecursionError):
        return arguments


def handed_key(tenant: Tenant, target: str, arguments: bytes, state: str | None) -> HandedKey:
    """Return the key of a call whose host got a server's own requestState. Ours names call and round."""
    return tenant.key, target, in_order(arguments).decode(errors="replace"), state or ""


def same(arguments: bytes, others: bytes) -> bool:
    return arguments == others or in_order(arguments) == in_order(others)


def arguments_digest(ticket: str, ordered: bytes) -> str:
    """Return the digest of arguments that are `in_order`."""
    return sha256(ticket.encode() + b" " + ordered).hexdigest()
