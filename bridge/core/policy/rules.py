"""Policy: allow, confirm or deny a call, and who shows questions, by the rules in the settings. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bridge.core.policy.presets import Preset


class Verdict(StrEnum):
    ALLOW = "allow"
    CONFIRM = "confirm"
    DENY = "deny"


ALLOW = Verdict.ALLOW


class QuestionPlace(StrEnum):
    """Who shows a server's Questions."""

    AUTO = "auto"  # the host if it can, else Deskbell
    DESKTOP = "desktop"
    HOST = "host"


Rules = tuple[tuple[str, Verdict], ...]  # tool name patterns, first match wins
EVERYONE = "*"  # the name that stands for all hosts


@dataclass(frozen=True, slots=True)
class HostRule:
    questions: QuestionPlace = QuestionPlace.AUTO
    servers: tuple[str, ...] | None = None  # None: all
    tools: tuple[str, ...] | None = None  # patterns; None: all
    rules: Rules = ()  # take precedence over those for everyone
    patience: float | None = None  # seconds until the host gives up a call; inf: never; None: as known
    only_rules: bool = False  # the table has rules only: other settings come from the next best match

    def offers_server(self, name: str) -> bool:
        return self.servers is None or name in self.servers

    def offers(self, *names: str) -> bool:
        """True if the host may use this tool; `names[0]` is its full name. Patterns that begin with ! exclude
        tools by any of their names."""
        return self.tools is None or _matches(self.tools, names)


@lru_cache(maxsize=10_000)
def _matches(patterns: tuple[str, ...], names: tuple[str, ...]) -> bool:
    included = [pattern for pattern in patterns if not pattern.startswith("!")]
    excluded = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    matches = any(fnmatchcase(names[0], pattern) for pattern in included or (excluded and ["*"]))
    return matches and not any(
        fnmatchcase(_folded(name), _folded(pattern)) for pattern in excluded for name in names
    )


ANYTHING = HostRule()


class PolicyDecision(NamedTuple):
    """A verdict and where it comes from."""

    verdict: Verdict
    by_rule: bool = False  # a rule matches; else the default
    table: str = ""  # the host whose rule matches first; "": everyone's


_UNSPOKEN = PolicyDecision(ALLOW)


