"""A person may think longer than a host waits: the call goes on, and no tool runs twice."""

from __future__ import annotations

from math import inf

import msgspec
import pytest

from bridge.core import events as ev
from bridge.core.policy.host_patience import HostPatience
from bridge.core.policy.rules import HostRule, Policy, Verdict
from bridge.core.questions.question import DECLINE
from tests.core.fake_peers import LEGACY, MODERN
from tests.core.routing.held.held_samples import (
    ADA,
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
from tests.core.wire_messages import ELICIT, FORM, wants

TYPED = {"name": "ask", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}}


# Letting go


def test_a_host_whose_entry_gives_calls_an_hour_is_not_let_go_before():
    wire, host, server = pair(name="kimi-code")
    old = wire.state.settings
    wire.feed(msgspec.structs.replace(old, call_limits={"kimi-code": 3600.0}))
    request, _ = calls(host, server)
    wire.passes(299.0)
    assert request not in host.replies
    wire.passes(3300.0)
    assert "Not finished yet" in text(host, request)


def test_a_new_limit_makes_a_host_be_tried_again():
    wire, *_ = pair(patience=HostPatience({"kimi-code": 30.0}))
    for seconds in (60.0, 3600.0):
        wire.feed(msgspec.structs.replace(wire.state.settings, call_limits={"kimi-code": seconds}))
    assert wire.router.patience.learned == {}


def test_tickets_of_two_runs_differ():
    first, *_ = held()
    saved = first.saved[-1]
    wire, host, server = pair(name="codex-mcp-client")
    wire.feed(ev.HeldCallsRestored(saved))
    request, _ = calls(host, server, arguments={"n": 2})
    wire.passes(291.0)
    assert ticket(host, request) not in [one.ticket for one in saved]
    assert len(wire.router.held.calls) == 2


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_shortly_before_its_patience_runs_out_a_host_is_told_how_to_go_on_waiting(era):
    wire, host, server = pair(era)
    request = host.calls(arguments={"n": 1})
    if era == LEGACY:
        server.asks(b"1", FORM)
    else:
        server.replies(server.only(), wants(who=FORM))
    wire.passes(53.0)
    assert request not in host.replies
    wire.passes(1.0)
    assert host.replies[request].result.get("isError") is False
    assert text(host, request) == (
        "Not finished yet. files has asked the person at this computer something, and waits for the answer. "
        "Nothing has failed and nothing is lost. To go on waiting, call ask with exactly the same arguments "
        "now: this continues the same call and does not start another. Repeat it until the call is finished."
    )
    assert wire.question().message == "Who?"


def test_a_host_that_is_known_to_give_up_gets_a_ticket_too():
    _, host, _, given = held()
    said = text(host, b"3")
    assert f'call desk_wait with the ticket "{given}" now, or ask with exactly the same arguments' in said


def test_the_result_suits_a_tool_with_an_output_schema():
    wire, host, server = pair(tool=TYPED)
    request, _ = calls(host, server)
    wire.passes(54.0)
    assert host.replies[request].result["isError"] is True
    assert "structuredContent" not in host.replies[request].result


def test_a_tool_that_was_never_listed_may_have_an_output_schema():
    wire = house()
    host = wire.legacy_host()
    request, _ = calls(host, wire.upstreams["files"])
    wire.passes(54.0)
    assert host.replies[request].result["isError"] is True


def test_an_approval_is_waited_for_alike():
    wire, host, server = pair(policy=Policy((("*", Verdict.CONFIRM),)))
    request = host.calls(arguments={"n": 1})
    wire.passes(54.0)
    assert "has been asked to allow ask, and has not decided yet" in text(host, request)
    wire.person(DECLINE)
    again = host.calls(arguments={"n": 1})
    assert "did not allow" in text(host, again)
    assert ran(server) == 0


def test_a_server_at_work_after_the_answer_has_its_host_let_go_as_well():
    wire, host, server = pair()
    request, _ = calls(host, server)
    wire.passes(50.0)
    wire.person(ADA)
    wire.passes(4.0)
    assert "The person at this computer has been asked; files is still at work." in text(host, request)


def test_a_call_that_asks_nobody_is_left_to_the_hosts_clock():
    wire, host, server = pair()
    request = host.calls()
    wire.passes(60.0)
    assert request not in host.replies
    host.cancels(request, CLOCK)
    assert server.heard[-1].method == "notifications/cancelled"


