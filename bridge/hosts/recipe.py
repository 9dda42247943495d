"""A Recipe says how one AI application is configured: its file, the format of entries, what it supports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ReloadBy(StrEnum):
    """What the user must do for a changed file to take effect."""

    RESTART = "restart"
    CONVERSATION = "conversation"  # start a new one
    REFRESH = "refresh"  # its list of servers has a button for it
    ITSELF = "itself"  # the application notices a changed file


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """Format of an entry with a command: keys, and constant members. `inside`: keys of the table in the entry
    that holds the command; () for the entry itself."""

    fixed: Mapping[str, Any] = field(default_factory=dict)
    command: str = "command"
    args: str = "args"  # "": the command is one list with its arguments
    env: str = "env"
    after: Mapping[str, Any] = field(default_factory=dict)
    inside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UrlEntry:
    """Format of an entry with a URL; `headers` may be a path."""

    fixed: Mapping[str, Any] = field(default_factory=dict)
    url: str = "url"
    headers: tuple[str, ...] = ("headers",)
    after: Mapping[str, Any] = field(default_factory=dict)
    inside: tuple[str, ...] = ()


PERMISSION_LIMIT = 86_400  # seconds that a hook has to ask the person


@dataclass(frozen=True, slots=True)
class PermissionHook:
    """The hook by which an application asks for permissions (approval_hook.py). `file`: as in a Recipe."""

    file: str
    event: str = "PermissionRequest"
    matcher: str = "*"  # tools for which the application runs it
    limit_unit: float = 1.0  # seconds
    note: str = ""  # what is left for the user to do


@dataclass(frozen=True, slots=True)
class Recipe:
    """`files` and `signs` begin with a folder that the platform names (locations.py); `*` is a glob; those
    after `win32:` are looked for there only.

    `names`: what it calls itself (clientInfo.name), as globs; the first is its name in config.toml, and our
    choice if its clientInfo is not known. `signs`: what shows that it is installed, beside the folder of its
    file. `named`: the key that holds a name inside an entry; `listed`: the entries are a list. `fresh`: what
    else a new file must contain.
    """

    id: str
    name: str
    files: tuple[str, ...]
    names: tuple[str, ...]
    can: tuple[str, ...] = ()
    reload: ReloadBy = ReloadBy.CONVERSATION
    key: str = "mcpServers"  # of the table of servers
    started: CommandEntry = CommandEntry()
    called: UrlEntry | None = UrlEntry()
    signs: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    named: str = ""
    listed: bool = False
    fresh: Mapping[str, Any] = field(default_factory=dict)
    limit: Mapping[str, int] = field(default_factory=dict)  # member of an entry: how long a call may take
    limit_unit: float = 1.0  # seconds
    approvals: PermissionHook | None = None
    private: bool = False  # its folder always exists, so it proves nothing
