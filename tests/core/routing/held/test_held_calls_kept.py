"""Held calls after a day, a deletion or a restart; and the tool that waits for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from bridge.core import events as ev
from bridge.core.policy.host_patience import HostPatience
from bridge.core.policy.rules import HostRule, Policy, QuestionPlace, Verdict
from bridge.core.routing.held import held_calls
from bridge.core.routing.held.held_calls import LONGEST_KEPT
from tests.core.fake_peers import LEGACY, Host, Wire, script
from tests.core.routing.held.held_samples import (
    ADA,
    ASK,
    CLOCK,
    DONE,
    calls,
    held,
    house,
    pair,
    ran,
    replies,
    text,
    ticket,
)


def test_a_reply_is_kept_for_a_day():
    wire, host, server, given = held()
    wire.person(ADA)
    replies(server)
    wire.passes(LONGEST_KEPT - 1.0)
    assert wire.router.held.saved()
    wire.passes(1.0)
    assert wire.saved[-1] == ()
    assert "No call waits" in text(host, host.calls("desk_wait", arguments={"ticket": given}))


def test_the_clock_goes_on_slowly_while_a_reply_is_kept():
    wire, host, server, _ = held()
    host.leaves()
    wire.person(ADA)
    replies(server)
    assert wire.router.pace == 60.0
    wire.passes(LONGEST_KEPT)
    assert wire.router.pace == 0.0


def test_a_call_that_nobody_ends_is_cancelled_after_a_day():
    wire, _, server, _ = held(limit=0.0)
    wire.passes(LONGEST_KEPT)
    assert (wire.desk, wire.state.open_requests, wire.saved[-1]) == ([], {}, ())
    assert server.last().method == "notifications/cancelled"


@pytest.mark.parametrize("finished", [True, False])
def test_the_person_deletes_a_call(finished):
    wire, host, server, given = held()
    if finished:
        wire.person(ADA)
        replies(server)
    wire.feed(ev.HeldCallDeleted(given))
    assert (wire.desk, wire.state.open_requests, wire.saved[-1]) == ([], {}, ())
    wire.feed(ev.HeldCallDeleted(given))
    assert "No call waits" in text(host, host.calls("desk_wait", arguments={"ticket": given}))


def test_a_deleted_call_that_somebody_waits_for_says_so():
    wire, host, _, given = held()
    waits = host.calls("desk_wait", arguments={"ticket": given})
    wire.feed(ev.HeldCallDeleted(given))
    assert "The person deleted this call" in text(host, waits)


def restarted(wire: Wire, **more: Any) -> tuple[Wire, Host]:
    """Another run with what the first had saved."""
    after = house(**more)
    after.feed(ev.HeldCallsRestored(wire.saved[-1]))
    return after, after.legacy_host(name="codex-mcp-client")


def test_a_kept_reply_survives_a_restart():
    wire, _, server, given = held()
    wire.person(ADA)
    replies(server)
    after, host = restarted(wire)
    assert text(host, host.calls("desk_wait", arguments={"ticket": given})) == "done"
    assert after.router.held.saved() == ()


@pytest.mark.parametrize("by_ticket", [True, False])
@pytest.mark.parametrize("quits", [True, False])
def test_a_call_that_a_restart_or_a_crash_cut_short_is_not_made_again_unasked(by_ticket, quits):
    wire, _, _, given = held()
    if quits:
        wire.quits()
    after, host = restarted(wire)
    call = ("desk_wait", {"ticket": given}) if by_ticket else ("ask", {"n": 1})
    request = host.calls(call[0], arguments=call[1])
    assert "Nobody knows whether" in text(host, request)
    assert ran(after.upstreams["files"]) == 0
    host.calls(arguments={"n": 1})
    assert ran(after.upstreams["files"]) == 1


@pytest.mark.parametrize(
    ("change", "runs"), [({}, 0), ({"wrapped": True}, 1), ({"server": "since removed"}, 1)]
)
def test_a_call_of_a_server_edited_while_deskbell_was_off_is_not_made_again(change, runs):
    """A wrapped server is none of the settings: another of its name may be another server."""
    wire, *_ = held()
    saved = [msgspec.structs.replace(one, **change) for one in wire.saved[-1]]
    plot = script("files", LEGACY, answers={"tools/list": {"tools": [ASK]}})
    after = Wire(replace(plot, spec=replace(plot.spec, args=("--new",))), patience=HostPatience())
    after.feed(ev.HeldCallsRestored(tuple(saved)))
    host = after.legacy_host(name="codex-mcp-client")
    host.calls(arguments={"n": 1})
    assert ran(after.upstreams["files"]) == runs


def test_a_host_is_told_to_go_on_waiting_when_its_call_is_saved():
    wire, host, server = pair(name="codex-mcp-client")
    wire.slow_disk = True
    request, _ = calls(host, server)
    wire.passes(291.0)
    wire.passes(1.0)
    assert (wire.saved, request in host.replies) == ([], False)
    wire.written()
    assert len(wire.saved[-1]) == 1
    assert "Not finished yet" in text(host, request)


def test_a_reply_that_comes_while_its_call_is_saved_is_delivered():
    wire, host, server = pair(name="codex-mcp-client")
    wire.slow_disk = True
    request, _ = calls(host, server)
    wire.passes(291.0)
    wire.person(ADA)
    replies(server)
    assert text(host, request) == "done"
    wire.written()
    assert wire.saved[-1] != wire.router.held.saved() == ()


def test_a_host_that_calls_again_while_its_call_is_saved_is_not_sent_away_at_once():
    wire, host, server = pair(name="codex-mcp-client")
    wire.slow_disk = True
    calls(host, server)
    wire.passes(291.0)
    again = host.calls(arguments={"n": 1})
    wire.written()
    assert again not in host.replies
    wire.passes(291.0)
    assert "Not finished yet" in text(host, again)


def test_an_approval_that_quitting_cut_short_was_surely_not_carried_out():
    policy = Policy((("*", Verdict.CONFIRM),))
    wire, host, _ = pair(name="codex-mcp-client", policy=policy)
    request = host.calls(arguments={"n": 1})
    wire.passes(291.0)
    given = ticket(host, request)
    wire.quits()
    _, back = restarted(wire)
    assert "before this call was made" in text(back, back.calls("desk_wait", arguments={"ticket": given}))


def test_a_reply_that_could_not_be_saved_is_not_replaced_by_another_call():
    wire, _, server, given = held()
    wire.person(ADA)
    replies(server)
    bare = tuple(msgspec.structs.replace(one, reply=b"") for one in wire.saved[-1])
    after = house()
    after.feed(ev.HeldCallsRestored(bare))
    host = after.legacy_host(name="codex-mcp-client")
    assert "Nobody knows" in text(host, host.calls("desk_wait", arguments={"ticket": given}))


def test_a_call_that_is_waited_for_when_deskbell_quits_ends_with_it():
    wire, host, _, given = held()
    waits = host.calls("desk_wait", arguments={"ticket": given})
    wire.quits()
    assert host.replies[waits].error["message"] == "Deskbell is closing."
    assert wire.saved[-1] == ()


def test_the_oldest_reply_makes_room(monkeypatch):
    monkeypatch.setattr(held_calls, "MOST_KEPT", 20)
    wire, host, server = pair(name="codex-mcp-client")
    for number in range(20 + 1):
        request, sent = calls(host, server, arguments={"n": number})
        wire.state.now += 20.0
        host.cancels(request, CLOCK)
        wire.person(ADA)
        server.replies(sent, DONE)
        server.new()
    assert len(wire.router.held.saved()) == 20


# The tool


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("codex-mcp-client", True),
        ("opencode", False),
        ("mcp", False),
        ("Host", False),
        ("claude-code", False),
    ],
)
def test_a_server_of_its_own_lists_desk_wait_for_hosts_that_are_known_to_give_up(name, listed):
    _, host, _ = pair(name=name)
    request = host.requests("tools/list")
    names = [tool["name"] for tool in host.replies[request].result["tools"]]
    assert names == ["ask", "desk_wait"][: 1 + listed]


@pytest.mark.parametrize(
    ("name", "listed"),
    [("codex-mcp-client", True), ("opencode", False), ("Host", True), ("claude-code", False)],
)
def test_merged_servers_list_desk_wait_for_hosts_that_may_give_up(name, listed):
    wire = house()
    host = wire.legacy_host(server="", name=name)
    request = host.requests("tools/list")
    names = [tool["name"] for tool in host.replies[request].result["tools"]]
    assert names == ["files_ask", "desk_wait"][: 1 + listed]


def test_later_pages_and_a_servers_own_desk_wait_stay_as_they_are():
    _, host, _ = pair(name="codex-mcp-client", tool={**ASK, "name": "desk_wait"})
    request = host.requests("tools/list")
    assert [tool["name"] for tool in host.replies[request].result["tools"]] == ["desk_wait"]
    later = host.requests("tools/list", {"cursor": "2"})
    assert len(host.replies[later].result["tools"]) == 1


def test_filters_of_the_settings_do_not_hide_desk_wait():
    policy = Policy(hosts={"codex-mcp-client": HostRule(QuestionPlace.AUTO, tools=("nothing",))})
    _, host, _ = pair(name="codex-mcp-client", policy=policy)
    request = host.requests("tools/list")
    assert [tool["name"] for tool in host.replies[request].result["tools"]] == ["desk_wait"]
