"""Status: one frozen look at everything a window or `deskbell status` shows. Values only."""

from __future__ import annotations

from dataclasses import dataclass

from bridge.core.attention import PLAIN, Wishes
from bridge.core.floods import LIMIT
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
class Flood:
    """A server that asks too often: its Questions wait without ringing until the person decides."""

    server: str
    waiting: int


@dataclass(frozen=True, slots=True)
class Mute:
    """A server whose Questions are declined, until then (seconds since the epoch)."""

    server: str
    until: float


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
    snoozed: bool = False  # nothing rings, no clock runs
    snoozed_until: float = 0.0  # seconds since the epoch; 0: until the person says otherwise
    floods: tuple[Flood, ...] = ()
    mutes: tuple[Mute, ...] = ()
    wishes: Wishes = PLAIN  # how loudly Questions may come
    questions_per_minute: int = LIMIT
    history_days: float = 30.0
    notices: tuple[str, ...] = ()  # for a person; what works, and could work better
