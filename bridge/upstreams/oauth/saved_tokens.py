"""SavedTokens: a server's sign-in as one item of the vault, `upstream/NAME`. Loads no SDK."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import msgspec

from bridge.token_refresh.refresh import SealedRefresh

_EARLY = 30.0  # seconds before its expiry a token counts as expired


class SavedTokens(msgspec.Struct, omit_defaults=True):
    url: str = ""  # of the server; the tokens are sent nowhere else
    tokens: dict[str, Any] = {}
    expires: float = 0.0  # Unix time; 0: unknown
    client: dict[str, Any] = {}
    port: int = 0  # of the redirect address the client was registered with
    metadata: dict[str, Any] = {}
    resource: dict[str, Any] = {}
    seal: str = ""  # key of replies that are not in the vault yet (token_refresh/)

    @property
    def token(self) -> str:
        return str(self.tokens.get("access_token", ""))

    @property
    def stale(self) -> bool:
        return 0.0 < self.expires <= time.time() + _EARLY


def sealed_refresh(folder: Path, server: str) -> SealedRefresh:
    """Return the refreshes of a server's tokens, with a reply that the Vault may not have yet."""
    return SealedRefresh(folder / f"upstream-{re.sub(r'[^A-Za-z0-9._-]', '-', server)}.sealed")
