"""The first words to a server: the host's own era first, then the other, then an error that says why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bridge.core.protocol.handshake import ANONYMOUS_HOST, PATIENCE, Handshake
from bridge.core.protocol.jsonrpc import UNREACHED, peek
from bridge.core.protocol.revisions import CAPABILITIES_KEY, MODERN_REVISION, VERSION_KEY
from bridge.core.questions.question import accept
from bridge.i18n import Words, say
from tests.core.fake_peers import LEGACY, MODERN, Upstream, Wire, script
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, call, failure, raw, response


def heard(server: Upstream) -> list[str]:
    return [message.method for message in server.heard]


def files(wire: Wire) -> Upstream:
    return wire.upstreams["files"]


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


# What goes wrong


def test_when_no_era_fits_the_first_failure_is_told_and_the_server_let_go():
    wire = Wire(script("files", "none"))
    wire.plots["files"].mute = True
    host = wire.legacy_host()
    files(wire).fails(files(wire).last(), {"code": -32000, "message": "Sign in first", "data": {"x": 1}})
    files(wire).fails(files(wire).last(), {"code": -32601, "message": "Method not found"})
    assert host.replies[b"1"].error == {"code": -32000, "message": "Sign in first", "data": {"x": 1}}
    assert not files(wire).open
    assert wire.records[-1].detail == "files would not connect: Sign in first"
    host.leaves()
    assert wire.nothing_left()


@pytest.mark.parametrize(
    "nonsense",
    [
        b'"result":{}',
        b'"result":[]',
        b'"result":{"protocolVersion":5}',
        b'"result":{"protocolVersion":"2025-11-25","capabilities":5}',
        b'"result":{"protocolVersion":"2025-11-25","_meta":5}',
        b'"result":{"protocolVersion":"2025-11-25","x":1,"x":1}',
        b'"error":"boom"',
        b'"error":null',
        b'"x":1',
    ],
)
def test_an_introduction_without_sense_is_a_failure_with_words(nonsense):
    wire = Wire(script(mute=True))
    host = wire.legacy_host()
    for _ in range(2):
        files(wire).says(b'{"jsonrpc":"2.0","id":' + files(wire).last().id + b"," + nonsense + b"}")
    assert host.replies[b"1"].error["message"] == "The server's introduction makes no sense."
    assert wire.state.conns == {}


def test_a_server_that_offers_only_revisions_to_come_is_not_modern():
    wire = Wire(script(mute=True))
    host = wire.modern_host()
    host.requests("tools/list")
    files(wire).replies(files(wire).last(), {"supportedVersions": ["2030-01-01"]})
    assert files(wire).last().method == "initialize"


def test_a_server_that_dies_while_it_starts_is_an_error_at_once():
    wire = Wire(script(mute=True))
    host = wire.legacy_host()
    files(wire).dies("npx: command not found")
    assert host.replies[b"1"].error["message"] == "npx: command not found"
    assert wire.state.conns == {}


def test_requests_wait_for_the_introduction_in_order_unless_they_are_cancelled():
    wire = Wire(script(mute=True))
    host = wire.modern_host()
    _, second, _ = host.calls("one"), host.calls("two"), host.calls("three")
    host.cancels(second)
    files(wire).fails(files(wire).last(), {"code": -32601, "message": "no"})
    files(wire).replies(files(wire).last(), {"protocolVersion": "2025-11-25"})
    assert [message.params["name"] for message in files(wire).calls] == ["one", "three"]
    assert host.replies == {}


@pytest.mark.parametrize("server", ["files", ""])
@pytest.mark.parametrize(
    "hello",
    [
        b'{"capabilities":{},"capabilities":{}}',
        b'{"capabilities":{"x":1,"x":1}}',
        b'{"capabilities":{"elicitation":{"a":1,"a":1}}}',
    ],
)
def test_a_legacy_host_whose_words_cannot_be_repeated_is_refused_before_anything_starts(hello, server):
    wire = Wire(script())
    host = wire.stranger(server)
    host.says(call(b"1", "initialize", hello))
    assert (host.replies[b"1"].error["code"], "twice" in host.replies[b"1"].error["message"]) == (
        -32602,
        True,
    )
    assert wire.conns == {}


def test_a_modern_host_whose_words_cannot_be_repeated_is_refused_before_anything_starts():
    wire = Wire(script())
    host = wire.stranger()
    meta = b'{"%b":"2026-07-28","%b":{"x":1,"x":1}}' % (VERSION_KEY.encode(), CAPABILITIES_KEY.encode())
    host.says(call(b"1", "tools/list", b'{"_meta":' + meta + b"}"))
    assert "twice" in host.replies[b"1"].error["message"]
    assert wire.conns == {}


@pytest.mark.parametrize(
    "hello", [b"[]", b'{"protocolVersion":5}', b'{"capabilities":{"elicitation":5}}', b"7"]
)
def test_an_initialize_without_sense_is_refused(hello):
    wire = Wire(script())
    host = wire.stranger()
    host.says(call(b"1", "initialize", hello))
    assert host.replies[b"1"].error["code"] == -32602
    assert wire.conns == {}


def test_what_a_gone_server_says_is_not_heard():
    wire = Wire(script())
    host = wire.legacy_host()
    request = host.calls()
    server = files(wire)
    asked = server.calls[-1]
    server.dies()
    server.dies()
    server.replies(asked, {})
    assert "error" in host.replies[request].json


def test_a_dial_is_impatient_only_while_there_is_another_era_to_try():
    dial = Handshake(ANONYMOUS_HOST)
    assert dial.is_last_try
    assert dial.receive(peek(failure(b"1", {"code": 1, "message": "no"}))) is None
    assert dial.is_last_try
    assert not dial.exhausted
    found = dial.receive(
        peek(response(b"1", {"supportedVersions": [MODERN_REVISION], "capabilities": {"tools": {}}}))
    )
    assert found is not None
    assert found.has("tools")
    assert not found.has("prompts")


# Out of reach

AWAY = say("Could not reach {server}: {why}", server="files", why=say("{host} was not found.", host="a.b"))


def test_what_did_not_reach_its_server_is_told_in_words_that_windows_can_translate():
    wire = Wire(script("files", MODERN, mute=True))
    host = wire.modern_host(ELICIT)
    request = host.calls()
    server = files(wire)
    server.misses(server.last(), AWAY)
    server.misses(server.last(), AWAY, 404)
    english = "Could not reach files: a.b was not found."
    assert host.replies[request].error == {"code": UNREACHED, "message": english}
    assert wire.router.connections.failures == {"files": AWAY}
    assert isinstance(wire.router.connections.failures["files"], Words)
    assert wire.state.phrases.of(english) is AWAY


def test_a_call_that_did_not_reach_its_server_says_with_which_status():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host(ELICIT)
    request = host.calls()
    server = files(wire)
    server.misses(server.calls[-1], AWAY, 500)
    assert host.replies[request].error == {"code": UNREACHED, "message": AWAY, "data": {"status": 500}}
    server.dies()
    server.misses(server.calls[-1], AWAY)  # nobody hears it


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"code": 1, "message": "Sign in first"}, "files would not connect: Sign in first"),
        (b"{}", "files would not connect: The server's introduction makes no sense."),
    ],
)
def test_of_a_server_that_would_not_connect_all_but_its_own_words_can_be_translated(said: Any, told: str):
    wire = Wire(script("files", MODERN, mute=True))
    wire.modern_host(ELICIT).calls()
    server = files(wire)
    for _ in range(2):
        server.fails(server.last(), said)
    words = wire.router.connections.failures["files"]
    assert isinstance(words, Words)
    assert words == told
    assert isinstance(words.values["reason"], Words) is (said == b"{}")


# Insisting


def refused(*supported: str) -> dict[str, object]:
    return {"code": -32022, "message": "Unsupported protocol version", "data": {"supported": list(supported)}}


def test_a_server_that_names_our_revision_while_refusing_it_is_asked_once_more():
    wire = Wire(script("files", MODERN, mute=True))
    host = wire.modern_host(ELICIT)
    host.calls()
    server = files(wire)
    server.says(failure(server.last().id, refused(MODERN_REVISION)))
    assert heard(server) == ["server/discover", "server/discover"]
    server.says(failure(server.last().id, refused(MODERN_REVISION)))
    assert heard(server) == ["server/discover", "server/discover", "initialize"]


@pytest.mark.parametrize(
    "error",
    [
        refused("2030-01-01"),
        {**refused(MODERN_REVISION), "code": -32601},
        {"code": -32022, "message": "no", "data": "what"},
    ],
)
def test_a_server_that_refuses_our_revision_is_tried_in_the_other_era(error: dict[str, object]):
    wire = Wire(script("files", MODERN, mute=True))
    wire.modern_host(ELICIT).calls()
    server = files(wire)
    server.says(failure(server.last().id, error))
    assert heard(server) == ["server/discover", "initialize"]
