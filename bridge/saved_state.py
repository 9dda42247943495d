"""What survives a restart beside the settings: a small file for each kind.

    lists.json    the last known tools and instructions of each configured server
    memory.json   how servers introduced themselves and what they listed, so that no host waits for a start
    pins.json     the definitions of tools that were allowed by name, so that a change is noticed
    allowed.json  the rules that "Allow always" made, and those they replaced, for its Undo
    seen.json     when AI applications were connected last
    failures.json why servers did not work when they were started last
    refusals.json the AI applications that refused a question unseen, which are not asked again
    patience.json how long hosts wait for a call, as learned from what they did
    usage.json    how many requests and tokens servers have used of the models
    met           digests of servers whose questions were answered before; a new server is marked

No settings and no secrets. A file that cannot be read or written is logged and ignored. Only a damaged
pins.json becomes a problem in Status: every tool is then trusted as it is now.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from bridge.core import commands as do
from bridge.core.policy.host_patience import HostPatience
from bridge.core.policy.rules import Policy, Verdict
from bridge.core.policy.rules_after_rename import Rename
from bridge.core.ports import ServerSpec
from bridge.core.routing.connections.connection_limits import MOST_IN_ALL
from bridge.core.routing.router import Router
from bridge.core.routing.server_memory import Memory
from bridge.core.sampling.budget import Usage
from bridge.errors import SettingsError
from bridge.i18n import StoredText, restored, say, stored
from bridge.settings import Home
from bridge.system.atomic_file import write

log = logging.getLogger(__name__)
LARGEST = 1_000_000  # bytes of one list
SAVE_AFTER = 1.0  # seconds
Lists = dict[tuple[str, str], bytes]  # server, method → its list
Pins = dict[tuple[str, str], bytes]  # server, the server's own name of the tool → definition
T = TypeVar("T")
K = TypeVar("K")


class SavedState:
    """Load the saved state into a Router, and save what the Router's commands change.

    `servers`: as they are configured now. `on_change`: called when a tool was pinned or lists have changed.
    `has_secret`: whether a text contains a known secret; what a server sent with one in it is not saved.
    """

    def __init__(
        self, home: Home, servers: Callable[[], Mapping[str, ServerSpec]], on_change: Callable[[], None]
    ) -> None:
        self.has_secret: Callable[[bytes], bool] = lambda text: False
        self._home = home
        self._servers = servers
        self._on_change = on_change
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(
            1, "deskbell-state"
        )  # one: two must not write the same file at once
        self._save: asyncio.TimerHandle | None = None
        self._usage: asyncio.TimerHandle | None = None
        self._router: Router
        self.allowed = load_allowed(home.allowed)
        self.seen: dict[str, float] = _load(home.seen, dict[str, float], {})
        self.problem = ""
        self.commands: Mapping[type, Callable[[Any], None]] = {
            do.SavePins: self._pin,
            do.SaveList: self._remember,
            do.SaveMemory: self._remember,
            do.SavePatience: self._save_patience,
            do.SaveAnswered: self._meet,
            do.SaveRefusals: self._save_refusals,
            do.SaveFailures: self._save_failures,
            do.SaveUsage: self._use,
        }

    def router(self, key: bytes, has_desk: bool = True, most_connections: int = MOST_IN_ALL) -> Router:
        """Make a Router that knows the saved state. `has_desk`: a person can be asked here."""
        pins, self.problem = load_pins(self._home.pins)
        self._router = Router(
            {},
            Policy(),
            key,
            remembered=load_lists(self._home.lists, self._servers()),
            memory=load_memory(self._home.memory),
            met=load_answered(self._home.met),
            pinned=pins,
            refused=load_refusals(self._home.refusals),
            has_desk=has_desk,
            patience=HostPatience(_load(self._home.patience, dict[str, float], {})),
            most_connections=most_connections,
        )
        self._router.runner.sampling.load_usage(_load(self._home.usage, dict[str, Usage], {}))
        self._router.connections.failures.update(load_failures(self._home.failures, self._servers()))
        return self._router

    def keep_allowed(self, rules: Iterable[AllowedRule]) -> None:
        self._thread.submit(save_allowed, self._home.allowed, rules)

    def keep_seen(self, seen: dict[str, float]) -> None:
        self._thread.submit(_save, self._home.seen, seen)

    def close(self) -> None:
        """Return when everything is saved."""
        if self._save is not None:
            self._save.cancel()
            self._save_lists()
        if self._usage is not None:
            self._usage.cancel()
            self._save_usage()
        self._thread.shutdown()

    def _remember(self, command: do.SaveList | do.SaveMemory) -> None:
        """Save lists that arrive together once, after the host has its reply."""
        if self._save is None:
            self._save = self._loop.call_later(SAVE_AFTER, self._lists_changed)

    def _lists_changed(self) -> None:
        self._save_lists()
        self._on_change()  # windows count the tools of each server

    def _save_lists(self) -> None:
        self._save = None
        lists = dict(self._router.state.remembered)
        memory = {key: dict(known) for key, known in self._router.state.memory.entries.items()}
        self._thread.submit(self._write_lists, self._servers(), lists, memory)

    def _write_lists(
        self, servers: Mapping[str, ServerSpec], lists: dict[tuple[str, str], bytes], memory: Memory
    ) -> None:
        save_lists(self._home.lists, servers, self._without_secrets(lists))
        save_memory(self._home.memory, {key: self._without_secrets(known) for key, known in memory.items()})

    def _without_secrets(self, texts: Mapping[K, bytes]) -> dict[K, bytes]:
        return {key: text for key, text in texts.items() if not self.has_secret(text)}

    def _save_patience(self, command: do.SavePatience) -> None:
        self._thread.submit(_save, self._home.patience, dict(self._router.patience.learned))

    def _pin(self, command: do.SavePins) -> None:
        self._thread.submit(save_pins, self._home.pins, dict(self._router.state.pins.pinned))
        self._on_change()

    def _save_refusals(self, command: do.SaveRefusals) -> None:
        refused = dict(self._router.state.unshown.refused)
        self._thread.submit(save_refusals, self._home.refusals, refused)
        self._on_change()

    def _save_failures(self, command: do.SaveFailures) -> None:
        failures = dict(self._router.connections.failures)
        self._thread.submit(save_failures, self._home.failures, self._servers(), failures)
        self._on_change()

    def _use(self, command: do.SaveUsage) -> None:
        """Save what models were used for soon: the server's answer comes first."""
        if self._usage is None:
            self._usage = self._loop.call_later(SAVE_AFTER, self._save_usage)

    def _save_usage(self) -> None:
        self._usage = None
        self._thread.submit(_save, self._home.usage, dict(self._router.runner.sampling.budget.usage))
        self._on_change()

    def _meet(self, command: do.SaveAnswered) -> None:
        self._thread.submit(add_answered, self._home.met, command.identity)


