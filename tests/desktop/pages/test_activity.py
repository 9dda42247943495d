"""History is found, read, copied and deleted, and fetched in pages however long it is."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QCoreApplication, QItemSelectionModel, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from bridge.api import HistoryFilter, JournalRow
from desktop.pages.activity.history_texts import sentence
from desktop.pages.activity.history_view import HistoryView
from desktop.pages.activity.page import ActivityPage
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


def view(page: ActivityPage) -> HistoryView:
    return page.findChildren(HistoryView, "activityList")[0]


def rows(page: ActivityPage) -> int:
    return view(page).model().rowCount()


def text(page: ActivityPage, row: int) -> str:
    return str(view(page).model().index(row, 0).data())


def choose(page: ActivityPage, row: int) -> None:
    flags = QItemSelectionModel.SelectionFlag
    view(page).selectionModel().setCurrentIndex(view(page).model().index(row, 0), flags.ClearAndSelect)


def press(page: ActivityPage, qtbot: QtBot, name: str) -> None:
    QCoreApplication.processEvents()  # a button that has just come is laid out then
    qtbot.mouseClick(page.findChildren(QAbstractButton, name)[0], Qt.MouseButton.LeftButton)


def facts(page: ActivityPage) -> str:
    QCoreApplication.processEvents()
    return "\n".join(label.text() for label in page.findChildren(Label, "fact") if label.isVisible())


def raw(page: ActivityPage) -> str:
    return page.findChildren(QPlainTextEdit, "rawData")[0].toPlainText()


def test_everything_is_told_in_words_newest_on_top_and_by_day(page: ActivityPage, past: Past) -> None:
    assert past.asked[0] == (HistoryFilter(), None)
    assert text(page, 0) == "You answered github: name: Ada · apiKey: •••"
    assert text(page, 1) == "Claude Desktop used Create issue (github)"
    model = view(page).model()
    assert model.begins_day(0).endswith("2023")  # type: ignore[attr-defined]
    assert model.begins_day(1) == ""  # type: ignore[attr-defined]


def test_more_is_fetched_when_the_end_comes_near(page: ActivityPage, qtbot: QtBot) -> None:
    assert rows(page) == 100
    view(page).scrollToBottom()
    qtbot.waitUntil(lambda: rows(page) >= 200)


def newest(page: ActivityPage, past: Past, *new: JournalRow) -> None:
    """These have just happened, the last of them now."""
    past.newer = [msgspec.structs.replace(row, id=1000 + len(new) - place) for place, row in enumerate(new)]
    page.draw(samples.QUIET)


def test_calls_that_asked_nothing_are_one_line(page: ActivityPage, past: Past, qtbot: QtBot) -> None:
    tools = ("search_code", "search_code", "get_issue")
    newest(page, past, *(JournalRow("call", "Zed", "github", tool, "ok") for tool in tools))
    qtbot.waitUntil(lambda: text(page, 0) == "Zed used github 3 times: Get issue, Search code")
    choose(page, 0)
    assert facts(page).count("search_code") == 2


def test_a_call_that_comes_later_joins_the_line(page: ActivityPage, past: Past, qtbot: QtBot) -> None:
    call = JournalRow("call", "Zed", "github", "get_issue", "ok")
    newest(page, past, call)
    qtbot.waitUntil(lambda: text(page, 0) == "Zed used Get issue (github)")
    count = rows(page)
    past.newer = [msgspec.structs.replace(call, id=1002), *past.newer]
    page.draw(samples.QUIET)
    qtbot.waitUntil(lambda: text(page, 0) == "Zed used github 2 times: Get issue")
    assert rows(page) == count


def test_what_only_a_developer_asks_about_is_shown_when_it_is_wanted(
    page: ActivityPage, past: Past, qtbot: QtBot
) -> None:
    newest(
        page,
        past,
        JournalRow("notice", server="github", outcome="stray", detail={"text": "id 7"}),
        JournalRow("server", server="github", outcome="stderr", detail={"line": "listening"}),
        JournalRow("notice", outcome="snoozed"),
    )
    qtbot.waitUntil(lambda: text(page, 0) == "You snoozed questions")
    technical = next(one for one in page.findChildren(QAction) if one.isCheckable())
    technical.setChecked(True)
    qtbot.waitUntil(lambda: rows(page) > 2 and text(page, 1) == "github: listening")
    assert text(page, 0) == "id 7"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (JournalRow("question", "cursor-vscode", "github", outcome="decline", detail={"message": "**Go**?"}),
         "You declined github: Go?"),
        (JournalRow("question", "Zed", "github", outcome="expired", detail={"message": "Go?"}),
         "You missed a question from github: Go?"),
        (JournalRow("question", "cursor-vscode", "github", "rm", "accept", detail={"mode": "confirm"}),
         "You allowed Cursor to use Rm (github)"),
        (JournalRow("question", "Zed", "github", "rm", "decline", detail={"mode": "confirm"}),
         "You didn't allow Zed to use Rm (github)"),
        (JournalRow("question", "Zed", "github", "rm", "accept", detail={"mode": "confirm", "always": True}),
         "You always allow Zed to use Rm (github)"),
        (JournalRow("question", "Zed", "github", "ask", "accept", detail={"sent": {"env": "Staging"}}),
         "You answered github: Staging"),
        (JournalRow("question", "cursor-vscode", "desk", "ask", "accept", detail={"sent": {"env": "Now"}}),
         "You answered Cursor: Now"),
        (JournalRow("question", "Zed", "bluesky", "post", "decline", detail={"message": "Post it?"}),
         "You declined Bluesky: Post it?"),
        (JournalRow("call", "Zed", "desk", "elicit_choice", "cancelled"),
         "Zed cancelled Elicit choice (Deskbell)"),
        (JournalRow("call", "Zed", "github", "rm", "denied"), "Blocked: Zed wanted to use Rm (github)"),
        (JournalRow("call", "Zed", "github", "rm", "error"), "Rm failed for Zed (github)"),
        (JournalRow("server", "", "github", outcome="ended", detail={"text": "code 3"}),
         "github stopped: code 3"),
    ],
)  # fmt: skip
def test_an_event_is_a_sentence(row: JournalRow, words: str) -> None:
    assert sentence((row,)).text == words


def test_words_are_searched_for_as_they_are_typed(page: ActivityPage, qtbot: QtBot) -> None:
    line = page.findChildren(QLineEdit, "searchActivity")[0]
    qtbot.keyClicks(line, "number 444")
    qtbot.waitUntil(lambda: rows(page) == 1)
    qtbot.keyClicks(line, "zebra")
    empty = page.findChildren(QWidget, "nothingFound")[0]
    qtbot.waitUntil(empty.isVisible)
    assert page.findChildren(Label, "nothingFoundTitle")[0].accessibleName() == "No matches"
    press(page, qtbot, "showEverything")
    qtbot.waitUntil(lambda: rows(page) == 100)
    assert line.text() == ""


def test_the_history_is_narrowed_by_kind_app_server_outcome_and_time(
    page: ActivityPage, past: Past, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: box(page, "activityHost").count() == 3)
    box(page, "activityKind").setCurrentText("Tools used")
    box(page, "activityHost").setCurrentText("Zed")
    box(page, "activityServer").setCurrentText("files")
    box(page, "activityOutcome").setCurrentText("Completed, answered")
    box(page, "activityWhen").setCurrentText("Last hour")
    qtbot.waitUntil(lambda: past.asked[-1][0].since > 0)
    wanted = past.asked[-1][0]
    assert (wanted.kind, wanted.host, wanted.server) == ("call", "Zed", "files")
    assert "ok" in wanted.outcomes
    assert time.time() - 3700 < wanted.since < time.time() - 3500
    press(page, qtbot, "moreFilters")
    press(page, qtbot, "clearFilter")
    qtbot.waitUntil(lambda: past.asked[-1][0] == HistoryFilter())
    assert not page.findChildren(QAbstractButton, "clearFilter")[0].isEnabled()


def test_what_a_call_said_is_raw_data_on_demand(page: ActivityPage, qtbot: QtBot) -> None:
    choose(page, 1)
    assert raw(page) == ""
    press(page, qtbot, "showRaw")
    qtbot.waitUntil(lambda: "Arguments (41 bytes):" in raw(page))
    assert '"title": "Broken"' in raw(page)
    assert "Result (8.8 kB):" in raw(page)
    assert "… Only the beginning is kept." in raw(page)


def test_what_is_not_kept_is_said_to_be_so(page: ActivityPage, past: Past, qtbot: QtBot) -> None:
    past.contents_between = lambda first, last: {}  # type: ignore[method-assign]
    newest(page, past, JournalRow("call", "Zed", "github", "new", "error", detail={"questions": [ASKED]}))
    qtbot.waitUntil(lambda: text(page, 0) == "New failed for Zed (github)")
    choose(page, 0)
    assert "You always allow Zed to use New (github)\nQuestion: May it?\nWhat changed: - a\n+ b" in facts(
        page
    )
    press(page, qtbot, "showRaw")
    qtbot.waitUntil(lambda: "were not kept, or have expired" in raw(page))


def test_an_approval_leads_to_the_rules(page: ActivityPage, past: Past, qtbot: QtBot) -> None:
    newest(page, past, JournalRow("question", "Zed", "g", "rm", "accept", detail={"mode": "confirm"}))
    qtbot.waitUntil(lambda: text(page, 0) == "You allowed Zed to use Rm (g)")
    choose(page, 0)
    with qtbot.waitSignal(page.approvals_wanted):
        press(page, qtbot, "openApprovals")


# Under way


def test_calls_under_way_are_above_and_one_can_be_cancelled(
    page: ActivityPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    running = page.findChildren(QTableView, "runningList")[0]
    assert not running.isVisible()
    page.draw(replace(samples.QUIET, running=samples.RUNNING))
    assert running.isVisible()
    shown = [str(running.model().index(line, 0).data()) for line in range(2)]
    assert shown == [
        "Claude Desktop is using Search code (github)",
        "Zed waits for your approval: Delete everything (files)",
    ]
    assert re.fullmatch(r"\d+:\d\d", str(running.model().index(0, 1).data()))  # for so long, and counting
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
    states = [str(held.model().index(line, 0).data()) for line in range(3)]
    assert states == [
        "Merge (github) is done; opencode has not asked again",
        "Delete everything (files) is still in progress for Zed",
        "Codex waits again for Ask (files)",
    ]
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


# Export


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
        assert told.accessibleName() == f"Saved 1000 lines to {tmp_path / name}."
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
    kinds = {"Conversations (*.md)": "md", "Conversations as JSON (*.json)": "json"}
    assert kinds.keys() <= set(dialog.nameFilters())
    for kind, suffix in kinds.items():
        dialog.filterSelected.emit(kind)
        assert dialog.defaultSuffix() == suffix
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
    told = facts(page)
    for part in ("github", "Claude Desktop", "Who is number 1000?", "name: Ada", "4.2 s"):
        assert part in told
    press(page, qtbot, "copyActivity")
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("You answered github")
    assert "Question: Who is number 1000?" in copied


def test_what_happens_meanwhile_comes_on_top_and_the_chosen_line_stays(
    page: ActivityPage, past: Past, qtbot: QtBot
) -> None:
    choose(page, 2)
    before = facts(page)
    newest(page, past, JournalRow("notice", outcome="snoozed"))
    qtbot.waitUntil(lambda: text(page, 0) == "You snoozed questions")
    assert facts(page) == before
    assert view(page).currentIndex().row() == 3


def test_one_line_can_be_deleted(page: ActivityPage, qtbot: QtBot, calls: ServiceCalls) -> None:
    choose(page, 1)
    count = rows(page)
    with calls.expected("history.delete") as wanted:
        press(page, qtbot, "deleteActivity")
    assert wanted.args == [(999,)]
    assert rows(page) == count - 1


@pytest.mark.parametrize("sure", [True, False])
def test_all_of_it_is_deleted_only_when_the_person_is_sure(
    page: ActivityPage, qtbot: QtBot, sure: bool, calls: ServiceCalls
) -> None:
    page.findChildren(QAction, "deleteAllActivity")[0].trigger()
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
    newest(page, past, JournalRow("call", "Zed", "quiz", "ask", "error", 5200.0, detail={"thought": 5.0}))
    qtbot.waitUntil(lambda: text(page, 0) == "Ask failed for Zed (quiz)")
    choose(page, 0)
    assert "5.2 s\n5.0 s" in facts(page)


def test_the_details_of_an_exchange_have_its_conversation(
    page: ActivityPage, past: Past, qtbot: QtBot
) -> None:
    said = [{"role": "user", "content": [{"type": "text", "text": "Sum up."}]}]
    newest(page, past, JournalRow("question", "Claude", "files", detail={"messages": said, "model": "q"}))
    qtbot.waitUntil(lambda: "files" in text(page, 0))
    choose(page, 0)
    assert "**User**\n\n> Sum up." in facts(page)
    choose(page, 1)
    assert "**User**" not in facts(page)
