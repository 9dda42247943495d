"""How many connections to servers there may be at once, and which idle one ends for a new one. Pure.

Every `initialize` over HTTP, and every name in a modern host's `clientInfo`, owns copies of servers of its
own: without a bound, one script takes all processes and file descriptors. A stdio host is a process of its
own, so its copies count towards the total only, and are ended in favour of others only after UNUSED seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bridge.core.ports import ServerSpec
from bridge.core.protocol.tool_names import TooManyConnections
from bridge.core.routing.state import Tenant, UpstreamConnection

MOST_COPIES = 32  # of one server, for one application over HTTP; those without a token of their own are one
MOST_IN_ALL = 256
UNUSED = 300.0  # seconds after which a stdio host's connection may end for another's


def to_end(
    conns: Iterable[UpstreamConnection],
    tenant: Tenant,
    spec: ServerSpec,
    most: int,
    may_end: Callable[[UpstreamConnection], bool],
    now: float,
) -> UpstreamConnection | None:
    """Return the connection that must end before this Tenant may connect to this server; None if there is
    room. Raises TooManyConnections if all are in use."""
    counted = [conn for conn in conns if not conn.spec.builtin]
    copies = [] if tenant.shared or _holds_process(tenant) else _copies(counted, tenant, spec)
    if len(copies) >= MOST_COPIES:
        counted, most = copies, MOST_COPIES
    if len(counted) < most:
        return None
    for conn in sorted(counted, key=_idlest_first):
        if (not _holds_process(conn.tenant) or conn.tenant.used + UNUSED <= now) and may_end(conn):
            return conn
    raise TooManyConnections(
        f"Deskbell has {len(counted)} connections to servers open, and all of them are in use. "
        "Try again when one of the calls is done."
    )


def _copies(
    conns: Iterable[UpstreamConnection], tenant: Tenant, spec: ServerSpec
) -> list[UpstreamConnection]:
    return [
        conn
        for conn in conns
        if conn.spec.name == spec.name
        and conn.tenant.identity == tenant.identity
        and not conn.tenant.shared
        and not _holds_process(conn.tenant)
    ]


def _idlest_first(conn: UpstreamConnection) -> tuple[bool, float]:
    return _holds_process(conn.tenant), conn.tenant.used


def _holds_process(tenant: Tenant) -> bool:
    return any(link.caller.wire == "stdio" for link in tenant.links.values())
