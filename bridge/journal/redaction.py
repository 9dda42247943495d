"""Mask what looks like a key, token or password, before it is stored or shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from bridge.system.masking import MASK
from bridge.system.secret_names import IN_TEXT, is_secret_member, may_be_in

_LONG = re.compile(r"\b[\w-]{32,}", re.ASCII)
_CASES_AND_DIGITS = tuple(re.compile(kind) for kind in ("[a-z]", "[A-Z]", "[0-9]"))


def _has(*hints: str) -> Callable[[str], bool]:
    return lambda folded: any(hint in folded for hint in hints)


# (cheap test whether the pattern can match, pattern, replacement). Running every pattern on every text would
# take longer than all other work on a call.
_KEYS: tuple[tuple[Callable[[str], bool], re.Pattern[str], str], ...] = (
    (
        _has("private key"),
        re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*-----|\Z)", re.DOTALL),
        MASK,
    ),
    (
        _has("bearer", "basic", "dpop", "authorization"),
        re.compile(r"\b(bearer|basic|dpop|authorization:) +[\w.~+/=:-]{8,}", re.IGNORECASE),
        rf"\1 {MASK}",
    ),
    (_has("://"), re.compile(r"(://[^/\s:@]{0,256}:)[^/\s@]{1,256}@"), rf"\1{MASK}@"),
    (
        may_be_in,
        re.compile(rf"((?:{IN_TEXT})[\w-]{{0,40}}[\"']?\s{{0,9}}[:=]\s{{0,9}}[\"']?)[^\s\"'&,;]{{6,}}", re.I),
        rf"\1{MASK}",
    ),
    (
        _has("-", "_"),
        re.compile(r"\b(?:sk|pk|rk|dbt|whsec|hf|npm|gh[pousr]|github_pat|glpat|xox[a-z])[-_][\w-]{16,}"),
        MASK,
    ),
    (
        _has("akia", "asia", "aiza", "ya29.", "eyj"),
        re.compile(
            r"\b(?:A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)"
        ),
        MASK,
    ),
)


def redact(text: str) -> str:
    """Return the text with keys, tokens and passwords masked."""
    folded = text.casefold()
    for may_be_there, pattern, instead in _KEYS:
        if may_be_there(folded):
            text = pattern.sub(instead, text)
    return _LONG.sub(_unless_innocent, text)


def _unless_innocent(found: re.Match[str]) -> str:
    """Mask a long word with both cases and digits, as generated keys have; hashes and names do not."""
    return MASK if all(kind.search(found[0], 0, 100) for kind in _CASES_AND_DIGITS) else found[0]


def masked(value: Any) -> Any:
    """Mask all strings in a JSON value, and every value under a secret name."""
    if isinstance(value, Mapping):
        return {
            str(key): MASK if isinstance(item, str) and is_secret_member(str(key)) else masked(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [masked(item) for item in value]
    return redact(value) if isinstance(value, str) else value
