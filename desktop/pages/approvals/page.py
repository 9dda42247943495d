"""The Approvals page: one choice for each server; behind *Advanced*, rules in order and their tools.

Shows the rules in force; changes are saved in the settings.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from bridge.api import AlwaysAllowed, RuleStatus, Services, Status, ToolStatus
from desktop.pages.approvals.presets import PresetList
from desktop.pages.approvals.rule_dialog import RuleDialog
from desktop.pages.approvals.tables import MADE, RuleModel, ToolModel
from desktop.pages.base_page import StatusPage
from desktop.pages.texts import VERDICTS, host_of, verdict_of
from desktop.theme.metrics import GRID
from desktop.widgets.controls import Disclosure, make_button, make_search
from desktop.widgets.flow_layout import flow
from desktop.widgets.labels import Label, Tone
from desktop.widgets.layouts import PAGE, column, row, vertical_splitter, widget_with
from desktop.widgets.message_bar import MessageBar, MessageBarList
from desktop.widgets.page_head import PageHead
from desktop.widgets.table import choose_row, chosen_row, make_table
from desktop.widgets.text.bidi import isolate
from desktop.widgets.text.safe_text import one_line

Rules = tuple[tuple[str, str], ...]  # pattern, verdict
_BAR_LINES = 14  # text lines of bars before they scroll


class ApprovalsPage(StatusPage):
    def __init__(self, services: Services) -> None:
        super().__init__("approvals")
        self._service = services.approvals
        self._drawn = Status()
        self._rules = RuleModel(self)
        self._tools = ToolModel(self)
        self._bars = MessageBarList("approvalBars", _BAR_LINES)
        self._bars.grew.connect(self.grew)
        head = PageHead(
            self.tr("Approvals"), self.tr("What Deskbell asks you before a server's tools are used.")
        )
        self._presets = PresetList(services)
        self._presets.grew.connect(self.grew)
        self._advanced = Disclosure(self.tr("Ad&vanced"), self.tr("Rules for single tools"), name="advanced")
        self._advanced.toggled.connect(self._turn)
        words = self.tr(
            "Rules are checked from top to bottom, an app's own rules first. What no rule matches is decided "
            "by the choice for its server. If a tool changes, you'll be asked again."
        )
        note = Label(words, name="approvalsNote", tone=Tone.MUTED)
        parts = vertical_splitter("approvalParts", self._upper(), self._lower())
        self._rules_part = widget_with(column(note, (parts, 1), spacing=10))
        lists = ((self._presets, 1), self._advanced, (self._rules_part, 1))
        self.setLayout(column(head, self._bars, *lists, margins=PAGE, spacing=2 * GRID))
        self._turn(False)
        self._redraw()

    def _turn(self, advanced: bool) -> None:
        self._presets.setVisible(not advanced)
        self._rules_part.setVisible(advanced)
        self.grew.emit()

    def draw(self, status: Status) -> None:
        """Draw also while hidden: the splitter divides the room by what is drawn when it is first shown."""
        self._status = status
        self._redraw()

    def _redraw(self) -> None:
        status = self._status
        known, self._drawn = self._drawn, status
        self._presets.draw(status)
        if (known.allowed, known.tools) != (status.allowed, status.tools):
            self._bars.draw([*self._undo_bars(status), *self._changed_bars(status)])
        if known.rules != status.rules or not self._rules.rows:
            self._draw_rules(status.rules)
        if known.tools != status.tools or known.rules != status.rules or not self._tools.rows:
            self._draw_tools()
        self._enable()

    # building

    def _upper(self) -> QWidget:
        title = self.tr("Rules, in the order in which they are checked")
        self._rule_view = make_table("ruleList", title, self._rules, single=True)
        self._rule_view.selectionModel().selectionChanged.connect(lambda *_: self._draw_tools())
        self._rule_view.doubleClicked.connect(lambda _: self._change())
        QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self._rule_view, self._delete)
        self._none = Label("", name="noRules")
        add = make_button("addRule", self.tr("&Add rule…"), self._add)
        edits = (
            ("changeRule", self.tr("C&hange…"), self._change),
            ("ruleUp", self.tr("Move &up"), lambda: self._move(-1)),
            ("ruleDown", self.tr("Move do&wn"), lambda: self._move(1)),
            ("deleteRule", self.tr("&Delete"), self._delete),
            ("undoRule", self.tr("Undo Allow al&ways"), self._undo),
        )
        self._buttons = {edit[0]: make_button(*edit) for edit in edits}
        buttons = flow(add, *self._buttons.values(), spacing=GRID)
        return widget_with(column(self._none, (self._rule_view, 1), buttons))

    def _lower(self) -> QWidget:
        self._tools_title = Label("", name="toolsTitle", bold=True)
        clear_selection = self._rule_view.clearSelection
        self._show_all = make_button("allTools", self.tr("Show all &tools"), clear_selection)
        clear = "clearSearch", self.tr("Clear the search")
        search = self.tr("Search tools")
        self._words = make_search("searchTools", search, lambda _: self._draw_tools(), clear)
        self._words.setMaximumWidth(self.fontMetrics().averageCharWidth() * 30)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._words.setFocus)
        known = self.tr("Known tools")
        self._tool_view = make_table("toolList", known, self._tools, single=True)
        self._tool_view.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        title = Label(self.tr("A rule for the selected tool:"), name="forTool")
        title.setWordWrap(False)
        self._verdicts = {
            verdict: make_button(f"tool:{verdict}", verdict_of(verdict), partial(self._decide, verdict))
            for verdict in VERDICTS
        }
        head = row((self._tools_title, 1), self._show_all, self._words)
        buttons = row(title, *self._verdicts.values(), 1)
        return widget_with(column(head, (self._tool_view, 1), buttons, margins=(0, 6, 0, 0)))

    def _undo_bars(self, status: Status) -> list[MessageBar]:
        return [self._undo_bar(one, _title(one.tool, status)) for one in status.allowed]

    def _undo_bar(self, one: AlwaysAllowed, tool: str) -> MessageBar:
        if one.host in ("", "*"):
            words = self.tr("{tool} is always allowed, for every AI app.").format(tool=tool)
        else:
            words = self.tr("{tool} is always allowed for {app}.").format(
                tool=tool, app=isolate(host_of(one.host))
            )
        undo = ("undo", self.tr("Undo"), lambda: self._service.undo(one.id))
        return MessageBar(f"allowed:{one.id}", words, (undo,))

    def _changed_bars(self, status: Status) -> list[MessageBar]:
        words = self.tr(
            "{tool} has changed since you allowed it. You'll be asked again, and see what changed."
        )
        changed = [tool.public for tool in status.tools if tool.is_changed]
        return [
            MessageBar(f"changed:{name}", words.format(tool=_title(name, status)), (), Tone.WARNING)
            for name in changed[:10]
        ]

    # drawing

    def _draw_rules(self, rules: tuple[RuleStatus, ...]) -> None:
        chosen = self._rule()
        self._rules.replace_rows(rules)
        self._rule_view.setColumnHidden(MADE, not any(rule.allowed for rule in rules))
        self._none.show_text("" if rules else self.tr("No rules yet: the choice for each server decides."))
        self._rule_view.setVisible(bool(rules))
        same = [(rule.host, rule.pattern) for rule in rules]
        if chosen is not None and (chosen.host, chosen.pattern) in same:
            choose_row(self._rule_view, same.index((chosen.host, chosen.pattern)))

    def _draw_tools(self) -> None:
        rule, chosen = self._rule(), self._tool()
        named = set(rule.tools) if rule else set()
        words = self._words.text().casefold().split()
        shown = [
            tool
            for tool in self._status.tools
            if (rule is None or tool.public in named)
            and all(word in f"{tool.public} {tool.title} {tool.server}".casefold() for word in words)
        ]
        self._tools.replace_rows(shown)
        title = self.tr("All tools") if rule is None else self.tr("Tools that the selected rule applies to")
        self._tools_title.show_text(f"{title} ({len(shown)})")
        self._show_all.setVisible(rule is not None)
        names = [tool.public for tool in shown]
        if chosen is not None and chosen.public in names:
            choose_row(self._tool_view, names.index(chosen.public))
        self._enable()

    def _enable(self) -> None:
        rule = self._rule()
        for name in ("changeRule", "ruleUp", "ruleDown", "deleteRule"):
            self._buttons[name].setVisible(bool(self._rules.rows))
            self._buttons[name].setEnabled(rule is not None)
        self._buttons["undoRule"].setVisible(rule is not None and bool(rule.allowed))
        for name, by in (("ruleUp", -1), ("ruleDown", 1)):
            self._buttons[name].setEnabled(rule is not None and self._moved(rule, by) is not None)
        for button in self._verdicts.values():
            button.setEnabled(self._tool() is not None)

    # actions

    def _rule(self) -> RuleStatus | None:
        return chosen_row(self._rule_view, self._rules)

    def _tool(self) -> ToolStatus | None:
        return chosen_row(self._tool_view, self._tools)

    def _of(self, host: str) -> Rules:
        return tuple((rule.pattern, rule.verdict) for rule in self._status.rules if rule.host == host)

    def _put(self, host: str, pattern: str, verdict: str) -> None:
        """Put a rule first, so that it wins."""
        now = self._of(host)
        rest = tuple(rule for rule in now if rule[0] != pattern)
        self._service.set_rules(host, ((pattern, verdict), *rest), now)

    def _add(self) -> None:
        dialog = RuleDialog(self, self._hosts(), self._status.tools)
        dialog.made.connect(self._put)
        dialog.open()

    def _hosts(self) -> tuple[str, ...]:
        known = (*(host.name for host in self._status.hosts), *(rule.host for rule in self._status.rules))
        return tuple(host for host in dict.fromkeys(known) if host not in ("", "*"))

    def _change(self) -> None:
        rule = self._rule()
        if rule is None:
            return
        dialog = RuleDialog(self, (rule.host,), self._status.tools, rule)
        dialog.made.connect(lambda _, pattern, verdict: self._replace(rule, pattern, verdict))
        dialog.open()

    def _replace(self, rule: RuleStatus, pattern: str, verdict: str) -> None:
        now = self._of(rule.host)
        others = [one for one in now if one[0] == rule.pattern or one[0] != pattern]
        wanted = tuple((pattern, verdict) if one[0] == rule.pattern else one for one in others)
        self._service.set_rules(rule.host, wanted, now)

    def _delete(self) -> None:
        rule = self._rule()
        if rule is not None:
            now = self._of(rule.host)
            self._service.set_rules(rule.host, tuple(one for one in now if one[0] != rule.pattern), now)

    def _undo(self) -> None:
        rule = self._rule()
        if rule is not None and rule.allowed:
            self._service.undo(rule.allowed)

    def _moved(self, rule: RuleStatus, by: int) -> Rules | None:
        """Return the host's rules with this one moved; None if it is at the end already."""
        rules = list(self._of(rule.host))
        place = rules.index((rule.pattern, rule.verdict))
        if not 0 <= place + by < len(rules):
            return None
        rules.insert(place + by, rules.pop(place))
        return tuple(rules)

    def _move(self, by: int) -> None:
        rule = self._rule()
        wanted = self._moved(rule, by) if rule else None
        if rule is not None and wanted is not None:
            self._service.set_rules(rule.host, wanted, self._of(rule.host))

    def _decide(self, verdict: str) -> None:
        tool = self._tool()
        if tool is not None:
            self._put("", tool.public, verdict)


def _title(public: str, status: Status) -> str:
    """Return a tool by its own title and its server, else by its public name."""
    tool = next((one for one in status.tools if one.public == public), None)
    if tool is None or not tool.title:
        return isolate(one_line(public, 80))
    return isolate(f"{one_line(tool.title, 80)} ({one_line(tool.server, 40)})")
