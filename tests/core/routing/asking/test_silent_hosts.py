"""A host that was asked and says nothing: the desk asks too, the first answer wins, the other is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bridge.core import events as ev
from bridge.core.policy.unshown_questions import SILENCE
from bridge.core.questions.question import accept
from bridge.core.routing.asking.open_questions import MOST_ELSEWHERE
from tests.core.fake_peers import MODERN, Host, Upstream, Wire, script
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, URL, wants

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


# --- hosts that got the question back, and do not return ---------------------------------------------------


@pytest.mark.parametrize("answered", ["before", "after"])
def test_the_next_try_of_a_host_that_never_returned_gets_the_answer_and_no_tool_runs_twice(answered):
    wire, host, _, files = waiting("modern")
    again = b""
    if answered == "after":
        again = host.calls()
        assert again not in host.replies
    wire.person(accept({"name": "Ada"}))
    assert files.last().result == ADA
    files.replies(files.calls[-1], DONE)
    again = again or host.calls()
    assert host.replies[again].result["content"] == []
    assert [one.method for one in files.calls] == ["tools/call"]
    assert wire.router.held.calls == {}


def test_what_a_server_asks_meanwhile_comes_to_the_desk_too():
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    host.calls()
    files = wire.upstreams["files"]
    files.asks(b"8", FORM)
    files.asks(b"9", {**FORM, "message": "And you?"}, about=files.calls[-1].id)
    wire.passes(SILENCE)
    assert {one.message for one in wire.desk} == {"Who?", "And you?"}


def test_a_reply_that_came_meanwhile_is_kept_for_the_next_try():
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    host.calls()
    files = wire.upstreams["files"]
    files.asks(b"9", FORM)
    files.replies(files.calls[-1], DONE)
    wire.passes(SILENCE)
    again = host.calls()
    assert host.replies[again].result["content"] == []
    assert len(files.calls) == 1


def test_a_ticket_that_was_used_late_is_refused_the_second_time():
    _, host, call, files = waiting("modern")
    (key,) = host.replies[call].result["inputRequests"]
    first = host.returns(call, inputResponses={key: BOB})
    second = host.returns(call, inputResponses={key: ADA})
    assert "used before" in host.replies[second].error["message"]
    files.replies(files.calls[-1], DONE)
    assert host.replies[first].result["content"] == []


def test_a_host_that_returns_late_without_the_answer_leaves_the_question_to_the_desk():
    wire, host, call, _ = waiting("modern")
    host.returns(call, inputResponses={"another": BOB})
    assert len(wire.desk) == 1


def handed_on(can: Any = ELICIT_ALL, **asked: Any) -> tuple[Wire, Host, bytes, Upstream]:
    """A host that got a modern server's question as it is, and has not come back for 20 s."""
    wire = Wire(script("files", MODERN))
    host = wire.modern_host(can)
    call = host.calls(arguments={"a": 1})
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], wants("theirs", **(asked or {"who": FORM})))
    assert host.replies[call].result["resultType"] == "input_required"
    assert wire.router.pace == 1.0
    wire.passes(SILENCE)
    return wire, host, call, files


FINISHED = {"resultType": "complete", "content": []}


@pytest.mark.parametrize("answered", ["before", "after"])
def test_the_desk_asks_what_a_modern_server_asked_and_retries_for_the_host(answered):
    wire, host, _, files = handed_on()
    again = host.calls(arguments={"a": 1}) if answered == "after" else b""
    assert wire.question().message == "Who?"
    wire.person(accept({"name": "Ada"}))
    retry = files.calls[-1].params
    assert (retry["inputResponses"], retry["requestState"]) == ({"who": ADA}, "theirs")
    assert retry["arguments"] == {"a": 1}
    files.replies(files.calls[-1], FINISHED)
    again = again or host.calls(arguments={"a": 1})
    assert host.replies[again].result["content"] == []
    assert len(files.calls) == 2
    assert wire.router.held.calls == {}


@pytest.mark.parametrize("first", ["host", "desk"])
def test_a_host_that_comes_back_after_all_does_not_run_the_tool_twice(first):
    wire, host, _, files = handed_on()
    if first == "desk":
        wire.person(accept({"name": "Ada"}))
    again = host.calls(arguments={"a": 1}, inputResponses={"who": BOB}, requestState="theirs")
    assert wire.desk == []
    assert files.calls[-1].params["inputResponses"] == {"who": BOB if first == "host" else ADA}
    files.replies(files.calls[-1], FINISHED)
    assert host.replies[again].result["content"] == []
    assert len(files.calls) == 2


def test_it_gets_the_reply_if_that_came_before_it():
    wire, host, _, files = handed_on()
    wire.person(accept({"name": "Ada"}))
    files.replies(files.calls[-1], FINISHED)
    again = host.calls(arguments={"a": 1}, inputResponses={"who": BOB}, requestState="theirs")
    assert host.replies[again].result["content"] == []
    assert len(files.calls) == 2


