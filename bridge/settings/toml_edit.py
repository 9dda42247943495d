"""Edit the text of config.toml and keep all comments, by tomlkit. Text in, text out.

Imported with the first edit. Callers must parse the result and compare. tomlkit cannot insert at the front
of a table, move or rename a key: rules are ordered, and servers renamed, line by line. Comments above a rule
move with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import tomlkit
import tomlkit.items
from tomlkit.exceptions import TOMLKitError as TOMLKitError

from bridge.core.policy.rules import HostRule, Rules, Verdict
from bridge.core.policy.rules_after_rename import Rename
from bridge.core.ports import ServerSpec
from bridge.settings.keys import SERVER_KEYS
from bridge.settings.parser import Settings, dotted, key_positions

_VALUE = re.compile(r"""(=\s*)(?:"[^"]*"|'[^']*')""")


def table_of(host: str) -> tuple[str, ...]:
    """Return the path of the table with this host's rules; "": everyone's."""
    return ("hosts", host, "policy") if host else ("policy",)


def with_rules(text: str, host: str, rules: Rules) -> str:
    """Replace the rules in a host's table."""
    path, lines = table_of(host), text.split("\n")
    found = list(key_positions(text))
    header = next((place.line for place in found if (place.path, place.header) == (path, True)), 0)
    if not header:
        return _as_table(text, path, rules)
    end = next((p.line - 1 for p in found if p.header and p.line > header), len(lines))
    at = {p.path[-1]: p.line - 1 for p in found if header < p.line <= end and p.path[:-1] == path}
    body = _arranged(lines, header, end, at, rules)
    return "\n".join([*lines[:header], *body, *lines[end:]])


def _arranged(lines: list[str], start: int, end: int, at: dict[str, int], rules: Rules) -> list[str]:
    """Return the table's lines: each rule with the comments above it; comments of removed rules stay."""
    wanted = dict(rules)
    chunks: dict[str, list[str]] = {}
    above: list[str] = []
    for pattern, line in sorted(at.items(), key=lambda item: item[1]):
        above += lines[start:line]
        start = line + 1
        if pattern in wanted:
            chunks[pattern] = [*above, lines[line]]
            above = []
    written = [line for rule in rules for line in _chunk(chunks.get(rule[0]), rule)]
    return [*written, *above, *lines[start:end]]


def _chunk(known: list[str] | None, rule: tuple[str, Verdict]) -> list[str]:
    if known is None:
        return [row(rule)]
    *above, line = known
    value = _VALUE.search(line)
    if value is None or value[0].strip("= \t\"'") != rule[1]:
        line = _VALUE.sub(rf'\g<1>"{rule[1]}"', line, count=1)
    return [*above, line]


def _as_table(text: str, path: tuple[str, ...], rules: Rules) -> str:
    """Append the rules as a table of their own, replacing an inline or dotted one."""
    document = tomlkit.parse(text)
    node = document
    for key in path[:-1]:
        node = node.get(key, {})
    node.pop(path[-1], None)
    plain = tomlkit.dumps(document).rstrip()
    return "\n".join([plain, "", f"[{dotted(path)}]", *map(row, rules), ""]).lstrip("\n")


def row(rule: tuple[str, Verdict]) -> str:
    return f'{tomlkit.item(rule[0]).as_string()} = "{rule[1]}"'


def with_server(text: str, spec: ServerSpec) -> str:
    document = tomlkit.parse(text)
    servers = document.setdefault("servers", tomlkit.table(is_super_table=True))
    table = tomlkit.table()
    _set_keys(table, ServerSpec(spec.name), spec)
    inline = isinstance(servers, tomlkit.items.InlineTable)
    servers[spec.name] = _item_of(table.unwrap()) if inline else table
    return tomlkit.dumps(document)


def with_model(text: str, name: str, values: Mapping[str, object]) -> str:
    """Set the keys of [models.NAME]; None removes one."""
    document = tomlkit.parse(text)
    models = document.setdefault("models", tomlkit.table(is_super_table=True))
    table = models.setdefault(name, tomlkit.table())
    for key, value in values.items():
        if value is not None:
            table[key] = _item_of(value)
        elif key in table:
            del table[key]
    return tomlkit.dumps(document)


def without_model(text: str, name: str) -> str:
    document = tomlkit.parse(text)
    del document["models"][name]
    return tomlkit.dumps(document)


def without_server(text: str, name: str) -> str:
    document = tomlkit.parse(text)
    del document["servers"][name]
    if "approvals" in document:
        document["approvals"].pop(name, None)
        if not document["approvals"]:
            del document["approvals"]
    return tomlkit.dumps(document)


def with_changed_server(text: str, now: ServerSpec, spec: ServerSpec) -> str:
    document = tomlkit.parse(text)
    _set_keys(document["servers"][spec.name], now, spec)
    return tomlkit.dumps(document)


def _set_keys(table: Any, before: ServerSpec, spec: ServerSpec) -> None:
    """Set only the keys that differ; remove one that becomes its default."""
    default = ServerSpec(spec.name)
    for key in SERVER_KEYS:
        value = getattr(spec, key)
        if value == getattr(before, key):
            continue
        if value != getattr(default, key):
            table[key] = _item_of(value)
        elif key in table:
            del table[key]


