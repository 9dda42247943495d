"""The life of one request, told in the order things happen."""

from __future__ import annotations

import pytest

from bridge.core.exchange.commands import (
    Abandon,
    Ask,
    AskConfirm,
    Call,
    Detach,
    ExchangeCommand,
    Keep,
    LetGo,
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
    CheckNeeded,
    Confirmed,
    ConfirmNeeded,
    ExchangeEvent,
    Expired,
    HostCouldNot,
    HostLeft,
    HostReturned,
    HostSilent,
    HostStoppedWaiting,
    HostWaitsAgain,
    LinkVisited,
    UpstreamAsked,
    UpstreamDied,
    UpstreamReplied,
    UpstreamSentAway,
    UpstreamWithdrew,
)
from bridge.core.exchange.replies import CANCELLED, MAX_ROUNDS, TOO_MANY_ROUNDS, nobody_can, unanswered
from bridge.core.exchange.state_machine import ASKED_TOO_OFTEN, MAX_DETOURS, TABLE, Exchange, State
from bridge.core.exchange.who_asks import AskChannel
from bridge.core.protocol.elicitation import ServerQuestion
from bridge.core.protocol.jsonrpc import OwnReply
from bridge.core.questions.question import CANCEL, DECLINE, Mode, Question, accept
from tests.core.exchange.playbook import Playbook


def asked(mode: Mode, name: str, method: str = "elicitation/create") -> ServerQuestion:
    return ServerQuestion(Question(name, mode, "files", "Host"), method, b"{}")


WHO = asked(Mode.FORM, "who")
WHEN = asked(Mode.FORM, "when")
LOGIN = asked(Mode.URL, "login")
SAMPLE = asked(Mode.SAMPLING, "sample", "sampling/createMessage")
ROOTS = asked(Mode.ROOTS, "roots", "roots/list")
OTHER = asked(Mode.OTHER, "other", "acme/ask")
YES = OwnReply(b'{"action":"accept","content":{"name":"Ada"}}')
SOON = OwnReply(b'{"action":"accept","content":{"when":"soon"}}')
SAMPLED = OwnReply(b'{"role":"assistant"}')
DONE = OwnReply(b'{"content":[]}')
NO = OwnReply(b'{"isError":true}')
GONE = OwnReply(error=b'{"code":-32603,"message":"files is gone"}')
LATE = OwnReply(error=b'{"code":-32001,"message":"no answer"}')
MAY_I = Question("q1", Mode.CONFIRM, "files", "Host")
FORMS = frozenset({Mode.FORM})


def new(via: AskChannel = AskChannel.DESK, can: frozenset[Mode] = frozenset(Mode)) -> Exchange:
    return Exchange(b"1", via, can)


def unprompted(via: AskChannel = AskChannel.DESK) -> Exchange:
    return Exchange.of_server(via)


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


# The host returns (modern)


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


# A server asks outside any call


def test_an_unprompted_question_ends_with_its_answer():
    exchange = unprompted()
    assert (
        Playbook(exchange)
        >> UpstreamAsked({"who": WHO})
        << Ask("who", WHO)
        >> Answered("who", YES)
        << Resume({"who": YES})
    )
    assert exchange.state is State.DONE


def test_an_unprompted_question_nobody_can_answer_ends_at_once():
    exchange = unprompted()
    assert (
        Playbook(exchange) >> UpstreamAsked({"roots": ROOTS}) << Resume({"roots": nobody_can("roots/list")})
    )
    assert exchange.state is State.DONE


@pytest.mark.parametrize(
    ("end", "commands"),
    [
        (UpstreamWithdrew("who"), [Withdraw(("who",))]),
        (UpstreamDied(GONE), [Withdraw(("who",))]),
        (HostLeft(), [Withdraw(("who",)), Resume({"who": CANCELLED})]),
        (CallTimedOut(LATE), [Withdraw(("who",)), Resume({"who": CANCELLED})]),
    ],
)
def test_an_unprompted_question_ends_without_a_reply_to_anyone(end, commands: list[ExchangeCommand]):
    exchange = unprompted(AskChannel.HOST_WAITS)
    story = Playbook(exchange) >> UpstreamAsked({"who": WHO}) << Relay(b"", {"who": WHO}) >> end
    for command in commands:
        story = story << command
    assert story
    assert exchange.state is State.DONE


# Links to visit first


def link(name: str, elicitation_id: str) -> ServerQuestion:
    return ServerQuestion(Question(name, Mode.URL, "files", "Host", elicitation_id=elicitation_id), "", b"")


PAY, SIGN = link("pay", "e1"), link("sign", "e2")
READY = asked(Mode.FORM, "ready")
OPENED = OwnReply(b'{"action":"accept"}')
SENT_AWAY = UpstreamSentAway({"pay": PAY}, READY, NO)
SENT_TWICE = UpstreamSentAway({"pay": PAY, "sign": SIGN}, READY, NO)
AGAIN = Resume({}, b"")


