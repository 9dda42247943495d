"""Stories of the Exchange: a server that asks outside any call, or sends the person to links first."""

from __future__ import annotations

import pytest

from bridge.core.exchange.commands import (
    Ask,
    Call,
    ExchangeCommand,
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
    UpstreamSentAway,
    UpstreamWithdrew,
    UrlVisited,
)
from bridge.core.exchange.replies import CANCELLED, nobody_can
from bridge.core.exchange.state_machine import ASKED_TOO_OFTEN, MAX_DETOURS, Exchange, State
from bridge.core.exchange.who_asks import AskChannel
from bridge.core.protocol.jsonrpc import OwnReply
from bridge.core.questions.question import DECLINE
from tests.core.exchange.exchange_samples import (
    DONE,
    GONE,
    LATE,
    NO,
    PAY,
    READY,
    ROOTS,
    SENT_AWAY,
    SIGN,
    WHO,
    YES,
    new,
)
from tests.core.exchange.playbook import Playbook


def unprompted(via: AskChannel = AskChannel.DESK) -> Exchange:
    return Exchange.of_server(via)


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


OPENED = OwnReply(b'{"action":"accept"}')
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
        >> UrlVisited("another")
        >> UrlVisited("e1")
        << Withdraw(("ready",))
        << AGAIN
        >> UrlVisited("e1")
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"1", DONE)
    )


def test_a_call_is_made_again_when_the_person_is_done():
    assert (
        sent(SENT_TWICE)
        << Ask("pay", PAY)
        << Ask("sign", SIGN)
        >> Answered("pay", OPENED)
        >> UrlVisited("e1")
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
        >> UrlVisited("e2")
        << Withdraw(("sign",))
        >> Answered("sign", OwnReply(DECLINE.result()))
        >> UrlVisited("e1")
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
        story = story << Ask("pay", PAY) >> UrlVisited("e1") << Withdraw(("pay",)) << AGAIN >> SENT_AWAY
    assert story << ReplyToHost(b"1", NO, ASKED_TOO_OFTEN)


def test_other_questions_end_where_the_person_is_sent_away():
    assert (
        Playbook(new())
        >> Admitted()
        << Call()
        >> UpstreamAsked({"who": WHO})
        << Ask("who", WHO)
        >> UrlVisited("e1")
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
        >> UrlVisited("e1")
        << Withdraw(("ready",))
        << AGAIN
        >> UpstreamReplied(DONE)
        << ReplyToHost(b"2", DONE)
    )


def test_a_visit_may_be_complete_while_the_host_is_away():
    assert (
        sent(SENT_AWAY, AskChannel.HOST_RETURNS)
        << Relay(b"1", {"pay": PAY})
        >> UrlVisited("e1")
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
    assert story >> UrlVisited("e1")
