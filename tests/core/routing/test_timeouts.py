"""Clocks: machine time runs out, human time does not count, and what waits for nobody is let go."""

from __future__ import annotations

import pytest

from bridge.core.ports import ServerSpec
from bridge.core.questions.question import CANCEL, DECLINE, NOBODY, Mode, accept
from bridge.core.routing.connections.retired_connections import FINISH
from bridge.core.routing.router import IDLE_TENANT, SOON
from tests.core.fake_peers import EPOCH, MODERN, Script, Wire, script
from tests.core.wire_messages import ELICIT, FORM, URL, wants


def test_a_call_that_takes_too_long_is_ended_on_both_sides():
    wire = Wire(script(timeout=30.0))
    host = wire.legacy_host()
    call = host.calls()
    wire.passes(29.0)
    assert call not in host.replies
    wire.passes(1.0)
    assert host.replies[call].error == {"code": -32001, "message": "files did not answer within 30 seconds."}
    assert wire.upstreams["files"].last().method == "notifications/cancelled"
    assert [(record.kind, record.outcome) for record in wire.records] == [("call", "error")]


@pytest.mark.parametrize("json_errors", [True, False])
def test_a_built_in_tool_that_takes_too_long_is_an_error_for_the_model_like_its_others(json_errors):
    wire = Wire(Script(ServerSpec("files", builtin=True, json_errors=json_errors, timeout=30.0)))
    host = wire.legacy_host()
    call = host.calls()
    wire.passes(30.0)
    words = "files did not answer within 30 seconds."
    text = '{"error":"%s"}' % words if json_errors else words  # noqa: UP031 - braces
    assert host.replies[call].result == {
        "content": [{"type": "text", "text": text}],
        "isError": True,
        "_meta": {"deskbell/failure": "expired"},
    }


def test_progress_restarts_the_clock():
    wire = Wire(script(timeout=30.0))
    host = wire.legacy_host()
    call = host.calls(_meta={"progressToken": 1})
    server = wire.upstreams["files"]
    for _ in range(5):
        wire.passes(29.0)
        server.notes("notifications/progress", {"progressToken": int(server.calls[-1].id), "progress": 1})
    assert call not in host.replies
    wire.passes(30.0)
    assert call in host.replies


@pytest.mark.parametrize("builtin", [True, False])
def test_progress_of_a_built_in_tool_restarts_the_clock_also_for_a_host_that_wants_no_progress(builtin):
    wire = Wire(Script(ServerSpec("files", builtin=builtin, timeout=30.0)))
    host = wire.legacy_host()
    call = host.calls()
    server = wire.upstreams["files"]
    wire.passes(29.0)
    server.notes("notifications/progress", {"progressToken": int(server.calls[-1].id), "progress": 1})
    wire.passes(29.0)
    assert (call in host.replies) is not builtin
    assert [one for one in host.heard if one.method] == []


@pytest.mark.parametrize("can", [{}, ELICIT])
def test_a_person_may_think_as_long_as_it_takes(can):
    wire = Wire(script(timeout=30.0), limit=10_000.0)
    host = wire.legacy_host(can)
    call = host.calls(_meta={"progressToken": 1})
    server = wire.upstreams["files"]
    wire.passes(29.0)
    server.asks(b"9", FORM)
    wire.passes(5_000.0)
    server.notes("notifications/progress", {"progressToken": int(server.calls[-1].id), "progress": 1})
    wire.passes(29.0)
    if can:
        host.answers(host.asked[-1], {"action": "decline"})
    else:
        wire.person(DECLINE)
    wire.passes(29.0)
    assert call not in host.replies
    wire.passes(1.0)
    assert host.replies[call].error["code"] == -32001


def test_a_person_may_think_about_any_of_a_servers_calls_and_none_runs_out():
    wire = Wire(script(timeout=30.0), limit=10_000.0)
    host = wire.legacy_host()
    calls = [host.calls(), host.calls()]
    server = wire.upstreams["files"]
    server.asks(b"9", FORM)
    wire.passes(5_000.0)
    calls.append(host.calls())
    wire.person(DECLINE)
    wire.passes(29.0)
    assert not set(calls) & set(host.replies)
    wire.passes(1.0)
    assert set(calls) <= set(host.replies)


def test_the_clock_restarts_when_a_question_is_withdrawn():
    wire = Wire(script(timeout=30.0))
    host = wire.legacy_host()
    call = host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    wire.passes(100.0)
    wire.upstreams["files"].withdraws(b"9")
    wire.passes(29.0)
    assert call not in host.replies
    wire.passes(1.0)
    assert call in host.replies


def test_a_retry_has_a_clock_of_its_own():
    wire = Wire(script("files", MODERN, timeout=30.0))
    host = wire.legacy_host()
    call = host.calls()
    server = wire.upstreams["files"]
    server.replies(server.calls[-1], wants(who=FORM))
    wire.passes(100.0)
    wire.person(DECLINE)
    wire.passes(29.0)
    assert call not in host.replies
    wire.passes(1.0)
    assert host.replies[call].error["code"] == -32001


