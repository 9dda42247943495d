"""Entries of the journal, filters and results of queries. Values only."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

COLUMNS = "at, kind, host, server, tool, outcome, ms, size, detail"
KEPT = 4_000  # characters of arguments and result that are stored
INTERRUPTED = "interrupted"  # Deskbell ended before the call did


class JournalEntry(msgspec.Struct, frozen=True):
    """A recorded event."""

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
    """A stored JournalEntry. Ids increase."""

    id: int = 0


class CallContents(msgspec.Struct, frozen=True):
    """Beginning of a call's arguments and reply, as sent, before they are masked."""

    entry: JournalEntry
    arguments: bytes
    arguments_size: int
    reply: bytes
    reply_size: int


@dataclass(frozen=True, slots=True)
class Contents:
    """Stored contents of a call: masked, and cut at KEPT characters."""

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
    """A filter for entries. Every word of `text` must occur; empty members are ignored."""

    text: str = ""
    kind: str = ""
    host: str = ""
    server: str = ""
    outcomes: tuple[str, ...] = ()
    since: float = 0.0  # seconds since the epoch
    until: float = 0.0


@dataclass(frozen=True, slots=True)
class HistoryNames:
    """Hosts and servers that occur in the history."""

    hosts: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
