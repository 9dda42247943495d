"""History is found, read, copied and deleted, and fetched in pages however long it is."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QTableView,
)
from pytestqt.qtbot import QtBot

from bridge.api import HistoryFilter, JournalRow, ServerLoad
from desktop.pages.activity.chart import LoadChart
from desktop.pages.activity.page import ActivityPage
from desktop.theme import contrast, own_palette
from desktop.widgets.labels import Label
from tests.desktop import samples
from tests.desktop.samples import Past
from tests.desktop.service_calls import ServiceCalls

ASKED = {"mode": "confirm", "message": "May it?", "outcome": "accept", "always": True, "change": "- a\n+ b"}


@pytest.fixture
def past() -> Past:
    return Past()


@pytest.fixture
def page(qtbot: QtBot, past: Past, calls: ServiceCalls) -> Iterator[ActivityPage]:
    made = ActivityPage(past, calls.services)
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    qtbot.waitUntil(lambda: rows(made) > 0)
    yield made
    made.hide()
    made.close_history()


def box(page: ActivityPage, name: str) -> QComboBox:
    return page.findChildren(QComboBox, name)[0]


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


def test_everything_is_shown_newest_on_top(page: ActivityPage, past: Past) -> None:
    assert past.asked[0] == (HistoryFilter(), None)
    assert [text(page, 0, column) for column in range(1, 8)] == [
        "Question",
        "github",
        "Claude Desktop",
        "create_issue",
        "sent",
        "4.2 s",
        "120 bytes",
    ]
    assert text(page, 0, 8) == "Who is number 1000?"
    assert text(page, 1, 1) == "Call"


def test_more_is_fetched_when_the_end_comes_near(page: ActivityPage, qtbot: QtBot) -> None:
    assert rows(page) == 100
    view(page).scrollToBottom()
    qtbot.waitUntil(lambda: rows(page) >= 200)
    assert text(page, 198, 8) == "Who is number 802?"


def test_words_are_searched_for_as_they_are_typed(page: ActivityPage, qtbot: QtBot) -> None:
    line = page.findChildren(QLineEdit, "searchActivity")[0]
    qtbot.keyClicks(line, "number 444")
    qtbot.waitUntil(lambda: rows(page) == 1 and text(page, 0, 8) == "Who is number 444?")
    qtbot.keyClicks(line, "zebra")
    empty = page.findChildren(Label, "nothingFound")[0]
    qtbot.waitUntil(empty.isVisible)
    assert empty.accessibleName() == "No matches"


def test_it_is_narrowed_by_kind_app_server_outcome_and_time(
    page: ActivityPage, past: Past, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: box(page, "activityHost").count() == 3)
    box(page, "activityKind").setCurrentText("Calls")
    box(page, "activityHost").setCurrentText("Zed")
    box(page, "activityServer").setCurrentText("files")
    box(page, "activityOutcome").setCurrentText("Done or sent")
    box(page, "activityWhen").setCurrentText("Last hour")
    qtbot.waitUntil(lambda: past.asked[-1][0].since > 0)
    wanted = past.asked[-1][0]
    assert (wanted.kind, wanted.host, wanted.server) == ("call", "Zed", "files")
    assert "ok" in wanted.outcomes
    assert time.time() - 3700 < wanted.since < time.time() - 3500
    assert view(page).isColumnHidden(1)
    assert view(page).isColumnHidden(8)
    press(page, qtbot, "clearFilter")
    qtbot.waitUntil(lambda: past.asked[-1][0] == HistoryFilter())
    assert not page.findChildren(QAbstractButton, "clearFilter")[0].isEnabled()


def test_columns_are_as_wide_as_what_is_in_them(page: ActivityPage) -> None:
    metrics = view(page).fontMetrics()
    for column in range(8):
        needed = metrics.horizontalAdvance(text(page, 0, column))
        assert view(page).columnWidth(column) >= needed


def test_a_history_that_has_just_begun_is_fitted_again(qtbot: QtBot, calls: ServiceCalls) -> None:
    class Young(Past):
        def find(
            self, wanted: HistoryFilter, limit: int = 100, before_id: int | None = None
        ) -> list[JournalRow]:
            return list(self.newer) if before_id is None else []

    past = Young()
    past.newer = [JournalRow("server", server="files", outcome="stderr", id=1)]
    page = ActivityPage(past, calls.services)
    qtbot.addWidget(page)
    page.resize(1200, 600)
    page.show()
    qtbot.waitUntil(lambda: rows(page) == 1)
    before = view(page).columnWidth(4)
    tool = "trigger-long-operation"
    past.newer = [JournalRow("call", "Zed", "files", tool, "ok", id=2), *past.newer]
    page.draw(replace(samples.busy(), recorded=2))
    qtbot.waitUntil(lambda: rows(page) == 2)
    qtbot.waitUntil(lambda: view(page).columnWidth(4) > before)
    page.hide()
    page.close_history()


def test_what_a_call_said_is_told_below_the_rest(page: ActivityPage, qtbot: QtBot) -> None:
    choose(page, 1)
    qtbot.waitUntil(lambda: "Arguments (41 bytes):" in detail(page))
    assert '"title": "Broken"' in detail(page)
    assert "Result (8.8 kB):" in detail(page)
    assert "… Only the beginning is kept.\n\nWhen: " in detail(page)


def test_what_is_not_kept_is_said_to_be_so(page: ActivityPage, past: Past, qtbot: QtBot) -> None:
    past.newer = [JournalRow("call", tool="new", detail={"questions": [ASKED]}, id=1001)]
    past.contents_between = lambda first, last: {}  # type: ignore[method-assign]
    page.draw(samples.QUIET)
    qtbot.waitUntil(lambda: text(page, 0, 4) == "new")
    choose(page, 0)
    qtbot.waitUntil(lambda: "were not kept, or have expired" in detail(page))
    assert "A question in it – allowed always\n  Asked: May it?" in detail(page)
    assert "What changed: \n- a\n+ b" in detail(page)


def test_an_approval_leads_to_the_rules(page: ActivityPage, past: Past, qtbot: QtBot) -> None:
    past.newer = [
        JournalRow("question", outcome="accept", detail={"mode": "confirm", "always": True}, id=1002)
    ]
    page.draw(samples.QUIET)
    qtbot.waitUntil(lambda: text(page, 0, 5) == "allowed always")
    choose(page, 0)
    with qtbot.waitSignal(page.approvals_wanted):
        press(page, qtbot, "openApprovals")


@pytest.mark.parametrize(
    ("outcome", "words"),
    [("decline", "denied"), ("expired", "expired"), ("nobody", "no one available"), ("cancel", "cancelled")],
)
def test_an_approval_that_nobody_gave_is_not_shown_as_denied(
    page: ActivityPage, past: Past, qtbot: QtBot, outcome: str, words: str
) -> None:
    past.newer = [JournalRow("question", outcome=outcome, detail={"mode": "confirm"}, id=1002)]
    page.draw(samples.QUIET)
    qtbot.waitUntil(lambda: text(page, 0, 5) == words)


# Under way


def test_calls_under_way_are_above_and_one_can_be_cancelled(
    page: ActivityPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    running = page.findChildren(QTableView, "runningList")[0]
    assert not running.isVisible()
    page.draw(replace(samples.QUIET, running=samples.RUNNING))
    assert running.isVisible()
    shown = [str(running.model().index(0, column).data()) for column in range(1, 6)]
    assert shown == ["its server", "github", "Claude Desktop", "search_code", "2.0 kB"]
    assert re.fullmatch(r"\d+:\d\d", str(running.model().index(0, 0).data()))  # for so long, and counting
    running.selectRow(1)
    with calls.expected("history.cancel_call") as wanted:
        press(page, qtbot, "cancelCall")
    assert wanted.args == [9]
    page.draw(replace(samples.QUIET, running=samples.RUNNING[1:]))
    assert running.model().rowCount() == 1
    assert running.selectionModel().hasSelection()
    page.draw(samples.QUIET)
    assert not running.isVisible()


def test_calls_whose_apps_stopped_waiting_are_shown_and_can_be_deleted(
    page: ActivityPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    held = page.findChildren(QTableView, "heldList")[0]
    assert not held.isVisible()
    page.draw(replace(samples.QUIET, held=samples.HELD))
    assert held.isVisible()
    states = [str(held.model().index(line, 1).data()) for line in range(3)]
    assert states == ["the result is kept", "under way", "its AI app waits again"]
    held.selectRow(1)
    with calls.expected("history.delete_held") as wanted:
        press(page, qtbot, "deleteHeld")
    assert wanted.args == ["wait-b"]
    page.draw(samples.QUIET)
    assert not held.isVisible()


def test_calls_are_looked_at_only_while_the_page_is_seen(page: ActivityPage, calls: ServiceCalls) -> None:
    before = len(calls.of("history.watch_calls"))
    page.hide()
    page.show()
    assert calls.of("history.watch_calls")[before:] == [[False], [True]]


# Chart and export


def test_the_chart_says_the_same_in_words(page: ActivityPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    chart = page.findChildren(LoadChart)[0]
    assert not chart.isVisible()
    press(page, qtbot, "showChart")
    qtbot.waitUntil(lambda: "github: 4210 calls, 312 not done" in chart.accessibleDescription())
    assert "median 84 ms, 95 in 100 within 1.24 s" in chart.accessibleDescription()
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        chart.setLayoutDirection(direction)
        assert not chart.grab().isNull()
    chart.draw(())
    assert chart.accessibleDescription() == "There were no calls."
    assert not chart.grab().isNull()


@pytest.mark.parametrize("palette", [own_palette(dark=False), own_palette(dark=True)])
def test_what_was_not_done_is_hatched_so_that_one_sees_it(palette: QPalette, qtbot: QtBot) -> None:
    chart = LoadChart()
    qtbot.addWidget(chart)
    chart.setPalette(palette)
    chart.draw((ServerLoad("github", 10, 10, 84.0, 1240.0),))
    chart.resize(800, chart.sizeHint().height())
    image = chart.grab().toImage()
    across = image.height() * 3 // 4  # the only line, below the head
    inside = [image.pixelColor(x, across) for x in range(200, 400)]
    ink, ground = palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.Base)
    assert sum(contrast(dot, ground) >= 4.5 for dot in inside) >= 20
    assert sum(contrast(dot, ink) >= 4.5 for dot in inside) >= 100


@pytest.mark.parametrize("name", ["all.csv", "all.jsonl", "nowhere/x.csv"])
def test_what_is_shown_is_exported_without_waiting(
    page: ActivityPage, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    told = page.findChildren(Label, "exportTold")[0]
    page.export_to(str(tmp_path / name))
    qtbot.waitUntil(lambda: told.accessibleName() not in ("", "Exporting…"))
    if "nowhere" in name:
        assert "cannot be written" in told.accessibleName()
    else:
        assert told.accessibleName() == f"1000 lines were written to {tmp_path / name}."
        assert "create_issue" in (tmp_path / name).read_text()
    assert page.findChildren(QAbstractButton, "exportActivity")[0].text() == "E&xport…"


def test_where_to_export_is_asked_and_an_export_can_be_stopped(
    page: ActivityPage, past: Past, qtbot: QtBot, tmp_path: Path
) -> None:
    press(page, qtbot, "exportActivity")
    (dialog,) = page.findChildren(QFileDialog)
    assert dialog.defaultSuffix() == "csv"
    dialog.filterSelected.emit("JSON lines (*.jsonl)")
    assert dialog.defaultSuffix() == "jsonl"
    dialog.reject()
    released = threading.Event()
    past.contents_between = lambda first, last: released.wait(20) and {}  # type: ignore[method-assign,assignment,return-value]
    page.export_to(str(tmp_path / "x.csv"))
    press(page, qtbot, "exportActivity")
    released.set()
    told = page.findChildren(Label, "exportTold")[0]
    qtbot.waitUntil(lambda: "stopped" in told.accessibleName())
    assert list(tmp_path.iterdir()) == []


# Reading, deleting


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
    qtbot.waitUntil(lambda: text(page, 0, 8) == "Who is number 1002?")
    assert detail(page) == before
    assert view(page).currentIndex().row() == 3


def test_one_line_can_be_deleted(page: ActivityPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    choose(page, 1)
    with calls.expected("history.delete") as wanted:
        press(page, qtbot, "deleteActivity")
    assert wanted.args == [(999,)]
    assert text(page, 1, 8) == "Who is number 998?"


@pytest.mark.parametrize("sure", [True, False])
def test_all_of_it_is_deleted_only_when_the_person_is_sure(
    page: ActivityPage, qtbot: QtBot, sure: bool, calls: ServiceCalls
) -> None:
    press(page, qtbot, "deleteAllActivity")
    (box,) = page.findChildren(QMessageBox)
    words = "Delete &all" if sure else "&Cancel"
    qtbot.mouseClick(next(one for one in box.buttons() if one.text() == words), Qt.MouseButton.LeftButton)
    assert calls.of("history.delete") == ([[None]] if sure else [])
    assert (rows(page) == 0) is sure


def test_who_comes_for_questions_sees_them_and_nothing_else(
    page: ActivityPage, past: Past, qtbot: QtBot
) -> None:
    box(page, "activityOutcome").setCurrentIndex(2)
    page.narrow("question")
    qtbot.waitUntil(lambda: past.asked[-1][0] == HistoryFilter(kind="question"))


def test_how_much_of_a_call_was_thinking_is_told(page: ActivityPage, past: Past, qtbot: QtBot) -> None:
    past.newer = [JournalRow("call", "Zed", "quiz", "ask", "ok", 5200.0, detail={"thought": 5.0}, id=2000)]
    page.draw(samples.QUIET)
    qtbot.waitUntil(lambda: text(page, 0, 2) == "quiz")
    choose(page, 0)
    assert "Of that, people took: 5.0 s" in detail(page)
