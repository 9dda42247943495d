"""The bell in the tray shows what Status says, and its menu leads everywhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from bridge.api import Flood, ServerStatus, Status
from desktop.tray import Tray, tray_state
from desktop.widgets.icons import TrayState, app_icon, tray_icon
from tests.desktop import samples

BROKEN = Status(address="http://127.0.0.1:1/mcp", problems=("The port is taken.",))
FAILED = Status(address="http://127.0.0.1:1/mcp", servers=(ServerStatus("files", "stdio", "failed"),))


@pytest.fixture
def tray(qtbot: QtBot) -> Iterator[Tray]:
    made = Tray()
    yield made
    made.hide()


def icon(tray: Tray) -> QSystemTrayIcon:
    return tray.findChildren(QSystemTrayIcon)[0]


def actions(tray: Tray) -> list[QAction]:
    shown = [action for action in icon(tray).contextMenu().actions() if action.isVisible()]
    return [action for action in shown if not action.isSeparator()]


def painted(picture: QIcon, size: int = 32) -> bytes:
    return bytes(picture.pixmap(QSize(size, size), 1.0).toImage().constBits())


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (samples.QUIET, TrayState.IDLE),
        (samples.busy(), TrayState.WAITING),
        (BROKEN, TrayState.PROBLEM),
        (FAILED, TrayState.PROBLEM),
        (samples.BESET, TrayState.SNOOZED),
    ],
)
def test_the_state_follows_the_status(status: Status, state: TrayState) -> None:
    assert tray_state(status) is state


@pytest.mark.parametrize("variant", ["light", "dark", "mono"])
def test_every_state_has_its_own_picture_in_every_variant(qtbot: QtBot, variant: str) -> None:
    pictures = {painted(tray_icon(state, variant=variant)) for state in TrayState}
    assert len(pictures) == len(TrayState)
    assert any(any(picture) for picture in pictures)


def test_the_count_is_on_the_icon(qtbot: QtBot) -> None:
    counts = (0, 1, 2, 10)
    assert len({painted(tray_icon(TrayState.WAITING, count)) for count in counts}) == len(counts)
    many = painted(tray_icon(TrayState.WAITING, 10)), painted(tray_icon(TrayState.WAITING, 500))
    assert many[0] == many[1]


def test_the_app_has_a_picture(qtbot: QtBot) -> None:
    assert not app_icon().pixmap(64, 64).isNull()


def test_the_menu_is_there_before_anything_is_known(tray: Tray) -> None:
    words = [action.text().replace("&", "") for action in actions(tray)]
    assert words == [
        "Starting…",
        "Answer next question",
        "Snooze",
        "Show window…",
        "Questions…",
        "Activity…",
        "Accounts…",
        "Settings…",
        "Quit",
    ]
    assert [action.isEnabled() for action in actions(tray)] == [False, False, *[True] * 7]


def test_the_menu_and_the_tooltip_count_what_waits(tray: Tray) -> None:
    tray.draw(samples.busy())
    line, answer = actions(tray)[:2]
    assert (line.text(), line.isEnabled()) == ("Questions waiting: 3", False)
    assert (answer.text().replace("&", ""), answer.isEnabled()) == ("Answer next question (3)", True)
    assert "Questions waiting: 3" in icon(tray).toolTip()
    tray.draw(samples.QUIET)
    assert not actions(tray)[1].isEnabled()
    assert actions(tray)[0].text() == "Ready. AI apps connected: 0"


def test_a_problem_is_said_in_words(tray: Tray) -> None:
    tray.draw(BROKEN)
    assert actions(tray)[0].text() == "The port is taken."
    tray.draw(FAILED)
    assert actions(tray)[0].text() == "files does not work"


def test_each_entry_of_the_menu_does_what_it_says(tray: Tray, qtbot: QtBot) -> None:
    tray.draw(samples.busy())
    by_words = {action.text().replace("&", ""): action for action in actions(tray)}
    for words, wanted, said in (
        ("Answer next question (3)", tray.next_wanted, []),
        ("Show window…", tray.window_wanted, []),
        ("Questions…", tray.page_wanted, ["questions"]),
        ("Activity…", tray.page_wanted, ["activity"]),
        ("Accounts…", tray.page_wanted, ["accounts"]),
        ("Settings…", tray.page_wanted, ["preferences"]),
        ("Quit", tray.quit_wanted, []),
    ):
        with qtbot.waitSignal(wanted) as heard:
            by_words[words].trigger()
        assert heard.args == said


def test_a_snooze_is_chosen_shown_and_ended_in_the_menu(tray: Tray, qtbot: QtBot) -> None:
    menu = tray.findChildren(QSystemTrayIcon)[0].contextMenu().findChildren(QMenu, "snoozeMenu")[0]
    said: list[float] = []
    tray.snooze_wanted.connect(said.append)
    for entry in menu.actions():
        entry.trigger()
    assert said == [1800.0, 3600.0, 28800.0, 0.0]
    tray.draw(replace(samples.busy(), snoozed=True))
    assert actions(tray)[0].text() == "Snoozed. Questions waiting: 3"
    assert actions(tray)[2].text().replace("&", "") == "Resume"
    with qtbot.waitSignal(tray.resume_wanted):
        actions(tray)[2].trigger()
    tray.draw(replace(samples.QUIET, snoozed=True, snoozed_until=time.time() + 600))
    assert actions(tray)[0].text().startswith("Snoozed until ")


def test_a_server_that_asks_too_much_is_named(tray: Tray) -> None:
    tray.draw(replace(samples.busy(), floods=(Flood("github", 12),)))
    assert actions(tray)[0].text() == "github asks very often"


def test_a_click_leads_to_the_question_or_else_to_the_window(tray: Tray, qtbot: QtBot) -> None:
    with qtbot.waitSignal(tray.window_wanted):
        icon(tray).activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    tray.draw(samples.busy())
    with qtbot.waitSignal(tray.next_wanted):
        icon(tray).activated.emit(QSystemTrayIcon.ActivationReason.Trigger)


def test_without_a_tray_it_looks_again_until_there_is_one(
    tray: Tray, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.tray.RETRY", 5)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    assert not tray.look()
    with qtbot.waitSignal(tray.found):
        monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
