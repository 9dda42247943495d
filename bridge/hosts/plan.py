"""Plan a change of an application's file: the bytes before and after, and the diff. backups.py writes it."""

from __future__ import annotations

import contextlib
import difflib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bridge.core.ports import ServerSpec
from bridge.errors import DeskbellError, NotFoundError, SettingsError, UsageError
from bridge.hosts import entries, import_servers
from bridge.hosts.backups import ChangeKind, RecordedChange, UndoableChange
from bridge.hosts.entries import EntryKind, HostEntry, OwnEntry
from bridge.hosts.formats import document as config_document
from bridge.hosts.formats.document import read_file
from bridge.hosts.formats.edits import Change, Drop, Put
from bridge.hosts.import_servers import NAME, FoundServer, valid_name
from bridge.hosts.locations import HostFile
from bridge.hosts.recipe import Recipe
from bridge.i18n import explained, say
from bridge.settings.host_tokens import tokens_in
from bridge.system.masking import Mask, redact
from bridge.vault.secret_references import plain_secrets

Spelled = Mapping[str, tuple[str, str]]  # entry → its text before and after wrapping


@dataclass(frozen=True, slots=True)
class HostConfig:
    """An application's file as it is now. `connected`: "stdio", "http" or ""."""

    spot: HostFile
    raw: bytes | None = None
    connected: str = ""
    entry: str = ""
    current: bool = True  # the entry leads to this Deskbell
    proven: bool = True  # the entry has a valid token of the application's own
    servers: tuple[str, ...] = ()  # that could be wrapped
    wrapped: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()  # wrapped by another Deskbell
    addresses: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class HostFilePlan:
    """`before` None: no file yet; `after` None: the file is deleted. `spelled`: text of each wrapped entry
    before and after. `moved`: servers that go into config.toml. `fresh`: names of servers that come under
    Deskbell with this. `back`: recorded changes that are undone, newest first."""

    what: ChangeKind
    recipe: Recipe
    path: Path
    before: bytes | None
    after: bytes | None
    names: tuple[str, ...] = ()
    spelled: Spelled = field(default_factory=dict)
    moved: tuple[FoundServer, ...] = ()
    fresh: tuple[str, ...] = ()
    back: tuple[RecordedChange, ...] = ()
    private: bool = False  # contains a token: set mode 0600
    secrets: tuple[str, ...] = ()
    host: str = ""  # the application's name in config.toml
    call_limit: float = 0.0  # seconds that the application's entries give a call afterwards; 0: not known

    @property
    def nothing(self) -> bool:
        return self.before == self.after

    def diff(self) -> str:
        """Return a unified diff with secrets masked."""
        mask = Mask()
        for raw in filter(None, (self.before, self.after)):
            with contextlib.suppress(DeskbellError):  # a version that cannot be parsed
                mask.learn(_secrets(config_document.read(self.path, raw).data))
        mask.learn(self.secrets)
        name = str(self.path)
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), name, name, lineterm="")
        return "\n".join(redact(mask.mask_text(line)) for line in lines)


def _lines(raw: bytes | None) -> list[str]:
    text = (raw or b"").decode("utf-8-sig", "replace").replace("\r\n", "\n")
    *lines, last = text.split("\n")
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines


def _secrets(node: Any) -> Iterator[str]:
    """Yield the values under secret names anywhere in the data."""
    if isinstance(node, dict):
        yield from plain_secrets({str(key): value for key, value in node.items() if isinstance(value, str)})
        node = list(node.values())
    for inner in node if isinstance(node, list) else ():
        yield from _secrets(inner)


# --- looking ---------------------------------------------------------------------------------------------


