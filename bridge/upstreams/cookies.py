"""Cookies of one server, for as long as it is connected. A balancer before it may need them."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from http.cookies import CookieError, Morsel, SimpleCookie
from time import time

_MOST = 50


class Cookies:
    """All go to the one origin they came from; its paths are not told apart."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def learn(self, said: list[str]) -> None:
        """From Set-Cookie headers."""
        for line in said:
            try:
                found = SimpleCookie(line)
            except CookieError:
                continue
            for name, morsel in found.items():
                self._kept.pop(name, None)
                if not _is_over(morsel) and len(self._kept) < _MOST:
                    self._kept[name] = morsel.coded_value

    def added_to(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        if not self._kept:
            return headers
        return {**headers, "Cookie": "; ".join(f"{name}={value}" for name, value in self._kept.items())}


def _is_over(morsel: Morsel[str]) -> bool:
    try:
        if morsel["max-age"]:
            return int(morsel["max-age"]) <= 0
        return bool(morsel["expires"]) and parsedate_to_datetime(morsel["expires"]).timestamp() <= time()
    except ValueError:
        return False