@pytest.mark.parametrize(
    ("name", "token", "waits"),
    [
        ("claude-code", False, inf),
        ("opencode", True, inf),
        ("opencode", False, 54.0),
        ("qwen-cli-mcp-client-files", True, 590.0),
        ("qwen-cli-mcp-client-files", False, 290.0),
        ("codex-mcp-client", True, 290.0),
        ("mcp", False, 3.5),
        ("mcp", True, 290.0),
        ("New Host", True, 54.0),
    ],
)
def test_each_host_waits_as_long_as_it_is_known_to(name, token, waits):
    wire, host, server = pair(name=name, limit=10_000.0)
    request, _ = calls(host, server, **({"_meta": {"progressToken": 1}} if token else {}))
    wire.passes(min(waits, 5000.0) - 0.1)
    assert request not in host.replies
    wire.passes(0.1)
    assert (request in host.replies) is (waits < inf)


@pytest.mark.parametrize(("patience", "waits"), [(20.0, 18.0), (inf, inf)])
def test_the_settings_have_the_last_word(patience, waits):
    policy = Policy(hosts={"opencode": HostRule(patience=patience)})
    wire, host, server = pair(name="opencode", limit=10_000.0, policy=policy)
    request, _ = calls(host, server, _meta={"progressToken": 1})
    wire.passes(min(waits, 5000.0))
    assert (request in host.replies) is (waits < inf)


def test_a_question_that_only_the_host_shows_goes_with_its_clock():
    wire = house()
    host = wire.legacy_host(ELICIT)
    request, _ = calls(host, wire.upstreams["files"])
    wire.passes(15.0)
    host.cancels(request, CLOCK)
    assert wire.state.open_requests == {}


def test_a_question_that_host_and_desk_show_stays_on_the_desk():
    wire = house()
    host = wire.legacy_host(ELICIT)
    request, _ = calls(host, wire.upstreams["files"])
    (asked,) = host.asked
    wire.passes(21.0)
    wire.passes(33.0)
    assert "Not finished yet" in text(host, request)
    assert wire.question().message == "Who?"
    (withdrawn,) = [one for one in host.heard if one.method == "notifications/cancelled"]
    assert withdrawn.params == {"requestId": int(asked.id)}


def test_a_caller_without_mcp_and_a_task_are_not_let_go():
    wire = house()
    plain = wire.legacy_host(plain=True)
    server = wire.upstreams["files"]
    request, _ = calls(plain, server)
    long = wire.legacy_host()
    task, _ = calls(long, wire.upstreams["files"], task={})
    wire.passes(60.0)
    assert request not in plain.replies
    assert task not in long.replies


# Coming back


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_the_same_call_again_takes_up_the_one_that_goes_on(era):
    wire, host, server, _ = held(era)
    again = host.calls(arguments={"n": 1})
    assert (again in host.replies, ran(server)) == (False, 1)
    wire.person(ADA)
    replies(server)
    assert text(host, again) == "done"
    assert (ran(server), wire.router.held.saved()) == (1, ())
    assert wire.saved[-1] == ()


def test_arguments_are_the_same_in_any_order():
    wire, host, server = pair()
    calls(host, server, arguments={"a": 1, "b": [{"x": 1, "y": 2}]})
    wire.passes(54.0)
    host.calls(arguments={"b": [{"y": 2, "x": 1}], "a": 1})
    assert ran(server) == 1


def test_odd_arguments_are_compared_as_they_are():
    wire, host, server = pair()
    odd = b'{"name":"ask","arguments":{"n":1e999}}'
    host.requests("tools/call", odd)
    server.asks(b"1", FORM)
    wire.passes(54.0)
    host.requests("tools/call", odd)
    assert ran(server) == 1


def test_desk_wait_with_the_ticket_takes_it_up_any_number_of_times():
    wire, host, server, given = held(limit=10_000.0)
    for _ in range(5):
        waits = host.calls("desk_wait", arguments={"ticket": given})
        wire.passes(289.0)
        assert waits not in host.replies
        wire.passes(1.0)
        assert ticket(host, waits) == given
        assert host.replies[waits].result["isError"] is False
    last = host.calls("desk_wait", arguments={"ticket": f" {given}\n"})
    wire.person(ADA)
    replies(server)
    assert text(host, last) == "done"
    assert ran(server) == 1


