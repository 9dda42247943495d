"""Mask secrets wherever they occur: by the name they stand under, by their shape, or because they are known.

One engine for what windows show of calls, history, exports, log and error texts. Names are secret_names.py's,
shapes key_shapes.py's.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections import deque
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

import msgspec

from bridge.i18n import altered
from bridge.system.key_shapes import MASK, redact
from bridge.system.secret_names import is_count, is_secret_member, may_be_in

__all__ = ["MASK", "Mask", "mask_members", "masked", "redact"]

_SHORTEST = 6  # characters; a shorter value would occur in any text
_IN_URLS = str.maketrans("+/", "-_")
_MOST_ANSWERS = 250  # spellings of secret answers that are known at once: five of each


def mask_members(data: bytes) -> bytes:
    """Mask all that stands under secret names in a JSON object, at any depth; return other data unchanged."""
    if not may_be_in(data.decode("utf-8", "replace").casefold()):
        return data
    try:
        return msgspec.json.encode(_by_name(msgspec.json.decode(data)))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return data


def _by_name(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: MASK if _is_secret(name, one) else _by_name(one) for name, one in value.items()}
    return [_by_name(one) for one in value] if isinstance(value, list) else value


def _is_secret(name: str, value: Any) -> bool:
    """True for whatever a secret name has, but for nothing, yes, no, and counts of tokens."""
    if value is None or isinstance(value, bool) or value in ("", [], {}):
        return False
    if isinstance(value, int | float) and is_count(name):
        return False
    return is_secret_member(name)


def masked(value: Any) -> Any:
    """Mask all strings in a JSON value by their shape, keys too, and everything under a secret name."""
    if isinstance(value, Mapping):
        return {
            redact(str(key)): MASK if _is_secret(str(key), item) else masked(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [masked(item) for item in value]
    return redact(value) if isinstance(value, str) else value


class Mask:
    """Replaces every learned value by MASK, also each line of one that has several."""

    def __init__(self) -> None:
        self._values: set[str] = set()
        self._answers: deque[str] = deque(maxlen=_MOST_ANSWERS)
        self._pattern: re.Pattern[str] | None = None

    def learn(self, values: Iterable[str]) -> None:
        fresh = set(_parts(values)) - self._values
        if fresh:
            self._values |= fresh
            self._compile()

    def learn_answers(self, values: Iterable[str]) -> None:
        """Learn what a person answered to a question for a secret, until others have come after it."""
        if fresh := [part for part in _parts(values) if part not in self._answers]:
            self._answers.extend(fresh)
            self._compile()

    def _compile(self) -> None:
        longest_first = sorted({*self._values, *self._answers}, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def mask_text(self, text: str) -> str:
        return altered(text, partial(self._pattern.sub, MASK)) if self._pattern is not None else text

    def is_in(self, data: bytes) -> bool:
        """True if a learned value is in the text."""
        return self._pattern is not None and bool(self._pattern.search(data.decode("utf-8", "replace")))

    def mask_json(self, value: Any) -> Any:
        """Mask every string in a JSON value, keys too."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self.mask_text(value)
        if isinstance(value, Mapping):
            return {
                self.mask_text(key) if isinstance(key, str) else key: self.mask_json(each)
                for key, each in value.items()
            }
        return [self.mask_json(each) for each in value] if isinstance(value, list | tuple) else value


def _parts(values: Iterable[str]) -> Iterable[str]:
    """Yield each value, and each of its lines: programs print a key line by line. Also as it is written in
    base64, in hexadecimal digits, and in an address."""
    for value in values:
        for part in dict.fromkeys((value, *(line.strip() for line in value.splitlines()))):
            if len(part) >= _SHORTEST:
                yield part
                raw = part.encode("utf-8", "replace")
                base64 = b64encode(raw).decode().rstrip("=")
                yield from (base64, base64.translate(_IN_URLS), raw.hex(), quote(raw, safe=""))
