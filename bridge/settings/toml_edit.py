"""The text of config.toml with one thing changed, and every comment kept: text in, text out, by tomlkit.

Loaded with the first edit, for most days see none. Whoever edits by this must read the result back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tomlkit
import tomlkit.items
from tomlkit.exceptions import TOMLKitError

from bridge.core.ports import ServerSpec
from bridge.settings.parser import SERVER_KEYS
from bridge.settings.toml_rules import with_rules

__all__ = [
    "TOMLKitError",
    "with_changed_server",
    "with_questions",
    "with_rules",
    "with_server",
    "with_value",
    "without_server",
]


def with_server(text: str, spec: ServerSpec) -> str:
    document = tomlkit.parse(text)
    servers = document.setdefault("servers", tomlkit.table(is_super_table=True))
    table = _table_of(spec)
    inline = isinstance(servers, tomlkit.items.InlineTable)
    servers[spec.name] = _item_of(table.unwrap()) if inline else table
    return tomlkit.dumps(document)


def without_server(text: str, name: str) -> str:
    document = tomlkit.parse(text)
    del document["servers"][name]
    return tomlkit.dumps(document)


def with_changed_server(text: str, now: ServerSpec, spec: ServerSpec) -> str:
    """Only the keys that change; one that becomes its default goes."""
    document = tomlkit.parse(text)
    table, plain = document["servers"][spec.name], ServerSpec(spec.name)
    for key in SERVER_KEYS:
        value = getattr(spec, key)
        if value == getattr(now, key):
            continue
        if value != getattr(plain, key):
            table[key] = _item_of(value)
        elif key in table:
            del table[key]
    return tomlkit.dumps(document)


def with_questions(text: str, host: str, asks: str) -> str:
    document = tomlkit.parse(text)
    hosts = document.setdefault("hosts", tomlkit.table(is_super_table=True))
    inline = isinstance(hosts, tomlkit.items.InlineTable)
    hosts.setdefault(host, tomlkit.inline_table() if inline else tomlkit.table())["questions"] = asks
    return tomlkit.dumps(document)


def with_value(text: str, table: str, key: str, value: object) -> str:
    """The table "" is the file itself."""
    document = tomlkit.parse(text)
    inside: Any = document.setdefault(table, tomlkit.table()) if table else document
    inside[key] = _item_of(value)
    return tomlkit.dumps(document)


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
