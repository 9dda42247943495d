"""The AI apps page: applications on this machine, and a change to a config file that awaits consent.

Frozen values. Status.hosts has the applications that are connected now.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from bridge.core.policy.rules import EVERYONE, table_for


@dataclass(frozen=True, slots=True)
class AppStatus:
    """One AI application and its config file."""

    id: str
    name: str
    file: str
    installed: bool = True
    connected: str = ""  # "stdio" | "http" | "" (not connected)
    current: bool = True  # its entry leads to this Deskbell
    proven: bool = True  # its entry has a valid token of its own
    servers: tuple[str, ...] = ()  # that could be wrapped
    wrapped: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()  # wrapped by another Deskbell
    addresses: tuple[str, ...] = ()  # servers with a URL
    can: tuple[str, ...] = ()  # "form" | "url" | "sampling", by its documentation
    names: tuple[str, ...] = ()  # its clientInfo names, as globs
    called: str = ""  # its name in config.toml
    by_address: bool = False  # can be connected by HTTP
    undo: str = ""  # the last change, if it can be undone exactly
    problem: str = ""

    @property
    def is_on(self) -> bool:
        """True if it uses this Deskbell, by an entry or before its servers."""
        return bool(self.connected or self.wrapped)

    @property
    def has_poor_dialogs(self) -> bool:
        """True if it shows questions itself, but not all kinds."""
        return "form" in self.can and "url" not in self.can

    def is_called(self, name: str) -> bool:
        """True if a host with this name is the application."""
        return name == self.called or any(fnmatchcase(name, pattern) for pattern in self.names)


@dataclass(frozen=True, slots=True)
class AppChange:
    """A change to be written; `number` identifies it. `exact`: restores the file byte for byte."""

    number: int
    what: str  # "connect" | "disconnect" | "wrap" | "unwrap" | "undo"
    app: AppStatus
    file: str
    diff: str
    entries: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()  # servers that go into config.toml
    nothing: bool = False
    exact: bool = False
    creates: bool = False  # the file does not exist yet
    again: bool = False  # the file has changed since the diff was shown


@dataclass(frozen=True, slots=True)
class AppNews:
    """The last change written. `copy`: path of the old file."""

    what: str
    name: str
    file: str
    copy: str = ""
    reload: str = ""  # "restart" | "conversation" | "refresh" | "itself"
    app: str = ""  # its id
    diff: str = ""  # what was changed


@dataclass(frozen=True, slots=True)
class HostsStatus:
    apps: tuple[AppStatus, ...] = ()
    looked: bool = False
    busy: bool = False
    change: AppChange | None = None
    news: AppNews | None = None
    problem: str = ""
    snippet: str = ""  # our entry, in the most common format
    seen: tuple[tuple[str, float], ...] = ()  # hosts that were connected before: name, Unix time
    questions: tuple[tuple[str, str], ...] = ()  # host → "auto" | "desktop" | "host"; "*": everyone

    def last_seen(self, app: AppStatus) -> float:
        """Return when the application was connected last (Unix time); 0: never, or it is now."""
        return max((at for name, at in self.seen if app.is_called(name)), default=0.0)

    def asks(self, *names: str) -> str:
        """Return who shows the questions of a host with any of these names."""
        rules = dict(self.questions)
        tables = [table_for(name, rules) for name in names]
        return next(
            (rules[table] for table in tables if table not in ("", EVERYONE)), rules.get(EVERYONE, "auto")
        )
