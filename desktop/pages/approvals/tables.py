"""Table models of rules and tools."""

from __future__ import annotations

from bridge.api import RuleStatus, ToolStatus
from desktop.pages.approvals.texts import hints_of, host_of, verdict_of
from desktop.widgets.safe_text import one_line
from desktop.widgets.table import TableModel
from desktop.widgets.time_text import format_time

_NAMED = 4  # tools named in a row
MADE = 4  # column: empty for rules written by hand


class RuleModel(TableModel[RuleStatus]):
    widths = (16, 24, 13, 34, 22)
    stretched = 3
    isolated = (0, 1, 3, MADE)

    def titles(self) -> tuple[str, ...]:
        return (
            self.tr("App"),
            self.tr("Tools"),
            self.tr("Action"),
            self.tr("Applies to"),
            self.tr("Created"),
        )

    def draw(self, rules: tuple[RuleStatus, ...]) -> None:
        self.beginResetModel()
        self.rows = list(rules)
        self.endResetModel()

    def text(self, row: RuleStatus, column: int) -> str:
        match column:
            case 0:
                return host_of(row.host)
            case 1:
                return one_line(row.pattern, 80)
            case 2:
                return verdict_of(row.verdict)
            case 3:
                return self.decides(row)
        return self.made(row)

    def made(self, rule: RuleStatus) -> str:
        """Return when and for which app "Allow always" made this rule; "" for one written by hand."""
        if not rule.allowed:
            return ""
        words = (
            self.tr("Allow always, {time}, for {app}") if rule.allowed_by else self.tr("Allow always, {time}")
        )
        return words.format(time=format_time(rule.allowed_at), app=one_line(rule.allowed_by, 60))

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
    isolated = (0, 1)

    def titles(self) -> tuple[str, ...]:
        return (self.tr("Tool"), self.tr("Server"), self.tr("Now"), self.tr("Its server says"))

    def draw(self, tools: list[ToolStatus]) -> None:
        self.beginResetModel()
        self.rows = tools
        self.endResetModel()

    def text(self, row: ToolStatus, column: int) -> str:
        match column:
            case 0:
                return one_line(row.public, 80)
            case 1:
                return one_line(row.server, 60)
            case 2:
                return self.tr("Asks: it has changed") if row.is_changed else verdict_of(row.verdict)
        return hints_of(row.hints)
