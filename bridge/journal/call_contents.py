"""What a call said, made fit to be kept: secrets masked first, then cut. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from bridge.journal.entries import KEPT
from bridge.journal.redaction import TELLING, masked, redact, tells

HEAD = 8_192  # bytes of each side that are looked at
_BEYOND = 600  # characters after the last one that is kept, by which a key is known that begins before it
Hide = Callable[[Any], Any]  # masks what is known to be secret

# In JSON that was cut no name can be told from its value: whatever follows a telling name is masked.
_TOLD = re.compile(rf'("[^"]{{0,80}}(?:{TELLING})[^"]{{0,80}}"\s*:\s*)"(?:[^"\\]|\\.)*"?', re.IGNORECASE)
_RESULT = re.compile(r'"(?:result|error)"\s*:\s*')


def arguments_kept(head: bytes, size: int, hide: Hide) -> str:
    return _kept(head, size, hide, lambda value: value, lambda text: text)


def reply_kept(head: bytes, size: int, hide: Hide) -> str:
    """Only what the server said; not the envelope it came in."""
    return _kept(head, size, hide, _said, _after_envelope)


def _kept(
    head: bytes, size: int, hide: Hide, inner: Callable[[Any], Any], after: Callable[[str], str]
) -> str:
    text = head.decode("utf-8", "replace")
    try:
        if size > len(head):
            raise ValueError
        text = json.dumps(masked(hide(inner(json.loads(text)))), ensure_ascii=False) if text else ""
    except (ValueError, RecursionError):
        text = redact(_without_told(str(hide(after(text)))[: KEPT + _BEYOND]))
    return text[:KEPT]


def _without_told(text: str) -> str:
    folded = text.casefold()
    return _TOLD.sub(r'\1"•••"', text) if tells(folded) else text


def _said(message: Any) -> Any:
    if not isinstance(message, dict):
        return message
    return message.get("result", message.get("error", message))


def _after_envelope(text: str) -> str:
    found = _RESULT.search(text[:200])
    return text[found.end() :] if found else text
