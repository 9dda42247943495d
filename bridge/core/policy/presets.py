"""Presets: one choice per server of what is asked before its tools are called. Pure.

A preset decides only what no rule decides (rules.py). It goes by the annotations of a tool, which are the
server's own word: a server that lies about its tools needs ASK or BLOCK.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import StrEnum

from bridge.core.policy.rules import Verdict


class Preset(StrEnum):
    ALLOW = "allow"
    DESTRUCTIVE = "ask-destructive"  # ask before what cannot be undone
    CHANGES = "ask-changes"  # ask before anything but reading
    ASK = "ask"
    BLOCK = "block"

    def verdict(self, tool: str, hints: Collection[str]) -> Verdict:
        """Return the verdict on a tool; `hints`: its annotations as in tool_pins.py."""
        if self is Preset.BLOCK:
            return Verdict.DENY
        asks = (
            self is Preset.ASK
            or (self is Preset.CHANGES and "readOnly" not in hints)
            or (self is Preset.DESTRUCTIVE and is_destructive(tool, hints))
        )
        return Verdict.CONFIRM if asks else Verdict.ALLOW


NEW_SERVER = Preset.DESTRUCTIVE  # where a server begins

# MCP takes a tool without annotations for destructive. Most servers annotate nothing, and asking before each
# of their calls would teach people to say yes; for those, the verb in the name decides.
_VERBS = frozenset(
    (
        "delete",
        "remove",
        "drop",
        "destroy",
        "erase",
        "purge",
        "wipe",
        "truncate",
        "overwrite",
        "reset",
        "revoke",
    )
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def is_destructive(tool: str, hints: Collection[str]) -> bool:
    """True unless the tool's annotations say that it changes nothing, or nothing that cannot be undone."""
    if "readOnly" in hints or "!destructive" in hints:
        return False
    if "destructive" in hints:
        return True
    return any(word.lower() in _VERBS for word in _WORD.findall(tool))
