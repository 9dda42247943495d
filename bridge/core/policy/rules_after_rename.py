"""Rename a server in the patterns of rules: `old_delete_*` becomes `new_delete_*`. Pure.

Patterns that do not begin with the old name stay unchanged. The settings refuse a rename while `conflict`
names a server: a pattern would then match other tools than before, and a rule be loosened silently.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WILDCARD = re.compile(r"[*?\[]")
_DIGEST = re.compile(r"_[0-9a-f]{6}$")  # of a public name that was too long (tool_names.py)


@dataclass(frozen=True, slots=True)
class Rename:
    old: str
    new: str
    others: tuple[str, ...] = ()  # all other servers

    def pattern(self, pattern: str) -> str:
        """Return the pattern with the new name, if it begins with the old one; a leading ! stays."""
        bare = pattern.removeprefix("!")
        if not bare.startswith(f"{self.old}_"):
            return pattern
        return f"{pattern[: -len(bare)]}{self.new}{bare.removeprefix(self.old)}"

    def conflict(self, pattern: str) -> str:
        """Return a server of which the pattern may match other tools after the rename; "" if there is none.

        Tools are not looked at: a server may be returned although the pattern matches none of its tools.
        """
        bare, after = pattern.removeprefix("!"), self.pattern(pattern).removeprefix("!")
        if bare == after:
            matches = any(_may_match(bare, server) for server in (self.old, self.new))
            return self.old if matches and not self._is_about_tools(bare) else ""
        if _DIGEST.search(bare):  # the digest is made of the server's name
            return self.old
        return next((one for one in self.others if _may_match(bare, one) or _may_match(after, one)), "")

    def _is_about_tools(self, bare: str) -> bool:
        """True for `*` and `*_delete*`: after the *, no text that may begin inside a name of the server."""
        text = bare.lstrip("*")
        literal = _literal(text)
        within = any(
            _are_compatible(f"{name[start:]}_", literal)
            for name in (self.old, self.new)
            for start in range(len(name))
        )
        return bare.startswith("*") and (not text or not within)


def _may_match(bare: str, server: str) -> bool:
    """True if the pattern may match a tool of this server, by its text before the first wildcard."""
    literal = _literal(bare)
    if literal == bare:
        return bare.startswith(f"{server}_")
    return _are_compatible(literal, f"{server}_")


def _literal(bare: str) -> str:
    """Return the text before the first wildcard, or before the digest of a name that was too long."""
    return _DIGEST.sub("", _WILDCARD.split(bare, maxsplit=1)[0])


def _are_compatible(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)
