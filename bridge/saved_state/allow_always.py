"""allowed.json: which rules an "Allow always" has made, when, for whom, and what they replaced; for its Undo.

The rules themselves are in config.toml. What cannot be read or written is done without: then a rule can be
deleted, and not undone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bridge.core.policy.rename import Rename
from bridge.core.policy.rules import Verdict
from bridge.errors import SettingsError
from bridge.system.atomic_file import write

log = logging.getLogger(__name__)


class Kept(msgspec.Struct, frozen=True):
    tool: str  # its public name
    table: str  # the host whose rules have it; "": those for everyone
    by: str  # the application that wanted to call it
    at: float  # seconds since the epoch
    before: tuple[tuple[str, Verdict], ...]  # the rules of that table until then

    def renamed(self, rename: Rename) -> Kept:
        before = tuple((rename.pattern(pattern), verdict) for pattern, verdict in self.before)
        return replace(self, tool=rename.pattern(self.tool), before=before)

    @property
    def rule(self) -> tuple[str, Verdict]:
        return (self.tool, Verdict.ALLOW)


def load(path: Path) -> list[Kept]:
    """Oldest first."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Kept])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        log.warning("%s cannot be read: %s", path, error)
        return []


def save(path: Path, kept: Iterable[Kept]) -> None:
    try:
        write(path, msgspec.json.encode(list(kept)))
    except SettingsError as error:
        log.warning("%s", error)
