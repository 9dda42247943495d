"""Callers without MCP (REST, CGI, the command line): they want an answer, and cannot be asked."""

from __future__ import annotations

import pytest

from bridge.core.policy.rules import HostRule, Policy, QuestionPlace, Verdict
from bridge.core.ports import ServerSpec
from bridge.core.questions.desk import MOST_OF_ONE
from bridge.core.questions.question import CANCEL, DECLINE, NOBODY, accept
from tests.core.fake_peers import Script, Wire, script
from tests.core.wire_messages import ELICIT_ALL, FORM


def caller(wire: Wire):
    return wire.modern_host(ELICIT_ALL, tenant="rest", plain=True, host_name="REST")


def test_whatever_it_says_and_the_settings_say_it_is_asked_on_the_desk():
    wire = Wire(script(), policy=Policy((), {"*": HostRule(QuestionPlace.HOST)}))
    host = caller(wire)
    call = host.calls()
    server = wire.upstreams["files"]
    server.asks(b"9", FORM)
    assert wire.question().host == "REST"
    wire.person(accept({"name": "Ada"}))
    assert server.last().result == {"action": "accept", "content": {"name": "Ada"}}
    server.replies(server.calls[-1], {"content": []})
    assert host.replies[call].result["resultType"] == "complete"


@pytest.mark.parametrize("answer", [CANCEL, DECLINE])
def test_what_the_person_says_is_the_servers_to_understand(answer):
    wire = Wire(script())
    host = caller(wire)
    call = host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    wire.person(answer)
    assert call not in host.replies


def test_where_nobody_answers_in_time_the_call_ends_on_both_sides():
    wire = Wire(script(), limit=60.0)
    host = caller(wire)
    call = host.calls()
    server = wire.upstreams["files"]
    server.asks(b"9", FORM)
    wire.passes(60.0)
    assert host.replies[call].error == {
        "code": -32001,
        "message": "files asked something in the middle of the call, and nobody answered within 60 s.",
    }
    told = server.new()
    assert {"action": "cancel"} in [message.json.get("result") for message in told]
    assert told[-1].method == "notifications/cancelled"
    assert wire.desk == []


def test_where_nobody_can_be_asked_it_hears_what_to_do():
    wire = Wire(script())
    host = caller(wire)
    call = host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    wire.person(NOBODY)
    error = host.replies[call].error
    assert error["code"] == -32603
    assert "nobody can be asked here. Start Deskbell on the desktop" in error["message"]


def test_where_too_many_questions_wait_it_hears_that_this_one_was_not_asked():
    wire = Wire(script())
    host = caller(wire)
    call = host.calls()
    for number in range(MOST_OF_ONE + 1):
        wire.upstreams["files"].asks(b"%d" % (number + 9), FORM)
    assert "files asked something in the middle of the call. Too many" in host.replies[call].error["message"]


def test_a_built_in_tool_knows_itself_what_to_do_without_an_answer():
    wire = Wire(Script(ServerSpec("files", builtin=True)))
    host = caller(wire)
    call = host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    wire.person(NOBODY)
    assert call not in host.replies


@pytest.mark.parametrize("builtin", [True, False])
def test_an_approval_that_nobody_gives_is_told_as_such_and_nothing_is_called(builtin):
    policy = Policy((("files_*", Verdict.CONFIRM),))
    wire = Wire(Script(ServerSpec("files", builtin=builtin)), policy=policy, limit=60.0)
    host = caller(wire)
    call = host.calls()
    wire.passes(60.0)
    assert host.replies[call].error["code"] == -32001
    assert "ask of files needs an approval, and nobody answered" in host.replies[call].error["message"]
    assert wire.upstreams["files"].calls == []
    assert wire.desk == []
