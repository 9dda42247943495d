"""Make a Status from the routing state, and publish it.

The one place that turns the core's state into what windows show: hosts, servers, rules with the tools they
decide, tools with their verdicts. Only reads.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from fnmatch import fnmatchcase
from math import inf

from bridge import __version__
from bridge.core.policy.rules import EVERYONE, Policy, Rules
from bridge.core.policy.tool_pins import ToolPins, ToolSummary, hints
from bridge.core.ports import OWN_WINDOWS, ServerSpec
from bridge.core.questions.question import Mode
from bridge.core.routing.connections.sign_in_state import UNDER_WAY
from bridge.core.routing.router import Router
from bridge.core.routing.state import RoutingState, Tenant, UpstreamConnection
from bridge.core.status import (
    Flood,
    HeldBack,
    HostStatus,
    Mute,
    RuleStatus,
    ServerStatus,
    Status,
    ToolStatus,
    VaultStatus,
)
from bridge.i18n import say, together
from bridge.settings import Settings

log = logging.getLogger(__name__)
_SHOWN = (Mode.FORM, Mode.URL, Mode.SAMPLING)


class StatusPublisher:
    """Publish one Status per turn of the loop, however often `request` was called in it.

    `on_backoff_end`: called when a server that crashed too often may be started again.
    """

    def __init__(
        self,
        make: Callable[[], Status],
        first: Status,
        on_status: Callable[[Status], None],
        on_backoff_end: Callable[[], None],
    ) -> None:
        self.latest = first
        self._make = make
        self._on_status = on_status
        self._on_backoff_end = on_backoff_end
        self._requested = False
        self._timer: asyncio.TimerHandle | None = None
        self._published = asyncio.Event()  # replaced at each publication

    def request(self) -> None:
        if not self._requested:
            self._requested = True
            asyncio.get_running_loop().call_soon(self.publish)

    def publish(self) -> None:
        self._requested = False
        before, self.latest = self.latest, self._make()
        for problem in self.latest.problems:
            if problem not in before.problems:
                log.info("Problem: %s", problem)
        self._wait_for_backoff()
        published, self._published = self._published, asyncio.Event()
        published.set()
        self._on_status(self.latest)

    async def next(self) -> Status:
        """Wait for the next publication."""
        await self._published.wait()
        return self.latest

    def _wait_for_backoff(self) -> None:
        ends = [server.backoff_until for server in self.latest.servers if server.backoff_until]
        if ends and self._timer is None:
            delay = max(0.1, min(ends) - time.time())
            self._timer = asyncio.get_running_loop().call_later(delay, self._backoff_ended)

    def _backoff_ended(self) -> None:
        self._timer = None
        self._on_backoff_end()
        self.request()


def status_of(
    router: Router,
    settings: Settings,
    address: str,
    presenter: str,
    problems: tuple[str, ...],
    vault: VaultStatus,
) -> Status:
    state, questions = router.state, router.questions
    return Status(
        version=__version__,
        address=address,
        presenter=presenter,
        waiting=questions.waiting(),
        undoable=tuple(
            HeldBack(one, questions.undoable[one.id].answer.action, questions.undoable[one.id].until)
            for one in questions.desk.waiting()
            if one.id in questions.undoable
        ),
        missed=tuple(questions.missed.values()),
        elsewhere=tuple(questions.elsewhere.items()),
        refusing=tuple(state.unshown.refused),
        silent=state.unshown.silent,
        visits=questions.visits.ids(),
        hosts=tuple(_host(router, tenant) for tenant in state.tenants.values() if _is_host(tenant)),
        servers=tuple(_servers(router)),
        problems=problems,
        snoozed=router.snooze.on,
        snoozed_until=router.snooze.until,
        floods=tuple(Flood(name, questions.desk.count(name)) for name in questions.floods.flooding),
        held=router.held.statuses(),
        mutes=tuple(Mute(name, until) for name, until in questions.floods.mutes),
        wishes=settings.wishes,
        questions_per_minute=settings.questions_per_minute,
        history_days=settings.history_days,
        contents_days=settings.contents_days,
        language=settings.language,
        theme=settings.theme,
        icon=settings.icon,
        shortcut=settings.shortcut,
        question_timeout=settings.question_timeout,
        notices=state.unshown.notices,
        vault=vault,
    )


def _is_host(tenant: Tenant) -> bool:
    return not tenant.shared and tenant.key != OWN_WINDOWS


def _host(router: Router, tenant: Tenant) -> HostStatus:
    patience = router.held.patience_of(tenant)
    # Of programs that share a name, only the shortest limit is known: some of them never ask for progress.
    limit = patience.limit(progress=patience.source != "shared")
    wire = next((link.caller.wire for link in tenant.links.values()), "")
    return HostStatus(
        name=router.state.host_name(tenant),
        version=tenant.presence.who.version,
        wire=wire if tenant.private else tenant.key.partition(":")[0],
        revision=tenant.presence.revision,
        can_ask=Mode.FORM in tenant.presence.can,
        servers=tuple(tenant.conns),
        calls=sum(link.calls for link in tenant.links.values()),
        can=tuple(mode.value for mode in _SHOWN if mode in tenant.presence.can),
        patience=limit if limit < inf else 0.0,
        patience_source=patience.source,
    )


def _servers(router: Router) -> list[ServerStatus]:
    """Return one status for each configured or wrapped server: of its best connection."""
    state = router.state
    open_: dict[str, UpstreamConnection] = {}
    for conn in state.conns.values():
        known = open_.get(conn.spec.name)
        if known is None or known.introduction is None:
            open_[conn.spec.name] = conn
    wrapped = [link.caller.wrap for link in state.links.values() if link.caller.wrap is not None]
    specs = {**state.servers, **{spec.name: spec for spec in wrapped}}
    specs |= {name: conn.spec for name, conn in open_.items()}
    return [_server(router, spec, open_.get(name)) for name, spec in specs.items()]


def _server(router: Router, spec: ServerSpec, conn: UpstreamConnection | None) -> ServerStatus:
    state = router.state
    kind = "built-in" if spec.builtin else "http" if spec.url else "stdio"
    if not spec.enabled:
        return ServerStatus(spec.name, kind, "disabled")
    failure = router.connections.failures.get(spec.name, "")
    if sign_in := router.sign_in.of(spec.name):
        command = f"deskbell servers login {spec.name}"
        way = say("Sign in: {command}", command=command)
        if sign_in == UNDER_WAY:
            way = say("It waits for you to sign in.")
        problem = failure if failure.endswith(command) else together(failure, way)
        return ServerStatus(spec.name, kind, "sign-in", problem=problem, sign_in=sign_in)
    if conn is None:
        end = router.connections.backoff.until(spec.name, state.now)
        word = "back-off" if end else "failed" if failure else "idle"
        until = end + state.offset if end else 0.0
        return ServerStatus(spec.name, kind, word, problem=failure, backoff_until=until)
    if conn.introduction is None:
        return ServerStatus(spec.name, kind, "failed" if conn.overdue else "starting", problem=conn.overdue)
    return ServerStatus(spec.name, kind, "ready", conn.introduction.revision)


MOST_TOOLS = 5_000  # tools in Status
MOST_NAMED = 200  # tools named at one rule


class ApprovalsSnapshot:
    """Rules with the tools they decide, and tools with their verdicts; made anew only after a change."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._taken: tuple[tuple[RuleStatus, ...], tuple[ToolStatus, ...]] = ((), ())

    def take(self, state: RoutingState) -> tuple[tuple[RuleStatus, ...], tuple[ToolStatus, ...]]:
        seen = (state.policy, state.pins, state.pins.version, state.servers)
        if len(self._seen) != len(seen) or any(a is not b for a, b in zip(self._seen, seen, strict=True)):
            self._seen = seen
            tools = _tools(state)
            self._taken = tuple(_rules(state.policy, tools)), tuple(tools)
        return self._taken


