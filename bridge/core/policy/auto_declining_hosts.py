"""Hosts that say they can ask, and decline by themselves: nobody says no within 300 ms, twice. Pure."""

from __future__ import annotations

from bridge.core.policy.rules import Asks, Policy
from bridge.i18n import say

QUICK = 0.3  # seconds
OFTEN = 2
MOST = 1000  # hosts name themselves: bounded


class AutoDeclineDetector:
    def __init__(self) -> None:
        self._quick: dict[str, int] = {}  # host → how often it said no too quickly, in a row

    def answered(self, host: str, said_yes: bool, took: float) -> bool:
        """A host answered a Question. True: from now on it is suspected."""
        if said_yes or not 0.0 <= took < QUICK:
            self._quick.pop(host, None)
            return False
        if len(self._quick) >= MOST:
            self._quick.clear()
        self._quick[host] = self._quick.get(host, 0) + 1
        return self._quick[host] == OFTEN

    def notices(self, policy: Policy) -> tuple[str, ...]:
        """For the person, about hosts that are still the ones to ask."""
        suspects = [host for host, times in self._quick.items() if times >= OFTEN]
        return tuple(notice(one) for one in suspects if policy.host(one).questions is not Asks.DESKTOP)


def notice(host: str) -> str:
    return say(
        "{host} seems to decline questions without showing them. "
        'With questions = "desktop" under {table} in config.toml, Deskbell asks instead.',
        host=host,
        table=f'[hosts."{host}"]',
    )
