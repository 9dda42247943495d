"""Classify the entries of an application's file, build our own, wrap and unwrap others. Pure.

Commands stay lists of arguments, never shell text, and a server's name enters a command only after it was
reduced to letters, digits, - and _ (CVE-2025-62801).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bridge.hosts import import_servers
from bridge.hosts.formats.edits import Change, Drop, Path, Put, nested
from bridge.hosts.import_servers import (
    BUILT_INTO_HOST,
    OWN_ADDRESS,
    URL_KEYS,
    address_in,
    after_deskbell,
    command_in,
    flat,
    is_own_address,
    unwrapped,
    valid_name,
)
from bridge.hosts.recipe import Recipe
from bridge.settings.host_tokens import tokens_in

HOME = "DESKBELL_HOME"
PROOF = "DESKBELL_HOST_TOKEN"  # environment variable with the token
_BEARER = "Bearer "


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """How an application reaches this Deskbell: command, port, and `home`, if it is not the usual one.
    `token` proves which application it is ("": none); `shared_token` opens HTTP to everyone. `proves`: True
    for a token that proves this application."""

    words: tuple[str, ...]
    port: int
    home: str
    shared_token: str
    token: str = ""
    proves: Callable[[str], bool] = lambda token: False

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def has_token(self, raw: bytes | None) -> bool:
        """True if a file contains a token, so that only its owner may read it."""
        return bool(tokens_in(raw)) or bool(self.shared_token and self.shared_token.encode() in (raw or b""))

    @property
    def env(self) -> dict[str, str]:
        values = {HOME: self.home, PROOF: self.token}
        return {name: value for name, value in values.items() if value}


class EntryKind(StrEnum):
    OURS = "ours"
    WRAPPED = "wrapped"
    STARTED = "started"
    CALLED = "called"  # by its address
    OTHER = "other"  # part of the application, or unknown


@dataclass(frozen=True, slots=True)
class HostEntry:
    """`words`: the command line; `at`: keys of the command in the entry. `args` "": the command is one
    list."""

    name: str
    kind: EntryKind
    path: Path
    words: tuple[str, ...] = ()
    at: Path = ()
    args: str = ""
    raw: Any = None

    @property
    def label(self) -> str:
        """Return the name, with the project's folder for an entry of one project (Claude Code)."""
        return self.name if len(self.path) == 2 else f"{self.name} ({self.path[1]})"


def entries(data: Mapping[str, Any], recipe: Recipe, ours: OwnEntry) -> list[HostEntry]:
    return [
        _entry((*path, name), raw, ours)
        for path, table in import_servers.tables(data, recipe.key)
        for name, raw in import_servers.entries(table)
    ]


def _entry(path: Path, raw: Any, ours: OwnEntry) -> HostEntry:
    name = path[-1]
    if not isinstance(raw, dict):
        return HostEntry(name, EntryKind.OTHER, path)
    address = address_in(flat(raw))
    if address is not None:
        own = isinstance(address, str) and (
            is_own_address(address, ours.port)
            or (OWN_ADDRESS.match(address) is not None and _has_valid_token(raw, ours))  # of another port
        )
        return HostEntry(name, EntryKind.OURS if own else EntryKind.CALLED, path, raw=raw)
    at, args, words = command_in(raw)
    if not words or raw.get("type") in BUILT_INTO_HOST:
        return HostEntry(name, EntryKind.OTHER, path, raw=raw)
    kind = EntryKind.STARTED
    if after_deskbell(words) is not None:
        kind = EntryKind.OURS if unwrapped(words) is None else EntryKind.WRAPPED
    return HostEntry(name, kind, path, tuple(words), at, args, raw)


def call_limit(data: Mapping[str, Any], recipe: Recipe, ours: OwnEntry) -> float:
    """Return the seconds that each entry leading to Deskbell gives a call, at least; 0: one gives none."""
    own = [one for one in entries(data, recipe, ours) if one.kind in (EntryKind.OURS, EntryKind.WRAPPED)]
    limits = [one.raw.get(key) for one in own for key in recipe.limit]
    known = [value * recipe.limit_unit for value in limits if type(value) in (int, float) and value > 0]
    return min(known) if known and len(known) == len(limits) else 0.0


# --- ours ------------------------------------------------------------------------------------------------


