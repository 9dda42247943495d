"""What the Approvals page shows: rules with the tools they decide now, tools with their verdicts. Pure."""

from __future__ import annotations

from fnmatch import fnmatchcase

from bridge.core.policy.rules import EVERYONE, Policy, Rules
from bridge.core.policy.tool_pins import Pins, Shown, hints
from bridge.core.routing.state import Book
from bridge.core.status import RuleStatus, ToolStatus

MOST_TOOLS = 5_000  # that are looked at
MOST_NAMED = 200  # tools of one rule that are told by name


class Approvals:
    """Made anew only when something it shows has changed."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._told: tuple[tuple[RuleStatus, ...], tuple[ToolStatus, ...]] = ((), ())

    def told(self, book: Book) -> tuple[tuple[RuleStatus, ...], tuple[ToolStatus, ...]]:
        seen = (book.policy, book.pins, book.pins.version, book.servers)
        if len(self._seen) != len(seen) or any(a is not b for a, b in zip(self._seen, seen, strict=True)):
            self._seen = seen
            tools = _tools(book)
            self._told = tuple(_rules(book.policy, tools)), tuple(tools)
        return self._told


def _tools(book: Book) -> list[ToolStatus]:
    servers = dict.fromkeys((*book.servers, *book.pins.servers()))  # some are wrapped by hosts
    named = [(server, tool) for server in servers for tool in book.pins.tools(server) if tool.name]
    return [_tool(book, server, tool) for server, tool in named[:MOST_TOOLS]]


def _tool(book: Book, server: str, tool: Shown) -> ToolStatus:
    names = book.spellings(server, tool.name)
    pins: Pins = book.pins
    return ToolStatus(
        server,
        tool.name,
        names[0],
        tool.title,
        hints(tool),
        book.policy.verdict(*names).value,
        pins.is_changed(server, tool.name),
    )


def _rules(policy: Policy, tools: list[ToolStatus]) -> list[RuleStatus]:
    own = [
        rule for host, one in policy.hosts.items() if host != EVERYONE for rule in _of(host, one.rules, tools)
    ]
    everyone = policy.hosts.get(EVERYONE)
    return [*own, *(_of(EVERYONE, everyone.rules, tools) if everyone else ()), *_of("", policy.rules, tools)]


def _of(host: str, rules: Rules, tools: list[ToolStatus]) -> list[RuleStatus]:
    """The rules of one table. A tool that an earlier one of them matches is decided there."""
    decided: set[str] = set()
    told = []
    for pattern, verdict in rules:
        matched = [tool.public for tool in tools if _matches(tool, pattern)]
        here = [name for name in matched if name not in decided]
        decided.update(here)
        hidden = len(matched) - len(here)
        told.append(RuleStatus(host, pattern, verdict.value, tuple(here[:MOST_NAMED]), len(here), hidden))
    return told


def _matches(tool: ToolStatus, pattern: str) -> bool:
    plain = f"{tool.server}_{tool.name}"
    return fnmatchcase(tool.public, pattern) or fnmatchcase(plain, pattern)
