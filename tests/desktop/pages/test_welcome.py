"""The first steps: three of them, each can be skipped; the question at the end is a real one."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bridge.api import (
    ActionResult,
    ContentBlock,
    Draft,
    Mode,
    Proposal,
    ProposalChoice,
    Question,
    ServerForm,
    ServersStatus,
    ServerStatus,
    Status,
    ToolTrial,
)
from desktop.pages.hosts.page import HostsPage
from desktop.pages.servers.add_dialog import AddDialog
from desktop.pages.welcome.window import WelcomeWindow
from tests.desktop import samples
from tests.desktop.service_calls import ServiceCalls

W = TypeVar("W", bound=QWidget)
FOUND = Draft(1, (Proposal(0, "sign", ServerForm("sign", command="npx sign"), source="Cursor"),))


@pytest.fixture
def window(qtbot: QtBot, calls: ServiceCalls) -> WelcomeWindow:
    made = WelcomeWindow(HostsPage(calls.services), calls.services)
    qtbot.addWidget(made)
    made.draw(status())
    made.show()
    return made


def status(**at: Any) -> Status:
    return replace(samples.busy(), waiting=(), at_servers=ServersStatus(**at))


def words(window: QWidget) -> str:
    QCoreApplication.processEvents()
    return "\n".join(label.accessibleName() for label in window.findChildren(QLabel) if label.isVisible())


def part(window: QWidget, kind: type[W], name: str) -> W:
    QCoreApplication.processEvents()
    return next(one for one in window.findChildren(kind, name) if one.isVisible())


def press(window: QWidget, name: str) -> None:
    part(window, QAbstractButton, name).click()


def test_the_keyboard_alone_leads_through_all_three_steps(window: WelcomeWindow, qtbot: QtBot) -> None:
    for title in ("Step 1 of 3\nConnect an AI app", "Step 2 of 3\nAdd servers"):
        assert words(window).startswith(title)
        qtbot.keyClick(window, Qt.Key.Key_Return)
    assert words(window).startswith("Step 3 of 3\nSee how it works")
    press(window, "back")
    assert "Step 2 of 3" in words(window)
    press(window, "next")
    qtbot.keyClick(window, Qt.Key.Key_Return)
    assert not window.isVisible()
    window.show()
    assert "Step 1 of 3" in words(window)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_servers_that_other_apps_have_are_added(
    window: WelcomeWindow, qtbot: QtBot, calls: ServiceCalls
) -> None:
    with calls.expected("servers.find"):
        press(window, "next")
    window.draw(status(draft=FOUND))
    assert "npx sign" in words(window)
    assert "Already here: github, linear" in words(window)
    with calls.expected("servers.add") as added:
        press(window, "addFound")
    assert added.args == [(ProposalChoice(0, "sign"),)]
    window.draw(status(draft=FOUND, told=ActionResult(1, problem="config.toml cannot be edited.")))
    assert "config.toml cannot be edited." in words(window)
    part(window, QCheckBox, "wanted:0").setChecked(False)
    assert not part(window, QAbstractButton, "addFound").isEnabled()
    part(window, QCheckBox, "wanted:0").setChecked(True)
    press(window, "addFound")
    now = status(draft=Draft(2), told=ActionResult(2, "Added sign."))
    window.draw(replace(now, servers=(*now.servers, ServerStatus("sign", "stdio", "idle"))))
    assert "Added sign." in words(window)
    assert "npx sign" not in words(window)
    assert "linear, sign" not in words(window)


def test_what_is_checked_is_not_passed_by_unnoticed(
    window: WelcomeWindow, qtbot: QtBot, calls: ServiceCalls
) -> None:
    press(window, "next")
    qtbot.waitActive(window)
    go_on = part(window, QPushButton, "next")
    assert go_on.text() == "&Next"
    window.draw(status(draft=FOUND))
    assert go_on.text() == "&Next without adding"
    with calls.expected("servers.add"):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    window.draw(status(draft=Draft(2), told=ActionResult(1, "Added sign.")))
    assert (go_on.text(), go_on.hasFocus()) == ("&Next", True)
    qtbot.keyClick(go_on, Qt.Key.Key_Return)
    assert "Step 3 of 3" in words(window)
    assert go_on.text() == "&Finish"


def test_a_server_of_ones_own_is_added_there_too(
    window: WelcomeWindow, qtbot: QtBot, calls: ServiceCalls
) -> None:
    press(window, "next")
    window.draw(status(draft=Draft(1)))
    assert "No AI app on this computer" in words(window)
    press(window, "addOther")
    add = next(
        one for one in QApplication.topLevelWidgets() if isinstance(one, AddDialog) and one.isVisible()
    )
    with calls.expected("servers.draft") as wanted:
        qtbot.keyClicks(part(add, QPlainTextEdit, "text"), "npx sign")
    assert wanted.args == ["npx sign"]
    window.draw(status(draft=replace(FOUND, number=2)))
    with calls.expected("servers.add"):
        press(add, "add")
    window.draw(status(told=ActionResult(1, "Added sign.")))
    assert not add.isVisible()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"action": "accept", "value": "Too loud"}, "You answered “Too loud”."),
        ({"action": "decline", "value": None}, "You declined."),
        ({"action": "cancel", "value": None}, "You cancelled."),
    ],
)
def test_the_question_is_a_call_whose_answer_comes_back(
    window: WelcomeWindow, qtbot: QtBot, said: dict[str, Any], told: str, calls: ServiceCalls
) -> None:
    press(window, "next")
    press(window, "next")
    with calls.expected("servers.try_tool") as wanted:
        press(window, "askMe")
    server, tool, arguments = wanted.args
    assert (server, tool) == ("desk", "desk_elicit_choice")
    assert len(json.loads(bytes(arguments))["options"]) == 3
    asked = Question("q7", Mode.FORM, "desk", "Deskbell", tool="elicit_choice")
    running = status(trial=ToolTrial(1, "desk", tool, running=True))
    with qtbot.waitSignal(window.open_wanted) as opened:
        window.draw(replace(running, waiting=(asked,)))
    assert opened.args == ["q7"]
    blocks = (ContentBlock("json", json.dumps({"result": said})),)
    window.draw(status(trial=ToolTrial(1, "desk", tool, blocks=blocks)))
    assert told in words(window)
    assert window.focusWidget() is part(window, QPushButton, "next")
    with calls.forbidden("servers.cancel_trial"):
        press(window, "next")


def test_leaving_takes_the_question_back(window: WelcomeWindow, qtbot: QtBot, calls: ServiceCalls) -> None:
    press(window, "next")
    press(window, "next")
    press(window, "askMe")
    with calls.expected("servers.cancel_trial"):
        window.close()
    window.show()
    window.draw(
        status(trial=ToolTrial(1, failed=True, blocks=(ContentBlock("text", "Nobody can be asked."),)))
    )
    press(window, "next")
    press(window, "next")
    assert "Nobody can be asked." in words(window)
