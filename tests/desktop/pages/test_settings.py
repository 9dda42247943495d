"""The Settings page shows what is in force, and changes only what the person changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bridge.api import EndpointStatus, Status, UpdateStatus, VaultStatus, interruption
from desktop.pages.settings import SettingsPage
from desktop.widgets.labels import Label
from tests.desktop import samples
from tests.desktop.service_calls import ServiceCalls

LOUD = replace(
    samples.QUIET,
    wishes=interruption.AlertSettings(front=interruption.RaiseWindow.ALWAYS, sound=True, windows=False),
    questions_per_minute=3,
    history_days=7.0,
)


@pytest.fixture
def page(qtbot: QtBot, calls: ServiceCalls) -> SettingsPage:
    made = SettingsPage(calls.services)
    qtbot.addWidget(made)
    made.show()
    return made


def check(page: SettingsPage, key: str) -> QCheckBox:
    return page.findChildren(QCheckBox, f"prefer:{key}")[0]


def spin(page: SettingsPage, key: str) -> QSpinBox:
    return page.findChildren(QSpinBox, f"prefer:{key}")[0]


def combo(page: SettingsPage, key: str) -> QComboBox:
    return page.findChildren(QComboBox, f"prefer:{key}")[0]


def button(page: QWidget, name: str) -> QPushButton:
    return page.findChildren(QPushButton, name)[0]


def label(page: SettingsPage, name: str) -> str:
    found = page.findChildren(QLabel, name)[0]
    return "" if found.isHidden() else found.accessibleName()


def test_the_settings_page_shows_what_is_in_force_and_says_nothing(
    page: SettingsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    with calls.forbidden("settings.change"):
        page.draw(LOUD)
    shown = [check(page, key).isChecked() for key in ("windows", "sound", "notifications")]
    assert shown == [False, True, True]
    assert combo(page, "raise").currentText() == "Always"
    assert (spin(page, "questions_per_minute").value(), spin(page, "days").value()) == (3, 7)
    page.draw(Status())
    assert check(page, "windows").isChecked()


@pytest.mark.parametrize(("key", "before"), [("windows", True), ("sound", True), ("do_not_disturb", True)])
def test_a_click_changes_one_preference(
    page: SettingsPage, qtbot: QtBot, key: str, before: bool, calls: ServiceCalls
) -> None:
    with calls.expected("settings.change") as wanted:
        qtbot.keyClick(check(page, key), Qt.Key.Key_Space)
    assert wanted.args == ["desktop", key, not before]


def test_when_a_window_comes_to_the_front_is_chosen(
    page: SettingsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    with calls.expected("settings.change") as wanted:
        qtbot.keyClick(combo(page, "raise"), Qt.Key.Key_Down)
    assert wanted.args == ["desktop", "raise", "idle"]


@pytest.mark.parametrize(
    ("name", "table", "zero"),
    [
        ("questions_per_minute", "desktop", "No limit"),
        ("days", "history", "Keep no history"),
        ("contents", "history", "Never keep it"),
    ],
)
def test_numbers_are_taken_when_they_are_whole(
    page: SettingsPage, qtbot: QtBot, name: str, table: str, zero: str, calls: ServiceCalls
) -> None:
    line = spin(page, name)
    line.selectAll()
    with calls.expected("settings.change") as wanted:
        qtbot.keyClicks(line, "25")
        qtbot.keyClick(line, Qt.Key.Key_Return)
    assert wanted.args == [table, name, 25]
    line.setValue(0)
    assert line.text() == zero


def test_one_day_is_one_day(page: SettingsPage) -> None:
    line = spin(page, "contents")
    for days, words in ((2, "2 days"), (1, "1 day"), (3, "3 days")):
        line.setValue(days)
        assert line.text() == words


def test_one_day_that_is_in_force_is_one_day_too(page: SettingsPage) -> None:
    page.draw(replace(LOUD, contents_days=1.0))
    assert spin(page, "contents").text() == "1 day"
    page.draw(replace(LOUD, contents_days=2.0))
    assert spin(page, "contents").text() == "2 days"


def test_passing_through_changes_nothing(page: SettingsPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    page.draw(replace(LOUD, history_days=0.4))
    with calls.forbidden("settings.change"):
        for line in (spin(page, "questions_per_minute"), spin(page, "days")):
            line.setFocus()
            qtbot.keyClick(line, Qt.Key.Key_Tab)
            line.editingFinished.emit()


def test_the_language_is_chosen_by_its_own_name(
    page: SettingsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    box = page.findChildren(QComboBox, "prefer:language")[0]
    page.draw(replace(samples.QUIET, language="de"))
    assert box.currentText() == "Deutsch"
    with calls.expected("settings.change") as wanted:
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert wanted.args == ["desktop", "language", "ja"]


def test_the_wheel_changes_nothing(page: SettingsPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    with calls.forbidden("settings.change"):
        for box in (*page.findChildren(QComboBox), *page.findChildren(QSpinBox)):
            before = box.property("value"), box.property("currentIndex")
            QApplication.sendEvent(box, wheel(box))
            assert (box.property("value"), box.property("currentIndex")) == before


def wheel(box: QWidget) -> QWheelEvent:
    middle = QPointF(box.rect().center())
    none, down = QPoint(), QPoint(0, -120)
    buttons, keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    return QWheelEvent(middle, middle, none, down, buttons, keys, Qt.ScrollPhase.NoScrollPhase, False)


@pytest.mark.parametrize(("answer", "days"), [("&Delete", [0]), ("&Cancel", [])])
def test_history_is_deleted_only_after_a_second_word(
    page: SettingsPage, calls: ServiceCalls, answer: str, days: list[int]
) -> None:
    page.draw(LOUD)
    spin(page, "days").setValue(0)
    spin(page, "days").editingFinished.emit()
    box = page.findChildren(QMessageBox, "forgetBox")[0]
    assert calls.of("settings.change") == []
    next(one for one in box.buttons() if one.text() == answer).click()
    assert calls.of("settings.change") == [["history", "days", number] for number in days]
    assert spin(page, "days").value() == (0 if days else 7)


@pytest.mark.parametrize(
    ("key", "steps", "said"),
    [
        ("theme", 1, ["desktop", "theme", "light"]),
        ("icon", 1, ["desktop", "icon", "mono"]),
        ("question_timeout", 1, ["", "question_timeout", 600.0]),
    ],
)
def test_a_choice_is_told(
    page: SettingsPage, qtbot: QtBot, key: str, steps: int, said: list[object], calls: ServiceCalls
) -> None:
    with calls.expected("settings.change") as wanted:
        qtbot.keyClick(combo(page, key), Qt.Key.Key_Down)
    assert wanted.args == said


def test_a_time_of_ones_own_is_shown_too(page: SettingsPage) -> None:
    page.draw(replace(samples.QUIET, question_timeout=45.0))
    assert combo(page, "question_timeout").currentText() == "45 seconds"
    page.draw(replace(samples.QUIET, question_timeout=3600.0))
    assert combo(page, "question_timeout").currentText() == "1 hour"


def test_the_language_counts_from_the_next_start_and_that_is_said(page: SettingsPage, qtbot: QtBot) -> None:
    assert label(page, "restartNote") == ""
    qtbot.keyClick(combo(page, "language"), Qt.Key.Key_Down)
    page.draw(replace(samples.QUIET, language="en"))
    assert label(page, "restartNote") == "Restart Deskbell to change the language."


def test_autostart_is_shown_as_the_system_has_it_and_asked_for(page: SettingsPage, qtbot: QtBot) -> None:
    box = page.findChildren(QCheckBox, "autostart")[0]
    with qtbot.assertNotEmitted(page.autostart_wanted):
        page.show_autostart(True)
    assert box.isChecked()
    with qtbot.waitSignal(page.autostart_wanted) as wanted:
        qtbot.keyClick(box, Qt.Key.Key_Space)
    assert wanted.args == [False]
    page.show_autostart(True, "That could not be changed: the disk is full")
    assert (box.isChecked(), label(page, "autostartProblem")[-12:]) == (True, "disk is full")
    page.hide()
    with qtbot.waitSignal(page.shown):
        page.show()


def test_a_snooze_begins_and_ends_here_too(page: SettingsPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    page.draw(samples.QUIET)
    entries = page.findChildren(QMenu, "snoozeMenu")[0].actions()
    with calls.expected("questions.snooze") as wanted:
        entries[1].trigger()
    assert wanted.args == [3600.0]
    page.draw(replace(samples.QUIET, snoozed=True))
    assert label(page, "snoozedNote") == "Snoozed until you resume."
    with calls.expected("questions.resume"):
        button(page, "resume").click()
    assert button(page, "snooze").isHidden()


def test_a_taken_port_is_told_beside_it(page: SettingsPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    problem = "Port 80 cannot be used: This account may not use it."
    page.draw(replace(samples.QUIET, problems=("Something else.", problem), endpoint=EndpointStatus(80)))
    assert spin(page, "port").value() == 80
    assert label(page, "portProblem") == problem
    line = spin(page, "port")
    line.selectAll()
    with calls.expected("settings.change") as wanted:
        qtbot.keyClicks(line, "8080")
        qtbot.keyClick(line, Qt.Key.Key_Return)
    assert wanted.args == ["", "port", 8080]


@pytest.mark.parametrize(("answer", "wanted"), [("&Replace", 1), ("&Cancel", 0)])
def test_the_token_is_replaced_only_after_a_second_word(
    page: SettingsPage, calls: ServiceCalls, answer: str, wanted: int
) -> None:
    button(page, "renewToken").click()
    box = page.findChildren(QMessageBox, "tokenBox")[0]
    next(one for one in box.buttons() if one.text() == answer).click()
    assert len(calls.of("settings.renew_token")) == wanted


def test_files_that_hold_the_old_token_are_named(page: SettingsPage) -> None:
    page.draw(
        replace(samples.QUIET, endpoint=EndpointStatus(23355, 1e9, ("Cursor: /home/ada/.cursor/mcp.json",)))
    )
    assert "Cursor: /home/ada/.cursor/mcp.json" in label(page, "tokenNote")


@pytest.mark.parametrize(
    ("updates", "said"),
    [
        (UpdateStatus(), ""),
        (UpdateStatus(True, "https://a.example"), "Not checked yet."),
        (UpdateStatus(True, "https://a.example", newer="2.0"), "Deskbell 2.0 is available."),
        (UpdateStatus(True, "https://a.example", newer="2.0", ready="2.0"), "Deskbell 2.0 is ready"),
        (
            UpdateStatus(True, "https://a.example", newer="2.0", command="pipx upgrade deskbell"),
            "Deskbell 2.0 is available. Update with:",
        ),
        (UpdateStatus(True, "https://a.example", problem="Nobody knows."), "Nobody knows."),
        (UpdateStatus(True, "https://a.example", asked=1e9), "Up to date"),
    ],
)
def test_what_is_known_of_newer_versions(page: SettingsPage, updates: UpdateStatus, said: str) -> None:
    page.draw(replace(samples.QUIET, updates=updates))
    assert label(page, "updatesNote").startswith(said)
    assert button(page, "lookNow").isEnabled() is updates.check
    assert check(page, "check").isChecked() is updates.check


@pytest.mark.parametrize("can", [True, False])
def test_installing_is_offered_where_deskbell_updates_itself(page: SettingsPage, can: bool) -> None:
    page.draw(
        replace(samples.QUIET, updates=UpdateStatus(True, "https://a.example", install=can, can_install=can))
    )
    assert check(page, "install").isHidden() is not can
    assert check(page, "install").isChecked() is can


@pytest.mark.parametrize("lacks", [True, False])
def test_a_build_without_a_key_says_that_it_cannot_update_itself(page: SettingsPage, lacks: bool) -> None:
    page.draw(replace(samples.QUIET, updates=UpdateStatus(lacks_key=lacks)))
    [note] = page.findChildren(QLabel, "updatesKey")
    assert note.isHidden() is not lacks
    assert note.text().startswith("Deskbell cannot update itself: this build has no key")


def test_the_address_for_newer_versions_is_taken_when_it_is_whole(
    page: SettingsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    line = page.findChildren(QLineEdit, "prefer:url")[0]
    with calls.forbidden("settings.change"):
        line.editingFinished.emit()
    with calls.expected("settings.change") as wanted:
        qtbot.keyClicks(line, "https://a.example/latest ")
        qtbot.keyClick(line, Qt.Key.Key_Return)
    assert wanted.args == ["updates", "url", "https://a.example/latest"]


def test_where_secrets_are_kept_is_chosen_and_told(
    page: SettingsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    page.draw(replace(samples.QUIET, vault=VaultStatus("keyring", "ready", wanted="auto")))
    box = page.findChildren(QComboBox, "vaultStore")[0]
    assert box.currentData() == "auto"

    def choose(store: str) -> None:
        box.setCurrentIndex(box.findData(store))
        box.activated.emit(box.currentIndex())

    with calls.expected("settings.choose_vault") as wanted:
        choose("file")
    assert wanted.args == ["file"]
    page.draw(replace(samples.QUIET, vault=VaultStatus("keyring", "ready", moving=True)))
    assert not box.isEnabled()
    page.draw(replace(samples.QUIET, vault=VaultStatus("keyring", refused="There is no keyring.")))
    said = page.findChildren(Label, "vaultMoved")[0]
    assert said.accessibleName() == "There is no keyring."
    assert (box.isEnabled(), box.currentData()) == (True, "auto")
    choose("refuse")
    sure = next(one for one in QApplication.topLevelWidgets() if one.objectName() == "vaultBox")
    assert isinstance(sure, QMessageBox)
    sure.buttons()[1].click()
    QApplication.processEvents()
    assert box.currentData() == "auto"
    choose("memory")
    sure = next(
        one for one in QApplication.topLevelWidgets() if one.isVisible() and one.objectName() == "vaultBox"
    )
    assert isinstance(sure, QMessageBox)
    with calls.expected("settings.choose_vault") as wanted:
        next(one for one in sure.buttons() if one.text() == "&Change").click()
    assert wanted.args == ["memory"]


def test_the_address_is_copied(page: SettingsPage) -> None:
    page.draw(samples.QUIET)
    button(page, "copyAddress").click()
    assert QApplication.clipboard().text() == samples.QUIET.address


def test_every_field_and_button_has_a_name_for_assistive_technology(page: SettingsPage) -> None:
    page.draw(samples.QUIET)
    kinds = (QCheckBox, QComboBox, QSpinBox, QLineEdit, QPushButton)
    controls = [one for kind in kinds for one in page.findChildren(kind) if one.objectName().strip("qt_")]
    unnamed = [
        one.objectName() for one in controls if not one.accessibleName() and not getattr(one, "text", str)()
    ]
    assert unnamed == []