def look(spot: HostFile, ours: OwnEntry) -> HostConfig:
    """Read an application's file. Never raises; an error becomes `problem`."""
    try:
        raw = read_file(spot.path)
        if raw is None:
            return HostConfig(spot)
        known = entries.entries(config_document.read(spot.path, raw).data, spot.recipe, ours)
    except DeskbellError as error:
        return HostConfig(spot, problem=explained(error))
    own = _own(known, spot.recipe, ours)
    return HostConfig(
        spot,
        raw,
        connected=("stdio" if own.words else "http") if own else "",
        entry=own.name if own else "",
        current=own is None or entries.is_current(own, spot.recipe, ours),
        proven=own is None or entries.is_proven(own, ours),
        servers=_names(known, EntryKind.STARTED),
        wrapped=_names(known, EntryKind.WRAPPED),
        stale=tuple(entry.label for entry in known if _is_stale(entry, spot.recipe, ours)),
        addresses=_names(known, EntryKind.CALLED),
    )


def _names(known: Sequence[HostEntry], kind: EntryKind) -> tuple[str, ...]:
    return tuple(entry.label for entry in known if entry.kind is kind)


def _is_stale(entry: HostEntry, recipe: Recipe, ours: OwnEntry) -> bool:
    return entry.kind is EntryKind.WRAPPED and not entries.is_current(entry, recipe, ours)


def _own(known: Sequence[HostEntry], recipe: Recipe, ours: OwnEntry) -> HostEntry | None:
    """Return our entry; of several, the one for this Deskbell."""
    own = [entry for entry in known if entry.kind is EntryKind.OURS and len(entry.path) == 2]
    current = [entry for entry in own if entries.is_current(entry, recipe, ours)]
    return next(iter((*current, *own)), None)


# --- plans -----------------------------------------------------------------------------------------------


