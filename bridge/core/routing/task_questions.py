"""Questions inside a task of the modern extension: the host is told of them when it looks at the task.

What the host cannot answer is asked here, and answered by a `tasks/update` of our own; the host then sees a
task that works on. Pure.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec import Raw

from bridge.core import events as ev
from bridge.core.protocol import elicitation, jsonrpc, tasks
from bridge.core.protocol.elicitation import Asked, ServerRequest
from bridge.core.protocol.jsonrpc import edit
from bridge.core.protocol.revisions import Era
from bridge.core.protocol.tasks import Task
from bridge.core.routing.exchange import DESK_CAN, Exchange
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.state import AskingTask, OpenRequest, RoutingState, Tenant, UpstreamConnection

MOST = 1000  # tasks of one connection that are known; the oldest are forgotten first


class TaskQuestions:
    def __init__(self, state: RoutingState, runner: ExchangeRunner) -> None:
        self.state = state
        self.runner = runner

    def told(self, request: OpenRequest, result: bytes) -> bytes:
        """What a server says of a task, as the host may see it, and under the name that it has there."""
        conn, method, server = request.conn, request.method, request.conn.spec.name
        modern = conn.introduction is not None and conn.introduction.era is Era.MODERN
        task = "" if method in tasks.BY_TASK else tasks.created(result, Era.MODERN if modern else Era.LEGACY)
        if task:
            self.begun(request, task, modern)
        elif method == tasks.CANCEL or (method == tasks.RESULT and not modern):
            self.over(conn, jsonrpc.read(Task, request.params or request.envelope.params).task_id)
        elif method == tasks.GET and modern:
            result = self.sifted(conn, request.tenant, result)
        if not request.merged or not (task or method in tasks.BY_TASK):
            return result
        publish = tasks.published_relation if method == tasks.RESULT else tasks.published
        return publish(result, server)

    def begun(self, request: OpenRequest, task: str, modern: bool) -> None:
        """A call became a task. A legacy server may go on to tell of its progress under the same token."""
        conn = request.conn
        conn.live[task] = request.tenant.key
        if conn.spec.shared:
            self.state.owners.begun(request.tenant.key, conn.spec.identity, task)
        if len(conn.live) > MOST:
            del conn.live[next(iter(conn.live))]
        if modern:
            conn.asking_tasks[task] = AskingTask(request.name)
            if len(conn.asking_tasks) > MOST:
                self.over(conn, next(iter(conn.asking_tasks)))
        elif request.token and request.link is not None:
            conn.lasting[request.upstream_id] = (request.link, request.token)
            if len(conn.lasting) > MOST:
                del conn.lasting[next(iter(conn.lasting))]

    def over(self, conn: UpstreamConnection, task: str) -> None:
        """Nobody needs what was asked for it."""
        conn.live.pop(task, None)
        chore = conn.asking_tasks.pop(task, None)
        for key, request in chore.asked.items() if chore else ():
            self.runner.advance(request, ev.UpstreamWithdrew(key))

    def sifted(self, conn: UpstreamConnection, tenant: Tenant, data: bytes | Raw) -> bytes:
        """A task as its host may see it: what the host cannot answer is asked here."""
        task = jsonrpc.read(Task, data)
        if task.status in tasks.OVER:
            self.over(conn, task.task_id)
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

    def _ours(self, conn: UpstreamConnection, tenant: Tenant, task: Task) -> dict[str, Asked]:
        host = self.state.host_name(tenant)
        server_requests = {key: jsonrpc.read(ServerRequest, raw) for key, raw in task.input_requests.items()}
        asked = {
            key: elicitation.question_from(one, "", conn.spec.name, host)
            for key, one in server_requests.items()
        }
        return {key: one for key, one in asked.items() if one.question.mode in DESK_CAN - tenant.can}

    def _ask(self, conn: UpstreamConnection, tenant: Tenant, task: str, key: str, asked: Asked) -> None:
        """Once: it stands in the task until the server has heard the answer."""
        chore = conn.asking_tasks.setdefault(task, AskingTask())
        if key in chore.asked:
            return
        state = self.state
        request = OpenRequest(
            state.next(), Exchange.of_server(), None, tenant, conn, tenant.presence, task=task
        )
        state.open_requests[request.id] = chore.asked[key] = request
        question = state.dated(replace(asked.question, id=f"q{state.next()}", tool=chore.tool))
        self.runner.advance(request, ev.UpstreamAsked({key: asked._replace(question=question)}))
