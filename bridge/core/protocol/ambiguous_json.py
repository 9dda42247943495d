"""Messages that two readers may read differently: judged by one word, and carried out by the other. Pure.

Many servers read `Name` as `name`, and of a key that appears twice each reader takes the one it likes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Raw

from bridge.core.protocol.jsonrpc import Malformed, edit, members


class Ambiguous(Malformed):
    """It can be read in two ways; the text says how."""


def refuse_repeats(data: bytes | Raw) -> None:
    try:
        edit(data, {})
    except Malformed as error:
        raise Ambiguous(str(error)) from error


def spellings(keys: Iterable[str]) -> Mapping[str, str]:
    """What may be taken for these keys: in other letters, or as Python writes them → the key."""
    return {form: key for key in keys for form in (key.casefold(), _snake(key))}


def refuse_lookalikes(data: bytes | Raw, taken_for: Mapping[str, str]) -> None:
    """`taken_for`: the spellings of what is read."""
    for key in members(data):
        meant = taken_for.get(key.casefold(), key)
        if meant != key:
            raise Ambiguous(f"the key {key!r} can be taken for {meant!r}")


def _snake(key: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)
