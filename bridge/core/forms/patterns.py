"""`pattern` of a schema, checked only where the time it can take is bounded.

Pure module. It is not a regex engine: `re` does the matching, and `re` backtracks. So the number of ways
a pattern can split a text, and the length of each, are bounded from its parse tree first; the pattern is
tried on texts short enough to keep that bound, and on none when repeats are nested. All texts that one form
has tried share the time. What is not tried is left to the server.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from re import _parser  # type: ignore[attr-defined] # the only parser of re's own dialect
from typing import Any

LONGEST_PATTERN = 2_000
LONGEST_TEXT = 10_000
WORK = 25.0  # log2 of the steps taken at most, for all texts together: half a second at the very worst
_LETTERS = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN"})


@dataclass(frozen=True, slots=True)
class Pattern:
    """`reach`: texts up to this length are checked; 0: none. `texts`: how many share the time."""

    source: str
    longest_text: int
    texts: int = 1

    def matches(self, text: str) -> bool:
        """False only if the text was checked and does not match."""
        return not 0 < self.longest_text >= len(text) or re.search(self.source, text) is not None

    def shared_by(self, texts: int) -> Pattern:
        """The same, where so many times as many texts are checked."""
        return read(self.source, self.texts * max(texts, 1))


@lru_cache(256)
def read(source: str, texts: int = 1) -> Pattern:
    """A pattern `re` cannot read is kept, with reach 0: it may be good in the server's dialect."""
    if len(source) > LONGEST_PATTERN:
        return Pattern(source, 0, texts)
    try:
        re.compile(source)
        tree = _parser.parse(source)
    except (re.error, RecursionError, OverflowError):
        return Pattern(source, 0, texts)
    most = WORK - log2(texts)
    reach = bisect_right(range(1, LONGEST_TEXT + 1), most, key=lambda n: _work(tree, n))
    return Pattern(source, reach, texts)


def _work(tree: Any, n: int) -> float:
    lines = tree.state.flags & re.MULTILINE
    anchored = bool(tree) and str(tree[0][1]) == "AT_BEGINNING" and not lines
    return _ways(tree, n) + log2(1 + _steps(tree, n)) + (0.0 if anchored else log2(n))


def _most(low: Any, high: Any, n: int) -> int:
    """How often a body is repeated: one that matches nothing as often as it must, and once more."""
    return max(int(low), min(int(high), n + 1))


def _ways(tree: Any, n: int) -> float:
    """log2 of an upper bound for the ways `tree` can match n characters from one place on."""
    return sum(_ways_of(str(op), args, n) for op, args in tree)


def _ways_of(op: str, args: Any, n: int) -> float:
    match op:
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            low, high, body = args
            most = _most(low, high, n)
            return log2(most - int(low) + 1) + most * _ways(body, n)
        case "BRANCH":
            return log2(len(args[1])) + max(_ways(arm, n) for arm in args[1])
        case "GROUPREF_EXISTS":
            return 1.0 + sum(_ways(arm, n) for arm in _parts(op, args))
        case _:  # one character, a place or a group again: one way
            return sum(_ways(part, n) for part in _parts(op, args))


def _steps(tree: Any, n: int) -> int:
    """An upper bound for the length of one such way."""
    return sum(_steps_of(str(op), args, n) for op, args in tree)


def _steps_of(op: str, args: Any, n: int) -> int:
    match op:
        case "AT":
            return 0
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            low, high, body = args
            if len(body) == 1 and str(body[0][0]) in _LETTERS:  # `re` runs over them at once
                return 1 + min(int(low), n)
            return _most(low, high, n) * (1 + _steps(body, n))
        case "GROUPREF":
            return n
        case _:
            return 1 + sum(_steps(part, n) for part in _parts(op, args))


def _parts(op: str, args: Any) -> list[Any]:
    match op:
        case "BRANCH":
            return list(args[1])
        case "SUBPATTERN" | "ASSERT" | "ASSERT_NOT":
            return [args[-1]]
        case "ATOMIC_GROUP":
            return [args]
        case "GROUPREF_EXISTS":
            return [arm for arm in args[1:] if arm]
        case _:
            return []
