"""The rules of one table of config.toml, put into another order without losing a comment.

tomlkit cannot insert at the front of a table or move a key: this works by lines. Comments above a rule move
with it. Whoever edits by this must read the result back.
"""

from __future__ import annotations

import re

import tomlkit

from bridge.core.policy.rules import Rules, Verdict
from bridge.settings.toml_positions import dotted, places

_VALUE = re.compile(r"""(=\s*)(?:"[^"]*"|'[^']*')""")


def table_of(host: str) -> tuple[str, ...]:
    """Where the rules of this host are; "": those for everyone."""
    return ("hosts", host, "policy") if host else ("policy",)


def with_rules(text: str, host: str, rules: Rules) -> str:
    """The text with these rules in that table, and no others."""
    path, lines = table_of(host), text.split("\n")
    found = list(places(text))
    header = next((place.line for place in found if (place.path, place.header) == (path, True)), 0)
    if not header:
        return _as_table(text, path, rules)
    end = next((p.line - 1 for p in found if p.header and p.line > header), len(lines))
    at = {p.path[-1]: p.line - 1 for p in found if header < p.line <= end and p.path[:-1] == path}
    body = _arranged(lines, header, end, at, rules)
    return "\n".join([*lines[:header], *body, *lines[end:]])


def _arranged(lines: list[str], start: int, end: int, at: dict[str, int], rules: Rules) -> list[str]:
    """The lines of the table: each rule with what stands above it. What stood above one that goes stays."""
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
    """No table of its own yet, or inline or dotted: it becomes one, at the end."""
    document = tomlkit.parse(text)
    node = document
    for key in path[:-1]:
        node = node.get(key, {})
    node.pop(path[-1], None)
    plain = tomlkit.dumps(document).rstrip()
    return "\n".join([plain, "", f"[{dotted(path)}]", *map(row, rules), ""]).lstrip("\n")


def row(rule: tuple[str, Verdict]) -> str:
    return f'{tomlkit.item(rule[0]).as_string()} = "{rule[1]}"'
