"""The status window draws Status, and nothing that has not changed is drawn again."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from bridge.api import Status
from desktop.widgets.labels import Label
from desktop.windows.home import HomeWindow
from tests.desktop import samples


@pytest.fixture
def home(qtbot: QtBot) -> HomeWindow:
    made = HomeWindow()
    qtbot.addWidget(made)
    made.show()
    return made


def words(home: HomeWindow) -> str:
    QCoreApplication.processEvents()  # a layout shows what was added to it when control returns to the loop
    return "\n".join(label.accessibleName() for label in home.findChildren(QLabel) if label.isVisible())


def button(home: HomeWindow, name: str) -> QAbstractButton:
    return home.findChildren(QAbstractButton, name)[0]


def test_before_it_listens_it_says_that_it_starts(home: HomeWindow) -> None:
    assert "Starting…" in words(home)
    assert not button(home, "copyAddress").isVisible()


def test_it_shows_address_apps_servers_questions_and_problems(home: HomeWindow) -> None:
    home.draw(samples.busy())
    shown = words(home)
    for expected in (
        "http://127.0.0.1:8765/mcp",
        "Claude Desktop 1.4.2",
        "uses github, files",
        "does not work",
        "npx: command not found",
        "Please sign in to Linear.",
        "wants to use delete_repository",
        "config.toml, line 12",
        "deskbell wrap -- npx",
    ):
        assert expected in shown


def test_a_notice_is_shown_and_goes(home: HomeWindow) -> None:
    home.draw(replace(samples.busy(), notices=("Zed answers questions by itself.",)))
    assert "Zed answers questions by itself." in words(home)
    home.draw(samples.busy())
    assert "Good to know" not in words(home)


def test_what_is_gone_from_status_is_gone_from_the_window(home: HomeWindow) -> None:
    home.draw(samples.busy())
    home.draw(samples.QUIET)
    shown = words(home)
    assert "No questions." in shown
    assert "No AI app is connected" in shown
    assert "Something is wrong" not in shown
    assert "linear" not in shown


def test_each_waiting_question_has_its_own_button(home: HomeWindow, qtbot: QtBot) -> None:
    home.draw(samples.busy())
    with qtbot.waitSignal(home.answer_wanted) as wanted:
        qtbot.mouseClick(button(home, "answer:u1"), Qt.MouseButton.LeftButton)
    assert wanted.args == ["u1"]


def test_a_part_that_has_not_changed_keeps_its_widgets(home: HomeWindow) -> None:
    status = samples.busy()
    home.draw(status)
    before = button(home, "answer:u1")
    home.draw(replace(status, hosts=(), problems=()))
    assert button(home, "answer:u1") is before


def test_the_address_and_the_command_can_be_copied(home: HomeWindow, qtbot: QtBot) -> None:
    home.draw(samples.QUIET)
    for name, copied in (("copyAddress", "http://127.0.0.1:8765/mcp"), ("copyWrap", "deskbell wrap -- npx")):
        qtbot.mouseClick(button(home, name), Qt.MouseButton.LeftButton)
        assert copied in QGuiApplication.clipboard().text()


@pytest.mark.parametrize(
    ("folder", "command"),
    [("bin", "{path} wrap -- "), ("my bin", '"{path}" wrap -- '), ("", "deskbell wrap -- ")],
)
def test_the_command_is_one_that_an_app_without_our_path_can_start(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, command: str
) -> None:
    path = tmp_path / (folder or "elsewhere") / ("deskbell.exe" if sys.platform == "win32" else "deskbell")
    path.parent.mkdir()
    if folder:
        path.touch()
    monkeypatch.setattr(sys, "executable", str(path.with_name("python")))
    home = HomeWindow()
    qtbot.addWidget(home)
    home.show()
    assert command.format(path=path) in words(home)


def test_without_a_tray_it_says_so_until_there_is_one(home: HomeWindow) -> None:
    home.tell_tray(False)
    assert home.findChildren(Label, "noTray")[0].isVisible()
    home.tell_tray(True)
    assert not home.findChildren(Label, "noTray")[0].isVisible()


def test_closing_it_quits_nothing_and_quit_is_a_button_of_its_own(home: HomeWindow, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(home.quit_wanted):
        qtbot.mouseClick(button(home, "close"), Qt.MouseButton.LeftButton)
    assert not home.isVisible()
    home.show()
    with qtbot.waitSignal(home.quit_wanted):
        qtbot.mouseClick(button(home, "quit"), Qt.MouseButton.LeftButton)


def test_an_empty_status_is_no_trouble(home: HomeWindow) -> None:
    home.draw(Status())
    assert home.isVisible()
