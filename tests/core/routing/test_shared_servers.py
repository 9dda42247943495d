"""One connection for all hosts: `shared = true`. Questions still find the host whose call asks."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.questions.question import accept
from bridge.core.routing.router import IDLE_TENANT
from tests.core.fake_peers import LEGACY, MODERN, Host, Script, Upstream, Wire, script
from tests.core.wire_messages import ELICIT, FORM, wants

ABLE: dict[str, Any] = {**ELICIT, "roots": {}, "sampling": {}}
TOOLS = {"tools/list": {"tools": [{"name": "save"}]}}


def shared(*eras: str, **more: Any) -> Script:
    return script("files", *eras, shared=True, **more)


def two_hosts(*eras: str, **more: Any) -> tuple[Upstream, Host, Host]:
    wire = Wire(shared(*eras, **more))
    one, other = wire.legacy_host(ABLE, name="One"), wire.legacy_host(ABLE, name="Other")
    one.new(), other.new()
    return wire.upstreams["files"], one, other


def test_all_hosts_use_the_same_connection():
    files, one, other = two_hosts()
    assert len(files.wire.conns) == 1
    assert [m.method for m in files.heard] == ["initialize", "notifications/initialized"]
    first, second = one.calls(), other.calls()
    for call, text in zip(files.calls, ("1", "2"), strict=True):
        files.replies(call, {"text": text})
    assert (one.replies[first].result, other.replies[second].result) == ({"text": "1"}, {"text": "2"})


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_no_hosts_roots_are_offered_only_that_people_can_be_asked(era):
    wire = Wire(shared(era))
    wire.legacy_host(ABLE, name="One")
    hello = wire.upstreams["files"].last() if era == MODERN else wire.upstreams["files"].heard[0]
    said = hello.params if era == LEGACY else hello.params["_meta"]
    key = "capabilities" if era == LEGACY else "io.modelcontextprotocol/clientCapabilities"
    assert said[key] == {"elicitation": {"form": {}, "url": {}}, "sampling": {}}
    assert b"One" not in hello.data


def test_a_question_on_a_calls_own_stream_goes_to_the_host_that_called():
    files, one, other = two_hosts()
    one.calls()
    other.calls()
    files.asks(b"7", FORM, about=files.calls[1].id)
    assert one.asked == []
    other.answers(other.asked[0], {"action": "accept", "content": {"name": "Ada"}})
    assert files.last().json["id"] == 7
    assert files.last().result["content"] == {"name": "Ada"}


def test_a_question_while_one_call_is_open_goes_to_the_host_that_called():
    files, one, other = two_hosts()
    other.calls()
    files.asks(b"7", FORM)
    assert (len(one.asked), len(other.asked)) == (0, 1)


def test_several_calls_of_one_host_are_still_that_hosts():
    files, one, other = two_hosts()
    one.calls()
    one.calls()
    files.asks(b"7", FORM)
    assert (len(one.asked), len(other.asked)) == (1, 0)


def test_where_several_hosts_may_be_meant_the_desk_asks():
    files, one, other = two_hosts()
    one.calls()
    other.calls()
    files.asks(b"7", FORM)
    assert one.asked == other.asked == []
    question = files.wire.question()
    assert (question.server, question.host) == ("files", "One or Other")
    files.wire.person(accept({"name": "Ada"}))
    assert files.last().result["content"] == {"name": "Ada"}


def test_a_modern_server_returns_its_questions_to_the_right_host():
    files, one, other = two_hosts(MODERN)
    one.calls()
    other.calls()
    files.replies(files.calls[1], wants(who=FORM))
    assert (len(one.asked), len(other.asked)) == (0, 1)


def test_notes_go_to_every_host_that_uses_it_and_progress_only_to_its_own():
    files, one, other = two_hosts()
    request = one.calls(_meta={"progressToken": "mine"})
    files.notes("notifications/message", {"level": "info", "data": "hello"})
    assert (one.only().about, other.only().about) == (request, b"")
    files.notes("notifications/progress", {"progressToken": int(files.calls[0].id), "progress": 1})
    assert one.only().params["progressToken"] == "mine"
    assert other.new() == []


def test_hosts_of_both_eras_hear_what_each_can():
    wire = Wire(shared(MODERN, capabilities={"tools": {"listChanged": True}}))
    new = wire.modern_host()
    listening = new.requests("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    old = wire.legacy_host()
    files = wire.upstreams["files"]
    old.new(), new.new()
    theirs, ours = files.calls
    assert ours.params["notifications"] == {"toolsListChanged": True}
    for heard in (theirs, ours):
        files.notes(
            "notifications/tools/list_changed",
            {"_meta": {"io.modelcontextprotocol/subscriptionId": int(heard.id)}},
        )
    assert old.only().method == "notifications/tools/list_changed"
    assert new.only().params["_meta"]["io.modelcontextprotocol/subscriptionId"] == int(listening)
    new.leaves()
    old.calls()
    old.new()
    files.notes("notifications/message", {"level": "info"})
    assert old.only().method == "notifications/message"


def test_what_a_host_says_to_all_its_servers_is_not_said_to_a_shared_one():
    files, one, _ = two_hosts()
    files.new()
    one.notes("notifications/roots/list_changed")
    assert files.new() == []


def test_a_host_that_leaves_takes_its_own_calls_along_and_nothing_else():
    files, one, other = two_hosts()
    one.calls()
    kept = other.calls()
    one.leaves()
    assert files.last().method == "notifications/cancelled"
    assert files.last().params["requestId"] == int(files.calls[0].id)
    files.replies(files.calls[1], {"ok": 1})
    assert other.replies[kept].result == {"ok": 1}
    assert files.open


def test_a_modern_host_that_leaves_while_asked_takes_its_parked_call_along():
    wire = Wire(shared())
    one, other = wire.modern_host(ELICIT), wire.modern_host(ELICIT)
    one.calls()
    files = wire.upstreams["files"]
    files.asks(b"7", FORM)
    kept = other.calls()
    one.leaves()
    assert len(wire.state.open_requests) == 1
    files.replies(files.calls[-1], {"ok": 1})
    assert other.replies[kept].result["ok"] == 1


def test_a_person_who_thinks_for_one_host_stops_only_that_hosts_clock():
    files, one, other = two_hosts()
    asking, slow = one.calls(), other.calls()
    files.asks(b"7", FORM, about=files.calls[0].id)
    files.wire.passes(121)
    assert asking not in one.replies
    assert "did not answer within 120 seconds" in other.replies[slow].error["message"]


def test_a_person_who_thinks_for_nobody_in_particular_stops_all_clocks():
    files, one, other = two_hosts()
    requests = one.calls(), other.calls()
    files.asks(b"7", FORM)
    files.wire.passes(121)
    assert requests[0] not in one.replies
    assert requests[1] not in other.replies


def test_a_shared_server_ends_when_nobody_has_used_it_for_a_while():
    files, one, other = two_hosts()
    one.leaves()
    files.wire.passes(IDLE_TENANT + 1)
    other.leaves()
    files.wire.passes(IDLE_TENANT - 1)
    assert files.open
    back = files.wire.legacy_host()
    assert len(files.wire.conns) == 1
    back.leaves()
    files.wire.passes(IDLE_TENANT - 1)
    assert files.open
    files.wire.passes(2)
    assert not files.open
    assert files.wire.nothing_left()


def test_when_it_dies_everybody_is_told_and_the_next_call_starts_it_again():
    files, one, other = two_hosts()
    first, second = one.calls(), other.calls()
    files.dies("out of paper")
    assert "out of paper" in one.replies[first].error["message"]
    assert "out of paper" in other.replies[second].error["message"]
    other.calls()
    one.calls()
    assert len(files.wire.conns) == 1
    assert len(files.wire.upstreams["files"].calls) == 2


def test_a_shared_server_is_one_of_many_behind_one_entry():
    wire = Wire(shared(answers=TOOLS), script("mail", answers=TOOLS))
    hosts = [wire.legacy_host(server="", name=name) for name in ("One", "Other")]
    for host in hosts:
        request = host.requests("tools/list")
        assert [tool["name"] for tool in host.replies[request].result["tools"]] == ["files_save", "mail_save"]
    assert sorted(conn.plot.spec.name for conn in wire.conns.values()) == ["files", "mail", "mail"]
