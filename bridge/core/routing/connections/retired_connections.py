"""Connections that get no new calls and are closed after their last one: their settings have changed, or
their host has left. Pure.
"""

from __future__ import annotations

from bridge.core.exchange.events import CallTimedOut
from bridge.core.protocol import jsonrpc
from bridge.core.protocol.handshake import Handshake
from bridge.core.routing.asking.task_questions import TaskQuestions
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.state import ListPart, RoutingState, Tenant, ToolCheck, UpstreamConnection
from bridge.core.routing.subscriptions.filter import LISTEN
from bridge.i18n import say

FINISH = 60.0  # seconds a server has to start after its host has left


class RetiredConnections:
    def __init__(self, state: RoutingState, runner: ExchangeRunner, tasks: TaskQuestions) -> None:
        self.state = state
        self.runner = runner
        self.tasks = tasks
        self.conns: set[UpstreamConnection] = set()
        self._finishing: dict[UpstreamConnection, float] = {}  # start without a host, until when

    def add(self, conn: UpstreamConnection) -> None:
        """Retire a connection that no new call can find any more, and end the subscriptions on it."""
        self.conns.add(conn)
        words = say("The settings of {server} were changed. Try again.", server=conn.spec.name)
        error = self.state.own_error(jsonrpc.UNANSWERED, words)
        for request in [one for one in self.state.requests_of(conn) if one.method == LISTEN]:
            self.runner.advance(request, CallTimedOut(error))

    def discard(self, conn: UpstreamConnection) -> None:
        self.conns.discard(conn)
        self._finishing.pop(conn, None)

    def may_finish(self, conn: UpstreamConnection) -> bool:
        """True if a server is to start although its host has left: its lists are not known, so the next host
        would leave too. One process of each server at a time."""
        if conn.introduction is not None or not conn.spec.command or conn in self.conns:
            return False
        known = self.state.memory.introduction(self.state.memory_key(conn, conn.tenant))
        return known is None and all(one.identity != conn.identity for one in self._finishing)

    def finish(self, conn: UpstreamConnection) -> None:
        """Let a retired connection start without its host and list what the server has."""
        self._finishing[conn] = self.state.now + FINISH

    def is_finishing(self, conn: UpstreamConnection) -> bool:
        return conn in self._finishing

    def overdue(self, now: float) -> list[UpstreamConnection]:
        """Return the connections that did not start in time without their host."""
        return [conn for conn, until in self._finishing.items() if until <= now]

    def done(self) -> list[UpstreamConnection]:
        """Return the retired connections whose last call is done."""
        return [conn for conn in self.conns if not self.at_work(conn)]

    def at_work(self, conn: UpstreamConnection) -> bool:
        """True if something waits for this connection, or its server works on a task."""
        waiting = (*conn.pending.values(), *conn.backlog)
        finishes = conn in self._finishing and any(isinstance(one, Handshake | ToolCheck) for one in waiting)
        lists = finishes or any(isinstance(one, ListPart) for one in waiting)
        return lists or bool(self.tasks.live(conn)) or bool(self.state.requests_of(conn))

    def with_task(self, tenant: Tenant, task: str) -> UpstreamConnection | None:
        """Return the retired connection that still works on this task of the Tenant."""
        return next((conn for conn in self.conns if self.tasks.live(conn).get(task) == tenant.key), None)
