"""Parse a search query, and rank texts by it. Pure.

A query has words, "phrases in quotes", /regular expressions/ and filters such as has:image. A whole word
ranks highest, then the start of a word, its end, its inside. Phrases are required. Texts are compared in NFKC
and without case.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from bridge.tools.base import BadArguments
from bridge.tools.bluesky.text import search_filters

HAS = ("media", "image", "video", "link", "quote", "reply", "mention", "tag")
_PART = re.compile(r'(?<!\S)/((?:[^/\\]|\\.)+)/(?!\S)|(\w+):("[^"]*"|\S+)|"([^"]*)"?|(\S+)')
_FILTERS = ("from", "to", "mentions", "before", "after", "date")
_ALIASES = {
    "images": "image",
    "photo": "image",
    "picture": "image",
    "videos": "video",
    "links": "link",
    "url": "link",
}
_SYNONYMS = {"since": "after", "until": "before", "mention": "mentions", "during": "date"}

_WHOLE, _BEGINNING, _END, _INSIDE = 4, 3, 2, 1


@dataclass(frozen=True, slots=True)
class Query:
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    by: str = ""  # an account reference, as are `to` and `mentions`
    to: str = ""
    mentions: str = ""
    has: frozenset[str] = field(default_factory=frozenset)
    before: str = ""
    after: str = ""
    counts: tuple[tuple[str, int, int], ...] = ()  # name, least, largest
    pattern: str = ""  # a regular expression

    @property
    def terms(self) -> tuple[str, ...]:
        return self.phrases + self.words

    @property
    def plain(self) -> str:
        """The words and phrases, as the network's search takes them."""
        return " ".join([*(f'"{one}"' for one in self.phrases), *self.words])


def folded(text: str) -> str:
    """Normalize a text for comparison: NFKC, no case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def parse(text: str) -> Query:
    words, phrases, filters = [], [], dict.fromkeys(_FILTERS, "")
    has, counts, pattern = set(), [], ""
    for expression, key, value, phrase, word in _PART.findall(text):
        name, text_value = _SYNONYMS.get(key.lower(), key.lower()), value.strip('"')
        if expression:
            pattern = expression
        elif name in filters:
            filters[name] = text_value
        elif name == "has":
            has.add(_kind(text_value))
        elif name in search_filters.COUNTS:
            counts.append((name, *search_filters.parse_count(text_value, name)))
        elif phrase.strip():
            phrases.append(phrase.strip())
        elif word or key:
            words.append(word or f"{key}:{value}")
    known = tuple(one for one in words if folded(one).strip("\"'"))
    first, end = search_filters.parse_span(filters["date"])
    return Query(
        known,
        tuple(phrases),
        filters["from"],
        filters["to"],
        filters["mentions"],
        frozenset(has),
        search_filters.parse_date(filters["before"], "before") or end,
        search_filters.parse_date(filters["after"], "after") or first,
        tuple(counts),
        pattern,
    )


def _kind(word: str) -> str:
    kind = _ALIASES.get(word.lower(), word.lower())
    if kind not in HAS:
        raise BadArguments(f"⚠️ has:{word[:40]} is not known. There is has:{', has:'.join(HAS)}.")
    return kind


class Ranker:
    """Ranks texts by one query."""

    def __init__(self, query: Query) -> None:
        self._phrases = [folded(one) for one in query.phrases]
        self._words = [folded(one) for one in query.words]
        self._pattern = search_filters.BoundedPattern(query.pattern) if query.pattern else None

    @property
    def terms(self) -> list[str]:
        return [*self._phrases, *self._words]

    def rank(self, text: str, *, all_words: bool = True) -> int:
        """Return the sum of the ranks of all terms in a folded text; 0 if it does not match."""
        if any(phrase not in text for phrase in self._phrases):
            return 0
        ranks = [_rank(word, text) for word in self._words]
        if ranks and (not all(ranks) if all_words else not any(ranks)):
            return 0
        if self._pattern is not None and not self._pattern.found_in(text):
            return 0
        return sum(ranks) + sum(_rank(phrase, text) for phrase in self._phrases) or 1


def _rank(word: str, text: str) -> int:
    best, position = 0, text.find(word)
    while position >= 0:
        before = position > 0 and text[position - 1].isalnum()
        behind = text[position + len(word) : position + len(word) + 1].isalnum()
        best = max(
            best, _INSIDE if before and behind else _END if before else _BEGINNING if behind else _WHOLE
        )
        if best == _WHOLE:
            return best
        position = text.find(word, position + 1)
    return best


def term_pattern(query: Query) -> re.Pattern[str] | None:
    """Return a pattern that finds the terms in a text, to show them in bold."""
    terms = sorted({one for one in query.terms if one.strip()}, key=len, reverse=True)
    if not terms:
        return None
    return re.compile("|".join(r"\s+".join(map(re.escape, one.split())) for one in terms), re.IGNORECASE)


def bold(pattern: re.Pattern[str] | None, text: str) -> str:
    """Make matches bold, on each line by itself: bold must not span two quoted lines."""
    if pattern is None:
        return text
    return pattern.sub(lambda found: re.sub(r"[^\n\r]+", _bold, found[0]), text)


def _bold(found: re.Match[str]) -> str:
    words = found[0].strip()
    return found[0].replace(words, f"**{words}**", 1) if words else found[0]