def sent(event: UpstreamSentAway, via: AskChannel = AskChannel.DESK) -> Playbook:
    return Playbook(new(via)) >> Admitted() << Call() >> event


def test_a_call_is_made_again_when_the_server_says_that_the_visit_is_complete():
    assert (
        sent(SENT_AWAY)
        << Ask("pay", PAY)
        >> Answered("pay", OPENED)
        << Ask("ready", READY)
        >> LinkVisited("another")
        >> LinkVisited("e1")
        << Withdraw(("ready",))
        << AGAIN
        >> LinkVisited("e1")
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"1", DONE)
    )


def test_a_call_is_made_again_when_the_person_is_done():
    assert (
        sent(SENT_TWICE)
        << Ask("pay", PAY)
        << Ask("sign", SIGN)
        >> Answered("pay", OPENED)
        >> LinkVisited("e1")
        >> Answered("sign", OPENED)
        << Ask("ready", READY)
        >> Answered("ready", OPENED)
        << AGAIN
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"1", DONE)
    )


def test_a_visit_that_is_complete_before_the_link_was_opened_here_needs_no_answer():
    assert (
        sent(SENT_TWICE)
        << Ask("pay", PAY)
        << Ask("sign", SIGN)
        >> LinkVisited("e2")
        << Withdraw(("sign",))
        >> Answered("sign", OwnReply(DECLINE.result()))
        >> LinkVisited("e1")
        << Withdraw(("pay",))
        << AGAIN
    )


@pytest.mark.parametrize("answer", [OwnReply(DECLINE.result()), CANCELLED, OwnReply(b"5")])
def test_a_link_that_is_not_opened_ends_the_call(answer):
    assert (
        sent(SENT_TWICE)
        << Ask("pay", PAY)
        << Ask("sign", SIGN)
        >> Answered("pay", answer)
        << Withdraw(("sign",))
        << ReplyToHost(b"1", NO, "declined")
    )


def test_a_person_who_does_not_get_done_ends_the_call():
    assert (
        sent(SENT_AWAY)
        << Ask("pay", PAY)
        >> Answered("pay", OPENED)
        << Ask("ready", READY)
        >> Answered("ready", CANCELLED)
        << ReplyToHost(b"1", NO, "declined")
    )


def test_a_server_that_sends_the_person_away_forever_is_stopped():
    story = sent(SENT_AWAY)
    for _ in range(MAX_DETOURS):
        story = story << Ask("pay", PAY) >> LinkVisited("e1") << Withdraw(("pay",)) << AGAIN >> SENT_AWAY
    assert story << ReplyToHost(b"1", NO, ASKED_TOO_OFTEN)


def test_other_questions_end_where_the_person_is_sent_away():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Ask("who", WHO)
        >> LinkVisited("e1")
        >> SENT_AWAY
        << Withdraw(("who",))
        << Resume({"who": CANCELLED})
        << Ask("pay", PAY)
    )


def test_a_host_that_returns_may_open_the_link_itself():
    assert (
        sent(SENT_AWAY, AskChannel.HOST_RETURNS)
        << Relay(b"1", {"pay": PAY})
        >> HostReturned(b"2", {"pay": OPENED})
        << Ask("ready", READY)
        >> LinkVisited("e1")
        << Withdraw(("ready",))
        << AGAIN
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"2", DONE)
    )


def test_a_visit_may_be_complete_while_the_host_is_away():
    assert (
        sent(SENT_AWAY, AskChannel.HOST_RETURNS)
        << Relay(b"1", {"pay": PAY})
        >> LinkVisited("e1")
        << Withdraw(("pay",))
        >> HostReturned(b"2", {"pay": CANCELLED})
        << AGAIN
    )


