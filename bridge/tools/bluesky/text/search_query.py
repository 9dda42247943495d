"""What is looked for, and how well a text answers it. Pure.

Words, "phrases in quotes", from:handle, has:image, before:2025-01-01, after:2024-12-31. A word counts most
as a whole, then as a beginning, an end, and last inside another. Phrases must be there. Letters are compared
by NFKC and without case.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from bridge.tools.base import BadArguments
from bridge.tools.bluesky.text.references import account

HAS = ("image", "video", "link", "quote", "reply", "mention", "tag")
_PART = re.compile(r'(\w+):("[^"]*"|\S+)|"([^"]*)"?|(\S+)')
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d(T[\d:]+(\.\d+)?Z?)?)?)?")
_ALIASES = {
    "images": "image",
    "photo": "image",
    "picture": "image",
    "videos": "video",
    "links": "link",
    "url": "link",
}
_WHOLE, _BEGINNING, _END, _INSIDE = 4, 3, 2, 1


@dataclass(frozen=True, slots=True)
class Query:
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    by: str = ""  # a handle or DID
    has: frozenset[str] = field(default_factory=frozenset)
    before: str = ""
    after: str = ""

    @property
    def terms(self) -> tuple[str, ...]:
        return self.phrases + self.words

    @property
    def plain(self) -> str:
        """The words and phrases, as a network's search takes them."""
        return " ".join([*(f'"{one}"' for one in self.phrases), *self.words])


def folded(text: str) -> str:
    """As texts are compared."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def parse(text: str) -> Query:
    words, phrases, given = [], [], {"from": "", "before": "", "after": ""}
    has: set[str] = set()
    for key, value, phrase, word in _PART.findall(text):
        name, said = key.lower(), value.strip('"')
        if name in given:
            given[name] = said
        elif name == "has":
            has.add(_kind(said))
        elif phrase.strip():
            phrases.append(phrase.strip())
        elif word or key:
            words.append(word or f"{key}:{value}")
    known = tuple(one for one in words if folded(one).strip("\"'"))
    return Query(
        known,
        tuple(phrases),
        account(given["from"]) if given["from"] else "",
        frozenset(has),
        _date(given["before"], "before"),
        _date(given["after"], "after"),
    )


def _kind(said: str) -> str:
    kind = _ALIASES.get(said.lower(), said.lower())
    if kind not in HAS:
        raise BadArguments(f"⚠️ has:{said[:40]} is not known. There is has:{', has:'.join(HAS)}.")
    return kind


def _date(said: str, name: str) -> str:
    if said and not _DATE.fullmatch(said):
        raise BadArguments(f"⚠️ {name}:{said[:40]} is not a date. Write {name}:2025-01-31.")
    return said


class Ranker:
    """How well a text answers a query."""

    def __init__(self, query: Query) -> None:
        self._phrases = [folded(one) for one in query.phrases]
        self._words = [folded(one) for one in query.words]

    @property
    def needles(self) -> list[str]:
        return [*self._phrases, *self._words]

    def rank(self, text: str, *, all_words: bool = True) -> int:
        """Of a folded text: 0 if it does not answer. Many good words count more than one."""
        if any(phrase not in text for phrase in self._phrases):
            return 0
        ranks = [_rank(word, text) for word in self._words]
        if ranks and (not all(ranks) if all_words else not any(ranks)):
            return 0
        return sum(ranks) + sum(_rank(phrase, text) for phrase in self._phrases) or 1


def _rank(word: str, text: str) -> int:
    best, at = 0, text.find(word)
    while at >= 0:
        before = at > 0 and text[at - 1].isalnum()
        behind = text[at + len(word) : at + len(word) + 1].isalnum()
        best = max(
            best, _INSIDE if before and behind else _END if before else _BEGINNING if behind else _WHOLE
        )
        if best == _WHOLE:
            return best
        at = text.find(word, at + 1)
    return best


def marker(query: Query) -> re.Pattern[str] | None:
    """Finds what is to be shown in bold in the text as it was written."""
    terms = sorted({one for one in query.terms if one.strip()}, key=len, reverse=True)
    if not terms:
        return None
    return re.compile("|".join(r"\s+".join(map(re.escape, one.split())) for one in terms), re.IGNORECASE)


def bold(pattern: re.Pattern[str] | None, text: str) -> str:
    """Matches in bold. One that spans lines is bold on each: a mark must not cross a quote's edge."""
    if pattern is None:
        return text
    return pattern.sub(lambda found: re.sub(r"[^\n\r]+", _bold, found[0]), text)


def _bold(found: re.Match[str]) -> str:
    words = found[0].strip()
    return found[0].replace(words, f"**{words}**", 1) if words else found[0]
