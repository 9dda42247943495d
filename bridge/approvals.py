"""What the person approves of, while Deskbell runs: rules are edited, "Allow always" is kept or undone.

Rules are in config.toml, and tools as they were when they were allowed in pins.json.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from bridge.core import commands as do
from bridge.core.approvals import Approvals as Shown
from bridge.core.policy import EVERYONE, Rules, Verdict
from bridge.core.state import Book
from bridge.core.status import Allowed, Status
from bridge.errors import DeskbellError
from bridge.settings import SettingsFile
from bridge.settings.editing import rules_of

MOST = 10  # that can be undone


class Approvals:
    """`changed`: the settings are others now. `problem`: what could not be done, "" when all is well."""

    def __init__(self, settings: SettingsFile, changed: Callable[[], None]) -> None:
        self._settings = settings
        self._changed = changed
        self._shown = Shown()
        self._count = 0
        self._allowed: dict[int, tuple[Allowed, str, Rules]] = {}  # with the table, and its rules before
        self.problem = ""

    def told(self, status: Status, book: Book) -> Status:
        rules, tools = self._shown.told(book)
        allowed = tuple(one for one, _, _ in reversed(self._allowed.values()))
        return replace(status, rules=rules, tools=tools, allowed=allowed)

    def allow_always(self, command: do.AllowAlways) -> None:
        before = rules_of(self._settings.current, command.table)
        words = f"{command.pattern} could not be allowed for good."
        if self._try(words, lambda: self._settings.set_policy(command.pattern, "allow", command.table)):
            self._count += 1
            host = "" if command.table == EVERYONE else command.table
            allowed = Allowed(self._count, command.pattern, host, time.time())
            self._allowed[self._count] = (allowed, command.table, before)
            for number in list(self._allowed)[:-MOST]:
                del self._allowed[number]

    def undo(self, number: int) -> None:
        """As if that "Allow always" had been a plain "Allow"; what else was changed since stays."""
        found = self._allowed.pop(number, None)
        if found is None:
            return
        allowed, table, before = found
        now = rules_of(self._settings.current, table)
        rule = (allowed.tool, Verdict.ALLOW)
        others = tuple(one for one in before if one[0] != allowed.tool)
        replaced = tuple(one for one in before if one[0] == allowed.tool)
        untouched = now == (rule, *others)
        after = before if untouched else (*replaced, *(one for one in now if one != rule))
        words = f"{allowed.tool} is still allowed."
        self._try(words, lambda: self._settings.set_rules(table, after, now))

    def set_rules(
        self, host: str, rules: tuple[tuple[str, str], ...], before: tuple[tuple[str, str], ...]
    ) -> None:
        """All rules of one table, as the person wants them now."""
        words = "The rules could not be changed."
        wanted, known = (tuple((pattern, Verdict(said)) for pattern, said in one) for one in (rules, before))
        self._try(words, lambda: self._settings.set_rules(host, wanted, known))

    def _try(self, words: str, edit: Callable[[], None]) -> bool:
        try:
            edit()
            self.problem = ""
        except DeskbellError as error:
            self.problem = f"{words} {error}"
        self._changed()
        return not self.problem
