"""How long a text is as Bluesky counts, and where a long one is cut into posts. Pure.

Bluesky counts what a reader sees as one letter (a grapheme): at most 300 in a post, and 3000 bytes.
"""

from __future__ import annotations

import re

MOST = 300
MOST_BYTES = 3000
_PLACES = (r"\n\s*\n", r"\n", r"(?<=[.!?…。！？])\s+", r"\s+")  # noqa: RUF001 - also ends of sentences
_EARLY = 0.5  # a better place than a space must not leave half the post empty


def graphemes(text: str) -> list[str]:
    import regex  # type: ignore[import-untyped]

    found: list[str] = regex.findall(r"\X", text)
    return found


def fits(text: str) -> bool:
    if len(text.encode()) > MOST_BYTES:
        return False
    return len(text) <= MOST or len(graphemes(text)) <= MOST


def split(text: str) -> list[str]:
    """The text as posts that fit, cut between paragraphs, lines, sentences or words, in this order."""
    made, rest = [], text.strip()
    while not fits(rest):
        cut = _cut(rest)
        made.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [*made, rest] if rest else made


def _cut(text: str) -> int:
    room = _room(text)
    for place in _PLACES:
        ends = [found.start() for found in re.finditer(place, text[: room + 1])]
        if ends and ends[-1] >= (room * _EARLY if place != _PLACES[-1] else 1):
            return ends[-1]
    return room


def _room(text: str) -> int:
    """How many characters of it fit into one post."""
    size = taken = 0
    for letter in graphemes(text)[:MOST]:
        size += len(letter.encode())
        if size > MOST_BYTES:
            break
        taken += len(letter)
    return taken or 1
