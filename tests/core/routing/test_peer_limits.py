"""Servers and hosts that do what they should not: bounded, told of, and nobody else's trouble."""

from __future__ import annotations

import pytest

from bridge.core import events as ev
from bridge.core.routing import from_hosts, peer_limits
from bridge.core.routing.asking import server_requests
from tests.core.fake_peers import MODERN, Wire, script
from tests.core.wire_messages import ELICIT, FORM, call, response, wants


def notices(wire: Wire, kind: str) -> list[str]:
    return [one.detail for one in wire.records if one.kind == "notice" and one.outcome == kind]


def test_an_answer_to_nobody_is_told_of_and_not_a_thousand_times():
    wire = Wire(script())
    wire.legacy_host()
    files = wire.upstreams["files"]
    for stray in (b"99999", b'"1"', b"null"):
        files.says(response(stray, {}))
    assert notices(wire, "stray") == ["It answered what nobody asked, or what is over: id 99999."]
    for _ in range(997):
        files.says(b'{"result":{}}')
    assert [said.rpartition(" So far ")[2] for said in notices(wire, "stray")[1:]] == [
        "10 times.",
        "100 times.",
        "1000 times.",
    ]
    assert "id none" in notices(wire, "stray")[1]


def test_a_second_answer_to_one_request_is_not_passed_on():
    wire = Wire(script())
    host = wire.legacy_host()
    request = host.calls()
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], {"n": 1})
    files.replies(files.calls[-1], {"n": 2})
    assert host.replies[request].result == {"n": 1}
    assert len(notices(wire, "stray")) == 1


def test_an_answer_that_crossed_with_its_cancellation_is_no_fault():
    wire = Wire(script())
    host = wire.legacy_host()
    host.cancels(host.calls())
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], {})
    assert notices(wire, "stray") == []
    files.replies(files.calls[-1], {})
    assert len(notices(wire, "stray")) == 1


def test_the_answers_to_our_own_requests_are_no_fault(monkeypatch):
    monkeypatch.setattr(peer_limits, "MOST_LOOSE", 2)
    wire = Wire(script(capabilities={"resources": {"subscribe": True}}))
    host = wire.modern_host()
    uris = ["a://1", "a://2", "a://3"]
    host.requests("subscriptions/listen", {"notifications": {"resourceSubscriptions": uris}})
    files = wire.upstreams["files"]
    first, *others = files.calls
    for subscribed in others:
        files.replies(subscribed, {})
    assert notices(wire, "stray") == []
    files.replies(first, {})
    assert len(notices(wire, "stray")) == 1


def test_a_flood_of_notes_is_dammed_and_the_next_second_is_a_new_one(monkeypatch):
    monkeypatch.setattr(peer_limits, "MOST_NOTES", 3)
    wire = Wire(script())
    host = wire.legacy_host()
    host.new()
    files = wire.upstreams["files"]
    for _ in range(5):
        files.notes("notifications/message", {"level": "info"})
    assert len(host.new()) == 3
    assert len(notices(wire, "flood")) == 1
    request = host.calls()
    files.replies(files.calls[-1], {"ok": 1})
    assert host.replies[request].result == {"ok": 1}
    host.new()
    wire.passes(1.0)
    files.notes("notifications/message", {"level": "info"})
    assert len(host.new()) == 1


def test_only_so_many_questions_of_one_server_wait(monkeypatch):
    monkeypatch.setattr(server_requests, "MOST_ASKED", 2)
    wire = Wire(script(), script("mail"))
    wire.legacy_host()
    files = wire.upstreams["files"]
    for number in range(3):
        files.asks(b"%d" % number, FORM)
    assert len(wire.desk) == 2
    assert files.last().json["error"]["message"] == "Too many questions are open."
    assert len(notices(wire, "flood")) == 1
    wire.legacy_host(server="mail")
    wire.upstreams["mail"].asks(b"1", FORM)
    assert len(wire.desk) == 3


def test_only_so_many_requests_of_one_host_are_open(monkeypatch):
    monkeypatch.setattr(from_hosts, "MOST_REQUESTS", 2)
    wire = Wire(script())
    host = wire.legacy_host()
    host.calls()
    host.calls()
    refused = host.calls()
    assert "More than 2 requests" in host.replies[refused].error["message"]
    assert notices(wire, "flood") == ["More than 2 requests are open at once."]
    other = wire.legacy_host(name="Other")
    other.calls()
    assert wire.upstreams["files"].calls[-1].method == "tools/call"


