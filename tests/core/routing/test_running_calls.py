"""Calls under way: history hears of those that take their time, windows see them, the person may end them."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bridge.core import events as ev
from bridge.core.policy.rules import Policy, Verdict
from bridge.core.questions.question import DECLINE, accept
from bridge.core.routing.asking.open_questions import MOST_IN_CALL
from bridge.core.routing.running_calls import running
from tests.core.fake_peers import EPOCH, Wire, script
from tests.core.wire_messages import ELICIT, FORM


def asked_in(wire: Wire) -> list[dict[str, object]]:
    """What the last line of history tells."""
    return cast(list[dict[str, object]], wire.records[-1].facts["questions"])


ASKS = Policy((("*", Verdict.CONFIRM),))


def test_a_call_that_is_over_at_once_is_one_line_and_no_more():
    wire = Wire(script(answers={"tools/call": {"content": []}}))
    host = wire.legacy_host()
    host.calls(arguments={"n": 1})
    wire.passes(1.0)
    (record,) = wire.records
    assert (record.begun, wire.begun) == (0, [])
    assert record.arguments == b'{"n":1}'
    assert b'"content":[]' in record.reply
    assert record.size == len(record.reply)


def test_how_long_people_thought_is_known_beside_how_long_it_took():
    wire = Wire(script(), policy=ASKS)
    host = wire.legacy_host()
    host.calls()
    wire.passes(4.0)
    wire.person(accept())
    server = wire.upstreams["files"]
    wire.passes(2.0)
    server.asks(b"9", FORM)
    wire.passes(10.0)
    wire.person(DECLINE)
    wire.passes(1.0)
    server.replies(server.calls[-1], {"content": []})
    record = wire.records[-1]
    assert (record.kind, record.seconds, record.facts["thought"]) == ("call", 17.0, 14.0)


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ({"content": [], "isError": True}, "error"),
        ({"content": [], "isError": False}, "ok"),
        ({"content": [], "structuredContent": {"isError": True}}, "ok"),
        ({"content": [], "isError": True, "structuredContent": {"isError": False}}, "error"),
        ([{"isError": True}], "ok"),
        ({"content": [{"type": "text", "text": "long " * 4_000}], "isError": True}, "error"),
        ({"isError": True, "content": [{"type": "text", "text": "long " * 4_000}]}, "error"),
        ({"content": [{"type": "text", "text": "half \ud83d"}], "isError": True}, "error"),
    ],
)
def test_a_tool_that_says_it_failed_is_in_history_as_failed(result: Any, outcome: str):
    wire = Wire(script(answers={"tools/call": result}))
    wire.legacy_host().calls()
    assert [record.outcome for record in wire.records] == [outcome]


def test_history_hears_once_that_a_call_takes_its_time_and_then_of_its_end():
    wire = Wire(script())
    host = wire.legacy_host()
    host.calls(arguments={"n": 1})
    wire.passes(0.5)
    assert wire.begun == []
    wire.passes(1.0)
    wire.passes(1.0)
    (begun,) = wire.begun
    assert (begun.server, begun.tool, begun.at, begun.arguments) == ("files", "ask", EPOCH, b'{"n":1}')
    server = wire.upstreams["files"]
    server.replies(server.calls[-1], {"content": []})
    assert [(one.outcome, one.begun) for one in wire.records] == [("ok", begun.call)]


def test_windows_see_what_is_under_way_and_what_it_waits_for():
    wire = Wire(script(), policy=Policy((("files_risky", Verdict.CONFIRM),)))
    host = wire.legacy_host()
    host.calls()
    host.calls("risky")
    host.requests("resources/read", {"uri": "a://b"})
    assert [(one.tool, one.waits_for, one.since) for one in running(wire.router.state, 9)] == [
        ("ask", "server", EPOCH),
        ("risky", "approval", EPOCH),
    ]
    wire.upstreams["files"].asks(b"9", FORM, about=wire.upstreams["files"].calls[0].id)
    assert [one.waits_for for one in running(wire.router.state, 1)] == ["question"]


def test_a_call_that_the_person_cancels_ends_on_both_sides():
    wire = Wire(script())
    host = wire.legacy_host()
    call = host.calls()
    (one,) = running(wire.router.state, 9)
    wire.feed(ev.CallCancelled(one.id))
    assert "cancelled this call" in str(host.replies[call].result)
    assert wire.upstreams["files"].last().method == "notifications/cancelled"
    assert [record.outcome for record in wire.records] == ["cancelled"]
    wire.feed(ev.CallCancelled(one.id))
    assert len(wire.records) == 1


def test_a_call_that_waits_for_an_approval_can_be_cancelled_too():
    wire = Wire(script(), policy=ASKS)
    host = wire.legacy_host()
    call = host.calls()
    wire.feed(ev.CallCancelled(running(wire.router.state, 9)[0].id))
    assert call in host.replies
    assert wire.desk == []
    assert [(record.kind, record.outcome) for record in wire.records] == [
        ("question", "withdrawn"),
        ("call", "cancelled"),
    ]


def test_only_calls_can_be_cancelled():
    wire = Wire(script())
    host = wire.legacy_host()
    read = host.requests("resources/read", {"uri": "a://b"})
    (open_request,) = wire.router.state.open_requests.values()
    wire.feed(ev.CallCancelled(open_request.id))
    assert read not in host.replies


def test_a_calls_line_tells_what_was_asked_in_it_and_what_was_answered():
    wire = Wire(script(), policy=ASKS)
    host = wire.legacy_host()
    host.calls()
    wire.person(accept())
    server = wire.upstreams["files"]
    server.asks(b"9", FORM)
    wire.person(DECLINE)
    server.replies(server.calls[-1], {"content": []})
    questions = asked_in(wire)
    assert [(one["mode"], one["outcome"]) for one in questions] == [
        ("confirm", "accept"),
        ("form", "decline"),
    ]


def test_what_the_host_asked_itself_is_told_too_and_not_without_end():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    host.calls()
    server = wire.upstreams["files"]
    for number in range(MOST_IN_CALL + 1):
        server.asks(b"%d" % (900 + number), FORM)
        host.answers(host.asked[-1], {"action": "accept", "content": {"name": "Ada"}})
    server.replies(server.calls[-1], {"content": []})
    questions = asked_in(wire)
    assert len(questions) == MOST_IN_CALL
    assert questions[0]["sent"] == {"name": "Ada"}
    assert questions[0]["asked by"] == "the app"
