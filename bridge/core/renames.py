"""A server gets another name: what becomes of the patterns that speak of its tools. Pure.

A rule must not be lost on the way, nor another server be caught by it, or let go.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from bridge.core.routes import MAX_NAME, public_name

_TOKEN = re.compile(r"\[!?+\]?+[^\]]*\]|.", re.DOTALL)  # as fnmatch reads a pattern
_WILD = re.compile(r"[*?\[]")
_MARKED = re.compile(r"[^*?\[]+_[0-9a-f]{6}")  # how a name that did not fit ends
Tokens = tuple[str, ...]


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
        tool = self._named(bare)
        if tool is not None:
            return mark + public_name(self.new, tool, (self.new, *self.others))
        if not bare.startswith(f"{self.old}_") or _is_anothers(bare, self.old, self.others):
            return pattern
        return f"{mark}{self.new}{bare.removeprefix(self.old)}"

    def keeps(self, pattern: str) -> bool:
        """Does it speak of the same tools of the server, once both have changed?"""
        before, after = self._both(pattern)
        if self._named(before) is not None:
            return True
        if self._is_marked(before):  # of a tool nobody knows: its mark will be another
            return False
        return _endings(before, self.old, self.others) == _endings(after, self.new, self.others)

    def catches(self, pattern: str) -> str:
        """Another server that it speaks of too, before or after, if it changes; "" if there is none."""
        before, after = self._both(pattern)
        if before == after or self._named(before) is not None:
            return ""
        for other in self.others:
            was = _endings(before, other, (self.old, *self.others))
            if was or _endings(after, other, (self.new, *self.others)):
                return other
        return ""

    def _both(self, pattern: str) -> tuple[str, str]:
        return _parted(pattern)[1], _parted(self.pattern(pattern))[1]

    def _named(self, bare: str) -> str | None:
        """The tool whose full name this is."""
        known = (tool for tool in self.tools if bare == public_name(self.old, tool, (self.old, *self.others)))
        return next(known, None)

    def _is_marked(self, bare: str) -> bool:
        if not _MARKED.fullmatch(bare):
            return False
        cut = len(bare) == MAX_NAME and self.old.startswith(bare[:-7])
        return cut or (bare.startswith(f"{self.old}_") and not _is_anothers(bare, self.old, self.others))


def _parted(pattern: str) -> tuple[str, str]:
    """A ! that takes tools away, and the rest."""
    return ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)


def _is_anothers(bare: str, server: str, others: Iterable[str]) -> bool:
    """With servers `a` and `a_b`, what begins with `a_b_` is the latter's."""
    plain = _WILD.split(bare, maxsplit=1)[0]
    return any(other.startswith(f"{server}_") and plain.startswith(f"{other}_") for other in others)


def _endings(bare: str, server: str, others: Iterable[str]) -> frozenset[Tokens]:
    """What the pattern wants of the names of this server's tools: its rests, of which one has to match. The
    same rests want the same of every name; where there is none, it is not about the server."""
    if _is_anothers(bare, server, others):
        return frozenset()
    rests = _open({tuple(_TOKEN.findall(bare))})
    for letter in f"{server}_":
        taking = (rest for rest in rests if rest and _takes(rest[0], letter))
        rests = _open({rest if rest[0] == "*" else rest[1:] for rest in taking})
    return frozenset(rests)


def _open(rests: set[Tokens]) -> set[Tokens]:
    """With those that begin after a *, which may stand for nothing."""
    behind = {rest[1:] for rest in rests if rest and rest[0] == "*"}
    return rests | _open(behind) if behind else rests


def _takes(part: str, letter: str) -> bool:
    return fnmatchcase(letter, part) if len(part) > 1 or part in "*?" else part == letter
