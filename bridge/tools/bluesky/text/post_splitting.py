"""Measure a text as Bluesky does, and split a long text into posts. Pure.

A post may have at most 300 graphemes (what a reader sees as one character) and 3000 bytes.
"""

from __future__ import annotations

import re

MAX_GRAPHEMES = 300
MAX_BYTES = 3000
_PLACES = (r"\n\s*\n", r"\n", r"(?<=[.!?…。！？])\s+", r"\s+")  # noqa: RUF001 - also ends of sentences
_MIN_FILLED = 0.5  # of a post; below that it is not split at a paragraph, line or sentence


def graphemes(text: str) -> list[str]:
    import regex  # type: ignore[import-untyped]

    found: list[str] = regex.findall(r"\X", text)
    return found


def fits(text: str) -> bool:
    if len(text.encode()) > MAX_BYTES:
        return False
    return len(text) <= MAX_GRAPHEMES or len(graphemes(text)) <= MAX_GRAPHEMES


def split(text: str) -> list[str]:
    """Split a text into posts, preferably between paragraphs, then lines, sentences and words."""
    parts, rest = [], text.strip()
    while not fits(rest):
        cut = _cut(rest)
        parts.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [*parts, rest] if rest else parts


def _cut(text: str) -> int:
    room = _room(text)
    for place in _PLACES:
        ends = [found.start() for found in re.finditer(place, text[: room + 1])]
        if ends and ends[-1] >= (room * _MIN_FILLED if place != _PLACES[-1] else 1):
            return ends[-1]
    return room


def _room(text: str) -> int:
    """Return how many characters of the text fit into one post."""
    size = taken = 0
    for letter in graphemes(text)[:MAX_GRAPHEMES]:
        size += len(letter.encode())
        if size > MAX_BYTES:
            break
        taken += len(letter)
    return taken or 1
