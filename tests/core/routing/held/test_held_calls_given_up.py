"""Calls whose host gave up by itself, or went with its server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge.core import events as ev
from bridge.core.policy.host_patience import HostPatience
from bridge.core.policy.rules import HostRule, Policy
from bridge.core.questions.question import accept
from tests.core.fake_peers import MODERN
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
    waits,
)
from tests.core.wire_messages import ELICIT, FORM, URL, wants


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


def test_a_call_that_its_host_took_up_after_a_new_start_and_repeats_silently_is_not_made_again():
    wire, host, server, _ = held()
    host.leaves()
    back = wire.legacy_host(name="codex-mcp-client")
    back.calls(arguments={"n": 1})
    wire.passes(5.0)
    repeated = back.calls(arguments={"n": 1})
    wire.person(ADA)
    replies(server)
    assert text(back, repeated) == "done"
    assert ran(wire.upstreams["files"]) == 0


@pytest.mark.parametrize(("name", "waited"), [("files", 5.0), ("files", 291.0), ("docs", 291.0)])
def test_a_call_of_a_server_that_was_edited_or_renamed_meanwhile_is_not_made_again(name, waited):
    wire, host, server = pair(name="codex-mcp-client")
    host.calls(arguments={"n": 1})
    server.asks(b"1", FORM)
    wire.passes(waited)
    spec = wire.plots["files"].spec
    for args in (("--new",), ("--newer",), ("--new",)):
        edited = replace(wire.state.servers.get(name, spec), name=name, args=args)
        if name not in wire.state.servers:
            wire.feed(ev.ServerRenamed("files", name, edited.identity))
        wire.plots[name] = replace(wire.plots["files"], spec=edited)
        wire.edits({name: edited})
    if name != "files":
        host.leaves()
        host = wire.legacy_host(name="codex-mcp-client", server=name)
    repeated = host.calls(arguments={"n": 1})
    wire.person(ADA)
    replies(server)
    assert text(host, repeated) == "done"
    assert ran(wire.upstreams[name]) == 0


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


def test_an_answer_that_a_host_brings_back_while_another_call_is_held_goes_to_its_own_call():
    wire, _, _, _ = held(MODERN)
    other = wire.modern_host(ELICIT, name="New Host")
    request = other.calls(arguments={"n": 2})
    server = wire.upstreams["files"]
    server.replies(server.calls[-1], wants(who=FORM))
    state = other.replies[request].result["requestState"]
    answers = {"who": {"action": "accept", "content": {"name": "Ada"}}}
    back = other.calls(arguments={"n": 2}, requestState=state, inputResponses=answers)
    server.replies(server.calls[-1], DONE)
    assert text(other, back) == "done"
