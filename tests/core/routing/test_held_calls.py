"""A person may think longer than a host waits: the call goes on, and no tool runs twice."""

from __future__ import annotations

from math import inf
from typing import Any

import msgspec
import pytest

from bridge.core import events as ev
from bridge.core.policy.patience import HostPatience
from bridge.core.policy.rules import HostRule, Policy, QuestionPlace, Verdict
from bridge.core.questions.question import DECLINE, accept
from bridge.core.routing.held import held_calls
from bridge.core.routing.held.held_calls import LONGEST_KEPT
from tests.core.fake_peers import LEGACY, MODERN, Host, Upstream, Wire, script
from tests.core.wire_messages import ELICIT, FORM, URL, Message, wants

ADA = accept({"name": "Ada"})
DONE = {"content": [{"type": "text", "text": "done"}]}
CLOCK = "McpError: MCP error -32001: Request timed out"
ASK = {"name": "ask", "inputSchema": {"type": "object"}}
TYPED = {"name": "ask", "inputSchema": {"type": "object"}, "outputSchema": {"type": "object"}}


def house(era: str = LEGACY, **more: Any) -> Wire:
    answers = {"tools/list": {"tools": [more.pop("tool", ASK)]}}
    more.setdefault("patience", HostPatience())
    return Wire(script("files", era, answers=answers), **more)


def pair(era: str = LEGACY, name: str = "Host", **more: Any) -> tuple[Wire, Host, Upstream]:
    wire = house(era, **more)
    host = wire.legacy_host(name=name) if era == LEGACY else wire.modern_host(name=name)
    host.requests("tools/list")
    server = wire.upstreams["files"]
    host.new()
    server.new()
    return wire, host, server


def calls(host: Host, server: Upstream, **params: Any) -> tuple[bytes, Message]:
    """The host calls `ask`, and the server asks the person. Returns both ids of the call."""
    request = host.calls(arguments=params.pop("arguments", {"n": 1}), **params)
    sent = server.calls[-1]
    server.asks(b'"e%b"' % sent.id.strip(b'"'), FORM)
    return request, sent


def text(host: Host, request: bytes) -> str:
    return str(host.replies[request].result["content"][0]["text"])


def ticket(host: Host, request: bytes) -> str:
    said = text(host, request)
    return said[said.index('"wait-') + 1 :].partition('"')[0]


def held(era: str = LEGACY, name: str = "codex-mcp-client", **more: Any) -> tuple[Wire, Host, Upstream, str]:
    """A call that was let go, with its ticket."""
    wire, host, server = pair(era, name, **more)
    request = host.calls(arguments={"n": 1})
    sent = server.calls[-1]
    if era == LEGACY:
        server.asks(b"1", FORM)
    else:
        server.replies(sent, wants(who=FORM))
    wire.passes(291.0)
    return wire, host, server, ticket(host, request)


def ran(server: Upstream) -> int:
    """How often the tool was run: calls that reached the server, without those that carry answers."""
    made = [one for one in server.calls if one.method == "tools/call"]
    return len([one for one in made if "inputResponses" not in one.params])


def replies(server: Upstream) -> None:
    """The server has its answer, and replies to the call."""
    made = [one for one in server.calls if one.method == "tools/call"]
    server.replies(made[-1], DONE)


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


# A host that gives up by itself


@pytest.mark.parametrize(
    ("seconds", "reason", "outlives"),
    [
        (20.0, CLOCK, True),
        (20.0, "request timeout", True),
        (20.0, "the host went away", True),
        (20.0, "AbortError: This operation was aborted", False),
        (20.0, "", False),
        (20.0, {"odd": 1}, False),
        (53.9, "", False),
        (1.0, CLOCK, True),
    ],
)
def test_a_host_that_cancels_by_its_clock_leaves_the_question_where_it_is(seconds, reason, outlives):
    wire, host, server = pair()
    request, _ = calls(host, server)
    wire.passes(seconds)
    host.cancels(request, reason)
    assert bool(wire.desk) is outlives
    assert [question.host_left for question in wire.desk] == [True] * outlives
    assert any(one.method == "notifications/cancelled" for one in server.heard) is not outlives
    host.calls(arguments={"n": 1})
    assert ran(server) == (1 if outlives else 2)
    assert not any(question.host_left for question in wire.desk)


