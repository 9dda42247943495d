"""Stories of the Exchange: hosts that do not answer or stop waiting, and what comes too late."""

from __future__ import annotations

import pytest

from bridge.core.exchange.commands import (
    Abandon,
    Ask,
    AskConfirm,
    Call,
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
    CallTimedOut,
    Confirmed,
    ConfirmNeeded,
    Expired,
    HostLeft,
    HostStoppedWaiting,
    HostWaitsAgain,
    UpstreamAsked,
    UpstreamDied,
    UpstreamReplied,
)
from bridge.core.exchange.replies import CANCELLED, unanswered
from bridge.core.exchange.who_asks import AskChannel
from bridge.core.questions.question import DECLINE, accept
from tests.core.exchange.exchange_samples import (
    DONE,
    GONE,
    LATE,
    MAY_I,
    NO,
    SAMPLE,
    WHO,
    YES,
    new,
)
from tests.core.exchange.playbook import Playbook


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
