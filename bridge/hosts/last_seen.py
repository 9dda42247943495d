"""When each AI application was connected last, by the name it gives itself. The caller passes the time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

MOST = 200  # names; hosts choose them


class LastSeen:
    """`save` stores the times for the next run; it is called when an application connects or disconnects."""

    def __init__(
        self, known: Mapping[str, float], save: Callable[[dict[str, float]], object] = lambda known: None
    ) -> None:
        self._known = dict(known)
        self._save = save
        self._connected: frozenset[str] = frozenset()

    @property
    def times(self) -> tuple[tuple[str, float], ...]:
        """Names and Unix times of the applications that are not connected now."""
        return tuple(item for item in self._known.items() if item[0] not in self._connected)

    def note(self, connected: Iterable[str], now: float) -> None:
        """Record which applications are connected at the Unix time `now`."""
        names = frozenset(connected)
        if names == self._connected:
            return
        for name in names | self._connected:
            self._known.pop(name, None)  # the most recent go to the end
            self._known[name] = now
        self._connected = names
        self._known = dict(list(self._known.items())[-MOST:])
        self._save(dict(self._known))
