"""Approvals that a host asks for, also one without session."""

from __future__ import annotations

import pytest

from bridge.core.policy.rules import HostRule, Policy, QuestionPlace
from bridge.core.protocol.revisions import CAPABILITIES_KEY, INFO_KEY, MODERN_REVISION, REMOVED, VERSION_KEY
from bridge.core.questions.question import DECLINE, Mode, accept
from tests.core.fake_peers import LEGACY, MODERN, Wire, script
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, URL, wants


@pytest.mark.parametrize("can", [ELICIT, ELICIT_ALL])
@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize("host_era", [LEGACY, MODERN])
def test_a_host_may_be_kept_from_asking(host_era, era, can):
    wire = Wire(script("files", era), policy=Policy(hosts={"Shy": HostRule(QuestionPlace.DESKTOP)}))
    host = wire.legacy_host(can, name="Shy") if host_era == LEGACY else wire.modern_host(can, name="Shy")
    request = host.calls()
    server = wire.upstreams["files"]
    if era == LEGACY:
        server.asks(b"9", FORM)
    else:
        server.replies(server.calls[-1], wants(who=FORM))
    assert request not in host.replies
    assert host.asked == []
    wire.person(accept({"name": "Ada"}))
    server.replies(server.calls[-1], {"ok": 1})
    assert host.replies[request].result["ok"] == 1


def test_a_host_kept_from_asking_still_gives_its_roots():
    wire = Wire(script(), policy=Policy(hosts={"*": HostRule(QuestionPlace.DESKTOP)}))
    host = wire.legacy_host({"roots": {}, **ELICIT})
    host.calls()
    wire.upstreams["files"].asks(b"9", method="roots/list")
    assert host.last().method == "roots/list"


def test_a_host_that_does_not_say_it_can_may_be_trusted_with_forms():
    wire = Wire(script(), policy=Policy(hosts={"*": HostRule(QuestionPlace.HOST)}))
    host = wire.legacy_host()
    host.calls()
    wire.upstreams["files"].asks(b"8", FORM)
    wire.upstreams["files"].asks(b"9", URL)
    assert host.asked[-1].params == FORM
    assert wire.question().mode is Mode.URL


def test_a_modern_host_trusted_with_forms_is_handed_them():
    wire = Wire(script(), policy=Policy(hosts={"*": HostRule(QuestionPlace.HOST)}))
    host = wire.modern_host()
    request = host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    assert host.replies[request].result["resultType"] == "input_required"


def test_the_name_the_entry_gives_a_host_is_the_one_that_counts():
    wire = Wire(script(), policy=Policy(hosts={"Editor": HostRule(QuestionPlace.DESKTOP)}))
    host = wire.legacy_host(ELICIT, name="generic-mcp", host_name="Editor")
    host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    assert wire.question().host == "Editor"


def test_a_host_that_has_no_name_is_called_unknown():
    wire = Wire(script())
    host = wire.stranger()
    host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    assert wire.question().host == "Unknown Client"


# Stateless hosts


def test_stateless_requests_of_one_host_share_a_connection_and_none_of_its_answers():
    wire = Wire(script())
    one, other = (wire.modern_host(tenant="app") for _ in range(2))
    first, second = one.calls("a"), other.calls("b")
    assert len(wire.conns) == 1
    server = wire.upstreams["files"]
    for message in server.calls:
        server.replies(message, {"for": message.params["name"]})
    assert one.replies[first].result["for"] == "a"
    assert other.replies[second].result["for"] == "b"


def test_among_stateless_hosts_nobody_is_guessed_at():
    wire = Wire(script())
    one, other = (wire.modern_host(ELICIT, tenant="app") for _ in range(2))
    one.calls()
    other.calls()
    server = wire.upstreams["files"]
    server.asks(b"9", FORM)
    assert one.replies == other.replies == {}
    wire.person(DECLINE)
    assert server.last().result == {"action": "decline"}


def test_a_stateless_host_is_known_by_what_each_request_says():
    wire = Wire(script())
    able = wire.modern_host(ELICIT, tenant="app")
    unable = wire.modern_host(tenant="app", name="Other")
    request = unable.calls()
    server = wire.upstreams["files"]
    server.asks(b"8", FORM)
    assert wire.question().host == "Other"
    wire.person(DECLINE)
    server.replies(server.calls[-1], {})
    assert unable.replies[request].result == {"resultType": "complete"}
    handed = able.calls()
    server.asks(b"9", FORM)
    assert able.replies[handed].result["resultType"] == "input_required"


def test_stateless_hosts_that_differ_in_name_alone_are_told_apart():
    wire = Wire(script())
    for name in ("One", "Other"):
        wire.modern_host(tenant="app", name=name).calls()
    server = wire.upstreams["files"]
    server.asks(b"9", FORM, about=server.calls[-1].id)
    assert wire.question().host == "Other"


def test_a_host_that_becomes_modern_is_answered_as_one():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    info = {"name": "Old Host", "version": "1"}
    host.meta = {VERSION_KEY: MODERN_REVISION, CAPABILITIES_KEY: ELICIT, INFO_KEY: info}
    request = host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    assert host.replies[request].result["resultType"] == "input_required"


@pytest.mark.parametrize("method", sorted(REMOVED))
def test_what_the_modern_era_removed_is_not_found_there(method: str):
    wire = Wire(script("files", LEGACY, MODERN))
    host = wire.modern_host()
    host.requests(method, {"protocolVersion": "2025-11-25", "capabilities": {}})
    assert host.last().json["error"]["code"] == -32601
    assert wire.upstreams == {}