def test_a_model_that_was_told_often_to_wait_hears_how_to_stop():
    wire, host, _, given = held(limit=10_000.0)
    told = []
    for _ in range(6):
        waits = host.calls("desk_wait", arguments={"ticket": given})
        wire.passes(290.0)
        told.append("end your turn" in text(host, waits))
    assert told == [False] * 4 + [True] * 2


def test_a_reply_that_came_meanwhile_is_delivered_once():
    wire, host, server, given = held()
    wire.person(ADA)
    replies(server)
    assert [one.finished > 0 for one in wire.saved[-1]] == [True]
    waits = host.calls("desk_wait", arguments={"ticket": given})
    assert text(host, waits) == "done"
    assert wire.records[-1].outcome == "delivered"
    late = host.calls("desk_wait", arguments={"ticket": given})
    assert "No call waits under this ticket" in text(host, late)
    assert host.replies[late].result["isError"] is True


def test_after_the_delivery_the_same_call_is_a_new_one():
    wire, host, server, _ = held()
    wire.person(ADA)
    replies(server)
    assert text(host, host.calls(arguments={"n": 1})) == "done"
    host.calls(arguments={"n": 1})
    assert ran(server) == 2


def test_an_error_of_the_server_is_kept_and_delivered_as_such():
    _, host, server, given = held()
    server.dies("it crashed")
    waits = host.calls("desk_wait", arguments={"ticket": given})
    assert host.replies[waits].error["message"] == "it crashed"


@pytest.mark.parametrize("change", [{"arguments": {"n": 2}}, {"tool": "other"}, {"task": {}}])
def test_another_call_is_another_call(change):
    _, host, server, _ = held()
    host.calls(**{"arguments": {"n": 1}, **change})
    assert ran(server) == 2


def test_another_host_gets_neither_the_call_nor_its_reply():
    wire, _, server, given = held()
    other = wire.legacy_host(name="gemini-cli-mcp-client")
    own = wire.upstreams["files"]
    stolen = other.calls("desk_wait", arguments={"ticket": given})
    assert "No call waits" in text(other, stolen)
    other.calls(arguments={"n": 1})
    assert (ran(server), ran(own)) == (1, 1)


def test_a_second_window_of_the_same_host_makes_its_own_call():
    wire, host, server, _ = held()
    second = wire.legacy_host(name="codex-mcp-client")
    own = wire.upstreams["files"]
    second.calls(arguments={"n": 1})
    assert (ran(server), ran(own)) == (1, 1)
    again = host.calls(arguments={"n": 1})
    wire.person(ADA, wire.desk[0])
    replies(server)
    assert text(host, again) == "done"


def test_two_that_wait_for_one_ticket_get_one_reply():
    wire, host, server, given = held()
    first = host.calls("desk_wait", arguments={"ticket": given})
    second = host.calls("desk_wait", arguments={"ticket": given})
    assert "Not finished yet" in text(host, first)
    wire.person(ADA)
    replies(server)
    assert text(host, second) == "done"


def test_an_unreadable_ticket_is_none():
    wire = house()
    host = wire.legacy_host(server="")
    request = host.calls("desk_wait", arguments={"ticket": 5})
    assert "No call waits" in text(host, request)


def test_a_servers_own_desk_wait_stays_its_own():
    _, host, server = pair(name="codex-mcp-client")
    host.calls("desk_wait", arguments={"ticket": "theirs"})
    assert server.only().params["name"] == "desk_wait"


def test_a_host_waits_under_its_new_token():
    wire, host, _, given = held()
    host.calls("desk_wait", arguments={"ticket": given}, _meta={"progressToken": "new"})
    host.new()
    wire.passes(10.0)
    assert host.only().params["progressToken"] == "new"


def test_a_modern_reply_kept_for_a_host_that_returns_as_a_legacy_one_is_in_its_era():
    wire, host, server, given = held(MODERN)
    wire.person(ADA)
    server.replies(server.calls[-1], {"resultType": "complete", **DONE})
    old = wire.legacy_host(name="codex-mcp-client")
    host.leaves()
    waits = old.calls("desk_wait", arguments={"ticket": given})
    assert old.replies[waits].result == DONE