def _tools(state: RoutingState) -> list[ToolStatus]:
    servers = dict.fromkeys((*state.servers, *state.pins.servers()))  # some are wrapped by hosts
    named = [(server, tool) for server in servers for tool in state.pins.tools(server) if tool.name]
    return [_tool(state, server, tool) for server, tool in named[:MOST_TOOLS]]


def _tool(state: RoutingState, server: str, tool: ToolSummary) -> ToolStatus:
    names = state.spellings(server, tool.name)
    pins: ToolPins = state.pins
    return ToolStatus(
        server,
        tool.name,
        names[0],
        tool.title,
        hints(tool),
        state.ruling(server, tool.name).verdict.value,
        pins.is_changed(server, tool.name),
    )


def _rules(policy: Policy, tools: list[ToolStatus]) -> list[RuleStatus]:
    own = [
        rule for host, one in policy.hosts.items() if host != EVERYONE for rule in _of(host, one.rules, tools)
    ]
    everyone = policy.hosts.get(EVERYONE)
    return [*own, *(_of(EVERYONE, everyone.rules, tools) if everyone else ()), *_of("", policy.rules, tools)]


def _of(host: str, rules: Rules, tools: list[ToolStatus]) -> list[RuleStatus]:
    """Return the rules of one table; the first rule that matches a tool decides it."""
    decided: set[str] = set()
    statuses = []
    for pattern, verdict in rules:
        matched = [tool.public for tool in tools if _matches(tool, pattern)]
        here = [name for name in matched if name not in decided]
        decided.update(here)
        hidden = len(matched) - len(here)
        statuses.append(RuleStatus(host, pattern, verdict.value, tuple(here[:MOST_NAMED]), len(here), hidden))
    return statuses


def _matches(tool: ToolStatus, pattern: str) -> bool:
    plain = f"{tool.server}_{tool.name}"
    return fnmatchcase(tool.public, pattern) or fnmatchcase(plain, pattern)
