"""A server gets another name: what becomes of the patterns that speak of its tools. Pure.

A rule must not be lost on the way, nor another server's rule be caught.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

from bridge.core.routes import public_name

_WILD = re.compile(r"[*?\[\]!]")


@dataclass(frozen=True, slots=True)
class Rename:
    """`others`: all other servers. `tools`: its own names for its tools, as far as they are known."""

    old: str
    new: str
    others: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()

    def pattern(self, pattern: str) -> str:
        """The pattern as it speaks of the server from now on; one that is not about it stays as it is."""
        mark, bare = _parted(pattern)
        for tool in self.tools:
            if bare == public_name(self.old, tool, (self.old, *self.others)):
                return f"{mark}{self.new}_{tool}"
        if not bare.startswith(f"{self.old}_") or self._is_anothers(bare):
            return pattern
        return f"{mark}{self.new}{bare.removeprefix(self.old)}"

    def keeps(self, pattern: str) -> bool:
        """Does it speak of the server under both names, or under neither, once it is renamed?"""
        bare = _parted(pattern)[1]
        if self.pattern(pattern) != pattern or self._is_anothers(bare):
            return True
        endings = {_WILD.sub("", bare[start:]) for start in range(len(bare) + 1)}
        return all(
            fnmatchcase(f"{self.old}_{end}", bare) == fnmatchcase(f"{self.new}_{end}", bare)
            for end in endings
        )

    def _is_anothers(self, bare: str) -> bool:
        """With servers `a` and `a_b`, what begins with `a_b_` is the latter's."""
        longer = (other for other in self.others if not self.old.startswith(f"{other}_"))
        return any(bare.startswith(f"{other}_") for other in longer)


def _parted(pattern: str) -> tuple[str, str]:
    """A ! that takes tools away, and the rest."""
    return ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)
