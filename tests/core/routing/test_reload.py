"""Settings edited while hosts are connected: hosts hear of it, idle connections end, no call is dropped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge.core import events as ev
from bridge.core.policy.rules import HostRule, Policy, Verdict
from bridge.core.policy.tool_pins import INSTRUCTIONS
from bridge.core.ports import ServerSpec
from bridge.core.questions.question import accept
from bridge.core.routing.reload import CHANGED
from tests.core.fake_peers import MODERN, Script, Wire, script
from tests.core.wire_messages import FORM, response

TOOLS = {"tools/list": {"tools": [{"name": "save"}]}}
DONE = {"ok": 1}


def server(name: str, *eras: str) -> Script:
    return script(name, *eras, answers=TOOLS)


def told(host) -> list[str]:
    return [message.method for message in host.new()]


def specs(wire: Wire, *names: str, **edited: ServerSpec) -> dict[str, ServerSpec]:
    return {name: wire.plots[name].spec for name in names} | edited


def test_a_server_that_is_added_reaches_the_hosts_of_the_one_entry():
    wire = Wire(server("files"), server("mail"))
    wire.edits(specs(wire, "files"))
    host, single = wire.legacy_host(server=""), wire.legacy_host(server="files")
    host.requests("tools/list")
    host.new(), single.new()
    wire.edits(specs(wire, "files", "mail"))
    assert told(host) == list(CHANGED)
    assert told(single) == []
    tools = host.replies[host.requests("tools/list")].result["tools"]
    assert [tool["name"] for tool in tools] == ["files_save", "mail_save"]


@pytest.mark.parametrize("change", ["remove", "disable", "edit"])
def test_a_server_that_is_removed_or_edited_is_let_go_when_idle(change):
    wire = Wire(server("files"), server("mail"))
    host = wire.legacy_host(server="")
    host.requests("tools/list")
    host.new()
    mail = wire.plots["mail"].spec
    edited = {
        "remove": {},
        "disable": {"mail": replace(mail, enabled=False)},
        "edit": {"mail": replace(mail, args=("--new",))},
    }[change]
    wire.edits(specs(wire, "files", **edited))
    assert told(host) == list(CHANGED)
    assert (wire.upstreams["files"].open, wire.upstreams["mail"].open) == (True, False)


def test_a_call_is_not_dropped_with_its_server():
    wire = Wire(server("files"))
    host = wire.legacy_host(server="")
    call = host.calls("files_save")
    files = wire.upstreams["files"]
    wire.edits({})
    assert files.open
    files.asks(b"7", FORM)
    wire.person(accept({"name": "Ada"}))
    files.replies(files.calls[-1], DONE)
    assert host.replies[call].result == DONE
    assert not files.open
    again = host.calls("files_save")
    assert "Function not found: files_save" in host.replies[again].error["message"]


def test_a_list_under_way_is_not_dropped_either():
    wire = Wire(script("files"))
    host = wire.legacy_host(server="")
    request = host.requests("tools/list")
    files = wire.upstreams["files"]
    wire.edits({})
    files.replies(files.calls[-1], {"tools": []})
    assert request in host.replies
    assert not files.open


def test_what_would_never_end_is_ended_with_the_settings():
    wire = Wire(server("files", MODERN))
    host = wire.modern_host()
    listening = host.requests("subscriptions/listen", {})
    wire.edits({})
    assert "were changed" in host.replies[listening].error["message"]
    assert not wire.upstreams["files"].open


def test_what_waits_for_a_server_that_never_started_is_not_asked_of_it_later():
    wire = Wire(script("files", mute=True))
    host = wire.legacy_host()
    request = host.requests("subscriptions/listen", {})
    files = wire.upstreams["files"]
    wire.edits({})
    assert "were changed" in host.replies[request].error["message"]
    files.says(response(files.heard[0].id, {"protocolVersion": "2025-11-25", "capabilities": {}}))
    assert files.calls == []


def test_a_retired_server_that_dies_or_forgets_is_not_tried_again():
    url = ServerSpec("files", url="https://example.org/mcp")
    wire = Wire(Script(url))
    host = wire.legacy_host()
    forgotten, died = host.calls(), host.calls()
    files = wire.upstreams["files"]
    wire.edits({"files": replace(url, timeout=5.0)})
    files.fails(files.calls[0], {"code": -32000, "message": "gone", "data": {"status": 404}})
    assert host.replies[forgotten].error["message"] == "gone"
    files.dies("out of paper")
    assert "out of paper" in host.replies[died].error["message"]
    assert wire.conns == {}


def test_a_retired_shared_server_makes_way_for_its_successor():
    wire = Wire(script("files", shared=True))
    host = wire.legacy_host()
    first = host.calls()
    old = wire.upstreams["files"]
    wire.edits({"files": replace(wire.plots["files"].spec, args=("--new",))})
    second = host.calls()
    new = wire.upstreams["files"]
    assert new is not old
    old.replies(old.calls[-1], DONE)
    new.replies(new.calls[-1], DONE)
    assert host.replies[first].result == host.replies[second].result == DONE
    assert (old.open, new.open) == (False, True)
    host.calls()
    assert len(new.calls) == 2


def test_a_host_that_leaves_ends_what_was_kept_for_its_call():
    wire = Wire(script("files"))
    host = wire.legacy_host()
    host.calls()
    wire.edits({})
    host.leaves()
    assert wire.nothing_left()


def test_a_host_that_may_no_longer_use_a_server_loses_it():
    wire = Wire(server("files"), server("mail"))
    host = wire.legacy_host(server="")
    host.requests("tools/list")
    host.new()
    wire.edits(wire.state.servers, Policy(hosts={"Old Host": HostRule(servers=("mail",))}))
    assert told(host) == list(CHANGED)
    assert (wire.upstreams["files"].open, wire.upstreams["mail"].open) == (False, True)


def test_nothing_is_said_when_nothing_changed_nor_to_those_who_cannot_hear_it():
    wire = Wire(server("files"))
    wrapped = wire.stranger(wrap=ServerSpec("mine", command="mine"))
    wrapped.requests("initialize", {"protocolVersion": "2025-11-25"})
    hosts = [wire.legacy_host(server=""), wire.stranger(""), wire.modern_host(server=""), wrapped]
    hosts[2].requests("tools/list")
    for host in hosts:
        host.new()
    wire.edits(dict(wire.state.servers))
    assert [host.new() for host in hosts] == [[], [], [], []]
    wire.edits({})
    assert [len(host.new()) for host in hosts] == [len(CHANGED), 0, 0, 0]
    assert wire.upstreams["mine"].open


@pytest.mark.parametrize("behind", ["", "files"])
def test_a_host_that_is_offered_other_tools_hears_of_it(behind):
    wire = Wire(script("files"))
    host = wire.legacy_host(server=behind)
    host.new()
    wire.edits(wire.state.servers, Policy(hosts={"Old Host": HostRule(tools=("files_*",))}))
    assert [message.method for message in host.new()] == ["notifications/tools/list_changed"]


def test_a_server_with_another_name_keeps_its_list_its_pins_and_its_acquaintance():
    wire = Wire(server("files"), server("mail"), policy=Policy((("files_save", Verdict.ALLOW),)))
    host = wire.legacy_host(server="")
    host.requests("tools/list")
    host.calls("files_save")
    files = wire.plots["files"].spec
    renamed = replace(files, name="docs")
    wire.questions.meet(files.identity)
    wire.feed(ev.ServerRenamed("files", "docs", renamed.identity))
    wire.edits(specs(wire, "mail", docs=renamed), Policy((("docs_save", Verdict.ALLOW),)))
    assert list(wire.pinned[-1]) == [("docs", "save"), ("docs", INSTRUCTIONS)]
    assert wire.met == [renamed.identity]
    assert [tool.name for tool in wire.state.pins.tools("docs")] == ["save"]
    assert ("docs", "tools/list") in wire.state.remembered
    assert ("files", "tools/list") not in wire.state.remembered


def test_a_server_nobody_knows_much_of_is_renamed_too():
    wire = Wire(server("files"))
    wire.feed(ev.ServerRenamed("files", "docs", "x"))
    wire.feed(ev.ServerRenamed("nobody", "no one", "y"))
    assert (wire.pinned, wire.met, wire.state.remembered) == ([], [], {})


def test_new_rules_for_a_stateless_host_are_in_force_at_its_next_request():
    wire = Wire(server("files"))
    host = wire.modern_host(name="app", tenant="http:app")
    host.requests("tools/list")
    host.leaves()
    wire.edits(specs(wire, "files"), Policy(hosts={"app": HostRule(tools=("files_read",))}))
    back = wire.modern_host(name="app", tenant="http:app")
    call = back.calls("save")
    assert "do not offer files_save" in back.replies[call].result["content"][0]["text"]
