"""The list of all that waits: anything can be opened or ended from it, and nothing moves under the hand."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bridge.api import CANCEL, DECLINE, Action, Answer, HistoryFilter, JournalRow, Status
from desktop.questions.inbox import InboxPage
from desktop.questions.waiting_cards import QuestionCard
from desktop.widgets.chip import Chip
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


def cards(inbox: InboxPage) -> list[QuestionCard]:
    QCoreApplication.processEvents()
    return [one for one in inbox.findChildren(QuestionCard) if one.isVisible()]


def press(inbox: InboxPage, qtbot: QtBot, name: str) -> None:
    QCoreApplication.processEvents()
    button = next(b for b in inbox.findChildren(QAbstractButton, name) if b.isVisible())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def bars(inbox: InboxPage) -> list[str]:
    QCoreApplication.processEvents()  # a layout shows what was added to it when control returns to the loop
    found = [label for label in inbox.findChildren(Label, "words") if label.isVisible()]
    return [label.accessibleName() for label in found]


def earlier(inbox: InboxPage) -> list[str]:
    QCoreApplication.processEvents()
    return [label.accessibleName() for label in inbox.findChildren(Label, "entry") if label.isVisible()]


def test_nothing_waits_and_it_says_so(inbox: InboxPage) -> None:
    inbox.draw(samples.QUIET)
    assert inbox.findChildren(QWidget, "noQuestions")[0].isVisible()
    inbox.draw(samples.busy())
    assert not inbox.findChildren(QWidget, "noQuestions")[0].isVisible()


def test_each_card_tells_who_asks_through_what(inbox: InboxPage) -> None:
    inbox.draw(samples.busy())
    form, link, approval = (card.accessibleName() for card in cards(inbox))
    assert form.startswith("github · via Claude Desktop: I am about to create an issue")
    assert link == "linear · via Cursor: Please sign in to Linear."
    assert approval.startswith("Needs your approval: Zed wants to use “")


def test_time_is_told_in_the_last_minute_only_and_not_while_snoozed(inbox: InboxPage) -> None:
    def left() -> list[str]:
        return [chip.text for chip in inbox.findChildren(Chip, "timeLeft") if chip.isVisible()]

    inbox.draw(Status(waiting=(samples.form({}, deadline=time.time() + 200),)))
    assert left() == []
    inbox.draw(Status(waiting=(samples.form({}, deadline=time.time() + 40),)))
    assert re.fullmatch(r"0:\d\d left", left()[0])
    inbox.draw(Status(waiting=(samples.form({}, deadline=time.time() + 40),), snoozed=True))
    assert left() == []


def test_any_can_be_opened_by_mouse_and_by_key(inbox: InboxPage, qtbot: QtBot) -> None:
    inbox.draw(samples.busy())
    second = cards(inbox)[1]
    for act in (
        lambda: qtbot.mouseClick(second, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(second, Qt.Key.Key_Return),
        lambda: second.findChildren(QAbstractButton, "open")[0].click(),
    ):
        with qtbot.waitSignal(inbox.open_wanted) as opened:
            act()
        assert opened.args == ["u1"]


@pytest.mark.parametrize(("name", "answer"), [("decline", DECLINE), ("cancel", CANCEL)])
def test_a_question_need_not_be_answered(inbox: InboxPage, qtbot: QtBot, name: str, answer: object) -> None:
    inbox.draw(samples.busy())
    with qtbot.waitSignal(inbox.answered) as ended:
        cards(inbox)[1].findChildren(QAction, name)[0].trigger()
    assert ended.args == ["u1", answer]


def test_all_of_them_are_declined_only_when_the_person_is_sure(inbox: InboxPage, qtbot: QtBot) -> None:
    ended: list[str] = []
    inbox.answered.connect(lambda question, _: ended.append(question))
    inbox.draw(samples.busy())
    press(inbox, qtbot, "declineAll")
    (box,) = inbox.findChildren(QMessageBox)
    assert ended == []
    next(one for one in box.buttons() if one.text() == "&Decline all").click()
    assert ended == [question.id for question in samples.busy().waiting]


def test_a_choice_of_a_few_is_answered_by_one_press(inbox: InboxPage, qtbot: QtBot) -> None:
    where = {"env": {"type": "string", "enum": ["dev", "prod"]}}
    inbox.draw(Status(waiting=(samples.form(where, "env"),)))
    qtbot.waitUntil(lambda: bool(inbox.findChildren(QAbstractButton, "answer:1")))
    with qtbot.waitSignal(inbox.answered) as answered:
        press(inbox, qtbot, "answer:1")
    assert answered.args is not None
    assert answered.args[1] == Answer(Action.ACCEPT, b'{"env":"prod"}')


def test_what_has_the_keyboard_keeps_it_while_others_come_and_go(inbox: InboxPage, qtbot: QtBot) -> None:
    inbox.draw(Status(waiting=MANY[:3]))
    with qtbot.waitActive(inbox):
        inbox.activateWindow()
    second = cards(inbox)[1]
    second.setFocus()
    inbox.draw(Status(waiting=(*MANY[1:3], *MANY[10:12])))
    assert second.hasFocus()
    assert [card.objectName() for card in cards(inbox)] == ["card:q1", "card:q2", "card:q10", "card:q11"]


def test_a_thousand_questions_are_no_trouble(inbox: InboxPage) -> None:
    inbox.draw(Status(waiting=MANY))
    assert len(cards(inbox)) == 50
    inbox.draw(Status(waiting=MANY[990:]))
    assert len(cards(inbox)) == 10


def test_snooze_floods_and_mutes_are_told_and_can_be_undone(
    inbox: InboxPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    inbox.draw(samples.BESET)
    snooze, flood, mute = bars(inbox)
    assert snooze.startswith("Snoozed until")
    assert flood == "github is asking a lot (12 waiting). Mute it for an hour?"
    assert mute.startswith("linear is muted until")
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


def test_what_was_typed_and_not_sent_can_be_copied_and_discarded(
    inbox: InboxPage, calls: ServiceCalls, qtbot: QtBot
) -> None:
    inbox.draw(replace(samples.QUIET, drafts=samples.DRAFTS))
    press(inbox, qtbot, "copyDraft")
    assert QGuiApplication.clipboard().text() == "Title: The mill jams"
    press(inbox, qtbot, "discardDraft")
    assert calls.of("questions.discard_draft") == [["d2"]]
    inbox.draw(samples.QUIET)
    assert not inbox.findChildren(QWidget, "drafts")[0].isVisible()


def test_questions_of_before_are_below_and_lead_to_all_about_them(
    inbox: InboxPage, past: samples.Past, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: len(earlier(inbox)) == 10)
    assert {wanted.kind for wanted, _ in past.asked} == {"question"}
    assert earlier(inbox)[0] == "You answered github: name: Ada · apiKey: •••"
    with qtbot.waitSignal(inbox.past_wanted):
        press(inbox, qtbot, "earlierAll")


def test_a_question_that_is_over_comes_among_those_of_before(
    inbox: InboxPage, past: samples.Past, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: bool(earlier(inbox)))
    inbox.draw(Status(waiting=MANY[:2]))
    past.newer = [
        JournalRow("question", "Zed", "fresh", "ask", "decline", detail={"message": "Go?"}, id=2000)
    ]
    inbox.draw(Status(waiting=MANY[:1]))
    qtbot.waitUntil(lambda: "You declined fresh: Go?" in earlier(inbox))


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
    assert earlier(page) == []