class Planner:
    """Plans changes of one file. `host`: the application's name in config.toml. `past`: our changes that can
    be undone, newest first. `create`: the file may be created."""

    def __init__(
        self,
        spot: HostFile,
        raw: bytes | None,
        ours: OwnEntry,
        host: str,
        past: Sequence[UndoableChange],
        create: bool = False,
    ) -> None:
        self._spot, self._raw, self._ours, self._host, self._past = spot, raw, ours, host, past
        self._recipe = spot.recipe
        if self._raw is None and not (spot.installed or create):
            raise NotFoundError(
                say("{app} was not found on this computer", app=self._recipe.name),
                say("Install and start it once. To write {path} all the same, add --create.", path=spot.path),
            )
        _must_be_writable(spot.path)
        self._document = config_document.read(spot.path, self._raw or b"", self._recipe.named)
        self._known = entries.entries(self._document.data, self._recipe, ours)

    def connect(self, http: bool = False) -> HostFilePlan:
        """Plan to add our entry."""
        return self._plan(ChangeKind.CONNECT, self._edited(self._connecting(http)), (NAME,))

    def _connecting(self, http: bool) -> list[Change]:
        own = _own(self._known, self._recipe, self._ours)
        if own is None and any(entry.path == (self._recipe.key, NAME) for entry in self._known):
            hint = say("It is not this Deskbell. Rename it in {path}, then try again.", path=self._spot.path)
            title = say("{app} already has another server named {name}", app=self._recipe.name, name=NAME)
            raise UsageError(title, hint)
        self._refuse_bare_servers()
        name = own.name if own else NAME
        entry = entries.started(self._recipe, self._ours, name, self._host)
        if http:
            by_address = entries.called(self._recipe, self._ours, name)
            if by_address is None:
                raise UsageError(
                    say("{app} cannot be given an address", app=self._recipe.name),
                    say("Connect it without --http."),
                )
            entry = by_address
        if own and bool(own.words) is not http and entries.is_current(own, self._recipe, self._ours):
            if not self._ours.token or entries.is_proven(own, self._ours):
                return []  # keep the user's own changes to it
            if not http:
                at = (*own.path, *own.at[:-1], self._recipe.started.env, entries.PROOF)
                return [Put(at, self._ours.token)]
        fresh = [Put((key,), value) for key, value in self._recipe.fresh.items() if self._raw is None]
        path = (self._recipe.key, name)
        if self._recipe.listed and not self._document.data.get(self._recipe.key):
            return [*fresh, Put(path[:1], [entry])]
        return [*fresh, *([Drop(path)] if own else []), Put(path, entry)]

    def switch_on(self, known: Mapping[str, ServerSpec]) -> HostFilePlan:
        """Plan to wrap the application's servers and to add our entry, once each: a server that is among the
        `known` ones of config.toml is reached by our entry, and taken out of the file."""
        doubled = [entry for entry in self._known if self._is_known(entry, known)]
        wrapped = [entry for entry in self._wrappable() if entry not in doubled]
        changes: list[Change] = [Drop(entry.path) for entry in doubled]
        for entry in wrapped:
            changes += entries.wrap(entry, self._recipe, self._ours, self._host)
        after = self._edited([*changes, *self._connecting(http=False)])
        names = (NAME, *(entry.label for entry in wrapped))
        fresh = tuple(valid_name(entry.name) for entry in wrapped if entry.kind is EntryKind.STARTED)
        spelled = self._spelled(after, wrapped)
        return self._plan(ChangeKind.CONNECT, after, names, spelled=spelled, fresh=fresh)

    def _is_known(self, entry: HostEntry, known: Mapping[str, ServerSpec]) -> bool:
        if entry.kind not in (EntryKind.STARTED, EntryKind.WRAPPED, EntryKind.CALLED):
            return False
        found = import_servers.found_in(entry.name, entry.raw, self._ours.port)
        return any(bool(one.same) for one in import_servers.name_servers([found], known))

    def follow_port(self) -> HostFilePlan:
        """Plan to put the current port into our entries with a URL."""
        known = [entry for entry in self._known if entry.kind is EntryKind.OURS and not entry.words]
        changes = [change for entry in known for change in entries.readdress(entry, self._ours)]
        return self._plan(ChangeKind.CONNECT, self._edited(changes), (NAME,))

    def disconnect(self, spelled: Spelled | None = None) -> HostFilePlan:
        """Plan to remove our entry and all wrapping; exactly as before, if no other program changed the
        file."""
        if exact := self._back(ChangeKind.DISCONNECT, (EntryKind.OURS, EntryKind.WRAPPED)):
            return exact
        own = [entry for entry in self._known if entry.kind is EntryKind.OURS]
        document = self._unwrapped(spelled or {})
        after = config_document.edited(document, [Drop(entry.path) for entry in own])
        names = (*_names(self._known, EntryKind.OURS), *self._wrapped)
        return self._plan(ChangeKind.DISCONNECT, after if names else self._raw, names)

    def wrap(self, move: bool = False) -> HostFilePlan:
        """Plan to wrap each server with a command; `move`: move those with a URL into config.toml."""
        wanted: list[Change] = []
        wrapped = self._wrappable()
        for entry in wrapped:
            wanted += entries.wrap(entry, self._recipe, self._ours, self._host)
        moved: list[FoundServer] = []
        for entry in self._known if move else ():
            found = import_servers.found_in(entry.name, entry.raw, self._ours.port)
            if entry.kind is EntryKind.CALLED and found.spec is not None:
                wanted.append(Drop(entry.path))
                moved.append(found)
        if moved:  # these servers are reached through Deskbell from now on
            wanted += self._connecting(http=False)
        after = self._edited(wanted)
        names = tuple(entry.label for entry in wrapped)
        spelled = self._spelled(after, wrapped)
        return self._plan(ChangeKind.WRAP, after, names, spelled=spelled, moved=tuple(moved))

    def _wrappable(self) -> list[HostEntry]:
        return [entry for entry in self._known if entry.kind is EntryKind.STARTED or self._is_outdated(entry)]

    def _is_outdated(self, entry: HostEntry) -> bool:
        proven = not self._ours.token or entries.is_proven(entry, self._ours)
        return _is_stale(entry, self._recipe, self._ours) or (entry.kind is EntryKind.WRAPPED and not proven)

    def unwrap(self, spelled: Spelled | None = None) -> HostFilePlan:
        """Plan to unwrap each server. `spelled`: text of entries before and after wrapping."""
        if self._past and self._past[0].step.what is ChangeKind.WRAP:
            return self._taking_back(ChangeKind.UNWRAP, self._past[:1])
        after = self._unwrapped(spelled or {}).raw if self._wrapped else self._raw
        return self._plan(ChangeKind.UNWRAP, after, self._wrapped)

    def undo(self) -> HostFilePlan:
        """Plan to undo the last change."""
        if not self._past:
            hint = say(
                "Deskbell has not changed {path}, or another program has changed it since.",
                path=self._spot.path,
            )
            raise NotFoundError(say("Nothing can be undone in {app}", app=self._recipe.name), hint)
        return self._taking_back(ChangeKind.UNDO, self._past[:1])

    def _back(self, what: ChangeKind, unwanted: tuple[EntryKind, ...]) -> HostFilePlan | None:
        """Plan to restore the last version without entries of these kinds; None if there is none."""
        if not any(entry.kind in unwanted for entry in self._known):
            return None
        for count, past in enumerate(self._past, 1):
            data = config_document.read(self._spot.path, past.before or b"", self._recipe.named).data
            known = entries.entries(data, self._recipe, self._ours)
            if not any(entry.kind in unwanted for entry in known):
                return self._taking_back(what, self._past[:count])
        return None

    def _taking_back(self, what: ChangeKind, past: Sequence[UndoableChange]) -> HostFilePlan:
        steps = tuple(one.step for one in past)
        return self._plan(what, past[-1].before, back=steps)

    def _unwrapped(self, spelled: Spelled) -> config_document.Document:
        """Unwrap all entries; those unchanged since wrapping get their exact former text."""
        document = self._document
        for entry in (known for known in self._known if known.kind is EntryKind.WRAPPED):
            command, limit = entries.unwrap(entry, self._recipe), entries.unlimit(entry, self._recipe)
            before, after = spelled.get(entry.label, ("", ""))
            raw = None
            if before and document.raw_entry(entry.path) == after:
                tries = (  # the limit may have been there before
                    config_document.with_text(document, entry.path, before, changes)
                    for changes in ([*command, *limit], command)
                )
                raw = next((text for text in tries if text is not None), None)
            raw = config_document.edited(document, [*command, *limit]) if raw is None else raw
            document = config_document.read(self._spot.path, raw, self._recipe.named)
        return document

    @property
    def _wrapped(self) -> tuple[str, ...]:
        return _names(self._known, EntryKind.WRAPPED)

    def _refuse_bare_servers(self) -> None:
        """Raise UsageError for a file that is itself the table of servers: with our table in it, the
        application would read that one only."""
        data, key = self._document.data, self._recipe.key
        words = {self._recipe.started.command, "url"}
        if key not in data and any(isinstance(one, dict) and words & one.keys() for one in data.values()):
            hint = say("Put the servers into {key} first, then connect again.", key=f'"{key}"')
            raise UsageError(say("{path} has servers outside {key}", path=self._spot.path, key=key), hint)

    def _plan(
        self, what: ChangeKind, after: bytes | None, names: tuple[str, ...] = (), **more: Any
    ) -> HostFilePlan:
        secrets = tokens_in(self._raw) | tokens_in(after) | {self._ours.shared_token}
        private = self._ours.has_token(after) and after != self._raw
        return HostFilePlan(
            what,
            self._recipe,
            self._spot.path,
            self._raw,
            after,
            names,
            private=private,
            secrets=tuple(secrets),
            host=self._host,
            call_limit=self._call_limit(after),
            **more,
        )

    def _call_limit(self, after: bytes | None) -> float:
        if not after or not self._recipe.limit:
            return 0.0
        data = config_document.read(self._spot.path, after, self._recipe.named).data
        return entries.call_limit(data, self._recipe, self._ours)

    def _edited(self, changes: Sequence[Change]) -> bytes | None:
        return config_document.edited(self._document, changes) if changes else self._raw

    def _spelled(self, after: bytes | None, wrapped: Sequence[HostEntry]) -> Spelled:
        new = config_document.read(self._spot.path, after or b"", self._recipe.named)
        return {e.label: (self._document.raw_entry(e.path), new.raw_entry(e.path)) for e in wrapped}


def _must_be_writable(path: Path) -> None:
    if path.exists() and not os.access(path, os.W_OK):
        hint = say("Another program may manage it. Allow writing, or change it there.")
        raise SettingsError(say("{path} is write-protected", path=path), hint)
