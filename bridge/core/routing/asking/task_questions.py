"""Questions inside tasks of the modern extension. Pure.

A host sees them when it reads the task. What the host cannot answer is asked here and answered by our own
`tasks/update`; meanwhile the host sees a task that is working.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Raw

from bridge.core.exchange.events import UpstreamAsked, UpstreamWithdrew
from bridge.core.exchange.replies import DESK_CAN
from bridge.core.exchange.state_machine import Exchange
from bridge.core.protocol import elicitation, jsonrpc, tasks
from bridge.core.protocol.elicitation import ServerQuestion, ServerRequest
from bridge.core.protocol.jsonrpc import edit
from bridge.core.protocol.revisions import Era
from bridge.core.protocol.tasks import Task
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.router_part import RouterPart
from bridge.core.routing.state import Link, OpenRequest, RoutingState, Tenant, UpstreamConnection
from bridge.core.routing.task_owners import TaskOwners

MOST = 1000  # tasks of one connection that are known; the oldest are forgotten first


class AskingTask(msgspec.Struct, eq=False):
    """A task of the modern extension, and what was asked here on its behalf."""

    tool: str = ""
    by_key: dict[str, OpenRequest] = {}  # key of the Question → the request that asks it


class _Tasks(msgspec.Struct, eq=False):
    """The tasks of one connection."""

    live: dict[str, str] = {}  # task that no host has seen the end of → key of its Tenant
    asking: dict[str, AskingTask] = {}  # tasks of a modern server
    tokens: dict[bytes, tuple[Link, bytes]] = {}  # our id of the call → its host's progress token


class TaskQuestions(RouterPart):
    def __init__(self, state: RoutingState, runner: ExchangeRunner, owners: TaskOwners) -> None:
        self.state = state
        self.runner = runner
        self.owners = owners
        self.known: dict[UpstreamConnection, _Tasks] = {}

    def connection_closed(self, conn: UpstreamConnection) -> None:
        self.known.pop(conn, None)

    def tenant_closed(self, tenant: Tenant) -> None:
        for tasks_ in self.known.values():
            tasks_.live = {task: owner for task, owner in tasks_.live.items() if owner != tenant.key}

    def live(self, conn: UpstreamConnection) -> Mapping[str, str]:
        """Return the tasks a connection works on, each with the key of the Tenant that started it."""
        known = self.known.get(conn)
        return known.live if known is not None else {}

    def progress_of(self, conn: UpstreamConnection, upstream_id: bytes) -> tuple[Link, bytes] | None:
        """Return the Link and progress token of a call that became a task (2025-11-25 keeps the token)."""
        known = self.known.get(conn)
        return known.tokens.get(upstream_id) if known is not None else None

    def reply_for_host(self, request: OpenRequest, result: bytes) -> bytes:
        """Return a server's result about a task as the host may see it, under the task's public id."""
        conn, method, server = request.conn, request.method, request.conn.spec.name
        modern = conn.era is Era.MODERN
        task = "" if method in tasks.BY_TASK else tasks.created(result, Era.MODERN if modern else Era.LEGACY)
        if task:
            self._begun(request, task, modern)
        elif method == tasks.CANCEL or (method == tasks.RESULT and not modern):
            self._over(conn, jsonrpc.read(Task, request.params or request.envelope.params).task_id)
        elif method == tasks.GET and modern:
            result = self.for_host(conn, request.tenant, result)
        if not request.merged or not (task or method in tasks.BY_TASK):
            return result
        publish = tasks.published_relation if method == tasks.RESULT else tasks.published
        return publish(result, server)

    def _begun(self, request: OpenRequest, task: str, modern: bool) -> None:
        """Note that a call became a task. A legacy server may report its progress under the same token."""
        conn = request.conn
        known = self.known.setdefault(conn, _Tasks())
        known.live[task] = request.tenant.key
        if conn.spec.shared:
            self.owners.begun(request.tenant.key, conn.identity, task)
        if len(known.live) > MOST:
            del known.live[next(iter(known.live))]
        if modern:
            known.asking[task] = AskingTask(request.name)
            if len(known.asking) > MOST:
                self._over(conn, next(iter(known.asking)))
        elif request.token and request.link is not None:
            known.tokens[request.upstream_id] = (request.link, request.token)
            if len(known.tokens) > MOST:
                del known.tokens[next(iter(known.tokens))]

    def _over(self, conn: UpstreamConnection, task: str) -> None:
        """Withdraw what was asked for a task that has ended."""
        known = self.known.setdefault(conn, _Tasks())
        known.live.pop(task, None)
        ended = known.asking.pop(task, None)
        for key, request in ended.by_key.items() if ended else ():
            self.runner.advance(request, UpstreamWithdrew(key))

    def for_host(self, conn: UpstreamConnection, tenant: Tenant, data: bytes | Raw) -> bytes:
        """Return a task as its host may see it, after asking here what the host cannot answer."""
        task = jsonrpc.read(Task, data)
        if task.status in tasks.OVER:
            self._over(conn, task.task_id)
        if task.status != "input_required":
            return bytes(data)
        ours = self._ours(conn, tenant, task)
        if not ours:
            return bytes(data)
        for key in ours:
            self._ask(conn, tenant, task.task_id, key, ours[key])
        left = {key: bytes(raw) for key, raw in task.input_requests.items() if key not in ours}
        if left:
            return edit(data, {"inputRequests": edit(b"{}", dict(left))})
        return edit(data, {"inputRequests": None, "status": b'"working"'})

    def _ours(self, conn: UpstreamConnection, tenant: Tenant, task: Task) -> dict[str, ServerQuestion]:
        host, server = self.state.host_name(tenant), conn.spec.name
        requests = {key: jsonrpc.read(ServerRequest, raw) for key, raw in task.input_requests.items()}
        asked = {key: elicitation.question_from(one, "", server, host) for key, one in requests.items()}
        return {key: one for key, one in asked.items() if one.question.mode in DESK_CAN - tenant.can}

    def _ask(
        self, conn: UpstreamConnection, tenant: Tenant, task: str, key: str, asked: ServerQuestion
    ) -> None:
        """Ask a task's question, once: it stays in the task until the server has the answer."""
        known = self.known.setdefault(conn, _Tasks())
        asking = known.asking.setdefault(task, AskingTask())
        if key in asking.by_key:
            return
        state = self.state
        request = OpenRequest(
            state.next(), Exchange.of_server(), None, tenant, conn, tenant.presence, task=task
        )
        asking.by_key[key] = request
        question = state.dated(asked.question, id=f"q{state.next()}", tool=asking.tool)
        self.runner.begin(request, UpstreamAsked({key: asked._replace(question=question)}))