def test_what_the_desk_cannot_answer_waits_for_the_host():
    wire, host, _, files = handed_on({**ELICIT_ALL, "roots": {}}, who=FORM, roots=("roots/list", {}))
    assert wire.desk == []
    host.calls(arguments={"a": 1}, inputResponses={"who": BOB, "roots": {}}, requestState="theirs")
    assert files.calls[-1].params["inputResponses"] == {"who": BOB, "roots": {}}


def test_what_only_the_host_can_answer_is_no_silence():
    wire, *_ = handed_on({"roots": {}}, roots=("roots/list", {}))
    assert wire.state.unshown.silent == ()


def test_a_server_that_only_wants_a_retry_asks_nothing_and_time_goes_on_for_all():
    wire = Wire(script("files", MODERN), limit=60.0)
    host, other = wire.modern_host(ELICIT_ALL), wire.legacy_host(name="Other")
    call = host.calls(arguments={"a": 1})
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], wants("theirs"))
    state = host.replies[call].result["requestState"]
    waits = other.calls()
    wire.passes(SILENCE)
    assert (wire.desk, wire.state.unshown.silent) == ([], ())
    wire.passes(120.0)
    assert "120 seconds" in other.replies[waits].error["message"]
    again = host.calls(arguments={"a": 1}, requestState=state)
    assert again not in host.replies


def test_a_server_that_is_gone_is_not_retried():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host(ELICIT_ALL)
    host.calls()
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], wants("theirs", who=FORM))
    files.dies()
    wire.passes(SILENCE)
    assert wire.desk == []


# --- hosts that lost the question, and whose model calls again ---------------------------------------------


@pytest.mark.parametrize(("after", "runs"), [(5.0, 1), (1.0, 2)])
@pytest.mark.parametrize("server", ["legacy", "modern"])
def test_a_call_that_is_made_again_without_an_answer_goes_on_with_the_first_one(server, after, runs):
    wire = Wire(script("files", server))
    host = wire.modern_host(ELICIT)
    host.calls(arguments={"a": 1, "b": 2})
    files = wire.upstreams["files"]
    if server == "legacy":
        files.asks(b"9", FORM)
    else:
        files.replies(files.calls[-1], wants("theirs", who=FORM))
    wire.passes(after)
    host.calls(arguments={"b": 2, "a": 1})
    host.calls("another", arguments={"a": 1, "b": 2})
    host.calls(arguments={"a": 2})
    assert [one.params["name"] for one in files.calls].count("ask") == runs + 1
    assert len(wire.desk) == (1 if runs == 1 else 0)


@pytest.mark.parametrize("edited", [False, True])
def test_so_it_does_if_its_server_was_restarted_or_edited_meanwhile(edited):
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    host.calls(arguments={"a": 1})
    files = wire.upstreams["files"]
    files.asks(b"9", FORM)
    if edited:
        wire.edits({"files": replace(wire.plots["files"].spec, args=("--new",))})
    else:
        wire.feed(ev.RestartWanted("files", at_once=False))
    wire.passes(5.0)
    again = host.calls(arguments={"a": 1})
    assert wire.upstreams["files"].calls == []
    wire.person(accept({"name": "Ada"}))
    files.replies(files.calls[0], {"content": []})
    assert host.replies[again].result["content"] == []


def test_without_a_desk_it_is_another_call():
    wire = Wire(script(), has_desk=False)
    host = wire.modern_host(ELICIT)
    host.calls()
    files = wire.upstreams["files"]
    files.asks(b"9", FORM)
    wire.passes(5.0)
    host.calls()
    assert len(files.calls) == 2


def test_a_call_whose_question_was_answered_is_not_taken_for_one_that_is_made_again():
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    call = host.calls()
    files = wire.upstreams["files"]
    files.asks(b"9", FORM)
    (key,) = host.replies[call].result["inputRequests"]
    wire.state.now += 5.0
    host.returns(call, inputResponses={key: BOB})
    host.calls()
    assert len(files.calls) == 2


# --- hosts that give up sooner -----------------------------------------------------------------------------


def test_a_host_that_gives_up_before_20_s_has_the_desk_ask_in_time_and_is_told_to_call_again():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT, name="mcp")
    call = host.calls()
    files = wire.upstreams["files"]
    files.asks(b"9", FORM)
    wire.passes(3.5)
    assert wire.question().message == "Who?"
    assert "Not finished yet" in host.replies[call].result["content"][0]["text"]
    wire.person(accept({"name": "Ada"}))
    files.replies(files.calls[-1], DONE)
    again = host.calls()
    assert host.replies[again].result == DONE
    assert len(files.calls) == 1
