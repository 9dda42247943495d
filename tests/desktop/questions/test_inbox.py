"""The list of all that waits: anything can be opened or ended from it, and nothing moves under the hand."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QTableView, QTreeView, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import CANCEL, DECLINE, HistoryFilter, JournalRow, Status
from desktop.questions.inbox import InboxPage
from desktop.widgets.labels import Label
from tests.desktop import samples
from tests.desktop.service_calls import ServiceCalls

MANY = tuple(samples.form({}, id=f"q{n}", server=f"s{n % 10}", asked_at=time.time()) for n in range(1000))


@pytest.fixture
def past() -> samples.Past:
    return samples.Past()


@pytest.fixture
def inbox(qtbot: QtBot, past: samples.Past, calls: ServiceCalls) -> Iterator[InboxPage]:
    made = InboxPage(past, calls.services)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close_history()


def view(inbox: InboxPage) -> QTreeView:
    return inbox.findChildren(QTreeView, "waiting")[0]


def cells(inbox: InboxPage, row: int) -> list[str]:
    model = view(inbox).model()
    return [model.index(row, column).data() for column in range(model.columnCount())]


def press(inbox: InboxPage, qtbot: QtBot, name: str) -> None:
    button = next(b for b in inbox.findChildren(QAbstractButton, name) if b.isVisible())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def bars(inbox: InboxPage) -> list[str]:
    QCoreApplication.processEvents()  # a layout shows what was added to it when control returns to the loop
    found = [label for label in inbox.findChildren(Label, "words") if label.isVisible()]
    return [label.accessibleName() for label in found]


def test_nothing_waits_and_it_says_so(inbox: InboxPage) -> None:
    inbox.draw(samples.QUIET)
    assert inbox.findChildren(Label, "noQuestions")[0].isVisible()
    assert not view(inbox).isVisible()


def test_each_question_tells_who_asks_through_what_and_how_long_it_will_wait(inbox: InboxPage) -> None:
    now = time.time()
    question = replace(samples.every_kind(), asked_at=now - 65, deadline=now + 235)
    inbox.draw(Status(waiting=(question,)))
    server, host, tool, text, age, left = cells(inbox, 0)
    assert (server, host, tool) == ("github", "Claude Desktop", "create_issue")
    assert text.startswith("I am about to create")
    assert re.fullmatch(r"1:\d\d", age)  # and a little, by now
    assert re.fullmatch(r"3:\d\d", left)


def test_the_first_is_ready_to_be_opened(inbox: InboxPage, qtbot: QtBot) -> None:
    inbox.draw(samples.busy())
    with qtbot.waitSignal(inbox.open_wanted) as wanted:
        press(inbox, qtbot, "open")
    assert wanted.args == ["q1"]


def test_any_can_be_opened_by_key(inbox: InboxPage, qtbot: QtBot) -> None:
    inbox.draw(samples.busy())
    qtbot.keyClick(view(inbox), Qt.Key.Key_Down)
    with qtbot.waitSignal(inbox.open_wanted) as wanted:
        qtbot.keyClick(view(inbox), Qt.Key.Key_Return)
    assert wanted.args == ["u1"]


@pytest.mark.parametrize(("name", "answer"), [("declineSelected", DECLINE), ("cancelSelected", CANCEL)])
def test_several_can_be_ended_at_once(inbox: InboxPage, qtbot: QtBot, name: str, answer: object) -> None:
    inbox.draw(samples.busy())
    said: list[object] = []
    inbox.answered.connect(lambda *heard: said.append(heard))
    view(inbox).selectAll()
    press(inbox, qtbot, name)
    assert sorted(said, key=str) == sorted([(one, answer) for one in ("q1", "u1", "c1")], key=str)


def test_what_is_selected_stays_selected_while_others_come_and_go(inbox: InboxPage) -> None:
    inbox.draw(Status(waiting=MANY[:5]))
    flags = QItemSelectionModel.SelectionFlag
    chosen = view(inbox).model().index(3, 0)
    view(inbox).selectionModel().setCurrentIndex(chosen, flags.ClearAndSelect | flags.Rows)
    inbox.draw(Status(waiting=(*MANY[1:2], *MANY[3:8])))
    assert view(inbox).currentIndex().row() == 1
    assert view(inbox).model().rowCount() == 6


def test_a_thousand_questions_come_and_go(inbox: InboxPage) -> None:
    inbox.draw(Status(waiting=MANY))
    assert view(inbox).model().rowCount() == 1000
    inbox.draw(Status(waiting=MANY[::2]))
    assert [cells(inbox, row)[0] for row in range(3)] == ["s0", "s2", "s4"]
    inbox.draw(Status())
    assert view(inbox).model().rowCount() == 0


def test_snooze_floods_and_mutes_are_told_and_can_be_undone(
    inbox: InboxPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    inbox.draw(samples.BESET)
    snooze, flood, mute = bars(inbox)
    assert snooze.startswith("Snoozed until")
    assert flood == "github is asking a lot (12 waiting). Mute it for an hour?"
    assert mute.startswith("linear is muted until")
    assert cells(inbox, 0)[5] == "paused"
    for name, wanted, said in (
        ("resume", "resume", []),
        ("mute", "mute", ["github", 3600.0]),
        ("spare", "ask_anyway", ["github"]),
        ("unmute", "unmute", ["linear"]),
    ):
        with calls.expected(f"questions.{wanted}") as heard:
            press(inbox, qtbot, name)
        assert heard.args == said
    inbox.draw(samples.busy())
    assert bars(inbox) == []
    inbox.draw(replace(samples.BESET, snoozed_until=0.0))
    assert bars(inbox)[0].startswith("Snoozed until you resume")


def test_what_was_typed_and_not_sent_can_be_copied_and_discarded(inbox: InboxPage, qtbot: QtBot) -> None:
    inbox.draw_drafts(samples.DRAFTS)
    press(inbox, qtbot, "copyDraft")
    assert QGuiApplication.clipboard().text() == "Title: The mill jams"
    with qtbot.waitSignal(inbox.discard_wanted) as wanted:
        press(inbox, qtbot, "discardDraft")
    assert wanted.args == [samples.DRAFTS[1]]
    inbox.draw_drafts(())
    assert not inbox.findChildren(QWidget, "drafts")[0].isVisible()


def test_questions_of_before_are_below_and_lead_to_all_about_them(
    inbox: InboxPage, past: samples.Past, qtbot: QtBot
) -> None:
    (table,) = inbox.findChildren(QTableView, "earlierList")
    qtbot.waitUntil(lambda: table.isVisible() and table.model().rowCount() == 100)
    assert {wanted.kind for wanted, _ in past.asked} == {"question"}
    shown = [column for column in range(9) if not table.isColumnHidden(column)]
    line = [table.model().index(0, column).data() for column in shown]
    assert line[1:] == ["github", "Claude Desktop", "create_issue", "sent", "4.2 s", "Who is number 1000?"]
    with qtbot.waitSignal(inbox.past_wanted):
        press(inbox, qtbot, "allEarlier")


def test_a_question_that_is_over_comes_among_those_of_before(
    inbox: InboxPage, past: samples.Past, qtbot: QtBot
) -> None:
    (table,) = inbox.findChildren(QTableView, "earlierList")
    qtbot.waitUntil(table.isVisible)
    inbox.draw(Status(waiting=MANY[:2]))
    past.newer = [JournalRow("question", "Zed", "fresh", "ask", "accept", id=2000)]
    inbox.draw(Status(waiting=MANY[:1]))
    qtbot.waitUntil(lambda: table.model().index(0, 2).data() == "fresh")


def test_without_a_history_there_is_nothing_below(qtbot: QtBot, calls: ServiceCalls) -> None:
    class Blank(samples.Past):
        def find(
            self, wanted: HistoryFilter, limit: int = 100, before_id: int | None = None
        ) -> list[JournalRow]:
            super().find(wanted, limit, before_id)
            return []

    past = Blank()
    page = InboxPage(past, calls.services)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: bool(past.asked))
    page.close_history()
    assert not page.findChildren(QTableView, "earlierList")[0].isVisible()
