"""Routes: which server a public name belongs to, when many servers stand behind one entry.

Names are `{server}_{tool}`, within the characters and the length real hosts accept; names that would clash
or be too long end in a short digest of what they stand for, so they are the same every time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

from bridge.core.protocol.jsonrpc import INTERNAL_ERROR, INVALID_PARAMS


class NoRoute(Exception):
    """No way leads there; the text says what to do."""

    code = INVALID_PARAMS


class InBackoff(NoRoute):
    """It ended and is not started again just yet."""

    code = INTERNAL_ERROR


MOST = 64  # letters, in the strictest hosts and models
HOST_PREFIX = "mcp__deskbell__"  # which some put before it and count; Claude Code's is the longest
MAX_NAME = MOST - len(HOST_PREFIX)
_FORBIDDEN = re.compile(r"[^A-Za-z0-9_-]")


def public_name(server: str, name: str, servers: Iterable[str] = ()) -> str:
    """How `name` of `server` is called from outside, where these are all the servers.

    With servers `a` and `a_b`, what begins with `a_b_` is the latter's: the name of a tool that looks like
    another server's is marked. So it does not matter which of them is heard first.
    """
    plain = f"{server}_{name}"
    fitting = _FORBIDDEN.sub("_", plain)
    claimed = any(len(other) > len(server) and plain.startswith(other + "_") for other in servers)
    if fitting == plain and len(plain) <= MAX_NAME and not claimed:
        return plain
    return _digested(fitting, server, name)


def spellings(server: str, name: str, public: str) -> tuple[str, ...]:
    """The public name first, then how a person might write it in a rule: as it is, and as far as it fits."""
    plain = f"{server}_{name}"
    return (public,) if plain == public else (public, plain, _FORBIDDEN.sub("_", plain))


def _digested(fitting: str, server: str, name: str) -> str:
    mark = "_" + sha256(f"{server}\0{name}".encode()).hexdigest()[:6]
    return fitting[: MAX_NAME - len(mark)] + mark


class Routes:
    """Two-way table of one kind of thing (tools, or prompts)."""

    def __init__(self, servers: Iterable[str]) -> None:
        self._servers = sorted(servers, key=len, reverse=True)
        self._routes: dict[str, tuple[str, str]] = {}

    def learn(self, server: str, name: str, public: str) -> str:
        """`name` is called `public`, unless that is the mark of another one: then it is marked itself."""
        if self._routes.get(public, (server, name)) != (server, name):
            public = _digested(public, server, name)
        self._routes[public] = (server, name)
        return public

    def find(self, public: str) -> tuple[str, str] | None:
        """Server and its own name; also for a host that remembers a name from an earlier run."""
        known = self._routes.get(public)
        if known:
            return known
        return next(
            ((s, public[len(s) + 1 :]) for s in self._servers if public.startswith(s + "_")),
            None,
        )
