"""Servers that end: the next call starts them again, but not for ever; and what hosts settled is restored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bridge.core.routing.connections.backoff import FIRST, JITTER, LONGEST, SOON, ServerBackoff
from bridge.core.routing.connections.subscribed_restarts import RESTART_DELAY as PAUSE
from bridge.core.routing.state import Tenant
from bridge.core.routing.subscriptions.subscriptions import MOST
from tests.core.fake_peers import Host, Upstream, Wire, script

RESOURCES = {"resources": [{"uri": "a://1"}]}
ABLE: dict[str, Any] = {"tools": {}, "logging": {}, "resources": {"subscribe": True}}


def crashes(host: Host, times: int) -> None:
    for _ in range(times):
        host.calls()
        host.wire.upstreams["files"].dies("files ran out of paper")


def refusal(host: Host) -> str:
    """Why a call is not made; empty if it is."""
    request = host.calls()
    return host.replies[request].error["message"] if request in host.replies else ""


def test_a_server_that_ended_is_started_again_by_the_next_call():
    wire = Wire(script())
    host = wire.legacy_host()
    crashes(host, 2)
    call = host.calls()
    files = wire.upstreams["files"]
    files.replies(files.calls[-1], {"ok": 1})
    assert host.replies[call].result == {"ok": 1}


def test_one_that_keeps_ending_is_left_alone_for_a_while_and_the_host_is_told_for_how_long():
    wire = Wire(script())
    host = wire.legacy_host()
    crashes(host, 3)
    assert refusal(host) == "files ran out of paper. It is started again in 2 s."
    assert wire.conns == {}
    wire.passes(FIRST * (1 + JITTER))
    assert refusal(host) == ""


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("files ended with code 1", "files ended with code 1. It is tried again in 2 s."),
        ("Could not start files: no. Check.", "Could not start files: no. Check. It is tried again in 2 s."),
        ("files ended with code 1:\nOh\nno", "files ended with code 1:\nOh\nno\nIt is tried again in 2 s."),
    ],
)
def test_one_that_has_never_worked_is_tried_again_and_its_reason_is_told_as_it_is(reason, told):
    plot = script()
    plot.mute = True
    wire = Wire(plot)
    host = wire.legacy_host()
    for _ in range(3):
        wire.upstreams["files"].dies(reason)
        last = refusal(host)
    assert last == told


def test_one_that_is_not_ours_to_start_is_tried_again():
    plot = script()
    plot.spec = replace(plot.spec, command="", url="http://127.0.0.1/mcp")
    host = Wire(plot).legacy_host()
    crashes(host, 3)
    assert refusal(host) == "files ran out of paper. It is tried again in 2 s."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Sign in first", "files could not be connected: Sign in first. It is tried again in 2 s."),
        ("Could not reach files: no.", "Could not reach files: no. It is tried again in 2 s."),
    ],
)
def test_one_that_would_not_connect_is_told_of_as_such(said, told):
    plot = script()
    plot.mute = True
    wire = Wire(plot)
    host = wire.legacy_host()
    for _ in range(3):
        files = wire.upstreams["files"]
        files.fails(files.last(), {"code": -32000, "message": said})
        files.fails(files.last(), {"code": -32601, "message": "Method not found"})
        last = refusal(host)
    assert last == told


def test_the_rests_grow_to_a_limit_and_start_over_after_a_good_minute():
    rest, now, waits = ServerBackoff(("host", "files")), 0.0, []
    for _ in range(9):
        rest.ended(now, "")
        waits.append(rest.until - now)
        now = rest.until
    wanted = [0, 0, 1, 2, 4, 8, 16, LONGEST, LONGEST]
    assert all(least <= wait <= least * (1 + JITTER) for least, wait in zip(wanted, waits, strict=True))
    assert len({wait / least for least, wait in zip(wanted[2:], waits[2:], strict=True)}) > 1
    now = rest.until + SOON + 1
    rest.ended(now, "")
    assert rest.until == now


def test_ends_that_are_far_apart_are_no_loop():
    wire = Wire(script())
    host = wire.legacy_host()
    for _ in range(5):
        crashes(host, 1)
        wire.passes(SOON / 2 + 1)
    assert refusal(host) == ""


def test_a_list_does_without_a_server_that_rests():
    tools = {"tools/list": {"tools": [{"name": "save"}]}}
    wire = Wire(script(), script("mail", answers=tools))
    host = wire.legacy_host(server="")
    for _ in range(3):
        host.requests("tools/list")
        wire.upstreams["files"].dies()
    request = host.requests("tools/list")
    assert [tool["name"] for tool in host.replies[request].result["tools"]] == ["mail_save"]


def test_an_edited_server_is_tried_at_once_and_so_is_one_for_another_host():
    wire = Wire(script())
    host = wire.legacy_host()
    crashes(host, 3)
    assert refusal(host) != ""
    assert refusal(wire.legacy_host()) == ""
    wire.edits({"files": replace(wire.plots["files"].spec, args=("--mended",))})
    assert refusal(host) == ""


def test_a_shared_server_rests_for_everybody():
    wire = Wire(script(shared=True))
    host, other = wire.legacy_host(), wire.legacy_host()
    crashes(host, 3)
    assert refusal(host) == refusal(other) != ""
    host.leaves()
    other.leaves()
    assert wire.nothing_left()


# What was settled


def settled(files: Upstream) -> list[tuple[str, Any]]:
    """What a new connection heard before anything else."""
    said = [(message.method, message.params) for message in files.heard]
    assert [method for method, _ in said[:2]] == ["initialize", "notifications/initialized"]
    return [one for one in said[2:] if one[0] != "tools/call"]


def agrees(host: Host, method: str, params: Any) -> None:
    host.requests(method, params)
    files = host.wire.upstreams["files"]
    files.replies(files.calls[-1], {})


@pytest.mark.parametrize("shared", [False, True])
def test_log_level_and_subscriptions_are_restored_on_a_new_connection(shared):
    wire = Wire(script(capabilities=ABLE, shared=shared))
    host = wire.legacy_host()
    agrees(host, "logging/setLevel", {"level": "debug"})
    for uri in ("a://1", "a://2"):
        agrees(host, "resources/subscribe", {"uri": uri})
    agrees(host, "resources/unsubscribe", {"uri": "a://1"})
    host.requests("resources/subscribe", {"uri": "a://refused"})
    files = wire.upstreams["files"]
    files.fails(files.calls[-1], {"code": 1, "message": "no"})
    files.dies()
    host.new()
    host.calls()
    files = wire.upstreams["files"]
    assert settled(files) == [
        ("logging/setLevel", {"level": "debug"}),
        ("resources/subscribe", {"uri": "a://2"}),
    ]
    for request in files.calls[:2]:
        files.replies(request, {})
    assert host.new() == []


def test_a_server_that_starts_later_hears_the_level_that_was_set_for_all():
    wire = Wire(script(capabilities=ABLE), script("plain"))
    host = wire.legacy_host(server="")
    host.requests("logging/setLevel", {"level": "debug"})
    host.calls("files_save")
    host.calls("plain_save")
    assert settled(wire.upstreams["files"]) == [("logging/setLevel", {"level": "debug"})]
    assert settled(wire.upstreams["plain"]) == []


def test_a_subscription_that_only_the_server_understands_is_not_restored():
    wire = Wire(script(capabilities=ABLE))
    host = wire.legacy_host()
    agrees(host, "resources/subscribe", {"uri": 5})
    assert host.new()[-1].result == {}
    wire.upstreams["files"].dies()
    host.calls()
    assert settled(wire.upstreams["files"]) == []


def test_only_so_many_subscriptions_are_remembered():
    subscriptions, host = Wire().router.subscriptions, Tenant("host", private=True)
    subscriptions.learn(host, "files", "resources/unsubscribe", b'{"uri":"a://0"}')
    for number in range(MOST + 5):
        subscriptions.learn(host, "files", "resources/subscribe", b'{"uri":"a://%d"}' % number)
    assert [len(subscriptions.resources(host, server)) for server in ("files", "mail")] == [MOST, 0]


# Started again without being called for


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("server", ["", "files"])
def test_a_server_whose_resource_somebody_subscribed_to_is_started_again_by_itself(server, shared):
    wire = Wire(script(capabilities=ABLE, shared=shared, answers={"resources/list": RESOURCES}))
    host = wire.legacy_host(server=server)
    host.requests("resources/list")
    agrees(host, "resources/subscribe", {"uri": "a://1"})
    wire.upstreams["files"].dies()
    assert (wire.conns, wire.router.pace) == ({}, 1.0)
    wire.passes(PAUSE)
    files = wire.upstreams["files"]
    assert settled(files) == [("resources/subscribe", {"uri": "a://1"})]
    host.new()
    files.notes("notifications/resources/updated", {"uri": "a://1"})
    assert host.only().params == {"uri": "a://1"}
    assert wire.router.connections.restarts.planned == {}


def test_so_is_one_that_a_modern_host_listens_to():
    wire = Wire(script(capabilities=ABLE, answers={"resources/list": RESOURCES}))
    host = wire.modern_host(server="")
    host.requests("resources/list")
    host.requests("subscriptions/listen", {"notifications": {"resourceSubscriptions": ["a://1"]}})
    wire.upstreams["files"].dies()
    wire.passes(PAUSE)
    assert wire.upstreams["files"].calls[-1].params == {"uri": "a://1"}


def test_one_that_keeps_ending_is_tried_again_after_its_rest():
    wire = Wire(script(capabilities=ABLE))
    host = wire.legacy_host()
    agrees(host, "resources/subscribe", {"uri": "a://1"})
    tries = 0
    for _ in range(60):
        if wire.conns:
            tries += 1
            wire.upstreams["files"].dies()
        wire.passes(PAUSE)
    assert 4 < tries < 12


@pytest.mark.parametrize("gone", ["host", "server"])
def test_nobody_is_revived_for_those_who_are_gone(gone):
    wire = Wire(script(capabilities=ABLE))
    host = wire.legacy_host()
    agrees(host, "resources/subscribe", {"uri": "a://1"})
    wire.upstreams["files"].dies()
    if gone == "host":
        host.leaves()
    else:
        wire.edits({})
    wire.passes(PAUSE)
    assert (wire.conns, wire.router.connections.restarts.planned) == ({}, {})


def test_a_wrapped_server_is_revived_too():
    wire = Wire(script(capabilities=ABLE))
    host = wire.legacy_host(wrap=wire.plots["files"].spec)
    wire.state.servers = {}
    agrees(host, "resources/subscribe", {"uri": "a://1"})
    wire.upstreams["files"].dies()
    wire.passes(PAUSE)
    assert len(wire.conns) == 1
