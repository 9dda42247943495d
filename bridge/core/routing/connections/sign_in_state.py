"""Which servers wait for the person: to sign in, or to unlock their secrets. Pure.

The adapters do both. Meanwhile no clock runs for the server (`CallsInFlight.time_passed`,
`Connections.time_passed`).
"""

from __future__ import annotations

from collections import Counter

from bridge.core import events as ev

UNDER_WAY, NEEDED, SETTLED = "under way", "needed", ""


class SignInState:
    def __init__(self) -> None:
        self._sign_ins: dict[str, str] = {}  # server → UNDER_WAY or NEEDED
        self._locked: Counter[str] = Counter()  # server → connections that wait for its secrets

    def changed(self, event: ev.SignInChanged) -> None:
        if event.state:
            self._sign_ins[event.server] = event.state
        else:
            self._sign_ins.pop(event.server, None)

    def secrets_awaited(self, event: ev.SecretsAwaited) -> None:
        self._locked[event.server] += 1 if event.waits else -1
        self._locked = +self._locked  # without zeros

    def of(self, server: str) -> str:
        """Return UNDER_WAY, NEEDED or SETTLED."""
        return self._sign_ins.get(server, SETTLED)

    def awaits_person(self, server: str) -> bool:
        """True while the person is asked to sign in to this server or to unlock its secrets."""
        return self._sign_ins.get(server) == UNDER_WAY or self._locked[server] > 0
