"""Limits per peer: notification rate, open questions, and how often a violation is logged. Pure."""

from __future__ import annotations

from bridge.core import commands as do
from bridge.system.sparse_logging import is_logged_repetition

MOST_NOTES = 5000  # notifications in a second; more would slow down every host
MOST_LOOKS = 30  # at its tools in a minute; some servers say that they changed whenever they are listed
MOST_ASKED = 256  # questions open at once
MOST_LOOSE = 1000  # replies to requests that were cancelled, still to come


class PeerLimits:
    __slots__ = ("_counts", "_known", "_loose")

    def __init__(self) -> None:
        self._known: dict[str, int] = {}  # kind of trouble → how often
        self._loose: dict[bytes, None] = {}
        self._counts: dict[str, tuple[int, int]] = {}  # what is counted → period, how often in it

    def record_of(self, kind: str, detail: str, server: str = "", host: str = "") -> do.Record | None:
        """Return a line for the history for the 1st, 10th, 100th… of a kind: more would push out the rest."""
        times = self._known[kind] = self._known.get(kind, 0) + 1
        if not is_logged_repetition(times):
            return None
        text = detail if times == 1 else f"{detail} So far {times} times."
        return do.Record("notice", host, server, outcome=kind, detail=text)

    def is_flood(self, now: float) -> bool:
        """Count a notification; True if it is one too many within this second."""
        return self._count("notifications", int(now)) > MOST_NOTES

    def checks_too_often(self, now: float) -> bool:
        """Count a check of the server's tools; True if it is one too many within this minute."""
        return self._count("tool checks", int(now / 60)) > MOST_LOOKS

    def _count(self, what: str, period: int) -> int:
        last, times = self._counts.get(what, (period, 0))
        self._counts[what] = period, (times + 1 if last == period else 1)
        return self._counts[what][1]

    def abandon_reply(self, request_id: bytes) -> None:
        """Note that the reply to this request of ours is to be dropped."""
        self._loose[request_id] = None
        if len(self._loose) > MOST_LOOSE:
            del self._loose[next(iter(self._loose))]

    def take_abandoned(self, request_id: bytes) -> bool:
        """True, once, if this is the late reply to a request we cancelled; drop it silently."""
        found = request_id in self._loose
        self._loose.pop(request_id, None)
        return found
