"""Batches, notifications of the modern era, and Links."""

from __future__ import annotations

import pytest

from bridge.core.protocol.revisions import MODERN_REVISION, SUBSCRIPTION_KEY, VERSION_KEY
from tests.core.fake_peers import LEGACY, MODERN, Wire, script
from tests.core.routing.relay_samples import pair
from tests.core.wire_messages import ELICIT, FORM, call, response


def test_a_batch_is_taken_apart():
    _, host, server = pair()
    batch = (
        b"["
        + b", ".join(
            (
                call(b"5", "acme/a"),
                b'{"jsonrpc":"2.0","method":"notifications/progress"}',
                call(b"6", "acme/c"),
            )
        )
        + b"]"
    )
    host.says(batch)
    first, note, last = server.new()
    assert (first.method, note.method, last.method) == ("acme/a", "notifications/progress", "acme/c")
    server.says(b"[" + response(last.id, {"n": 6}) + b"," + response(first.id, {"n": 5}) + b"]")
    assert [(message.about, message.result["n"]) for message in host.new()] == [(b"6", 6), (b"5", 5)]


def test_one_bad_message_does_not_spoil_its_batch():
    _, host, server = pair()
    host.says(b"[1," + call(b"5", "acme/a") + b"]")
    assert host.only().error["code"] == -32700
    server.says(b"[1," + response(server.only().id, {"n": 5}) + b"]")
    assert host.only().result == {"n": 5}


# Modern notes


def test_a_listener_hears_under_its_own_id_and_is_never_hurried():
    wire, host, server = pair(MODERN)
    host.requests("subscriptions/listen", {"notifications": {}}, request_id=b'"listen"')
    sent = server.calls[-1]
    for method in ("notifications/subscriptions/acknowledged", "notifications/tools/list_changed"):
        server.notes(method, {"_meta": {SUBSCRIPTION_KEY: int(sent.id), "x": 1}, "y": 2})
        told = host.only()
        assert told.params == {"_meta": {SUBSCRIPTION_KEY: "listen", "x": 1}, "y": 2}
        assert (told.method, told.about) == (method, b'"listen"')
    wire.passes(100_000)
    assert b'"listen"' not in host.replies
    server.notes("notifications/tools/list_changed", {"_meta": {SUBSCRIPTION_KEY: "nobody"}})
    host.calls()
    server.notes("notifications/tools/list_changed")
    assert host.new() == []
    server.replies(sent, {"resultType": "complete"})
    assert host.only().about == b'"listen"'


def test_a_modern_host_hears_what_a_modern_server_says_about_its_request():
    _, host, server = pair(MODERN)
    one, other = host.calls(), host.calls()
    _, second = server.calls
    server.notes("notifications/message", {"level": "info"}, about=second.id)
    told = host.only()
    assert (told.params, told.about) == ({"level": "info"}, other)
    server.replies(second, {})
    host.new()
    server.notes("notifications/message", {"level": "info"})
    assert host.only().about == one


def test_a_modern_host_hears_nothing_it_did_not_ask_a_legacy_server_for():
    wire = Wire(script())
    host = wire.modern_host()
    host.calls()
    wire.upstreams["files"].notes("notifications/message", {"level": "info"})
    assert host.new() == []


def test_a_hosts_notes_do_not_reach_a_modern_server():
    _, host, server = pair(MODERN)
    host.notes("notifications/roots/list_changed")
    assert server.new() == []


def test_a_revision_to_come_is_refused_with_those_we_know():
    _, host, _ = pair()
    host.requests("tools/list", {"_meta": {VERSION_KEY: "2030-01-01"}}, request_id=b"5")
    assert host.only().error == {
        "code": -32022,
        "message": "Unsupported protocol version",
        "data": {"supported": [MODERN_REVISION], "requested": "2030-01-01"},
    }


# Links


def test_what_comes_from_no_link_or_connection_is_ignored():
    wire, host, server = pair()
    host.leaves()
    host.says(call(b"5", "acme/x"))
    host.leaves()
    server.says(response(b"1", {}))
    assert wire.nothing_left()


def test_a_wrapped_server_is_reached_without_being_configured():
    wire = Wire()
    spec = script("mine").spec
    host = wire.legacy_host(wrap=spec, host_name="My Editor")
    request = host.calls("save")
    server = wire.upstreams["mine"]
    server.asks(b"9", FORM)
    assert (wire.question().server, wire.question().host) == ("mine", "My Editor")
    server.replies(server.calls[-1], {"ok": 1})
    assert host.replies[request].result == {"ok": 1}


@pytest.mark.parametrize("server", ["nothing", "off"])
def test_a_server_that_is_unknown_or_switched_off_is_refused(server):
    wire = Wire(script("off", enabled=False))
    host = wire.legacy_host(server=server)
    assert server in host.replies[b"1"].error["message"]
    assert wire.conns == {}


def test_what_a_host_asked_by_itself_is_in_the_history():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    wire.passes(5.0)
    host.answers(host.asked[-1], {"action": "accept", "content": {"name": "Ada"}})
    (record,) = [record for record in wire.records if record.kind == "question"]
    assert (record.outcome, record.seconds, record.facts["sent"]) == ("accept", 5.0, {"name": "Ada"})
    assert record.facts["asked by"] == "the app"


@pytest.mark.parametrize("server", ["", "files"])
@pytest.mark.parametrize("theirs", [LEGACY, MODERN])
@pytest.mark.parametrize("ours", [LEGACY, MODERN])
def test_traces_and_what_others_keep_in_meta_pass_between_all_eras(ours, theirs, server):
    wire = Wire(script("files", theirs))
    host = wire.modern_host(server=server) if ours == MODERN else wire.legacy_host(server=server)
    trace = {"traceparent": "00-1-2-01", "tracestate": "a=b", "baggage": "c=d", "com.acme/x": {"y": [1.50]}}
    request = host.calls("files_save" if server == "" else "save", _meta=trace)
    sent = wire.upstreams["files"].calls[-1]
    assert {key: sent.params["_meta"].get(key) for key in trace} == trace
    wire.upstreams["files"].replies(sent, {"content": [], "_meta": trace, "acme": 1})
    told = host.replies[request].result
    assert (told["_meta"], told["acme"]) == (trace, 1)