@pytest.mark.parametrize("garbage", [b"{", b"[1]", b"\xff\xfe", b'{"id":1,"method":5}'])
def test_what_a_host_says_that_is_no_message_is_told_of_now_and_then(garbage):
    wire = Wire(script())
    host = wire.legacy_host()
    for _ in range(12):
        host.says(garbage)
    assert len(notices(wire, "malformed")) == 2
    assert (wire.records[-1].host, wire.records[-1].server) == ("Old Host", "")
    assert notices(wire, "malformed")[0].startswith("It sent what is no message: ")


def test_an_id_that_a_host_uses_again_is_told_of():
    wire = Wire(script())
    host = wire.legacy_host()
    host.calls(request_id=b"5")
    host.says(call(b"5", "tools/call", {"name": "x"}))
    assert notices(wire, "duplicate") == ["It used an id again. A request with the id 5 is still open."]


def test_a_hosts_answer_to_nobody_is_told_of_unless_it_crossed_with_our_withdrawal():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    host.calls()
    files = wire.upstreams["files"]
    files.asks(b"9", FORM)
    files.withdraws(b"9")
    host.answers(host.asked[0], {"action": "cancel"})
    assert notices(wire, "stray") == []
    host.answers(host.asked[0], {"action": "cancel"})
    host.says(b'{"result":{}}')
    number = int(host.asked[0].id)
    assert notices(wire, "stray") == [f"It answered what nobody asked, or what is over: id {number}."]


def test_a_hosts_flood_of_notes_is_dammed_but_it_may_still_cancel(monkeypatch):
    monkeypatch.setattr(from_hosts, "MOST_NOTES", 3)
    monkeypatch.setattr(peer_limits, "MOST_NOTES", 3)
    wire = Wire(script())
    host, other = wire.legacy_host(), wire.legacy_host(name="Other")
    wire.passes(1.0)
    files = wire.upstreams["files"]
    request = host.calls()
    theirs = next(one for one in wire.conns.values() if one is not files)
    files.new(), theirs.new()
    for _ in range(20):
        host.notes("notifications/roots/list_changed")
    assert len(theirs.new()) == 3
    assert notices(wire, "flood")[0].startswith("It sent more than 3 notifications in a second")
    host.cancels(request)
    assert theirs.only().method == "notifications/cancelled"
    other.notes("notifications/roots/list_changed")
    assert len(files.new()) == 1
    wire.passes(1.0)
    host.notes("notifications/roots/list_changed")
    assert len(theirs.new()) == 1


def test_why_a_host_was_hung_up_on_is_told():
    wire = Wire(script())
    host = wire.legacy_host()
    wire.feed(ev.LinkClosed(host.link, "It sent too much."))
    assert notices(wire, "hung up") == ["It sent too much."]
    assert wire.nothing_left()


def test_a_server_that_never_stops_asking_is_named_in_the_history():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host()
    request = host.calls()
    files = wire.upstreams["files"]
    while request not in host.replies:
        files.replies(files.calls[-1], wants("same"))
    assert "10 times" in host.replies[request].error["message"]
    assert (wire.records[-1].server, wire.records[-1].outcome) == ("files", "asked too often")


@pytest.mark.parametrize("garbage", [b"{", b"[1]", b"\xff\xfe", b'{"id":1,"method":5}'])
def test_what_is_no_message_is_told_of_now_and_then(garbage):
    wire = Wire(script())
    host = wire.legacy_host()
    files = wire.upstreams["files"]
    for _ in range(50):
        files.says(garbage)
    assert len(notices(wire, "malformed")) == 2
    request = host.calls()
    files.replies(files.calls[-1], {"ok": 1})
    assert host.replies[request].result == {"ok": 1}


def test_a_list_without_end_is_told_of():
    wire = Wire(script("files", answers={"tools/list": {"tools": [], "nextCursor": "on"}}))
    host = wire.legacy_host(server="")
    host.says(call(b"9", "tools/list"))
    assert host.replies[b"9"].result == {"tools": []}
    assert notices(wire, "endless") == ["Its tools/list has more than 200 pages."]


def test_a_list_of_huge_pages_is_left_before_it_fills_the_memory():
    page = {"tools": [{"name": "t", "inputSchema": {}, "description": "x" * (6 << 20)}], "nextCursor": "on"}
    wire = Wire(script("files", answers={"tools/list": page}))
    host = wire.legacy_host(server="")
    host.says(call(b"9", "tools/list"))
    assert len(host.replies[b"9"].result["tools"]) == 1
    assert len(wire.upstreams["files"].calls) == 3
    assert notices(wire, "endless") == ["Its tools/list has more than 16 MiB."]
