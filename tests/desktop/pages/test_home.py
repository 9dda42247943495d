"""The first page: questions are answered in place, and every problem has a button that mends it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import Action, Answer, ConfigStatus, HostStatus, ServerStatus, Status
from desktop.pages.home import HomePage
from desktop.widgets.chip import Chip
from desktop.widgets.labels import Label
from tests.desktop import samples
from tests.desktop.service_calls import ServiceCalls

YES_OR_NO = {"sure": {"type": "boolean", "title": "Sure?"}}


@pytest.fixture
def home(qtbot: QtBot, calls: ServiceCalls) -> Iterator[HomePage]:
    made = HomePage(samples.Past(), calls.services)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close_history()


def words(home: HomePage) -> str:
    QCoreApplication.processEvents()  # a layout shows what was added to it when control returns to the loop
    labels = [label.accessibleName() for label in home.findChildren(QLabel) if label.isVisible()]
    return "\n".join([*labels, *(chip.text for chip in home.findChildren(Chip) if chip.isVisible())])


def button(home: HomePage, name: str) -> QAbstractButton:
    return next(one for one in home.findChildren(QAbstractButton, name) if one.isVisible())


def section(home: HomePage, name: str) -> list[QLabel]:
    return home.findChildren(QWidget, name)[0].findChildren(QLabel)


def test_before_it_listens_it_says_that_it_starts(home: HomePage) -> None:
    assert "Starting…" in words(home)


def test_a_yes_or_no_is_answered_by_one_press(home: HomePage, qtbot: QtBot) -> None:
    home.draw(replace(samples.QUIET, waiting=(samples.form(YES_OR_NO, "sure"),)))
    qtbot.waitUntil(lambda: "Yes" in [one.text() for one in home.findChildren(QAbstractButton, "answer:0")])
    with qtbot.waitSignal(home.answered) as answered:
        qtbot.mouseClick(button(home, "answer:0"), Qt.MouseButton.LeftButton)
    assert answered.args is not None
    assert answered.args[1] == Answer(Action.ACCEPT, b'{"sure":true}')


def test_a_question_without_fields_is_answered_by_yes_or_no_as_in_its_window(
    home: HomePage, qtbot: QtBot
) -> None:
    home.draw(replace(samples.QUIET, waiting=(samples.form({}, message="Merge it?"),)))
    qtbot.waitUntil(lambda: "Yes" in [one.text() for one in home.findChildren(QAbstractButton, "answer:0")])
    with qtbot.waitSignal(home.answered) as answered:
        qtbot.mouseClick(button(home, "answer:no"), Qt.MouseButton.LeftButton)
    assert answered.args is not None
    assert answered.args[1] == Answer(Action.DECLINE)


def test_a_longer_question_is_opened_by_a_press_or_by_return_on_its_card(
    home: HomePage, qtbot: QtBot
) -> None:
    question = samples.every_kind()
    home.draw(replace(samples.QUIET, waiting=(question,)))
    assert "github · via Claude Desktop" in words(home)
    with qtbot.waitSignal(home.question_wanted) as opened:
        qtbot.mouseClick(button(home, "open"), Qt.MouseButton.LeftButton)
    assert opened.args == [question.id]
    card = home.findChildren(QWidget, f"card:{question.id}")[0]
    with qtbot.waitSignal(home.question_wanted):
        qtbot.keyClick(card, Qt.Key.Key_Return)


def test_more_than_a_few_are_counted_and_lead_to_their_page(home: HomePage, qtbot: QtBot) -> None:
    many = tuple(replace(samples.every_kind(), id=str(place)) for place in range(9))
    home.draw(replace(samples.QUIET, waiting=many))
    assert button(home, "allWaiting").text() == "5 more waiting"
    with qtbot.waitSignal(home.page_wanted) as wanted:
        button(home, "allWaiting").click()
    assert wanted.args == ["questions"]


def test_the_home_page_shows_apps_servers_and_problems(home: HomePage) -> None:
    home.draw(samples.busy())
    shown = words(home)
    for expected in (
        "Ready · 2 apps connected",
        "Claude Desktop",
        "uses github, files",
        "Running",
        "files doesn't work. npx: command not found",
        "config.toml, line 12",
    ):
        assert expected in shown


def test_what_it_does_itself_is_no_server_of_the_persons(home: HomePage) -> None:
    home.draw(samples.busy())
    assert "desk" not in {label.text() for label in section(home, "servers")}


def test_settings_that_cannot_be_read_can_be_opened(home: HomePage, qtbot: QtBot) -> None:
    broken = ConfigStatus("/home/ada/config.toml", "config.toml, line 3: Invalid value.", "nothing")
    problems = (f"{broken.problem} Every call is denied.",)
    home.draw(replace(samples.QUIET, problems=problems, config=broken))
    assert "line 3" in words(home)
    with qtbot.waitSignal(home.settings_wanted):
        button(home, "fix:0").click()


def test_a_server_that_fails_can_be_tried_again_or_mended(
    home: HomePage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    sick = ServerStatus("sick", "stdio", "failed", problem="No such file.")
    home.draw(replace(samples.QUIET, servers=(sick,)))
    assert "sick doesn't work. No such file." in words(home)
    with calls.expected("servers.restart") as again:
        button(home, "again:0").click()
    assert again.args == ["sick"]
    with qtbot.waitSignal(home.page_wanted) as wanted:
        button(home, "fix:0").click()
    assert wanted.args == ["servers"]


def test_a_server_without_its_key_says_which_one(home: HomePage, qtbot: QtBot) -> None:
    home.draw(replace(samples.QUIET, servers=(ServerStatus("brave", "stdio", "secret", missing=("brave",)),)))
    assert "brave needs a key: brave." in words(home)
    with qtbot.waitSignal(home.page_wanted):
        button(home, "fix:0").click()


def signing(sign_in: str) -> Status:
    club = ServerStatus("club", "http", "sign-in", problem="Nobody came back.", sign_in=sign_in)
    return replace(samples.QUIET, servers=(club, ServerStatus("quiz", "stdio", "ready")))


def test_a_server_that_needs_a_sign_in_leads_to_it(home: HomePage, calls: ServiceCalls) -> None:
    home.draw(signing("needed"))
    assert "club needs you to sign in." in words(home)
    with calls.expected("servers.sign_in") as wanted:
        button(home, "fix:0").click()
    assert wanted.args == ["club"]
    home.draw(samples.QUIET)
    assert "club" not in words(home)


def test_a_sign_in_that_waits_as_a_question_has_no_second_way(home: HomePage) -> None:
    asked = samples.link("https://club.example/authorize", server="club", ours=True)
    home.draw(replace(signing("needed"), waiting=(asked,)))
    assert not home.findChildren(QAbstractButton, "fix:0")


def test_a_notice_is_shown_and_goes(home: HomePage) -> None:
    home.draw(replace(samples.busy(), notices=("Zed answers questions by itself.",)))
    assert "Zed answers questions by itself." in words(home)
    home.draw(samples.busy())
    assert "Zed answers questions by itself." not in words(home)


@pytest.mark.parametrize(
    ("label", "called"), [("Undo", "settings.undo_loosening"), ("Keep the change", "settings.keep_loosened")]
)
def test_rules_removed_from_the_file_are_named_and_can_be_put_back(
    home: HomePage, calls: ServiceCalls, label: str, called: str
) -> None:
    config = ConfigStatus(loosened="files_* = deny")
    home.draw(replace(samples.QUIET, config=config))
    assert "Rules were removed from the settings file: files_* = deny." in words(home)
    with calls.expected(called):
        next(one for one in home.findChildren(QAbstractButton) if one.text() == label).click()
    home.draw(samples.QUIET)
    assert "Rules were removed" not in words(home)


def test_without_an_app_it_leads_to_connecting_one(home: HomePage, qtbot: QtBot) -> None:
    home.draw(samples.busy())
    home.draw(samples.QUIET)
    assert "No AI app is connected" in words(home)
    assert "linear" not in words(home)
    with qtbot.waitSignal(home.page_wanted) as wanted:
        button(home, "connectApp").click()
    assert wanted.args == ["hosts"]


def test_a_command_that_the_person_types_is_no_ai_app(home: HomePage) -> None:
    command = HostStatus("Command line", "", "cli", "2026-07-28", False, ("desk",), 1)
    home.draw(replace(samples.QUIET, hosts=(command,)))
    assert "Ready · no apps connected" in words(home)
    assert "Command line" not in words(home)
    assert button(home, "connectApp").isVisible()


def test_an_app_that_starts_several_servers_is_one_app(home: HomePage) -> None:
    connections = (("files",), ("github", "desk"), ())
    hosts = tuple(
        HostStatus("cursor-vscode", "1.0", "stdio", "", False, servers, 0) for servers in connections
    )
    servers = (*samples.busy().servers, ServerStatus("desk", "built-in", "ready"))
    home.draw(replace(samples.busy(), hosts=hosts, servers=servers))
    assert "Ready · 1 app connected" in words(home)
    listed = [label.accessibleName() for label in section(home, "hosts") if label.isVisible()]
    assert listed.count("Cursor") == 1
    assert "uses files, github" in listed


def test_the_last_answers_are_told_in_words(home: HomePage, qtbot: QtBot) -> None:
    home.draw(samples.QUIET)
    qtbot.waitUntil(lambda: "You answered github: name: Ada · apiKey: •••" in words(home))


def test_a_part_that_has_not_changed_keeps_its_widgets(home: HomePage) -> None:
    status = samples.busy()
    home.draw(status)
    before = section(home, "servers")
    home.draw(replace(status, hosts=(), problems=()))
    assert section(home, "servers") == before


def test_without_a_tray_it_says_so_until_there_is_one(home: HomePage) -> None:
    home.show_tray(False)
    assert home.findChildren(Label, "noTray")[0].isVisible()
    home.show_tray(True)
    assert not home.findChildren(Label, "noTray")[0].isVisible()


def test_an_empty_status_is_no_trouble(home: HomePage) -> None:
    home.draw(Status())
    assert home.isVisible()
