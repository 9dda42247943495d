"""The AI apps page draws Status; a change is shown before it is agreed to, and agreed to once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QAbstractButton, QComboBox, QFileDialog, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import AppNews, Status
from desktop.pages.hosts.change_sheet import ChangeSheet
from desktop.pages.hosts.page import HostsPage
from desktop.widgets.diff_view import DiffView
from tests.desktop import samples
from tests.desktop.samples import APPS, CODE, CURSOR, DIFF
from tests.desktop.service_calls import ServiceCalls


@pytest.fixture
def page(qtbot: QtBot, calls: ServiceCalls) -> HostsPage:
    made = HostsPage(calls.services)
    qtbot.addWidget(made)
    made.show()
    return made


def words(page: QWidget) -> str:
    QCoreApplication.processEvents()
    return "\n".join(label.accessibleName() for label in page.findChildren(QLabel) if label.isVisible())


def button(page: QWidget, name: str) -> QAbstractButton:
    QCoreApplication.processEvents()
    return next(one for one in page.findChildren(QAbstractButton, name) if one.isVisible())


def names(page: QWidget) -> set[str]:
    QCoreApplication.processEvents()
    return {one.objectName() for one in page.findChildren(QAbstractButton) if one.isVisible()}


def sheet(page: HostsPage) -> ChangeSheet:
    return page.findChildren(ChangeSheet)[0]


def test_a_bundle_for_claude_desktop_is_saved_and_it_says_what_to_do_with_it(
    page: HostsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    page.draw(APPS)
    button(page, "saveBundle").click()
    box = page.findChildren(QFileDialog, "bundleBox")[0]
    with qtbot.waitSignal(page.bundle_wanted) as wanted:
        box.fileSelected.emit(str(tmp_path / "a.mcpb"))
    box.close()
    assert wanted.args == [str(tmp_path / "a.mcpb")]
    page.show_bundle_result(wanted.args[0], "")
    assert "a.mcpb is saved. Open it with Claude Desktop" in words(page)
    page.show_bundle_result("", "It cannot be written.")
    assert "It cannot be written." in words(page)


def test_which_apps_are_here_what_they_can_and_which_are_in_use(page: HostsPage) -> None:
    assert "Looking…" in words(page)
    page.draw(APPS)
    shown = words(page)
    for expected in (
        "Connected to a different Deskbell",
        "Not connected",
        "Connected · Servers wrapped: 1 of 2",
        "In use now · version 1.108 · protocol 2025-11-25",
        "Shows itself: forms, links",  # what it says itself, not what is said of it
        "Shows no questions itself: they come to your desk.",
        "Its file cannot be read",
        "makes no sense at line 3, column 1",
        CURSOR.file,
        "my-agent",
    ):
        assert expected in shown
    assert "Zed" not in shown
    assert {"connect:cursor", "wrap:cursor", "connect:claude-desktop", "undo:vscode"} <= names(page)
    assert not {"connect:vscode", "disconnect:cursor", "unwrap:cursor", "connect:gemini"} & names(page)
    button(page, "more").click()
    assert "Zed" in words(page)
    assert "connect:zed" in names(page)


def test_servers_behind_a_deskbell_that_moved_can_be_wrapped_again(
    page: HostsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    stale = replace(CURSOR, servers=(), wrapped=("quiz",), stale=("quiz",))
    page.draw(replace(APPS, at_hosts=replace(APPS.at_hosts, apps=(stale,))))
    assert "Connected to a different Deskbell · Servers wrapped: 1 of 1" in words(page)
    with calls.expected("hosts.propose") as wanted:
        button(page, "wrap:cursor").click()
    assert wanted.args[:2] == ["cursor", "wrap"]


def test_a_file_with_the_token_of_before_is_told_as_that(page: HostsPage) -> None:
    old = replace(CURSOR, connected="http", current=False)
    page.draw(replace(APPS, at_hosts=replace(APPS.at_hosts, apps=(old,))))
    assert "Has an old address or token" in words(page)
    assert "connect:cursor" in names(page)


def test_access_can_be_revoked_and_an_app_without_a_token_connected_again(
    page: HostsPage, calls: ServiceCalls
) -> None:
    cursor = replace(CURSOR, connected="stdio", current=True)
    page.draw(replace(APPS, at_hosts=replace(APPS.at_hosts, apps=(cursor,))))
    with calls.expected("hosts.revoke") as wanted:
        button(page, "revoke:cursor").click()
    assert wanted.args == ["cursor"]
    revoked = replace(cursor, proven=False)
    page.draw(replace(APPS, at_hosts=replace(APPS.at_hosts, apps=(revoked,))))
    assert "Has no valid token of its own" in words(page)
    assert "connect:cursor" in names(page)
    assert "revoke:cursor" not in names(page)


def test_nothing_found_is_said(page: HostsPage) -> None:
    page.draw(replace(APPS, hosts=(), at_hosts=replace(APPS.at_hosts, apps=())))
    assert "No supported AI app found on this computer." in words(page)


def test_it_is_looked_at_when_it_is_shown(qtbot: QtBot, calls: ServiceCalls) -> None:
    made = HostsPage(calls.services)
    qtbot.addWidget(made)
    with calls.expected("hosts.look"):
        made.show()


@pytest.mark.parametrize("what", ["connect:cursor", "wrap:cursor", "disconnect:vscode", "undo:vscode"])
def test_a_wish_first_asks_for_the_difference(
    page: HostsPage, qtbot: QtBot, what: str, calls: ServiceCalls
) -> None:
    page.draw(APPS)
    with calls.expected("hosts.propose") as wanted:
        button(page, what).click()
    verb, _, app = what.partition(":")
    assert wanted.args == [app, verb]
    assert not page.findChildren(ChangeSheet)


def test_the_difference_is_shown_and_agreed_to_once(
    page: HostsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    page.draw(samples.change())
    assert sheet(page).windowTitle() == "Connect Cursor"
    assert sheet(page).findChildren(DiffView, "diff")[0].toPlainText() == DIFF
    assert "A copy of the file is kept" in words(sheet(page))
    for _ in range(2):
        button(sheet(page), "agree").click()
    assert calls.of("hosts.agree") == [[1]]
    with calls.forbidden("hosts.dismiss"):
        page.draw(replace(APPS, at_hosts=replace(APPS.at_hosts, busy=True)))
        assert sheet(page).isVisible()
        news = AppNews("connect", "Cursor", CURSOR.file, "/copy", "restart")
        page.draw(replace(APPS, at_hosts=replace(APPS.at_hosts, news=news)))
    assert not sheet(page).isVisible()
    assert "Cursor is connected. Restart Cursor for the change to take effect." in words(page)


def test_escape_and_cancel_change_nothing(page: HostsPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    for end in ("key", "button"):
        page.draw(samples.change())
        with calls.expected("hosts.dismiss"):
            if end == "key":
                qtbot.keyClick(sheet(page), Qt.Key.Key_Escape)
            else:
                button(sheet(page), "cancel").click()
        page.draw(APPS)
        assert not sheet(page).isVisible()


def test_a_file_that_changed_meanwhile_is_shown_anew(page: HostsPage) -> None:
    page.draw(samples.change())
    button(sheet(page), "agree").click()
    page.draw(samples.change(number=2, again=True, diff="+ other"))
    assert "The file was changed meanwhile." in words(sheet(page))
    assert sheet(page).findChildren(DiffView, "diff")[0].toPlainText() == "+ other"
    assert button(sheet(page), "agree").isEnabled()


def test_the_same_in_another_way(page: HostsPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    page.draw(samples.change("wrap"))
    with calls.expected("hosts.propose") as wanted:
        button(sheet(page), "move").click()
    assert wanted.args == ["cursor", "wrap", True, False]
    assert not button(sheet(page), "agree").isEnabled()
    page.draw(samples.change("wrap", number=2, moved=("linear",)))
    assert "Keys of servers that move go into the vault." in words(sheet(page))
    page.draw(samples.change("connect", number=3))
    with calls.expected("hosts.propose") as wanted:
        button(sheet(page), "http").click()
    assert wanted.args == ["cursor", "connect", False, True]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"exact": True}, "as it was before, to the byte"),
        ({"creates": True}, "it will be made"),
        ({"nothing": True, "diff": ""}, "nothing to change"),
    ],
)
def test_what_the_change_means_is_said(page: HostsPage, more: dict[str, object], said: str) -> None:
    page.draw(samples.change("disconnect", CODE, **more))
    assert said in words(sheet(page))
    assert ("agree" in names(sheet(page))) is not bool(more.get("nothing"))


def test_what_went_wrong_is_said_and_the_sheet_is_closed(page: HostsPage) -> None:
    page.draw(samples.change())
    wrong = replace(APPS.at_hosts, problem="It cannot be written: No space left on device.")
    page.draw(replace(APPS, at_hosts=wrong))
    assert not sheet(page).isVisible()
    assert "It cannot be written: No space left on device." in words(page)


def test_who_shows_the_questions_is_chosen_for_each_app(
    page: HostsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    page.draw(APPS)
    chosen = {box.objectName(): box for box in page.findChildren(QComboBox)}
    assert chosen["questions:vscode"].currentData() == "desktop"
    assert chosen["questions:cursor"].currentData() == "auto"
    box = chosen["questions:my-agent"]
    assert box.accessibleName() == "Who shows the questions of my-agent"
    with calls.expected("hosts.ask_by") as wanted:
        box.setFocus()
        qtbot.keyClick(box, Qt.Key.Key_Down)
        box.activated.emit(box.currentIndex())
    assert wanted.args == ["my-agent", "desktop"]


def test_an_app_that_refused_unseen_is_named_and_can_be_asked_again(
    page: HostsPage, calls: ServiceCalls
) -> None:
    page.draw(replace(APPS, refusing=("my-agent", CURSOR.names[0])))
    assert words(page).count("It refused a question without showing it.") == 2
    with calls.expected("hosts.ask_again") as wanted:
        button(page, "refuses:cursor").click()
    assert wanted.args == [CURSOR.names[0]]
    page.draw(APPS)
    assert "It refused a question" not in words(page)


def test_an_app_that_is_silent_is_named_and_its_questions_can_come_to_deskbell(
    page: HostsPage, calls: ServiceCalls
) -> None:
    page.draw(replace(APPS, silent=("my-agent",)))
    assert "It left questions unanswered more than once." in words(page)
    assert button(page, "silent:my-agent").accessibleName() == "Always show the questions of my-agent here"
    with calls.expected("hosts.ask_by") as wanted:
        button(page, "silent:my-agent").click()
    assert wanted.args == ["my-agent", "desktop"]


def test_where_the_user_has_chosen_who_shows_questions_nothing_is_offered(page: HostsPage) -> None:
    page.draw(replace(APPS, refusing=tuple(CODE.names), silent=tuple(CODE.names)))
    assert "refused a question" not in words(page)


def test_any_other_app_gets_the_entry_to_copy(page: HostsPage) -> None:
    page.draw(APPS)
    button(page, "copyEntry").click()
    assert QGuiApplication.clipboard().text() == '{"mcpServers": {}}'


def test_a_diff_reads_left_to_right_and_is_coloured_for_dark_windows_too(qtbot: QtBot) -> None:
    view = DiffView(name="diff")
    qtbot.addWidget(view)
    view.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    view.show_diff(DIFF)
    dark = QPalette()
    dark.setColor(QPalette.ColorRole.Window, QColor("#202020"))
    view.setPalette(dark)
    added = view.document().findBlockByNumber(5).layout().formats()
    assert [part.format.foreground().color().name() for part in added] == ["#7ee787"]
    assert "deskbell" in view.accessibleDescription()


def test_a_page_that_is_hidden_draws_when_it_is_shown(qtbot: QtBot, calls: ServiceCalls) -> None:
    made = HostsPage(calls.services)
    qtbot.addWidget(made)
    made.draw(APPS)
    made.draw(replace(Status(), at_hosts=APPS.at_hosts))
    made.show()
    assert "Cursor" in words(made)


def test_a_new_status_takes_neither_the_keyboard_nor_the_place(page: HostsPage, qtbot: QtBot) -> None:
    page.resize(700, 300)
    page.draw(APPS)
    QCoreApplication.processEvents()
    bar = page.findChildren(QScrollArea, "scroll")[0].verticalScrollBar()
    box = next(one for one in page.findChildren(QComboBox, "questions:vscode") if one.isVisible())
    box.setFocus()
    QCoreApplication.processEvents()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum() // 2)
    place = bar.value()
    assert place > 0
    rules = replace(APPS.at_hosts, questions=(("Visual Studio Code", "host"),))
    page.draw(replace(APPS, at_hosts=rules))
    qtbot.waitUntil(lambda: held(page) == "questions:vscode")
    assert bar.value() == place
    button(page, "undo:vscode").setFocus()
    undone = replace(APPS.at_hosts, apps=(replace(CODE, undo=""),))
    page.draw(replace(APPS, at_hosts=undone))
    qtbot.waitUntil(lambda: held(page).endswith(":vscode"))  # the button is gone; its row is not


def held(page: HostsPage) -> str:
    widget: QWidget | None = page.focusWidget()
    return "" if widget is None else widget.objectName()
