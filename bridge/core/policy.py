"""Policy: allow, confirm or deny a call, and who asks the person. A pure verdict over the settings' rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import lru_cache

# They show what they are about to do, and ask themselves, unless a rule allows them: nobody is asked twice.
PREVIEWED = ("bluesky_post", "bluesky_react", "bluesky_follow")


class Verdict(StrEnum):
    ALLOW = "allow"
    CONFIRM = "confirm"
    DENY = "deny"


ALLOW = Verdict.ALLOW


class Asks(StrEnum):
    """Who shows a server's Questions."""

    AUTO = "auto"  # the host if it can, else we
    DESKTOP = "desktop"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class HostRule:
    questions: Asks = Asks.AUTO
    servers: tuple[str, ...] | None = None  # None: all
    tools: tuple[str, ...] | None = None  # patterns; None: all

    def offers(self, *names: str) -> bool:
        """Is this tool for the host, by its full name, the first? Patterns that begin with ! take tools away,
        by any name it has."""
        return self.tools is None or _matches(self.tools, names)


@lru_cache(maxsize=10_000)
def _matches(patterns: tuple[str, ...], names: tuple[str, ...]) -> bool:
    given = [pattern for pattern in patterns if not pattern.startswith("!")]
    taken = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    kept = any(fnmatchcase(names[0], pattern) for pattern in given or (taken and ["*"]))
    return kept and not any(fnmatchcase(name, pattern) for pattern in taken for name in names)


ANYTHING = HostRule()


class Policy:
    """`rules`: tool name patterns, first match wins; no match allows. `hosts`: by name, "*" is everyone.
    `reason`: why calls are denied, where it is not by a rule that somebody wrote."""

    def __init__(
        self,
        rules: tuple[tuple[str, Verdict], ...] = (),
        hosts: Mapping[str, HostRule] | None = None,
        reason: str = "",
    ) -> None:
        self.rules = rules
        self.hosts = hosts or {}
        self.reason = reason
        self._known: dict[tuple[str, ...], Verdict] = {}

    def verdict(self, *names: str) -> Verdict:
        """`names`: the full name, `{server}_{tool}`, then others that rules may have for it."""
        if not self.rules:
            return ALLOW
        known = self._known.get(names)
        if known is None:
            if len(self._known) > 10_000:  # names come from hosts: bounded
                self._known.clear()
            known = self._known[names] = self.spoken(*names) or Verdict.ALLOW
        return known

    def spoken(self, *names: str) -> Verdict | None:
        """What a rule says of it, the strictest word for any of its names; None if none does.

        A rule for exactly the full name that comes before all others that match is the last word.
        """
        found = [first for name in names if (first := self._first(name)) is not None]
        if not found:
            return None
        pattern, verdict = self.rules[min(found)]
        if pattern == names[0]:
            return verdict
        return max((self.rules[each][1] for each in found), key=[*Verdict].index)

    def _first(self, name: str) -> int | None:
        matching = (at for at, (pattern, _) in enumerate(self.rules) if fnmatchcase(name, pattern))
        return next(matching, None)

    def host(self, name: str) -> HostRule:
        return self.hosts.get(name) or self.hosts.get("*") or ANYTHING