def test_a_question_nobody_answers_is_cancelled_when_its_time_is_over():
    wire = Wire(script(), limit=60.0)
    wire.state.now = 5.0
    host = wire.legacy_host()
    host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    question = wire.question()
    assert (question.asked_at, question.deadline) == (EPOCH + 5.0, EPOCH + 65.0)
    wire.passes(59.0)
    assert len(wire.desk) == 1
    wire.passes(1.0)
    assert wire.desk == []
    assert wire.upstreams["files"].last().result == {"action": "cancel"}
    assert (wire.records[-1].outcome, wire.records[-1].seconds) == ("expired", 60.0)


def test_an_answer_is_recorded_with_the_time_it_took_and_counts_once():
    wire = Wire(script())
    host = wire.legacy_host()
    host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    question = wire.question()
    wire.state.now += 7.0
    wire.person(accept({"name": "Ada"}), question)
    record = wire.records[-1]
    assert (record.kind, record.outcome, record.seconds, record.tool) == ("question", "accept", 7.0, "ask")
    wire.upstreams["files"].new()
    wire.person(CANCEL, question)
    assert wire.upstreams["files"].new() == []


def test_a_call_is_recorded_with_the_time_it_took():
    wire = Wire(script())
    host = wire.legacy_host(name="Claude")
    call = host.calls("save")
    wire.state.now += 3.0
    wire.upstreams["files"].replies(wire.upstreams["files"].calls[-1], {"ok": 1})
    (record,) = wire.records
    assert (
        record.kind,
        record.host,
        record.server,
        record.tool,
        record.outcome,
        record.seconds,
        record.size,
    ) == (
        "call",
        "Claude",
        "files",
        "save",
        "ok",
        3.0,
        len(host.replies[call].data),
    )


# A host that is away


def test_a_parked_call_waits_as_long_as_its_ticket_is_good():
    wire = Wire(script(timeout=30.0), limit=60.0)
    host = wire.modern_host(ELICIT)
    call = host.calls()
    server = wire.upstreams["files"]
    server.asks(b"8", FORM)
    server.asks(b"9", URL)
    wire.passes(59.0)
    assert len(wire.state.open_requests) == 1
    link, form = wire.desk
    assert (link.mode, form.mode) == (Mode.URL, Mode.FORM)  # the host has been silent for a while
    for question in (link, form):
        wire.person(DECLINE, question)
    last = host.returns(call, inputResponses={})
    wire.passes(29.0)
    assert last not in host.replies
    wire.passes(1.0)
    assert host.replies[last].error["code"] == -32001


def test_a_host_that_returned_waits_for_the_desk_in_human_time():
    wire = Wire(script("files", MODERN, timeout=30.0), limit=60.0)
    host = wire.modern_host(ELICIT)
    call = host.calls()
    server = wire.upstreams["files"]
    server.replies(server.calls[-1], wants(who=FORM, login=URL))
    again = host.returns(call, inputResponses={"who": {"action": "decline"}})
    wire.passes(60.0)
    assert again not in host.replies
    assert server.calls[-1].params["inputResponses"]["login"] == {"action": "cancel"}


def test_a_parked_request_that_is_no_call_and_that_nobody_returns_for_is_let_go():
    wire = Wire(script(), limit=60.0)
    host = wire.modern_host(ELICIT, tenant="app")
    host.requests("prompts/get", {"name": "greet"})
    wire.upstreams["files"].asks(b"9", FORM)
    wire.upstreams["files"].asks(b"10", URL, about=wire.upstreams["files"].calls[-1].id)
    host.leaves()
    wire.passes(60.0)
    assert wire.state.open_requests == {}
    wire.passes(IDLE_TENANT)
    assert wire.nothing_left()


# Stateless hosts


def test_an_idle_stateless_hosts_connections_are_closed():
    wire = Wire(script())
    host = wire.modern_host(tenant="app")
    host.calls()
    host.leaves()
    wire.passes(IDLE_TENANT - 1)
    assert len(wire.conns) == 1
    wire.modern_host(tenant="app").calls()
    wire.passes(1)
    assert len(wire.conns) == 1
    for one in list(wire.hosts.values()):
        one.leaves()
    wire.passes(IDLE_TENANT)
    assert wire.nothing_left()


def test_a_stateless_host_with_a_parked_call_is_not_idle():
    wire = Wire(script(), limit=10 * IDLE_TENANT)
    host = wire.modern_host(ELICIT, tenant="app")
    call = host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    host.leaves()
    wire.passes(2 * IDLE_TENANT)
    back = wire.modern_host(ELICIT, tenant="app")
    result = host.replies[call].result
    key = next(iter(result["inputRequests"]))
    back.calls(requestState=result["requestState"], inputResponses={key: {"action": "decline"}})
    assert wire.upstreams["files"].last().result == {"action": "decline"}


# How often time must pass


