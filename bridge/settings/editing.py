"""SettingsFile: config.toml while Deskbell runs, and the copy of it that was last good.

Every edit begins with what is on disk now and is written only if it reads back as it was meant.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import tomlkit
import tomlkit.items
from tomlkit.exceptions import TOMLKitError

from bridge.core.attention import Raise
from bridge.core.policy import Asks, HostRule, Rules, Verdict
from bridge.core.ports import BUILT_IN, ServerSpec
from bridge.errors import NotFoundError, SettingsError, UsageError
from bridge.settings.reading import (
    NOTHING_KNOWN,
    PREFERENCES,
    SERVER_KEYS,
    SERVER_NAME,
    UPDATES_KEYS,
    Settings,
    bytes_of,
    decoded,
    load,
    read,
    text_of,
)
from bridge.settings.rules import with_rules
from bridge.settings.writing import write

HEADER = """\
# Deskbell's settings. Edit them here: changes apply at once, and Deskbell keeps your comments.

"""


class SettingsFile:
    """config.toml while Deskbell runs: the last good Settings, what is wrong with the file, and edits."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.last_good = path.with_name(f"{path.stem}.last-good{path.suffix}")
        self.current = Settings()
        self.problem = ""
        self._is_known = False  # was there ever a good file, or none at all?
        self._last_edit: tuple[str, str] | None = None  # the file before and after it

    def reload(self) -> bool:
        """Read the file again; True if the settings in force changed."""
        before = self.current
        try:
            raw = bytes_of(self.path)
            self.current = read(decoded(self.path, raw or b""), self.path.name, os.environ)
        except SettingsError as error:
            self.problem = f"{error} {self._fall_back()}"
        else:
            self._is_known = True
            self.problem = " ".join((*self.current.notes, *self._kept(raw)))
        return self.current != before

    def _fall_back(self) -> str:
        """Rules must not vanish with a slip of the pen: without good settings, nothing is allowed."""
        if self._is_known:
            return "The last good settings stay in force."
        try:
            if not self.last_good.exists():
                raise SettingsError(f"There is no {self.last_good.name}")
            self.current, self._is_known = load(self.last_good), True
        except SettingsError:
            self.current = NOTHING_KNOWN
            return "No good settings are known: every call is denied until this is mended."
        return f"The last good settings are in force, from {self.last_good.name}."

    def _kept(self, raw: bytes | None) -> Iterator[str]:
        """Keep a copy of a good file for a start with a broken one; why that failed, if it did."""
        try:
            if raw is not None and raw != bytes_of(self.last_good):
                write(self.last_good, raw, mode=0o600)
        except SettingsError as error:
            yield str(error)

    def add_server(self, spec: ServerSpec) -> None:
        _check_name(spec.name)

        def change(text: str, now: Settings) -> str:
            if spec.name in now.servers:
                raise UsageError(f"There is already a server named {spec.name}", "Remove it first.")
            document = tomlkit.parse(text)
            servers = document.setdefault("servers", tomlkit.table(is_super_table=True))
            table = _table_of(spec)
            inline = isinstance(servers, tomlkit.items.InlineTable)
            servers[spec.name] = _item_of(table.unwrap()) if inline else table
            return tomlkit.dumps(document)

        self._edit(change, lambda now: replace(now, servers={**now.servers, spec.name: spec}))

    def remove_server(self, name: str) -> None:
        def change(text: str, now: Settings) -> str:
            if name not in now.servers:
                raise self._unknown(name)
            document = tomlkit.parse(text)
            del document["servers"][name]
            return tomlkit.dumps(document)

        def expected(now: Settings) -> Settings:
            return replace(now, servers={key: spec for key, spec in now.servers.items() if key != name})

        self._edit(change, expected)

    def change_server(self, spec: ServerSpec) -> None:
        """The server of this name becomes this one; what is written beside its keys stays."""

        def change(text: str, now: Settings) -> str:
            if spec.name not in now.servers:
                raise self._unknown(spec.name)
            document = tomlkit.parse(text)
            _rewrite(document["servers"][spec.name], now.servers[spec.name], spec)
            return tomlkit.dumps(document)

        self._edit(change, lambda now: replace(now, servers={**now.servers, spec.name: spec}))

    def _unknown(self, name: str) -> NotFoundError:
        return NotFoundError(f"There is no server named {name}", f"See the [servers] of {self.path}.")

    def undo(self) -> None:
        """The file as it was before the last edit, to the byte. Raises UsageError if it has changed since."""
        before, after = self._last_edit or ("", "")
        if self._last_edit is None or text_of(self.path) != after:
            raise UsageError("This cannot be undone any more", f"{self.path} has changed since.")
        write(self.path, before.encode())
        self._last_edit = None
        self.reload()

    def set_vault(self, store: str) -> None:
        def change(text: str, now: Settings) -> str:
            document = tomlkit.parse(text)
            document["vault"] = store
            return tomlkit.dumps(document)

        self._edit(change, lambda now: replace(now, vault=store))

    def set_policy(self, pattern: str, verdict: str, host: str = "") -> None:
        """A rule before all others of its table, so that it wins."""
        rule = (pattern, Verdict(verdict))
        self._set_rules(host, lambda now: (rule, *(kept for kept in now if kept[0] != pattern)))

    def set_rules(self, host: str, rules: Rules, before: Rules) -> None:
        """These rules, in this order, for one host ("": for everyone), if they were as `before` until now."""

        def replaced(now: Rules) -> Rules:
            if now != before:
                raise UsageError("The rules were changed meanwhile", "Please look at them again.")
            return rules

        self._set_rules(host, replaced)

    def _set_rules(self, host: str, change: Callable[[Rules], Rules]) -> None:
        def expected(now: Settings) -> Settings:
            rules = change(rules_of(now, host))
            if not host:
                return replace(now, policy=rules)
            own = replace(now.hosts.get(host, HostRule()), rules=rules)
            return replace(now, hosts={**now.hosts, host: own})

        self._edit(lambda text, now: with_rules(text, host, change(rules_of(now, host))), expected)

    def set_questions(self, host: str, asks: str) -> None:
        """Who shows the questions that come through this host."""
        if asks not in list(Asks) or not host:
            raise UsageError(f"Questions cannot be shown by {asks!r}", "Choose auto, desktop or host.")

        def change(text: str, now: Settings) -> str:
            document = tomlkit.parse(text)
            hosts = document.setdefault("hosts", tomlkit.table(is_super_table=True))
            inline = isinstance(hosts, tomlkit.items.InlineTable)
            hosts.setdefault(host, tomlkit.inline_table() if inline else tomlkit.table())["questions"] = asks
            return tomlkit.dumps(document)

        def expected(now: Settings) -> Settings:
            rule = replace(now.hosts.get(host, HostRule()), questions=Asks(asks))
            return replace(now, hosts={**now.hosts, host: rule})

        self._edit(change, expected)

    def prefer(self, table: str, key: str, value: Any) -> None:
        """One key of PREFERENCES; the table "" is the file itself."""
        rule = PREFERENCES.get(table, {}).get(key)
        if rule is None or not rule.fits(value):
            words = f"It must be {rule.words}." if rule else "There is no such setting."
            raise UsageError(f"{f'{table}.{key}'.lstrip('.')} cannot be {value!r}", words)

        def change(text: str, now: Settings) -> str:
            document = tomlkit.parse(text)
            inside: Any = document.setdefault(table, tomlkit.table()) if table else document
            inside[key] = _item_of(value)
            return tomlkit.dumps(document)

        self._edit(change, lambda now: _preferring(now, key, value))

    def _edit(self, change: Callable[[str, Settings], str], expected: Callable[[Settings], Settings]) -> None:
        text = text_of(self.path)
        now = read(text, self.path.name, {})
        try:
            edited = change(text or HEADER, now)
            good = read(edited, self.path.name, {}) == expected(now)
        except (TOMLKitError, LookupError, SettingsError):
            good = False
        if not good:
            raise SettingsError(f"{self.path} cannot be edited by Deskbell", "Please edit it by hand.")
        write(self.path, edited.encode())
        self._last_edit = (text, edited)
        self.reload()


