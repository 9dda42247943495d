"""A server gets another name: what becomes of the patterns that speak of its tools. Pure.

A rule must not be lost on the way, nor another server be caught by it, or let go.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple, Self

from bridge.core.protocol.tool_names import MAX_NAME, public_name, spellings

_TOKEN = re.compile(r"\[!?+\]?+[^\]]*\]|.", re.DOTALL)  # as fnmatch reads a pattern
_WILD = re.compile(r"[*?\[]")
_MARKED = re.compile(r"[^*?\[]+_[0-9a-f]{6}")  # how a name that did not fit ends
Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rename:
    """`others`: all other servers. `tools`: its own names for its tools, as far as they are known. `alike`:
    tools of other servers, each with its server, whose full names look like those of its own."""

    old: str
    new: str
    others: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    alike: tuple[tuple[str, str], ...] = ()

    @classmethod
    def knowing(cls, old: str, new: str, others: tuple[str, ...], tools: Iterable[tuple[str, str]]) -> Self:
        """`tools`: of all servers, with those."""
        known = tuple(dict.fromkeys(tools))
        starts = (f"{old}_", f"{new}_")
        alike = (one for one in known if one[0] in others and f"{one[0]}_{one[1]}".startswith(starts))
        return cls(old, new, others, tuple(tool for server, tool in known if server == old), tuple(alike))

    def pattern(self, pattern: str) -> str:
        """The pattern as it speaks of the server from now on; one that is not about it stays as it is."""
        mark, bare = _parted(pattern)
        if (name := _known(self).get(bare)) is not None:
            return mark + name.after[0]
        if not bare.startswith(f"{self.old}_") or _is_anothers(bare, self.old, self.others):
            return pattern
        return f"{mark}{self.new}{bare.removeprefix(self.old)}"

    def keeps(self, pattern: str) -> bool:
        """Does it speak of the same tools of the server, once both have changed?"""
        before, after = self._both(pattern)
        known = _known(self)
        if before in known:
            return True
        if self._is_marked(before):  # of a tool nobody knows: its mark will be another
            return False
        if any(_matches(before, name.before) != _matches(after, name.after) for name in known.values()):
            return False  # by another of its names, that looks like another server's
        return _endings(before, self.old, self.others) == _endings(after, self.new, self.others)

    def catches(self, pattern: str) -> str:
        """Another server that it speaks of too, before or after, if anything changes there; "" if none."""
        before, after = self._both(pattern)
        for server, tool in self.alike:
            then = _names(server, tool, (self.old, *self.others))
            now = _names(server, tool, (self.new, *self.others))
            if _matches(before, then) != _matches(after, now):
                return server
        if before == after or before in _known(self):
            return ""
        for other in self.others:
            was = _endings(before, other, (self.old, *self.others))
            if was or _endings(after, other, (self.new, *self.others)):
                return other
        return ""

    def _both(self, pattern: str) -> tuple[str, str]:
        return _parted(pattern)[1], _parted(self.pattern(pattern))[1]

    def _is_marked(self, bare: str) -> bool:
        if not _MARKED.fullmatch(bare):
            return False
        cut = len(bare) == MAX_NAME and self.old.startswith(bare[:-7])
        return cut or (bare.startswith(f"{self.old}_") and not _is_anothers(bare, self.old, self.others))


class _Names(NamedTuple):
    """All that rules may call a tool, the full name first."""

    before: tuple[str, ...]
    after: tuple[str, ...]


@lru_cache(maxsize=4)
def _known(rename: Rename) -> dict[str, _Names]:
    """The server's tools by their full names until now."""
    names = [
        _Names(*(_names(server, tool, rename.others) for server in (rename.old, rename.new)))
        for tool in rename.tools
    ]
    return {name.before[0]: name for name in names}


def _names(server: str, tool: str, others: tuple[str, ...]) -> tuple[str, ...]:
    return spellings(server, tool, public_name(server, tool, (server, *others)))


def _matches(bare: str, names: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, bare) for name in names)


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
