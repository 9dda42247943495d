"""Hosts that declare elicitation and show Questions to nobody: they refuse at once, or never answer. Pure.

Nobody reads a Question and declines it within 300 ms. The Desk then asks in the host's place, and does so
until the person lets the host show questions again. If a host does not answer for 20 s, the Desk asks as
well. Host names are those used in the settings.
"""

from __future__ import annotations

from collections.abc import Mapping

from bridge.i18n import say

QUICK = 0.3  # seconds
MOST_LOAD = 10.0  # processes for each processor; more make no difference
SILENCE = 20.0  # seconds
OFTEN = 2  # unanswered Questions in a row after which the person is offered to be asked on the Desk
MOST = 1000  # bounded, since hosts choose their names


class UnshownQuestions:
    """`refused`: host → Unix time at which it refused a Question unseen, also in earlier runs."""

    def __init__(self, refused: Mapping[str, float] | None = None) -> None:
        self.refused = dict(refused or {})
        self._recent: dict[str, None] = {}  # hosts that refused in this run
        self._silences: dict[str, int] = {}  # host → Questions in a row that it left to the Desk

    def refuse(self, host: str, at: float) -> bool:
        """Note that a host refused a Question unseen; True if that is news."""
        if host in self.refused:
            return False
        for names in (self.refused, self._recent):
            if len(names) >= MOST:
                del names[next(iter(names))]
        self.refused[host] = at
        self._recent[host] = None
        return True

    def forget(self, host: str) -> bool:
        """Forget what a host did: the person wants it to be asked again. True if it had refused."""
        self._silences.pop(host, None)
        self._recent.pop(host, None)
        return self.refused.pop(host, None) is not None

    def fell_silent(self, host: str) -> None:
        if len(self._silences) >= MOST:
            self._silences.clear()
        self._silences[host] = self._silences.get(host, 0) + 1

    def answered(self, host: str) -> None:
        """Note that a person answered through this host."""
        self._silences.pop(host, None)

    @property
    def silent(self) -> tuple[str, ...]:
        """The hosts that left OFTEN Questions in a row without an answer."""
        return tuple(host for host, times in self._silences.items() if times >= OFTEN)

    @property
    def notices(self) -> tuple[str, ...]:
        """A notice for each host that refused in this run."""
        return tuple(map(notice, self._recent))


def is_quick(seconds: float, load: float = 0.0) -> bool:
    """True if a Question was answered sooner than anybody can read it. `load`: processes that want each
    processor; on a busy machine a program takes longer to refuse automatically."""
    return 0.0 <= seconds < QUICK * min(max(load, 1.0), MOST_LOAD)


def notice(host: str) -> str:
    return say(
        "{host} refused a question without showing it. Its questions now appear on your desktop. "
        "To let {host} show them again, use the page AI apps or {command}.",
        host=host,
        command=f'deskbell hosts ask-again "{host}"',
    )
