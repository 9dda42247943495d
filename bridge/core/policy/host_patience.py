"""How long each host waits for a call before it gives up: measured, learned, or set by the user. Pure.

No revision of MCP lets a host declare its time-out: it just cancels, or closes the connection without a
message.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from math import inf
from typing import NamedTuple

from bridge.core.policy.rules import HostRule

LEAST = 2.0  # seconds; a host that gives up sooner has another reason
MOST_LEARNED = 1000  # hosts; bounded, since hosts choose their names
WENT_AWAY = "the host went away"  # reason of our own HTTP transport: the connection of a request broke
_CLOCK = re.compile(r"tim(e|ed|ing)[ _-]?out|deadline|-32001", re.IGNORECASE)


class Patience(NamedTuple):
    seconds: float  # inf: it does not give up
    with_progress: float = 0.0  # seconds, if it gets progress; 0: progress does not help
    source: str = "measured"  # | "learned" | "settings" | "entry": the limit in the host's file | "unknown"
    # | "shared": the shortest of all programs by that name

    def limit(self, progress: bool) -> float:
        """Return the seconds until the host gives up."""
        return max(self.seconds, self.with_progress) if progress else self.seconds

    def hold_after(self, progress: bool) -> float:
        """Return the seconds after which the host is let go, in time for its clock."""
        limit = self.limit(progress)
        return limit - min(max(limit / 10, 1.5), 10.0)

    def is_about(self, seconds: float, progress: bool) -> bool:
        """True if a host that gave up after so many seconds did so by its clock."""
        limit = self.limit(progress)
        return abs(seconds - limit) <= max(1.0, limit / 30) if limit < inf else False


UNKNOWN = Patience(60.0, source="unknown")  # the default of the TypeScript SDK
MEASURED = {  # clientInfo.name, as a pattern
    "claude-code": Patience(inf),
    "codex-mcp-client": Patience(300.0),
    "gemini-cli-mcp-client*": Patience(600.0),
    "qwen-cli-mcp-client*": Patience(300.0, 600.0),
    "opencode": Patience(60.0, inf),
    "kilo": Patience(60.0, inf),
    "copilot-cli": Patience(180.0, inf),
    "github-copilot-developer": Patience(180.0, inf),
    "@cline/core": Patience(60.0),
    "Cline": Patience(60.0),
    "continue-cli-client": Patience(60.0),
    "continue-client": Patience(60.0),
    "kimi-code": Patience(60.0),
    "claude-ai": Patience(60.0),  # this and the next by report
    "local-agent-mode-*": Patience(60.0),
    "cursor-vscode": Patience(60.0),
    "Cursor": Patience(60.0),
    "mcp-use": Patience(inf),
    "mcp": Patience(5.0, 300.0, "shared"),  # frameworks: openai-agents, ADK; with progress pydantic-ai
}


class HostPatience:
    """`learned`: host name → seconds, from what hosts did. `unknown`: of any other host."""

    def __init__(self, learned: Mapping[str, float] | None = None, unknown: Patience = UNKNOWN) -> None:
        self.learned = dict(learned or {})
        self._unknown = unknown
        self._limits: Mapping[str, float] | None = None  # host → seconds that its entries give a call

    def set_limits(self, limits: Mapping[str, float]) -> bool:
        """Use the limits that hosts' entries give calls. Drop what was learned from a host under another
        limit; True if there was any."""
        before, self._limits = self._limits, limits
        changed = [name for name in limits if before is not None and limits[name] != before.get(name)]
        return bool([name for name in changed if self.learned.pop(name, None) is not None])

    def of(self, rule: HostRule, *names: str) -> Patience:
        """Return the patience of a host with these names, the one for the person first."""
        if rule.patience is not None:
            return Patience(rule.patience, source="settings")
        for name in names:
            if name in self.learned:
                return Patience(self.learned[name], source="learned")
        known, limits = _measured(names) or self._unknown, self._limits or {}
        limit = next((limits[name] for name in names if name in limits), 0.0)
        return known._replace(seconds=limit, source="entry") if limit else known

    def learn(self, host: str, seconds: float) -> bool:
        """Note that this host gave up after so many seconds; True if that is news."""
        if seconds < LEAST or seconds >= self.learned.get(host, inf):
            return False
        if len(self.learned) >= MOST_LEARNED:
            self.learned.clear()
        self.learned[host] = round(seconds, 1)
        return True


@lru_cache(maxsize=1000)
def _measured(names: tuple[str, ...]) -> Patience | None:
    found = (MEASURED[pattern] for name in names for pattern in MEASURED if fnmatchcase(name, pattern))
    return next(found, None)


def blames_clock(reason: str) -> bool:
    """True if the reason of a `notifications/cancelled` names a time-out."""
    return _CLOCK.search(reason) is not None
