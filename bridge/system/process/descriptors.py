"""File descriptors of this process: take as many as the system gives, and keep some in reserve.

Systems give out the lowest number that is free, so a descriptor with a high number means that few are left.
Hosts and servers are refused then, in words, while the last ones stay for the socket itself and for `deskbell
status`. Windows has no such limit.
"""

from __future__ import annotations

import contextlib
import sys

RESERVE = 16  # descriptors that no host and no server gets
SCARCE = "Deskbell cannot serve another one: too many applications and servers are connected."
_PER_SERVER = 6  # pipes, a pid's handle, and the pipes and the socket of the host that started it
_LARGEST = 1 << 20  # a limit that macOS calls infinite cannot be set; no more than this is ever used
_MACOS = 10240  # OPEN_MAX, beyond which setrlimit fails
_given = (0, 0)  # the limits we were started with; (0, 0): not raised


if sys.platform == "win32":

    def raise_limit() -> None:
        """Do nothing: there is no limit to raise."""

    def lower_limit_of(pid: int) -> None:
        """Do nothing: no limit was raised."""

    def limit() -> int:
        return _LARGEST

else:
    import resource

    def raise_limit() -> None:
        """Raise the soft limit to the hard one. Programs we start get the old one back (`lower_limit_of`)."""
        global _given
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _LARGEST if hard == resource.RLIM_INFINITY else min(hard, _LARGEST)
        if sys.platform == "darwin":
            most = min(most, _MACOS)
        if soft != resource.RLIM_INFINITY and soft < most:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
                _given = (soft, hard)

    def lower_limit_of(pid: int) -> None:
        """Give a process that we started the limit that we had at first: some programs close every number up
        to it, or fail on numbers above 1024."""
        if sys.platform == "linux" and _given != (0, 0):
            with contextlib.suppress(OSError):  # the process has ended
                resource.prlimit(pid, resource.RLIMIT_NOFILE, _given)

    def limit() -> int:
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return _LARGEST if soft == resource.RLIM_INFINITY else min(soft, _LARGEST)


def is_scarce(newest: int) -> bool:
    """True if this descriptor, just opened, is one of the reserve."""
    return newest >= limit() - RESERVE


def most_servers() -> int:
    """Return how many servers there are descriptors for."""
    return max(2, (limit() - RESERVE) // _PER_SERVER)
