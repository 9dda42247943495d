"""Where the sealed replies of servers' token refreshes are kept; see token_refresh/__init__.py."""

from __future__ import annotations

import re
from pathlib import Path

from bridge.token_refresh.refresh import SealedRefresh


def sealed_refresh(folder: Path, server: str) -> SealedRefresh:
    return SealedRefresh(_path(folder, server))


def rename(folder: Path, old: str, new: str) -> None:
    """Keep the reply that the Vault does not have yet under a server's new name."""
    sealed_refresh(folder, old).move(_path(folder, new))


def _path(folder: Path, server: str) -> Path:
    return folder / f"upstream-{re.sub(r'[^A-Za-z0-9._-]', '-', server)}.sealed"
