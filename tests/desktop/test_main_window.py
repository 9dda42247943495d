"""The main window leads to its pages, tells them of every Status, and closing it quits nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication, QItemSelectionModel, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import Status
from desktop.main_window import MainWindow
from desktop.pages.base_page import StatusPage
from tests.desktop import samples


class Page(StatusPage):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.drawn: list[Status] = []

    def draw(self, status: Status) -> None:
        self.drawn.append(status)

    def _redraw(self) -> None:
        pass


class Still(StatusPage):
    def _redraw(self) -> None:
        pass


@pytest.fixture
def home(qtbot: QtBot) -> MainWindow:
    made = MainWindow()
    qtbot.addWidget(made)
    for name in ("home", "questions"):
        made.add(name, name.title(), partial(Page, name))
    made.add("still", "Still", partial(Still, "still"))
    made.show()
    return made


def pages(home: MainWindow) -> QListWidget:
    return home.findChildren(QListWidget, "pages")[0]


def test_the_first_page_is_shown_and_any_other_is_a_key_away(home: MainWindow, qtbot: QtBot) -> None:
    (first,) = home.findChildren(Page)  # others are made when they are first wanted
    assert (first.objectName(), first.isVisible()) == ("home", True)
    qtbot.keyClick(pages(home), Qt.Key.Key_Down)
    (second,) = home.findChildren(Page, "questions")
    assert (first.isVisible(), second.isVisible()) == (False, True)
    home.turn_to("home")
    assert (first.isVisible(), second.isVisible()) == (True, False)
    assert len(home.findChildren(Page)) == 2


def test_the_usual_keys_close_quit_and_help(home: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitActive(home):
        home.activateWindow()
    control = Qt.KeyboardModifier.ControlModifier
    with qtbot.waitSignal(home.help_wanted):
        qtbot.keyClick(home, Qt.Key.Key_F1)
    with qtbot.waitSignal(home.quit_wanted):
        qtbot.keyClick(home, Qt.Key.Key_Q, control)
    qtbot.keyClick(home, Qt.Key.Key_W, control)
    assert not home.isVisible()


def test_a_page_opens_when_assistive_technology_selects_its_row(home: MainWindow) -> None:
    rows = pages(home)
    rows.selectionModel().select(rows.model().index(1, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect)
    assert home.findChildren(Page, "questions")[0].isVisible()


def test_every_page_that_draws_hears_of_every_status(home: MainWindow) -> None:
    home.draw(samples.busy())
    home.turn_to("questions")
    home.draw(samples.QUIET)
    assert [[len(status.waiting) for status in page.drawn] for page in home.findChildren(Page)] == [
        [3, 0]
    ] * 2


def test_the_list_counts_what_waits(home: MainWindow) -> None:
    home.draw(samples.busy())
    spoken = Qt.ItemDataRole.AccessibleTextRole
    assert pages(home).item(1).data(spoken) == "Questions (3)"
    home.draw(samples.QUIET)
    assert pages(home).item(1).data(spoken) == pages(home).item(1).text() == "Questions"


def test_closing_it_quits_nothing_and_no_button_in_it_does(home: MainWindow, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(home.quit_wanted):
        for button in home.findChildren(QAbstractButton):
            button.click()
        home.close()
    assert not home.isVisible()


def banner(home: MainWindow) -> QWidget | None:
    QCoreApplication.processEvents()
    return next((one for one in home.findChildren(QWidget, "waitingBanner") if one.isVisible()), None)


def test_a_question_that_waits_is_seen_on_every_page_and_opened_from_there(
    home: MainWindow, qtbot: QtBot
) -> None:
    home.turn_to("still")
    home.draw(samples.busy())
    shown = banner(home)
    assert shown is not None
    assert shown.accessibleName().startswith("github is asking: ")
    with qtbot.waitSignal(home.question_wanted) as wanted:
        shown.findChildren(QAbstractButton, "answer")[0].click()
    assert wanted.args == [samples.busy().waiting[0].id]
    for page in ("home", "questions"):  # which show it themselves
        home.turn_to(page)
        assert banner(home) is None
    home.turn_to("still")
    home.draw(replace(samples.busy(), snoozed=True))
    assert banner(home) is None


@pytest.mark.parametrize("goes", [lambda one: one.hide(), lambda one: one.setEnabled(False)])
def test_where_the_focused_control_goes_the_next_one_does_not_get_the_keys(
    home: MainWindow, qtbot: QtBot, goes: Callable[[QWidget], None]
) -> None:
    page = home.findChildren(Page)[0]
    start, remove = QPushButton("Start", page), QPushButton("Remove", page)
    pressed: list[bool] = []
    remove.clicked.connect(pressed.append)
    for button in (start, remove):
        button.show()
    with qtbot.waitActive(home):
        home.activateWindow()
    start.setFocus()
    goes(start)
    QCoreApplication.processEvents()
    focused = QApplication.focusWidget()
    assert focused not in (None, remove)
    assert focused is not None
    qtbot.keyClick(focused, Qt.Key.Key_Space)
    assert pressed == []


def test_the_page_of_accounts_is_listed_once_there_is_one(home: MainWindow) -> None:
    home.add("accounts", "Bluesky", partial(Still, "accounts"))
    home.draw(samples.QUIET)
    place = pages(home).count() - 1
    assert pages(home).isRowHidden(place)
    home.draw(samples.ACCOUNTS)
    assert not pages(home).isRowHidden(place)
    home.turn_to("accounts")
    home.draw(samples.QUIET)
    assert not pages(home).isRowHidden(place)  # somebody is there


def test_the_other_pages_are_made_while_the_first_is_looked_at(home: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: len(home.findChildren(Page)) == 2)
    first, second = (home.findChildren(Page, name)[0] for name in ("home", "questions"))
    assert (first.isVisible(), second.isVisible()) == (True, False)
    home.turn_to("questions")
    assert second.isVisible()


def test_a_page_that_takes_long_comes_when_it_is_made(home: MainWindow, qtbot: QtBot, slowly: None) -> None:
    home.turn_to("still")
    home.turn_to("questions")
    qtbot.waitUntil(lambda: any(page.isVisible() for page in home.findChildren(Page, "questions")))
    assert not home.findChildren(Page, "home")[0].isVisible()
