"""What is kept of one server's sign-in: one item of the vault, `upstream/NAME`. Loads no SDK."""

from __future__ import annotations

import time
from typing import Any

import msgspec

_EARLY = 30.0  # seconds before its end a token counts as expired


class Kept(msgspec.Struct, omit_defaults=True):
    url: str = ""  # whose it is: a token goes nowhere else
    tokens: dict[str, Any] = {}
    expires: float = 0.0  # seconds since the epoch; 0: unknown
    client: dict[str, Any] = {}
    port: int = 0  # of the address the client was registered with
    metadata: dict[str, Any] = {}
    resource: dict[str, Any] = {}
    seal: str = ""  # the key of answers that are not in the vault yet (token_refresh.py)

    @property
    def token(self) -> str:
        return str(self.tokens.get("access_token", ""))

    @property
    def stale(self) -> bool:
        return 0.0 < self.expires <= time.time() + _EARLY
