"""A Question rings once, as loudly as it may, and what rang is quiet when nobody needs it any more."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bridge.api import Flood, Mode, Question, Status, interruption
from desktop.alerts.alerts import Alerts
from desktop.alerts.notifications import DEFAULT, Notification
from desktop.alerts.user_activity import OnScene
from desktop.questions.base_window import QuestionWindow
from desktop.questions.presenter import QuestionPresenter
from tests.desktop import samples

NAME = {"name": {"type": "string", "title": "Name"}}
FIRST = samples.form(NAME, id="q1", message="The launch code, please", tool="launch")
SECOND = samples.form(NAME, id="q2", server="linear")


class Desktop:
    """Somebody else's: it says what the person does, and remembers what it was told to show."""

    def __init__(self) -> None:
        self.scene: interruption.Activity | None = interruption.Activity()  # None: it takes its time
        self.told: list[OnScene] = []
        self.shown: Notification | None = None
        self.seen: list[Notification] = []
        self.sounds = False
        self.closed = 0

    def look(self, wishes: interruption.AlertSettings, told: OnScene) -> None:
        self.told.append(told)
        if self.scene is not None:
            told(self.scene)

    def show(self, notice: Notification) -> None:
        self.shown = notice
        self.seen.append(notice)

    def close(self) -> None:
        self.shown = None
        self.closed += 1


class House:
    def __init__(self) -> None:
        self.desktop = Desktop()
        self.presenter = QuestionPresenter()
        self.bell = Alerts(self.presenter, self.desktop, self.desktop)  # type: ignore[arg-type]

    def wait(self, *questions: Question, **more: object) -> None:
        self.bell.draw(replace(Status(waiting=questions), **more))  # type: ignore[arg-type]


@pytest.fixture
def house(qtbot: QtBot) -> Iterator[House]:
    made = House()
    yield made
    made.bell.close()
    made.presenter.close()


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    heard: list[str] = []
    monkeypatch.setattr(
        "desktop.alerts.alerts.sound.play",
        lambda quiet=False: heard.append("quiet" if quiet else "bell"),
    )
    return heard


def windows() -> list[str]:
    shown = [w for w in QApplication.topLevelWidgets() if isinstance(w, QuestionWindow) and w.isVisible()]
    return [window.question.id for window in shown]


def test_a_question_opens_a_window_and_a_notification_that_tells_who_and_never_what(house: House) -> None:
    house.wait(FIRST)
    assert windows() == ["q1"]
    notice = house.desktop.shown
    assert notice is not None
    assert notice.title == "A question is waiting"
    assert notice.text == "github asks you through Claude Desktop."
    assert [words for _, words in notice.actions] == ["Answer", "Snooze 30 min"]
    assert "launch" not in str(notice)


def test_a_notification_of_an_approval_tells_which_app_wants_what(house: House) -> None:
    house.wait(replace(FIRST, mode=Mode.CONFIRM))
    notice = house.desktop.shown
    assert notice is not None
    assert notice.text == "Claude Desktop wants to use github."


def test_no_window_opens_before_it_is_known_what_the_person_does(house: House) -> None:
    house.desktop.scene = None
    house.wait(FIRST)
    assert (windows(), house.desktop.shown) == ([], None)
    house.desktop.told[0](interruption.Activity())
    assert windows() == ["q1"]


def test_many_questions_are_one_notification(house: House) -> None:
    house.wait(FIRST)
    house.wait(FIRST, SECOND)
    notice = house.desktop.shown
    assert notice is not None
    assert (notice.title, notice.text) == ("2 questions are waiting", "From github, linear")


def test_deskbell_does_not_ring_twice_for_the_same_question(house: House) -> None:
    house.wait(FIRST)
    house.wait(FIRST)
    assert len(house.desktop.told) == 1


def test_what_was_answered_elsewhere_is_counted_no_more_and_at_last_it_is_gone(
    house: House, qtbot: QtBot
) -> None:
    shy = interruption.AlertSettings(windows=False)
    house.wait(FIRST, SECOND, wishes=shy)
    house.wait(SECOND, wishes=shy)
    qtbot.waitUntil(lambda: len(house.desktop.seen) == 2)
    assert house.desktop.seen[1].text == "linear asks you through Claude Desktop."
    house.wait()
    assert house.desktop.shown is None


def test_behind_a_locked_screen_nothing_comes_and_it_rings_when_the_person_is_back(house: House) -> None:
    house.desktop.scene = interruption.Activity(locked=True)
    house.wait(FIRST)
    assert (windows(), house.desktop.seen) == ([], [])
    house.desktop.scene = interruption.Activity()
    house.bell.look_again()
    assert windows() == ["q1"]
    assert house.desktop.shown is not None
    house.bell.look_again()  # nothing was held back since
    assert len(house.desktop.seen) == 1


def test_while_the_person_snoozes_nothing_comes_and_afterwards_all_of_it(house: House) -> None:
    house.wait(FIRST, snoozed=True)
    assert (windows(), house.desktop.seen) == ([], [])
    house.wait(FIRST)
    assert windows() == ["q1"]
    assert house.desktop.shown is not None


