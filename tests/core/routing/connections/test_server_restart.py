"""A server is restarted: at once, as the person wants it; or politely, since a secret of it has changed."""

from __future__ import annotations

import pytest

from bridge.core import events as ev
from bridge.core.routing.connections.subscribed_restarts import RESTART_DELAY as PAUSE
from bridge.core.routing.reload import CHANGED
from tests.core.fake_peers import Host, Script, Wire, script
from tests.core.wire_messages import FORM

TOOLS = {"tools/list": {"tools": [{"name": "save"}]}}
AGAIN = "files was restarted. Try again."


def server(name: str) -> Script:
    return script(name, answers=TOOLS)


def error(host: Host, request: bytes) -> str:
    return str(host.replies[request].error["message"])


def test_a_restarted_server_ends_with_its_calls_and_hosts_hear_that_its_lists_may_differ():
    wire = Wire(server("files"), server("mail"))
    host, single = wire.legacy_host(server=""), wire.legacy_host(server="mail")
    host.requests("tools/list")
    call, files = host.calls("files_save"), wire.upstreams["files"]
    files.asks(b"7", FORM)
    host.new(), single.new()
    wire.feed(ev.RestartWanted("files"))
    assert error(host, call) == AGAIN
    assert not files.open
    assert wire.upstreams["mail"].open
    assert wire.desk == []
    assert [message.method for message in host.new() if message.method] == list(CHANGED)
    assert single.new() == []
    again = host.calls("files_save")
    fresh = wire.upstreams["files"]
    assert fresh is not files
    fresh.replies(fresh.calls[-1], {"ok": 1})
    assert host.replies[again].result == {"ok": 1}


def test_one_that_does_not_answer_is_restarted_too_and_its_list_is_not_waited_for():
    wire = Wire(server("mail"), script("files", mute=True))
    host = wire.legacy_host(server="")
    request = host.requests("tools/list")
    assert request not in host.replies
    wire.feed(ev.RestartWanted("files"))
    assert [tool["name"] for tool in host.replies[request].result["tools"]] == ["mail_save"]
    assert not wire.upstreams["files"].open


def test_one_that_was_left_alone_after_failures_may_start_at_once():
    wire = Wire(script("files"))
    host = wire.legacy_host()
    for _ in range(3):
        host.calls()
        wire.upstreams["files"].dies("out of paper")
    assert wire.router.connections.backoff.until("files", wire.state.now) > wire.state.now
    assert wire.router.connections.backoff.until("mail", wire.state.now) == 0
    wire.feed(ev.RestartWanted("files"))
    assert wire.router.connections.failures == {}
    call = host.calls()
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], {"ok": 1})
    assert host.replies[call].result == {"ok": 1}


@pytest.mark.parametrize("then", ["it ends with its call", "it is cut short after all"])
def test_a_polite_restart_lets_a_call_end(then: str):
    wire = Wire(server("files"))
    host = wire.legacy_host(server="")
    call, files = host.calls("files_save"), wire.upstreams["files"]
    wire.feed(ev.RestartWanted("files", at_once=False))
    assert files.open
    if then == "it ends with its call":
        files.replies(files.calls[-1], {"ok": 1})
        assert host.replies[call].result == {"ok": 1}
    else:
        wire.feed(ev.RestartWanted("files"))
        assert error(host, call) == AGAIN
    assert not files.open


def test_what_is_asked_after_a_polite_restart_goes_to_a_new_connection_at_once():
    wire = Wire(server("files"))
    host = wire.legacy_host()
    before, files = host.calls(), wire.upstreams["files"]
    wire.feed(ev.RestartWanted("files", at_once=False))
    after, fresh = host.calls(), wire.upstreams["files"]
    assert (files.open, fresh is files) == (True, False)
    fresh.replies(fresh.calls[-1], {"with": "the new one"})
    files.replies(files.calls[-1], {"with": "the old one"})
    assert host.replies[before].result == {"with": "the old one"}
    assert host.replies[after].result == {"with": "the new one"}
    assert (files.open, fresh.open) == (False, True)


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("shared", [True, False])
def test_who_subscribed_to_what_it_has_goes_on_hearing_of_it(shared: bool, at_once: bool):
    able = {"tools": {}, "resources": {"subscribe": True}}
    wire = Wire(script(capabilities=able, shared=shared))
    host = wire.legacy_host()
    host.requests("resources/subscribe", {"uri": "a://1"})
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], {})
    wire.feed(ev.RestartWanted("files", at_once))
    assert (files.open, wire.router.pace) == (False, 1.0)
    wire.passes(PAUSE)
    files = wire.upstreams["files"]
    assert [(one.method, one.params) for one in files.calls] == [("resources/subscribe", {"uri": "a://1"})]
    host.new()
    files.notes("notifications/resources/updated", {"uri": "a://1"})
    assert host.only().params == {"uri": "a://1"}


def test_why_a_server_does_not_work_is_saved_until_it_works_again():
    wire = Wire(script("files"))
    host = wire.legacy_host()
    host.calls()
    wire.upstreams["files"].dies("out of paper")
    assert wire.failures == [{"files": "out of paper"}]
    host.calls()
    assert wire.failures[-1] == {}
    assert len(wire.failures) == 2
