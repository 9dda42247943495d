"""Who shows a server's Questions: the host while it waits, the host by a retry, or the Desk. Pure."""

from __future__ import annotations

from bridge.core.exchange.state_machine import DESK, Via
from bridge.core.policy.rules import Asks, HostRule
from bridge.core.protocol.handshake import HostIdentity
from bridge.core.protocol.revisions import LEGACY
from bridge.core.questions.question import Mode

_AUTO = Asks.AUTO


def who_asks(rule: HostRule, presence: HostIdentity) -> tuple[Via, frozenset[Mode]]:
    """Return how this host's person is asked, and which Questions the host itself can answer."""
    asks, can = rule.questions, presence.can
    if asks is not _AUTO:
        can = can | {Mode.FORM} if asks is Asks.HOST else can - {Mode.FORM, Mode.URL}
    if not can:
        return DESK, can
    return (Via.HOST_WAITS if presence.era is LEGACY else Via.HOST_RETURNS), can