def test_time_is_wanted_only_while_something_waits_for_it():
    wire = Wire(script(mute=True))
    assert wire.router.pace == 0.0
    host = wire.legacy_host()
    assert wire.router.pace == SOON
    host.cancels(b"1")
    assert wire.router.pace == 1.0
    host.leaves()
    assert wire.router.pace == 1.0  # its server may finish starting
    wire.passes(FINISH)
    assert wire.router.pace == 0.0
    wire.plots["files"].mute = False
    stateless = wire.modern_host(tenant="app")
    assert wire.router.pace == 60.0
    stateless.calls()
    assert wire.router.pace == 1.0
    wire.upstreams["files"].replies(wire.upstreams["files"].last(), {})
    assert wire.router.pace == 60.0
    stateless.leaves()
    wire.passes(IDLE_TENANT)
    assert wire.router.pace == 0.0


# The end


def test_when_the_app_quits_everything_gets_its_last_word():
    wire = Wire(script(), script("slow", mute=True))
    waiting = wire.legacy_host()
    call = waiting.calls()
    desk_server = wire.upstreams["files"]
    desk_server.asks(b"9", FORM)
    asked = wire.legacy_host(ELICIT)
    relayed = asked.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    away = wire.modern_host(ELICIT)
    away.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    many = wire.legacy_host(server="")
    listed = many.requests("tools/list")
    wire.quits()
    assert desk_server.heard[-2].result == {"action": "cancel"}
    assert desk_server.heard[-1].method == "notifications/cancelled"
    for host, request in ((waiting, call), (asked, relayed)):
        assert host.replies[request].error["message"] == "Deskbell is closing."
    assert many.replies[listed].result == {"tools": []}
    assert wire.conns == {}
    assert wire.hung_up == [1, 2, 3, 4]
    for host in (waiting, asked, away, many):
        host.leaves()
    assert wire.nothing_left()


def test_when_the_app_quits_an_unprompted_question_is_cancelled():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    server = wire.upstreams["files"]
    server.asks(b"9", FORM)
    wire.quits()
    assert server.last().result == {"action": "cancel"}
    assert host.last().method == "notifications/cancelled"
    assert wire.state.open_requests == {}


# A host that does not answer


def test_a_question_that_a_host_never_answers_is_cancelled_when_its_time_is_over():
    wire = Wire(script(timeout=30.0), limit=60.0)
    host = wire.legacy_host(ELICIT)
    call = host.calls()
    server = wire.upstreams["files"]
    server.asks(b"9", FORM)
    question = host.asked[-1]
    wire.passes(59.0)
    assert server.last().method == "tools/call"
    wire.passes(1.0)
    assert server.last().result == {"action": "cancel"}
    assert (host.last().method, host.last().params) == (
        "notifications/cancelled",
        {"requestId": int(question.id), "reason": "It was settled in Deskbell."},
    )
    record = wire.records[-1]
    assert (record.kind, record.tool, record.outcome, record.seconds) == ("question", "ask", "expired", 60.0)
    server.new()
    host.answers(question, {"action": "accept"})
    assert server.new() == []
    wire.passes(29.0)
    assert call not in host.replies
    wire.passes(1.0)
    assert host.replies[call].error["code"] == -32001


def test_an_unprompted_question_that_a_host_never_answers_ends_too():
    wire = Wire(script(), limit=60.0)
    wire.legacy_host(ELICIT)
    wire.upstreams["files"].asks(b"9", FORM)
    wire.passes(60.0)
    assert wire.upstreams["files"].last().result == {"action": "cancel"}
    assert wire.state.open_requests == {}


def test_a_sample_that_never_comes_ends_a_retry():
    wire = Wire(script("files", MODERN), limit=60.0)
    host = wire.legacy_host({"sampling": {}})
    call = host.calls()
    server = wire.upstreams["files"]
    sample: tuple[str, dict[str, str]] = ("sampling/createMessage", {})
    server.replies(server.calls[-1], wants(one=sample, other=sample))
    wire.passes(60.0)
    assert "sampling/createMessage" in host.replies[call].error["message"]
    expired = [record for record in wire.records if record.outcome == "expired"]
    assert len(expired) == 2
    assert wire.state.open_requests == {}


def test_without_a_limit_a_host_may_take_its_time():
    wire = Wire(script(), limit=0.0)
    host = wire.legacy_host(ELICIT)
    host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    wire.passes(100_000.0)
    assert wire.upstreams["files"].last().method == "tools/call"
    assert len(host.asked) == 1


@pytest.mark.parametrize("builtin", [True, False])
@pytest.mark.parametrize("why", ["expired", "nobody"])
def test_only_our_own_servers_hear_why_a_question_was_not_answered(builtin, why):
    wire = Wire(Script(ServerSpec("files", builtin=builtin)))
    wire.legacy_host().calls()
    server = wire.upstreams["files"]
    server.asks(b"9", FORM)
    if why == "nobody":
        wire.person(NOBODY)
    else:
        wire.passes(300.0)
    meta = {"_meta": {"deskbell/unanswered": why}} if builtin else {}
    assert server.last().result == {"action": "cancel", **meta}
