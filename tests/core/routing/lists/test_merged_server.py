"""Many servers behind one entry: one list out of many, and each name back to its own server."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.policy.rules import HostRule, Policy
from bridge.core.ports import ServerSpec
from bridge.core.protocol.revisions import MODERN_REVISION
from bridge.core.questions.question import accept
from bridge.core.routing.connections.retired_connections import FINISH
from bridge.core.routing.lists.merged_lists import PATIENCE
from bridge.core.routing.lists.pages import MAX_PAGES
from bridge.core.routing.state import ListPart
from tests.core.fake_peers import LEGACY, MODERN, Host, Script, Wire, script
from tests.core.wire_messages import FORM, Message, call, wants

EVERYTHING: dict[str, Any] = {"tools": {}, "prompts": {}, "resources": {}, "logging": {}, "completions": {}}


def server(name: str, *eras: str, **more: Any) -> Script:
    """A server that lists one of each."""
    answers = {
        "tools/list": {"tools": [{"name": "save", "of": name}]},
        "prompts/list": {"prompts": [{"name": "greet"}]},
        "resources/list": {"resources": [{"uri": f"{name}://one", "name": "One"}]},
        "resources/templates/list": {"resourceTemplates": [{"uriTemplate": f"{name}://more/{{id}}"}]},
    }
    return script(name, *eras, **{"capabilities": EVERYTHING, "answers": answers, **more})


def merged(*plots: Script, **more: Any) -> tuple[Wire, Host]:
    wire = Wire(*plots, **more)
    host = wire.legacy_host(server="")
    host.new()
    return wire, host


def listed(host: Host, method: str = "tools/list") -> Any:
    request = host.requests(method)
    return host.replies[request].result[method.split("/")[0]]


def names(host: Host, method: str = "tools/list") -> list[str]:
    return [item["name"] for item in listed(host, method)]


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


# By name


def test_a_call_goes_to_its_server_under_its_own_name_and_all_else_untouched():
    wire, host = merged(server("files"), server("mail"))
    names(host)
    host.says(call(b'"7"', "tools/call", b'{"arguments":{"n":1e400},"name":"mail_save","x":"\\u00e9"}'))
    mail = wire.upstreams["mail"]
    sent = mail.calls[-1]
    assert sent.data == call(sent.id, "tools/call", b'{"arguments":{"n":1e400},"name":"save","x":"\\u00e9"}')
    mail.replies(sent, {"ok": 1})
    assert host.replies[b'"7"'].result == {"ok": 1}
    assert [message.method for message in wire.upstreams["files"].calls] == ["tools/list"]


def test_a_name_remembered_from_an_earlier_run_is_found_without_a_list():
    wire, host = merged(server("files"), server("files_extra"))
    host.calls("files_extra_save")
    assert wire.upstreams["files_extra"].calls[-1].params["name"] == "save"
    assert "files" not in wire.upstreams


@pytest.mark.parametrize("first_heard", ["a", "a_b"])
def test_names_that_clash_are_told_apart_the_same_way_every_time(first_heard):
    wire, host = merged(server("a", answers={}), server("a_b", answers={}))
    request = host.requests("tools/list")
    own = {"a": "b_c", "a_b": "c"}
    for name in sorted(own, key=lambda name: name != first_heard):
        upstream = wire.upstreams[name]
        upstream.replies(upstream.calls[-1], {"tools": [{"name": own[name]}]})
    marked, plain = (tool["name"] for tool in host.replies[request].result["tools"])
    assert (marked, plain) == ("a_b_c_" + marked[-6:], "a_b_c")
    host.calls(marked)
    host.calls(plain)
    assert wire.upstreams["a"].calls[-1].params["name"] == "b_c"
    assert wire.upstreams["a_b"].calls[-1].params["name"] == "c"


def test_what_a_server_lists_twice_is_listed_once():
    files = server(
        "files", answers={"tools/list": {"tools": [{"name": "save", "v": 1}, {"name": "save", "v": 2}]}}
    )
    _, host = merged(files)
    assert listed(host) == [{"name": "files_save", "v": 2}]


@pytest.mark.parametrize("own", ["x" * 100, "with space", "ünïcode", "dots.and/slashes"])
def test_names_are_within_what_hosts_accept(own):
    wire, host = merged(server("files", answers={"tools/list": {"tools": [{"name": own}]}}))
    (public,) = names(host)
    assert len("mcp__deskbell__" + public) <= 64
    assert public.replace("_", "").replace("-", "").isascii()
    assert public.startswith("files_")
    host.calls(public)
    assert wire.upstreams["files"].calls[-1].params["name"] == own


def test_prompts_are_found_by_their_own_names():
    wire, host = merged(server("files"), server("mail"))
    names(host, "prompts/list")
    host.requests("prompts/get", {"name": "mail_greet"})
    assert wire.upstreams["mail"].calls[-1].params == {"name": "greet"}


@pytest.mark.parametrize("method", ["tools/call", "prompts/get"])
@pytest.mark.parametrize("params", [{"name": "nothing"}, {}, None])
def test_an_unknown_name_is_refused(method, params):
    _, host = merged(server("files"))
    host.requests(method, params, request_id=b"9")
    assert host.replies[b"9"].error["code"] == -32602
    assert "List again" in host.replies[b"9"].error["message"]


def test_a_name_of_a_server_that_was_removed_is_refused():
    wire, host = merged(server("files"))
    names(host)
    wire.state.servers = {}
    host.calls("files_save", request_id=b"9")
    assert "no server called files" in host.replies[b"9"].error["message"]


def test_questions_come_from_the_server_they_come_from():
    wire, host = merged(server("files"), server("mail", MODERN))
    one, other = host.calls("files_save"), host.calls("mail_save")
    wire.upstreams["files"].asks(b"9", FORM)
    mail = wire.upstreams["mail"]
    mail.replies(mail.calls[-1], wants(who=FORM))
    first, second = wire.desk
    assert [(q.server, q.tool) for q in (first, second)] == [("files", "save"), ("mail", "save")]
    wire.person(accept({"name": "Ada"}), second)
    assert mail.calls[-1].params["name"] == "save"
    mail.replies(mail.calls[-1], {"ok": 2})
    assert host.replies[other].result == {"ok": 2}
    assert one not in host.replies


# By address


def test_resources_are_read_where_they_were_listed():
    wire, host = merged(server("files"), server("mail"))
    listed(host, "resources/list")
    host.requests("resources/templates/list")
    for uri, owner in (("mail://one", "mail"), ("files://more/7", "files")):
        for method in ("resources/read", "resources/subscribe", "resources/unsubscribe"):
            host.requests(method, {"uri": uri})
            sent = wire.upstreams[owner].calls[-1]
            assert (sent.method, sent.params) == (method, {"uri": uri})


def test_a_resource_nobody_listed_is_read_from_the_only_server_that_has_any():
    wire, host = merged(server("files"), server("mail", capabilities={"tools": {}}))
    names(host)
    host.requests("resources/read", {"uri": "else://where"})
    assert wire.upstreams["files"].calls[-1].method == "resources/read"


def test_a_resource_that_could_be_anyones_is_refused():
    _, host = merged(server("files"), server("mail"))
    names(host)
    host.requests("resources/read", {"uri": "else://where"}, request_id=b"9")
    assert "No server has listed else://where" in host.replies[b"9"].error["message"]


@pytest.mark.parametrize("first_heard", ["files", "mail"])
def test_an_address_that_two_servers_list_is_the_first_ones(first_heard):
    wire, host = merged(server("files", answers={}), server("mail", answers={}))
    request = host.requests("resources/list")
    for name in sorted(("files", "mail"), key=lambda name: name != first_heard):
        upstream = wire.upstreams[name]
        upstream.replies(upstream.calls[-1], {"resources": [{"uri": "file:///a", "of": name}]})
    assert host.replies[request].result["resources"] == [{"uri": "file:///a", "of": "files"}]
    host.requests("resources/read", {"uri": "file:///a"})
    assert wire.upstreams["files"].calls[-1].method == "resources/read"
    wire.state.servers = {"mail": wire.plots["mail"].spec}
    host.requests("resources/read", {"uri": "file:///a"})
    assert wire.upstreams["mail"].calls[-1].method == "resources/read"


def test_a_resource_that_a_tool_pointed_to_is_read_where_the_tool_is():
    wire, host = merged(server("files"), server("mail"))
    names(host)
    for result in (
        {"content": [{"type": "text", "text": "x"}, {"type": "resource_link", "uri": "else://where"}]},
        {"content": "resource_link", "what": "resource_link"},
    ):
        host.calls("mail_save")
        wire.upstreams["mail"].replies(wire.upstreams["mail"].calls[-1], result)
    host.requests("resources/read", {"uri": "else://where"})
    assert wire.upstreams["mail"].calls[-1].params == {"uri": "else://where"}


def test_only_so_many_addresses_are_known(monkeypatch):
    monkeypatch.setattr("bridge.core.routing.lists.merged_lists.MOST_URIS", 1)
    wire, host = merged(server("files"), server("mail"))
    listed(host, "resources/list")
    (tenant,) = wire.state.tenants.values()
    assert wire.router.lists.names(tenant).uris == {"files://one": {"files"}}


def test_completions_go_where_their_prompt_or_resource_is():
    wire, host = merged(server("files"), server("mail"))
    names(host, "prompts/list")
    listed(host, "resources/list")
    host.requests(
        "completion/complete", {"ref": {"type": "ref/prompt", "name": "mail_greet"}, "argument": {"x": 1}}
    )
    mail = wire.upstreams["mail"].calls[-1]
    assert mail.params == {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"x": 1}}
    (tool, *_) = [name for name in names(host) if name.startswith("mail_")]
    host.requests("completion/complete", {"ref": {"type": "ref/tool", "name": tool}})
    own = {"type": "ref/tool", "name": tool.removeprefix("mail_")}
    assert wire.upstreams["mail"].calls[-1].params == {"ref": own}
    host.requests("completion/complete", {"ref": {"type": "ref/resource", "uri": "files://one"}})
    assert wire.upstreams["files"].calls[-1].method == "completion/complete"


# Whose servers


def test_a_host_sees_only_the_servers_it_may():
    policy = Policy(hosts={"Old Host": HostRule(servers=("mail",))})
    wire, host = merged(server("files"), server("mail"), server("off", enabled=False), policy=policy)
    assert names(host) == ["mail_save"]
    host.calls("files_save", request_id=b"9")
    assert "nothing called files_save" in host.replies[b"9"].error["message"]
    other = wire.legacy_host(server="", name="Other")
    assert names(other) == ["files_save", "mail_save"]
    single = wire.legacy_host(server="files")
    assert "no server called files" in single.replies[b"1"].error["message"]


TWO = {"tools/list": {"tools": [{"name": "save"}, {"name": "delete"}]}}
GENTLE = Policy(hosts={"Old Host": HostRule(tools=("*", "!*_delete"))})


@pytest.mark.parametrize("behind", ["", "files"])
def test_a_host_is_offered_only_the_tools_it_may_use(behind):
    wire = Wire(server("files", answers=TWO), policy=GENTLE)
    host = wire.legacy_host(server=behind)
    prefix = "" if behind else "files_"
    assert names(host) == [f"{prefix}save"]
    refused = host.calls(f"{prefix}delete")
    assert "do not offer files_delete" in host.replies[refused].result["content"][0]["text"]
    assert wire.records[-1].outcome == "denied"
    host.calls(f"{prefix}save")
    assert wire.upstreams["files"].calls[-1].params["name"] == "save"
    other = wire.legacy_host(server=behind, name="Other")
    assert names(other) == [f"{prefix}save", f"{prefix}delete"]


def test_a_list_that_makes_no_sense_or_fails_is_not_searched_for_tools():
    wire = Wire(server("files", answers={}), policy=GENTLE)
    host = wire.legacy_host()
    one, other = host.requests("tools/list"), host.requests("tools/list")
    files = wire.upstreams["files"]
    files.replies(files.calls[0], {"tools": [{"name": 5}]})
    assert "makes no sense" in host.replies[one].error["message"]
    files.fails(files.calls[1], {"code": 1, "message": "no"})
    assert host.replies[other].error == {"code": 1, "message": "no"}


def test_notes_of_all_servers_reach_the_host():
    wire, host = merged(server("files"), server("mail"))
    names(host)
    host.new()
    for upstream in wire.upstreams.values():
        upstream.notes("notifications/tools/list_changed")
    assert [message.method for message in host.new()] == ["notifications/tools/list_changed"] * 2
    host.notes("notifications/roots/list_changed")
    assert [u.last().method for u in wire.upstreams.values()] == ["notifications/roots/list_changed"] * 2


def test_each_server_is_met_in_the_era_it_has():
    wire, host = merged(server("files", LEGACY), server("mail", MODERN))
    host.calls("files_save")
    host.calls("mail_save")
    assert "_meta" not in wire.upstreams["files"].calls[-1].params
    assert "_meta" in wire.upstreams["mail"].calls[-1].params


# Methods that MCP does not have


def test_a_vendors_method_goes_to_the_only_server_there_is():
    wire = Wire(script("files"))
    wire.edits({"files": wire.plots["files"].spec, "desk": ServerSpec("desk", builtin=True)})
    host = wire.legacy_host(server="")
    request = host.requests("acme/count", {"of": ["x"]})
    files = wire.upstreams["files"]
    assert (files.calls[-1].method, files.calls[-1].json["params"]) == ("acme/count", {"of": ["x"]})
    files.replies(files.calls[-1], {"n": 1})
    assert host.replies[request].result == {"n": 1}


@pytest.mark.parametrize("params", [None, {"_meta": {}}, [1]])
def test_among_several_servers_nobody_guesses_whose_method_it_is(params):
    wire = Wire(script("files"), script("mail"))
    host = wire.legacy_host(server="")
    request = host.requests("acme/count", params)
    assert host.replies[request].error["code"] == -32601
    assert "/mcp/NAME" in host.replies[request].error["message"]
