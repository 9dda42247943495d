"""Count what servers use of the models: requests an hour, tokens a day. Pure; the clock is passed in.

Beyond a limit the person is asked again, even for a server that may always ask.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import msgspec

from bridge.i18n import say

HOUR, DAY = 3600.0, 86_400.0
CHARACTERS_PER_TOKEN = 4  # the estimate where a provider counts none
TOKENS_PER_FILE = 1600  # about what providers count for a large picture


@dataclass(frozen=True, slots=True)
class Limits:
    """0: no limit."""

    per_call: int = 20
    per_hour: int = 100
    tokens_per_day: int = 0


USUAL = Limits()


class Usage(msgspec.Struct, frozen=True):
    """What one server has used, in all and today. `day`: days since the epoch."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    day: int = 0
    today: int = 0

    def on(self, epoch: float) -> int:
        """Return the tokens used on the day of `epoch`."""
        return self.today if self.day == int(epoch // DAY) else 0

    def plus(self, tokens_in: int, tokens_out: int, epoch: float) -> Usage:
        day = int(epoch // DAY)
        today = self.on(epoch) + tokens_in + tokens_out
        return Usage(self.requests + 1, self.tokens_in + tokens_in, self.tokens_out + tokens_out, day, today)


class Budget:
    def __init__(self) -> None:
        self.limits = USUAL
        self.usage: dict[str, Usage] = {}  # server → its use
        self._sent: dict[str, deque[float]] = {}  # server → when, within the last hour

    def exceeded(self, server: str, epoch: float, in_call: int) -> str:
        """Return why the next request of this server needs the person, in words; "" if it does not."""
        limits, usage = self.limits, self.usage.get(server, Usage())
        sent = self._sent.get(server, deque())
        while sent and sent[0] <= epoch - HOUR:
            sent.popleft()
        if limits.per_call and in_call >= limits.per_call:
            return say(
                "This call has reached its limit of requests to a model: {count} so far.", count=in_call
            )
        if limits.per_hour and len(sent) >= limits.per_hour:
            return say(
                "{server} has reached its limit of requests within an hour: {count} so far.",
                server=server,
                count=len(sent),
            )
        today = usage.on(epoch)
        if limits.tokens_per_day and today >= limits.tokens_per_day:
            return say("{server} has used {count} tokens today.", server=server, count=today)
        return ""

    def capped(self, server: str, epoch: float, max_tokens: int) -> int:
        """Return how many tokens a model may write for this server without the person being asked."""
        most, used = self.limits.tokens_per_day, self.usage.get(server, Usage()).on(epoch)
        return min(max_tokens, max(1, most - used)) if most else max_tokens

    def sent(self, server: str, epoch: float) -> None:
        self._sent.setdefault(server, deque()).append(epoch)

    def spend(self, server: str, tokens_in: int, tokens_out: int, epoch: float) -> None:
        self.usage[server] = self.usage.get(server, Usage()).plus(tokens_in, tokens_out, epoch)


def estimate(text: str) -> int:
    """Return about how many tokens a text has."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)
