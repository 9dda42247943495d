"""Policy: allow, confirm or deny a call, and who asks the person. A pure verdict over the settings' rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase


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


class Policy:
    """`rules`: tool name patterns, first match wins; no match allows. `hosts`: by name, "*" is everyone."""

    def __init__(
        self, rules: tuple[tuple[str, Verdict], ...] = (), hosts: Mapping[str, HostRule] | None = None
    ) -> None:
        self.rules = rules
        self.hosts = hosts or {}
        self._known: dict[str, Verdict] = {}

    def verdict(self, tool: str) -> Verdict:
        """`tool` is the full name, `{server}_{tool}`."""
        if not self.rules:
            return Verdict.ALLOW
        known = self._known.get(tool)
        if known is None:
            if len(self._known) > 10_000:  # names come from hosts: bounded
                self._known.clear()
            matches = (verdict for pattern, verdict in self.rules if fnmatchcase(tool, pattern))
            known = self._known[tool] = next(matches, Verdict.ALLOW)
        return known

    def host(self, name: str) -> HostRule:
        return self.hosts.get(name) or self.hosts.get("*") or HostRule()
