"""`logging/setLevel`: the levels, and which log message is for whom. Pure."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from bridge.core.protocol.jsonrpc import read

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class _Level(msgspec.Struct, frozen=True):
    level: str = ""


def reaches_level(note: bytes | Raw, level: str) -> bool:
    """Is this log message for someone who wants `level` and above? What is not a known level is."""
    said = read(_Level, note).level
    return said not in LEVELS or level not in LEVELS or LEVELS.index(said) >= LEVELS.index(level)


def log_level(params: bytes | Raw) -> str:
    """Which level a host's `logging/setLevel` wants."""
    return read(_Level, params).level


def most_verbose(levels: list[str]) -> str:
    """The level that brings each of these its messages; of none that is known, the first."""
    known = [one for one in levels if one in LEVELS]
    return min(known, key=LEVELS.index) if known else levels[0]
