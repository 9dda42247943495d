"""Stories of one Exchange: `Playbook(exchange) >> Event << Command`, read from top to bottom.

Every command must be foretold, in order; an event that is followed by none must yield none. A story that goes
otherwise fails where it does, and is told as far as it went.
"""

from __future__ import annotations

from collections import deque

from bridge.core.exchange.commands import ExchangeCommand
from bridge.core.exchange.events import ExchangeEvent
from bridge.core.exchange.state_machine import Exchange


class Playbook:
    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._due: deque[ExchangeCommand] = deque()
        self._story = [f"   an Exchange, {exchange.via.name}, in {exchange.state.name}"]

    def __rshift__(self, event: ExchangeEvent) -> Playbook:
        self._expect_no_more()
        self._due.extend(self._exchange.on(event))
        self._story.append(f">> {event}   … {self._exchange.state.name}")
        return self

    def __lshift__(self, command: ExchangeCommand) -> Playbook:
        if not self._due:
            raise AssertionError(self._told(f"<< {command}", "nothing more"))
        if self._due[0] != command:
            raise AssertionError(self._told(f"<< {command}", f"<< {self._due[0]}"))
        self._story.append(f"<< {self._due.popleft()}")
        return self

    def __bool__(self) -> bool:
        self._expect_no_more()
        return True

    def _expect_no_more(self) -> None:
        if self._due:
            raise AssertionError(
                self._told("nothing more", "\n       ".join(f"<< {one}" for one in self._due))
            )

    def _told(self, wanted: str, got: str) -> str:
        story = "\n".join(self._story)
        return f"The story so far:\n\n{story}\n\nwanted {wanted}\n   got {got}"
