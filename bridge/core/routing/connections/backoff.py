"""Back-off for servers that keep ending: a crash loop must not become a spawn storm. Pure."""

from __future__ import annotations

from math import ceil
from zlib import crc32

from bridge.i18n import lines, say, together

MANY, SOON = 3, 60.0  # this many ends within this many seconds start the back-off
FIRST, LONGEST = 1.0, 30.0
STARTED, TRIED = "started", "tried"  # TRIED: never worked, or remote
JITTER = 0.25  # of the delay, at most: spreads the retries of several hosts


class ServerBackoff:
    """The back-off of one server for one Tenant."""

    def __init__(self, key: tuple[str, str]) -> None:
        self._key = key
        self._ends: list[float] = []
        self._wait = 0.0
        self.until = 0.0
        self._reason = ""
        self._again = ""

    def ended(self, now: float, reason: str, again: str = STARTED) -> None:
        """Note that the server ended. `reason` names the server; `again`: STARTED or TRIED."""
        self._ends = [*(end for end in self._ends if end > now - SOON), now]
        if self._wait and now <= self.until + SOON:
            self._wait = min(self._wait * 2, LONGEST)
        else:
            self._wait = FIRST if len(self._ends) >= MANY else 0.0
        self.until = now + self._wait * (1 + JITTER * self._jitter(now))
        self._reason, self._again = reason, again

    def text(self, now: float) -> str:
        """Return why the server is not there, and in how many seconds it is tried again."""
        seconds = ceil(self.until - now)
        again = say("It is tried again in {seconds} s.", seconds=seconds)
        if self._again == STARTED:
            again = say("It is started again in {seconds} s.", seconds=seconds)
        if "\n" in self._reason:
            return lines(self._reason, again)
        if self._reason.endswith((".", "!", "?")):
            return together(self._reason, again)
        return say("{title}. {message}", title=self._reason, message=again)

    def _jitter(self, now: float) -> float:
        """Return a number from 0 to 1 that is the same for the same history."""
        return crc32(repr((self._key, now)).encode()) / 2**32


class Backoff:
    def __init__(self) -> None:
        self._known: dict[tuple[str, str], ServerBackoff] = {}

    def ended(self, tenant: str, server: str, now: float, reason: str, again: str) -> None:
        key = (tenant, server)
        self._known.setdefault(key, ServerBackoff(key)).ended(now, reason, again)

    def of(self, tenant: str, server: str, now: float) -> ServerBackoff | None:
        """Return the back-off that is in force for this server, if any."""
        rest = self._known.get((tenant, server))
        return rest if rest is not None and rest.until > now else None

    def until(self, server: str, now: float) -> float:
        """Return when the last back-off of this server ends (monotonic); 0 if none is in force."""
        ends = [rest.until for key, rest in self._known.items() if key[1] == server and rest.until > now]
        return max(ends, default=0.0)

    def forget(self, tenant: str = "", server: str = "") -> None:
        """Drop the back-off of a Tenant that left, or of a server that gets a fresh start."""
        self._known = {
            key: rest for key, rest in self._known.items() if tenant != key[0] and server != key[1]
        }
