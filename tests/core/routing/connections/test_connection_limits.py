"""One caller cannot take all connections to servers: the idlest end first, and what is in use stays."""

from __future__ import annotations

from typing import Any

from bridge.core.ports import ServerSpec
from bridge.core.routing import router
from bridge.core.routing.connections.connection_limits import MOST_COPIES, UNUSED
from tests.core.fake_peers import Host, Script, Wire, script

DONE: dict[str, Any] = {"content": []}


def http_host(wire: Wire, name: str = "script", identity: str = "") -> Host:
    return wire.legacy_host(name=name, wire="http", identity=identity)


def connections(wire: Wire, server: str = "files") -> int:
    return sum(peer.plot.spec.name == server for peer in wire.conns.values())


def answer_all(wire: Wire) -> None:
    for peer in list(wire.conns.values()):
        for call in peer.calls:
            peer.replies(call, DONE)
        peer.heard.clear()


def test_a_script_that_initializes_for_every_call_has_at_most_so_many_copies_and_every_call_is_answered():
    wire = Wire(script("files"))
    for _ in range(200):
        host = http_host(wire)
        wire.passes(1.0)
        call = host.calls()
        answer_all(wire)
        assert host.replies[call].result == DONE
    assert connections(wire) == MOST_COPIES


def test_the_copy_that_ended_is_opened_again_by_the_next_call_of_its_host():
    wire = Wire(script("files"))
    first = http_host(wire)
    first.calls()
    answer_all(wire)
    oldest = wire.upstreams["files"]
    for _ in range(MOST_COPIES):
        wire.passes(1.0)
        http_host(wire).calls()
        answer_all(wire)
    assert not oldest.open
    call = first.calls()
    answer_all(wire)
    assert first.replies[call].result == DONE
    assert connections(wire) == MOST_COPIES


def test_copies_with_calls_under_way_stay_and_the_next_caller_is_told():
    wire = Wire(script("files"))
    busy = [http_host(wire) for _ in range(MOST_COPIES)]
    calls = [host.calls() for host in busy]
    late = http_host(wire)
    call = late.calls()
    assert "all of them are in use" in late.replies[call].error["message"]
    answer_all(wire)
    assert all(host.replies[call].result == DONE for host, call in zip(busy, calls, strict=True))


def test_an_application_with_a_token_is_not_counted_with_those_without():
    wire = Wire(script("files"))
    for _ in range(MOST_COPIES):
        http_host(wire).calls()
    named = http_host(wire, identity="Cursor")
    call = named.calls()
    answer_all(wire)
    assert named.replies[call].result == DONE


def test_hosts_on_stdio_keep_their_copies_however_many_they_are():
    wire = Wire(script("files"))
    hosts = [wire.legacy_host() for _ in range(MOST_COPIES + 5)]
    for host in hosts:
        host.calls()
    answer_all(wire)
    assert connections(wire) == MOST_COPIES + 5


def test_in_all_there_are_no_more_than_the_system_has_descriptors_for():
    wire = Wire(script("files"), most_connections=3)
    hosts = [wire.legacy_host() for _ in range(3)]
    first, second, third = wire.conns.values()
    for host in hosts:
        host.calls()
        answer_all(wire)
        wire.passes(1.0)
    late = wire.legacy_host()
    assert "3 connections" in late.replies[late.calls()].error["message"]
    wire.passes(UNUSED)
    hosts[0].calls()
    answer_all(wire)
    call = late.calls()
    answer_all(wire)
    assert late.replies[call].result == DONE
    assert [peer.open for peer in (first, second, third)] == [True, False, True]


def test_a_connection_somebody_subscribed_through_is_in_use():
    wire = Wire(script("files", capabilities={"resources": {"subscribe": True}}), most_connections=1)
    host = http_host(wire)
    host.requests("resources/subscribe", {"uri": "note://1"})
    answer_all(wire)
    late = http_host(wire)
    assert "in use" in late.replies[late.calls()].error["message"]


def test_builtin_servers_are_in_this_process_and_have_no_limit():
    wire = Wire(script("files"), Script(ServerSpec("desk", builtin=True)), most_connections=1)
    wire.legacy_host().calls()
    host = wire.legacy_host(server="desk")
    call = host.calls()
    answer_all(wire)
    assert host.replies[call].result == DONE


def test_a_restart_that_finds_no_room_is_tried_again():
    wire = Wire(script("files", capabilities={"resources": {"subscribe": True}}), most_connections=1)
    host = wire.legacy_host()
    host.requests("resources/subscribe", {"uri": "note://1"})
    answer_all(wire)
    wire.conns[max(wire.conns)].dies()
    other = wire.legacy_host()
    call = other.calls()
    wire.passes(1.5)
    assert connections(wire) == 1
    answer_all(wire)
    assert other.replies[call].result == DONE


def test_whoever_invents_a_name_for_each_call_is_forgotten_in_the_end():
    wire = Wire(script("files"))
    for number in range(router.MOST_TENANTS * 2):
        wire.passes(0.01)
        host = wire.stranger(wire="http", tenant=f"http:files::name {number}:1")
        host.calls()
        answer_all(wire)
        host.leaves()
    assert len(wire.state.tenants) <= router.MOST_TENANTS
    assert connections(wire) <= MOST_COPIES
