"""Calls, addresses and unknown methods at the endpoint that merges all servers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge.core.policy.rules import HostRule, Policy
from bridge.core.ports import ServerSpec
from bridge.core.questions.question import accept
from tests.core.fake_peers import LEGACY, MODERN, Wire, script
from tests.core.routing.lists.merged_samples import listed, merged, names, server
from tests.core.wire_messages import FORM, call, wants


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


@pytest.mark.parametrize(("method", "kind"), [("tools/call", "Function"), ("prompts/get", "Prompt")])
@pytest.mark.parametrize("params", [{"name": "nothing"}, {}, None])
def test_an_unknown_name_is_refused(method, kind, params):
    _, host = merged(server("files"))
    host.requests(method, params, request_id=b"9")
    name = (params or {}).get("name", "")
    assert host.replies[b"9"].error == {"code": -32602, "message": f"{kind} not found: {name}"}


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


@pytest.mark.parametrize(("method", "kind"), [("tools/call", "Function"), ("prompts/get", "Prompt")])
def test_what_a_built_in_server_does_not_have_is_called_as_the_host_called_it(method, kind):
    built_in = server("files")
    built_in.spec = replace(built_in.spec, builtin=True)
    wire, host = merged(built_in, server("mail"))
    for name, missing in (("files", "files_none"), ("mail", "none")):
        request = host.requests(method, {"name": f"{name}_none"})
        upstream = wire.upstreams[name]
        upstream.fails(upstream.calls[-1], {"code": -32602, "message": f"{kind} not found: none"})
        assert host.replies[request].error == {"code": -32602, "message": f"{kind} not found: {missing}"}
    other = host.requests(method, {"name": "files_none"})
    files = wire.upstreams["files"]
    files.fails(files.calls[-1], {"code": -32602, "message": "none is broken"})
    assert host.replies[other].error == {"code": -32602, "message": "none is broken"}


# Whose servers


def test_a_host_sees_only_the_servers_it_may():
    policy = Policy(hosts={"Old Host": HostRule(servers=("mail",))})
    wire, host = merged(server("files"), server("mail"), server("off", enabled=False), policy=policy)
    assert names(host) == ["mail_save"]
    host.calls("files_save", request_id=b"9")
    assert "Function not found: files_save" in host.replies[b"9"].error["message"]
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
    assert "valid" in host.replies[one].error["message"]
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
