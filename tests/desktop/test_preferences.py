"""The Settings page shows what is in force, and changes only what the person changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QMessageBox, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import Status, attention
from desktop.windows.preferences import PreferencesPage
from tests.desktop import samples

LOUD = replace(
    samples.QUIET,
    wishes=attention.Wishes(front=attention.Raise.ALWAYS, sound=True, windows=False),
    questions_per_minute=3,
    history_days=7.0,
)


@pytest.fixture
def page(qtbot: QtBot) -> PreferencesPage:
    made = PreferencesPage()
    qtbot.addWidget(made)
    made.show()
    return made


def check(page: PreferencesPage, key: str) -> QCheckBox:
    return page.findChildren(QCheckBox, f"prefer:{key}")[0]


def spin(page: PreferencesPage, key: str) -> QSpinBox:
    return page.findChildren(QSpinBox, f"prefer:{key}")[0]


def test_it_shows_what_is_in_force_and_says_nothing(page: PreferencesPage, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(page.prefer_wanted):
        page.draw(LOUD)
    shown = [check(page, key).isChecked() for key in ("windows", "sound", "notifications")]
    assert shown == [False, True, True]
    assert page.findChildren(QComboBox)[0].currentText() == "Always"
    assert (spin(page, "questions_per_minute").value(), spin(page, "days").value()) == (3, 7)
    page.draw(Status())
    assert check(page, "windows").isChecked()


@pytest.mark.parametrize(("key", "before"), [("windows", True), ("sound", False), ("do_not_disturb", True)])
def test_a_click_changes_one_preference(page: PreferencesPage, qtbot: QtBot, key: str, before: bool) -> None:
    with qtbot.waitSignal(page.prefer_wanted) as wanted:
        qtbot.keyClick(check(page, key), Qt.Key.Key_Space)
    assert wanted.args == ["desktop", key, not before]


def test_when_a_window_comes_to_the_front_is_chosen(page: PreferencesPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.prefer_wanted) as wanted:
        qtbot.keyClick(page.findChildren(QComboBox)[0], Qt.Key.Key_Down)
    assert wanted.args == ["desktop", "raise", "idle"]


@pytest.mark.parametrize(
    ("name", "table", "zero"),
    [("questions_per_minute", "desktop", "No limit"), ("days", "history", "Keep no history")],
)
def test_numbers_are_taken_when_they_are_whole(
    page: PreferencesPage, qtbot: QtBot, name: str, table: str, zero: str
) -> None:
    line = spin(page, name)
    line.selectAll()
    with qtbot.waitSignal(page.prefer_wanted) as wanted:
        qtbot.keyClicks(line, "25")
        qtbot.keyClick(line, Qt.Key.Key_Return)
    assert wanted.args == [table, name, 25]
    line.setValue(0)
    assert line.text() == zero


def test_passing_through_changes_nothing(page: PreferencesPage, qtbot: QtBot) -> None:
    page.draw(replace(LOUD, history_days=0.4))
    with qtbot.assertNotEmitted(page.prefer_wanted):
        for line in (spin(page, "questions_per_minute"), spin(page, "days")):
            line.setFocus()
            qtbot.keyClick(line, Qt.Key.Key_Tab)
            line.editingFinished.emit()


def test_the_language_is_chosen_by_its_own_name(page: PreferencesPage, qtbot: QtBot) -> None:
    box = page.findChildren(QComboBox, "prefer:language")[0]
    page.draw(replace(samples.QUIET, language="de"))
    assert box.currentText() == "Deutsch"
    with qtbot.waitSignal(page.prefer_wanted) as wanted:
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert wanted.args == ["desktop", "language", "ja"]


def test_the_wheel_changes_nothing(page: PreferencesPage, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(page.prefer_wanted):
        for box in (*page.findChildren(QComboBox), *page.findChildren(QSpinBox)):
            before = box.property("value"), box.property("currentIndex")
            QApplication.sendEvent(box, wheel(box))
            assert (box.property("value"), box.property("currentIndex")) == before


def wheel(box: QWidget) -> QWheelEvent:
    middle = QPointF(box.rect().center())
    none, down = QPoint(), QPoint(0, -120)
    buttons, keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    return QWheelEvent(middle, middle, none, down, buttons, keys, Qt.ScrollPhase.NoScrollPhase, False)


@pytest.mark.parametrize(("button", "days"), [("&Delete it", [0]), ("&Go back", [])])
def test_history_is_deleted_only_after_a_second_word(
    page: PreferencesPage, qtbot: QtBot, button: str, days: list[int]
) -> None:
    page.draw(LOUD)
    said: list[object] = []
    page.prefer_wanted.connect(lambda table, key, value: said.append(value))
    spin(page, "days").setValue(0)
    spin(page, "days").editingFinished.emit()
    box = page.findChildren(QMessageBox, "forgetBox")[0]
    assert said == []
    next(one for one in box.buttons() if one.text() == button).click()
    assert said == days
    assert spin(page, "days").value() == (0 if days else 7)
