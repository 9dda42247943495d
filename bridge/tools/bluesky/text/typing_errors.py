"""Replace words of a query that no post has by the most similar words that posts have. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from bridge.tools.bluesky.text.search_query import Query, folded

_WORD = re.compile(r"\w{3,40}")
_MIN_LENGTH = 4  # letters; shorter words are similar to too many others
_LONG = 8  # letters; from here on, two errors are tolerated


def corrected(query: Query, texts: Iterable[str]) -> Query:
    """Return the query with words that stand in these folded texts."""
    known: Counter[str] = Counter()
    for text in texts:
        known.update(_WORD.findall(text))
    return replace(query, words=tuple(_nearest(word, known) for word in query.words))


def _nearest(word: str, known: Counter[str]) -> str:
    """Return the word with the fewest errors, and of those the most frequent; the word itself without one."""
    plain = folded(word)
    if plain in known or len(plain) < _MIN_LENGTH:
        return word
    allowed = 2 if len(plain) >= _LONG else 1
    letters, best, best_key = set(plain), word, (allowed + 1, 0)
    for other, frequency in known.items():
        if abs(len(other) - len(plain)) > allowed or len(letters ^ set(other)) > 2 * allowed:
            continue
        key = (errors(plain, other), -frequency)
        if key < best_key:
            best, best_key = other, key
    return best


def errors(one: str, other: str) -> int:
    """Count missing, surplus, wrong and exchanged letters (optimal string alignment distance)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, their in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != their))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == their:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]
