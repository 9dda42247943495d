"""Rules are seen in their order with what they decide, and changed; an Allow always is undone."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QTableView
from pytestqt.qtbot import QtBot

from bridge.api import ServerStatus, Status, ToolStatus
from desktop.pages.approvals.page import ApprovalsPage
from desktop.pages.approvals.rule_dialog import RuleDialog
from desktop.pages.texts import risk_of
from desktop.widgets.labels import Label
from desktop.widgets.message_bar import MessageBar
from desktop.widgets.table import choose_row
from tests.desktop import samples
from tests.desktop.service_calls import ServiceCalls

EVERYONES = (
    ("github_create_issue", "allow"),
    ("files_*", "allow"),
    ("files_read", "deny"),
    ("mail_*", "confirm"),
)


@pytest.fixture
def page(qtbot: QtBot, calls: ServiceCalls) -> ApprovalsPage:
    made = ApprovalsPage(calls.services)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.draw(samples.APPROVALS)
    made.show()
    made.findChildren(QAbstractButton, "advanced")[0].click()
    return made


def table(page: ApprovalsPage, name: str) -> QTableView:
    return page.findChildren(QTableView, name)[0]


def column(page: ApprovalsPage, name: str, number: int) -> list[str]:
    model = table(page, name).model()
    return [str(model.index(row, number).data()) for row in range(model.rowCount())]


def button(page: ApprovalsPage, name: str) -> QAbstractButton:
    return page.findChildren(QAbstractButton, name)[0]


def press(page: ApprovalsPage, qtbot: QtBot, name: str) -> None:
    qtbot.mouseClick(button(page, name), Qt.MouseButton.LeftButton)


def dialog(page: ApprovalsPage) -> RuleDialog:
    return page.findChildren(RuleDialog)[-1]


def combo(page: ApprovalsPage, name: str) -> QComboBox:
    return dialog(page).findChildren(QComboBox, name)[0]


def test_rules_are_shown_in_order_with_what_they_decide_now(page: ApprovalsPage) -> None:
    assert column(page, "ruleList", 0) == ["Zed", *["Every AI app"] * 4]
    assert column(page, "ruleList", 1)[:2] == ["github_*", "github_create_issue"]
    assert column(page, "ruleList", 2) == ["Ask me first", "Allow", "Allow", "Deny", "Ask me first"]
    assert column(page, "ruleList", 3)[2:] == [
        "files_read, files_write",
        "none: rules above apply first (1)",
        "no known tool",
    ]


def test_tools_are_shown_with_what_their_servers_say(page: ApprovalsPage) -> None:
    assert column(page, "toolList", 3)[2] == "Read only"
    assert column(page, "toolList", 2)[0] == "Asks: it has changed"


def test_a_chosen_rule_shows_its_tools_only(page: ApprovalsPage, qtbot: QtBot) -> None:
    table(page, "ruleList").selectRow(2)
    assert column(page, "toolList", 0) == ["files_read", "files_write"]
    press(page, qtbot, "allTools")
    assert len(column(page, "toolList", 0)) == 4
    qtbot.keyClicks(page.findChildren(QLineEdit, "searchTools")[0], "issue")
    assert column(page, "toolList", 0) == ["github_create_issue"]


def test_the_only_tool_that_is_left_is_chosen_by_whoever_comes_by_keyboard(
    page: ApprovalsPage, qtbot: QtBot
) -> None:
    qtbot.waitActive(page)
    qtbot.keyClicks(page.findChildren(QLineEdit, "searchTools")[0], "create_issue")
    table(page, "toolList").setFocus(Qt.FocusReason.TabFocusReason)
    assert [index.row() for index in table(page, "toolList").selectionModel().selectedRows()] == [0]


def test_without_rules_it_says_so(page: ApprovalsPage) -> None:
    page.draw(Status())
    none = page.findChildren(Label, "noRules")[0]
    assert none.accessibleName() == "No rules yet: the choice for each server decides."
    assert not table(page, "ruleList").isVisible()


def test_a_rule_moves_within_its_table_and_stays_chosen(
    page: ApprovalsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    table(page, "ruleList").selectRow(0)
    assert not button(page, "ruleUp").isEnabled()
    assert not button(page, "ruleDown").isEnabled()
    table(page, "ruleList").selectRow(3)
    with calls.expected("approvals.set_rules") as wanted:
        press(page, qtbot, "ruleUp")
    assert wanted.args == ["", (EVERYONES[0], EVERYONES[2], EVERYONES[1], EVERYONES[3]), EVERYONES]
    with calls.expected("approvals.set_rules") as wanted:
        press(page, qtbot, "ruleDown")
    assert wanted.args == ["", (*EVERYONES[:2], EVERYONES[3], EVERYONES[2]), EVERYONES]
    page.draw(samples.QUIET)
    page.draw(samples.APPROVALS)
    assert not button(page, "deleteRule").isEnabled()


def test_a_chosen_rule_stays_chosen_from_right_to_left_too(page: ApprovalsPage) -> None:
    page.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    rules = table(page, "ruleList")
    choose_row(rules, 1)
    page.draw(replace(samples.APPROVALS, rules=samples.APPROVALS.rules[1:]))
    assert [index.row() for index in rules.selectionModel().selectedRows()] == [0]


def test_a_rule_is_deleted(page: ApprovalsPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    table(page, "ruleList").selectRow(0)
    with calls.expected("approvals.set_rules") as wanted:
        press(page, qtbot, "deleteRule")
    assert wanted.args == ["Zed", (), (("github_*", "confirm"),)]


def test_a_rule_is_made_from_what_is_known(page: ApprovalsPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    press(page, qtbot, "addRule")
    matches = dialog(page).findChildren(Label, "ruleMatches")[0]
    assert matches.accessibleName().startswith("Matches 4 tools now")
    combo(page, "ruleHost").setCurrentText("Zed")
    combo(page, "ruleServer").setCurrentText("files")
    combo(page, "ruleTool").setCurrentText("write")
    assert matches.accessibleName() == "Matches 1 tool now: files_write"
    combo(page, "ruleVerdict").setCurrentText("Deny")
    with calls.expected("approvals.set_rules") as wanted:
        qtbot.mouseClick(button(page, "keepRule"), Qt.MouseButton.LeftButton)
    before = (("github_*", "confirm"),)
    assert wanted.args == ["Zed", (("files_write", "deny"), *before), before]


def test_a_rule_may_be_for_an_app_and_a_pattern_nobody_knows_yet(
    page: ApprovalsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    press(page, qtbot, "addRule")
    pattern = dialog(page).findChildren(QLineEdit, "rulePattern")[0]
    combo(page, "ruleHost").setCurrentText("Some new app")
    pattern.clear()
    assert not button(page, "keepRule").isEnabled()
    pattern.setText("x_*")
    with calls.expected("approvals.set_rules") as wanted:
        qtbot.mouseClick(button(page, "keepRule"), Qt.MouseButton.LeftButton)
    assert wanted.args == ["Some new app", (("x_*", "confirm"),), ()]


def test_a_rule_is_changed_in_its_place(page: ApprovalsPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    table(page, "ruleList").selectRow(2)
    press(page, qtbot, "changeRule")
    assert not combo(page, "ruleHost").isEnabled()
    dialog(page).findChildren(QLineEdit, "rulePattern")[0].setText("files_read")
    combo(page, "ruleVerdict").setCurrentText("Ask me first")
    with calls.expected("approvals.set_rules") as wanted:
        qtbot.mouseClick(button(page, "keepRule"), Qt.MouseButton.LeftButton)
    assert wanted.args == ["", (EVERYONES[0], ("files_read", "confirm"), EVERYONES[3]), EVERYONES]


def test_a_tool_gets_a_rule_by_one_click(page: ApprovalsPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    assert not button(page, "tool:deny").isEnabled()
    table(page, "toolList").selectRow(1)
    with calls.expected("approvals.set_rules") as wanted:
        press(page, qtbot, "tool:deny")
    assert wanted.args == ["", (("github_delete_repository", "deny"), *EVERYONES), EVERYONES]


def test_an_allow_always_of_an_earlier_run_is_undone_at_its_rule(
    page: ApprovalsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    assert not button(page, "undoRule").isVisible()
    rules = samples.APPROVALS.rules
    made = replace(rules[1], allowed=7, allowed_at=1_700_000_000.0, allowed_by="Cursor")
    page.draw(replace(samples.APPROVALS, allowed=(), rules=(rules[0], made, *rules[2:])))
    told = column(page, "ruleList", 4)
    assert told[1].startswith("Allow always, ")
    assert told[1].endswith(", for Cursor")
    assert told[0] == ""
    table(page, "ruleList").selectRow(0)
    assert not button(page, "undoRule").isVisible()
    table(page, "ruleList").selectRow(1)
    with calls.expected("approvals.undo") as wanted:
        press(page, qtbot, "undoRule")
    assert wanted.args == [7]


def test_allow_always_can_be_undone_and_changed_tools_are_told(
    page: ApprovalsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    names = [bar.objectName() for bar in page.findChildren(MessageBar)]
    assert names == ["allowed:2", "allowed:1", "changed:github_create_issue"]
    bar = page.findChildren(MessageBar, "allowed:1")[0]
    assert bar.accessibleName() == "Read a file (files) is always allowed for Zed."
    with calls.expected("approvals.undo") as wanted:
        qtbot.mouseClick(bar.findChildren(QAbstractButton, "undo")[0], Qt.MouseButton.LeftButton)
    assert wanted.args == [1]


# One choice for each server


def test_each_server_has_one_choice_and_rules_are_behind_advanced(
    page: ApprovalsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    press(page, qtbot, "advanced")
    assert not table(page, "ruleList").isVisible()
    servers = (
        ServerStatus("files", "stdio", "ready", approval="ask-destructive"),
        ServerStatus("desk", "built-in", "idle", configured=False),
    )
    page.draw(replace(samples.APPROVALS, servers=servers))
    boxes = {one.objectName(): one for one in page.findChildren(QComboBox) if one.isVisible()}
    assert list(boxes) == ["preset:files"]
    box = boxes["preset:files"]
    assert box.currentText() == "Ask before changes that cannot be undone"
    assert [box.itemText(place) for place in range(box.count())] == [
        "Allow all",
        "Ask before changes that cannot be undone",
        "Ask before changes",
        "Always ask",
        "Block",
    ]
    assert box.accessibleName() == "What is asked before files is used"
    with calls.expected("approvals.set_preset") as wanted:
        box.setFocus()
        qtbot.keyClick(box, Qt.Key.Key_Down)
        box.activated.emit(box.currentIndex())
    assert wanted.args == ["files", "ask-changes"]


def test_a_card_counts_the_tools_that_ask(page: ApprovalsPage, qtbot: QtBot) -> None:
    press(page, qtbot, "advanced")
    tools = tuple(
        ToolStatus("files", f"t{n}", f"files_t{n}", verdict="confirm" if n else "allow") for n in range(3)
    )
    known = Status(version="1", servers=(ServerStatus("files", "stdio", "ready"),), tools=tools)

    def tells(words: str) -> bool:
        return page.findChildren(Label, "about:files")[-1].accessibleName() == words

    page.draw(known)
    assert page.findChildren(Label, "about:files")[0].accessibleName() == "2 of 3 tools ask first"
    for verdict, told in (("confirm", "1 of 2 tools asks first"), ("deny", "1 of 2 tools is blocked")):
        page.draw(replace(known, tools=(tools[0], replace(tools[1], verdict=verdict))))
        qtbot.waitUntil(partial(tells, told))
    page.draw(replace(known, tools=()))
    qtbot.waitUntil(lambda: "not loaded yet" in page.findChildren(Label, "about:files")[-1].accessibleName())


@pytest.mark.parametrize(
    ("hints", "risk"),
    [
        (("readOnlyHint", "openWorldHint"), "Read only"),
        (("!readOnly", "destructive"), "Can delete"),
        (("!readOnly", "!destructive"), "Makes changes"),
        ((), ""),
    ],
)
def test_what_a_tool_may_do_is_said_in_two_words(hints: tuple[str, ...], risk: str) -> None:
    assert risk_of(hints) == risk
