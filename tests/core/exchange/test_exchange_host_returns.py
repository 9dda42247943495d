"""Stories of the Exchange: the host is handed the question, and returns with the answer under a new id."""

from __future__ import annotations

import pytest

from bridge.core.exchange.commands import (
    Abandon,
    Ask,
    Call,
    Relay,
    ReplyToHost,
    Resume,
    Withdraw,
)
from bridge.core.exchange.events import (
    Admitted,
    Answered,
    CallTimedOut,
    HostLeft,
    HostReturned,
    UpstreamAsked,
    UpstreamDied,
    UpstreamReplied,
    UpstreamWithdrew,
)
from bridge.core.exchange.replies import CANCELLED, nobody_can, unanswered
from bridge.core.exchange.state_machine import State
from bridge.core.exchange.who_asks import AskChannel
from tests.core.exchange.exchange_samples import (
    DONE,
    FORMS,
    GONE,
    LATE,
    LOGIN,
    NO,
    ROOTS,
    SAMPLE,
    SOON,
    WHEN,
    WHO,
    YES,
    new,
)
from tests.core.exchange.playbook import Playbook


def test_a_modern_host_gets_the_question_back_and_returns_under_a_new_id():
    assert (
        Playbook(new(AskChannel.HOST_RETURNS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO}, ticket=b"t")
        << Relay(b"1", {"who": WHO})
        >> HostReturned(b"2", {"who": YES})
        << Resume({"who": YES}, b"t")
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"2", DONE)
    )


def test_a_live_call_is_parked_while_the_host_is_away():
    exchange = new(AskChannel.HOST_RETURNS)
    assert (
        Playbook(exchange) >> Admitted() << Call() >> UpstreamAsked({"who": WHO}) << Relay(b"1", {"who": WHO})
    )
    assert exchange.state is State.AWAY
    assert (
        Playbook(exchange)
        >> HostReturned(b"2", {"who": YES})
        << Resume({"who": YES})
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"2", DONE)
    )


def test_what_is_asked_while_the_host_is_away_waits_for_its_return():
    assert (
        Playbook(new(AskChannel.HOST_RETURNS, FORMS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> UpstreamAsked({"when": WHEN})
        >> UpstreamAsked({"login": LOGIN})
        << Ask("login", LOGIN)
        >> UpstreamAsked({"roots": ROOTS})
        << Resume({"roots": nobody_can("roots/list")})
        >> Answered("login", YES)
        << Resume({"login": YES})
        >> HostReturned(b"2", {"who": YES})
        << Resume({"who": YES})
        << Relay(b"2", {"when": WHEN})
        >> HostReturned(b"3", {"when": SOON})
        << Resume({"when": SOON})
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"3", DONE)
    )


def test_a_host_that_returns_without_an_answer_is_asked_again():
    assert (
        Playbook(new(AskChannel.HOST_RETURNS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO, "when": WHEN}, ticket=b"t")
        << Relay(b"1", {"who": WHO, "when": WHEN})
        >> HostReturned(b"2", {"who": YES, "nobody": NO})
        << Relay(b"2", {"when": WHEN})
        >> HostReturned(b"3", {"when": SOON})
        << Resume({"who": YES, "when": SOON}, b"t")
    )


def test_a_host_that_returns_before_the_desk_has_answered_waits():
    exchange = new(AskChannel.HOST_RETURNS, FORMS)
    assert (
        Playbook(exchange)
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO, "login": LOGIN}, ticket=b"t")
        << Ask("login", LOGIN)
        << Relay(b"1", {"who": WHO})
        >> HostReturned(b"2", {"who": YES})
    )
    assert exchange.state is State.ASKING
    assert Playbook(exchange) >> Answered("login", YES) << Resume({"who": YES, "login": YES}, b"t")


def test_the_desk_may_answer_before_the_host_returns():
    assert (
        Playbook(new(AskChannel.HOST_RETURNS, FORMS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO, "login": LOGIN}, ticket=b"t")
        << Ask("login", LOGIN)
        << Relay(b"1", {"who": WHO})
        >> Answered("login", YES)
        >> HostReturned(b"2", {"who": YES})
        << Resume({"login": YES, "who": YES}, b"t")
    )


def test_questions_withdrawn_while_the_host_is_away_are_not_missed():
    exchange = new(AskChannel.HOST_RETURNS)
    assert (
        Playbook(exchange)
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> UpstreamAsked({"when": WHEN})
        >> UpstreamWithdrew("when")
        >> UpstreamWithdrew("who")
        << Withdraw(("who",))
        >> HostReturned(b"2", {"who": YES})
    )
    assert exchange.state is State.CALLING


def test_a_result_that_comes_while_the_host_is_away_is_held_and_its_answer_still_passed_on():
    assert (
        Playbook(new(AskChannel.HOST_RETURNS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> UpstreamReplied(DONE)
        >> HostReturned(b"2", {"who": YES})
        << Resume({"who": YES})
        << ReplyToHost(b"2", DONE)
    )


def test_with_a_held_result_the_host_is_asked_nothing_more():
    assert (
        Playbook(new(AskChannel.HOST_RETURNS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> UpstreamAsked({"sample": SAMPLE})
        >> UpstreamReplied(DONE)
        >> HostReturned(b"2", {})
        << Withdraw(("who",))
        << Resume({"who": CANCELLED, "sample": unanswered(SAMPLE)})
        << ReplyToHost(b"2", DONE)
    )


def test_a_server_that_dies_while_the_host_is_away_is_told_of_on_its_return():
    assert (
        Playbook(new(AskChannel.HOST_RETURNS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> UpstreamDied(GONE)
        << Withdraw(("who",))
        >> HostReturned(b"2", {"who": YES})
        << ReplyToHost(b"2", GONE)
    )


def test_a_held_result_survives_the_death_of_its_server():
    assert (
        Playbook(new(AskChannel.HOST_RETURNS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> UpstreamReplied(DONE)
        >> UpstreamDied(GONE)
        << Withdraw(("who",))
        >> HostReturned(b"2", {"who": YES})
        << ReplyToHost(b"2", DONE)
    )


@pytest.mark.parametrize("end", [HostLeft(), CallTimedOut(LATE)])
def test_a_host_that_never_returns_abandons_the_parked_call(end):
    exchange = new(AskChannel.HOST_RETURNS)
    assert (
        Playbook(exchange)
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> UpstreamAsked({"when": WHEN})
        >> end
        << Withdraw(("who",))
        << Resume({"who": CANCELLED, "when": CANCELLED})
        << Abandon()
        >> HostReturned(b"2", {"who": YES})
    )
    assert exchange.state is State.DONE


def test_a_host_that_never_returns_for_a_held_result_leaves_nothing_to_abandon():
    assert (
        Playbook(new(AskChannel.HOST_RETURNS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> UpstreamReplied(DONE)
        >> HostLeft()
        << Withdraw(("who",))
        << Resume({"who": CANCELLED})
    )
