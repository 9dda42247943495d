"""Small words that differ between the eras: errors, results, and who asks for log messages."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.protocol.revisions import LOG_KEY
from tests.core.fake_peers import LEGACY, MODERN, Host, Upstream, Wire, script
from tests.core.wire_messages import ELICIT_ALL, raw

LOGS: dict[str, Any] = {"tools": {}, "logging": {}}
DONE: dict[str, Any] = {"content": []}


def files(wire: Wire) -> Upstream:
    return wire.upstreams["files"]


def of(wire: Wire, era: str) -> Host:
    return wire.legacy_host() if era == LEGACY else wire.modern_host(ELICIT_ALL)


# Errors and results


@pytest.mark.parametrize(
    ("host_era", "era", "code", "told"),
    [
        (LEGACY, LEGACY, -32002, -32002),
        (MODERN, MODERN, -32602, -32602),
        (MODERN, LEGACY, -32002, -32602),
        (LEGACY, MODERN, -32602, -32002),
        (MODERN, LEGACY, -32603, -32603),
        (LEGACY, MODERN, -32603, -32603),
        (LEGACY, MODERN, "odd", "odd"),
    ],
)
def test_a_resource_that_is_not_there_is_missed_in_the_words_of_the_host(host_era, era, code, told):
    wire = Wire(script("files", era, capabilities={"resources": {}}))
    host = of(wire, host_era)
    request = host.requests("resources/read", {"uri": "a://b"})
    error = {"code": code, "message": "not found", "data": {"uri": "a://b"}}
    files(wire).fails(files(wire).calls[-1], error)
    assert host.replies[request].error == {**error, "code": told}


def test_what_is_no_resource_is_not_missed_like_one():
    wire = Wire(script())
    host = wire.modern_host()
    call = host.calls()
    files(wire).fails(files(wire).calls[-1], {"code": -32002, "message": "mine"})
    assert host.replies[call].error == {"code": -32002, "message": "mine"}


@pytest.mark.parametrize(
    ("result", "told"),
    [
        ({"resultType": "complete", "tools": [], "ttlMs": 5}, {"tools": [], "ttlMs": 5}),
        ({"tools": []}, {"tools": []}),
        ({"resultType": "task", "taskId": "1"}, {"resultType": "task", "taskId": "1"}),
        ([1], [1]),
    ],
)
def test_a_legacy_host_sees_nothing_of_result_types(result, told):
    wire = Wire(script("files", MODERN))
    host = wire.legacy_host()
    request = host.requests("tools/list")
    files(wire).replies(files(wire).calls[-1], result)
    assert host.replies[request].result == told


# Logs that a modern host asks for with each request, of a legacy server


def wanting(level: Any) -> dict[str, Any]:
    return {"_meta": {LOG_KEY: level}}


def test_a_legacy_server_is_told_the_level_once_for_each_change():
    wire = Wire(script("files", LEGACY, capabilities=LOGS))
    host = wire.modern_host()
    for level in ("info", "info", "debug"):
        host.calls(**wanting(level))
    host.calls()
    told = [(m.method, (m.params or {}).get("level")) for m in files(wire).calls]
    assert told == [
        ("logging/setLevel", "info"),
        ("tools/call", None),
        ("tools/call", None),
        ("logging/setLevel", "debug"),
        ("tools/call", None),
        ("tools/call", None),
    ]
    files(wire).replies(files(wire).calls[0], {})
    assert host.replies == {}


@pytest.mark.parametrize("plot", [script(), script("files", MODERN, capabilities=LOGS)])
def test_a_server_that_knows_no_levels_or_is_modern_is_not_told_one(plot):
    wire = Wire(plot)
    host = wire.modern_host(ELICIT_ALL)
    host.calls(**wanting("info"))
    assert [call.method for call in files(wire).calls] == ["tools/call"]


def test_a_level_that_is_none_is_refused():
    wire = Wire(script())
    host = wire.modern_host()
    request = host.calls(**wanting(5))
    assert host.replies[request].error["code"] == -32602


def test_log_messages_go_to_the_request_that_asked_for_them():
    wire = Wire(script("files", LEGACY, capabilities=LOGS))
    host = wire.modern_host()
    call = host.calls(**wanting("warning"))
    host.new()
    for level in ("info", "warning", "shout", "alert"):
        files(wire).notes("notifications/message", {"level": level, "data": 1})
    assert [(m.method, m.params["level"], m.about, m.final) for m in host.new()] == [
        ("notifications/message", level, call, False) for level in ("warning", "shout", "alert")
    ]
    files(wire).notes("notifications/message", {"level": 5})
    files(wire).replies(files(wire).calls[-1], DONE)
    host.new()
    files(wire).notes("notifications/message", {"level": "alert"})
    assert host.new() == []


def test_a_request_that_asked_for_no_logs_gets_none():
    wire = Wire(script("files", LEGACY, capabilities=LOGS))
    host = wire.modern_host()
    silent, asked = host.calls(), host.calls(**wanting("debug"))
    first, second = (m for m in files(wire).calls if m.method == "tools/call")
    files(wire).notes("notifications/message", {"level": "info"}, about=first.id)
    assert host.new() == []
    files(wire).notes("notifications/message", {"level": "info"}, about=second.id)
    files(wire).notes("notifications/message", {"level": "info"})
    assert [m.about for m in host.new()] == [asked, asked]
    assert silent not in host.replies


def test_where_hosts_share_a_party_a_log_of_nobody_knows_which_request_is_not_told():
    wire = Wire(script("files", LEGACY, capabilities=LOGS))
    hosts = [wire.modern_host(tenant="app"), wire.modern_host(tenant="app")]
    for host in hosts:
        host.calls(**wanting("debug"))
    files(wire).notes("notifications/message", {"level": "info"})
    assert [host.new() for host in hosts] == [[], []]


# Logs that a legacy host asks for once, of a modern server


def test_a_modern_server_is_told_the_level_with_each_later_request():
    wire = Wire(script("files", MODERN, capabilities=LOGS))
    host = wire.legacy_host()
    host.calls()
    assert LOG_KEY not in files(wire).last().params["_meta"]
    assert host.replies[host.requests("logging/setLevel", {"level": "info"})].result == {}
    call = host.calls()
    assert files(wire).last().params["_meta"][LOG_KEY] == "info"
    host.new()
    files(wire).notes("notifications/message", {"level": "info"}, about=files(wire).last().id)
    assert (host.last().method, host.last().about) == ("notifications/message", call)


def test_a_level_that_makes_no_sense_is_refused():
    wire = Wire(script("files", MODERN, capabilities=LOGS))
    host = wire.legacy_host()
    for level in (5, "loud"):
        assert host.replies[host.requests("logging/setLevel", {"level": level})].error["code"] == -32602


def test_behind_the_merged_entry_every_server_is_told_in_its_own_way():
    listed = {"tools/list": {"tools": [{"name": "x"}]}}
    old = script("old", LEGACY, capabilities=LOGS, answers=listed)
    new = script("new", MODERN, capabilities=LOGS, answers=listed)
    wire = Wire(old, new)
    host = wire.legacy_host(server="")
    host.requests("tools/list")
    host.requests("logging/setLevel", {"level": "error"})
    assert wire.upstreams["old"].last().data.endswith(b'"params":' + raw({"level": "error"}) + b"}")
    host.calls("new_x")
    assert wire.upstreams["new"].last().params["_meta"][LOG_KEY] == "error"
