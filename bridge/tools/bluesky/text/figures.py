"""Handles, times, ages and counts in lines that Deskbell writes. Pure.

Values come from servers: each is limited to the characters of its kind, so that it cannot look like an
instruction or a line of another kind.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

INVALID_HANDLE = "@handle.invalid"
_HANDLE = re.compile(r"[a-zA-Z0-9.-]{1,253}")
DID = re.compile(r"did:[a-z]+:[a-zA-Z0-9._:%-]{1,256}")
_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MINUTE, _HOUR, _DAY = 60, 3600, 86400  # seconds
_RECENT = 30 * _DAY  # after this, the date


def handle(text: str) -> str:
    return f"@{text}" if DID.fullmatch(text) or _HANDLE.fullmatch(text) else INVALID_HANDLE


def parse_time(text: str) -> datetime | None:
    found = _TIME.fullmatch(text)
    try:
        return datetime.fromisoformat(f"{found[1]}{found[2]}").astimezone(UTC) if found else None
    except (ValueError, OverflowError):
        return None


def age(created: str, now: datetime) -> str:
    """Return `now`, `3m`, `2h`, `1d`, then the date; "" for an invalid time."""
    then = parse_time(created)
    if then is None:
        return ""
    seconds = (now.astimezone(UTC) - then).total_seconds()
    if seconds >= _RECENT:
        return f"{then.day} {month(then)}"
    for unit, size in (("d", _DAY), ("h", _HOUR), ("m", _MINUTE)):
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return "now"


def ago(created: str, now: datetime) -> str:
    """Return the age; hours and days with the word: `2h ago`."""
    short = age(created, now)
    return f"{short} ago" if short.endswith(("h", "d")) else short


def month(then: datetime) -> str:
    """Return month and year: `May 2023`."""
    return f"{_MONTHS[then.month - 1]} {then.year}"


def compact_number(number: int) -> str:
    """Return `843`, `1.2K`, `123K`, `4.5M`."""
    for sign, size in (("M", 1_000_000), ("K", 1_000)):
        if number >= size:
            tenths = number * 10 // size
            return (
                f"{tenths // 10}{sign}" if tenths >= 1000 or not tenths % 10 else f"{tenths / 10:.1f}{sign}"
            )
    return str(number)


def counted(number: int, word: str) -> str:
    """Return `1 follower`, `1.2K followers`."""
    return f"{compact_number(number)} {word}{'' if number == 1 else 's'}"
