"""In which era a server is met: that of its host, unless the server works in the other one only."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.policy.rules import Policy, Verdict
from bridge.core.protocol.handshake import PATIENCE
from bridge.core.protocol.revisions import MODERN_REVISION, TASKS_EXTENSION
from bridge.core.questions.question import accept
from tests.core.fake_peers import LEGACY, MODERN, Wire, script
from tests.core.routing.test_early_replies import SAVE, modern, restarted, starts
from tests.core.wire_messages import FORM, response

INFO = {"io.modelcontextprotocol/serverInfo": {"name": "files", "version": ""}}
CACHE = {"cacheScope": "private", "capabilities": {"tools": {}}}
PYTHON_SDK = {  # in its order
    **CACHE,
    "resultType": "complete",
    "supportedVersions": [MODERN_REVISION],
    "ttlMs": 0,
    "_meta": INFO,
}
FASTMCP_SDK = {
    "_meta": INFO,
    "ttlMs": 0,
    "cacheScope": "private",
    "supportedVersions": [MODERN_REVISION],
    "capabilities": {"tools": {}},
    "instructions": "Be brief.",
    "resultType": "complete",
}


def dies_at_discover(wire: Wire) -> None:
    wire.upstreams["files"].dies("a traceback")


@pytest.mark.parametrize("server", ["files", ""])
def test_a_server_that_ends_at_discover_is_started_again_with_initialize(server):
    wire = Wire(script(mute=True))
    host = wire.modern_host(server=server)
    call = host.calls("files_save" if not server else "save")
    listed = host.requests("tools/list")
    wire.plots["files"].mute = False
    wire.plots["files"].answers = {"tools/list": {"tools": [SAVE]}, "tools/call": {"ok": 1}}
    dies_at_discover(wire)
    assert host.replies[call].result["ok"] == 1
    assert listed in host.replies
    host.leaves()
    again = wire.modern_host()
    again.calls("save")
    assert wire.upstreams["files"].heard[0].method == "initialize"


def test_a_call_that_waits_for_approval_goes_to_the_server_that_was_started_again():
    wire = Wire(script(mute=True), policy=Policy((("files_save", Verdict.CONFIRM),)))
    host = wire.modern_host()
    call = host.calls("save")
    wire.plots["files"].mute = False
    wire.plots["files"].answers = {"tools/call": {"ok": 1}}
    dies_at_discover(wire)
    wire.person(accept({}))
    assert host.replies[call].result["ok"] == 1


def test_a_question_that_the_server_asked_before_it_ended_is_withdrawn():
    wire = Wire(script(mute=True))
    wire.modern_host().calls("save")
    wire.upstreams["files"].asks(b"9", FORM)
    assert wire.question().message == "Who?"
    dies_at_discover(wire)
    assert wire.desk == []


def test_one_that_ends_anyway_fails_and_nothing_is_learned():
    wire = Wire(script(mute=True))
    host = wire.modern_host()
    call = host.calls()
    dies_at_discover(wire)
    wire.upstreams["files"].dies("no paper")
    assert host.replies[call].error["message"] == "no paper"
    host.calls()
    assert wire.upstreams["files"].heard[0].method == "server/discover"


def test_one_that_does_not_answer_discover_is_not_asked_again():
    wire = Wire(script(mute=True))
    host = wire.modern_host()
    host.calls()
    wire.passes(PATIENCE)
    starts(wire)
    host.leaves()
    wire.modern_host().calls()
    assert wire.upstreams["files"].heard[0].method == "initialize"


# --- servers that can ask in one era only --------------------------------------------------------------


@pytest.mark.parametrize("sdk", [PYTHON_SDK, FASTMCP_SDK])
def test_a_server_whose_sdk_asks_in_the_legacy_era_only_is_met_there_before_its_first_call(sdk):
    wire = Wire(script("files", LEGACY, MODERN, mute=True))
    host = wire.modern_host()
    call = host.calls("order")
    first = wire.upstreams["files"]
    wire.plots["files"].mute = False
    first.replies(first.heard[0], sdk)
    legacy = wire.upstreams["files"]
    assert (first.open, first.calls, legacy.heard[0].method) == (False, [], "initialize")
    legacy.replies(legacy.calls[-1], {"content": []})
    assert host.replies[call].result["content"] == []
    wire.modern_host().calls("order")
    assert wire.upstreams["files"].heard[0].method == "initialize"
    assert wire.saved_memories


def test_one_that_offers_tasks_of_the_modern_era_is_met_in_it():
    wire = Wire(script("files", LEGACY, MODERN, mute=True))
    wire.modern_host().calls("order")
    files = wire.upstreams["files"]
    lasting: dict[str, Any] = {"tools": {}, "extensions": {TASKS_EXTENSION: {}}}
    files.replies(files.heard[0], {**PYTHON_SDK, "capabilities": lasting})
    assert (files.open, [one.method for one in files.calls]) == (True, ["tools/call"])


def test_one_that_then_refuses_the_legacy_era_stays_in_the_modern_one():
    wire = Wire(script("files", MODERN, mute=True))
    host = wire.modern_host()
    host.calls("order")
    first = wire.upstreams["files"]
    wire.plots["files"].mute = False
    first.replies(first.heard[0], PYTHON_SDK)
    assert [one.method for one in wire.upstreams["files"].heard[:2]] == ["initialize", "server/discover"]
    assert len(wire.upstreams["files"].calls) == 1
    wire.modern_host().calls("order")
    assert wire.upstreams["files"].heard[0].method == "server/discover"


def test_a_list_that_a_host_got_early_is_compared_though_the_server_is_met_anew():
    wire = restarted(MODERN)
    host = modern(wire)
    host.requests("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
    listed = host.requests("tools/list")
    assert host.replies[listed].result["tools"] == [SAVE]
    first = wire.upstreams["files"]
    first.replies(first.heard[0], PYTHON_SDK)
    starts(wire, ())
    assert wire.upstreams["files"] is not first
    assert "notifications/tools/list_changed" in [message.method for message in host.new()]


def test_a_call_that_waits_for_the_servers_tools_waits_for_the_server_that_is_met_anew():
    policy = Policy((("files_order", Verdict.ALLOW),))
    wire = Wire(
        script("files", LEGACY, MODERN, answers={"tools/list": {"tools": [{"name": "order"}]}}), policy=policy
    )
    host = wire.legacy_host()
    host.requests("tools/list")
    host.calls("order")
    wire.upstreams["files"].dies()
    wire.plots["files"].mute = True
    wire.passes(60.0)
    wire.modern_host().calls("order")
    first = wire.upstreams["files"]
    wire.plots["files"].mute = False
    first.replies(first.heard[0], PYTHON_SDK)
    files = wire.upstreams["files"]
    assert [one.method for one in files.calls] == ["tools/list", "tools/call"]


def test_settings_that_name_an_era_win_over_what_is_recognised():
    wire = Wire(script("files", LEGACY, MODERN, mute=True, era="modern"))
    host = wire.legacy_host()
    call = host.calls("order")
    files = wire.upstreams["files"]
    files.replies(files.heard[0], PYTHON_SDK)
    files.fails(files.calls[-1], {"code": -32600, "message": NO_CHANNEL})
    assert wire.upstreams["files"] is files
    assert host.replies[call].error["message"] == NO_CHANNEL


# --- tools that could not ask --------------------------------------------------------------------------

NO_CHANNEL = (
    "Cannot send 'elicitation/create': "
    "this transport context has no back-channel for server-initiated requests."
)
FAILED = {"isError": True, "resultType": "complete"}
FASTMCP = "elicitation via server-initiated requests is unavailable on 2026-07-28 connections."
TYPESCRIPT = (
    "Server-to-client requests are not available on protocol revision 2026-07-28: 'elicitation/create'"
)
RETURNED = "Tool 'order' returned an InputRequiredResult to request client input, but"


def text(words: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}]}


@pytest.mark.parametrize("reply", [NO_CHANNEL, FASTMCP, TYPESCRIPT])
def test_a_tool_that_could_not_ask_is_not_run_again_and_the_next_call_goes_where_it_can(reply):
    wire = Wire(script("files", LEGACY, MODERN))
    host = wire.modern_host()
    call = host.calls("order")
    files = wire.upstreams["files"]
    if reply is NO_CHANNEL:
        files.fails(files.calls[-1], {"code": -32600, "message": reply})
    else:
        files.replies(files.calls[-1], {**text(reply), **FAILED})
    result = host.replies[call].result
    assert result["isError"]
    assert "call it again if that does no harm" in result["content"][0]["text"]
    assert files.open is False
    assert len(files.calls) == 1
    host.calls("order")
    legacy = wire.upstreams["files"]
    assert legacy.heard[0].method == "initialize"
    assert [one.method for one in legacy.calls] == ["tools/call"]
    assert wire.saved_memories


@pytest.mark.parametrize("reply", [RETURNED, "Handler returned an invalid result"])
def test_a_tool_that_returns_its_question_is_met_in_the_modern_era_from_the_next_call_on(reply):
    wire = Wire(script("files", LEGACY, MODERN))
    host = wire.legacy_host()
    call = host.calls("order")
    files = wire.upstreams["files"]
    files.fails(files.calls[-1], {"code": -32602, "message": reply})
    assert host.replies[call].result["isError"]
    host.calls("order")
    assert wire.upstreams["files"].heard[0].method == "server/discover"


def test_a_server_with_tools_of_both_kinds_changes_its_era_once():
    wire = Wire(script("files", LEGACY, MODERN))
    host = wire.modern_host()
    host.calls("order")
    files = wire.upstreams["files"]
    files.fails(files.calls[-1], {"code": -32600, "message": NO_CHANNEL})
    call = host.calls("sign")
    legacy = wire.upstreams["files"]
    legacy.fails(legacy.calls[-1], {"code": -32602, "message": RETURNED})
    assert host.replies[call].error["message"] == RETURNED
    assert wire.upstreams["files"] is legacy


def test_several_hosts_find_it_out_at_once():
    wire = Wire(script("files", LEGACY, MODERN))
    hosts = [wire.modern_host(), wire.modern_host()]
    for host in hosts:
        host.calls("order")
    for files in list(wire.conns.values()):
        files.fails(files.calls[-1], {"code": -32600, "message": NO_CHANNEL})
    for host in hosts:
        host.calls("order")
    assert {files.heard[0].method for files in wire.conns.values() if files.open} == {"initialize"}


@pytest.mark.parametrize(
    ("method", "result"),
    [
        ("tools/call", text(FASTMCP)),
        ("tools/call", {**text("server-initiated requests are fine"), **FAILED}),
        ("prompts/get", {"messages": [FASTMCP]}),
    ],
)
def test_what_only_quotes_that_error_is_passed_on(method, result):
    wire = Wire(script("files", LEGACY, MODERN))
    host = wire.modern_host()
    request = host.requests(method, {"name": "docs"})
    files = wire.upstreams["files"]
    files.says(response(files.calls[-1].id, result))
    assert (request in host.replies, files.open) == (True, True)
