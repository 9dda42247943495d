"""Questions inside a task of the modern extension: the host is told of them when it looks at the task.

What the host cannot answer is asked here, and answered by a `tasks/update` of our own; the host then sees a
task that works on. Pure.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec import Raw

from bridge.core import events as ev
from bridge.core.protocol import elicitation, jsonrpc, tasks
from bridge.core.protocol.elicitation import Asked, Inquiry
from bridge.core.protocol.jsonrpc import edit
from bridge.core.protocol.revisions import Era
from bridge.core.protocol.tasks import Task
from bridge.core.routing.exchange import DESK_CAN, Exchange
from bridge.core.routing.exchange_runner import Wishes
from bridge.core.routing.state import Book, Chore, Conn, Errand, Party
from bridge.core.routing.who_asks import who_asks

MOST = 1000  # tasks of one connection that are known; the oldest are forgotten first


class Chores:
    def __init__(self, book: Book, wishes: Wishes) -> None:
        self.book = book
        self.wishes = wishes

    def told(self, errand: Errand, result: bytes) -> bytes:
        """What a server says of a task, as the host may see it, and under the name that it has there."""
        conn, method, server = errand.conn, errand.method, errand.conn.spec.name
        modern = conn.introduction is not None and conn.introduction.era is Era.MODERN
        task = "" if method in tasks.BY_TASK else tasks.created(result, Era.MODERN if modern else Era.LEGACY)
        if task:
            self.begun(errand, task, modern)
        elif method == tasks.CANCEL or (method == tasks.RESULT and not modern):
            self.over(conn, jsonrpc.read(Task, errand.params or errand.envelope.params).task_id)
        elif method == tasks.GET and modern:
            result = self.sifted(conn, errand.party, result)
        if not errand.merged or not (task or method in tasks.BY_TASK):
            return result
        publish = tasks.published_relation if method == tasks.RESULT else tasks.published
        return publish(result, server)

    def begun(self, errand: Errand, task: str, modern: bool) -> None:
        """A call became a task. A legacy server may go on to tell of its progress under the same token."""
        conn = errand.conn
        conn.live[task] = errand.party.key
        if conn.spec.shared:
            self.book.owners.begun(errand.party.key, conn.spec.identity, task)
        if len(conn.live) > MOST:
            del conn.live[next(iter(conn.live))]
        if modern:
            conn.chores[task] = Chore(errand.name)
            if len(conn.chores) > MOST:
                self.over(conn, next(iter(conn.chores)))
        elif errand.token and errand.link is not None:
            conn.lasting[errand.upstream_id] = (errand.link, errand.token)
            if len(conn.lasting) > MOST:
                del conn.lasting[next(iter(conn.lasting))]

    def over(self, conn: Conn, task: str) -> None:
        """Nobody needs what was asked for it."""
        conn.live.pop(task, None)
        chore = conn.chores.pop(task, None)
        for key, errand in chore.asked.items() if chore else ():
            self.wishes.live(errand, ev.UpstreamWithdrew(key))

    def sifted(self, conn: Conn, party: Party, data: bytes | Raw) -> bytes:
        """A task as its host may see it: what the host cannot answer is asked here."""
        task = jsonrpc.read(Task, data)
        if task.status in tasks.OVER:
            self.over(conn, task.task_id)
        if task.status != "input_required":
            return bytes(data)
        ours = self._ours(conn, party, task)
        if not ours:
            return bytes(data)
        for key in ours:
            self._ask(conn, party, task.task_id, key, ours[key])
        left = {key: bytes(raw) for key, raw in task.input_requests.items() if key not in ours}
        if left:
            return edit(data, {"inputRequests": edit(b"{}", dict(left))})
        return edit(data, {"inputRequests": None, "status": b'"working"'})

    def _ours(self, conn: Conn, party: Party, task: Task) -> dict[str, Asked]:
        host = self.book.host_name(party)
        _, can = who_asks(self.book.rule(party), party.presence)
        inquiries = {key: jsonrpc.read(Inquiry, raw) for key, raw in task.input_requests.items()}
        asked = {key: elicitation.asked(one, "", conn.spec.name, host) for key, one in inquiries.items()}
        return {key: one for key, one in asked.items() if one.question.mode in DESK_CAN - can}

    def _ask(self, conn: Conn, party: Party, task: str, key: str, asked: Asked) -> None:
        """Once: it stands in the task until the server has heard the answer."""
        chore = conn.chores.setdefault(task, Chore())
        if key in chore.asked:
            return
        book = self.book
        errand = Errand(book.next(), Exchange.of_server(), None, party, conn, party.presence, task=task)
        book.errands[errand.id] = chore.asked[key] = errand
        question = book.dated(replace(asked.question, id=f"q{book.next()}", tool=chore.tool))
        self.wishes.live(errand, ev.UpstreamAsked({key: asked._replace(question=question)}))