def started(recipe: Recipe, ours: OwnEntry, name: str, host: str) -> dict[str, Any]:
    """Return our entry with a command."""
    shape = recipe.started
    words = [*ours.words, "stdio", "--host-name", host]
    entry = dict(shape.fixed)
    entry |= {shape.command: words[0], shape.args: words[1:]} if shape.args else {shape.command: words}
    if ours.env:
        entry[shape.env] = ours.env
    return {**_named(recipe, name), **nested(shape.inside, entry), **shape.after, **recipe.limit}


def _named(recipe: Recipe, name: str) -> dict[str, Any]:
    return {recipe.named: name} if recipe.named else {}


def called(recipe: Recipe, ours: OwnEntry, name: str) -> dict[str, Any] | None:
    """Return our entry with URL and token; None if the application does not support URLs."""
    shape = recipe.called
    if shape is None:
        return None
    headers = nested(shape.headers, {"Authorization": _BEARER + (ours.token or ours.shared_token)})
    entry = {**shape.fixed, shape.url: ours.address, **headers}
    return {**_named(recipe, name), **nested(shape.inside, entry), **shape.after, **recipe.limit}


def is_current(entry: HostEntry, recipe: Recipe, ours: OwnEntry) -> bool:
    """True if the entry leads to this Deskbell; by URL, with its port and a valid token."""
    if not entry.words:
        address = str(address_in(flat(entry.raw)))
        return is_own_address(address, ours.port) and _has_valid_token(entry.raw, ours)
    rest = after_deskbell(list(entry.words)) or []
    head = entry.words[: len(entry.words) - len(rest)]
    return head == ours.words and _env(entry, recipe).get(HOME, "") == ours.home


def _has_valid_token(raw: Any, ours: OwnEntry) -> bool:
    text = str(raw)
    shared = bool(ours.shared_token) and ours.shared_token in text
    return shared or any(map(ours.proves, tokens_in(text.encode())))


def readdress(entry: HostEntry, ours: OwnEntry) -> list[Change]:
    """Return the change that puts the current port into our entry with a URL."""
    for at in ((), ("transport",)):
        table = entry.raw.get(at[0]) if at else entry.raw
        for key in URL_KEYS if isinstance(table, dict) else ():
            if isinstance(table.get(key), str) and OWN_ADDRESS.match(table[key]):
                address = re.sub(r":\d+/", f":{ours.port}/", table[key], count=1)
                return [Put((*entry.path, *at, key), address)]
    return []


def is_proven(entry: HostEntry, ours: OwnEntry) -> bool:
    """True if the entry has a valid token of the application's own."""
    return any(map(ours.proves, tokens_in(str(entry.raw).encode())))


def _env(entry: HostEntry, recipe: Recipe) -> Mapping[str, Any]:
    node: Any = entry.raw
    for key in (*entry.at[:-1], recipe.started.env):
        node = node.get(key) if isinstance(node, dict) else None
    return node if isinstance(node, dict) else {}


# --- wrapping --------------------------------------------------------------------------------------------


def wrap(entry: HostEntry, recipe: Recipe, ours: OwnEntry, host: str) -> list[Change]:
    """Return the changes that replace a command X by `deskbell wrap -- X`, with time to answer."""
    options = ["--name", valid_name(entry.name), "--host-name", host]
    inner = unwrapped(list(entry.words)) or entry.words  # another Deskbell may have wrapped it
    changes = _reworded(entry, [*ours.words, "wrap", *options, "--", *inner])
    env = (*entry.path, *entry.at[:-1], recipe.started.env)
    changes += [Put((*env, key), value) for key, value in ours.env.items()]
    return changes + [
        Put((*entry.path, key), value) for key, value in recipe.limit.items() if key not in entry.raw
    ]


def unwrap(entry: HostEntry, recipe: Recipe) -> list[Change]:
    """Return the changes that restore the command X."""
    inner = unwrapped(list(entry.words)) or list(entry.words)
    changes = _reworded(entry, inner)
    env = (*entry.path, *entry.at[:-1], recipe.started.env)
    return changes + [Drop((*env, key)) for key in (HOME, PROOF) if key in _env(entry, recipe)]


def unlimit(entry: HostEntry, recipe: Recipe) -> list[Change]:
    """Return the changes that remove the limit that wrapping added."""
    return [Drop((*entry.path, key)) for key, value in recipe.limit.items() if entry.raw.get(key) == value]


def _reworded(entry: HostEntry, words: Sequence[str]) -> list[Change]:
    at = (*entry.path, *entry.at)
    if not entry.args:
        return [Put(at, list(words))]
    return [Put(at, words[0]), Put((*at[:-1], entry.args), list(words[1:]))]