def test_a_host_that_went_away_may_come_back_in_another_session_before_the_first_is_over():
    wire, host, server = pair()
    request, _ = calls(host, server)
    wire.passes(20.0)
    host.cancels(request, "the host went away")
    second = wire.legacy_host(name="Host")
    second.calls(arguments={"n": 1})
    assert (ran(server), ran(wire.upstreams["files"])) == (1, 0)
    assert wire.router.patience.learned == {}


def test_a_cancel_without_a_reason_at_the_age_of_the_hosts_patience_is_its_clock():
    policy = Policy(hosts={"Host": HostRule(patience=20.0)})
    wire, host, server = pair(policy=policy)
    request, _ = calls(host, server)
    host.wire.state.now += 19.5  # between two ticks
    host.cancels(request)
    assert wire.question().host_left


def test_a_host_whose_link_closes_at_the_age_of_its_patience_gave_up_by_its_clock():
    wire, host, server = pair(policy=Policy(hosts={"Host": HostRule(patience=20.0)}))
    calls(host, server)
    wire.state.now += 19.5
    host.leaves()
    assert wire.question().host_left


def test_a_host_that_leaves_while_it_waits_takes_its_question_along():
    wire, host, server = pair()
    calls(host, server)
    wire.passes(20.0)
    host.leaves()
    assert (wire.desk, wire.nothing_left()) == ([], True)


def test_stop_pressed_in_the_host_withdraws_a_call_that_was_taken_up_again():
    wire, host, server, given = held()
    waits = host.calls("desk_wait", arguments={"ticket": given})
    host.cancels(waits, "AbortError: This operation was aborted")
    assert (wire.desk, wire.state.open_requests, wire.saved[-1]) == ([], {}, ())
    assert "No call waits" in text(host, host.calls("desk_wait", arguments={"ticket": given}))
    assert ran(server) == 1


def test_a_cancelled_request_that_was_answered_already_changes_nothing():
    wire, host, _, _ = held()
    host.cancels(b"3", "AbortError: This operation was aborted")
    assert wire.question().message == "Who?"


def test_how_long_a_host_waits_is_learned_from_its_cancelling():
    patience = HostPatience()
    wire, host, server = pair(patience=patience)
    request, _ = calls(host, server)
    wire.passes(30.0)
    host.cancels(request, CLOCK)
    assert patience.learned == {"Host": 30.0}
    again = host.calls(arguments={"n": 1})
    wire.passes(26.9)
    assert again not in host.replies
    wire.passes(0.1)
    assert "call ask with exactly the same arguments now" in text(host, again)


def test_the_same_call_while_the_first_still_waits_shows_that_the_host_gave_up_silently():
    patience = HostPatience()
    wire, host, server = pair(patience=patience)
    first, _ = calls(host, server)
    wire.passes(12.0)
    second = host.calls(arguments={"n": 1})
    assert "Not finished yet" in text(host, first)
    assert (ran(server), patience.learned) == (1, {"Host": 10.0})
    wire.person(ADA)
    replies(server)
    assert text(host, second) == "done"


@pytest.mark.parametrize("name", ["Host", "claude-code"])
def test_the_same_call_at_once_or_of_a_host_that_does_not_give_up_is_made_twice(name):
    wire, host, server = pair(name=name)
    calls(host, server)
    wire.passes(3.0 if name == "Host" else 30.0)
    host.calls(arguments={"n": 1})
    assert ran(server) == 2


def test_a_silent_repetition_of_what_cannot_outlive_its_host_is_made():
    wire, host, server = pair()
    host.calls(arguments={"n": 1}, task={})
    server.asks(b"1", FORM)
    wire.passes(12.0)
    host.calls(arguments={"n": 1})
    assert ran(server) == 2


def waits(wire: Wire, host: Host, tool: str, **arguments: Any) -> float:
    """Return the seconds after which a call is let go."""
    request, began = host.calls(tool, arguments=arguments), wire.state.now
    while request not in host.replies:
        wire.passes(1.0)
    return wire.state.now - began


def test_of_a_name_that_hasty_and_patient_frameworks_share_the_patient_are_asked_ever_more_seldom():
    wire, host, server = pair(name="mcp", limit=10_000.0)
    calls(host, server)
    wire.passes(4.0)
    assert [waits(wire, host, "ask", n=1) for _ in range(5)] == [8.0, 16.0, 32.0, 64.0, 128.0]


