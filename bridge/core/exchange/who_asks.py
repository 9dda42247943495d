"""Who shows a server's Questions: the host while it waits, the host by a retry, or the Desk. Pure."""

from __future__ import annotations

from bridge.core.exchange.state_machine import DESK, AskChannel
from bridge.core.policy.rules import HostRule, QuestionPlace
from bridge.core.protocol.handshake import HostIdentity
from bridge.core.protocol.revisions import LEGACY
from bridge.core.questions.question import Mode

_AUTO = QuestionPlace.AUTO


def who_asks(
    rule: HostRule, presence: HostIdentity, refuses: bool = False
) -> tuple[AskChannel, frozenset[Mode]]:
    """Return how this host's person is asked, and which Questions the host itself can answer.

    `refuses`: it has refused a Question unseen. The person's own choice counts more.
    """
    asks, can = rule.questions, presence.can
    if refuses and asks is _AUTO:
        asks = QuestionPlace.DESKTOP
    if asks is not _AUTO:
        can = can | {Mode.FORM} if asks is QuestionPlace.HOST else can - {Mode.FORM, Mode.URL}
    if not can:
        return DESK, can
    return (AskChannel.HOST_WAITS if presence.era is LEGACY else AskChannel.HOST_RETURNS), can
