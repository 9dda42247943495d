"""Pin the definitions of allowed tools, and detect that a server has changed one. Pure.

A server may change a tool after the user allowed it, even invisibly. The fingerprint is the whole definition
in a fixed order, whatever keys it has (EXCEPTIONS are written down), so that nothing can collide and the
difference can be shown; the server's instructions, which models read too, are pinned with its first tool. A
tool seen for the first time is trusted. Lists are parsed only when needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256

import msgspec
from msgspec import Raw

from bridge.core.policy.tool_diff import difference
from bridge.core.protocol import jsonrpc
from bridge.core.protocol.jsonrpc import Malformed, edit, members

EXCEPTIONS = frozenset({"name"})  # members of a definition that may change: the pin goes by the name
INSTRUCTIONS = ""  # the tool name under which a server's instructions are pinned
LARGEST = 200_000  # bytes of a definition that is kept; of a longer one its digest
MOST_UNREAD = 20  # lists of one server that may wait to be parsed
MOST_TOOLS = 10_000  # of one server
Key = tuple[str, str]  # server, own name of the tool
_HINTS = {
    "readOnlyHint": "readOnly",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "openWorld",
}


class ToolSummary(msgspec.Struct, frozen=True):
    """The members of a tool that windows show."""

    name: str = ""
    title: str = ""
    description: str = ""
    annotations: dict[str, object] = {}


class ToolPins:
    """`remembered`: lists of the last run, by server and method."""

    def __init__(
        self, remembered: Mapping[Key, bytes] | None = None, pinned: Mapping[Key, bytes] | None = None
    ) -> None:
        self.pinned = dict(pinned or {})
        self.version = 0  # increases with every change
        self._remembered = remembered if remembered is not None else {}
        self._unread: dict[str, list[tuple[bytes, bool]]] = {}  # server → unparsed results; True: later page
        self._tools: dict[str, dict[str, bytes]] = {}  # server → tool → definition
        self._offered: dict[str, dict[str, None]] = {}  # server → names in its last list
        self._last: dict[str, bytes] = {}
        self._prints: dict[Key, tuple[bytes, bytes]] = {}  # definition, fingerprint
        self._instructions: dict[str, bytes] = {}  # server → fingerprint, of this run

    # --- lists of tools ------------------------------------------------------------------------------

    def add_page(self, server: str, result: bytes, more: bool) -> None:
        """Record a tools/list result. `more`: a page after the first."""
        if not more and self._last.get(server) == result:
            return
        self._last[server] = b"" if more else result
        unread = self._unread.setdefault(server, [])
        unread.append((result, more))
        self.version += 1
        if len(unread) > MOST_UNREAD:
            self._read(server)

    def add_list(self, server: str, items: Iterable[bytes]) -> None:
        """Record a complete tools/list (all pages) of this server."""
        self.add_page(server, b'{"tools":[' + b",".join(items) + b"]}", False)

    def add_instructions(self, server: str, introduction: bytes | Raw) -> None:
        """Record the instructions in a server's introduction."""
        text = members(introduction).get("instructions", b'""')
        self._instructions[server] = fingerprint(b'{"instructions":' + bytes(text) + b"}")
        self.version += 1

    def forget(self, server: str) -> None:
        """Forget a server's lists, because its settings changed. Pins stay."""
        for table in (self._unread, self._tools, self._offered, self._last, self._instructions):
            table.pop(server, None)
        self.version += 1

    def rename(self, old: str, new: str) -> bool:
        """Move a server's pins to its new name; True if there were any."""
        self.forget(old)
        self.forget(new)
        mine = [key for key in self.pinned if key[0] == old]
        for key in mine:
            self.pinned[new, key[1]] = self.pinned.pop(key)
        return bool(mine)

    def servers(self) -> list[str]:
        """Return the servers that listed tools in this run."""
        return [*dict.fromkeys((*self._tools, *self._unread))]

    def tools(self, server: str) -> list[ToolSummary]:
        """Return the tools of the last known list, of this run or the last."""
        self._read(server)
        known = self._tools.get(server, {})
        return [tool_summary(known[name]) for name in self._offered.get(server, {})]

    def count(self, server: str) -> int:
        """Return how many tools the server's last known list has; 0 if none is known."""
        self._read(server)
        return len(self._offered.get(server, {}))

    def summary(self, server: str, tool: str) -> ToolSummary:
        """Return what windows show of a tool; an empty one if it was never listed."""
        item = self._item(server, tool)
        return tool_summary(item) if item else ToolSummary()

    def definition(self, server: str, tool: str) -> bytes:
        """Return the tool's fingerprint; b"" if it was never listed."""
        return self._print(server, tool)

    def may_have_output_schema(self, server: str, tool: str) -> bool:
        """False if the tool was listed without an outputSchema."""
        item = self._item(server, tool)
        return not item or b'"outputSchema"' in item

    def _item(self, server: str, tool: str) -> bytes:
        self._read(server)
        return self._tools.get(server, {}).get(tool, b"")

    def _read(self, server: str) -> None:
        if server not in self._tools:
            self._tools[server], self._offered[server] = {}, {}
            last_list = self._remembered.get((server, "tools/list"))
            if last_list is not None:
                self._unread.setdefault(server, []).insert(0, (b'{"tools":' + last_list + b"}", False))
        for result, more in self._unread.pop(server, ()):
            with suppress(Malformed):  # reported to the host that asked for the list
                self._take(server, jsonrpc.elements(members(result).get("tools", b"[]")), more)

    def _take(self, server: str, items: list[bytes], more: bool) -> None:
        tools = self._tools[server]
        offered = self._offered[server] if more else {}
        for item in items:
            name = tool_summary(item).name
            if name in tools or len(tools) < MOST_TOOLS:
                tools[name] = item
                offered[name] = None
        self._offered[server] = offered

    def has_pins(self, server: str) -> bool:
        """True if any tool of this server is pinned."""
        return any(key[0] == server for key in self.pinned)

    # --- pins ----------------------------------------------------------------------------------------

    def trust(self, server: str, tool: str) -> bool:
        """Pin an allowed tool, and its server's instructions, if they are not pinned yet; True if one was."""
        new = [one for one in (tool, INSTRUCTIONS) if (server, one) not in self.pinned]
        return self._pin_all(server, tool, new)

    def approve(self, server: str, tool: str) -> bool:
        """Pin the tool and its server's instructions as they are now; True if a pin changed."""
        return self._pin_all(server, tool, [tool, INSTRUCTIONS])

    def _pin_all(self, server: str, tool: str, wanted: list[str]) -> bool:
        if not self._print(server, tool):
            return False
        pinned = [self._pin(server, one) for one in wanted]
        return any(pinned)

    def _pin(self, server: str, tool: str) -> bool:
        definition = self._print(server, tool)
        if not definition or self.pinned.get((server, tool)) == definition:
            return False
        self.pinned[server, tool] = definition
        self.version += 1
        return True

    def is_changed(self, server: str, tool: str) -> bool:
        """True if a pinned tool's definition has changed, or its server's instructions for models."""
        return next(self._changed(server, tool), None) is not None

    def _changed(self, server: str, tool: str) -> Iterator[str]:
        """Yield the pins that differ from what is known now: of the tool, of the instructions."""
        if (server, tool) not in self.pinned:
            return
        for one in (tool, INSTRUCTIONS):
            known, definition = self.pinned.get((server, one)), self._print(server, one)
            if known is not None and definition and definition != known:
                yield one

    def _print(self, server: str, tool: str) -> bytes:
        """Return the tool's fingerprint, cached; b"" if it was never listed."""
        if tool == INSTRUCTIONS:
            return self._instructions.get(server, b"")
        item = self._item(server, tool)
        if not item:
            return b""
        known = self._prints.get((server, tool))
        if known is None or known[0] is not item:
            if len(self._prints) > MOST_TOOLS:
                self._prints.clear()
            known = self._prints[server, tool] = (item, fingerprint(item))
        return known[1]

    def change(self, server: str, tool: str) -> str:
        """Return the difference from the pinned definition; "" if none is known."""
        changed = self._changed(server, tool)
        return "\n".join(difference(self.pinned[server, one], self._print(server, one)) for one in changed)

    def drop_unallowed(
        self, allowed: Callable[[tuple[str, ...]], bool], spellings: Callable[[str, str], tuple[str, ...]]
    ) -> bool:
        """Remove pins of tools that no rule allows any more; True if there were any."""
        gone = [key for key in self.pinned if key[1] and not allowed(spellings(*key))]
        left = {server for server, tool in self.pinned if tool and (server, tool) not in gone}
        gone += [key for key in self.pinned if not key[1] and key[0] not in left]
        for key in gone:
            del self.pinned[key]
            self.version += 1
        return bool(gone)


def tool_summary(item: bytes) -> ToolSummary:
    try:
        return jsonrpc.read(ToolSummary, item)
    except Malformed:
        with suppress(Malformed):
            return ToolSummary(jsonrpc.read(str, members(item).get("name", b'""')))
        return ToolSummary()


def hints(tool: ToolSummary) -> tuple[str, ...]:
    """Return the tool's annotations that are set, with ! for false."""
    flags = {name: tool.annotations.get(key) for key, name in _HINTS.items()}
    return tuple(name if flag else f"!{name}" for name, flag in flags.items() if isinstance(flag, bool))


def fingerprint(item: bytes) -> bytes:
    """Return the tool's definition with its keys sorted; unreadable JSON unchanged."""
    try:
        edit(item, {})  # raises for a repeated key, which parsers read differently
        found = msgspec.json.decode(item, type=dict)
        seen = {part: value for part, value in found.items() if part not in EXCEPTIONS and value is not None}
        definition = msgspec.json.encode(seen, order="deterministic")
    except (Malformed, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        definition = item
    if len(definition) > LARGEST:
        return b'{"sha256":"%b"}' % sha256(definition).hexdigest().encode()
    return definition
