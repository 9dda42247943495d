"""A Ticket is good once, for the host and the request it was made for, until it expires."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.core.protocol.request_state import (
    PREFIX,
    TicketContents,
    TicketRefused,
    Tickets,
    binding,
    is_ours,
)
from tests.core.fake_peers import Host, Wire, script
from tests.core.wire_messages import ELICIT, FORM, URL, wants

BOUND = binding("host", "tools/call", "save", b'{"a":1}')
TICKETS = Tickets(b"key")
TICKET = TICKETS.mint(7, 2, BOUND, 100.0)


def test_a_ticket_names_its_exchange_and_round():
    assert is_ours(TICKET)
    assert TICKETS.open(TICKET, BOUND, 99.9) == TicketContents(7, 2)


@pytest.mark.parametrize("theirs", [None, "", "theirs", "Deskbell:x"])
def test_what_servers_made_is_theirs(theirs):
    assert not is_ours(theirs)


def test_a_ticket_expires():
    with pytest.raises(TicketRefused, match="expired"):
        TICKETS.open(TICKET, BOUND, 100.0)


@pytest.mark.parametrize(
    "other",
    [
        binding("other", "tools/call", "save", b'{"a":1}'),
        binding("host", "prompts/get", "save", b'{"a":1}'),
        binding("host", "tools/call", "delete", b'{"a":1}'),
        binding("host", "tools/call", "save", b'{"a":2}'),
        binding("hos", "ttools/call", "save", b'{"a":1}'),
    ],
)
def test_a_ticket_is_for_one_host_and_one_request(other):
    with pytest.raises(TicketRefused, match="another"):
        TICKETS.open(TICKET, other, 0.0)


def test_a_ticket_of_another_key_is_refused():
    with pytest.raises(TicketRefused, match="not made by Deskbell"):
        Tickets(b"other").open(TICKET, BOUND, 0.0)


@pytest.mark.parametrize("nonsense", ["", "x", "é", "====", "AAAA", TICKET[len(PREFIX) : -8], "\ud800"])
def test_nonsense_is_refused(nonsense):
    with pytest.raises(TicketRefused, match="not made by Deskbell"):
        TICKETS.open(PREFIX + nonsense, BOUND, 0.0)


@given(st.integers(0), st.integers(1, 255))
def test_a_ticket_changed_in_any_place_is_refused(place, change):
    sealed = bytearray(urlsafe_b64decode(TICKET.removeprefix(PREFIX)))
    sealed[place % len(sealed)] ^= change
    with pytest.raises(TicketRefused, match="changed"):
        TICKETS.open(PREFIX + urlsafe_b64encode(sealed).decode(), BOUND, 0.0)


@pytest.mark.parametrize("tail", ["x", "=", "\n", " ", "!", "AAAA", "=AAAA", "é"])
def test_a_ticket_with_anything_appended_is_refused(tail):
    with pytest.raises(TicketRefused, match="not made by Deskbell"):
        TICKETS.open(TICKET + tail, BOUND, 0.0)


# On the wire


def parked(has_desk: bool = True, **caller: str) -> tuple[Wire, Host, bytes]:
    """A modern host whose call was handed back with a Ticket."""
    wire = Wire(script(), limit=60.0, has_desk=has_desk)
    host = wire.modern_host(ELICIT, **caller)
    call = host.calls(arguments={"a": 1})
    wire.upstreams["files"].asks(b"9", FORM)
    return wire, host, call


def answers(host: Host, call: bytes) -> dict[str, object]:
    return {key: {"action": "decline"} for key in host.replies[call].result["inputRequests"]}


def refused(host: Host, request: bytes, because: str) -> bool:
    error = host.replies[request].error
    return error["code"] == -32602 and because in error["message"]


def test_a_ticket_is_taken_back_by_its_own_host():
    wire, host, call = parked()
    wire.passes(1.0)
    again = host.returns(call, arguments={"a": 1}, inputResponses=answers(host, call))
    assert again not in host.replies
    assert wire.upstreams["files"].last().result == {"action": "decline"}


def test_a_changed_ticket_is_refused_and_the_call_stays_parked():
    wire, host, call = parked()
    state = host.replies[call].result["requestState"]
    wrong = state[:-3] + ("AA=" if state[-3:] != "AA=" else "BA=")
    assert refused(host, host.calls(arguments={"a": 1}, requestState=wrong), "changed")
    assert host.returns(call, arguments={"a": 1}) in host.replies
    assert len(wire.state.open_requests) == 1


def test_a_ticket_is_good_once():
    _, host, call = parked()
    host.returns(call, arguments={"a": 1}, inputResponses=answers(host, call))
    assert refused(host, host.returns(call, arguments={"a": 1}), "used before")


def test_the_next_round_has_another_ticket():
    _, host, call = parked()
    second = host.returns(call, arguments={"a": 1}, inputResponses={})
    assert host.replies[second].result["resultType"] == "input_required"
    assert refused(host, host.returns(call, arguments={"a": 1}), "used before")
    third = host.returns(second, arguments={"a": 1}, inputResponses=answers(host, second))
    assert third not in host.replies


@pytest.mark.parametrize("tenant", ["", "other app"])
def test_another_hosts_ticket_is_refused(tenant):
    wire, host, call = parked()
    thief = wire.modern_host(ELICIT, tenant=tenant)
    stolen = thief.calls(arguments={"a": 1}, requestState=host.replies[call].result["requestState"])
    assert refused(thief, stolen, "another host")
    assert host.returns(call, arguments={"a": 1}, inputResponses=answers(host, call)) not in host.replies


def test_the_same_stateless_host_may_return_by_another_connection():
    wire, host, call = parked(tenant="app")
    host.leaves()
    back = wire.modern_host(ELICIT, tenant="app")
    state = host.replies[call].result["requestState"]
    again = back.calls(arguments={"a": 1}, requestState=state, inputResponses=answers(host, call))
    server = wire.upstreams["files"]
    server.replies(server.calls[-1], {"content": []})
    assert back.replies[again].result["content"] == []


@pytest.mark.parametrize("changed", [{"arguments": {"a": 2}}, {"arguments": {"a": 1}, "tool": "delete"}, {}])
def test_a_ticket_is_not_good_for_other_arguments_or_another_tool(changed):
    _, host, call = parked()
    assert refused(host, host.returns(call, **changed), "another request")


def test_a_ticket_is_not_good_for_another_method():
    _, host, call = parked()
    state = host.replies[call].result["requestState"]
    request = host.requests("prompts/get", {"name": "ask", "arguments": {"a": 1}, "requestState": state})
    assert refused(host, request, "another request")


def test_a_ticket_runs_out_with_the_parked_call():
    wire, host, call = parked(has_desk=False)
    wire.state.now += 60.0
    assert refused(host, host.returns(call, arguments={"a": 1}), "expired")
    wire.passes(0.0)
    assert wire.state.open_requests == {}
    server = wire.upstreams["files"]
    assert [message.json.get("result") for message in server.heard[-2:]] == [{"action": "cancel"}, None]
    assert server.last().method == "notifications/cancelled"


def test_a_return_with_nonsense_for_answers_is_refused_and_may_be_mended():
    _, host, call = parked()
    assert refused(host, host.returns(call, arguments={"a": 1}, inputResponses=[]), "are not valid")
    assert host.returns(call, arguments={"a": 1}, inputResponses=answers(host, call)) not in host.replies


def test_a_host_that_returned_hears_of_progress_under_its_new_token():
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    call = host.calls(_meta={"progressToken": "old"})
    server = wire.upstreams["files"]
    progress = b'{"progressToken":' + server.calls[-1].id + b',"progress":1}'
    server.asks(b"9", FORM)
    host.new()
    server.notes("notifications/progress", progress)
    assert host.new() == []
    again = host.returns(call, inputResponses=answers(host, call), _meta={"progressToken": "new"})
    server.notes("notifications/progress", progress)
    told = host.last()
    assert (told.params, told.about) == ({"progressToken": "new", "progress": 1}, again)


@pytest.mark.parametrize("server", ["legacy", "modern"])
@pytest.mark.parametrize("tail", ["x", "=", "!"])
def test_a_ticket_with_anything_appended_is_refused_in_front_of_every_server(server, tail):
    wire = Wire(script("files", server))
    host = wire.modern_host(ELICIT)
    call = host.calls()
    files = wire.upstreams["files"]
    if server == "legacy":
        files.asks(b'"a"', FORM)
    else:  # the link is asked for here, so the host gets a Ticket of ours
        files.replies(files.calls[-1], wants(who=FORM, where=URL))
    state = host.replies[call].result["requestState"]
    sent = len(files.heard)
    assert refused(host, host.calls(requestState=state + tail, inputResponses={}), "Deskbell")
    assert len(files.heard) == sent


@pytest.mark.parametrize("retry", [{"requestState": "theirs"}, {"inputResponses": {"a": {}}}])
def test_a_retry_that_names_no_call_of_ours_runs_nothing_on_a_legacy_server(retry):
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    assert refused(host, host.calls(**retry), "retry")
    assert [one.method for one in wire.upstreams["files"].calls] == []
