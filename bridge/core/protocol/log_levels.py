"""`logging/setLevel`: compare log levels. Pure."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from bridge.core.protocol.jsonrpc import Malformed, read

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class _Level(msgspec.Struct, frozen=True):
    level: str = ""


def reaches_level(note: bytes | Raw, level: str) -> bool:
    """True if this log message is at `level` or above; also if either level is unknown."""
    logged = read(_Level, note).level
    return logged not in LEVELS or level not in LEVELS or LEVELS.index(logged) >= LEVELS.index(level)


def log_level(params: bytes | Raw) -> str:
    """Return the level of a `logging/setLevel` request."""
    return read(_Level, params).level


def known_level(params: bytes | Raw) -> str:
    """Return the level of a `logging/setLevel` request. Raises Malformed for an unknown level."""
    level = log_level(params)
    if level not in LEVELS:
        raise Malformed(f"{level[:40]!r} is not a level; use one of {', '.join(LEVELS)}")
    return level


def most_verbose(levels: list[str]) -> str:
    """Return the lowest of these levels, which includes the messages of all; the first if none is known."""
    known = [one for one in levels if one in LEVELS]
    return min(known, key=LEVELS.index) if known else levels[0]
