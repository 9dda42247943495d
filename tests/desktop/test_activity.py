"""History is found, read, copied and deleted, and fetched in pages however long it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QMessageBox, QPlainTextEdit, QTableView
from pytestqt.qtbot import QtBot

from bridge.api import Row
from desktop.widgets.labels import Label
from desktop.windows.activity import ActivityPage
from tests.desktop import samples


class Past:
    """A history that grows, and what was looked for in it."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int | None, str]] = []
        self.newer: list[Row] = []

    def search(self, text: str, limit: int, before: int | None, kind: str) -> list[Row]:
        self.asked.append((text, before, kind))
        found = samples.history(text, limit, before, kind)
        return [*(self.newer if before is None else []), *found][:limit]


@pytest.fixture
def past() -> Past:
    return Past()


@pytest.fixture
def page(qtbot: QtBot, past: Past) -> Iterator[ActivityPage]:
    made = ActivityPage(past.search)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    qtbot.waitUntil(lambda: rows(made) > 0)
    yield made
    made.hide()
    made.close_history()


def view(page: ActivityPage) -> QTableView:
    return page.findChildren(QTableView, "activityList")[0]


def rows(page: ActivityPage) -> int:
    return view(page).model().rowCount()


def text(page: ActivityPage, row: int, column: int) -> str:
    return str(view(page).model().index(row, column).data())


def choose(page: ActivityPage, row: int) -> None:
    flags = QItemSelectionModel.SelectionFlag
    index = view(page).model().index(row, 0)
    view(page).selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)


def press(page: ActivityPage, qtbot: QtBot, name: str) -> None:
    qtbot.mouseClick(page.findChildren(QAbstractButton, name)[0], Qt.MouseButton.LeftButton)


def detail(page: ActivityPage) -> str:
    return page.findChildren(QPlainTextEdit, "activityDetail")[0].toPlainText()


def test_questions_are_shown_first_newest_on_top(page: ActivityPage, past: Past) -> None:
    assert past.asked == [("", None, "question")]
    assert [text(page, 0, column) for column in range(1, 6)] == [
        "Question",
        "github",
        "Claude Desktop",
        "create_issue",
        "sent",
    ]
    assert text(page, 0, 7) == "Who is number 1000?"


def test_more_is_fetched_when_the_end_comes_near(page: ActivityPage, qtbot: QtBot) -> None:
    assert rows(page) == 100
    view(page).scrollToBottom()
    qtbot.waitUntil(lambda: rows(page) >= 200)
    assert text(page, 199, 7) == "Who is number 602?"


def test_words_are_searched_for_as_they_are_typed(page: ActivityPage, qtbot: QtBot) -> None:
    line = page.findChildren(QLineEdit, "searchActivity")[0]
    qtbot.keyClicks(line, "number 444")
    qtbot.waitUntil(lambda: rows(page) == 1 and text(page, 0, 7) == "Who is number 444?")
    qtbot.keyClicks(line, "zebra")
    empty = page.findChildren(Label, "nothingFound")[0]
    qtbot.waitUntil(empty.isVisible)
    assert empty.accessibleName() == "Nothing like that happened."


def test_everything_else_that_happened_is_a_choice(page: ActivityPage, qtbot: QtBot) -> None:
    kinds = page.findChildren(QComboBox, "activityKind")[0]
    kinds.setCurrentText("Everything")
    qtbot.waitUntil(lambda: rows(page) == 100 and text(page, 1, 1) == "Call")


def test_one_line_is_told_in_full_and_copied(page: ActivityPage, qtbot: QtBot) -> None:
    choose(page, 0)
    told = detail(page)
    for part in (
        "Server: github",
        "AI app: Claude Desktop",
        "Asked: Who is number 1000?",
        "name: Ada",
        "4.2 s",
    ):
        assert part in told
    press(page, qtbot, "copyActivity")
    assert QGuiApplication.clipboard().text() == told


def test_what_happens_meanwhile_comes_on_top_and_the_chosen_line_stays(
    page: ActivityPage, past: Past, qtbot: QtBot
) -> None:
    choose(page, 2)
    before = detail(page)
    past.newer = [samples._row(1002)]
    page.draw(samples.QUIET)
    qtbot.waitUntil(lambda: text(page, 0, 7) == "Who is number 1002?")
    assert detail(page) == before
    assert view(page).currentIndex().row() == 3


def test_one_line_can_be_deleted(page: ActivityPage, qtbot: QtBot) -> None:
    choose(page, 1)
    with qtbot.waitSignal(page.forget_wanted) as wanted:
        press(page, qtbot, "deleteActivity")
    assert wanted.args == [(998,)]
    assert text(page, 1, 7) == "Who is number 996?"


@pytest.mark.parametrize("sure", [True, False])
def test_all_of_it_is_deleted_only_when_the_person_is_sure(
    page: ActivityPage, qtbot: QtBot, sure: bool
) -> None:
    said: list[object] = []
    page.forget_wanted.connect(said.append)
    press(page, qtbot, "deleteAllActivity")
    (box,) = page.findChildren(QMessageBox)
    kind = QMessageBox.StandardButton.Yes if sure else QMessageBox.StandardButton.Cancel
    qtbot.mouseClick(box.button(kind), Qt.MouseButton.LeftButton)
    assert said == ([None] if sure else [])
    assert (rows(page) == 0) is sure