def with_questions(text: str, host: str, asks: str) -> str:
    document = tomlkit.parse(text)
    hosts = document.setdefault("hosts", tomlkit.table(is_super_table=True))
    inline = isinstance(hosts, tomlkit.items.InlineTable)
    hosts.setdefault(host, tomlkit.inline_table() if inline else tomlkit.table())["questions"] = asks
    return tomlkit.dumps(document)


def with_value(text: str, table: str, key: str, value: object) -> str:
    """Set one value; table "" means top level."""
    document = tomlkit.parse(text)
    inside: Any = document.setdefault(table, tomlkit.table()) if table else document
    inside[key] = _item_of(value)
    return tomlkit.dumps(document)


def _item_of(value: object) -> Any:
    if isinstance(value, Mapping):
        inline = tomlkit.inline_table()
        inline.update(value)
        return inline
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return list(value) if isinstance(value, tuple) else value


_PART = re.compile(r"""\"(?:[^"\\]|\\.)*"|'[^']*'|[^\s.=\]"']+""")


def renamed_text(text: str, rename: Rename) -> str:
    lines, table = text.split("\n"), 0
    for place in key_positions(text):
        start = 0 if place.header else table
        after = _path(place.path, rename)
        if after[start:] != place.path[start:]:
            at, line = place.column - 1, lines[place.line - 1]
            lines[place.line - 1] = line[:at] + _respelt(line[at:], place.path[start:], after[start:])
        if place.header:
            table = len(place.path)
    return _with_lists("\n".join(lines), rename)


def _path(path: tuple[str, ...], rename: Rename) -> tuple[str, ...]:
    match path:
        case ("servers", rename.old, *rest):
            return ("servers", rename.new, *rest)
        case ("approvals", rename.old):
            return ("approvals", rename.new)
        case ("policy", pattern):
            return ("policy", rename.pattern(pattern))
        case ("hosts", host, "policy", pattern):
            return ("hosts", host, "policy", rename.pattern(pattern))
    return path


def _respelt(line: str, before: tuple[str, ...], after: tuple[str, ...]) -> str:
    """Replace the parts of the key at the start of this line that change."""
    spans = [found.span() for found in _PART.finditer(line)][: len(before)]
    for (start, end), was, will in reversed(list(zip(spans, before, after, strict=False))):
        if was != will:
            line = line[:start] + dotted((will,)) + line[end:]
    return line


def _with_lists(text: str, rename: Rename) -> str:
    document = tomlkit.parse(text)
    changed = False
    name, sampling = partial(_name, rename), document.get("sampling", {})
    hosts, models = document.get("hosts", {}).values(), document.get("models", {}).values()
    lists: list[tuple[Any, str, Callable[[str], str]]] = [
        *((host, "tools", rename.pattern) for host in hosts),
        *((user, "servers", name) for user in (*hosts, *models)),
        (sampling, "allow", name),
        (sampling, "background", name),
    ]
    for table, key, renamed_word in lists:
        for place, word in enumerate(list(table.get(key, ()))):
            if renamed_word(word) != word:
                table[key][place] = renamed_word(word)
                changed = True
    return tomlkit.dumps(document) if changed else text


def _name(rename: Rename, server: str) -> str:
    return rename.new if server == rename.old else server


def renamed(now: Settings, rename: Rename) -> Settings:
    """Return the settings that the renamed text must parse to."""
    servers = {
        _name(rename, name): replace(spec, name=_name(rename, spec.name))
        for name, spec in now.servers.items()
    }
    hosts = {name: _host(rule, rename) for name, rule in now.hosts.items()}
    models = {name: replace(one, servers=_names(one.servers, rename)) for name, one in now.models.items()}
    sampling = replace(
        now.sampling,
        allow=_names(now.sampling.allow, rename),
        background=_names(now.sampling.background, rename),
    )
    policy = _rules(now.policy, rename)
    presets = {_name(rename, server): preset for server, preset in now.approvals.items()}
    rules = replace(now, hosts=hosts, policy=policy, approvals=presets)
    return replace(rules, servers=servers, models=models, sampling=sampling)


def _names(servers: tuple[str, ...], rename: Rename) -> tuple[str, ...]:
    return tuple(_name(rename, server) for server in servers)


def _host(rule: HostRule, rename: Rename) -> HostRule:
    servers = None if rule.servers is None else _names(rule.servers, rename)
    tools = None if rule.tools is None else tuple(rename.pattern(one) for one in rule.tools)
    return replace(rule, servers=servers, tools=tools, rules=_rules(rule.rules, rename))


def _rules(rules: Rules, rename: Rename) -> Rules:
    return tuple((rename.pattern(pattern), verdict) for pattern, verdict in rules)


def patterns(now: Settings) -> list[str]:
    """Return all tool name patterns."""
    tables = [now.policy, *(rule.rules for rule in now.hosts.values())]
    offered = [pattern for rule in now.hosts.values() for pattern in rule.tools or ()]
    return [*(pattern for rules in tables for pattern, _ in rules), *offered]
