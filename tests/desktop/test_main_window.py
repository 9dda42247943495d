"""The main window leads to its pages, tells them of every Status, and closing it quits nothing."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QAbstractButton, QListWidget
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
    for name in ("overview", "questions"):
        made.add(name, name.title(), partial(Page, name))
    made.add("still", "Still", partial(Still, "still"))
    made.show()
    return made


def pages(home: MainWindow) -> QListWidget:
    return home.findChildren(QListWidget, "pages")[0]


def test_the_first_page_is_shown_and_any_other_is_a_key_away(home: MainWindow, qtbot: QtBot) -> None:
    (first,) = home.findChildren(Page)  # others are made when they are first wanted
    assert (first.objectName(), first.isVisible()) == ("overview", True)
    qtbot.keyClick(pages(home), Qt.Key.Key_Down)
    (second,) = home.findChildren(Page, "questions")
    assert (first.isVisible(), second.isVisible()) == (False, True)
    home.turn_to("overview")
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
    assert pages(home).item(1).text() == "Questions (3)"
    home.draw(samples.QUIET)
    assert pages(home).item(1).text() == "Questions"


def test_closing_it_quits_nothing_and_quit_is_a_button_of_its_own(home: MainWindow, qtbot: QtBot) -> None:
    close, leave = (home.findChildren(QAbstractButton, name)[0] for name in ("close", "quit"))
    with qtbot.assertNotEmitted(home.quit_wanted):
        qtbot.mouseClick(close, Qt.MouseButton.LeftButton)
    assert not home.isVisible()
    home.show()
    with qtbot.waitSignal(home.quit_wanted):
        qtbot.mouseClick(leave, Qt.MouseButton.LeftButton)


def test_the_other_pages_are_made_while_the_first_is_looked_at(home: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: len(home.findChildren(Page)) == 2)
    first, second = (home.findChildren(Page, name)[0] for name in ("overview", "questions"))
    assert (first.isVisible(), second.isVisible()) == (True, False)
    home.turn_to("questions")
    assert second.isVisible()


def test_a_page_that_takes_long_comes_when_it_is_made(home: MainWindow, qtbot: QtBot, slowly: None) -> None:
    home.turn_to("still")
    home.turn_to("questions")
    qtbot.waitUntil(lambda: any(page.isVisible() for page in home.findChildren(Page, "questions")))
    assert not home.findChildren(Page, "overview")[0].isVisible()