def test_a_server_that_sends_the_person_away_while_the_host_is_away_is_not_obeyed():
    assert (
        Playbook(new(AskChannel.HOST_RETURNS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> SENT_AWAY
        >> HostReturned(b"2", {"who": YES})
        << Resume({"who": YES})
        << ReplyToHost(b"2", NO)
    )


@pytest.mark.parametrize(
    ("end", "commands"),
    [
        (HostLeft(), []),
        (UpstreamDied(GONE), [ReplyToHost(b"1", GONE)]),
        (CallTimedOut(LATE), [ReplyToHost(b"1", LATE)]),
    ],
)
def test_a_visit_ends_with_its_call(end, commands: list[ExchangeCommand]):
    story = sent(SENT_AWAY) << Ask("pay", PAY) >> end << Withdraw(("pay",))
    for command in commands:
        story = story << command
    assert story >> LinkVisited("e1")


# A host that does not answer


def test_a_host_that_does_not_answer_in_time_has_cancelled():
    assert (
        Playbook(new(AskChannel.HOST_WAITS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO, "sample": SAMPLE})
        << Relay(b"1", {"who": WHO, "sample": SAMPLE})
        >> Expired("who")
        << Withdraw(("who",))
        << Resume({"who": CANCELLED})
        >> Expired("sample")
        << Withdraw(("sample",))
        << Resume({"sample": unanswered(SAMPLE)})
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"1", DONE)
    )


# A host that stops waiting


def test_a_call_goes_on_without_its_host_and_its_outcome_is_kept():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Ask("who", WHO)
        >> HostStoppedWaiting(NO)
        << LetGo(b"1", NO)
        >> Answered("who", YES)
        << Resume({"who": YES})
        >> UpstreamReplied(DONE)
        << Keep(DONE)
        >> UpstreamReplied(DONE)
    )


def test_a_host_that_waits_again_gets_the_reply_under_its_new_id():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Ask("who", WHO)
        >> HostStoppedWaiting()
        << LetGo(b"1", None)
        >> HostStoppedWaiting()
        >> HostWaitsAgain(b"2")
        >> HostStoppedWaiting(NO)
        << LetGo(b"2", NO)
        >> HostWaitsAgain(b"3")
        >> Answered("who", YES)
        << Resume({"who": YES})
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"3", DONE)
    )


def test_a_modern_server_is_retried_though_nobody_waits():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO}, b'"t"')
        << Ask("who", WHO)
        >> HostStoppedWaiting()
        << LetGo(b"1", None)
        >> Answered("who", YES)
        << Resume({"who": YES}, b'"t"')
        >> UpstreamDied(GONE)
        << Keep(GONE)
    )


def test_what_a_server_asks_after_its_host_has_gone_comes_to_the_desk():
    assert (
        Playbook(new(AskChannel.HOST_WAITS))
        >> Admitted()
        << Call()
        >> HostStoppedWaiting()
        << LetGo(b"1", None)
        >> UpstreamAsked({"who": WHO})
        << Ask("who", WHO)
        >> CallTimedOut(LATE)
        << Withdraw(("who",))
        << Resume({"who": CANCELLED})
        << Abandon()
        << Keep(LATE)
    )


@pytest.mark.parametrize(
    ("event", "commands"),
    [
        (Confirmed(accept()), [Call()]),
        (Confirmed(DECLINE), [Keep(NO, "declined")]),
        (CallTimedOut(LATE, "late"), [Withdraw(()), Keep(LATE, "late")]),
        (HostLeft(), []),
    ],
)
def test_an_approval_outlives_its_host(event, commands):
    exchange = new()
    story = Playbook(exchange) >> ConfirmNeeded(MAY_I, NO) << AskConfirm(MAY_I) >> HostStoppedWaiting(NO)
    story = story << LetGo(b"1", NO) >> event
    for command in commands:
        story = story << command
    assert story


def test_a_host_that_has_stopped_waiting_cannot_leave():
    assert Playbook(new()) >> Admitted() << Call() >> HostStoppedWaiting() << LetGo(b"1", None) >> HostLeft()


# What comes too late


# --- Desk and host --------------------------------------------------------------------------------------

HERE = WHO._replace(desk=True)
LOOSE = WHO._replace(loose=True)


