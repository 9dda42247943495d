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
from desktop.pages.questions import QuestionsPage
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
def page(qtbot: QtBot, past: samples.Past, calls: ServiceCalls) -> Iterator[QuestionsPage]:
    made = QuestionsPage(past, calls.services)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close_history()


def cards(page: QuestionsPage) -> list[QuestionCard]:
    QCoreApplication.processEvents()
    return [one for one in page.findChildren(QuestionCard) if one.isVisible()]


def press(page: QuestionsPage, qtbot: QtBot, name: str) -> None:
    QCoreApplication.processEvents()
    button = next(b for b in page.findChildren(QAbstractButton, name) if b.isVisible())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def bars(page: QuestionsPage) -> list[str]:
    QCoreApplication.processEvents()  # a layout shows what was added to it when control returns to the loop
    found = [label for label in page.findChildren(Label, "words") if label.isVisible()]
    return [label.accessibleName() for label in found]


def earlier(page: QuestionsPage) -> list[str]:
    QCoreApplication.processEvents()
    return [label.accessibleName() for label in page.findChildren(Label, "entry") if label.isVisible()]


def test_nothing_waits_and_it_says_so(page: QuestionsPage) -> None:
    page.draw(samples.QUIET)
    assert page.findChildren(QWidget, "noQuestions")[0].isVisible()
    page.draw(samples.busy())
    assert not page.findChildren(QWidget, "noQuestions")[0].isVisible()


def test_each_card_tells_who_asks_through_what(page: QuestionsPage) -> None:
    page.draw(samples.busy())
    form, link, approval = (card.accessibleName() for card in cards(page))
    assert form.startswith("github · via Claude Desktop: I am about to create an issue")
    assert link == "linear · via Cursor: Please sign in to Linear."
    assert approval.startswith("Needs your approval: Zed wants to use “")


def test_time_is_told_in_the_last_minute_only_and_not_while_snoozed(page: QuestionsPage) -> None:
    def left() -> list[str]:
        return [chip.text for chip in page.findChildren(Chip, "timeLeft") if chip.isVisible()]

    page.draw(Status(waiting=(samples.form({}, deadline=time.time() + 200),)))
    assert left() == []
    page.draw(Status(waiting=(samples.form({}, deadline=time.time() + 40),)))
    assert re.fullmatch(r"0:\d\d left", left()[0])
    page.draw(Status(waiting=(samples.form({}, deadline=time.time() + 40),), snoozed=True))
    assert left() == []


def test_any_can_be_opened_by_mouse_and_by_key(page: QuestionsPage, qtbot: QtBot) -> None:
    page.draw(samples.busy())
    second = cards(page)[1]
    for act in (
        lambda: qtbot.mouseClick(second, Qt.MouseButton.LeftButton),
        lambda: qtbot.keyClick(second, Qt.Key.Key_Return),
        lambda: second.findChildren(QAbstractButton, "open")[0].click(),
    ):
        with qtbot.waitSignal(page.open_wanted) as opened:
            act()
        assert opened.args == ["u1"]


@pytest.mark.parametrize(("name", "answer"), [("decline", DECLINE), ("cancel", CANCEL)])
def test_a_question_need_not_be_answered(
    page: QuestionsPage, qtbot: QtBot, name: str, answer: object
) -> None:
    page.draw(samples.busy())
    with qtbot.waitSignal(page.answered) as ended:
        cards(page)[1].findChildren(QAction, name)[0].trigger()
    assert ended.args == ["u1", answer]


def test_all_of_them_are_declined_only_when_the_person_is_sure(page: QuestionsPage, qtbot: QtBot) -> None:
    ended: list[str] = []
    page.answered.connect(lambda question, _: ended.append(question))
    page.draw(samples.busy())
    press(page, qtbot, "declineAll")
    (box,) = page.findChildren(QMessageBox)
    assert ended == []
    next(one for one in box.buttons() if one.text() == "&Decline all").click()
    assert ended == [question.id for question in samples.busy().waiting]


