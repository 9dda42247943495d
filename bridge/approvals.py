"""Edit the rules in config.toml: by the Approvals page, by "Allow always", and by its Undo."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from bridge.core import commands as do
from bridge.core.policy.rules import EVERYONE, Policy, Rules, Verdict
from bridge.core.policy.rules_after_rename import Rename
from bridge.core.routing.state import RoutingState
from bridge.core.status import AlwaysAllowed, RuleStatus, Status
from bridge.errors import DeskbellError
from bridge.i18n import Words, explained, say
from bridge.saved_state import AllowedRule
from bridge.settings import SettingsFile
from bridge.settings.settings_file import rules_of
from bridge.snapshot import ApprovalsSnapshot
from bridge.tools.permission import PREFIX

MOST = 10  # rules of this run in Status.allowed
MOST_KEPT = 500  # rules that can be undone


class ApprovalService:
    """`changed`: called after an edit. `kept`: rules that "Allow always" made in earlier runs. `save`: keeps
    them for the next run. `problem`: why the last edit failed; "" if it did not."""

    def __init__(
        self,
        settings: SettingsFile,
        changed: Callable[[], None],
        kept: Iterable[AllowedRule] = (),
        save: Callable[[list[AllowedRule]], object] = lambda kept: None,
    ) -> None:
        self._settings = settings
        self._changed = changed
        self._save = save
        self._snapshot = ApprovalsSnapshot()
        self._kept = dict(enumerate(kept, 1))  # by number, oldest first
        self._fresh = self._count = len(self._kept)  # higher numbers are of this run
        self.problem = ""

    def add_to_status(self, status: Status, state: RoutingState) -> Status:
        rules, tools = self._snapshot.take(state)
        if self._kept:
            made = {(one.table, one.tool): number for number, one in self._kept.items()}
            rules = tuple(self._with_origin(rule, made.get((rule.host, rule.pattern), 0)) for rule in rules)
        return replace(status, rules=rules, tools=tools, allowed=self._allowed())

    def _allowed(self) -> tuple[AlwaysAllowed, ...]:
        """Return what was allowed in this run, the latest first."""
        fresh = [(number, one) for number, one in self._kept.items() if number > self._fresh]
        return tuple(
            AlwaysAllowed(number, one.tool, "" if one.table == EVERYONE else one.table, one.at, one.by)
            for number, one in fresh[: -MOST - 1 : -1]
        )

    def _with_origin(self, rule: RuleStatus, number: int) -> RuleStatus:
        if not number or rule.verdict != Verdict.ALLOW:
            return rule
        one = self._kept[number]
        return replace(rule, allowed=number, allowed_at=one.at, allowed_by=one.by)

    def allow_always(self, command: do.AllowAlways) -> None:
        before = rules_of(self._settings.current, command.table)
        words = say("Could not save “Always allow” for {tool}.", tool=command.pattern)
        if self._try(words, lambda: self._settings.set_policy(command.pattern, "allow", command.table)):
            self._count += 1
            one = AllowedRule(command.pattern, command.table, command.by, time.time(), before)
            self._keep({**self._kept, self._count: one})

    def agent_verdict(self, names: tuple[str, ...], host: str) -> Verdict | None:
        """Return what the rules for agents (tools/permission.py) say; None if they say nothing."""
        settings = self._settings.current
        return Policy(settings.policy, settings.hosts).restricted_to(PREFIX).agent_verdict(names, host)

    def allow_agent(self, pattern: str, host: str) -> None:
        self.allow_always(do.AllowAlways(pattern, host, host))

    def _keep(self, kept: dict[int, AllowedRule]) -> None:
        """Keep those whose rules still exist."""
        tables = {one.table: rules_of(self._settings.current, one.table) for one in kept.values()}
        there = [(number, one) for number, one in kept.items() if one.rule in tables[one.table]]
        self._kept = dict(there[-MOST_KEPT:])
        self._save(list(self._kept.values()))
        self._changed()

    def undo(self, number: int) -> None:
        """Take back an "Allow always", by its number in Status; later edits stay."""
        one = self._kept.get(number)
        if one is None:
            return
        now = rules_of(self._settings.current, one.table)
        if one.rule not in now:
            self._keep(self._kept)
            return
        others = tuple(rule for rule in one.before if rule[0] != one.tool)
        replaced = tuple(rule for rule in one.before if rule[0] == one.tool)
        untouched = now == (one.rule, *others)
        after = one.before if untouched else (*replaced, *(rule for rule in now if rule != one.rule))
        words = say("{tool} is still allowed.", tool=one.tool)
        if self._try(words, lambda: self._settings.set_rules(one.table, after, now)):
            self._keep({key: kept for key, kept in self._kept.items() if key != number})

    def renamed(self, rename: Rename) -> None:
        """Follow the rename of a server."""
        self._keep({number: one.renamed(rename) for number, one in self._kept.items()})

    def set_rules(
        self, host: str, rules: tuple[tuple[str, str], ...], before: tuple[tuple[str, str], ...]
    ) -> None:
        """Replace the rules of one host ("": of everyone), if they still are as `before`."""
        words = say("The rules could not be changed.")
        self._try(words, lambda: self._settings.set_rules(host, _parsed(rules), _parsed(before)))

    def set_preset(self, server: str, preset: str) -> None:
        """Set what is asked before this server's tools are called."""
        words = say("{server} asks as before.", server=server)
        self._try(words, lambda: self._settings.set_preset(server, preset))

    def _try(self, words: Words, edit: Callable[[], None]) -> bool:
        try:
            edit()
            self.problem = ""
        except DeskbellError as error:
            self.problem = say("{problem} {remedy}", problem=words, remedy=explained(error))
        self._changed()
        return not self.problem


def _parsed(rules: tuple[tuple[str, str], ...]) -> Rules:
    return tuple((pattern, Verdict(verdict)) for pattern, verdict in rules)