def _check_name(name: str) -> None:
    if SERVER_NAME.fullmatch(name) is None or name in BUILT_IN:
        hint = f"Use letters, digits, - and _, at most 64; {' and '.join(BUILT_IN)} are taken."
        raise UsageError(f"{name!r} cannot be a server's name", hint)


def _rewrite(table: Any, now: ServerSpec, spec: ServerSpec) -> None:
    """Only the keys that change; one that becomes its default goes."""
    plain = ServerSpec(spec.name)
    for key in SERVER_KEYS:
        value = getattr(spec, key)
        if value == getattr(now, key):
            continue
        if value != getattr(plain, key):
            table[key] = _item_of(value)
        elif key in table:
            del table[key]


def _preferring(now: Settings, key: str, value: Any) -> Settings:
    if key == "days":
        return replace(now, history_days=float(value))
    if key == "question_timeout":
        return replace(now, question_timeout=float(value))
    if key in UPDATES_KEYS:
        return replace(now, updates=replace(now.updates, **{key: value}))
    if key == "contents":
        return replace(now, contents_days=float(value))
    if key in ("port", "questions_per_minute", "language", "theme", "icon"):
        return replace(now, **{key: value})
    wish = {"front": Raise(value)} if key == "raise" else {key: value}
    return replace(now, wishes=replace(now.wishes, **wish))


def _table_of(spec: ServerSpec) -> tomlkit.items.Table:
    """Only what differs from the defaults."""
    plain = ServerSpec(spec.name)
    table = tomlkit.table()
    for key in SERVER_KEYS:
        value = getattr(spec, key)
        if value != getattr(plain, key):
            table.add(key, _item_of(value))
    return table


def _item_of(value: object) -> Any:
    if isinstance(value, Mapping):
        inline = tomlkit.inline_table()
        inline.update(value)
        return inline
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return list(value) if isinstance(value, tuple) else value


def rules_of(now: Settings, host: str) -> Rules:
    """The rules of one host; "": those for everyone."""
    return now.hosts.get(host, HostRule()).rules if host else now.policy
