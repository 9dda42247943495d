"""The queue as the person meets it: the oldest Question in front, none lost, none answered twice."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from bridge.api import (
    CANCEL,
    DECLINE,
    Action,
    Answer,
    AnswerDraft,
    Flood,
    HeldBack,
    Mode,
    Question,
    Status,
    accept,
)
from desktop.questions.base_window import QuestionWindow
from desktop.questions.countdown import Countdown
from desktop.questions.popup_card import PopupCard
from desktop.questions.presenter import QuestionPresenter
from desktop.widgets.labels import Label
from desktop.widgets.text.bidi import strip_isolates
from tests.desktop import samples

NAME = {"name": {"type": "string", "title": "Name", "maxLength": 60}}
FIRST, SECOND, THIRD = (samples.form(NAME, id=f"q{n}", server=f"server{n}") for n in (1, 2, 3))


class Desk:
    """The engine's side: what waits, and what was answered."""

    def __init__(self) -> None:
        self.presenter = QuestionPresenter()
        self.answers: list[tuple[str, Answer]] = []
        self.drafts: list[AnswerDraft] = []
        self.presenter.draft_kept.connect(self.drafts.append)
        self.presenter.answered.connect(lambda *answer: self.answers.append(answer))
        self.presenter.refused.connect(lambda *answer: self.answers.append(answer))

    def wait(self, *questions: Question, elsewhere: tuple[tuple[str, str], ...] = ()) -> None:
        self.presenter.draw(Status(waiting=questions, elsewhere=elsewhere))


def windows() -> list[QuestionWindow]:
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, QuestionWindow) and w.isVisible()]


def shown() -> list[str]:
    return [window.question.id for window in windows()]


def press(qtbot: QtBot, name: str) -> None:
    qtbot.mouseClick(windows()[0].findChildren(QAbstractButton, name)[0], Qt.MouseButton.LeftButton)


def type_name(qtbot: QtBot, text: str) -> None:
    qtbot.keyClicks(windows()[0].findChildren(QLineEdit, "field:name")[0], text)


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    made = Desk()
    yield made
    made.presenter.close()


def test_nothing_is_shown_while_nothing_waits(desk: Desk) -> None:
    desk.wait()
    assert shown() == []


def test_a_question_before_its_windows_are_loaded_comes_when_they_are(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "desktop.questions.window_kinds")
    desk.wait(FIRST, SECOND)
    desk.presenter.open(SECOND.id)
    qtbot.waitUntil(lambda: shown() == [SECOND.id])


def test_the_oldest_question_is_in_front_and_the_others_are_counted(desk: Desk) -> None:
    desk.wait(FIRST, SECOND, THIRD)
    assert shown() == ["q1"]
    assert windows()[0].findChildren(Label, "more")[0].accessibleName() == "1 of 3"


def test_a_question_comes_without_taking_the_focus(desk: Desk) -> None:
    desk.wait(FIRST)
    assert windows()[0].testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)


def test_the_person_asks_for_it_and_it_takes_the_focus(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST)
    desk.presenter.next()
    qtbot.waitUntil(lambda: windows()[0].isActiveWindow())


def test_after_an_answer_the_next_one_is_shown(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST, SECOND)
    press(qtbot, "decline")
    assert desk.answers == [("q1", DECLINE)]
    assert shown() == ["q2"]


