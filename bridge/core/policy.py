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

    def offers(self, tool: str) -> bool:
        """Is this tool, by its full name, for the host? Patterns that begin with ! take tools away."""
        return self.tools is None or _matches(self.tools, tool)


@lru_cache(maxsize=10_000)
def _matches(patterns: tuple[str, ...], tool: str) -> bool:
    given = [pattern for pattern in patterns if not pattern.startswith("!")]
    taken = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    kept = any(fnmatchcase(tool, pattern) for pattern in given or (taken and ["*"]))
    return kept and not any(fnmatchcase(tool, pattern) for pattern in taken)


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
        self._known: dict[str, Verdict] = {}

    def verdict(self, tool: str) -> Verdict:
        """`tool` is the full name, `{server}_{tool}`."""
        if not self.rules:
            return Verdict.ALLOW
        known = self._known.get(tool)
        if known is None:
            if len(self._known) > 10_000:  # names come from hosts: bounded
                self._known.clear()
            known = self._known[tool] = self.spoken(tool) or Verdict.ALLOW
        return known

    def spoken(self, tool: str) -> Verdict | None:
        """What a rule says of it; None if none does."""
        return next((verdict for pattern, verdict in self.rules if fnmatchcase(tool, pattern)), None)

    def host(self, name: str) -> HostRule:
        return self.hosts.get(name) or self.hosts.get("*") or ANYTHING
