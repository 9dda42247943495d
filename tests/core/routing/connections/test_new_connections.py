"""New connections instead of old ones: to a remote server that was restarted, and to one that was edited."""

from __future__ import annotations

from dataclasses import replace

from bridge.core.policy.rules import Policy, Verdict
from bridge.core.ports import ServerSpec
from bridge.core.questions.question import accept
from tests.core.fake_peers import Script, Upstream, Wire
from tests.core.wire_messages import FORM

FORGOTTEN = {"code": -32000, "message": "files no longer knows this connection.", "data": {"status": 404}}
DONE = {"content": [{"type": "text", "text": "done"}]}
TOOL = {"name": "ask", "inputSchema": {"type": "object"}}


def files(wire: Wire) -> Upstream:
    return wire.upstreams["files"]


def remote() -> Wire:
    return Wire(Script(ServerSpec("files", url="https://example.org/mcp")))


# Restarted: it no longer knows the connection


def test_the_call_is_made_again_on_a_new_connection():
    wire = remote()
    host = wire.legacy_host()
    call = host.calls(arguments={"a": 1})
    old = files(wire)
    old.fails(old.calls[-1], FORGOTTEN)
    new = files(wire)
    assert (old.open, new.open) == (False, True)
    assert [m.method for m in new.heard] == ["initialize", "notifications/initialized", "tools/call"]
    assert new.last().params["arguments"] == {"a": 1}
    new.replies(new.last(), DONE)
    assert host.replies[call].result == DONE


def test_a_server_that_forgets_at_once_is_not_asked_for_ever():
    wire = remote()
    host = wire.legacy_host()
    call = host.calls()
    for _ in range(2):
        files(wire).fails(files(wire).calls[-1], FORGOTTEN)
    assert host.replies[call].error == FORGOTTEN
    host.leaves()
    assert wire.nothing_left()


def test_other_calls_on_the_old_connection_get_the_error():
    wire = remote()
    host = wire.legacy_host()
    first, second = host.calls(), host.calls()
    old = files(wire)
    old.fails(old.calls[-1], FORGOTTEN)
    assert host.replies[first].error == FORGOTTEN
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.replies[second].result == DONE


def test_a_list_is_asked_for_again_too():
    wire = remote()
    host = wire.legacy_host(server="")
    listing = host.requests("tools/list")
    old = files(wire)
    old.fails(old.calls[-1], FORGOTTEN)
    files(wire).replies(files(wire).calls[-1], {"tools": [TOOL]})
    assert [tool["name"] for tool in host.replies[listing].result["tools"]] == ["files_ask"]


def test_a_local_servers_own_error_is_its_own_whatever_it_says():
    wire = Wire(Script(ServerSpec("files", command="files")))
    host = wire.legacy_host()
    call = host.calls()
    server = files(wire)
    server.fails(server.calls[-1], FORGOTTEN)
    assert host.replies[call].error == FORGOTTEN
    assert files(wire) is server


# Edited while a host is connected


def edit(wire: Wire, *args: str) -> None:
    wire.edits({"files": replace(wire.state.servers["files"], args=args)})


def test_an_edited_server_is_connected_anew_with_the_next_call():
    wire = Wire(Script(ServerSpec("files", command="files")))
    host = wire.legacy_host()
    old = files(wire)
    edit(wire, "--new")
    call = host.calls()
    new = files(wire)
    assert (old.open, new.open) == (False, True)
    assert wire.state.conns[new.conn].spec.args == ("--new",)
    new.replies(new.calls[-1], DONE)
    assert host.replies[call].result == DONE


def test_a_server_that_is_at_work_is_not_disturbed_by_an_edit():
    wire = Wire(Script(ServerSpec("files", command="files")))
    host = wire.legacy_host()
    first = host.calls()
    old = files(wire)
    edit(wire, "--new")
    second = host.calls()
    new = files(wire)
    assert (len(old.calls), len(new.calls), old.open) == (1, 1, True)
    old.replies(old.calls[0], DONE)
    assert host.replies[first].result == DONE
    assert (old.open, new.open) == (False, True)
    new.replies(new.calls[0], DONE)
    assert host.replies[second].result == DONE


def test_a_settings_file_that_was_only_read_again_changes_nothing():
    wire = Wire(Script(ServerSpec("files", command="files")))
    host = wire.legacy_host()
    old = files(wire)
    edit(wire)
    host.calls()
    assert files(wire) is old


def test_a_call_that_waits_for_the_person_keeps_its_connection_through_an_edit():
    policy = Policy((("files_risky", Verdict.CONFIRM),))
    wire = Wire(Script(ServerSpec("files", command="files")), policy=policy)
    host = wire.legacy_host()
    risky = host.calls("risky")
    old = files(wire)
    edit(wire, "--new")
    wire.person(accept())
    old.replies(old.calls[0], DONE)
    assert host.replies[risky].result == DONE
    assert not old.open


def test_a_call_that_asks_is_not_made_again_on_another_connection():
    wire = remote()
    host = wire.legacy_host()
    call = host.calls()
    old = files(wire)
    old.asks(b"9", FORM)
    old.fails(old.calls[-1], FORGOTTEN)
    assert host.replies[call].error == FORGOTTEN
    assert (wire.desk, files(wire)) == ([], old)
