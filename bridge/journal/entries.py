"""One thing that happened, as it is recorded and as it is found again. Values only."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

COLUMNS = "at, kind, host, server, tool, outcome, ms, size, detail"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened."""

    kind: str  # call | question | server | notice
    host: str = ""
    server: str = ""
    tool: str = ""
    outcome: str = ""
    ms: float = 0.0
    size: int = 0
    detail: Mapping[str, Any] = field(default_factory=dict)
    at: float = field(default_factory=time.time)  # seconds since the epoch


@dataclass(frozen=True, slots=True)
class Row(Entry):
    """An Entry as it was kept. Ids grow."""

    id: int = 0
