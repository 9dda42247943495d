"""What one server or host may do to us and others: how much of its noise is passed on, what is told. Pure."""

from __future__ import annotations

from bridge.core import commands as do
from bridge.system.power_of_ten import is_power_of_ten

MOST_NOTES = 5000  # notifications in a second; more is noise, and costs every host
MOST_LOOKS = 30  # at its tools in a minute; some servers say that they changed whenever they are listed
MOST_ASKED = 256  # questions open at once
MOST_LOOSE = 1000  # answers that nobody waits for, known to be on their way


class PeerLimits:
    __slots__ = ("_known", "_looks", "_loose", "_minute", "_notes", "_second")

    def __init__(self) -> None:
        self._known: dict[str, int] = {}  # kind of trouble → how often
        self._loose: dict[bytes, None] = {}
        self._second = 0
        self._notes = 0
        self._minute = 0
        self._looks = 0

    def complaint(self, kind: str, detail: str, server: str = "", host: str = "") -> do.Record | None:
        """A line for the history: of the 1st, 10th, 100th… of its kind, lest they push out all else."""
        times = self._known[kind] = self._known.get(kind, 0) + 1
        if not is_power_of_ten(times):
            return None
        said = detail if times == 1 else f"{detail} So far {times} times."
        return do.Record("notice", host, server, outcome=kind, detail=said)

    def is_flood(self, now: float) -> bool:
        """One more notification: is it one too many?"""
        second = int(now)
        if second != self._second:
            self._second, self._notes = second, 0
        self._notes += 1
        return self._notes > MOST_NOTES

    def is_restless(self, now: float) -> bool:
        """One more look at its tools: is it one too many?"""
        minute = int(now / 60)
        if minute != self._minute:
            self._minute, self._looks = minute, 0
        self._looks += 1
        return self._looks > MOST_LOOKS

    def expect(self, request_id: bytes) -> None:
        """An answer to this may come, and is nobody's business."""
        self._loose[request_id] = None
        if len(self._loose) > MOST_LOOSE:
            del self._loose[next(iter(self._loose))]

    def expects(self, request_id: bytes) -> bool:
        """Is this answer such a one? It is expected once."""
        found = request_id in self._loose
        self._loose.pop(request_id, None)
        return found
