"""Match `pattern` of a schema in bounded time. Pure.

`re` backtracks, so a hostile pattern could run for ever. From the pattern's parse tree an upper bound of the
steps is computed for each length of text; the pattern is matched only with texts that stay below WORK steps,
and all texts of one form share them. The server checks what is not matched here.

The parse tree comes from `re._parser`, which is private: `regex` with a timeout would make the verdict
depend on the speed of the machine, and it accepts another dialect. tests/core/forms/test_patterns.py fails
if CPython changes the tree.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from re import _parser  # type: ignore[attr-defined] # see above
from typing import Any

LONGEST_PATTERN = 2_000
LONGEST_TEXT = 10_000
WORK = 25.0  # log2 of the steps for all texts together: half a second at worst
_LETTERS = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN"})


@dataclass(frozen=True, slots=True)
class Pattern:
    """`longest_text`: longer texts are not matched; 0: none is. `texts`: how many share the steps."""

    source: str
    longest_text: int
    texts: int = 1

    def matches(self, text: str) -> bool:
        """False if the text was matched and does not fit; True also if it was not matched."""
        return not 0 < self.longest_text >= len(text) or re.search(self.source, text) is not None

    def shared_by(self, texts: int) -> Pattern:
        """Return the pattern for `texts` times as many texts."""
        return read(self.source, self.texts * max(texts, 1))


@lru_cache(256)
def read(source: str, texts: int = 1) -> Pattern:
    """Return a pattern with its bound; 0 if `re` cannot parse it, which the server's dialect may."""
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
    """Return how often a body can repeat in n characters; an empty match counts once more."""
    return max(int(low), min(int(high), n + 1))


def _ways(tree: Any, n: int) -> float:
    """Return log2 of an upper bound of the ways `tree` can match at one position of n characters."""
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
        case _:  # a character, a position or a group reference: one way
            return sum(_ways(part, n) for part in _parts(op, args))


def _steps(tree: Any, n: int) -> int:
    """Return an upper bound of the steps of one way."""
    return sum(_steps_of(str(op), args, n) for op, args in tree)


def _steps_of(op: str, args: Any, n: int) -> int:
    match op:
        case "AT":
            return 0
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            low, high, body = args
            if len(body) == 1 and str(body[0][0]) in _LETTERS:  # `re` matches a run of characters in one step
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
