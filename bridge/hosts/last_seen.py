"""When each AI application was connected last, by the name it gives itself. Knows no clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

MOST = 200  # names; hosts choose them


class LastSeen:
    """`save`: keeps the times for the next run; called when an application comes or leaves."""

    def __init__(
        self, known: Mapping[str, float], save: Callable[[dict[str, float]], object] = lambda known: None
    ) -> None:
        self._known = dict(known)
        self._save = save
        self._connected: frozenset[str] = frozenset()

    @property
    def times(self) -> tuple[tuple[str, float], ...]:
        """Names and Unix times of those that are not connected now."""
        return tuple(item for item in self._known.items() if item[0] not in self._connected)

    def note(self, connected: Iterable[str], now: float) -> None:
        """Note which applications are connected at this moment."""
        names = frozenset(connected)
        if names == self._connected:
            return
        for name in names | self._connected:
            self._known.pop(name, None)  # the latest stand last
            self._known[name] = now
        self._connected = names
        self._known = dict(list(self._known.items())[-MOST:])
        self._save(dict(self._known))
