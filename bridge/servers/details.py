"""One server from near: its tools as it describes them, and what it wrote to stderr last. Values only."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from bridge.core.status.servers import Tool
from bridge.functions.openapi import Function

HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_LINES = 60
_LONGEST = 2_000  # letters of a line


def tools_in(functions: Sequence[Function]) -> tuple[Tool, ...]:
    return tuple(_tool(one) for one in functions)


def _tool(one: Function) -> Tool:
    said = one.tool.get("annotations")
    notes: Mapping[str, Any] = said if isinstance(said, dict) else {}
    title = one.title if one.title != one.name else str(notes.get("title") or "")
    return Tool(
        one.name,
        one.public,
        title,
        one.description,
        tuple(hint for hint in HINTS if notes.get(hint) is True),
        msgspec.json.encode(one.input_schema),
    )


def listed(raw: bytes) -> list[dict[str, Any]]:
    """What lists.json kept of a server's tools; who knows what happened to that file."""
    try:
        tools = msgspec.json.decode(raw, type=list[dict[str, Any]])
    except msgspec.MsgspecError:
        return []
    return [tool for tool in tools if isinstance(tool.get("name"), str)]


class Lines:
    """The last lines that servers wrote to stderr, by server."""

    def __init__(self) -> None:
        self._known: dict[str, deque[str]] = {}

    def add(self, server: str, line: str) -> None:
        self._known.setdefault(server, deque(maxlen=_LINES)).append(line[:_LONGEST])

    def of(self, server: str) -> tuple[str, ...]:
        return tuple(self._known.get(server, ()))
