"""What a server that was given secrets says of its troubles, without them. Results pass as they are.

A server may well quote the key that did not work: in an error, a failed tool's words, its log.
"""

from __future__ import annotations

import json
from typing import Any

from bridge.core.ports import Back
from bridge.core.protocol.jsonrpc import Envelope, envelope_of
from bridge.core.protocol.translate import is_tool_error
from bridge.system.masking import Mask


class RedactingBack:
    """A Back before the engine's; the other servers do without it."""

    def __init__(self, back: Back, mask: Mask) -> None:
        self._back = back
        self._mask = mask
        self.ended = back.ended
        self.noted = back.noted

    def received(
        self, conn: int, message: bytes, about: bytes = b"", envelope: Envelope | None = None
    ) -> None:
        envelope = envelope or envelope_of(message)
        if envelope is None or _is_trouble(envelope):
            masked = self._without_secrets(message)
            if masked != message:
                message, envelope = masked, None
        self._back.received(conn, message, about, envelope)

    def unreached(self, conn: int, request: bytes, words: str, status: int = 0) -> None:
        self._back.unreached(conn, request, self._mask.mask_text(words), status)

    def _without_secrets(self, message: bytes) -> bytes:
        try:
            said = json.loads(message)  # msgspec would not read half an emoji, as JavaScript writes it
            masked = (
                [self._one(one) for one in said] if isinstance(said, list) else self._mask.mask_json(said)
            )
            return message if masked == said else json.dumps(masked, separators=(",", ":")).encode()
        except RecursionError:
            return self._mask.mask_text(message.decode()).encode()
        except ValueError:
            return message  # the core says so, and quotes nothing

    def _one(self, said: Any) -> Any:
        """Of a batch."""
        envelope = envelope_of(json.dumps(said).encode())
        return self._mask.mask_json(said) if envelope is not None and _is_trouble(envelope) else said


def _is_trouble(envelope: Envelope) -> bool:
    told = envelope.method == "notifications/message" or len(envelope.error) > 0
    return told or is_tool_error(envelope.result)
