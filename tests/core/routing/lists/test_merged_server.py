"""Many servers behind one entry: one list out of many, and each name back to its own server."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.protocol import tool_names
from bridge.core.protocol.revisions import MODERN_REVISION
from bridge.core.routing.connections.retired_connections import FINISH
from bridge.core.routing.lists import pages
from bridge.core.routing.lists.merged_lists import PATIENCE
from bridge.core.routing.lists.pages import MAX_PAGES
from bridge.core.routing.router import IDLE_TENANT
from bridge.core.routing.state import ListPart
from tests.core.fake_peers import MODERN, Wire
from tests.core.routing.lists.merged_samples import EVERYTHING, listed, merged, names, server
from tests.core.wire_messages import Message

# Introductions


@pytest.mark.parametrize(("asked", "told"), [("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")])
def test_we_introduce_ourselves_at_once_to_a_legacy_host(asked, told):
    wire = Wire(server("files", mute=True))
    host = wire.legacy_host(server="", revision=asked)
    hello = host.replies[b"1"].result
    assert (hello["protocolVersion"], hello["serverInfo"]["name"]) == (told, "deskbell")
    tasks = {"tasks"} if told == "2025-11-25" else set()
    assert set(hello["capabilities"]) == {*EVERYTHING, *tasks}
    assert wire.conns == {}


def test_we_introduce_ourselves_at_once_to_a_modern_host():
    wire = Wire(server("files", mute=True))
    host = wire.modern_host(server="")
    found = host.replies[host.requests("server/discover")].result
    assert found["supportedVersions"][0] == MODERN_REVISION
    assert (found["resultType"], found["cacheScope"]) == ("complete", "private")
    assert wire.conns == {}


def test_a_server_hears_that_we_are_initialized_once_it_is_needed():
    wire, host = merged(server("files"))
    names(host)
    heard = [message.method for message in wire.upstreams["files"].heard]
    assert heard == ["initialize", "notifications/initialized", "tools/list"]


def test_pings_and_log_levels_are_answered_here_and_the_level_passed_on():
    quiet = server("quiet", capabilities={"tools": {}})
    wire, host = merged(server("files"), quiet, server("new", MODERN), server("slow", mute=True))
    host.requests("tools/list")
    for upstream in wire.upstreams.values():
        upstream.new()
    assert host.replies[host.requests("ping")].result == {}
    assert host.replies[host.requests("logging/setLevel", {"level": "info"})].result == {}
    assert host.replies[host.requests("logging/setLevel", {"level": "loud"})].error["code"] == -32602
    assert wire.upstreams["files"].only().params == {"level": "info"}
    assert [wire.upstreams[name].new() for name in ("quiet", "new", "slow")] == [[], [], []]


def test_what_cannot_be_merged_is_refused_with_a_way_out():
    _, host = merged(server("files"))
    host.requests("subscriptions/listen", request_id=b"9")
    error = host.replies[b"9"].error
    assert error["code"] == -32601
    assert "/mcp/NAME" in error["message"]


# Lists


def test_one_list_out_of_many_in_the_order_of_the_settings():
    _, host = merged(server("files"), server("notes", MODERN), server("mail"))
    request = host.requests("tools/list")
    assert host.replies[request].data.endswith(
        b'"result":{"tools":[{"name":"files_save","of":"files"},{"name":"notes_save","of":"notes"},'
        b'{"name":"mail_save","of":"mail"}]}}'
    )
    assert names(host, "prompts/list") == ["files_greet", "notes_greet", "mail_greet"]
    assert [item["uri"] for item in listed(host, "resources/list")] == [
        "files://one",
        "notes://one",
        "mail://one",
    ]


def test_items_keep_every_other_byte():
    tool = b'{"description":"\\u00e9","name":"a","big":1e400,"inputSchema":{"z":1,"a":[]}}'
    files = server("files", answers={"tools/list": b'{"tools":[' + tool + b"]}"})
    _, host = merged(files)
    request = host.requests("tools/list")
    assert tool.replace(b'"a","big"', b'"files_a","big"') in host.replies[request].data


def test_all_pages_are_gathered():
    def page(message: Message) -> Any:
        number = int((message.params or {}).get("cursor", "0"))
        more = {"nextCursor": str(number + 1)} if number < 2 else {}
        return {"tools": [{"name": f"t{number}"}], **more}

    wire, host = merged(
        server("files", answers={"tools/list": page}), server("new", MODERN, answers={"tools/list": page})
    )
    assert names(host) == [f"{server}_t{number}" for server in ("files", "new") for number in range(3)]
    assert wire.upstreams["new"].last().params["_meta"]


def test_a_list_without_end_is_ended():
    endless = server("files", answers={"tools/list": {"tools": [], "nextCursor": "on"}})
    wire, host = merged(endless)
    assert names(host) == []
    assert len(wire.upstreams["files"].calls) == MAX_PAGES


def test_a_page_of_too_many_tools_is_left_and_others_are_listed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pages, "MOST_ITEMS", 3)
    many = {"tools": [{"name": f"t{number}"} for number in range(4)]}
    wire, host = merged(server("many", answers={"tools/list": many}), server("files"))
    assert names(host) == ["files_save"]
    assert [one.detail for one in wire.records if one.kind == "notice"] == [
        "Its tools/list has more than 3 entries."
    ]


def test_names_that_a_server_invents_for_each_list_do_not_pile_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tool_names, "MOST_NAMES", 3)
    count = iter(range(100))
    files = server("files", answers={"tools/list": lambda _: {"tools": [{"name": f"t{next(count)}"}]}})
    wire, host = merged(files)
    for _ in range(5):
        names(host)
    [known] = wire.router.connections.lists._names.values()
    assert len(known.tools._routes) == 2
    host.requests("tools/call", {"name": "files_t0", "arguments": {}})  # forgotten, and found by its server
    assert wire.upstreams["files"].last().params["name"] == "t0"


def test_a_modern_host_gets_a_modern_list():
    wire = Wire(server("files"))
    host = wire.modern_host(server="")
    result = host.replies[host.requests("tools/list")].result
    assert (result["resultType"], result["ttlMs"], result["cacheScope"]) == ("complete", 0, "private")


def test_without_servers_the_list_is_empty():
    _, host = merged()
    assert names(host) == []


def test_a_server_without_such_a_list_is_not_asked():
    wire, host = merged(server("files", capabilities={}), server("mail"))
    assert names(host) == ["mail_save"]
    assert wire.upstreams["files"].calls == []


@pytest.mark.parametrize(
    "nonsense",
    [
        b"[]",
        b'{"tools":5}',
        b'{"tools":[5]}',
        b'{"tools":[{"name":5}]}',
        b'{"tools":[{"name":"a","name":"a"}]}',
        b'{"nextCursor":5}',
    ],
)
def test_a_list_without_sense_is_noted_and_the_others_served(nonsense):
    wire, host = merged(server("files", answers={"tools/list": nonsense}), server("mail"))
    assert names(host) == ["mail_save"]
    assert (wire.records[-1].kind, wire.records[-1].outcome, wire.records[-1].server) == (
        "notice",
        "malformed",
        "files",
    )


def test_a_server_that_fails_or_dies_does_not_spoil_the_list():
    wire, host = merged(server("files", answers={}), server("notes", mute=True), server("mail"))
    request = host.requests("tools/list")
    files, notes = wire.upstreams["files"], wire.upstreams["notes"]
    files.fails(files.last(), {"code": -1, "message": "no"})
    assert request not in host.replies
    notes.dies()
    assert [tool["name"] for tool in host.replies[request].result["tools"]] == ["mail_save"]
    assert wire.router.lists.waiting == set()


def test_a_server_that_dies_while_it_lists_does_not_spoil_the_list():
    wire, host = merged(server("files", answers={}), server("mail"))
    request = host.requests("tools/list")
    wire.upstreams["files"].dies()
    assert [tool["name"] for tool in host.replies[request].result["tools"]] == ["mail_save"]


def test_a_slow_server_is_not_waited_for_and_announced_when_it_comes():
    wire, host = merged(server("files", mute=True), server("mail"))
    request = host.requests("tools/list")
    wire.passes(PATIENCE - 1)
    assert request not in host.replies
    wire.passes(1)
    assert [tool["name"] for tool in host.replies[request].result["tools"]] == ["mail_save"]
    host.new()
    files = wire.upstreams["files"]
    wire.plots["files"].mute = False
    files.replies(files.last(), {"protocolVersion": "2025-11-25", "capabilities": EVERYTHING})
    assert host.only().data == b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
    assert names(host) == ["files_save", "mail_save"]


def test_a_slow_server_is_not_announced_to_a_modern_host():
    wire = Wire(server("files", answers={}))
    host = wire.modern_host(server="")
    host.requests("tools/list")
    wire.passes(PATIENCE)
    host.new()
    files = wire.upstreams["files"]
    files.replies(files.last(), {"tools": []})
    assert host.new() == []


@pytest.mark.parametrize("tenant", ["", "app"])
@pytest.mark.parametrize("late", [0.0, PATIENCE])
@pytest.mark.parametrize("mute", [True, False])
def test_of_a_list_nobody_waits_for_nothing_is_kept(tenant, late, mute):
    wire = Wire(server("files", mute=mute, answers={}), server("mail"))
    host = wire.modern_host(server="", tenant=tenant)
    host.requests("tools/list")
    wire.passes(late)
    host.leaves()
    assert wire.router.lists.waiting == set()
    wire.passes(FINISH)
    assert bool(wire.state.conns) is bool(tenant)
    waiting = [one for conn in wire.state.conns.values() for one in (*conn.pending.values(), *conn.backlog)]
    listening = bool(tenant and late)  # another POST of the same host may listen for the rest of it
    assert any(isinstance(one, ListPart) for one in waiting) is listening
    wire.passes(IDLE_TENANT)
    assert wire.router.lists.incomplete == set()


@pytest.mark.parametrize("mute", [True, False])
def test_a_cancelled_list_leaves_another_one_alone(mute):
    wire, host = merged(server("files", mute=mute, answers={}))
    cancelled, wanted = host.requests("tools/list"), host.requests("prompts/list")
    host.cancels(cancelled)
    files = wire.upstreams["files"]
    if mute:
        files.replies(files.last(), {"protocolVersion": "2025-11-25", "capabilities": EVERYTHING})
    files.replies(files.calls[-1], {"prompts": [{"name": "greet"}]})
    assert [prompt["name"] for prompt in host.replies[wanted].result["prompts"]] == ["files_greet"]


def test_a_cancelled_list_is_not_served():
    wire, host = merged(server("files", answers={}))
    request = host.requests("tools/list")
    host.cancels(request)
    files = wire.upstreams["files"]
    files.replies(files.last(), {"tools": []})
    wire.passes(PATIENCE)
    assert host.new() == []
