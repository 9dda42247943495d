"""Names of methods that hosts may send, and the detection of look-alikes. Pure.

A server that compares names carelessly runs `Tools/Call` as `tools/call`, and a tools/call without an id as
one with: neither was judged by the rules.
"""

from __future__ import annotations

from bridge.core.protocol.ambiguous_json import Ambiguous

HOST_NOTIFICATIONS = frozenset(
    {
        "notifications/cancelled",
        "notifications/initialized",
        "notifications/progress",
        "notifications/roots/list_changed",
        "notifications/tasks/status",
        "notifications/tasks",
    }
)
REQUESTS = frozenset(
    {
        "initialize",
        "ping",
        "completion/complete",
        "logging/setLevel",
        "prompts/get",
        "prompts/list",
        "resources/list",
        "resources/read",
        "resources/subscribe",
        "resources/templates/list",
        "resources/unsubscribe",
        "server/discover",
        "subscriptions/listen",
        "tasks/cancel",
        "tasks/get",
        "tasks/list",
        "tasks/result",
        "tasks/update",
        "tools/call",
        "tools/list",
    }
)
_KNOWN = REQUESTS | HOST_NOTIFICATIONS


def _plain(method: str) -> str:
    """Return the name as a lenient server may read it: letters and digits, in lower case."""
    return "".join(filter(str.isalnum, method.casefold()))


_TAKEN_FOR = {_plain(method): method for method in _KNOWN}


def refuse_lookalike(method: str) -> None:
    """Raise Ambiguous for an unknown name that looks like a known one. Any name that is not ASCII may: a
    Cyrillic o looks like a Latin one."""
    if not method.isascii():
        raise Ambiguous(f"the method {method[:40]!r} can be taken for another: it is not ASCII")
    if method not in _KNOWN and (meant := _TAKEN_FOR.get(_plain(method))):
        raise Ambiguous(f"the method {method[:40]!r} can be taken for {meant!r}")
