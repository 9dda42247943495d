"""Reject JSON that two parsers could read differently: policy might judge one reading and the server run the
other.

Many servers accept `Name` for `name`, and parsers differ in which of two equal keys they take. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Raw

from bridge.core.protocol.jsonrpc import Malformed, edit, members


class Ambiguous(Malformed):
    """The message can be read in two ways; the text says how."""


def refuse_repeats(data: bytes | Raw) -> None:
    try:
        edit(data, {})
    except Malformed as error:
        raise Ambiguous(str(error)) from error


def spellings(keys: Iterable[str]) -> Mapping[str, str]:
    """Return look-alikes of these keys (other case, snake_case) → the key."""
    return {form: key for key in keys for form in (key.casefold(), _snake(key))}


def refuse_lookalikes(data: bytes | Raw, taken_for: Mapping[str, str]) -> None:
    """Raise Ambiguous if a key looks like one that is read. `taken_for`: what `spellings` returns."""
    for key in members(data):
        meant = taken_for.get(key.casefold(), key)
        if meant != key:
            raise Ambiguous(f"the key {key!r} can be taken for {meant!r}")


def _snake(key: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)
