"""Tools that the person has allowed an application for a while, without a rule. In memory only. Pure."""

from __future__ import annotations

MOST = 1000  # bounded, because hosts choose their names


class Allowances:
    """An allowance ends with its time, and when the server changes the tool."""

    def __init__(self) -> None:
        self._until: dict[tuple[str, str], tuple[bytes, float]] = {}  # host, tool → its definition, end

    def add(self, host: str, tool: str, definition: bytes, until: float) -> None:
        """Allow a tool. `tool`: its public name. `until`: monotonic time."""
        if len(self._until) >= MOST:
            self._until.clear()
        self._until[host, tool] = (definition, until)

    def covers(self, host: str, tool: str, definition: bytes, now: float) -> bool:
        """True if this host may call this tool, as it is now, without an approval."""
        known, until = self._until.get((host, tool), (b"", 0.0))
        return now < until and known == definition
