"""The first page draws Status, and nothing that has not changed is drawn again."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import ConfigStatus, ServerStatus, Status, VaultStatus
from desktop.pages.overview import OverviewPage
from desktop.widgets.labels import Label
from tests.desktop import samples
from tests.desktop.service_calls import ServiceCalls


@pytest.fixture
def home(qtbot: QtBot, calls: ServiceCalls) -> OverviewPage:
    made = OverviewPage(calls.services)
    qtbot.addWidget(made)
    made.show()
    return made


def words(home: OverviewPage) -> str:
    QCoreApplication.processEvents()  # a layout shows what was added to it when control returns to the loop
    return "\n".join(label.accessibleName() for label in home.findChildren(QLabel) if label.isVisible())


def button(home: OverviewPage, name: str) -> QAbstractButton:
    return home.findChildren(QAbstractButton, name)[0]


def section(home: OverviewPage, name: str) -> list[QLabel]:
    return home.findChildren(QWidget, name)[0].findChildren(QLabel)


def test_questions_that_wait_are_counted_and_lead_to_their_page(home: OverviewPage, qtbot: QtBot) -> None:
    assert not button(home, "answerAll").isVisible()
    home.draw(samples.busy())
    assert button(home, "answerAll").text() == "&Answer questions (3)"
    with qtbot.waitSignal(home.questions_wanted):
        qtbot.mouseClick(button(home, "answerAll"), Qt.MouseButton.LeftButton)


def test_before_it_listens_it_says_that_it_starts(home: OverviewPage) -> None:
    assert "Starting…" in words(home)
    assert not button(home, "copyAddress").isVisible()


def test_it_shows_address_apps_servers_and_problems(home: OverviewPage) -> None:
    home.draw(samples.busy())
    shown = words(home)
    for expected in (
        "http://127.0.0.1:23355/mcp",
        "Claude Desktop 1.4.2",
        "uses github, files",
        "Failed",
        "npx: command not found",
        "config.toml, line 12",
        "deskbell wrap -- npx",
    ):
        assert expected in shown


def test_settings_that_cannot_be_read_can_be_opened(home: OverviewPage, qtbot: QtBot) -> None:
    broken = ConfigStatus("/home/ada/config.toml", "config.toml, line 3: Invalid value.", "nothing")
    problems = ("The port is taken.", f"{broken.problem} Every call is denied.")
    home.draw(replace(samples.busy(), problems=problems, config=broken))
    assert "line 3" in words(home)
    assert len(home.findChildren(QAbstractButton, "openSettings")) == 1
    with qtbot.waitSignal(home.settings_wanted):
        button(home, "openSettings").click()


def test_a_notice_is_shown_and_goes(home: OverviewPage) -> None:
    home.draw(replace(samples.busy(), notices=("Zed answers questions by itself.",)))
    assert "Zed answers questions by itself." in words(home)
    home.draw(samples.busy())
    assert "Good to know" not in words(home)


def test_where_secrets_are_kept_and_what_that_is_worth_is_said(home: OverviewPage) -> None:
    home.draw(replace(samples.busy(), vault=VaultStatus("file", "locked", limits="Others can copy it.")))
    shown = words(home)
    assert "Secrets are kept in an encrypted file, locked by a passphrase. Others can copy it." in shown


def signing(sign_in: str) -> Status:
    club = ServerStatus("club", "http", "sign-in", problem="Nobody came back.", sign_in=sign_in)
    return replace(samples.QUIET, servers=(club, ServerStatus("quiz", "stdio", "ready")))


@pytest.mark.parametrize(
    ("sign_in", "text", "state"),
    [("needed", "Sign in…", "Sign-in needed"), ("under way", "Open again", "Signing in…")],
)
def test_a_server_that_needs_a_sign_in_leads_to_it(
    home: OverviewPage, qtbot: QtBot, sign_in: str, text: str, state: str, calls: ServiceCalls
) -> None:
    home.draw(signing(sign_in))
    assert state in words(home)
    assert "Nobody came back." in words(home)
    (found,) = home.findChildren(QAbstractButton, "signIn")
    assert (found.text(), found.accessibleName()) == (text, f"{text} club")
    with calls.expected("servers.sign_in") as wanted:
        qtbot.mouseClick(found, Qt.MouseButton.LeftButton)
    assert wanted.args == ["club"]
    home.draw(samples.QUIET)
    QCoreApplication.processEvents()
    assert not [one for one in home.findChildren(QAbstractButton, "signIn") if one.isVisible()]


def test_a_sign_in_that_waits_as_a_question_has_no_second_way(home: OverviewPage) -> None:
    asked = samples.link("https://club.example/authorize", server="club", ours=True)
    home.draw(replace(signing("under way"), waiting=(asked,)))
    assert not home.findChildren(QAbstractButton, "signIn")
    assert button(home, "answerAll").isVisible()


def test_what_is_gone_from_status_is_gone_from_the_window(home: OverviewPage) -> None:
    home.draw(samples.busy())
    home.draw(samples.QUIET)
    shown = words(home)
    assert "No AI app uses Deskbell" in shown
    assert "Something is wrong" not in shown
    assert "linear" not in shown


def test_a_part_that_has_not_changed_keeps_its_widgets(home: OverviewPage) -> None:
    status = samples.busy()
    home.draw(status)
    before = section(home, "servers")
    home.draw(replace(status, hosts=(), problems=()))
    assert section(home, "servers") == before


def test_the_address_and_the_command_can_be_copied(home: OverviewPage, qtbot: QtBot) -> None:
    home.draw(samples.QUIET)
    for name, copied in (("copyAddress", "http://127.0.0.1:23355/mcp"), ("copyWrap", "deskbell wrap -- npx")):
        qtbot.mouseClick(button(home, name), Qt.MouseButton.LeftButton)
        assert copied in QGuiApplication.clipboard().text()


@pytest.mark.parametrize(
    ("folder", "command"),
    [("bin", "{path} wrap -- "), ("my bin", "'{path}' wrap -- ")],
)
def test_the_command_is_one_that_an_app_without_our_path_can_start(
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    folder: str,
    command: str,
    calls: ServiceCalls,
) -> None:
    path = tmp_path / folder / ("deskbell.exe" if sys.platform == "win32" else "deskbell")
    path.parent.mkdir()
    path.touch(0o755)
    monkeypatch.setattr(sys, "executable", str(path.with_name("python")))
    home = OverviewPage(calls.services)
    qtbot.addWidget(home)
    home.show()
    assert command.format(path=path) in words(home)


def test_without_a_tray_it_says_so_until_there_is_one(home: OverviewPage) -> None:
    home.show_tray(False)
    assert home.findChildren(Label, "noTray")[0].isVisible()
    home.show_tray(True)
    assert not home.findChildren(Label, "noTray")[0].isVisible()


def test_an_empty_status_is_no_trouble(home: OverviewPage) -> None:
    home.draw(Status())
    assert home.isVisible()


def test_it_leads_to_the_ai_apps(qtbot: QtBot, calls: ServiceCalls) -> None:
    page = OverviewPage(calls.services)
    qtbot.addWidget(page)
    page.show()
    with qtbot.waitSignal(page.hosts_wanted):
        page.findChildren(QAbstractButton, "aiApps")[0].click()