# --- lists.json -------------------------------------------------------------------------------------------


class _ServerLists(msgspec.Struct):
    of: str  # ServerSpec.identity: lists of another server by the same name are of no use
    lists: dict[str, msgspec.Raw]


class _ListsFile(msgspec.Struct):
    servers: dict[str, _ServerLists] = {}


def load_lists(path: Path, servers: Mapping[str, ServerSpec]) -> Lists:
    """Return the lists of these servers, if they are still configured as they were."""
    file = _load(path, _ListsFile, _ListsFile())
    return {
        (name, method): bytes(items)
        for name, kept in file.servers.items()
        if name in servers and kept.of == servers[name].identity
        for method, items in kept.lists.items()
    }


def save_lists(path: Path, servers: Mapping[str, ServerSpec], lists: Lists) -> None:
    kept: dict[str, _ServerLists] = {}
    for (name, method), items in lists.items():
        if name in servers and len(items) <= LARGEST:
            server = kept.setdefault(name, _ServerLists(servers[name].identity, {}))
            server.lists[method] = msgspec.Raw(items)
    _save(path, _ListsFile(kept))


# --- memory.json ------------------------------------------------------------------------------------------


def load_memory(path: Path) -> Memory:
    """Return what servers sent, by identity and by what they were told of their hosts."""
    file = _load(path, list[tuple[str, str, dict[str, msgspec.Raw]]], [])
    return {
        (identity, digest): {method: bytes(data) for method, data in known.items()}
        for identity, digest, known in file
    }


def save_memory(path: Path, memory: Memory) -> None:
    entries = [
        (*key, {method: msgspec.Raw(data) for method, data in known.items()}) for key, known in memory.items()
    ]
    _save(path, entries)


