"""Who shows a server's Questions: the host while it waits, the host by a retry, or the Desk. Pure."""

from __future__ import annotations

from enum import Enum, auto

from bridge.core.policy.rules import HostRule, QuestionPlace
from bridge.core.protocol.handshake import HostIdentity
from bridge.core.protocol.revisions import LEGACY
from bridge.core.questions.question import Mode


class AskChannel(Enum):
    """How the person is reached, fixed at the Exchange's start."""

    DESK = auto()  # ask here
    HOST_WAITS = auto()  # the host takes requests while its own is open (legacy)
    HOST_RETURNS = auto()  # the host gets its request back and retries (modern)


# What hosts declare and fail at, by clientInfo.name, as measured (docs/hosts.md). Copilot CLI 1.0.102 ends a
# modern call with an error when it gets a link.
_FAILS_AT = {"copilot-cli": frozenset({Mode.URL})}
DESK, _AUTO = AskChannel.DESK, QuestionPlace.AUTO  # fast enums: see state_machine.py


def who_asks(
    rule: HostRule, presence: HostIdentity, refuses: bool = False
) -> tuple[AskChannel, frozenset[Mode]]:
    """Return how this host's person is asked, and which Questions the host itself can answer.

    `refuses`: it has refused a Question unseen. The person's own choice counts more.
    """
    asks, can = rule.questions, presence.can - _FAILS_AT.get(presence.who.name, frozenset())
    if refuses and asks is _AUTO:
        asks = QuestionPlace.DESKTOP
    if asks is not _AUTO:
        can = can | {Mode.FORM} if asks is QuestionPlace.HOST else can - {Mode.FORM, Mode.URL}
    if not can:
        return DESK, can
    return (AskChannel.HOST_WAITS if presence.era is LEGACY else AskChannel.HOST_RETURNS), can
