"""One thing that happened, as it is recorded and as it is found again. Values only."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

COLUMNS = "at, kind, host, server, tool, outcome, ms, size, detail"
KEPT = 4_000  # characters of each side of a call that are kept
INTERRUPTED = "interrupted"  # Deskbell ended before the call did


class JournalEntry(msgspec.Struct, frozen=True):
    """One thing that happened."""

    kind: str  # call | question | server | notice
    host: str = ""
    server: str = ""
    tool: str = ""
    outcome: str = ""
    ms: float = 0.0
    size: int = 0
    detail: Mapping[str, Any] = {}
    at: float = msgspec.field(default_factory=time.time)  # seconds since the epoch


class JournalRow(JournalEntry, frozen=True):
    """An Entry as it was kept. Ids grow."""

    id: int = 0


class CallContents(msgspec.Struct, frozen=True):
    """What a call said, on its way into the history: the beginnings of both sides, as they were sent."""

    entry: JournalEntry
    arguments: bytes
    arguments_size: int
    reply: bytes
    reply_size: int


@dataclass(frozen=True, slots=True)
class Contents:
    """What a call said, as it was kept: without secrets, and no more than its beginning."""

    arguments: str = ""
    arguments_size: int = 0  # bytes, as sent
    result: str = ""
    result_size: int = 0

    @property
    def arguments_cut(self) -> bool:
        return len(self.arguments) >= KEPT

    @property
    def result_cut(self) -> bool:
        return len(self.result) >= KEPT


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """What to look for. Every word of `text` must occur; what is empty does not matter."""

    text: str = ""
    kind: str = ""
    host: str = ""
    server: str = ""
    outcomes: tuple[str, ...] = ()
    since: float = 0.0  # seconds since the epoch
    until: float = 0.0


@dataclass(frozen=True, slots=True)
class HistoryNames:
    """Who occurs in the history."""

    hosts: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerLoad:
    """The calls of one server: how many, how many did not succeed, how long they took (milliseconds)."""

    server: str
    calls: int
    failed: int
    median: float
    slow: float  # of a hundred calls, five took longer