# --- pins.json --------------------------------------------------------------------------------------------


class _PinsFile(msgspec.Struct):
    servers: dict[str, dict[str, str]] = {}


def load_pins(path: Path) -> tuple[Pins, str]:
    """Return the pinned definitions, and what is wrong with the file. A damaged file is moved aside."""
    try:
        servers = msgspec.json.decode(path.read_bytes(), type=_PinsFile).servers
    except FileNotFoundError:
        return {}, ""
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        with contextlib.suppress(OSError):
            os.replace(path, f"{path}.broken")
        return {}, say(
            "{file} cannot be read ({why}). Changes of allowed tools are noticed from now on only.",
            file=path.name,
            why=str(error),
        )
    pins = {
        (server, tool): text.encode() for server, tools in servers.items() for tool, text in tools.items()
    }
    return pins, ""


def save_pins(path: Path, pins: Mapping[tuple[str, str], bytes]) -> None:
    servers: dict[str, dict[str, str]] = {}
    for (server, tool), definition in pins.items():
        servers.setdefault(server, {})[tool] = definition.decode("utf-8", "replace")
    _save(path, _PinsFile(servers))


# --- allowed.json -----------------------------------------------------------------------------------------


class AllowedRule(msgspec.Struct, frozen=True):
    """A rule that "Allow always" made."""

    tool: str  # its public name
    table: str  # the host whose rules have it; "": those for everyone
    by: str  # the application that wanted to call it
    at: float  # seconds since the epoch
    before: tuple[tuple[str, Verdict], ...]  # the rules of that table until then

    def renamed(self, rename: Rename) -> AllowedRule:
        before = tuple((rename.pattern(pattern), verdict) for pattern, verdict in self.before)
        return msgspec.structs.replace(self, tool=rename.pattern(self.tool), before=before)

    @property
    def rule(self) -> tuple[str, Verdict]:
        return (self.tool, Verdict.ALLOW)


def load_allowed(path: Path) -> list[AllowedRule]:
    """Return the rules, oldest first."""
    return _load(path, list[AllowedRule], [])


def save_allowed(path: Path, rules: Iterable[AllowedRule]) -> None:
    _save(path, list(rules))


# --- refusals.json ----------------------------------------------------------------------------------------


def load_refusals(path: Path) -> dict[str, float]:
    """Return the hosts that refused a Question unseen, each with the Unix time."""
    return _load(path, dict[str, float], {})


def save_refusals(path: Path, refused: Mapping[str, float]) -> None:
    _save(path, refused)


# --- failures.json ----------------------------------------------------------------------------------------


class _ServerFailure(msgspec.Struct, frozen=True):
    of: str  # ServerSpec.identity: an edited server has not failed yet
    why: str | StoredText


def load_failures(path: Path, servers: Mapping[str, ServerSpec]) -> dict[str, str]:
    """Return why servers failed last, of those that are still configured as they were."""
    failures = _load(path, dict[str, _ServerFailure], {})
    known = {name: spec.identity for name, spec in servers.items()}
    return {name: restored(one.why) for name, one in failures.items() if known.get(name) == one.of}


def save_failures(path: Path, servers: Mapping[str, ServerSpec], failures: Mapping[str, str]) -> None:
    known = {name: servers[name].identity for name in failures if name in servers}
    _save(path, {name: _ServerFailure(of, stored(failures[name])) for name, of in known.items()})


# --- servers that were answered before ------------------------------------------------------------------


def load_answered(path: Path) -> set[str]:
    """Return ServerSpec.identity of every server whose question was answered."""
    try:
        return set(path.read_text("ascii").split())
    except FileNotFoundError:
        return set()
    except (OSError, UnicodeDecodeError) as error:
        log.warning("%s cannot be read: %s", path, error)
        return set()


def add_answered(path: Path, identity: str) -> None:
    try:
        with path.open("a", encoding="ascii") as file:
            file.write(f"{identity}\n")
    except OSError as error:
        log.warning("%s cannot be written: %s", path, error)


# ----------------------------------------------------------------------------------------------------------


def _load(path: Path, kind: type[T], otherwise: T) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return otherwise
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        log.warning("%s cannot be read: %s", path, error)
        return otherwise


def _save(path: Path, contents: object) -> None:
    try:
        write(path, msgspec.json.encode(contents))
    except SettingsError as error:
        log.warning("%s", error)
