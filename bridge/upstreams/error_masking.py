"""RedactingServerPort: mask a server's secrets in its errors, failed results and log messages.

A server may quote the key that did not work. Results of successful calls pass unchanged.
"""

from __future__ import annotations

import json
from typing import Any

from bridge.core.ports import ServerPort
from bridge.core.protocol.jsonrpc import Envelope, envelope_of, is_tool_error
from bridge.system.masking import Mask


class RedactingServerPort:
    """Wraps the engine's ServerPort, for servers that were given secrets."""

    def __init__(self, back: ServerPort, mask: Mask) -> None:
        self._back = back
        self._mask = mask
        self.ended = back.ended
        self.noted = back.noted

    def received(
        self, conn: int, message: bytes, about: bytes = b"", envelope: Envelope | None = None
    ) -> None:
        envelope = envelope or envelope_of(message)
        if envelope is None or _is_failure(envelope):
            masked = self._without_secrets(message)
            if masked != message:
                message, envelope = masked, None
        self._back.received(conn, message, about, envelope)

    def unreached(self, conn: int, request: bytes, words: str, status: int = 0) -> None:
        self._back.unreached(conn, request, self._mask.mask_text(words), status)

    def _without_secrets(self, message: bytes) -> bytes:
        try:
            value = json.loads(message)  # msgspec rejects lone surrogates, which JavaScript writes
            masked = (
                [self._redact_in_batch(each) for each in value]
                if isinstance(value, list)
                else self._mask.mask_json(value)
            )
            return message if masked == value else json.dumps(masked, separators=(",", ":")).encode()
        except RecursionError:
            return self._mask.mask_text(message.decode()).encode()
        except ValueError:
            return message  # not JSON: the core reports that without quoting it

    def _redact_in_batch(self, value: Any) -> Any:
        envelope = envelope_of(json.dumps(value).encode())
        return self._mask.mask_json(value) if envelope is not None and _is_failure(envelope) else value


def _is_failure(envelope: Envelope) -> bool:
    is_log = envelope.method == "notifications/message" or len(envelope.error) > 0
    return is_log or is_tool_error(envelope.result)
