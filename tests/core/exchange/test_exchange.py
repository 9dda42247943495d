"""The life of one request, told in the order things happen."""

from __future__ import annotations

import pytest

from bridge.core.exchange.commands import (
    Abandon,
    Ask,
    AskConfirm,
    Call,
    Relay,
    ReplyToHost,
    Resume,
    Withdraw,
)
from bridge.core.exchange.events import (
    Admitted,
    Answered,
    CallRefused,
    CallTimedOut,
    Confirmed,
    ConfirmNeeded,
    HostLeft,
    UpstreamAsked,
    UpstreamDied,
    UpstreamReplied,
    UpstreamWithdrew,
)
from bridge.core.exchange.replies import CANCELLED, MAX_ROUNDS, TOO_MANY_ROUNDS, nobody_can, unanswered
from bridge.core.exchange.state_machine import ASKED_TOO_OFTEN, State
from bridge.core.exchange.who_asks import AskChannel
from bridge.core.protocol.jsonrpc import OwnReply
from bridge.core.questions.question import CANCEL, DECLINE, Mode, accept
from tests.core.exchange.exchange_samples import (
    DONE,
    FORMS,
    GONE,
    LATE,
    LOGIN,
    MAY_I,
    NO,
    ROOTS,
    SAMPLE,
    SOON,
    WHEN,
    WHO,
    YES,
    asked,
    new,
)
from tests.core.exchange.playbook import Playbook

OTHER = asked(Mode.OTHER, "other", "acme/ask")
SAMPLED = OwnReply(b'{"role":"assistant"}')


# Admission


def test_a_call_is_made_and_its_reply_goes_back_under_the_hosts_id():
    assert Playbook(new()) >> Admitted() << Call() >> UpstreamReplied(DONE) << ReplyToHost(b"1", DONE)


def test_a_refused_call_is_never_made():
    assert Playbook(new()) >> CallRefused(NO) << ReplyToHost(b"1", NO, "denied") >> Admitted()


def test_a_call_that_needs_a_word_is_made_once_the_person_allows_it():
    assert (
        Playbook(new())
        >> ConfirmNeeded(MAY_I, NO)
        << AskConfirm(MAY_I)
        >> Confirmed(accept())
        << Call()
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"1", DONE)
    )


@pytest.mark.parametrize("answer", [DECLINE, CANCEL])
def test_without_the_persons_word_the_host_gets_the_refusal(answer):
    assert (
        Playbook(new())
        >> ConfirmNeeded(MAY_I, NO)
        << AskConfirm(MAY_I)
        >> Confirmed(answer)
        << ReplyToHost(b"1", NO, "declined")
        >> Confirmed(accept())
    )


def test_a_host_that_leaves_before_the_word_is_given_takes_the_question_along():
    exchange = new()
    assert (
        Playbook(exchange)
        >> ConfirmNeeded(MAY_I, NO)
        << AskConfirm(MAY_I)
        >> HostLeft()
        << Withdraw(())
        >> Confirmed(accept())
    )
    assert exchange.state is State.DONE


def test_a_server_that_dies_before_the_word_is_given_ends_it():
    assert (
        Playbook(new())
        >> ConfirmNeeded(MAY_I, NO)
        << AskConfirm(MAY_I)
        >> UpstreamDied(GONE)
        << Withdraw(())
        << ReplyToHost(b"1", GONE)
        >> Confirmed(accept())
    )


# A live call asks, and the Desk answers


def test_a_live_server_gets_the_desks_answer_and_finishes():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Ask("who", WHO)
        >> Answered("who", YES)
        << Resume({"who": YES})
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"1", DONE)
    )


def test_a_live_server_may_ask_several_things_and_gets_each_answer_at_once():
    exchange = new()
    assert (
        Playbook(exchange)
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Ask("who", WHO)
        >> UpstreamAsked({"when": WHEN})
        << Ask("when", WHEN)
        >> Answered("when", SOON)
        << Resume({"when": SOON})
        >> Answered("who", YES)
        << Resume({"who": YES})
    )
    assert exchange.state is State.CALLING


def test_a_question_is_answered_once():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO, "when": WHEN})
        << Ask("who", WHO)
        << Ask("when", WHEN)
        >> Answered("who", YES)
        << Resume({"who": YES})
        >> Answered("who", NO)
        >> Answered("nobody", NO)
    )


def test_a_withdrawn_question_leaves_and_the_call_goes_on():
    exchange = new()
    assert (
        Playbook(exchange)
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Ask("who", WHO)
        >> UpstreamWithdrew("nobody")
        >> UpstreamWithdrew("who")
        << Withdraw(("who",))
        >> Answered("who", YES)
    )
    assert exchange.state is State.CALLING


def test_a_reply_ends_the_questions_that_are_open_and_the_server_gets_an_answer_to_each():
    assert (
        Playbook(new(AskChannel.HOST_WAITS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO, "sample": SAMPLE})
        << Relay(b"1", {"who": WHO, "sample": SAMPLE})
        >> UpstreamReplied(DONE)
        << Withdraw(("who", "sample"))
        << Resume({"who": CANCELLED, "sample": unanswered(SAMPLE)})
        << ReplyToHost(b"1", DONE)
    )
    assert unanswered(SAMPLE).failed


