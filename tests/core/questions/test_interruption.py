"""A Question comes as loudly as the person allowed, and no louder."""

from __future__ import annotations

import pytest

from bridge.core.questions.interruption import PLAIN, SILENCE, Manner, Raise, Scene, Wishes, manner


def test_by_default_a_window_opens_without_the_keyboard_and_a_notification_tells():
    assert manner(PLAIN, Scene(), snoozed=False) == Manner(window=True, notification=True)


@pytest.mark.parametrize("front", list(Raise))
def test_a_person_who_snoozes_hears_nothing(front):
    assert manner(Wishes(front=front, sound=True), Scene(idle=900.0), snoozed=True) == SILENCE


def test_the_desktops_do_not_disturb_is_heeded_unless_the_person_wants_otherwise():
    busy = Scene(busy=True)
    assert manner(PLAIN, busy, snoozed=False) == SILENCE
    assert manner(Wishes(do_not_disturb=False), busy, snoozed=False).notification


def test_nobody_is_rung_for_behind_a_locked_screen_whatever_they_wished():
    loud = Wishes(front=Raise.ALWAYS, sound=True, do_not_disturb=False)
    assert manner(loud, Scene(locked=True), snoozed=False) == SILENCE


@pytest.mark.parametrize(
    ("front", "idle", "comes"),
    [
        (Raise.NEVER, 900.0, False),
        (Raise.IDLE, 900.0, True),
        (Raise.IDLE, 29.0, False),
        (Raise.IDLE, None, False),
        (Raise.ALWAYS, 0.0, True),
    ],
)
def test_a_window_comes_to_the_front_only_when_it_was_allowed_to(front, idle, comes):
    came = manner(Wishes(front=front), Scene(idle=idle), snoozed=False)
    assert came == Manner(window=True, front=comes, notification=not comes)


def test_whoever_answers_a_question_is_not_told_of_the_next():
    loud = Wishes(front=Raise.ALWAYS, sound=True)
    assert manner(loud, Scene(answering=True), snoozed=False) == Manner(window=True)


def test_without_windows_a_notification_and_a_sound_may_still_tell():
    shy = Wishes(windows=False, front=Raise.ALWAYS, sound=True)
    assert manner(shy, Scene(), snoozed=False) == Manner(notification=True, sound=True)


def test_a_person_may_want_nothing_but_the_icon():
    assert manner(Wishes(windows=False, notifications=False), Scene(), snoozed=False) == SILENCE
