"""A Question's time is the person's own: it stands still while they are away or at work on the answer."""

from __future__ import annotations

import pytest

from bridge.core import events as ev
from bridge.core.questions.desk import LONGEST_PAUSE, MOMENT
from bridge.core.questions.question import CANCEL, DECLINE, Action, Answer, accept
from tests.core.fake_peers import Wire, script
from tests.core.wire_messages import FORM


def asked(limit: float = 300.0) -> Wire:
    wire = Wire(script(timeout=99999.0), limit=limit)
    wire.legacy_host().calls()
    wire.upstreams["files"].asks(b"1000", FORM)
    return wire


def left(wire: Wire) -> float:
    deadline = wire.question().deadline
    return deadline - wire.state.epoch if deadline else 0.0


def outcomes(wire: Wire) -> list[str]:
    return [record.outcome for record in wire.records if record.kind == "question"]


def test_no_time_passes_while_the_person_is_away_or_the_screen_is_locked():
    wire = asked()
    wire.passes(100.0)
    wire.feed(ev.PersonLeft())
    wire.passes(3600.0)
    assert left(wire) == 0.0
    wire.feed(ev.PersonReturned())
    assert left(wire) == 200.0


def test_a_person_who_comes_back_in_the_last_second_has_a_moment():
    wire = asked()
    wire.passes(299.0)
    wire.feed(ev.PersonLeft())
    wire.feed(ev.PersonReturned())
    assert left(wire) == MOMENT


def test_a_question_asked_while_the_person_is_away_waits_for_them_with_all_its_time():
    wire = Wire(script(timeout=99999.0), limit=300.0)
    wire.feed(ev.PersonLeft())
    wire.legacy_host().calls()
    wire.upstreams["files"].asks(b"1000", FORM)
    wire.passes(1000.0)
    wire.feed(ev.PersonReturned())
    assert left(wire) == 300.0


def test_but_not_for_ever():
    wire = asked()
    wire.feed(ev.PersonLeft())
    wire.passes(LONGEST_PAUSE + 1.0)
    assert outcomes(wire) == ["expired"]


def test_a_person_who_comes_back_while_snoozing_still_snoozes():
    wire = asked()
    wire.feed(ev.PersonLeft())
    wire.feed(ev.Snoozed())
    wire.feed(ev.PersonReturned())
    assert left(wire) == 0.0
    wire.feed(ev.Resumed())
    assert left(wire) == 300.0


def test_time_stands_still_while_the_person_types_an_answer():
    wire = asked()
    wire.passes(290.0)
    question = wire.question()
    wire.feed(ev.AnswerBegun(question.id))
    wire.passes(1000.0)
    assert left(wire) == 0.0
    wire.feed(ev.AnswerBegun(question.id, on=False))
    assert left(wire) == MOMENT
    wire.feed(ev.AnswerBegun("gone"))
    wire.passes(MOMENT)
    assert outcomes(wire) == ["expired"]


def test_a_limit_shorter_than_a_moment_is_taken_literally():
    wire = asked(limit=5.0)
    wire.feed(ev.PersonLeft())
    wire.feed(ev.AnswerBegun(wire.question().id))
    wire.passes(5.0)
    assert outcomes(wire) == ["expired"]


def test_one_press_adds_time():
    wire = asked()
    question = wire.question()
    wire.feed(ev.TimeAdded(question.id, 300.0))
    assert left(wire) == 600.0
    wire.feed(ev.PersonLeft())
    wire.feed(ev.TimeAdded(question.id, 60.0))
    wire.feed(ev.PersonReturned())
    assert left(wire) == 660.0
    wire.feed(ev.TimeAdded("gone", 60.0))
    assert left(wire) == 660.0


def test_a_missed_question_is_told_until_the_person_has_seen_it():
    wire = asked()
    question = wire.question()
    wire.passes(300.0)
    assert list(wire.questions.missed) == [question.id]
    wire.feed(ev.MissedSeen())
    assert wire.questions.missed == {}


# --- answers that can be undone --------------------------------------------------------------------------


def replies(wire: Wire) -> list[dict[str, object]]:
    heard = wire.upstreams["files"].heard
    return [m.json["result"] for m in heard if not m.method and "result" in m.json]


def declined(answer: Answer = DECLINE) -> tuple[Wire, str]:
    wire = asked()
    question = wire.question()
    wire.feed(ev.PersonAnswered(question.id, answer, undo=5.0))
    return wire, question.id


@pytest.mark.parametrize("answer", [DECLINE, CANCEL])
def test_an_answer_that_can_be_undone_is_held_back(answer: Answer):
    wire, _ = declined(answer)
    assert wire.questions.waiting() == ()
    wire.passes(4.0)
    assert replies(wire) == []
    wire.passes(1.0)
    assert replies(wire) == [{"action": answer.action.value}]
    assert outcomes(wire) == [answer.action.value]


def test_undone_the_question_waits_again():
    wire, question = declined()
    wire.feed(ev.AnswerUndone(question))
    wire.passes(10.0)
    assert [one.id for one in wire.questions.waiting()] == [question]
    wire.person(accept({"name": "Ada"}))
    assert replies(wire) == [{"action": "accept", "content": {"name": "Ada"}}]


def test_quitting_passes_on_what_was_held_back():
    wire, _ = declined()
    wire.feed(ev.QuitRequested())
    assert {"action": "decline"} in replies(wire)


def test_time_does_not_run_out_over_an_answer_that_is_held_back():
    wire = asked()
    wire.passes(299.0)
    wire.feed(ev.PersonAnswered(wire.question().id, DECLINE, undo=5.0))
    wire.passes(2.0)
    assert replies(wire) == []
    wire.passes(4.0)
    assert replies(wire) == [{"action": "decline"}]


def test_an_answer_to_a_question_that_is_gone_is_not_held_back():
    wire = asked()
    wire.feed(ev.PersonAnswered("gone", DECLINE, undo=5.0))
    assert wire.questions.undoable == {}


def test_a_second_answer_does_not_wait_for_the_first():
    wire, question = declined()
    wire.feed(ev.PersonAnswered(question, accept({"name": "Ada"})))
    assert replies(wire) == [{"action": "accept", "content": {"name": "Ada"}}]
    wire.passes(6.0)
    assert len(replies(wire)) == 1


def test_a_question_withdrawn_meanwhile_is_answered_no_more():
    wire, _ = declined()
    server = wire.upstreams["files"]
    server.replies(server.calls[-1], {"ok": 1})
    wire.passes(6.0)
    assert wire.questions.undoable == {}


# --- reasons ---------------------------------------------------------------------------------------------


def test_only_our_own_servers_hear_why_the_person_declined():
    answer = Answer(Action.DECLINE, reason='Too "risky"')
    assert answer.result() == b'{"action":"decline"}'
    assert answer.result(why=True) == (b'{"action":"decline","_meta":{"deskbell/reason":"Too \\"risky\\""}}')