def test_a_server_that_dies_mid_question_ends_the_call():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Ask("who", WHO)
        >> UpstreamDied(GONE)
        << Withdraw(("who",))
        << ReplyToHost(b"1", GONE)
        >> Answered("who", YES)
    )


def test_a_server_that_dies_mid_call_ends_it():
    assert Playbook(new()) >> Admitted() << Call() >> UpstreamDied(GONE) << ReplyToHost(b"1", GONE)


@pytest.mark.parametrize("mode", [SAMPLE, ROOTS, OTHER])
def test_what_nobody_can_answer_is_refused_at_once_and_the_call_goes_on(mode):
    refusal = nobody_can(mode.method)
    assert refusal.failed
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"it": mode})
        << Resume({"it": refusal})
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"1", DONE)
    )


# The host waits (legacy)


def test_a_host_that_waits_is_asked_for_what_it_can_and_the_desk_for_the_rest():
    assert (
        Playbook(new(AskChannel.HOST_WAITS, FORMS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO, "login": LOGIN, "roots": ROOTS})
        << Ask("login", LOGIN)
        << Resume({"roots": nobody_can("roots/list")})
        << Relay(b"1", {"who": WHO})
        >> Answered("who", YES)
        << Resume({"who": YES})
        >> Answered("login", YES)
        << Resume({"login": YES})
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"1", DONE)
    )


def test_a_host_that_leaves_mid_question_abandons_the_call():
    exchange = new(AskChannel.HOST_WAITS)
    assert (
        Playbook(exchange)
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> HostLeft()
        << Withdraw(("who",))
        << Resume({"who": CANCELLED})
        << Abandon()
        >> UpstreamReplied(DONE)
    )
    assert exchange.state is State.DONE


def test_a_host_that_leaves_mid_call_abandons_it():
    assert Playbook(new()) >> Admitted() << Call() >> HostLeft() << Abandon() >> UpstreamReplied(DONE)


def test_time_that_runs_out_is_told_to_both_sides():
    assert (
        Playbook(new()) >> Admitted() << Call() >> CallTimedOut(LATE) << Abandon() << ReplyToHost(b"1", LATE)
    )


def test_time_that_runs_out_mid_question_closes_it():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Ask("who", WHO)
        >> CallTimedOut(LATE)
        << Withdraw(("who",))
        << Resume({"who": CANCELLED})
        << Abandon()
        << ReplyToHost(b"1", LATE)
    )


# The server returns, and wants a retry (modern)


def test_a_server_that_returned_gets_all_answers_in_one_retry_with_its_own_ticket():
    assert (
        Playbook(new(AskChannel.HOST_WAITS, FORMS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO, "login": LOGIN}, ticket=b'"t"')
        << Ask("login", LOGIN)
        << Relay(b"1", {"who": WHO})
        >> Answered("who", YES)
        >> Answered("login", SOON)
        << Resume({"who": YES, "login": SOON}, b'"t"')
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"1", DONE)
    )


def test_each_round_begins_without_the_answers_of_the_last():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO}, ticket=b'"t1"')
        << Ask("who", WHO)
        >> Answered("who", YES)
        << Resume({"who": YES}, b'"t1"')
        >> UpstreamAsked({"when": WHEN}, ticket=b'"t2"')
        << Ask("when", WHEN)
        >> Answered("when", SOON)
        << Resume({"when": SOON}, b'"t2"')
    )


def test_a_host_that_leaves_during_the_retry_abandons_it():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO}, ticket=b'"t"')
        << Ask("who", WHO)
        >> Answered("who", YES)
        << Resume({"who": YES}, b'"t"')
        >> HostLeft()
        << Abandon()
    )


def test_a_server_that_returned_without_a_question_is_retried_at_once():
    assert Playbook(new()) >> Admitted() << Call() >> UpstreamAsked({}, ticket=b'"t"') << Resume({}, b'"t"')


def test_a_retry_has_no_word_for_what_failed_so_the_call_ends_with_it():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO, "sample": SAMPLE}, ticket=b"")
        << Ask("who", WHO)
        >> Answered("who", YES)
        << ReplyToHost(b"1", nobody_can("sampling/createMessage"))
    )


def test_a_host_that_leaves_a_server_that_returned_leaves_nothing_to_abandon():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO}, ticket=b'"t"')
        << Ask("who", WHO)
        >> HostLeft()
        << Withdraw(("who",))
    )


def test_a_server_that_asks_for_ever_is_stopped():
    story = Playbook(new()) >> Admitted() << Call()
    for _ in range(MAX_ROUNDS):
        story = (
            story
            >> UpstreamAsked({"who": WHO}, ticket=b'"t"')
            << Ask("who", WHO)
            >> Answered("who", YES)
            << Resume({"who": YES}, b'"t"')
        )
    assert (
        story
        >> UpstreamAsked({"who": WHO}, ticket=b'"t"')
        << ReplyToHost(b"1", TOO_MANY_ROUNDS, ASKED_TOO_OFTEN)
    )
