"""Flood control: servers that ask too often, and servers the person has muted. Pure.

A flood is more Questions within a minute than one person can want; accepted ones do not count. The Questions
of a flood wait without an alert until the person decides: mute the server, or be asked anyway.
"""

from __future__ import annotations

from collections import deque

MINUTE = 60.0
LIMIT = 10  # Questions of one server within a minute; 0: no limit
MOST_SERVERS = 1000  # bounded, because hosts choose the names


class FloodControl:
    def __init__(self) -> None:
        self.limit = LIMIT
        self._recent: dict[str, deque[float]] = {}  # server → Unix times of its last Questions
        self._flooding: dict[str, None] = {}  # in the order they began
        self.muted: dict[str, float] = {}  # server → Unix time its mute ends

    @property
    def flooding(self) -> tuple[str, ...]:
        return tuple(self._flooding)

    @property
    def mutes(self) -> tuple[tuple[str, float], ...]:
        return tuple(self.muted.items())

    def asked(self, server: str, now: float) -> bool:
        """Count a Question of a server; True if a flood begins with it."""
        if server not in self._recent and len(self._recent) >= MOST_SERVERS:
            self._recent.clear()
        recent = self._recent.setdefault(server, deque())
        recent.append(now)
        while recent[0] <= now - MINUTE or len(recent) > self.limit + 1:
            recent.popleft()
        begins = 0 < self.limit < len(recent) and server not in self._flooding
        if begins:
            self._flooding[server] = None
        return begins

    def left(self, server: str, waiting: int, accepted: bool) -> None:
        """Note that a Question left the Desk, where `waiting` of its server remain.

        An accepted one was wanted and does not count. With the last one a flood is over; what the server
        asked within this minute still counts.
        """
        if accepted and self._recent.get(server):
            self._recent[server].popleft()
        if not waiting:
            self._flooding.pop(server, None)

    def spare(self, server: str) -> None:
        """Forget the flood: the person wants to be asked anyway."""
        self._flooding.pop(server, None)
        self._recent.pop(server, None)

    def mute(self, server: str, until: float) -> None:
        self.spare(server)
        self.muted[server] = until

    def unmute(self, server: str) -> bool:
        return self.muted.pop(server, None) is not None

    def is_muted(self, server: str, now: float) -> bool:
        return self.muted.get(server, 0.0) > now

    def over(self, now: float) -> tuple[str, ...]:
        """Return the servers whose mute has ended."""
        return tuple(server for server, until in self.muted.items() if until <= now)