def test_a_snooze_closes_what_is_open_and_keeps_what_was_typed(house: House) -> None:
    house.wait(FIRST)
    house.wait(FIRST, snoozed=True)
    assert (windows(), house.desktop.shown) == ([], None)
    house.presenter.next()
    assert windows() == ["q1"]


def test_do_not_disturb_is_looked_at_again_until_it_is_over(house: House, qtbot: QtBot) -> None:
    house.bell._again.setInterval(1)
    house.desktop.scene = interruption.Activity(busy=True)
    house.wait(FIRST)
    assert (windows(), house.desktop.seen) == ([], [])
    house.desktop.scene = interruption.Activity()
    qtbot.waitUntil(lambda: windows() == ["q1"])
    assert len(house.desktop.seen) == 1


def test_a_flood_is_one_notification_with_a_way_to_end_it(house: House, qtbot: QtBot) -> None:
    house.wait(FIRST, SECOND, floods=(Flood("github", 12),))
    assert windows() == ["q2"]
    notice = house.desktop.shown
    assert notice is not None
    assert (notice.title, notice.text) == ("github is asking a lot", "Questions waiting: 12")
    with qtbot.waitSignal(house.bell.mute_wanted) as wanted:
        house.bell.choose(notice.actions[1][0])
    assert wanted.args == ["github", 3600.0]


def test_the_notifications_buttons_do_what_they_say(house: House, qtbot: QtBot) -> None:
    house.wait(FIRST, wishes=interruption.AlertSettings(windows=False))
    assert windows() == []
    with qtbot.waitSignal(house.bell.snooze_wanted) as wanted:
        house.bell.choose("snooze")
    assert wanted.args == [1800.0]
    assert house.desktop.shown is None
    house.bell.choose(DEFAULT)
    assert windows() == ["q1"]


def test_who_has_the_question_before_them_needs_no_notification(house: House, qtbot: QtBot) -> None:
    house.wait(FIRST)
    house.presenter.next()
    qtbot.waitUntil(lambda: house.desktop.shown is None)
    house.wait(FIRST, SECOND)
    assert house.desktop.shown is None


def test_a_window_takes_the_keyboard_when_the_person_allowed_it(house: House, qtbot: QtBot) -> None:
    house.wait(FIRST, wishes=interruption.AlertSettings(front=interruption.RaiseWindow.ALWAYS))
    qtbot.waitUntil(lambda: house.presenter.answering)
    assert house.desktop.seen == []


@pytest.mark.parametrize(("daemon", "bells"), [(False, ["bell"]), (True, [])])
def test_a_sound_is_played_once_by_the_daemon_or_by_us(
    house: House, played: list[str], daemon: bool, bells: list[str]
) -> None:
    house.desktop.sounds = daemon
    house.wait(FIRST, wishes=interruption.AlertSettings(sound=True))
    assert played == bells
    assert house.desktop.shown is not None
    assert house.desktop.shown.loud


def test_by_default_it_sounds_once(house: House, played: list[str]) -> None:
    house.wait(FIRST)
    house.wait(FIRST, replace(SECOND, server=FIRST.server))
    house.wait(FIRST)
    assert played == ["bell", "bell"]


def test_a_setting_keeps_it_silent(house: House, played: list[str]) -> None:
    house.wait(FIRST, wishes=interruption.AlertSettings(sound=False))
    assert played == []


def test_what_waits_rings_again_quietly_at_half_time_and_before_its_end(
    house: House, played: list[str]
) -> None:
    now = time.time()
    for left in (299, 140, 139, 50, 49):
        house.wait(replace(FIRST, deadline=now + left))
        house.bell._look_around()
    assert played == ["bell", "quiet", "quiet"]
    assert house.desktop.seen[-1].title == "Still waiting for you"


def test_a_question_is_told_to_stand_still_while_the_person_is_away(house: House) -> None:
    told: list[bool] = []
    house.bell.presence_changed.connect(told.append)
    house.desktop.scene = interruption.Activity(idle=interruption.AWAY + 1)
    house.wait(FIRST)
    house.bell._look_around()
    house.desktop.scene = interruption.Activity(idle=0.0)
    house.bell._look_around()
    assert told == [False, True]


def test_a_missed_question_leaves_a_notice_that_says_what_to_do(house: House) -> None:
    wanted: list[str] = []
    house.bell.missed_wanted.connect(lambda: wanted.append("show"))
    house.bell.missed_seen.connect(lambda: wanted.append("seen"))
    house.wait(FIRST)
    house.wait(missed=(FIRST,))
    notice = house.desktop.shown
    assert notice is not None
    assert notice.title == "You missed a question from github"
    assert notice.text == "Claude Desktop was told that nobody answered. Ask it to try again."
    for action in ("missed", "seen"):
        house.bell.choose(action)
    assert wanted == ["show", "seen"]


def test_a_question_that_went_while_the_desktop_took_its_time_rings_no_more(house: House) -> None:
    house.desktop.scene = None
    house.wait(FIRST)
    house.wait()
    house.desktop.told[0](interruption.Activity())
    assert (windows(), house.desktop.seen) == ([], [])
