"""Words for what can go wrong with a model: which one, what happened, what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from bridge.i18n import Words, say

_LONGEST = 300  # characters of a provider's own words


def provider_words(body: bytes) -> str:
    """Return what a provider says about a failure, on one line; "" if nothing."""
    try:
        value = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        text = body.decode(errors="replace")
        return "" if text.lstrip().startswith("<") else _short(text)
    return words_in(value) if isinstance(value, dict) else ""


def words_in(value: Mapping[str, Any]) -> str:
    """Return the words of an error object, in the members that providers use."""
    error = value.get("error") or value.get("detail") or value.get("message") or ""
    if isinstance(error, Mapping):
        error = error.get("message") or error.get("type") or ""
    return _short(str(error))


def _short(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]


def in_words(model: str, status: int, reason: str) -> Words:
    """Return the failure of a request to `model`, by its HTTP status, with what to do about it."""
    said = reason.rstrip(".") or f"HTTP {status}"
    if status in (401, 403):
        return say(
            "The model {model} does not accept the key: {said}. Enter its key again under Models.",
            model=model,
            said=said,
        )
    if status == 402 or "quota" in said.lower() or "credit" in said.lower():
        return say(
            "The model {model} is out of credit: {said}. Add credit at its provider.", model=model, said=said
        )
    if status == 404:
        return say(
            "The model {model} was not found: {said}. Check its name and address.", model=model, said=said
        )
    if status == 429:
        return say("The model {model} is asked too often: {said}. Try again later.", model=model, said=said)
    if status >= 500:
        return say("The model {model} failed: {said}. Try again later.", model=model, said=said)
    return say(
        "The model {model} refused the request: {said}. Another model may take it.", model=model, said=said
    )