def test_a_second_return_is_not_taken_for_an_answer_to_the_next_one(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    later: list[Callable[[], None]] = []

    class Clock(QTimer):
        @staticmethod
        def singleShot(_: int, owner: object, then: Callable[[], None]) -> None:  # type: ignore[override]
            later.append(then)

    monkeypatch.setattr("desktop.questions.base_window.QTimer", Clock)
    desk.wait(FIRST, replace(SECOND, schema=b"{}"))
    desk.presenter.next()
    qtbot.waitUntil(lambda: windows()[0].isActiveWindow())
    press(qtbot, "send")
    qtbot.waitUntil(lambda: shown() == ["q2"] and windows()[0].isActiveWindow())
    window = windows()[0]
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        qtbot.keyClick(window, key)
    qtbot.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    press(qtbot, "option:0")
    assert [question for question, _ in desk.answers] == ["q1"]
    for settle in later:
        settle()
    assert window.settled
    yes = window.findChildren(QAbstractButton, "option:0")[0]
    assert window.focusWidget() is yes
    qtbot.keyClick(yes, Qt.Key.Key_Return)
    assert [question for question, _ in desk.answers] == ["q1", "q2"]


def test_an_answered_question_does_not_come_back_with_a_status_that_is_late(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST)
    press(qtbot, "cancel")
    desk.wait(FIRST)
    desk.wait(FIRST, SECOND)
    assert shown() == ["q2"]
    assert desk.answers == [("q1", CANCEL)]


def test_a_new_status_leaves_what_is_being_typed_alone(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST)
    type_name(qtbot, "Ada")
    desk.wait(FIRST, SECOND)
    assert windows()[0].findChildren(QLineEdit, "field:name")[0].text() == "Ada"


def test_any_question_can_be_opened_and_the_one_put_aside_keeps_what_was_typed(
    desk: Desk, qtbot: QtBot
) -> None:
    desk.wait(FIRST, SECOND, THIRD)
    type_name(qtbot, "Ada")
    desk.presenter.open("q3")
    assert shown() == ["q3"]
    press(qtbot, "send")
    assert shown() == ["q1"]
    assert windows()[0].findChildren(QLineEdit, "field:name")[0].text() == "Ada"
    assert desk.answers[0][0] == "q3"


def test_opening_a_question_that_is_gone_changes_nothing(desk: Desk) -> None:
    desk.wait(FIRST)
    desk.presenter.open("gone")
    assert shown() == ["q1"]


def test_a_withdrawn_question_closes_and_answers_nothing(desk: Desk) -> None:
    desk.wait(FIRST, SECOND)
    desk.wait(SECOND)
    assert shown() == ["q2"]
    assert desk.answers == []


def test_a_withdrawn_question_keeps_what_was_typed_and_lets_it_be_copied(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST)
    type_name(qtbot, "Ada")
    desk.wait()
    window = windows()[0]
    assert "The question was withdrawn." in window.findChildren(Label, "notice")[0].accessibleName()
    assert window.findChildren(QLineEdit, "field:name")[0].isReadOnly()
    press(qtbot, "copy")
    assert QGuiApplication.clipboard().text() == "Name: Ada"
    press(qtbot, "close")
    assert shown() == []
    assert desk.answers == []


def test_a_question_that_was_answered_in_an_app_says_so_to_whoever_has_it_in_front(
    desk: Desk, qtbot: QtBot
) -> None:
    desk.wait(FIRST)
    desk.presenter.next()
    qtbot.waitUntil(lambda: windows()[0].isActiveWindow())
    desk.wait(elsewhere=(("q1", "opencode"),))
    notice = windows()[0].findChildren(Label, "notice")[0].accessibleName()
    assert strip_isolates(notice) == "Answered in opencode."
    press(qtbot, "close")
    assert shown() == []
    assert desk.answers == []


def test_a_question_that_was_answered_in_an_app_closes_where_nobody_looks_at_it(desk: Desk) -> None:
    desk.wait(FIRST, SECOND)
    desk.wait(elsewhere=(("q1", "opencode"), ("q2", "opencode")))
    assert shown() == []


def test_a_question_that_expired_blames_the_time_and_nobody(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(replace(FIRST, deadline=time.time()))
    type_name(qtbot, "Ada")
    desk.wait()
    assert "Too late" in windows()[0].findChildren(Label, "notice")[0].accessibleName()


def test_a_withdrawn_question_with_a_draft_does_not_hold_up_the_next(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST, SECOND)
    type_name(qtbot, "Ada")
    desk.wait(SECOND)
    assert sorted(shown()) == ["q1", "q2"]


def test_a_draft_that_was_put_aside_is_not_lost_when_its_question_is_withdrawn(
    desk: Desk, qtbot: QtBot
) -> None:
    desk.wait(FIRST, SECOND)
    type_name(qtbot, "Ada")
    desk.presenter.open("q2")
    desk.wait(SECOND)
    assert sorted(shown()) == ["q1", "q2"]


def test_nothing_is_sent_from_a_withdrawn_question_by_key(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST)
    type_name(qtbot, "Ada")
    desk.wait()
    line = windows()[0].findChildren(QLineEdit, "field:name")[0]
    qtbot.keyClick(line, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert desk.answers == []


def test_a_question_that_no_window_can_show_is_cancelled_and_not_left_waiting(desk: Desk) -> None:
    odd = Question(id="s", mode=Mode.ROOTS, server="x", host="y")
    desk.wait(odd, FIRST)
    assert desk.answers == [("s", CANCEL)]
    assert shown() == ["q1"]
    desk.wait(odd, FIRST)
    assert len(desk.answers) == 1


def test_every_kind_of_question_gets_its_window(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(*samples.busy().waiting)
    for name in ("decline", "decline", "refuse"):
        press(qtbot, name)
    assert [answer for _, answer in desk.answers] == [DECLINE] * 3
    assert shown() == []


def test_when_deskbell_ends_the_windows_go_and_leave_the_answers_to_the_engine(
    desk: Desk, qtbot: QtBot
) -> None:
    desk.wait(FIRST, SECOND)
    desk.presenter.close()
    assert shown() == []
    assert desk.answers == []


def test_the_time_left_is_counted_only_while_somebody_can_see_it(desk: Desk, qtbot: QtBot) -> None:
    soon, then = time.time() + 50, time.time() + 200
    desk.wait(replace(FIRST, deadline=soon), replace(SECOND, deadline=then))
    countdown = windows()[0].findChildren(Label, "countdown")[0]
    assert countdown.isVisible()
    assert re.fullmatch(r"0:\d\d left", countdown.accessibleName())
    desk.presenter.open("q2")
    assert not countdown.isVisible()
    assert not windows()[0].findChildren(Label, "countdown")[0].isVisible()


def test_one_press_in_the_last_minute_adds_time(desk: Desk, qtbot: QtBot) -> None:
    wanted: list[tuple[str, float]] = []
    desk.presenter.time_wanted.connect(lambda *asked: wanted.append(asked))
    desk.wait(replace(FIRST, deadline=time.time() + 30))
    press(qtbot, "moreTime")
    assert wanted == [("q1", 300.0)]


def test_time_stands_still_while_an_answer_is_typed(desk: Desk, qtbot: QtBot) -> None:
    heard: list[tuple[str, bool]] = []
    desk.presenter.working.connect(lambda *told: heard.append(told))
    desk.wait(FIRST)
    type_name(qtbot, "Ada")
    assert heard == [("q1", True)]
    windows()[0].hide()
    assert heard[-1] == ("q1", False)


# Pages that are visited


def test_a_window_that_waits_for_a_page_stays_while_the_next_question_comes(
    qtbot: QtBot, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: True)
    page = samples.link("https://example.org/", id="u1")
    desk.wait(page, FIRST)
    press(qtbot, "open")
    assert sorted(shown()) == ["q1", "u1"]
    desk.presenter.draw(samples.waiting(FIRST, visits=("u1",)))
    assert sorted(shown()) == ["q1", "u1"]
    desk.presenter.draw(samples.waiting(FIRST))
    assert shown() == ["q1"]


def test_the_question_that_follows_a_page_is_asked_where_it_is_waited_for(
    qtbot: QtBot, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: True)
    desk.wait(samples.link("https://example.org/", id="u1"))
    press(qtbot, "open")
    follows = samples.form({}, id="q2", follows="u1")
    desk.presenter.draw(samples.waiting(follows, visits=("u1",)))
    assert shown() == ["q2"]
    press(qtbot, "done")
    assert [name for name, _ in desk.answers] == ["u1", "q2"]
    desk.wait()
    assert shown() == []


def test_a_page_that_is_left_by_the_person_is_told(
    qtbot: QtBot, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: True)
    desk.wait(samples.link("https://example.org/", id="u1"))
    press(qtbot, "open")
    desk.presenter.draw(samples.waiting(visits=("u1",)))
    press(qtbot, "cancel")
    assert desk.answers == [("u1", accept()), ("u1", CANCEL)]
    assert shown() == []


# --- snooze, floods, clocks, drafts ------------------------------------------------------------------


def test_while_the_person_snoozes_a_window_opens_only_when_it_is_asked_for(desk: Desk, qtbot: QtBot) -> None:
    desk.presenter.draw(Status(waiting=(FIRST, SECOND), snoozed=True))
    assert shown() == []
    desk.presenter.next()
    assert shown() == ["q1"]
    press(qtbot, "decline")
    assert shown() == []
    desk.wait(SECOND)
    assert shown() == ["q2"]


def test_a_snooze_hides_the_window_and_keeps_what_was_typed(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST)
    type_name(qtbot, "Ada")
    desk.presenter.draw(Status(waiting=(FIRST,), snoozed=True))
    assert shown() == []
    assert desk.presenter.typed
    desk.wait(FIRST)
    assert windows()[0].findChildren(QLineEdit, "field:name")[0].text() == "Ada"


def test_of_a_flood_no_window_opens_by_itself_and_the_open_one_tells(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST)
    flood = (Flood("server1", 12),)
    desk.presenter.draw(Status(waiting=(FIRST, SECOND, replace(FIRST, id="q4")), floods=flood))
    assert "server1 is asking a lot" in windows()[0].findChildren(Label, "words")[0].accessibleName()
    with qtbot.waitSignal(desk.presenter.mute_wanted) as wanted:
        press(qtbot, "mute")
    assert wanted.args == ["server1", 3600.0]
    press(qtbot, "decline")
    assert shown() == ["q2"]
    press(qtbot, "decline")
    assert shown() == []
    desk.presenter.next()
    assert shown() == ["q4"]


def test_a_clock_that_was_stopped_goes_on_in_the_open_window(desk: Desk) -> None:
    desk.wait(replace(FIRST, deadline=time.time() + 100))
    desk.wait(replace(FIRST, deadline=0.0))
    countdown = windows()[0].findChildren(Label, "countdown")[0]
    assert not countdown.isVisible()
    desk.wait(replace(FIRST, deadline=time.time() + 60))
    assert countdown.isVisible()
    assert re.fullmatch(r"(1:00|0:\d\d) left", countdown.accessibleName())


@pytest.mark.filterwarnings("error")
def test_a_question_may_wait_longer_than_a_timer_of_qt_can_count(desk: Desk) -> None:
    desk.wait(replace(FIRST, deadline=time.time() + 60 * 24 * 3600))
    [timer] = [one for one in windows()[0].findChildren(Countdown)[0].findChildren(QTimer) if one.isActive()]
    assert timer.remainingTime() > 0


def test_what_was_typed_for_a_question_that_went_is_kept(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST)
    type_name(qtbot, "Ada")
    desk.wait()
    (draft,) = desk.drafts
    assert (draft.id, draft.text, draft.entered) == ("q1", "Name: Ada", {"name": "Ada"})
    assert "withdrawn" in draft.why


def test_what_was_typed_is_kept_when_deskbell_ends(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST)
    type_name(qtbot, "Ada")
    desk.presenter.close()
    (draft,) = desk.drafts
    assert (draft.text, draft.why) == ("Name: Ada", "Deskbell was closed before you sent it.")


def test_what_was_typed_for_a_question_that_was_closed_is_kept_too(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST)
    type_name(qtbot, "Ada")
    windows()[0].reject()
    assert not desk.drafts  # it can still be undone
    desk.wait()
    (draft,) = desk.drafts
    assert (draft.text, draft.why) == ("Name: Ada", "You closed this question.")


def test_a_question_ended_from_the_list_answers_once_and_keeps_what_was_typed(
    desk: Desk, qtbot: QtBot
) -> None:
    desk.wait(FIRST, SECOND)
    type_name(qtbot, "Ada")
    desk.presenter.end("q1", DECLINE)
    desk.presenter.end("q1", DECLINE)
    assert desk.answers == [("q1", DECLINE)]
    assert "q2" in shown()
    desk.wait(SECOND)
    assert [draft.text for draft in desk.drafts] == ["Name: Ada"]


def test_what_was_refused_can_be_undone_and_comes_back_with_what_was_typed(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST)
    type_name(qtbot, "Ada")
    windows()[0].reject()
    held = HeldBack(FIRST, Action.CANCEL, time.time() + 5)
    desk.presenter.draw(Status(undoable=(held,)))
    assert shown() == []
    undone: list[str] = []
    desk.presenter.undo_wanted.connect(undone.append)
    card_press(qtbot, "undo")
    assert undone == ["q1"]
    desk.wait(FIRST)
    assert shown() == ["q1"]
    assert windows()[0].findChildren(QLineEdit, "field:name")[0].text() == "Ada"
    press(qtbot, "send")
    assert [answer.action for _, answer in desk.answers] == [Action.CANCEL, Action.ACCEPT]


# The card


CONFIRM = replace(FIRST, id="y1", schema=b"{}")


def card() -> PopupCard | None:
    found = [w for w in QApplication.topLevelWidgets() if isinstance(w, PopupCard) and w.isVisible()]
    return found[0] if found else None


def card_press(qtbot: QtBot, name: str) -> None:
    here = card()
    assert here is not None
    qtbot.waitUntil(lambda: here.settled)
    (button,) = [one for one in here.findChildren(QAbstractButton, name) if one.isVisible()]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_question_comes_as_a_card_above_other_windows_that_never_takes_the_keyboard(desk: Desk) -> None:
    desk.wait(FIRST)
    shown_card = card()
    assert shown_card is not None
    flags = shown_card.windowFlags()
    assert flags & Qt.WindowType.WindowStaysOnTopHint
    assert flags & Qt.WindowType.WindowDoesNotAcceptFocus
    assert shown_card.accessibleDescription() == "Please fill this in."
    assert windows()[0].isMinimized()


def test_a_press_on_the_card_answers_but_not_in_its_first_moment(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(CONFIRM)
    here = card()
    assert here is not None
    assert not here.settled
    here._answer(CONFIRM, accept())
    assert desk.answers == []
    card_press(qtbot, "option:0")
    assert desk.answers == [("y1", accept({}))]
    assert card() is None


def test_a_card_keeps_the_lines_of_a_message_and_reads_them_aloud(desk: Desk) -> None:
    desk.wait(
        replace(
            CONFIRM, message="Send a reply as @bob:\n\n> Here I am\n\nIn reply to @alice:\n\n> Who is there?"
        )
    )
    here = card()
    assert here is not None
    texts = [one.text() for name in ("message", "messageRest") for one in here.findChildren(Label, name)]
    assert texts == ["Send a reply as @bob:", "> Here I am\nIn reply to @alice:\n> Who is there?"]
    assert here.accessibleDescription() == " ".join(texts)


@pytest.mark.parametrize(
    "message", ["Sure? " * 60, "a\n" * 12 + "b", "Sure?" + " " * 3_000 + "Really all of it?"]
)
def test_a_card_has_no_answers_to_a_message_that_it_does_not_show_whole(desk: Desk, message: str) -> None:
    desk.wait(replace(CONFIRM, message=message))
    here = card()
    assert here is not None
    assert not here.findChildren(QAbstractButton, "option:0")
    assert here.findChildren(QAbstractButton, "open")


def test_open_makes_the_card_a_window_and_the_card_goes(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST)
    card_press(qtbot, "open")
    qtbot.waitUntil(lambda: windows()[0].isActiveWindow())
    assert not windows()[0].isMinimized()
    assert card() is None


def test_later_puts_a_question_behind_the_others_until_it_is_reminded_of(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST, SECOND)
    card_press(qtbot, "later")
    here = card()
    assert here is not None
    assert here.shown.question is not None
    assert here.shown.question.id == "q2"
    card_press(qtbot, "later")
    assert card() is None
    assert desk.answers == []
    desk.presenter.remind()
    assert card() is not None


def test_what_was_missed_is_told_until_it_is_seen(desk: Desk, qtbot: QtBot) -> None:
    seen: list[bool] = []
    desk.presenter.missed_seen.connect(lambda: seen.append(True))
    desk.presenter.draw(Status(missed=(FIRST,)))
    here = card()
    assert here is not None
    assert here.accessibleDescription() == "You missed a question from server1"
    card_press(qtbot, "missedSeen")
    assert seen == [True]


def test_previous_and_next_turn_through_what_waits(desk: Desk, qtbot: QtBot) -> None:
    desk.wait(FIRST, SECOND, THIRD)
    desk.presenter.next()
    press(qtbot, "next")
    qtbot.waitUntil(lambda: [w.question.id for w in windows() if not w.isMinimized()] == ["q2"])
    assert windows()[0].findChildren(Label, "more")[0].accessibleName() == "2 of 3"


def test_what_looks_like_a_secret_is_in_no_draft(desk: Desk, qtbot: QtBot) -> None:
    secret = samples.form({**NAME, "password": {"type": "string"}}, id="s1")
    desk.wait(secret)
    type_name(qtbot, "Ada")
    qtbot.keyClicks(windows()[0].findChildren(QLineEdit, "field:password")[0], "hunter2")
    desk.wait()
    press(qtbot, "copy")
    assert "hunter2" not in QGuiApplication.clipboard().text()
    assert [draft.text for draft in desk.drafts] == ["Name: Ada"]


def test_a_thousand_questions_cost_one_window(desk: Desk) -> None:
    many = tuple(replace(FIRST, id=f"m{n}") for n in range(1000))
    desk.wait(*many)
    assert shown() == ["m0"]
    made = [w for w in QApplication.topLevelWidgets() if isinstance(w, QuestionWindow)]
    assert len(made) == 1
    assert made[0].findChildren(Label, "more")[0].accessibleName() == "1 of 1000"


def test_a_window_says_that_the_app_stopped_waiting_until_it_waits_again(desk: Desk, qtbot: QtBot):
    desk.wait(FIRST)
    qtbot.waitUntil(lambda: shown() == ["q1"])
    (notice,) = windows()[0].findChildren(Label, "notice")
    assert notice.isHidden()
    desk.wait(replace(FIRST, host_left=True))
    assert notice.accessibleName() == (f"{FIRST.host} stopped waiting. Your answer is kept for its next try.")
    desk.wait(FIRST)
    assert notice.isHidden()
    press(qtbot, "decline")
    assert desk.answers == [("q1", DECLINE)]
