"""The first steps: a real question, then one switch for each AI app; both can be skipped."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import (
    AppNews,
    ContentBlock,
    HostsStatus,
    HostStatus,
    Mode,
    Question,
    ServersStatus,
    Status,
    ToolStatus,
    ToolTrial,
)
from desktop.pages.hosts.change_sheet import WrittenChangeSheet
from desktop.pages.welcome.window import WelcomeWindow
from desktop.widgets.chip import Chip
from desktop.widgets.switch import Switch
from tests.desktop import samples
from tests.desktop.samples import CURSOR
from tests.desktop.service_calls import ServiceCalls

W = TypeVar("W", bound=QWidget)
ON = replace(CURSOR, connected="stdio", current=True, servers=(), wrapped=("quiz",), can=("form",))
OFF = replace(CURSOR, connected="", wrapped=(), can=("form",))
CODE = replace(OFF, id="claude-code", name="Claude Code", names=("claude-code",), can=("form", "url"))
HERE = HostStatus("cursor-vscode", "1", "stdio", "2025-11-25", True, ("quiz", "desk"), 0)
TOOLS = tuple(ToolStatus("quiz", f"t{n}", f"quiz_t{n}") for n in range(15))
NEWS = AppNews("connect", "Cursor", "/home/ada/.cursor/mcp.json", "", "restart", "cursor", "+deskbell")


@pytest.fixture
def window(qtbot: QtBot, calls: ServiceCalls) -> WelcomeWindow:
    made = WelcomeWindow(calls.services)
    qtbot.addWidget(made)
    made.draw(status())
    made.show()
    return made


def status(**at: Any) -> Status:
    return replace(samples.busy(), waiting=(), at_servers=ServersStatus(**at))


def apps(*found: Any, hosts: tuple[HostStatus, ...] = (), **more: Any) -> Status:
    at = HostsStatus(apps=found, looked=True, **more)
    return replace(status(), hosts=hosts, tools=TOOLS, at_hosts=at)


def words(window: QWidget) -> str:
    QCoreApplication.processEvents()
    return "\n".join(label.accessibleName() for label in window.findChildren(QLabel) if label.isVisible())


def part(window: QWidget, kind: type[W], name: str) -> W:
    QCoreApplication.processEvents()
    return next(one for one in window.findChildren(kind, name) if one.isVisible())


def press(window: QWidget, name: str) -> None:
    part(window, QAbstractButton, name).click()


def state(window: QWidget) -> str:
    return part(window, Chip, "state:cursor").text


def test_the_first_words_say_what_deskbell_is_and_one_button_is_filled(window: WelcomeWindow) -> None:
    assert words(window).split("\n")[1:3] == [
        "Deskbell rings when AI needs you",
        "When a tool of your AI app has a question, it appears here on your desktop, and your answer "
        "goes straight back.",
    ]
    ring = part(window, QPushButton, "next")
    assert (ring.text(), ring.isDefault(), ring.hasFocus()) == ("&Ring the bell", True, True)


def test_each_step_can_be_skipped_by_keyboard(window: WelcomeWindow, qtbot: QtBot) -> None:
    press(window, "past")
    assert "Which apps may ring?" in words(window)
    press(window, "back")
    assert "Deskbell rings when AI needs you" in words(window)
    press(window, "past")
    qtbot.keyClick(window, Qt.Key.Key_Return)
    assert not window.isVisible()
    window.show()
    assert "Deskbell rings when AI needs you" in words(window)
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"action": "accept", "value": "Too loud"}, "You answered “Too loud”. That's all there is to it."),
        ({"action": "decline", "value": None}, "You declined."),
        ({"action": "cancel", "value": None}, "You didn't answer."),
    ],
)
def test_the_question_is_a_call_whose_answer_comes_back(
    window: WelcomeWindow, qtbot: QtBot, said: dict[str, Any], told: str, calls: ServiceCalls
) -> None:
    with calls.expected("servers.try_tool") as wanted:
        press(window, "next")
    server, tool, arguments = wanted.args
    assert (server, tool) == ("desk", "desk_elicit_choice")
    assert len(json.loads(bytes(arguments))["options"]) == 3
    assert not part(window, QPushButton, "next").isEnabled()
    asked = Question("q7", Mode.FORM, "desk", "Deskbell", tool="elicit_choice")
    running = status(trial=ToolTrial(1, "desk", tool, running=True))
    with qtbot.waitSignal(window.open_wanted) as opened:
        window.draw(replace(running, waiting=(asked,)))
    assert opened.args == ["q7"]
    blocks = (ContentBlock("json", json.dumps({"result": said})),)
    window.draw(status(trial=ToolTrial(1, "desk", tool, blocks=blocks)))
    assert told in words(window)
    go_on = part(window, QPushButton, "next")
    assert (go_on.text(), window.focusWidget()) == ("&Continue", go_on)
    with calls.expected("hosts.look"), calls.forbidden("servers.cancel_trial"):
        press(window, "next")


def test_leaving_takes_the_question_back(window: WelcomeWindow, calls: ServiceCalls) -> None:
    press(window, "next")
    with calls.expected("servers.cancel_trial"):
        window.close()
    window.show()
    window.draw(
        status(trial=ToolTrial(1, failed=True, blocks=(ContentBlock("text", "Nobody can be asked."),)))
    )
    assert "Nobody can be asked." in words(window)
    assert part(window, QPushButton, "next").text() == "&Ring the bell"


def test_one_switch_connects_an_app_and_the_window_waits_until_it_has_come(
    window: WelcomeWindow, calls: ServiceCalls
) -> None:
    press(window, "past")
    window.draw(apps(OFF))
    assert state(window) == "Off"
    with calls.expected("hosts.switch") as wanted:
        part(window, Switch, "switch:cursor").click()
    assert wanted.args == ["cursor", True, "desktop"]
    window.draw(apps(ON, news=NEWS))
    assert state(window) == "Restart Cursor to connect it"
    window.draw(apps(ON))  # as after a change in another app
    assert state(window) == "Restart Cursor to connect it"
    window.draw(apps(ON, hosts=(HERE,), news=NEWS))
    assert state(window) == "Connected · 15 tools"
    assert "✓ Cursor is connected, 15 tools" in words(window)
    with calls.expected("hosts.switch") as wanted:
        part(window, Switch, "switch:cursor").click()
    assert wanted.args == ["cursor", False, ""]


def test_what_was_changed_can_be_seen(window: WelcomeWindow) -> None:
    press(window, "past")
    window.draw(apps(ON, news=NEWS))
    press(window, "showChanges")
    shown = [one for one in QApplication.topLevelWidgets() if isinstance(one, WrittenChangeSheet)]
    assert [one.windowTitle() for one in shown if one.isVisible()] == ["What changed in Cursor"]
    shown[0].close()


def test_where_questions_appear_is_one_choice_and_goes_by_how_well_the_apps_show_them(
    window: WelcomeWindow, calls: ServiceCalls
) -> None:
    press(window, "past")
    window.draw(apps(CODE))
    assert part(window, QRadioButton, "inApp").isChecked()
    window.draw(apps(CODE, ON))
    assert part(window, QRadioButton, "onDesktop").isChecked()
    with calls.expected("hosts.ask_by") as wanted:
        press(window, "inApp")
    assert wanted.args == ["cursor-vscode", "auto"]
    window.draw(apps(CODE, ON))
    assert part(window, QRadioButton, "inApp").isChecked()  # the person's choice stays
    with calls.expected("hosts.switch") as wanted:
        part(window, Switch, "switch:claude-code").click()
    assert wanted.args == ["claude-code", True, "auto"]


def test_a_switch_that_failed_says_why_and_stays_off(window: WelcomeWindow) -> None:
    press(window, "past")
    window.draw(apps(OFF))
    part(window, Switch, "switch:cursor").click()
    window.draw(apps(OFF, problem="mcp.json is write-protected."))
    assert "mcp.json is write-protected." in words(window)
    assert not part(window, Switch, "switch:cursor").isChecked()


def test_without_any_app_it_says_what_to_do(window: WelcomeWindow) -> None:
    press(window, "past")
    window.draw(apps())
    assert "No supported AI app found" in words(window)
