"""One entry of an application's file: what it is to us, how ours is written there, and wrapping. Pure.

Words stay words: nothing here is joined for a shell, and a server's name goes into a command only after it
was cut down to letters, digits, - and _ (CVE-2025-62801).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bridge.hosts import import_servers
from bridge.hosts.formats.edits import Change, Drop, Path, Put
from bridge.hosts.import_names import valid_name
from bridge.hosts.import_servers import address_in, after_deskbell, found_in, is_own_address, unwrapped
from bridge.hosts.recipes import Recipe

HOME = "DESKBELL_HOME"
_BEARER = "Bearer "


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """What this Deskbell is to others. `env`: what its command needs to find its home."""

    words: tuple[str, ...]
    port: int
    token: str
    env: Mapping[str, str]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"


class EntryKind(StrEnum):
    OURS = "ours"
    WRAPPED = "wrapped"
    STARTED = "started"
    CALLED = "called"  # by its address
    OTHER = "other"  # part of the application, or nothing we understand


@dataclass(frozen=True, slots=True)
class HostEntry:
    """`words`: what is started; `at`: the keys below the entry that say so. No `args`: one list of words."""

    name: str
    kind: EntryKind
    path: Path
    words: tuple[str, ...] = ()
    at: Path = ()
    args: str = ""
    raw: Any = None


def entries(data: Mapping[str, Any], recipe: Recipe, port: int) -> list[HostEntry]:
    return [_entry(name, raw, recipe, port) for name, raw in import_servers.entries(data.get(recipe.key))]


def _entry(name: str, raw: Any, recipe: Recipe, port: int) -> HostEntry:
    path = (recipe.key, name)
    if not isinstance(raw, dict):
        return HostEntry(name, EntryKind.OTHER, path)
    address = address_in(raw)
    if address is not None:
        own = isinstance(address, str) and is_own_address(address, port)
        return HostEntry(name, EntryKind.OURS if own else EntryKind.CALLED, path, raw=raw)
    at, args = _where(raw)
    words = _words(raw, at, args)
    if not words or found_in(name, raw, port).reason.startswith("it is a part"):
        return HostEntry(name, EntryKind.OTHER, path, raw=raw)
    kind = EntryKind.STARTED
    if after_deskbell(words) is not None:
        kind = EntryKind.OURS if unwrapped(words) is None else EntryKind.WRAPPED
    return HostEntry(name, kind, path, tuple(words), at, args, raw)


def _where(raw: Mapping[str, Any]) -> tuple[Path, str]:
    """The keys of its command and of its arguments."""
    command = "command" if "command" in raw else "cmd"
    if isinstance(raw.get(command), dict):  # Zed, once
        return (command, "path"), "args"
    return (command,), "" if isinstance(raw.get(command), list) else "args"


def _words(raw: Mapping[str, Any], at: Path, args: str) -> list[str]:
    node: Any = raw
    for key in at[:-1]:
        node = node[key]
    command = node.get(at[-1])
    if isinstance(command, list):
        return [str(word) for word in command]
    rest = node.get(args) or []
    if not isinstance(command, str) or not command.strip() or not isinstance(rest, list):
        return []
    return [command, *map(str, rest)]


# --- ours ------------------------------------------------------------------------------------------------


def started(recipe: Recipe, ours: OwnEntry, name: str, host: str) -> dict[str, Any]:
    """Our entry for an application that starts its servers."""
    shape = recipe.started
    words = [*ours.words, "stdio", "--host-name", host]
    entry: dict[str, Any] = {recipe.named: name} if recipe.named else {}
    entry |= shape.fixed
    entry |= {shape.command: words[0], shape.args: words[1:]} if shape.args else {shape.command: words}
    if ours.env:
        entry[shape.env] = dict(ours.env)
    return {**entry, **shape.after}


def called(recipe: Recipe, ours: OwnEntry, name: str) -> dict[str, Any] | None:
    """Our entry by address, with the token; None if the application knows no addresses."""
    shape = recipe.called
    if shape is None:
        return None
    entry: dict[str, Any] = {recipe.named: name} if recipe.named else {}
    entry |= {**shape.fixed, shape.url: ours.address}
    value: Any = {"Authorization": _BEARER + ours.token}
    for key in reversed(shape.headers):
        value = {key: value}
    return {**entry, **value, **shape.after}


def is_current(entry: HostEntry, recipe: Recipe, ours: OwnEntry) -> bool:
    """Does it lead to this Deskbell, with the token of today?"""
    if not entry.words:
        return ours.token in str(entry.raw)
    rest = after_deskbell(list(entry.words)) or []
    head = entry.words[: len(entry.words) - len(rest)]
    return head == ours.words and all(_env(entry, recipe).get(key) == ours.env.get(key) for key in (HOME,))


def _env(entry: HostEntry, recipe: Recipe) -> Mapping[str, Any]:
    node: Any = entry.raw
    for key in (*entry.at[:-1], recipe.started.env):
        node = node.get(key) if isinstance(node, dict) else None
    return node if isinstance(node, dict) else {}


# --- wrapping --------------------------------------------------------------------------------------------


def wrap(entry: HostEntry, recipe: Recipe, ours: OwnEntry, host: str) -> list[Change]:
    """`deskbell wrap -- X` in place of X."""
    options = ["--name", valid_name(entry.name), "--host-name", host]
    changes = _reworded(entry, [*ours.words, "wrap", *options, "--", *entry.words])
    env = (*entry.path, *entry.at[:-1], recipe.started.env)
    return [*changes, *(Put((*env, key), value) for key, value in ours.env.items())]


def unwrap(entry: HostEntry, recipe: Recipe) -> list[Change]:
    """X again."""
    inner = unwrapped(list(entry.words)) or list(entry.words)
    changes = _reworded(entry, inner)
    if HOME in _env(entry, recipe):
        changes.append(Drop((*entry.path, *entry.at[:-1], recipe.started.env, HOME)))
    return changes


def _reworded(entry: HostEntry, words: Sequence[str]) -> list[Change]:
    at = (*entry.path, *entry.at)
    if not entry.args:
        return [Put(at, list(words))]
    return [Put(at, words[0]), Put((*at[:-1], entry.args), list(words[1:]))]
