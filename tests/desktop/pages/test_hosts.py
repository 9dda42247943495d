"""The AI apps page draws Status; a change is shown before it is agreed to, and agreed to once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QAbstractButton, QComboBox, QFileDialog, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import AppNews, HostStatus, Status, ToolStatus
from desktop.pages.hosts.change_sheet import ChangeSheet, WrittenChangeSheet
from desktop.pages.hosts.page import HostsPage
from desktop.widgets.chip import Chip
from desktop.widgets.switch import Switch
from desktop.widgets.text.diff_view import DiffView
from tests.desktop import samples
from tests.desktop.samples import APPS, CODE, CURSOR, DIFF
from tests.desktop.service_calls import ServiceCalls

W = TypeVar("W", bound=QWidget)


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


def part(page: QWidget, kind: type[W], name: str) -> W:
    QCoreApplication.processEvents()
    return next(one for one in page.findChildren(kind, name) if one.isVisible())


def state(page: QWidget, app: str) -> str:
    return part(page, Chip, f"state:{app}").text


def names(page: QWidget) -> set[str]:
    QCoreApplication.processEvents()
    return {one.objectName() for one in page.findChildren(QAbstractButton) if one.isVisible()}


def sheet(page: HostsPage) -> ChangeSheet:
    return page.findChildren(ChangeSheet)[0]


def test_a_bundle_for_claude_desktop_is_saved_and_it_says_what_to_do_with_it(
    page: HostsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    page.draw(APPS)
    button(page, "more").click()
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


def test_which_apps_are_here_and_how_they_are(page: HostsPage) -> None:
    assert "Looking…" in words(page)
    page.draw(APPS)
    shown = words(page)
    for expected in ("has a mistake at line 3, column 1", "my-agent", "Cursor", "Claude Desktop"):
        assert expected in shown
    assert "Zed" not in shown
    assert CURSOR.file not in shown
    assert state(page, "cursor") == "Off"
    assert state(page, "claude-desktop") == "Connected to a different Deskbell"
    assert state(page, "gemini") == "Settings cannot be read"
    assert not part(page, Switch, "switch:gemini").isEnabled()
    button(page, "more").click()
    assert "Zed" in words(page)
    assert state(page, "zed") == "Not found on this computer"


def test_a_connected_app_tells_how_many_tools_it_has_and_one_that_left_when_it_was_here(
    page: HostsPage,
) -> None:
    on = replace(CURSOR, connected="stdio", current=True)
    host = HostStatus("cursor-vscode", "1.2", "stdio", "2025-11-25", True, ("quiz",), 0)
    tools = tuple(ToolStatus("quiz", f"t{n}", f"quiz_t{n}") for n in range(3))
    one = replace(APPS, tools=tools, at_hosts=replace(APPS.at_hosts, apps=(on,)))
    page.draw(replace(one, hosts=(host,)))
    assert state(page, "cursor") == "Connected · 3 tools"
    page.draw(replace(one, tools=tools[:1], hosts=(host,)))
    assert state(page, "cursor") == "Connected · 1 tool"
    page.draw(replace(one, hosts=()))
    assert state(page, "cursor") == "On · not connected yet"
    seen = replace(one.at_hosts, seen=(("cursor-vscode", 1_700_000_000.0),))
    page.draw(replace(one, hosts=(), at_hosts=seen))
    assert state(page, "cursor").startswith("On · last connected 2023-11-14")


def test_one_switch_connects_and_disconnects_and_what_changed_can_be_seen(
    page: HostsPage, calls: ServiceCalls
) -> None:
    off = replace(CURSOR, connected="", wrapped=())
    page.draw(replace(APPS, at_hosts=replace(APPS.at_hosts, apps=(off,))))
    with calls.expected("hosts.switch") as wanted:
        part(page, Switch, "switch:cursor").click()
    assert wanted.args == ["cursor", True]
    on = replace(CURSOR, connected="stdio", current=True)
    news = AppNews("connect", "Cursor", CURSOR.file, "/copy", "itself", "cursor", "+ deskbell")
    page.draw(replace(APPS, at_hosts=replace(APPS.at_hosts, apps=(on,), news=news)))
    assert "Cursor is set up. No restart needed." in words(page)
    button(page, "showChanges").click()
    written = page.findChildren(WrittenChangeSheet)[0]
    assert written.findChildren(DiffView, "diff")[0].toPlainText() == "+ deskbell"
    assert "exactly as it was" in words(written)
    written.close()
    with calls.expected("hosts.switch") as wanted:
        part(page, Switch, "switch:cursor").click()
    assert wanted.args == ["cursor", False]


def test_what_is_rarely_needed_is_under_an_arrow(page: HostsPage, calls: ServiceCalls) -> None:
    on = replace(CURSOR, connected="stdio", current=True, wrapped=("quiz",), can=("form",), undo="connect")
    host = HostStatus("cursor-vscode", "1.2", "stdio", "2025-11-25", True, ("quiz",), 0, ("form",), 60.0)
    page.draw(replace(APPS, hosts=(host,), at_hosts=replace(APPS.at_hosts, apps=(on,))))
    assert "revoke:cursor" not in names(page)
    button(page, "more:cursor").click()
    shown = words(page)
    for expected in (
        "Waits up to 60 seconds for an answer",
        "Cursor can show simple forms itself.",
        "Servers of Cursor that ask through Deskbell: quiz",
        CURSOR.file,
    ):
        assert expected in shown
    with calls.expected("hosts.revoke") as wanted:
        button(page, "revoke:cursor").click()
    assert wanted.args == ["cursor"]
    with calls.expected("hosts.propose") as wanted:
        button(page, "connect:cursor").click()
    assert wanted.args == ["cursor", "connect", False, True]
    with calls.expected("hosts.propose") as wanted:
        button(page, "undo:cursor").click()
    assert wanted.args == ["cursor", "undo", False, False]
    button(page, "more:cursor").click()
    assert CURSOR.file not in words(page)


@pytest.mark.parametrize("more", [{"current": False}, {"proven": False}, {"stale": ("quiz",)}])
def test_an_app_that_leads_elsewhere_is_connected_again_by_one_button(
    page: HostsPage, calls: ServiceCalls, more: dict[str, Any]
) -> None:
    on = replace(CURSOR, **{"connected": "stdio", "current": True, **more})
    page.draw(replace(APPS, at_hosts=replace(APPS.at_hosts, apps=(on,))))
    assert state(page, "cursor") in ("Connected to a different Deskbell", "Access removed")
    with calls.expected("hosts.switch") as wanted:
        button(page, "again:cursor").click()
    assert wanted.args == ["cursor", True]


def test_nothing_found_is_said(page: HostsPage) -> None:
    page.draw(replace(APPS, hosts=(), at_hosts=replace(APPS.at_hosts, apps=())))
    assert "No supported AI app found" in words(page)


def test_the_page_of_apps_is_looked_at_when_it_is_shown(qtbot: QtBot, calls: ServiceCalls) -> None:
    made = HostsPage(calls.services)
    qtbot.addWidget(made)
    with calls.expected("hosts.look"):
        made.show()


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
    assert "Cursor is set up. Restart Cursor for the change to take effect." in words(page)


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


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"exact": True}, "exactly as it was before"),
        ({"creates": True}, "it will be created"),
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
    assert "questions:cursor" not in chosen  # it is off
    box = chosen["questions:my-agent"]
    assert box.accessibleName() == "Where questions of my-agent appear"
    with calls.expected("hosts.ask_by") as wanted:
        box.setFocus()
        qtbot.keyClick(box, Qt.Key.Key_Down)
        box.activated.emit(box.currentIndex())
    assert wanted.args == ["my-agent", "desktop"]


def test_an_app_that_refused_unseen_is_named_and_can_be_asked_again(
    page: HostsPage, calls: ServiceCalls
) -> None:
    on = replace(APPS.at_hosts, apps=(replace(CURSOR, connected="stdio"),))
    page.draw(replace(APPS, at_hosts=on, refusing=("my-agent", CURSOR.names[0])))
    assert words(page).count("refused a question without showing it.") == 2
    with calls.expected("hosts.ask_again") as wanted:
        button(page, "refuses:cursor").click()
    assert wanted.args == [CURSOR.names[0]]
    page.draw(APPS)
    assert "refused a question" not in words(page)


def test_an_app_that_is_silent_is_named_and_its_questions_can_come_to_deskbell(
    page: HostsPage, calls: ServiceCalls
) -> None:
    page.draw(replace(APPS, silent=("my-agent",)))
    assert "my-agent left questions unanswered more than once." in words(page)
    assert button(page, "silent:my-agent").accessibleName() == "Always show the questions of my-agent here"
    with calls.expected("hosts.ask_by") as wanted:
        button(page, "silent:my-agent").click()
    assert wanted.args == ["my-agent", "desktop"]


def test_where_the_user_has_chosen_who_shows_questions_nothing_is_offered(page: HostsPage) -> None:
    page.draw(replace(APPS, refusing=tuple(CODE.names), silent=tuple(CODE.names)))
    assert "refused a question" not in words(page)


def test_any_other_app_gets_the_entry_to_copy(page: HostsPage) -> None:
    page.draw(APPS)
    button(page, "more").click()
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
    button(page, "more:vscode").setFocus()
    undone = replace(APPS.at_hosts, apps=(replace(CODE, connected="", wrapped=()),))
    page.draw(replace(APPS, at_hosts=undone))
    qtbot.waitUntil(lambda: held(page).endswith(":vscode"))  # the button is gone; its row is not


def held(page: HostsPage) -> str:
    widget: QWidget | None = page.focusWidget()
    return "" if widget is None else widget.objectName()