class Policy:
    """`rules`: tool name patterns, first match wins; no match allows. `hosts`: by name or glob; a host's own
    rules come before those of "*", and those before `rules`. `reason`: why all calls are denied, if not by a
    rule. `proven`: names of hosts that have a token. `presets`: by server, for what no rule decides."""

    def __init__(
        self,
        rules: Rules = (),
        hosts: Mapping[str, HostRule] | None = None,
        reason: str = "",
        proven: Collection[str] = (),
        presets: Mapping[str, Preset] | None = None,
    ) -> None:
        self.rules = rules
        self.hosts = hosts or {}
        self.reason = reason
        self.has_rules = bool(rules) or any(one.rules for one in self.hosts.values())
        self.proven = proven
        self.presets = presets or {}
        self._reserved = {table_for(name, self.hosts) for name in proven} - {"", EVERYONE}
        self._known: dict[tuple[str, ...], PolicyDecision] = {}

    def verdict(self, *names: str, host: str = "") -> Verdict:
        return self.ruling(*names, host=host).verdict

    def ruling(self, *names: str, host: str = "") -> PolicyDecision:
        """Return the verdict and its source. `names`: `{server}_{tool}`, then other spellings."""
        if not self.has_rules:
            return _UNSPOKEN
        key = (host, *names)
        known = self._known.get(key)
        if known is None:
            if len(self._known) > 10_000:  # bounded, since hosts choose names
                self._known.clear()
            known = self._known[key] = self._rule(host, names) or _UNSPOKEN
        return known

    def matching_verdict(self, *names: str, host: str = "") -> Verdict | None:
        """Return the verdict of a matching rule; None if none matches."""
        found = self._rule(host, names)
        return found.verdict if found else None

    def agent_verdict(self, names: Sequence[str], host: str) -> Verdict | None:
        """Return the verdict of the first rule that matches what an agent wants to do; None if none does.

        `names`: the most exact first. Only the first and the last can be allowed."""
        allowable = (names[0], names[-1])
        for _, pattern, verdict in self._rules(host):
            if any(_applies(pattern, verdict, name) for name in (allowable if verdict is ALLOW else names)):
                return verdict
        return None

    def restricted_to(self, prefix: str) -> Policy:
        """Return a Policy of the rules whose pattern begins with `prefix`."""

        def of(rules: Rules) -> Rules:
            return tuple(rule for rule in rules if rule[0].startswith(prefix))

        hosts = {name: HostRule(rules=of(one.rules)) for name, one in self.hosts.items()}
        return Policy(of(self.rules), hosts)

    def _rule(self, host: str, names: tuple[str, ...]) -> PolicyDecision | None:
        """Return the strictest verdict for any of the names; but if the first rule that matches is exactly
        the full name, its verdict."""
        rules = self._rules(host)
        found = [first for name in names if (first := _first(rules, name)) is not None]
        if not found:
            return None
        table, pattern, verdict = rules[min(found)]
        if pattern != names[0]:
            strictest = max(found, key=lambda at: ([*Verdict].index(rules[at][2]), -at))
            verdict = rules[strictest][2]
        return PolicyDecision(verdict, True, table)

    def _rules(self, host: str) -> list[tuple[str, str, Verdict]]:
        """Return the rules for this host in order, each with its table."""
        tables = [
            name for name in dict.fromkeys((table_for(host, self.hosts), EVERYONE)) if name in self.hosts
        ]
        own = [(name, *rule) for name in tables for rule in self.hosts[name].rules]
        return own + [("", *rule) for rule in self.rules]

    def allows(self, names: tuple[str, ...]) -> bool:
        """True if any rule of any host allows the tool."""
        tables = [self.rules, *(one.rules for one in self.hosts.values())]
        patterns = [pattern for rules in tables for pattern, verdict in rules if verdict is ALLOW]
        return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)

    def host(self, name: str) -> HostRule:
        """Return the settings of a host; its rules may be in a table of their own."""
        settings = [pattern for pattern, rule in self.hosts.items() if not rule.only_rules]
        return self.hosts.get(table_for(name, settings), ANYTHING)

    def own_table(self, host: str) -> str:
        """Return the table for rules of this host: the table that matches it already, else its own name."""
        table = table_for(host, self.hosts)
        return host if table in ("", EVERYONE) else table

    def unproven_name(self, claimed: str) -> str:
        """Return the name of a host without a token. A claim to the name or the settings of a host that has
        one is not believed."""
        taken = claimed in self.proven or (
            self._reserved and table_for(claimed, self.hosts) in self._reserved
        )
        return f"unknown ({claimed})" if taken else claimed


def table_for(host: str, patterns: Collection[str]) -> str:
    """Return the pattern whose settings apply to this host: its name, else the longest that matches; "" if
    none does."""
    matching = [pattern for pattern in patterns if fnmatchcase(host, pattern)]
    return host if host in patterns else max(matching, key=len, default="")


@lru_cache(maxsize=10_000)
def _folded(text: str) -> str:
    """Return a name as a lenient server may read it: without case, width, spaces and invisible characters."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in plain if unicodedata.category(letter)[0] not in "CZ")


def _first(rules: list[tuple[str, str, Verdict]], name: str) -> int | None:
    """Return the index of the first rule that matches."""
    matching = (at for at, (_, pattern, verdict) in enumerate(rules) if _applies(pattern, verdict, name))
    return next(matching, None)


def _applies(pattern: str, verdict: Verdict, name: str) -> bool:
    """True if a rule matches. `confirm` and `deny` also match a name that a server might take for one they
    name."""
    return fnmatchcase(name, pattern) or (
        verdict is not ALLOW and fnmatchcase(_folded(name), _folded(pattern))
    )
