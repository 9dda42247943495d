"""A host that was asked and says nothing: the desk asks too, the first answer wins, the other is told."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core import events as ev
from bridge.core.policy.unshown_questions import SILENCE
from bridge.core.questions.question import accept
from bridge.core.routing.asking.open_questions import MOST_ELSEWHERE
from tests.core.fake_peers import Host, Upstream, Wire, script
from tests.core.wire_messages import ELICIT, FORM, URL

ADA: dict[str, Any] = {"action": "accept", "content": {"name": "Ada"}}
BOB: dict[str, Any] = {"action": "accept", "content": {"name": "Bob"}}
DONE: dict[str, Any] = {"content": []}


def waiting(era: str = "legacy", **wire_: Any) -> tuple[Wire, Host, bytes, Upstream]:
    """A host that was asked, and has said nothing for 20 s."""
    wire = Wire(script(), **wire_)
    host = wire.legacy_host(ELICIT) if era == "legacy" else wire.modern_host(ELICIT)
    call = host.calls()
    files = wire.upstreams["files"]
    files.asks(b"9", FORM)
    wire.passes(SILENCE - 1.0)
    assert wire.desk == []
    wire.passes(1.0)
    return wire, host, call, files


def test_the_desk_asks_as_well_and_its_answer_withdraws_the_request_to_the_host():
    wire, host, call, files = waiting()
    wire.passes(1.0)
    assert wire.question().message == "Who?"
    wire.person(accept({"name": "Ada"}))
    assert files.last().result == ADA
    told = host.last()
    assert (told.method, told.params["requestId"]) == ("notifications/cancelled", int(host.asked[0].id))
    assert "Deskbell" in told.params["reason"]
    host.answers(host.asked[0], BOB)
    assert files.last().result == ADA
    files.replies(files.calls[-1], DONE)
    assert host.replies[call].result == DONE
    assert [one.outcome for one in wire.records if one.kind == "question"] == ["accept"]


def test_the_hosts_answer_withdraws_the_question_from_the_desk_which_is_told_where_it_was_given():
    wire, host, _, files = waiting()
    question = wire.question()
    host.answers(host.asked[0], BOB)
    assert wire.desk == []
    assert wire.questions.elsewhere == {question.id: "Old Host"}
    wire.person(accept({"name": "Ada"}), question)
    assert files.last().result == BOB
    (record,) = [one for one in wire.records if one.kind == "question"]
    assert (record.outcome, record.facts["asked by"]) == ("accept", "the app")


def test_a_modern_host_that_stays_away_finds_the_answer_when_it_returns():
    wire, host, call, files = waiting("modern")
    wire.person(accept({"name": "Ada"}))
    assert files.last().result == ADA
    files.replies(files.calls[-1], DONE)
    (key,) = host.replies[call].result["inputRequests"]
    again = host.returns(call, inputResponses={key: BOB})
    assert host.replies[again].result["content"] == []
    assert wire.state.open_requests == {}


def test_a_modern_host_that_returns_with_an_answer_withdraws_the_question_from_the_desk():
    wire, host, call, files = waiting("modern")
    (key,) = host.replies[call].result["inputRequests"]
    host.returns(call, inputResponses={key: BOB})
    assert (files.last().result, wire.desk) == (BOB, [])
    assert list(wire.questions.elsewhere.values()) == ["New Host"]


def test_a_question_that_a_silent_host_and_the_desk_let_expire_is_cancelled_once():
    wire, host, _, files = waiting()
    wire.passes(300.0)
    assert files.last().result == {"action": "cancel"}
    assert host.last().method == "notifications/cancelled"
    assert [one.outcome for one in wire.records if one.kind == "question"] == ["expired"]


def test_while_the_person_snoozes_a_question_on_the_desk_does_not_expire_by_the_hosts_clock():
    wire, _, _, files = waiting()
    wire.feed(ev.Snoozed())
    wire.passes(400.0)
    assert len(wire.desk) == 1
    wire.person(accept({"name": "Ada"}))
    assert files.last().result == ADA


def test_what_the_desk_asks_anyway_is_not_asked_twice():
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    host.calls()
    wire.upstreams["files"].asks(b"8", FORM)
    wire.upstreams["files"].asks(b"9", URL)
    wire.passes(SILENCE)
    assert [one.mode for one in wire.desk] == ["url", "form"]


def test_what_only_a_host_can_answer_stays_there():
    wire = Wire(script())
    host = wire.legacy_host({"sampling": {}})
    host.calls()
    wire.upstreams["files"].asks(b"9", {"messages": []}, "sampling/createMessage")
    wire.passes(SILENCE)
    assert wire.desk == []


def test_without_a_desk_the_host_has_all_the_time_there_is():
    wire = Wire(script(), has_desk=False)
    host = wire.legacy_host(ELICIT)
    host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    wire.passes(SILENCE)
    assert (wire.desk, wire.state.unshown.silent) == ([], ())


def silences(wire: Wire, host: Host, times: int) -> None:
    for _ in range(times):
        host.calls()
        wire.upstreams["files"].asks(b'"%d"' % wire.state.next(), FORM)
        wire.passes(SILENCE)
        wire.person(accept({"name": "Ada"}))


def test_a_host_that_is_silent_twice_is_named():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    silences(wire, host, 1)
    assert list(wire.state.unshown.silent) == []
    silences(wire, host, 1)
    assert list(wire.state.unshown.silent) == ["Old Host"]
    wire.feed(ev.RefusalForgotten("Old Host"))
    assert list(wire.state.unshown.silent) == []


@pytest.mark.parametrize("after", [1.0, SILENCE])
def test_a_host_whose_person_answers_in_it_after_all_is_not(after):
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    silences(wire, host, 1)
    host.calls()
    wire.upstreams["files"].asks(b'"late"', FORM)
    wire.passes(after)
    host.answers(host.asked[-1], BOB)
    silences(wire, host, 1)
    assert wire.state.unshown.silent == ()


def test_only_the_last_answers_given_elsewhere_are_kept_for_windows():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    for _ in range(MOST_ELSEWHERE + 1):
        host.calls()
        wire.upstreams["files"].asks(b'"%d"' % wire.state.next(), FORM)
        wire.passes(SILENCE)
        host.answers(host.asked[-1], BOB)
    assert len(wire.questions.elsewhere) == MOST_ELSEWHERE
