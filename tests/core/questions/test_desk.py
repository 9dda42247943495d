"""The Desk: oldest first, never twice, never too many, and clocks that stand still for who snoozes."""

from __future__ import annotations

from dataclasses import replace

from bridge.core.questions.desk import LONGEST_PAUSE, MOMENT, MOST, MOST_OF_ONE, Desk
from bridge.core.questions.question import Mode, Question


def question(name: str, server: str = "files", asked_at: float = 100.0, deadline: float = 400.0) -> Question:
    return Question(name, Mode.FORM, server, "Claude", asked_at=asked_at, deadline=deadline)


def desk(*questions: Question) -> Desk[None]:
    made: Desk[None] = Desk()
    for one in questions:
        made.put(one, None)
    return made


def test_the_oldest_is_first_and_each_is_taken_once():
    first, second = question("a"), question("b")
    full = desk(first, second)
    assert full.waiting() == (first, second)
    assert full.take("a") == (first, None)
    assert full.take("a") is None
    assert (full.count("files"), full.waiting()) == (1, (second,))


def test_one_server_may_not_fill_the_desk_nor_take_the_room_of_other_hosts():
    full = desk(*(question(str(n)) for n in range(MOST_OF_ONE)))
    assert full.put(question("one more"), None) is None
    assert full.put(question("of another server", server="github"), None)
    assert full.put(replace(question("of another host"), host="Cursor"), None)
    full.take("7")
    assert full.put(question("one more"), None)


def test_nor_may_many():
    full = desk(*(question(str(n), server=str(n % 20)) for n in range(MOST)))
    assert full.put(question("one more", server="another"), None) is None


def test_a_question_expires_at_its_deadline_and_one_without_never():
    full = desk(question("a"), question("b", deadline=0.0))
    assert full.expired(399.0) == ()
    assert full.expired(400.0) == ("a",)


def test_a_pause_stops_the_clocks_and_each_goes_on_with_what_was_left():
    full = desk(question("a"), question("b", deadline=0.0))
    full.pause(200.0)
    assert [one.deadline for one in full.waiting()] == [0.0, 0.0]
    assert full.expired(10_000.0) == ()
    full.resume(10_000.0)
    assert [one.deadline for one in full.waiting()] == [10_200.0, 0.0]


def test_a_question_that_comes_during_a_pause_has_all_its_time_afterwards():
    full = desk()
    full.pause(50.0)
    put = full.put(question("a"), None)
    assert put == replace(question("a"), deadline=0.0) == full.waiting()[0]
    full.resume(1_000.0)
    assert full.waiting()[0].deadline == 1_300.0


def test_a_question_that_had_hardly_any_time_left_gets_a_moment():
    full = desk(question("a"))
    full.pause(399.0)
    full.resume(5_000.0)
    assert full.waiting()[0].deadline == 5_000.0 + MOMENT


def test_pausing_twice_is_pausing_once():
    full = desk(question("a"))
    full.pause(200.0)
    full.pause(300.0)
    full.resume(1_000.0)
    assert full.waiting()[0].deadline == 1_200.0


def test_nothing_waits_for_longer_than_the_longest_pause():
    full = desk(question("a"))
    full.pause(200.0)
    full.put(question("b", asked_at=300.0, deadline=600.0), None)
    full.put(question("c", asked_at=300.0, deadline=0.0), None)
    assert full.expired(200.0 + LONGEST_PAUSE) == ()
    assert full.expired(201.0 + LONGEST_PAUSE) == ("a",)
    assert full.expired(301.0 + LONGEST_PAUSE) == ("a", "b")


def test_what_is_taken_during_a_pause_is_gone():
    full = desk(question("a"))
    full.pause(200.0)
    assert full.take("a") is not None
    full.resume(300.0)
    assert full.waiting() == ()
