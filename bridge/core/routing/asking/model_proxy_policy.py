"""Decide about requests that servers send to models by the vendors' own APIs (`models = true`). Pure.

Consent and budgets are those of sampling: outside any call only with a consent of its own, and beyond a
limit the person is asked, even for a server that may always ask.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bridge.core.protocol.revisions import RESUMABLE
from bridge.core.routing.state import OpenRequest, RoutingState, UpstreamConnection
from bridge.core.sampling.budget import Budget


@dataclass(frozen=True, slots=True)
class ModelProxyVerdict:
    """The decision on one request. `host`, `tool`: of the call it is made for; "" if that is not known."""

    refusal: str = ""
    asks: bool = False  # the person must agree
    why: str = ""  # the limit that was reached
    host: str = ""
    tool: str = ""


class ModelProxyPolicy:
    """`epoch` is Unix time: these requests come by HTTP, outside the Router's events."""

    def __init__(self, state: RoutingState, budget: Budget) -> None:
        self._state = state
        self._budget = budget

    def decide(self, server: str, epoch: float) -> ModelProxyVerdict:
        rules, under_way = self._state.settings.sampling, self._calls(server)
        if not under_way and server not in rules.background:
            return ModelProxyVerdict(
                f"{server} may not use models outside a call, unless you allow it under Models."
            )
        why = self._budget.exceeded(server, epoch, max((one.samples for one in under_way), default=0))
        hosts = {self._state.host_name(one.tenant) for one in under_way}
        tools = {one.name for one in under_way}
        tool = tools.pop() if len(tools) == 1 else ""
        return ModelProxyVerdict(
            "", bool(why) or server not in rules.allow, why, " or ".join(sorted(hosts)), tool
        )

    def sent(self, server: str, epoch: float) -> None:
        """Count a request that goes to a model, in each call that it may be for."""
        self._budget.sent(server, epoch)
        for call in self._calls(server):
            count(call)

    def capped(self, server: str, epoch: float, max_tokens: int) -> int:
        """Return how many tokens an answer may have without asking the person; 0: no limit."""
        most = self._budget.limits.tokens_per_day
        return self._budget.capped(server, epoch, max_tokens or most) if most else max_tokens

    def _calls(self, server: str) -> list[OpenRequest]:
        """Return the calls under way at this server."""
        return [one for conn in self._state.conns.values() if conn.spec.name == server for one in calls(conn)]


def calls(conn: UpstreamConnection) -> Iterator[OpenRequest]:
    """Yield the calls under way on this connection."""
    pending = conn.pending.values()
    return (one for one in pending if isinstance(one, OpenRequest) and one.method in RESUMABLE)


def count(call: OpenRequest) -> None:
    """Count a request to a model in the call it is made for."""
    call.samples += 1
