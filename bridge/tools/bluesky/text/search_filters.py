"""Parse the filters of a search query: dates, counts, regular expressions. Pure.

A regular expression is limited in size and time, so that no pattern can keep the computer busy.
"""

from __future__ import annotations

import re
import time
from datetime import date, timedelta
from typing import Any

from bridge.tools.base import BadArguments

COUNTS = ("likes", "reposts", "quotes", "replies")
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d(T[\d:]+(\.\d+)?Z?)?)?)?")
_COUNT = re.compile(r"(>=|<=|>|<)?(\d{1,9})|(\d{1,9})\.\.(\d{1,9})")
_ANY = 10**9  # no post has so many
MAX_PATTERN = 200  # characters
MAX_SECONDS = 1.0  # of one search


def parse_date(text: str, name: str) -> str:
    """Check a year, month, day or time."""
    if text and not _DATE.fullmatch(text):
        raise BadArguments(f"⚠️ {name}:{text[:40]} is not a date. Write {name}:2025-01-31.")
    return text


def parse_span(text: str) -> tuple[str, str]:
    """Return the first day of `2024`, `2024-06` or `2024-06-01..2024-07`, and the day after the last."""
    first, dots, last = text.partition("..")
    parse_date(first, "date")
    parse_date(last, "date")
    end = last if dots else first
    return first, _day_after(end) if end else ""


def _day_after(text: str) -> str:
    """Return the day, month or year that follows."""
    parts = text[:10].split("-")
    try:
        begin = date(*(int(one) for one in [*parts, "1", "1"][:3]))
        if len(parts) == 3:
            return (begin + timedelta(days=1)).isoformat()
        return f"{begin + timedelta(days=31 if len(parts) == 2 else 366):%Y-%m}"[: 7 if parts[1:] else 4]
    except (ValueError, OverflowError) as error:
        raise BadArguments(f"⚠️ date:{text[:40]} is not a date. Write date:2025-01-01..2025-01-31.") from error


def parse_count(text: str, name: str) -> tuple[int, int]:
    """Return the least and the largest count that `10` (at least), `<5`, `>=7` or `10..20` allows."""
    found = _COUNT.fullmatch(text)
    if found is None:
        raise BadArguments(
            f"⚠️ {name}:{text[:40]} is not a count. Write {name}:10, {name}:<5 or {name}:10..20."
        )
    sign, number, low, high = found.groups()
    if low:
        return int(low), int(high)
    limit = int(number)
    return {">": (limit + 1, _ANY), "<": (0, limit - 1), "<=": (0, limit)}.get(sign, (limit, _ANY))


class TooSlow(Exception):
    """A regular expression took longer than a search may take."""


class BoundedPattern:
    """A regular expression for one search: all its matches together may take MAX_SECONDS."""

    def __init__(self, pattern: str) -> None:
        import regex  # type: ignore[import-untyped]

        if len(pattern) > MAX_PATTERN:
            raise BadArguments(f"⚠️ A regular expression may have {MAX_PATTERN} characters.")
        try:
            self._pattern: Any = regex.compile(pattern, regex.IGNORECASE)
        except (regex.error, OverflowError, RecursionError) as error:
            raise BadArguments(f"⚠️ /{pattern}/ is not a regular expression: {error}.") from error
        self._left = MAX_SECONDS

    def found_in(self, text: str) -> bool:
        """Raises TooSlow. Other threads run meanwhile (`concurrent`)."""
        begun = time.monotonic()
        try:
            return self._pattern.search(text, timeout=max(self._left, 0.001), concurrent=True) is not None
        except TimeoutError as error:
            raise TooSlow from error
        finally:
            self._left -= time.monotonic() - begun