def test_what_is_for_the_desk_is_not_asked_through_a_host_that_could():
    assert (
        Playbook(Exchange(b"1", AskChannel.HOST_WAITS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": HERE})
        << Ask("who", HERE)
    )


def test_a_question_that_a_host_left_open_is_asked_here_as_well_and_the_first_answer_wins():
    assert (
        Playbook(Exchange(b"1", AskChannel.HOST_WAITS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> HostSilent("who")
        << Ask("who", HERE)
        >> Answered("who", YES)
        << Withdraw(("who",), answered=True)
        << Resume({"who": YES})
        >> Answered("who", NO)
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"1", DONE)
    )


@pytest.mark.parametrize("first", ["desk", "host"])
def test_a_host_that_is_away_for_long_has_the_desk_ask_as_well(first):
    story = (
        Playbook(Exchange(b"1", AskChannel.HOST_RETURNS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> HostSilent("who")
        << Ask("who", HERE)
    )
    story = story >> (Answered("who", YES) if first == "desk" else HostReturned(b"2", {"who": YES}))
    story = story << Withdraw(("who",), answered=True) << Resume({"who": YES})
    story = story >> HostReturned(b"2", {"who": NO}) if first == "desk" else story
    assert story >> UpstreamReplied(DONE) << ReplyToHost(b"2", DONE)


def test_what_a_returning_host_showed_to_nobody_is_asked_here():
    assert (
        Playbook(Exchange(b"1", AskChannel.HOST_RETURNS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> HostReturned(b"2", {}, ("who",))
        << Ask("who", HERE)
        >> Answered("who", YES)
        << Withdraw(("who",), answered=True)
        << Resume({"who": YES})
    )


def test_what_it_showed_to_nobody_and_the_desk_asks_already_is_not_asked_twice():
    assert (
        Playbook(Exchange(b"1", AskChannel.HOST_RETURNS))
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Relay(b"1", {"who": WHO})
        >> HostSilent("who")
        << Ask("who", HERE)
        >> HostReturned(b"2", {}, ("who",))
        >> Answered("who", YES)
        << Withdraw(("who",), answered=True)
        << Resume({"who": YES})
    )


def test_a_retry_whose_questions_nobody_saw_is_sent_after_they_are_asked_here():
    exchange = Exchange(b"2", AskChannel.HOST_RETURNS)
    exchange.ask_first({"who": HERE}, {"roots": DONE}, b'"state"')
    assert (
        Playbook(exchange)
        >> Admitted()
        << Ask("who", HERE)
        >> Answered("who", YES)
        << Withdraw(("who",), answered=True)
        << Resume({"roots": DONE, "who": YES}, b'"state"')
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"2", DONE)
    )


def test_a_question_that_may_be_of_no_call_outlives_a_call_that_succeeds_without_it():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": LOOSE})
        << Ask("who", LOOSE)
        >> UpstreamReplied(DONE)
        << Detach({"who": LOOSE})
        << ReplyToHost(b"1", DONE)
    )


def test_a_moved_question_is_not_asked_again():
    assert (
        Playbook(Exchange.of_server())
        >> UpstreamAsked({}, moved={"who": WHO})
        >> Answered("who", YES)
        << Resume({"who": YES})
    )


ONE_OF_EACH: list[ExchangeEvent] = [
    Admitted(),
    CheckNeeded(),
    ConfirmNeeded(MAY_I, NO),
    CallRefused(NO),
    UpstreamAsked({"who": WHO}),
    SENT_AWAY,
    LinkVisited("e1"),
    UpstreamWithdrew("who"),
    UpstreamReplied(DONE),
    UpstreamDied(GONE),
    Answered("who", YES),
    HostCouldNot("who"),
    HostSilent("who"),
    Expired("who"),
    Confirmed(accept()),
    HostReturned(b"2", {}),
    HostLeft(),
    HostStoppedWaiting(),
    HostWaitsAgain(b"2"),
    CallTimedOut(LATE),
]


@pytest.mark.parametrize(
    ("state", "event"),
    [(state, event) for state in State for event in ONE_OF_EACH if type(event) not in TABLE[state]],
    ids=lambda one: one.name if isinstance(one, State) else type(one).__name__,
)
def test_what_does_not_concern_a_state_is_ignored(state, event):
    exchange = new()
    exchange.state = state
    assert Playbook(exchange) >> event
    assert exchange.state is state


def test_the_table_knows_every_state_and_only_events_of_a_life():
    assert set(TABLE) == set(State)
    assert {event for row in TABLE.values() for event in row} == {type(event) for event in ONE_OF_EACH}
    assert TABLE[State.DONE] == {}


# A call of an allowed tool that may have changed


def test_a_call_waits_for_the_list_of_its_servers_tools_before_it_is_judged():
    assert Playbook(new()) >> CheckNeeded() >> Admitted() << Call()
    assert Playbook(new()) >> CheckNeeded() >> CallRefused(DONE) << ReplyToHost(b"1", DONE, "denied")


@pytest.mark.parametrize("end", [UpstreamDied, CallTimedOut])
def test_a_call_whose_server_never_lists_its_tools_fails_and_is_not_made(end):
    assert Playbook(new()) >> CheckNeeded() >> end(DONE) << ReplyToHost(b"1", DONE) >> Admitted()


def test_a_call_whose_host_leaves_before_it_is_judged_is_not_made():
    assert Playbook(new()) >> CheckNeeded() >> HostLeft() >> Admitted()


# The Playbook itself


@pytest.mark.parametrize(
    ("story", "complaint"),
    [
        (lambda state: state >> Admitted(), "got << Call()"),
        (lambda state: state >> Admitted() >> HostLeft(), "got << Call()"),
        (lambda state: state >> Admitted() << Abandon(), "wanted << Abandon()\n   got << Call()"),
        (lambda state: state << Abandon(), "wanted << Abandon()\n   got nothing more"),
    ],
)
def test_a_story_that_goes_otherwise_is_told_as_far_as_it_went(story, complaint):
    with pytest.raises(AssertionError) as told:
        bool(story(Playbook(new())))
    assert "an Exchange, DESK, in NEW" in str(told.value)
    assert complaint in str(told.value)
