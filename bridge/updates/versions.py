"""Compare versions, and find one in what a forge or a package index replies. Pure."""

from __future__ import annotations

import re

from bridge.i18n import say

_VERSION = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,5})(.*)")


def version_in(value: object) -> str:
    """Return the version that a decoded reply names. Raises ValueError."""
    table = value if isinstance(value, dict) else {}
    info = table.get("info")
    named = (
        table.get("version"),
        table.get("tag_name"),
        info.get("version") if isinstance(info, dict) else "",
    )
    for word in named:
        if isinstance(word, str) and _VERSION.fullmatch(word):
            return word.removeprefix("v")
    raise ValueError(say("the answer names no version"))


def is_newer(found: str, here: str) -> bool:
    """True if `found` is a higher version than `here`, and no pre-release (1.2rc1, 1.2-beta)."""
    theirs, ours = _VERSION.fullmatch(found), _VERSION.fullmatch(here)
    if theirs is None or ours is None or theirs[2]:
        return False
    one, other = _numbers(theirs[1]), _numbers(ours[1])
    return one > other or (one == other and bool(ours[2]))


def _numbers(version: str) -> tuple[int, ...]:
    parts = [int(part) for part in version.split(".")]
    return tuple(parts + [0] * (6 - len(parts)))
