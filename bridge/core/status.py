"""Status: one frozen look at everything a window or `deskbell status` shows. Values only."""

from __future__ import annotations

from dataclasses import dataclass

from bridge.core.questions import Question


@dataclass(frozen=True, slots=True)
class HostStatus:
    """One AI application that is connected now."""

    name: str
    version: str
    wire: str  # "stdio" | "http"
    revision: str  # protocol date, "" before it said so
    can_ask: bool  # it declares form elicitation itself
    servers: tuple[str, ...]
    calls: int


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """One server: configured, or wrapped by a host."""

    name: str
    kind: str  # "stdio" | "http" | "built-in"
    state: str  # "idle" | "starting" | "ready" | "failed"
    revision: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    version: str = ""
    address: str = ""  # http://127.0.0.1:N/mcp, "" until it listens
    presenter: str = ""
    waiting: tuple[Question, ...] = ()  # oldest first
    visits: tuple[str, ...] = ()  # URL Questions that were accepted, and whose pages are still needed
    hosts: tuple[HostStatus, ...] = ()
    servers: tuple[ServerStatus, ...] = ()
    problems: tuple[str, ...] = ()  # for a person; a broken config.toml, a taken port
    notices: tuple[str, ...] = ()  # for a person; what works, and could work better
