"""What the AI apps page is at: every application on this machine, and a change that waits for a yes.

Frozen values; no I/O. Status.hosts has those that are connected at this moment.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AppStatus:
    """One AI application, as its file says."""

    id: str
    name: str
    file: str
    installed: bool = True
    connected: str = ""  # "stdio" | "http" | "": not
    current: bool = True  # what is written there leads to this Deskbell
    servers: tuple[str, ...] = ()  # that could be wrapped
    wrapped: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()  # those of them that another Deskbell is before
    addresses: tuple[str, ...] = ()  # servers that have one
    can: tuple[str, ...] = ()  # "form" | "url" | "sampling": what is said of it
    names: tuple[str, ...] = ()  # what it calls itself
    called: str = ""  # what config.toml calls it
    by_address: bool = False  # it could be connected by HTTP
    undo: str = ""  # the last change, if it can be taken back to the byte
    problem: str = ""


@dataclass(frozen=True, slots=True)
class AppChange:
    """What is about to be written; `number` tells one from the next. `exact`: to the byte as it was."""

    number: int
    what: str  # "connect" | "disconnect" | "wrap" | "unwrap" | "undo"
    app: AppStatus
    file: str
    diff: str
    entries: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()  # servers that go into config.toml
    nothing: bool = False
    exact: bool = False
    creates: bool = False  # there is no file yet
    again: bool = False  # the file has changed since the person saw the difference


@dataclass(frozen=True, slots=True)
class AppNews:
    """What was written, last. `copy`: where the old file is."""

    what: str
    name: str
    file: str
    copy: str = ""
    reload: str = ""  # "restart" | "conversation" | "refresh" | "itself"


@dataclass(frozen=True, slots=True)
class HostsStatus:
    apps: tuple[AppStatus, ...] = ()
    looked: bool = False
    busy: bool = False
    change: AppChange | None = None
    news: AppNews | None = None
    problem: str = ""
    snippet: str = ""  # for any other application: our entry, as most of them write it
    questions: tuple[tuple[str, str], ...] = ()  # host → "auto" | "desktop" | "host"; "*": everyone

    def asks(self, *names: str) -> str:
        """Who shows the questions of a host with any of these names."""
        rules = dict(self.questions)
        return next((rules[name] for name in (*names, "*") if name in rules), "auto")
