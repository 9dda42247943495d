"""What a server that was given secrets says of its troubles, without them. Results pass as they are.

A server may well quote the key that did not work: in an error, a failed tool's words, its log.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from bridge.core.ports import Back
from bridge.vault.references import Mask

_MAY_TELL = re.compile(rb'"(?:error|isError|notifications/message)"').search


class Masked:
    """A Back before the engine's; the other servers do without it."""

    def __init__(self, back: Back, mask: Mask) -> None:
        self._back = back
        self._mask = mask
        self.ended = back.ended
        self.noted = back.noted

    def received(self, conn: int, message: bytes, about: bytes = b"") -> None:
        if _MAY_TELL(message):
            message = self._without_secrets(message)
        self._back.received(conn, message, about)

    def _without_secrets(self, message: bytes) -> bytes:
        try:
            said = msgspec.json.decode(message)
        except msgspec.DecodeError:
            return message  # the core says so, and quotes nothing
        masked = [self._one(one) for one in said] if isinstance(said, list) else self._one(said)
        return message if masked == said else msgspec.json.encode(masked)

    def _one(self, said: Any) -> Any:
        return self._mask.within(said) if _is_trouble(said) else said


def _is_trouble(said: Any) -> bool:
    if not isinstance(said, dict):
        return False
    result = said.get("result")
    failed = isinstance(result, dict) and result.get("isError") is True
    return "error" in said or failed or said.get("method") == "notifications/message"
