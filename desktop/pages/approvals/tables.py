"""Table models of rules and tools."""

from __future__ import annotations

from bridge.api import RuleStatus, ToolStatus
from desktop.pages.texts import host_of, risk_of, verdict_of
from desktop.widgets.table import Column, TableModel
from desktop.widgets.text.safe_text import one_line
from desktop.widgets.text.time_text import format_time

_NAMED = 4  # tools named in a row
MADE = 4  # column: empty for rules written by hand


class RuleModel(TableModel[RuleStatus]):
    def make_columns(self) -> tuple[Column[RuleStatus], ...]:
        return (
            Column(self.tr("App"), 16, lambda rule: host_of(rule.host), isolated=True),
            Column(self.tr("Tools"), 24, lambda rule: one_line(rule.pattern, 80), isolated=True),
            Column(self.tr("Action"), 13, lambda rule: verdict_of(rule.verdict)),
            Column(self.tr("Applies to"), 34, self._decides, isolated=True, stretched=True),
            Column(self.tr("Created"), 22, self._made, isolated=True),
        )

    def _made(self, rule: RuleStatus) -> str:
        """Return when and for which app "Allow always" made this rule; "" for one written by hand."""
        if not rule.allowed:
            return ""
        for_app, for_all = self.tr("Allow always, {time}, for {app}"), self.tr("Allow always, {time}")
        words = for_app if rule.allowed_by else for_all
        return words.format(time=format_time(rule.allowed_at), app=one_line(rule.allowed_by, 60))

    def _decides(self, rule: RuleStatus) -> str:
        named = ", ".join(one_line(tool, 60) for tool in rule.tools[:_NAMED])
        if rule.count > _NAMED:
            named = self.tr("{count} tools: {names}, …").format(count=rule.count, names=named)
        if rule.hidden and not rule.count:
            return self.tr("none: rules above apply first ({count})").format(count=rule.hidden)
        return named or self.tr("no known tool")


class ToolModel(TableModel[ToolStatus]):
    def make_columns(self) -> tuple[Column[ToolStatus], ...]:
        return (
            Column(self.tr("Tool"), 34, lambda tool: one_line(tool.public, 80), isolated=True),
            Column(self.tr("Server"), 16, lambda tool: one_line(tool.server, 60), isolated=True),
            Column(self.tr("Now"), 24, self._verdict),
            Column(self.tr("Risk"), 30, lambda tool: risk_of(tool.hints), stretched=True),
        )

    def _verdict(self, tool: ToolStatus) -> str:
        return self.tr("Asks: it has changed") if tool.is_changed else verdict_of(tool.verdict)
