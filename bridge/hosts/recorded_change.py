"""A change that Deskbell made in a config file, as recorded for its undo (backups.py). Values only."""

from __future__ import annotations

import hashlib
from enum import StrEnum

import msgspec


class ChangeKind(StrEnum):
    CONNECT = "connect"
    DISCONNECT = "disconnect"
    WRAP = "wrap"
    UNWRAP = "unwrap"
    UNDO = "undo"


class RecordedChange(msgspec.Struct, frozen=True, kw_only=True):
    """Digests, "": no file. `copy`: what was there before, in the ledger's folder."""

    what: ChangeKind
    host: str
    path: str
    before: str
    after: str
    copy: str
    at: float
    mode: int = 0  # 0: not changed
    folders: tuple[str, ...] = ()  # that were made for it
    spelled: dict[str, tuple[str, str]] = {}  # each wrapped entry's text, before and after
    servers: tuple[str, ...] = ()  # of config.toml, which came from this file


class UndoableChange(msgspec.Struct, frozen=True):
    """A step, and the file before it."""

    step: RecordedChange
    before: bytes | None


def digest(raw: bytes | None) -> str:
    return hashlib.sha256(raw).hexdigest() if raw is not None else ""
