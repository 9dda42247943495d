"""How long a server that keeps ending is left alone: a crash loop must not become a spawn storm. Pure."""

from __future__ import annotations

from math import ceil
from zlib import crc32

from bridge.i18n import lines, say, together

MANY, SOON = 3, 60.0  # so many ends within so many seconds, and it has to rest
FIRST, LONGEST = 1.0, 30.0
STARTED, TRIED = "started", "tried"  # the latter is said of what has never worked, or is not ours to start
JITTER = 0.25  # of the rest, at most: those who wait for the same thing do not come back all at once


class ServerBackoff:
    """One server's, for one Tenant."""

    def __init__(self, key: tuple[str, str]) -> None:
        self._key = key
        self._ends: list[float] = []
        self._wait = 0.0
        self.until = 0.0
        self._reason = ""
        self._again = ""

    def ended(self, now: float, reason: str, again: str = STARTED) -> None:
        """`reason` names the server."""
        self._ends = [*(end for end in self._ends if end > now - SOON), now]
        if self._wait and now <= self.until + SOON:
            self._wait = min(self._wait * 2, LONGEST)
        else:
            self._wait = FIRST if len(self._ends) >= MANY else 0.0
        self.until = now + self._wait * (1 + JITTER * self._dice(now))
        self._reason, self._again = reason, again

    def told(self, now: float) -> str:
        """Why it is not there, and until when."""
        seconds = ceil(self.until - now)
        again = say("It is tried again in {seconds} s.", seconds=seconds)
        if self._again == STARTED:
            again = say("It is started again in {seconds} s.", seconds=seconds)
        if "\n" in self._reason:
            return lines(self._reason, again)
        if self._reason.endswith((".", "!", "?")):
            return together(self._reason, again)
        return say("{title}. {message}", title=self._reason, message=again)

    def _dice(self, now: float) -> float:
        """Below 1, and the same for the same history."""
        return crc32(repr((self._key, now)).encode()) / 2**32


class Backoff:
    def __init__(self) -> None:
        self._known: dict[tuple[str, str], ServerBackoff] = {}

    def ended(self, tenant: str, server: str, now: float, reason: str, again: str) -> None:
        key = (tenant, server)
        self._known.setdefault(key, ServerBackoff(key)).ended(now, reason, again)

    def of(self, tenant: str, server: str, now: float) -> ServerBackoff | None:
        """The rest that this server takes now, if it does."""
        rest = self._known.get((tenant, server))
        return rest if rest is not None and rest.until > now else None

    def until(self, server: str, now: float) -> float:
        """When the last of this server's rests ends; 0 if it takes none."""
        ends = [rest.until for key, rest in self._known.items() if key[1] == server and rest.until > now]
        return max(ends, default=0.0)

    def forget(self, tenant: str = "", server: str = "") -> None:
        """This host left, or this server was edited."""
        self._known = {
            key: rest for key, rest in self._known.items() if tenant != key[0] and server != key[1]
        }
