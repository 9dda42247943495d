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
    """`before`, `after`: digests of the file, "" if it did not exist. `copy`: name of the backup."""

    what: ChangeKind
    host: str
    path: str
    before: str
    after: str
    copy: str
    at: float
    mode: int = 0  # 0: not changed
    folders: tuple[str, ...] = ()  # created for it
    spelled: dict[str, tuple[str, str]] = {}  # entry → its text before and after wrapping
    servers: tuple[str, ...] = ()  # servers of config.toml that came from this file


class UndoableChange(msgspec.Struct, frozen=True):
    """A recorded change, and the file before it."""

    step: RecordedChange
    before: bytes | None


def digest(raw: bytes | None) -> str:
    return hashlib.sha256(raw).hexdigest() if raw is not None else ""
