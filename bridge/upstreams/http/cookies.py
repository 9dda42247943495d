"""Cookies of one server, for as long as it is connected. A balancer before it may need them."""

from __future__ import annotations

from collections.abc import Mapping
from time import time

_MOST = 50
_LONGEST = 4096  # bytes, as in browsers


class Cookies:
    """All go to the one origin they came from; its paths are not told apart."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def learn(self, said: list[str]) -> None:
        """From Set-Cookie headers, read as RFC 6265 §5.2 has it: whatever a value holds, it goes back so."""
        for line in said:
            pair, *rest = line.split(";")
            name, given, value = (part.strip() for part in pair.partition("="))
            if not given or not name or len(pair) > _LONGEST:
                continue
            self._kept.pop(name, None)
            if len(self._kept) < _MOST and not _is_over(_attributes(rest)):
                self._kept[name] = value

    def added_to(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        if not self._kept:
            return headers
        return {**headers, "Cookie": "; ".join(f"{name}={value}" for name, value in self._kept.items())}


def _attributes(said: list[str]) -> dict[str, str]:
    pairs = (one.partition("=") for one in said)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _is_over(attributes: Mapping[str, str]) -> bool:
    try:
        if "max-age" in attributes:
            return int(attributes["max-age"]) <= 0
        return "expires" in attributes and _moment(attributes["expires"]) <= time()
    except (ValueError, OverflowError):
        return False


def _moment(said: str) -> float:
    from email.utils import parsedate_to_datetime  # late: few servers name a day

    return parsedate_to_datetime(said).timestamp()
