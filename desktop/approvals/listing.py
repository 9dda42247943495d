"""Rules and tools as tables. Show what a Status says; decide nothing."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from bridge.api import RuleStatus, ToolStatus
from desktop.approvals.words import hints_of, host_of, verdict_of
from desktop.widgets.table import Index, TableModel
from desktop.widgets.text import one_line

_NAMED = 4  # tools that a line names


class RuleModel(TableModel[RuleStatus]):
    widths = (20, 30, 15, 40)
    stretched = 3

    def titles(self) -> tuple[str, ...]:
        return (self.tr("For"), self.tr("Tools"), self.tr("Then"), self.tr("Decides now"))

    def draw(self, rules: tuple[RuleStatus, ...]) -> None:
        self.beginResetModel()
        self.rows = list(rules)
        self.endResetModel()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        rule = self.row(index)
        return (
            host_of(rule.host),
            one_line(rule.pattern, 80),
            verdict_of(rule.verdict),
            self.decides(rule),
        )[index.column()]

    def decides(self, rule: RuleStatus) -> str:
        named = ", ".join(one_line(tool, 60) for tool in rule.tools[:_NAMED])
        if rule.count > _NAMED:
            named = self.tr("{count} tools: {names}, …").format(count=rule.count, names=named)
        if rule.hidden and not rule.count:
            return self.tr("nothing: rules above decide them all ({count})").format(count=rule.hidden)
        return named or self.tr("nothing that is known now")


class ToolModel(TableModel[ToolStatus]):
    widths = (34, 16, 24, 30)
    stretched = 3

    def titles(self) -> tuple[str, ...]:
        return (self.tr("Tool"), self.tr("Server"), self.tr("Now"), self.tr("Its server says"))

    def draw(self, tools: list[ToolStatus]) -> None:
        self.beginResetModel()
        self.rows = tools
        self.endResetModel()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        tool = self.row(index)
        verdict = self.tr("Asks: it has changed") if tool.is_changed else verdict_of(tool.verdict)
        name = one_line(tool.public, 80)
        return (name, one_line(tool.server, 60), verdict, hints_of(tool.hints))[index.column()]
