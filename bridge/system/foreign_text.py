"""Which characters of foreign text are invisible or reorder what is read. Pure.

One table for every surface that shows text of servers, hosts or strangers: windows, terminal, quoted posts,
tool differences, web addresses. The invisible ones are Unicode's Default_Ignorable_Code_Point
(DerivedCoreProperties.txt); those that reorder are the formatting characters of UAX #9.
"""

from __future__ import annotations

import re

# C0 and C1 except tab and line feed, line and paragraph separators, annotation marks, lone surrogates
CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\ud800-\udfff"
REORDERING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# soft hyphen, grapheme joiner, Hangul and Khmer fillers, Mongolian selectors, zero-width space, word joiner,
# operators, byte order mark, shorthand and musical formatting
_IGNORABLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
JOINERS = "\u200c\u200d"  # needed by emoji and by several scripts
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"  # one after a letter is needed; a run can carry hidden text
_TAGS = "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
_INVISIBLE = (
    f"[{_IGNORABLE}]|(?<=[{_SELECTORS}])[{_SELECTORS}]+"
    f"|(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[{_TAGS}]+"  # tags belong after a black flag only
)
_DECEPTIVE = re.compile(f"[{CONTROLS}{REORDERING}]|{_INVISIBLE}")
_UNSEEN = re.compile(_INVISIBLE)
_ANY = re.compile(f"[{CONTROLS}{REORDERING}{_IGNORABLE}{JOINERS}{_SELECTORS}{_TAGS}]")


def mark_deceptive(text: str) -> str:
    """Replace what is invisible or reorders text by U+FFFD."""
    return _DECEPTIVE.sub("\N{REPLACEMENT CHARACTER}", text)


def strip_deceptive(text: str) -> str:
    """Remove what is invisible or reorders text. Emoji and scripts that need joiners stay whole."""
    return _DECEPTIVE.sub("", text)


def strip_invisible(text: str) -> str:
    """Remove what is invisible; what reorders text stays."""
    return _UNSEEN.sub("", text)


def has_unseen(text: str) -> bool:
    """True if any character has no shape of its own, joiners and variation selectors included."""
    return _ANY.search(text) is not None
