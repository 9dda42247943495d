"""Questions of Deskbell itself: on the same Desk as everyone's, and the Answer comes back to Deskbell."""

from __future__ import annotations

import pytest

from bridge.core import commands as do
from bridge.core import events as ev
from bridge.core.questions.question import CANCEL, DECLINE, Action, Mode, Question, accept
from tests.core.fake_peers import Wire

UNLOCK = Question("own-1", Mode.FORM, "Deskbell", "", "Unlock?", ours=True)


@pytest.fixture
def wire() -> Wire:
    wire = Wire()
    wire.feed(ev.DeskbellAsked(UNLOCK))
    return wire


def heard(wire: Wire) -> list[do.ReturnAnswer]:
    return [command for command in wire.commands if isinstance(command, do.ReturnAnswer)]


def outcomes(wire: Wire) -> list[tuple[str, str]]:
    return [(one.server, one.outcome) for one in wire.commands if isinstance(one, do.Record)]


def test_an_own_question_is_shown_with_its_clock_started_and_answered_once(wire: Wire):
    [shown] = wire.shown.values()
    assert (shown.id, shown.message, shown.deadline > 0) == ("own-1", "Unlock?", True)
    assert wire.router.pace == 1.0
    yes = accept({"passphrase": "x"})
    wire.feed(ev.PersonAnswered("own-1", yes))
    wire.feed(ev.PersonAnswered("own-1", CANCEL))
    assert heard(wire) == [do.ReturnAnswer("own-1", yes)]
    assert wire.shown == {}
    assert outcomes(wire) == [("Deskbell", "accept")]
    assert wire.router.pace == 0.0


def test_an_own_question_can_be_withdrawn(wire: Wire):
    wire.feed(ev.DeskbellWithdrew("own-1"))
    wire.feed(ev.DeskbellWithdrew("own-1"))
    assert heard(wire) == [do.ReturnAnswer("own-1", CANCEL)]
    assert outcomes(wire) == [("Deskbell", "withdrawn")]


def test_unanswered_it_is_cancelled_in_time(wire: Wire):
    wire.state.now += wire.state.question_limit + 1
    wire.feed(ev.TimePassed())
    [one] = heard(wire)
    assert one.answer.action is Action.CANCEL
    assert outcomes(wire) == [("Deskbell", "expired")]


def test_when_deskbell_quits_it_is_cancelled(wire: Wire):
    wire.feed(ev.QuitRequested())
    assert heard(wire) == [do.ReturnAnswer("own-1", CANCEL)]


def test_of_what_was_typed_history_knows_nothing(wire: Wire):
    wire.feed(ev.PersonAnswered("own-1", accept({"passphrase": "hunter2"})))
    assert "hunter2" not in str([one for one in wire.commands if isinstance(one, do.Record)])


def test_one_for_a_server_that_is_muted_is_declined_at_once(wire: Wire):
    wire.feed(ev.Muted("club", wire.state.epoch + 60))
    wire.feed(ev.DeskbellAsked(Question("own-2", Mode.URL, "club", "", url="https://x.org", ours=True)))
    assert heard(wire) == [do.ReturnAnswer("own-2", DECLINE)]
    assert set(wire.shown) == {"own-1"}
