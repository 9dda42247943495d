"""A Question comes as loudly as the person allowed, and no louder."""

from __future__ import annotations

import pytest

from bridge.core.questions.interruption import (
    AWAY,
    PLAIN,
    SILENCE,
    Activity,
    Alert,
    AlertSettings,
    RaiseWindow,
    alert_for,
    is_present,
    reminder,
)


def test_by_default_a_window_opens_without_the_keyboard_and_a_notification_tells():
    assert alert_for(PLAIN, Activity(), snoozed=False) == Alert(window=True, notification=True, sound=True)


@pytest.mark.parametrize("front", list(RaiseWindow))
def test_a_person_who_snoozes_hears_nothing(front):
    assert alert_for(AlertSettings(front=front, sound=True), Activity(idle=900.0), snoozed=True) == SILENCE


def test_the_desktops_do_not_disturb_is_heeded_unless_the_person_wants_otherwise():
    busy = Activity(busy=True)
    assert alert_for(PLAIN, busy, snoozed=False) == SILENCE
    assert alert_for(AlertSettings(do_not_disturb=False), busy, snoozed=False).notification


def test_nobody_is_rung_for_behind_a_locked_screen_whatever_they_wished():
    loud = AlertSettings(front=RaiseWindow.ALWAYS, sound=True, do_not_disturb=False)
    assert alert_for(loud, Activity(locked=True), snoozed=False) == SILENCE


@pytest.mark.parametrize(
    ("front", "idle", "comes"),
    [
        (RaiseWindow.NEVER, 900.0, False),
        (RaiseWindow.IDLE, 900.0, True),
        (RaiseWindow.IDLE, 29.0, False),
        (RaiseWindow.IDLE, None, False),
        (RaiseWindow.ALWAYS, 0.0, True),
    ],
)
def test_a_window_comes_to_the_front_only_when_it_was_allowed_to(front, idle, comes):
    came = alert_for(AlertSettings(front=front), Activity(idle=idle), snoozed=False)
    assert came == Alert(window=True, front=comes, notification=not comes, sound=True)


def test_whoever_answers_a_question_is_not_told_of_the_next():
    loud = AlertSettings(front=RaiseWindow.ALWAYS, sound=True)
    assert alert_for(loud, Activity(answering=True), snoozed=False) == Alert(window=True)


def test_without_windows_a_notification_and_a_sound_may_still_tell():
    shy = AlertSettings(windows=False, front=RaiseWindow.ALWAYS, sound=True)
    assert alert_for(shy, Activity(), snoozed=False) == Alert(notification=True, sound=True)


def test_a_person_may_want_nothing_but_the_icon():
    assert (
        alert_for(AlertSettings(False, notifications=False, sound=False), Activity(), snoozed=False)
        == SILENCE
    )


@pytest.mark.parametrize(
    ("left", "limit", "due"),
    [
        (300.0, 300.0, 0),
        (150.0, 300.0, 1),
        (60.0, 300.0, 2),
        (60.0, 120.0, 1),
        (45.0, 50.0, 0),
        (25.0, 50.0, 1),
    ],
)
def test_a_question_rings_again_at_half_time_and_a_minute_before_its_end(left: float, limit: float, due: int):
    assert reminder(left, limit) == due


@pytest.mark.parametrize(
    ("activity", "there"),
    [
        (Activity(), True),
        (Activity(idle=AWAY - 1), True),
        (Activity(idle=AWAY), False),
        (Activity(locked=True), False),
    ],
)
def test_a_person_is_there_unless_the_screen_is_locked_or_nobody_touched_anything(
    activity: Activity, there: bool
):
    assert is_present(activity) is there
