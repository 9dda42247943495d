"""`pattern` of a schema, checked only where the time it can take is bounded.

Pure module. It is not a regex engine: `re` does the matching, and `re` backtracks. So the number of ways
a pattern can split a text is bounded from its parse tree first; the pattern is tried on texts short enough
to keep that bound, and on none when repeats are nested. What is not tried is left to the server.
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
WORK = 27.0  # log2 of the ways tried at most: a second at the very worst


@dataclass(frozen=True, slots=True)
class Pattern:
    """`reach`: texts up to this length are checked; 0: none."""

    source: str
    reach: int

    def fits(self, text: str) -> bool:
        """False only if the text was checked and does not match."""
        return not 0 < self.reach >= len(text) or re.search(self.source, text) is not None


@lru_cache(256)
def read(source: str) -> Pattern:
    """A pattern `re` cannot read is kept, with reach 0: it may be good in the server's dialect."""
    if len(source) > LONGEST_PATTERN:
        return Pattern(source, 0)
    try:
        re.compile(source)
        tree = _parser.parse(source)
    except (re.error, RecursionError, OverflowError):
        return Pattern(source, 0)
    return Pattern(source, bisect_right(range(1, LONGEST_TEXT + 1), WORK, key=lambda n: _work(tree, n)))


def _work(tree: Any, n: int) -> float:
    anchored = bool(tree) and str(tree[0][1]) == "AT_BEGINNING"
    return _ways(tree, n) + (0.0 if anchored else log2(n))


def _ways(tree: Any, n: int) -> float:
    """log2 of an upper bound for the ways `tree` can match n characters from one place on."""
    return sum(_ways_of(str(op), args, n) for op, args in tree)


def _ways_of(op: str, args: Any, n: int) -> float:
    match op:
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            low, high, body = args
            most = min(int(high), n)
            return log2(max(most - low, 0) + 1) + most * _ways(body, n)
        case "BRANCH":
            return log2(len(args[1])) + max(_ways(arm, n) for arm in args[1])
        case "SUBPATTERN" | "ASSERT" | "ASSERT_NOT":
            return _ways(args[-1], n)
        case "ATOMIC_GROUP":
            return _ways(args, n)
        case "GROUPREF_EXISTS":
            return 1.0 + sum(_ways(arm, n) for arm in args[1:] if arm)
        case _:  # one character, a place or a group again: one way
            return 0.0