def test_and_the_hasty_ones_get_their_own_time_back_after_one_failure():
    wire, host, server = pair(name="mcp", limit=10_000.0)
    calls(host, server)
    wire.passes(4.0)
    host.calls(arguments={"n": 1})
    wire.passes(6.0)  # it has given up after five, without a word
    assert [waits(wire, host, "ask", n=1) for _ in range(3)] == [4.0, 4.0, 4.0]
    host.leaves()
    assert wire.router.held._proven == {}


# Windows


def test_a_window_says_that_the_host_is_away_if_it_does_not_come_back_soon():
    wire, host, _, given = held(limit=10_000.0)
    wire.passes(19.0)
    assert not wire.question().host_left
    wire.passes(1.0)
    assert wire.question().host_left
    host.calls("desk_wait", arguments={"ticket": given})
    assert not wire.question().host_left


def test_the_status_says_what_is_held_and_whether_it_is_awaited():
    wire, host, _, given = held()
    (status,) = wire.router.held.statuses()
    assert (status.ticket, status.host, status.server, status.tool) == (
        given,
        "codex-mcp-client",
        "files",
        "ask",
    )
    assert (status.finished, status.is_awaited) == (0.0, False)
    host.calls("desk_wait", arguments={"ticket": given})
    assert wire.router.held.statuses()[0].is_awaited


def test_how_often_a_call_was_let_go_is_in_its_history():
    wire, host, server, given = held()
    host.calls("desk_wait", arguments={"ticket": given})
    wire.person(ADA)
    replies(server)
    assert [one.facts["held"] for one in wire.records if one.kind == "call"] == [1]


# Hosts and servers that go


def test_a_call_outlives_the_link_of_its_host_and_is_taken_up_by_the_next_one():
    wire, host, server, _ = held()
    host.leaves()
    assert wire.question().message == "Who?"
    assert server.open
    wire.person(ADA)
    replies(server)
    assert not server.open
    back = wire.legacy_host(name="codex-mcp-client")
    assert text(back, back.calls(arguments={"n": 1})) == "done"
    assert ran(wire.upstreams["files"]) == 0


def test_a_call_is_taken_up_through_another_link_before_the_answer():
    wire, host, server, given = held()
    host.leaves()
    back = wire.legacy_host(name="codex-mcp-client")
    waits = back.calls("desk_wait", arguments={"ticket": given})
    wire.person(ADA)
    replies(server)
    assert text(back, waits) == "done"
    back.leaves()
    assert wire.nothing_left()


def test_a_question_outside_any_call_outlives_the_host_of_a_call_that_goes_on():
    wire, host, server = pair(name="codex-mcp-client")
    host.calls(arguments={"n": 1})
    host.calls(arguments={"n": 2})
    server.asks(b"1", FORM)  # it does not say for which
    wire.passes(291.0)
    host.leaves()
    assert wire.question().message == "Who?"
    wire.person(ADA)
    assert server.last().result["action"] == "accept"


def test_a_page_that_was_opened_is_waited_for():
    wire, host, server = pair()
    request = host.calls(arguments={"n": 1})
    server.asks(b"1", URL)
    wire.person(accept())
    wire.passes(54.0)
    assert "is still at work" in text(host, request)


def test_a_server_that_times_out_has_its_error_kept():
    wire, host, _, given = held()
    wire.person(ADA)
    wire.passes(120.0)
    waits = host.calls("desk_wait", arguments={"ticket": given})
    assert "did not answer within 120 seconds" in host.replies[waits].error["message"]


def test_a_modern_host_over_http_waits_by_another_post():
    wire = house(MODERN)
    first = wire.modern_host(name="codex-mcp-client", tenant="http:codex")
    request = first.calls(arguments={"n": 1})
    server = wire.upstreams["files"]
    server.replies(server.calls[-1], wants(who=FORM))
    wire.passes(291.0)
    given = ticket(first, request)
    first.leaves()
    second = wire.modern_host(name="codex-mcp-client", tenant="http:codex")
    waits = second.calls("desk_wait", arguments={"ticket": given})
    wire.person(ADA)
    server.replies(server.calls[-1], DONE)
    assert text(second, waits) == "done"
    assert "resultType" in first.replies[request].result


# Twenty-four hours, deletion, restart


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
