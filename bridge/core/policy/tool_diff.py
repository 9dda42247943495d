"""Show how a tool's definition differs from an earlier one, line by line. Pure.

Invisible characters (joiners, direction marks, tags, odd spaces) are written as ⟨U+200B⟩. Where two lines
differ in a few characters, their code points are listed: they may look alike.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from bridge.system.fast.lazy_import import lazy_import
from bridge.system.foreign_text import has_unseen

if TYPE_CHECKING:
    import difflib
else:
    difflib = lazy_import("difflib")

LONGEST = 50_000  # characters of a difference; the rest is counted
MOST_LINES = 2_000  # lines of each side that are compared
_AROUND = 2  # unchanged lines beside a changed one
_FEW = 4  # differing characters that are listed by code point
_LONG_LINE = 4_000  # characters; longer lines are not compared by character
_SHAPELESS = frozenset({"Cf", "Cn", "Co", "Zs"})  # format characters, unassigned, private use, odd spaces
_BRAILLE_BLANK = "\u2800"


def difference(old: bytes, new: bytes) -> str:
    """Return a diff with a section for each changed part: "- " before, "+ " after, "  " unchanged."""
    before, after = _parts(old), _parts(new)
    lines: list[str] = []
    for part in dict.fromkeys((*before, *after)):
        if before.get(part) != after.get(part):
            lines += [f"{part}:", *_compared(_lines(before.get(part)), _lines(after.get(part)))]
    text = "\n".join(lines)
    cut = len(text) - LONGEST
    return text if cut <= 0 else f"{text[:LONGEST]}\n… ({cut} more characters)"


def visible(text: str) -> str:
    """Return the text with invisible characters written out."""
    return "".join(letter if _is_seen(letter) else f"⟨U+{ord(letter):04X}⟩" for letter in text)


def _is_seen(letter: str) -> bool:
    if " " <= letter <= "~" or letter in "\n\t":
        return True
    shaped = unicodedata.category(letter) not in _SHAPELESS and letter != _BRAILLE_BLANK
    return shaped and not has_unseen(letter)


def _parts(definition: bytes) -> dict[str, object]:
    try:
        return msgspec.json.decode(definition, type=dict)
    except (msgspec.MsgspecError, RecursionError):
        return {"definition": definition.decode("utf-8", "replace")}


def _lines(value: object) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, str):
        return (
            msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=2)
            .decode()
            .split("\n")
        )
    return value.split("\n")


def _compared(old: list[str], new: list[str]) -> Iterator[str]:
    if max(len(old), len(new)) > MOST_LINES:
        yield from (*_marked("-", old), *_marked("+", new))
        return
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(_AROUND):
        for what, i, j, k, m in group:
            if what == "equal":
                yield from _marked(" ", old[i:j])
            else:
                yield from (*_marked("-", old[i:j]), *_marked("+", new[k:m]))
                yield from _named(old[i:j], new[k:m])


def _marked(mark: str, lines: list[str]) -> list[str]:
    return [f"{mark} {visible(line)}" for line in lines]


def _named(old: list[str], new: list[str]) -> Iterator[str]:
    """Yield the code points of differing characters, where they are few."""
    for before, after in zip(old, new, strict=False):
        if max(len(before), len(after)) > _LONG_LINE:
            continue
        steps = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        changed = [(before[i:j], after[k:m]) for what, i, j, k, m in steps if what != "equal"]
        if sum(max(len(was), len(now)) for was, now in changed) <= _FEW:
            yield from (f"  ({_codes(was)} → {_codes(now)})" for was, now in changed)


def _codes(letters: str) -> str:
    return " ".join(f"{visible(letter)} U+{ord(letter):04X}" for letter in letters) or "nothing"