def test_a_choice_of_a_few_is_answered_by_one_press(page: QuestionsPage, qtbot: QtBot) -> None:
    where = {"env": {"type": "string", "enum": ["dev", "prod"]}}
    page.draw(Status(waiting=(samples.form(where, "env"),)))
    qtbot.waitUntil(lambda: bool(page.findChildren(QAbstractButton, "answer:1")))
    with qtbot.waitSignal(page.answered) as answered:
        press(page, qtbot, "answer:1")
    assert answered.args is not None
    assert answered.args[1] == Answer(Action.ACCEPT, b'{"env":"prod"}')


def test_what_has_the_keyboard_keeps_it_while_others_come_and_go(page: QuestionsPage, qtbot: QtBot) -> None:
    page.draw(Status(waiting=MANY[:3]))
    with qtbot.waitActive(page):
        page.activateWindow()
    second = cards(page)[1]
    second.setFocus()
    page.draw(Status(waiting=(*MANY[1:3], *MANY[10:12])))
    assert second.hasFocus()
    assert [card.objectName() for card in cards(page)] == ["card:q1", "card:q2", "card:q10", "card:q11"]


def test_a_thousand_questions_are_no_trouble(page: QuestionsPage) -> None:
    page.draw(Status(waiting=MANY))
    assert len(cards(page)) == 50
    page.draw(Status(waiting=MANY[990:]))
    assert len(cards(page)) == 10


def test_snooze_floods_and_mutes_are_told_and_can_be_undone(
    page: QuestionsPage, qtbot: QtBot, calls: ServiceCalls
) -> None:
    page.draw(samples.BESET)
    snooze, flood, mute = bars(page)
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
            press(page, qtbot, name)
        assert heard.args == said
    page.draw(samples.busy())
    assert bars(page) == []
    page.draw(replace(samples.BESET, snoozed_until=0.0))
    assert bars(page)[0].startswith("Snoozed until you resume")


def test_what_was_typed_and_not_sent_can_be_copied_and_discarded(
    page: QuestionsPage, calls: ServiceCalls, qtbot: QtBot
) -> None:
    page.draw(replace(samples.QUIET, drafts=samples.DRAFTS))
    press(page, qtbot, "copyDraft")
    assert QGuiApplication.clipboard().text() == "Title: The mill jams"
    press(page, qtbot, "discardDraft")
    assert calls.of("questions.discard_draft") == [["d2"]]
    page.draw(samples.QUIET)
    assert not page.findChildren(QWidget, "drafts")[0].isVisible()


def test_questions_of_before_are_below_and_lead_to_all_about_them(
    page: QuestionsPage, past: samples.Past, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: len(earlier(page)) == 10)
    assert {wanted.kind for wanted, _ in past.asked} == {"question"}
    assert earlier(page)[0] == "You answered github: name: Ada · apiKey: •••"
    with qtbot.waitSignal(page.past_wanted):
        press(page, qtbot, "earlierAll")


def test_a_question_that_is_over_comes_among_those_of_before(
    page: QuestionsPage, past: samples.Past, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: bool(earlier(page)))
    page.draw(Status(waiting=MANY[:2]))
    past.newer = [
        JournalRow("question", "Zed", "fresh", "ask", "decline", detail={"message": "Go?"}, id=2000)
    ]
    page.draw(Status(waiting=MANY[:1]))
    qtbot.waitUntil(lambda: "You declined fresh: Go?" in earlier(page))


def test_without_a_history_there_is_nothing_below(qtbot: QtBot, calls: ServiceCalls) -> None:
    class Blank(samples.Past):
        def find(
            self, wanted: HistoryFilter, limit: int = 100, before_id: int | None = None
        ) -> list[JournalRow]:
            super().find(wanted, limit, before_id)
            return []

    past = Blank()
    page = QuestionsPage(past, calls.services)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: bool(past.asked))
    page.close_history()
    assert earlier(page) == []
