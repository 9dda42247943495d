"""Detect hosts that declare elicitation but decline by themselves: twice in a row within 300 ms. Pure."""

from __future__ import annotations

from bridge.core.policy.rules import Policy, QuestionPlace
from bridge.i18n import say

QUICK = 0.3  # seconds
OFTEN = 2
MOST = 1000  # bounded, since hosts choose their names


class AutoDeclineDetector:
    def __init__(self) -> None:
        self._quick: dict[str, int] = {}  # host → quick declines in a row

    def answered(self, host: str, said_yes: bool, took: float) -> bool:
        """Record a host's answer; True if the host is suspected from now on."""
        if said_yes or not 0.0 <= took < QUICK:
            self._quick.pop(host, None)
            return False
        if len(self._quick) >= MOST:
            self._quick.clear()
        self._quick[host] = self._quick.get(host, 0) + 1
        return self._quick[host] == OFTEN

    def notices(self, policy: Policy) -> tuple[str, ...]:
        """Return a notice for each suspected host that still shows questions itself."""
        suspects = [host for host, times in self._quick.items() if times >= OFTEN]
        return tuple(
            notice(one) for one in suspects if policy.host(one).questions is not QuestionPlace.DESKTOP
        )


def notice(host: str) -> str:
    return say(
        "{host} seems to decline questions without showing them. "
        'With questions = "desktop" under {table} in config.toml, Deskbell asks instead.',
        host=host,
        table=f'[hosts."{host}"]',
    )
