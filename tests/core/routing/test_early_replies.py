"""A host is answered while its server starts: from the server's last run, or by Deskbell itself."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core import events as ev
from bridge.core.policy.rules import HostRule, Policy
from bridge.core.ports import ServerSpec
from bridge.core.routing.connections.retired_connections import FINISH
from bridge.core.routing.early_replies import LONG_PATIENCE
from bridge.core.routing.held import wait_tool
from bridge.core.routing.lists.merged_lists import COMPLETE, PATIENCE
from bridge.core.routing.router import IDLE_TENANT
from bridge.core.routing.server_memory import LARGEST, MOST_KEYS, ServerMemory
from tests.core.fake_peers import LEGACY, MODERN, Host, Wire, script
from tests.core.wire_messages import FORM

SAVE, LOAD = {"name": "save"}, {"name": "load"}
REREADS = "claude-code"  # reads its lists again when they change
CHANGED = "notifications/tools/list_changed"
ALL: dict[str, Any] = {"tools": {}, "prompts": {}, "resources": {}}


def restarted(*eras: str, tools: Any = (SAVE,), can: Any = None, **more: Any) -> Wire:
    """A server that was asked for its tools by a host of its era, and then takes long to start again."""
    lists = {"tools/list": {"tools": list(tools)}, "prompts/list": {"prompts": [{"name": "greet"}]}}
    plot = script("files", *eras, answers=lists, **more)
    wire = Wire(plot)
    host = modern(wire, can) if eras == (MODERN,) else wire.legacy_host(can)
    for method in lists:
        host.requests(method)
    host.leaves()
    plot.mute = True
    return wire


def modern(wire: Wire, can: Any = None, **more: Any) -> Host:
    host = wire.modern_host(can, **more)
    host.requests("server/discover")
    return host


def starts(wire: Wire, tools: Any = (SAVE,), capabilities: Any = None) -> None:
    """The server introduces itself, and from then on answers."""
    files, plot = wire.upstreams["files"], wire.plots["files"]
    plot.mute, plot.answers = False, {"tools/list": {"tools": list(tools)}}
    plot.capabilities = plot.capabilities if capabilities is None else capabilities
    hello = [message for message in files.heard if message.method in ("initialize", "server/discover")][-1]
    files.says(plot.reply(hello) or b"")


def tools(host: Host, request: bytes) -> list[str]:
    return [tool["name"] for tool in host.replies[request].result["tools"] if tool["name"] != wait_tool.NAME]


@pytest.mark.parametrize("server", [LEGACY, MODERN])
def test_a_legacy_host_gets_introduction_and_tools_before_its_server_has_started(server):
    wire = restarted(server)
    if server == MODERN:
        wire.plots["files"].mute = False
        wire.legacy_host().requests("tools/list")
        wire.plots["files"].mute = True
    host = wire.legacy_host()
    assert host.replies[b"1"].result["serverInfo"]["name"] == "files-server"
    assert tools(host, host.requests("tools/list")) == ["save"]
    assert host.replies[host.requests("ping")].result == {}
    host.new()
    starts(wire)
    assert host.new() == []
    sent = [message.method for message in wire.upstreams["files"].heard]
    assert ("notifications/initialized" in sent) is (server == LEGACY)


@pytest.mark.parametrize("server", [LEGACY, MODERN])
def test_a_modern_host_too(server):
    wire = restarted(MODERN) if server == MODERN else Wire(script(answers={"tools/list": {"tools": [SAVE]}}))
    if server == LEGACY:
        modern(wire).requests("tools/list")
        wire.plots["files"].mute = True
    host = modern(wire)
    assert "2026-07-28" in host.replies[b"1"].result["supportedVersions"]
    request = host.requests("tools/list")
    assert (tools(host, request), host.replies[request].result["ttlMs"]) == (["save"], 0)


def test_a_list_that_was_wrong_is_corrected_and_the_next_start_has_the_right_one():
    wire = restarted()
    host = wire.legacy_host()
    host.requests("tools/list")
    host.new()
    starts(wire, (SAVE, LOAD))
    assert [message.method for message in host.new()] == [CHANGED]
    assert tools(host, host.requests("tools/list")) == ["save", "load"]
    wire.plots["files"].mute = True
    other = wire.legacy_host()
    assert tools(other, other.requests("tools/list")) == ["save", "load"]


@pytest.mark.parametrize("kind", ["toolsListChanged", "promptsListChanged"])
def test_a_modern_host_hears_of_the_change_where_it_listens(kind):
    wire = restarted(MODERN)
    host = modern(wire)
    host.requests("tools/list")
    listens = host.requests("subscriptions/listen", {"notifications": {kind: True}})
    call = host.calls()
    host.new()
    starts(wire, (LOAD,))
    heard = [message for message in host.new() if message.method == CHANGED]
    assert len(heard) == (kind == "toolsListChanged")
    assert all(one.params["_meta"]["io.modelcontextprotocol/subscriptionId"] == int(listens) for one in heard)
    assert call not in host.replies


def test_what_a_server_no_longer_has_is_an_empty_list_to_a_host_that_was_told_of_it():
    wire = restarted(capabilities=ALL)
    host = wire.legacy_host()
    host.requests("tools/list")
    host.new()
    starts(wire, capabilities={"resources": {}})
    assert [message.method for message in host.new()] == [CHANGED]
    assert tools(host, host.requests("tools/list")) == []
    wire.state.memory.entries.clear()
    later = wire.legacy_host()
    later.requests("tools/list")
    assert [message.method for message in wire.upstreams["files"].calls] == ["tools/list"]  # it was not told


def test_a_call_waits_for_the_server():
    wire = restarted()
    host = wire.legacy_host()
    assert [one["name"] for one in host.replies[host.requests("prompts/list")].result["prompts"]] == ["greet"]
    call = host.calls()
    assert call not in host.replies
    starts(wire)
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], {"ok": 1})
    assert host.replies[call].result == {"ok": 1}


def test_a_host_that_can_do_more_is_not_given_the_list_of_one_that_can_less():
    wire = restarted()
    host = wire.legacy_host({"roots": {}})
    assert b"1" not in host.replies
    same = wire.legacy_host({"elicitation": {"form": {}, "url": {}}})
    assert b"1" in same.replies  # towards servers every host can elicit
    for server in ("", "files"):
        wire.legacy_host({"sampling": {}, "roots": {}}, server=server)


def test_merged_lists_differ_by_capabilities_too():
    wire = Wire(script(answers={"tools/list": {"tools": [SAVE]}}))
    first = wire.legacy_host(server="")
    first.requests("tools/list")
    wire.plots["files"].mute = True
    same, other = wire.legacy_host(server=""), wire.legacy_host({"roots": {}}, server="")
    assert same.requests("tools/list") in same.replies
    request = other.requests("tools/list")
    assert request not in other.replies
    wire.passes(PATIENCE)
    assert tools(other, request) == []


def test_tools_that_a_host_is_not_offered_are_not_in_an_early_list_either():
    wire = restarted(tools=(SAVE, LOAD))
    wire.edits(wire.state.servers, Policy(hosts={"*": HostRule(tools=("files_load",))}))
    host = wire.legacy_host()
    assert tools(host, host.requests("tools/list")) == ["load"]


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_at_its_first_run_a_server_is_introduced_by_deskbell_after_a_short_while(era):
    wire = Wire(script("files", era, mute=True))
    host = modern(wire, name=REREADS) if era == MODERN else wire.legacy_host(name=REREADS)
    wire.passes(PATIENCE - 0.1)
    assert b"1" not in host.replies
    wire.passes(0.1)
    result = host.replies[b"1"].result
    assert result["capabilities"] == {
        name: {"listChanged": True} for name in ("tools", "prompts", "resources")
    }
    assert b'"name":"files"' in host.replies[b"1"].data
    host.notes("notifications/initialized")
    request, ping = host.requests("tools/list"), host.requests("ping")
    wire.passes(PATIENCE)
    assert tools(host, request) == []
    assert ping in host.replies
    host.new()
    starts(wire)
    if era == LEGACY:
        assert [message.method for message in host.new()] == [CHANGED]
    assert tools(host, host.requests("tools/list")) == ["save"]
    assert host.replies[host.requests("prompts/list")].result["prompts"] == []


def test_a_host_that_reads_its_tools_once_gets_them_when_they_are_there():
    wire = Wire(script(mute=True))
    host, hasty = wire.legacy_host(name="kimi-code"), wire.legacy_host(name="mcp")
    wire.passes(PATIENCE)
    host.notes("notifications/initialized")
    request, other = host.requests("tools/list"), hasty.requests("tools/list")
    wire.passes(3.5)  # some that call themselves mcp give up after 5 seconds
    assert tools(hasty, other) == []
    wire.passes(LONG_PATIENCE - 4)
    wire.upstreams["files"] = wire.conns[min(wire.conns)]
    assert request not in host.replies
    starts(wire)
    assert tools(host, request) == ["save"]


def test_a_caller_without_mcp_waits_for_the_server():
    wire = restarted()
    for server in ("files", ""):
        caller = wire.legacy_host(server=server, plain=True)
        request = caller.requests("resources/list")
        wire.passes(PATIENCE)
        wire.passes(1)
        assert request not in caller.replies
        wire.passes(COMPLETE)
        assert (request in caller.replies) is (server == "")


def test_an_answer_for_a_host_that_left_is_corrected_for_nobody():
    wire = restarted(shared=True)
    wire.passes(IDLE_TENANT)
    one, other = wire.legacy_host(), wire.legacy_host()
    for host in (one, other):
        host.requests("tools/list")
        host.new()
    one.leaves()
    starts(wire, (LOAD,))
    assert [message.method for message in other.new()] == [CHANGED]


def test_a_damaged_memory_is_done_without():
    wire = restarted()
    for key, known in wire.state.memory.entries.items():
        wire.state.memory.entries[key] = {**known, "initialize": b"5", "tools/list": b'{"a":1}'}
    host = wire.legacy_host()
    assert b"1" not in host.replies
    assert host.requests("tools/list") not in host.replies


def test_a_wrapped_server_in_another_folder_is_another_one():
    spec = ServerSpec("files", command="run", cwd="/a")
    wire = Wire()
    wire.legacy_host(wrap=spec)
    assert wire.state.memory.entries
    wire.plots["files"] = script(mute=True)
    assert wire.legacy_host(wrap=spec).replies
    assert not wire.legacy_host(wrap=ServerSpec("files", command="run", cwd="/b")).replies


def test_memory_is_bounded_and_follows_its_server():
    memory = ServerMemory()
    assert not memory.put(("a", "x"), "tools/list", b"x" * (LARGEST + 1))
    for number in range(MOST_KEYS + 1):
        assert memory.put((f"s{number}", "x"), "tools/list", b"[]")
    assert (len(memory.entries), memory.get(("s0", "x"), "tools/list")) == (MOST_KEYS, None)
    memory.rename("s1", "t1")
    assert memory.get(("t1", "x"), "tools/list") == b"[]"
    memory.forget("t1")
    assert memory.get(("t1", "x"), "tools/list") is None


def test_a_renamed_server_is_known():
    wire = restarted()
    spec = ServerSpec("docs", command="files")
    wire.feed(ev.ServerRenamed("files", "docs", spec.identity))
    wire.edits({"docs": spec})
    wire.plots["docs"] = script("docs", mute=True)
    assert b"1" in wire.legacy_host(server="docs").replies


# --- a server whose host has left -----------------------------------------------------------------


def test_a_server_may_finish_starting_without_its_host_and_the_next_one_finds_its_lists():
    wire = Wire(script(mute=True))
    wire.legacy_host().leaves()
    wire.legacy_host().leaves()  # one process is enough
    assert len(wire.conns) == 1
    wire.upstreams["files"] = next(iter(wire.conns.values()))
    starts(wire, (SAVE,), {"tools": {}, "prompts": {}})
    files = wire.upstreams["files"]
    sent = [message.method for message in files.heard]
    assert sent == ["initialize", "notifications/initialized", "tools/list", "prompts/list"]
    files.replies(files.calls[-1], {"prompts": []})
    assert (wire.conns, wire.nothing_left()) == ({}, True)
    wire.plots["files"].mute = True
    host = wire.legacy_host()
    assert tools(host, host.requests("tools/list")) == ["save"]


def test_it_has_a_minute_for_that_and_is_not_started_again():
    wire = Wire(script(mute=True))
    wire.modern_host().requests("tools/list")
    for host in list(wire.hosts.values()):
        host.leaves()
    assert len(wire.conns) == 1
    wire.passes(FINISH)
    assert wire.nothing_left()
    host = wire.modern_host()
    host.requests("tools/list")
    host.leaves()
    wire.upstreams["files"].dies()
    assert wire.nothing_left()


def test_a_question_it_asks_in_that_minute_is_withdrawn_with_it():
    wire = Wire(script(mute=True))
    host = wire.modern_host()
    host.requests("tools/list")
    host.leaves()
    wire.upstreams["files"].asks(b"9", FORM)
    assert wire.question().message == "Who?"
    wire.passes(FINISH)
    assert wire.nothing_left()


def test_tools_of_which_one_was_allowed_are_not_told_from_memory_since_it_may_have_changed():
    wire = restarted()
    assert wire.state.pins.trust("files", "save")
    host = wire.legacy_host()
    request = host.requests("tools/list")
    assert request not in host.replies
    starts(wire, ({**SAVE, "description": "Sends all files away."},))
    assert host.replies[request].result["tools"][0]["description"] == "Sends all files away."
    assert wire.state.pins.change("files", "save")
