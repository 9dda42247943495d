"""config.toml with a server under another name: its table, and everything that speaks of it, in their places.

By lines, as toml_rules.py; whoever edits by this must read the result back.
"""

from __future__ import annotations

import re
from dataclasses import replace

import tomlkit

from bridge.core.policy.rename import Rename
from bridge.core.policy.rules import HostRule, Rules
from bridge.settings.parser import Settings
from bridge.settings.toml_positions import dotted, places

_PART = re.compile(r"""\"(?:[^"\\]|\\.)*"|'[^']*'|[^\s.=\]"']+""")


def renamed_text(text: str, rename: Rename) -> str:
    lines, table = text.split("\n"), 0
    for place in places(text):
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
        case ("policy", pattern):
            return ("policy", rename.pattern(pattern))
        case ("hosts", host, "policy", pattern):
            return ("hosts", host, "policy", rename.pattern(pattern))
    return path


def _respelt(line: str, before: tuple[str, ...], after: tuple[str, ...]) -> str:
    """The parts of the key that this line begins with, where they change."""
    spans = [found.span() for found in _PART.finditer(line)][: len(before)]
    for (start, end), was, will in reversed(list(zip(spans, before, after, strict=False))):
        if was != will:
            line = line[:start] + dotted((will,)) + line[end:]
    return line


def _with_lists(text: str, rename: Rename) -> str:
    document = tomlkit.parse(text)
    changed = False
    for host in document.get("hosts", {}).values():
        for key, said in (("servers", _names), ("tools", _patterns)):
            for place, word in enumerate(list(host.get(key, ()))):
                if said(word, rename) != word:
                    host[key][place] = said(word, rename)
                    changed = True
    return tomlkit.dumps(document) if changed else text


def _names(word: str, rename: Rename) -> str:
    return rename.new if word == rename.old else word


def _patterns(word: str, rename: Rename) -> str:
    return rename.pattern(word)


def renamed(now: Settings, rename: Rename) -> Settings:
    """What the text must read as."""
    servers = {
        rename.new if name == rename.old else name: replace(spec, name=_names(spec.name, rename))
        for name, spec in now.servers.items()
    }
    hosts = {name: _host(rule, rename) for name, rule in now.hosts.items()}
    return replace(now, servers=servers, hosts=hosts, policy=_rules(now.policy, rename))


def _host(rule: HostRule, rename: Rename) -> HostRule:
    servers = None if rule.servers is None else tuple(_names(one, rename) for one in rule.servers)
    tools = None if rule.tools is None else tuple(rename.pattern(one) for one in rule.tools)
    return replace(rule, servers=servers, tools=tools, rules=_rules(rule.rules, rename))


def _rules(rules: Rules, rename: Rename) -> Rules:
    return tuple((rename.pattern(pattern), verdict) for pattern, verdict in rules)


def patterns(now: Settings) -> list[str]:
    """All that speaks of tools."""
    tables = [now.policy, *(rule.rules for rule in now.hosts.values())]
    offered = [pattern for rule in now.hosts.values() for pattern in rule.tools or ()]
    return [*(pattern for rules in tables for pattern, _ in rules), *offered]
