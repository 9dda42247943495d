"""Stories of the Exchange: the Desk and the host are asked together."""

from __future__ import annotations

import pytest

from bridge.core.exchange.commands import (
    Abandon,
    Ask,
    Call,
    Detach,
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
    UpstreamAsked,
    UpstreamDied,
    UpstreamReplied,
    UpstreamWithdrew,
    UrlVisited,
)
from bridge.core.exchange.state_machine import TABLE, Exchange, State
from bridge.core.exchange.who_asks import AskChannel
from bridge.core.questions.question import accept
from tests.core.exchange.exchange_samples import (
    DONE,
    GONE,
    LATE,
    MAY_I,
    NO,
    SENT_AWAY,
    WHO,
    YES,
    new,
)
from tests.core.exchange.playbook import Playbook

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
    UrlVisited("e1"),
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
