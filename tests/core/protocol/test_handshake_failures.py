"""Handshakes that fail: refusals, silence, servers out of reach."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.protocol.handshake import ANONYMOUS_HOST, Handshake
from bridge.core.protocol.jsonrpc import UNREACHED, peek
from bridge.core.protocol.revisions import CAPABILITIES_KEY, MODERN_REVISION, VERSION_KEY
from bridge.i18n import Words, say
from tests.core.fake_peers import MODERN, Wire, script
from tests.core.protocol.handshake_samples import files, heard
from tests.core.wire_messages import ELICIT, call, failure, response


def test_when_no_era_fits_the_first_failure_is_told_and_the_server_let_go():
    wire = Wire(script("files", "none"))
    wire.plots["files"].mute = True
    host = wire.legacy_host()
    files(wire).fails(files(wire).last(), {"code": -32000, "message": "Sign in first", "data": {"x": 1}})
    files(wire).fails(files(wire).last(), {"code": -32601, "message": "Method not found"})
    assert host.replies[b"1"].error == {"code": -32000, "message": "Sign in first", "data": {"x": 1}}
    assert not files(wire).open
    assert wire.records[-1].detail == "files could not be connected: Sign in first"
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
    assert host.replies[b"1"].error["message"] == "The server's reply to the handshake is not valid."
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
        ({"code": 1, "message": "Sign in first"}, "files could not be connected: Sign in first"),
        (b"{}", "files could not be connected: The server's reply to the handshake is not valid."),
    ],
)
def test_the_message_about_a_failed_handshake_can_be_translated_except_for_the_words_of_the_server(
    said: Any, told: str
):
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
