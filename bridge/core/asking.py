"""Who shows a server's Questions: the host while it waits, the host on its return, or the Desk. Pure."""

from __future__ import annotations

from bridge.core.eras import Era, Presence
from bridge.core.exchange import Via
from bridge.core.policy import Asks, HostRule
from bridge.core.questions import Mode


def who_asks(rule: HostRule, presence: Presence) -> tuple[Via, frozenset[Mode]]:
    """How this host's person is reached, and what the host itself can answer."""
    asks, can = rule.questions, presence.can
    if asks is Asks.DESKTOP:
        can -= {Mode.FORM, Mode.URL}
    elif asks is Asks.HOST:
        can |= {Mode.FORM}
    if not can:
        return Via.DESK, can
    return (Via.HOST_WAITS if presence.era is Era.LEGACY else Via.HOST_RETURNS), can
