"""The first words to a server: the host's own era first, then the other, then an error that says why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge.core.protocol.handshake import PATIENCE
from bridge.core.protocol.revisions import CAPABILITIES_KEY, MODERN_REVISION, VERSION_KEY
from bridge.core.questions.question import accept
from tests.core.fake_peers import LEGACY, MODERN, Wire, script
from tests.core.protocol.handshake_samples import files, heard
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, raw

# Matching


def test_a_server_of_both_eras_meets_a_legacy_host_in_its_own():
    wire = Wire(script("files", LEGACY, MODERN))
    host = wire.legacy_host(ELICIT)
    host.requests("tools/list")
    assert heard(files(wire)) == ["initialize", "notifications/initialized", "tools/list"]


def test_a_server_of_both_eras_meets_a_modern_host_in_its_own():
    wire = Wire(script("files", LEGACY, MODERN))
    host = wire.modern_host(ELICIT)
    host.requests("tools/list")
    assert heard(files(wire)) == ["server/discover", "tools/list"]


def test_a_server_of_both_eras_meets_a_caller_without_mcp_in_the_older_where_all_it_asks_works():
    wire = Wire(script("files", LEGACY, MODERN))
    host = wire.modern_host(tenant="cli", plain=True, host_name="Command line")
    call = host.calls()
    assert heard(files(wire)) == ["initialize", "notifications/initialized", "tools/call"]
    files(wire).asks(b"9", FORM)
    wire.person(accept({"name": "Ada"}))
    assert files(wire).last().result == {"action": "accept", "content": {"name": "Ada"}}
    files(wire).replies(files(wire).calls[-1], {"content": []})
    assert host.replies[call].result["resultType"] == "complete"


@pytest.mark.parametrize(
    ("era", "first"), [("legacy", "initialize"), ("modern", "server/discover"), ("", "server/discover")]
)
def test_the_settings_may_say_in_which_era_a_server_of_both_is_met(era: str, first: str):
    plot = script("files", LEGACY, MODERN)
    wire = Wire(replace(plot, spec=replace(plot.spec, era=era)))
    wire.modern_host(ELICIT).requests("tools/list")
    assert heard(files(wire))[0] == first


def test_a_server_that_does_not_speak_the_era_of_the_settings_is_met_in_the_other():
    plot = script("files", MODERN)
    wire = Wire(replace(plot, spec=replace(plot.spec, era="legacy")))
    wire.modern_host(ELICIT).requests("tools/list")
    assert heard(files(wire)) == ["initialize", "server/discover", "tools/list"]


def test_a_caller_without_mcp_reaches_a_modern_server_too():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host(tenant="cli", plain=True)
    host.calls()
    assert heard(files(wire)) == ["initialize", "server/discover", "tools/call"]


def test_each_host_has_a_connection_of_its_own():
    wire = Wire(script("files", LEGACY, MODERN))
    one = wire.legacy_host()
    mine = files(wire)
    other = wire.modern_host()
    other.calls()
    theirs = files(wire)
    assert (mine.heard[0].method, theirs.heard[0].method) == ("initialize", "server/discover")
    other.leaves()
    assert (mine.open, theirs.open) == (True, False)
    one.leaves()
    assert wire.nothing_left()


def test_a_legacy_host_falls_back_to_a_modern_server():
    wire = Wire(script("files", MODERN))
    host = wire.legacy_host(ELICIT)
    assert heard(files(wire)) == ["initialize", "server/discover"]
    host.requests("tools/list")
    assert files(wire).last().params["_meta"][VERSION_KEY] == MODERN_REVISION


def test_a_modern_host_falls_back_to_a_legacy_server():
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    host.requests("tools/list")
    assert heard(files(wire)) == ["server/discover", "initialize", "notifications/initialized", "tools/list"]


def test_a_legacy_server_that_ignores_what_it_does_not_know_is_not_waited_for_long():
    wire = Wire(script(mute=True))
    host = wire.modern_host(ELICIT)
    request = host.requests("tools/list")
    wire.passes(PATIENCE - 1)
    assert heard(files(wire)) == ["server/discover"]
    wire.plots["files"].mute = False
    wire.passes(1)
    assert heard(files(wire))[:3] == ["server/discover", "initialize", "notifications/initialized"]
    discover = files(wire).heard[0]
    files(wire).replies(discover, {"supportedVersions": [MODERN_REVISION]})
    files(wire).replies(files(wire).last(), {"tools": []})
    assert host.replies[request].result["tools"] == []


def test_a_server_that_never_introduces_itself_is_told_of_once_and_may_still_come():
    wire = Wire(script(mute=True, timeout=30.0))
    host = wire.legacy_host(ELICIT)
    host.requests("tools/list")
    wire.passes(29)
    assert wire.state.conns[files(wire).conn].overdue == ""
    wire.passes(1)
    wire.passes(100)
    notices = [(record.outcome, record.detail) for record in wire.records if record.kind == "notice"]
    assert notices == [("silent", "files did not answer within 30 seconds.")]
    assert files(wire).open
    assert wire.router.connections.failures == {"files": "files did not answer within 30 seconds."}
    wire.plots["files"].mute = False
    files(wire).replies(files(wire).heard[0], {"protocolVersion": "2025-11-25", "capabilities": {}})
    assert wire.router.connections.failures == {}


def test_a_modern_server_that_is_slow_to_start_is_asked_once_more():
    wire = Wire(script("files", MODERN, mute=True))
    host = wire.modern_host(ELICIT)
    request = host.requests("tools/list")
    wire.passes(PATIENCE)
    discover, initialize = files(wire).heard
    wire.passes(PATIENCE)
    assert heard(files(wire)) == ["server/discover", "initialize"]
    wire.plots["files"].mute = False
    found = {"supportedVersions": [MODERN_REVISION], "capabilities": {}}
    files(wire).replies(discover, found)
    files(wire).fails(initialize, {"code": -32601, "message": "no such method"})
    assert heard(files(wire)) == ["server/discover", "initialize", "server/discover", "tools/list"]
    files(wire).replies(files(wire).last(), {"tools": []})
    assert host.replies[request].result["tools"] == []


def test_a_server_that_is_slow_and_then_of_neither_era_says_why():
    wire = Wire(script(mute=True))
    host = wire.modern_host(ELICIT)
    request = host.calls()
    wire.passes(PATIENCE)
    files(wire).fails(files(wire).last(), {"code": 1, "message": "no initialize"})
    files(wire).fails(files(wire).last(), {"code": 2, "message": "no discover"})
    assert host.replies[request].error["message"] == "no initialize"
    assert wire.state.conns == {}


def test_a_server_that_says_nothing_at_all_is_given_up_when_its_time_is_over():
    wire = Wire(script(mute=True, timeout=30.0))
    host = wire.legacy_host()
    call = host.calls()
    wire.passes(29)
    assert call not in host.replies
    wire.passes(1)
    assert host.replies[call].error == {"code": -32001, "message": "files did not answer within 30 seconds."}
    assert wire.state.open_requests == {}
    assert wire.state.conns[files(wire).conn].backlog == []


# What is said in the host's name


def test_upstream_a_host_seems_able_to_elicit_and_speaks_for_itself_otherwise():
    wire = Wire(script())
    can = {"roots": {"listChanged": True}, "experimental": {"x": {}}}
    host = wire.stranger()
    host.requests(
        "initialize",
        b'{"capabilities":%b,"acme":1e400,"protocolVersion":"2024-11-05","clientInfo":{"name":"H","title":"\\u00e9"}}'
        % raw(can),
    )
    hello = files(wire).heard[0]
    assert hello.params["capabilities"] == {**can, **ELICIT_ALL, "sampling": {}}
    assert hello.params["protocolVersion"] == "2025-11-25"
    assert b'"acme":1e400' in hello.data
    assert b'"clientInfo":{"name":"H","title":"\\u00e9"}' in hello.data
    assert host.replies[b"1"].result["protocolVersion"] == "2024-11-05"


@pytest.mark.parametrize(
    ("elicitation", "widened"),
    [
        ({}, {"form": {}, "url": {}}),
        ({"form": {"x": 1}}, {"form": {}, "url": {}}),
        ({"url": {"x": 1}}, {"form": {}, "url": {}}),
        ({"url": {"x": 1}, "form": {"y": 1}}, {"url": {"x": 1}, "form": {"y": 1}}),
    ],
)
def test_every_way_to_elicit_is_declared_upstream(elicitation, widened):
    wire = Wire(script())
    wire.legacy_host({"elicitation": elicitation})
    assert files(wire).heard[0].params["capabilities"] == {"elicitation": widened, "sampling": {}}


def test_a_host_that_says_nothing_of_itself_still_gets_through():
    wire = Wire(script())
    host = wire.stranger()
    request = host.requests("tools/list")
    hello = files(wire).heard[0]
    assert hello.params["clientInfo"]["name"] == "deskbell"
    assert heard(files(wire)) == ["initialize", "tools/list"]
    files(wire).replies(files(wire).last(), {"tools": []})
    assert host.replies[request].result == {"tools": []}
    host.notes("notifications/initialized")
    assert files(wire).last().data == b'{"jsonrpc":"2.0","method":"notifications/initialized"}'


def test_a_modern_host_without_a_name_is_passed_on_as_one():
    wire = Wire(script("files", MODERN))
    host = wire.stranger()
    host.meta = {VERSION_KEY: MODERN_REVISION, CAPABILITIES_KEY: {}}
    host.requests("tools/list")
    assert set(files(wire).last().params["_meta"]) == {VERSION_KEY, CAPABILITIES_KEY}


@pytest.mark.parametrize(
    ("asked", "offered", "told"),
    [
        ("2025-06-18", "2025-11-25", "2025-06-18"),
        ("2025-11-25", "2025-03-26", "2025-03-26"),
        ("2025-11-25", "2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25", "2025-11-25"),
    ],
)
def test_host_and_server_agree_on_the_older_revision(asked, offered, told):
    wire = Wire(script(revision=offered))
    host = wire.legacy_host(revision=asked)
    assert host.replies[b"1"].result["protocolVersion"] == told


def test_instructions_cross_the_eras():
    wire = Wire(script("files", MODERN, mute=True), script("notes", mute=True))
    old = wire.legacy_host()
    files(wire).fails(files(wire).last(), {"code": -32601, "message": "no"})
    files(wire).replies(
        files(wire).last(), {"supportedVersions": [MODERN_REVISION], "instructions": "Be kind."}
    )
    assert old.replies[b"1"].result == {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "serverInfo": {"name": "", "version": ""},
        "instructions": "Be kind.",
    }
    new = wire.modern_host(server="notes")
    found = new.requests("server/discover")
    notes = wire.upstreams["notes"]
    notes.fails(notes.last(), {"code": -32601, "message": "no"})
    notes.replies(notes.last(), {"protocolVersion": "2025-06-18", "instructions": "Be kind."})
    assert new.replies[found].result["instructions"] == "Be kind."
