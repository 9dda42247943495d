"""Notifications from servers: progress, logs, changes; and which host gets them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from bridge.core import commands as do
from bridge.core.exchange.events import UrlVisited
from bridge.core.protocol import jsonrpc, log_levels, revisions, tasks
from bridge.core.protocol.jsonrpc import Envelope, edit, members
from bridge.core.protocol.revisions import Era
from bridge.core.routing.asking.task_questions import TaskQuestions
from bridge.core.routing.exchange_runner import ExchangeRunner
from bridge.core.routing.held.keep_alive import PROGRESS, KeepAlive
from bridge.core.routing.shared_servers import SharedServers
from bridge.core.routing.state import Link, OpenRequest, RoutingState, Tenant, UpstreamConnection


class CancelledParams(msgspec.Struct, frozen=True, rename="camel"):
    """`notifications/cancelled`, from either side."""

    request_id: msgspec.Raw = jsonrpc.ABSENT
    reason: msgspec.Raw = jsonrpc.ABSENT  # should be a string


class _Progress(msgspec.Struct, frozen=True, rename="camel"):
    progress_token: msgspec.Raw = jsonrpc.ABSENT
    progress: msgspec.Raw = jsonrpc.ABSENT


class _Complete(msgspec.Struct, frozen=True, rename="camel"):
    elicitation_id: str = ""


@dataclass(eq=False)
class Notifications:
    state: RoutingState
    runner: ExchangeRunner
    task_questions: TaskQuestions
    shared_servers: SharedServers
    keep_alive: KeepAlive

    def receive(self, conn: UpstreamConnection, data: bytes, envelope: Envelope, about: bytes) -> None:
        if envelope.method == PROGRESS:
            self._progressed(conn, envelope)
        elif envelope.method == "notifications/cancelled":
            self.runner.server_withdrew(
                conn, bytes(jsonrpc.read(CancelledParams, envelope.params).request_id)
            )
        else:
            recipients = self.shared_servers.recipients(conn, data, envelope, about)
            if not recipients:
                return
            if envelope.method == "notifications/elicitation/complete":
                elicitation_id = jsonrpc.read(_Complete, envelope.params).elicitation_id
                self._completed(conn, elicitation_id)
                visitors = [
                    link
                    for link in _links(recipients)
                    if self.runner.relayed.take_visit(link, conn, elicitation_id)
                ]
                self._tell_legacy(conn, visitors, data, about)
                return
            if envelope.method == tasks.CHANGED:
                params = self.task_questions.for_host(conn, recipients[0], envelope.params)
                data = jsonrpc.notification(tasks.CHANGED, params)
                envelope = Envelope(method=tasks.CHANGED, params=msgspec.Raw(params))
            note = self.runner.subscriptions.receive(conn, data, envelope)
            if note:
                self._tell_legacy(conn, _links(recipients), note, about)
            if conn.tenant.shared or conn.tenant.presence.era is Era.MODERN:
                self._tell_modern(conn, recipients, data, envelope, about)

    def _progressed(self, conn: UpstreamConnection, envelope: Envelope) -> None:
        """Restart the clock of the request, and deliver the progress if the host gave a token."""
        progress = jsonrpc.read(_Progress, envelope.params)
        token = bytes(progress.progress_token)
        request = conn.pending.get(token)
        task = self.task_questions.progress_of(conn, token) if request is None else None
        if task is not None:
            self._task_progressed(conn, envelope, *task)
        if not isinstance(request, OpenRequest) or not (request.token or conn.spec.builtin):
            return
        self.runner.start_clock(request)
        if request.token:
            params = self.keep_alive.relay(request, envelope.params, progress.progress)
            self.runner.tell(request, jsonrpc.notification(PROGRESS, params))

    def _task_progressed(
        self, conn: UpstreamConnection, envelope: Envelope, link: Link, token: bytes
    ) -> None:
        """Deliver progress of a call that became a task and keeps its token (2025-11-25)."""
        if link.id not in self.state.links:
            return
        params = edit(envelope.params, {"progressToken": token})
        if link.merged:
            params = tasks.published_relation(params, conn.spec.name)
        self.state.emit(do.Deliver(link.id, jsonrpc.notification(PROGRESS, params)))

    def _completed(self, conn: UpstreamConnection, elicitation_id: str) -> None:
        calls = [one for one in self.state.open_requests.values() if one.conn is conn]
        for request in calls if elicitation_id else ():
            self.runner.questions.close_links(request, elicitation_id)
            if request.exchange.detour:
                self.runner.advance(request, UrlVisited(elicitation_id))

    def _tell_legacy(
        self, conn: UpstreamConnection, links: Sequence[Link], data: bytes, about: bytes
    ) -> None:
        request = self._request_of(conn, about)
        for link in links:
            if link.tenant.presence.era is Era.LEGACY:
                request_id = request.exchange.request if request and request.link is link else b""
                message = published(data, conn.spec.name) if link.merged and tasks.NAMED in data else data
                self.state.emit(do.Deliver(link.id, message, request_id))

    def _tell_modern(
        self,
        conn: UpstreamConnection,
        recipients: Sequence[Tenant],
        data: bytes,
        envelope: Envelope,
        about: bytes,
    ) -> None:
        """Deliver to modern hosts what they subscribed to, under their own subscription id, and what a
        modern server sends about one of their requests.
        """
        meta = members(envelope.params).get("_meta", jsonrpc.ABSENT)
        subscription = bytes(members(meta).get(revisions.SUBSCRIPTION_KEY, b""))
        listens = conn.pending.get(subscription)
        if isinstance(listens, OpenRequest) and listens.presence.era is Era.MODERN:
            if listens.tenant not in recipients:
                return
            own_meta = edit(meta, {revisions.SUBSCRIPTION_KEY: listens.exchange.request})
            changed = jsonrpc.notification(envelope.method or "", edit(envelope.params, {"_meta": own_meta}))
            self.runner.tell(listens, changed)
        elif conn.era is Era.MODERN:
            request = None if subscription else self._request_of(conn, about)
            if request is not None and request.tenant in recipients and request.presence.era is Era.MODERN:
                self.runner.tell(request, data)
        elif envelope.method == "notifications/message":
            self._tell_logs(conn, data, envelope, about)

    def _tell_logs(self, conn: UpstreamConnection, data: bytes, envelope: Envelope, about: bytes) -> None:
        """Deliver a legacy server's log message to the request of a modern host that asked for logs."""
        wanting = [one for one in conn.pending.values() if isinstance(one, OpenRequest) and one.level]
        request = self._request_of(conn, about)
        if request is None and conn.tenant.private and wanting:
            request = wanting[-1]  # the request is unknown, but the host is the same
        if request is not None and request.level and log_levels.reaches_level(envelope.params, request.level):
            self.runner.tell(request, data)

    def _request_of(self, conn: UpstreamConnection, about: bytes) -> OpenRequest | None:
        """Return the request a notification belongs to; None if several are open and it names none."""
        known = conn.pending.get(about)
        if isinstance(known, OpenRequest):
            return known
        calls = [one for one in conn.pending.values() if isinstance(one, OpenRequest)]
        return calls[0] if len(calls) == 1 else None


def _links(tenants: Sequence[Tenant]) -> list[Link]:
    return [link for tenant in tenants for link in tenant.links.values()]


def published(note: bytes, server: str) -> bytes:
    """Return a notification about a task with the task's public id, for a host of merged servers."""
    envelope = jsonrpc.peek(note)
    rename = tasks.published if envelope.method == tasks.STATUS else tasks.published_relation
    return edit(note, {"params": rename(envelope.params, server)})
