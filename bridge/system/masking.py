"""Mask secrets wherever they occur: by the name they stand under, by their shape, or because they are known.

One engine for what windows show of calls, history, exports, log and error texts. Names are secret_names.py's,
shapes key_shapes.py's.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import deque
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

from bridge.i18n import altered
from bridge.system.key_shapes import MASK, redact, redact_known
from bridge.system.secret_names import is_count, is_secret_member, may_be_in

__all__ = ["MASK", "Mask", "masked", "redact"]

_SHORTEST = 6  # characters; a shorter value would occur in any text
_IN_URLS = str.maketrans("+/", "-_")
_READABLE = 1 << 20  # bytes of arguments that are shown; nobody reads more
_MOST_ANSWERS = 250  # spellings of secret answers that are known at once: five of each


def _is_secret(name: str, value: Any) -> bool:
    """True for whatever a secret name has, but for nothing, yes, no, and counts of tokens."""
    if value is None or isinstance(value, bool) or value in ("", [], {}):
        return False
    if isinstance(value, int | float | _Token) and is_count(name):
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


class _Token(str):
    """A number as it was written."""


class _Members(list[tuple[str, Any]]):
    """The members of an object, in their order."""


_UNROUNDED: Mapping[str, Any] = dict.fromkeys(("parse_int", "parse_float", "parse_constant"), _Token)


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

    def mask_arguments(self, data: bytes) -> bytes:
        """Return the arguments of a call as a person sees them who is asked about it.

        All but the secrets stays as it was sent: numbers unrounded, a key that stands twice twice.
        """
        text = data[:_READABLE].decode("utf-8", "replace")
        if len(data) > _READABLE:
            return json.dumps(f"{self._mask_shown(text)} … +{len(data) - _READABLE} bytes").encode()
        if not ("\\" in text or may_be_in(text.casefold()) or self._mask_shown(text) != text):
            return data
        try:
            value = json.loads(text, object_pairs_hook=_Members, **_UNROUNDED)
            return self._written(value).encode()
        except (ValueError, RecursionError):
            return json.dumps(self._mask_shown(text)).encode()

    def _mask_shown(self, text: str) -> str:
        return redact_known(self.mask_text(text))

    def _written(self, value: Any) -> str:
        match value:
            case _Members():
                return f"{{{','.join(self._member(name, one) for name, one in value)}}}"
            case list():
                return f"[{','.join(map(self._written, value))}]"
            case _Token():
                return str(value)
        return json.dumps(self._mask_shown(value) if isinstance(value, str) else value)

    def _member(self, name: str, value: Any) -> str:
        shown = json.dumps(MASK) if _is_secret(name, value) else self._written(value)
        return f"{json.dumps(self._mask_shown(name))}:{shown}"

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
