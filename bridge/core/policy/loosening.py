"""Detect when changed settings allow more than before: rules that are gone, or weaker. Pure.

A settings file that is being saved is missing, empty or half there for a moment. Read at that
moment, it must not allow more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bridge.core.policy.presets import Preset
from bridge.core.policy.rules import HostRule, Rules, Verdict
from bridge.i18n import Words, say


@dataclass(frozen=True, slots=True)
class AllRules:
    """All rules of the settings: for everyone, for each host, and the presets of servers."""

    rules: Rules = ()
    hosts: Mapping[str, HostRule] = field(default_factory=dict)
    presets: Mapping[str, Preset] = field(default_factory=dict)


def loosened(old: AllRules, new: AllRules) -> list[Words]:
    """Return, in words, what `old` forbids or asks and `new` does not. Empty: nothing became weaker."""
    return list(_loosened(old, new))


def _loosened(old: AllRules, new: AllRules) -> Iterator[Words]:
    yield from _weaker(old.rules, new.rules)
    for name, before in old.hosts.items():
        after = new.hosts.get(name, HostRule())
        yield from _weaker(before.rules, after.rules, name)
        if _wider(before.servers, after.servers):
            yield say("which servers {host} may use", host=name)
        if before.tools is not None and before.tools != after.tools:
            yield say("which tools {host} may use", host=name)
    for name in new.hosts.keys() - old.hosts.keys():
        yield from _weaker((), new.hosts[name].rules, name)
    order = list(Preset)
    for server, preset in old.presets.items():
        if order.index(new.presets.get(server, Preset.ALLOW)) < order.index(preset):
            yield say("what is asked before tools of {server} are called", server=server)


def _weaker(old: Rules, new: Rules, host: str = "") -> Iterator[Words]:
    """Yield the rules that now forbid or ask less: those that are gone, those that a rule with ALLOW now
    precedes, and new rules with ALLOW, which may precede others."""
    strict = {rule for rule in old if rule[1] is not Verdict.ALLOW}
    freed = {rule for rule in new if rule[1] is Verdict.ALLOW} if old else set()
    gone = {rule for rule in strict if rule not in new or _allowed_before(rule, new, old)}
    for pattern, verdict in sorted(gone):
        yield _rule(pattern, verdict, host)
    for pattern, verdict in sorted(freed - set(old)):
        yield _rule(pattern, verdict, host)


def _allowed_before(rule: tuple[str, Verdict], new: Rules, old: Rules) -> set[tuple[str, Verdict]]:
    """Return the rules with ALLOW that precede this one in `new` and followed it in `old`."""
    later = old[old.index(rule) :]
    return {one for one in new[: new.index(rule)] if one[1] is Verdict.ALLOW and one in later}


def _wider(old: tuple[str, ...] | None, new: tuple[str, ...] | None) -> bool:
    return old is not None and (new is None or not set(new) <= set(old))


def _rule(pattern: str, verdict: Verdict, host: str) -> Words:
    rule = f"{pattern} = {verdict.value}"
    return say("{rule} of {host}", rule=rule, host=host) if host else say("{rule}", rule=rule)
