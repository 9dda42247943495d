"""Mask known secret values wherever they occur: history, log, error texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import msgspec

from bridge.i18n import altered
from bridge.system.secret_names import is_secret_member, may_be_in

MASK = "•••"
_SHORTEST = 6  # characters; a shorter value would occur in any text


def mask_members(data: bytes) -> bytes:
    """Mask the strings under secret names in a JSON object, at any depth; return other data unchanged."""
    if not may_be_in(data.decode("utf-8", "replace").casefold()):
        return data
    try:
        return msgspec.json.encode(_masked(msgspec.json.decode(data)))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return data


def _masked(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: MASK if isinstance(one, str) and one and is_secret_member(name) else _masked(one)
            for name, one in value.items()
        }
    return [_masked(one) for one in value] if isinstance(value, list) else value


class Mask:
    """Replaces every learned value by MASK."""

    def __init__(self) -> None:
        self._values: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def learn(self, values: Iterable[str]) -> None:
        fresh = {value for value in values if len(value) >= _SHORTEST} - self._values
        if fresh:
            self._values |= fresh
            longest_first = sorted(self._values, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def mask_text(self, text: str) -> str:
        return altered(text, partial(self._pattern.sub, MASK)) if self._pattern is not None else text

    def mask_json(self, value: Any) -> Any:
        """Mask every string in a JSON value."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self.mask_text(value)
        if isinstance(value, Mapping):
            return {key: self.mask_json(each) for key, each in value.items()}
        return [self.mask_json(each) for each in value] if isinstance(value, list | tuple) else value
