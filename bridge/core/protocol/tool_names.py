"""Public names of tools and prompts where many servers are merged into one, and the Routes back.

A name is `{server}_{tool}`, within the characters and length that real hosts accept. A name that would clash
or be too long ends in a short digest of server and tool, so it is stable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

from bridge.core.protocol.jsonrpc import INTERNAL_ERROR, INVALID_PARAMS


class NoRoute(Exception):
    """No server has this name; the text says what to do."""

    code = INVALID_PARAMS


class InBackoff(NoRoute):
    """The server has crashed and is not restarted yet."""

    code = INTERNAL_ERROR


class TooManyConnections(NoRoute):
    """The limit of connections to servers is reached, and all of them are in use."""

    code = INTERNAL_ERROR


MOST = 64  # characters, in the strictest hosts and models
HOST_PREFIX = "mcp__deskbell__"  # counted by hosts that add it; Claude Code's is the longest
MAX_NAME = MOST - len(HOST_PREFIX)
MOST_NAMES = 100_000  # of one host; then all are forgotten, and learned again from the next list
_FORBIDDEN = re.compile(r"[^A-Za-z0-9_-]")


def not_found(name: str, method: str = "tools/call") -> str:
    """Return the error text for a tool or prompt that does not exist: over MCP, REST, CGI, on a terminal."""
    return f"{'Function' if method == 'tools/call' else 'Prompt'} not found: {name[:200]}"


def public_name(server: str, name: str, servers: Iterable[str] = ()) -> str:
    """Return the public name of `name` of `server`; `servers` are all of them.

    With servers `a` and `a_b`, names that begin with `a_b_` belong to the latter, so a tool of `a` whose
    name looks like that gets a digest. The order in which servers are listed does not matter.
    """
    plain = f"{server}_{name}"
    fitting = _FORBIDDEN.sub("_", plain)
    claimed = any(len(other) > len(server) and plain.startswith(other + "_") for other in servers)
    if fitting == plain and len(plain) <= MAX_NAME and not claimed:
        return plain
    return _digested(fitting, server, name)


def spellings(server: str, name: str, public: str) -> tuple[str, ...]:
    """Return the names that rules may use: the public one first, then the plain one, as is and sanitized."""
    plain = f"{server}_{name}"
    return (public,) if plain == public else (public, plain, _FORBIDDEN.sub("_", plain))


def _digested(fitting: str, server: str, name: str) -> str:
    mark = "_" + sha256(f"{server}\0{name}".encode()).hexdigest()[:6]
    return fitting[: MAX_NAME - len(mark)] + mark


class Routes:
    """Table of public names of one kind (tools, or prompts)."""

    def __init__(self, servers: Iterable[str] = ()) -> None:
        self._servers = sorted(servers, key=len, reverse=True)
        self._routes: dict[str, tuple[str, str]] = {}

    def learn(self, server: str, name: str, public: str) -> str:
        """Record `public` for `name` and return it; with a digest added if another tool has that name."""
        if self._routes.get(public, (server, name)) != (server, name):
            public = _digested(public, server, name)
        if len(self._routes) >= MOST_NAMES:  # a server invents new ones for each list
            self._routes.clear()
        self._routes[public] = (server, name)
        return public

    def find(self, public: str) -> tuple[str, str] | None:
        """Return server and own name; by the prefix, for a name that a host remembers from an earlier run."""
        known = self._routes.get(public)
        if known:
            return known
        return next(((s, public[len(s) + 1 :]) for s in self._servers if public.startswith(s + "_")), None)
