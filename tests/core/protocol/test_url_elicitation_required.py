"""Error -32042: the person must visit a link before the server does what it was asked for."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.exchange.state_machine import MAX_DETOURS
from bridge.core.policy.rules import HostRule, Policy, QuestionPlace
from bridge.core.questions.question import CANCEL, DECLINE, Mode, accept
from bridge.core.routing.asking.relayed_questions import MOST_VISITS
from tests.core.fake_peers import EPOCH, MODERN, Host, Upstream, Wire, script
from tests.core.wire_messages import ELICIT, ELICIT_ALL

DONE = {"content": [{"type": "text", "text": "done"}]}
PAY = {"mode": "url", "url": "https://bank.example/pay", "message": "Pay first.", "elicitationId": "e1"}
SIGN = {"mode": "url", "url": "https://bank.example/sign", "message": "Sign too.", "elicitationId": "e2"}


def first(*links: dict[str, Any]) -> dict[str, Any]:
    return {"code": -32042, "message": "Links first", "data": {"elicitations": list(links)}}


class OpenRequest:
    """A call that a server answered with links."""

    def __init__(self, host: Host, wire: Wire, *links: dict[str, Any], method: str = "tools/call") -> None:
        self.host = host
        self.wire = wire
        params = {"name": "buy", "arguments": {"a": 1}} if method == "tools/call" else {"uri": "a://b"}
        self.call = host.requests(method, params)
        self.server: Upstream = wire.upstreams["files"]
        self.server.fails(self.server.calls[-1], first(*links))

    @property
    def reply(self) -> Any:
        return self.host.replies[self.call]

    def completes(self, elicitation_id: Any) -> None:
        self.server.notes("notifications/elicitation/complete", {"elicitationId": elicitation_id})


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_for_a_host_that_cannot_the_desk_shows_the_links_and_the_call_is_made_again(era):
    wire = Wire(script())
    host = wire.legacy_host(ELICIT, name="Claude") if era == "legacy" else wire.modern_host(name="Claude")
    open_request = OpenRequest(host, wire, PAY, SIGN)
    pay, sign = wire.desk
    assert (pay.mode, pay.url, pay.message, pay.elicitation_id) == (Mode.URL, PAY["url"], "Pay first.", "e1")
    assert (pay.host, pay.server, pay.tool, pay.arguments) == ("Claude", "files", "buy", b'{"a":1}')
    wire.person(accept(), sign)
    wire.state.now += 7.0
    wire.person(accept(), pay)
    done = wire.question()
    assert (done.mode, done.url, done.tool, done.asked_at) == (Mode.FORM, "", "buy", EPOCH + 7.0)
    assert "browser" in done.message
    assert done.follows == pay.id
    assert set(wire.questions.visits.ids()) == {pay.id, sign.id}
    one, before = open_request.server.calls[-1], len(open_request.server.calls)
    open_request.completes("e1")
    open_request.completes("")
    assert len(open_request.server.calls) == before
    open_request.completes("e2")
    again = open_request.server.calls[-1]
    assert wire.desk == []
    assert len(open_request.server.calls) == before + 1
    assert (again.method, again.params["name"], again.params["arguments"]) == ("tools/call", "buy", {"a": 1})
    assert again.id != one.id
    open_request.server.replies(again, DONE)
    assert open_request.reply.result["content"] == DONE["content"]
    assert wire.state.open_requests == {}


def test_the_person_may_say_done_where_the_server_does_not():
    wire = Wire(script())
    open_request = OpenRequest(wire.legacy_host(), wire, {**PAY, "elicitationId": ""})
    wire.person(accept())
    open_request.completes("")
    wire.person(accept({}))
    open_request.server.replies(open_request.server.calls[-1], DONE)
    assert open_request.reply.result == DONE


@pytest.mark.parametrize("answer", [DECLINE, CANCEL])
@pytest.mark.parametrize("opened", [False, True])
def test_who_does_not_go_there_gets_no_call_and_the_model_is_told(answer, opened):
    wire = Wire(script())
    open_request = OpenRequest(wire.legacy_host(), wire, PAY)
    if opened:
        wire.person(accept())
    before = len(open_request.server.heard)
    wire.person(answer)
    result = open_request.reply.result
    assert result["isError"] is True
    assert "files" in result["content"][0]["text"]
    assert PAY["url"] in result["content"][0]["text"]
    assert len(open_request.server.heard) == before
    assert wire.desk == []
    assert wire.records[-1].outcome == "declined"


def test_what_is_no_tool_ends_in_an_error():
    wire = Wire(script())
    open_request = OpenRequest(wire.legacy_host(), wire, PAY, method="resources/read")
    assert wire.question().tool == ""
    wire.person(DECLINE)
    assert open_request.reply.error["code"] == -32603
    assert PAY["url"] in open_request.reply.error["message"]


def test_a_host_that_can_open_links_gets_the_error_and_what_follows_as_they_are():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT_ALL)
    open_request = OpenRequest(host, wire, PAY)
    assert open_request.reply.error == first(PAY)
    open_request.completes("e1")
    assert (host.last().method, host.last().params) == (
        "notifications/elicitation/complete",
        {"elicitationId": "e1"},
    )
    assert wire.desk == []


COMPLETE = "notifications/elicitation/complete"


def told_of_completion(host: Host) -> list[str]:
    return [one.params["elicitationId"] for one in host.heard if one.method == COMPLETE]


def test_a_host_that_was_not_asked_hears_nothing_of_completion():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    open_request = OpenRequest(host, wire, PAY)
    wire.person(accept())
    open_request.completes("e1")
    assert told_of_completion(host) == []


def test_of_the_hosts_of_a_shared_server_the_one_that_was_asked_hears_of_completion_once():
    wire = Wire(script(shared=True))
    asked, other = wire.legacy_host(ELICIT_ALL, server="files"), wire.legacy_host(ELICIT_ALL, server="files")
    other.calls()
    asked.calls()
    files = wire.upstreams["files"]
    files.asks(b'"a"', PAY, about=files.calls[-1].id)
    asked.answers(asked.asked[-1], {"action": "accept"})
    for _ in range(2):
        files.notes(COMPLETE, {"elicitationId": "e1"})
    assert (told_of_completion(asked), told_of_completion(other)) == (["e1"], [])


def test_a_host_that_opens_links_without_end_is_remembered_for_so_many_of_them():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT_ALL)
    links = [{**PAY, "elicitationId": f"e{number}"} for number in range(MOST_VISITS + 1)]
    open_request = OpenRequest(host, wire, *links)
    for one in ("e0", f"e{MOST_VISITS}"):
        open_request.completes(one)
    assert told_of_completion(host) == [f"e{MOST_VISITS}"]


def test_a_host_that_leaves_its_questions_to_the_desk_has_the_desk_open_the_links():
    wire = Wire(script(), policy=Policy(hosts={"*": HostRule(QuestionPlace.DESKTOP)}))
    OpenRequest(wire.legacy_host(ELICIT_ALL), wire, PAY)
    assert wire.question().mode is Mode.URL


def test_a_modern_host_that_can_open_links_is_handed_them_back():
    wire = Wire(script())
    host = wire.modern_host(ELICIT_ALL)
    open_request = OpenRequest(host, wire, PAY)
    ((key, asked),) = open_request.reply.result["inputRequests"].items()
    params = {name: value for name, value in PAY.items() if name != "elicitationId"}
    assert asked == {"method": "elicitation/create", "params": params}
    wire.passes(1.0)
    again = host.returns(
        open_request.call, tool="buy", arguments={"a": 1}, inputResponses={key: {"action": "accept"}}
    )
    assert "browser" in wire.question().message
    open_request.completes("e1")
    open_request.server.replies(open_request.server.calls[-1], DONE)
    assert host.replies[again].result["content"] == DONE["content"]


@pytest.mark.parametrize(
    "error",
    [
        first(),
        {"code": -32042, "message": "?", "data": 5},
        {"code": -32042, "message": "?", "data": {"elicitations": [5]}},
        {"code": -32603, "message": "?", "data": {"elicitations": [PAY]}},
    ],
)
def test_any_other_error_is_passed_on(error):
    wire = Wire(script())
    host = wire.legacy_host()
    call = host.calls()
    server = wire.upstreams["files"]
    server.fails(server.calls[-1], error)
    assert host.replies[call].error == error


def test_links_that_make_no_sense_are_told_of():
    wire = Wire(script())
    open_request = OpenRequest(wire.legacy_host(), wire, {**PAY, "url": 5})
    assert "invalid answer" in open_request.reply.error["message"]
    assert wire.desk == []


def test_the_modern_era_has_no_such_error():
    wire = Wire(script("files", MODERN))
    open_request = OpenRequest(wire.legacy_host(), wire, PAY)
    assert open_request.reply.error == first(PAY)


def test_a_server_that_is_never_content_is_stopped():
    wire = Wire(script())
    open_request = OpenRequest(wire.legacy_host(), wire, PAY)
    for _ in range(MAX_DETOURS):
        wire.person(accept())
        wire.person(accept())
        open_request.server.fails(open_request.server.calls[-1], first(PAY))
    assert open_request.reply.result["isError"] is True
    assert wire.records[-1].outcome == "asked too often"
    assert wire.state.open_requests == {}


def test_a_visit_takes_as_long_as_a_question_may():
    wire = Wire(script(timeout=30.0), limit=60.0)
    open_request = OpenRequest(wire.legacy_host(), wire, PAY)
    wire.passes(59.0)
    wire.person(accept())
    wire.passes(59.0)
    assert len(wire.desk) == 1
    wire.passes(1.0)
    assert wire.desk == []
    assert open_request.reply.result["isError"] is True


@pytest.mark.parametrize("opened", [False, True])
def test_nothing_is_left_of_a_visit_when_the_host_leaves(opened):
    wire = Wire(script())
    host = wire.legacy_host()
    open_request = OpenRequest(host, wire, PAY)
    if opened:
        wire.person(accept())
    open_request.server.new()
    host.leaves()
    assert wire.nothing_left()
    assert open_request.server.new() == []


@pytest.mark.parametrize("opened", [False, True])
def test_a_visit_ends_when_the_server_does(opened):
    wire = Wire(script())
    open_request = OpenRequest(wire.legacy_host(), wire, PAY)
    if opened:
        wire.person(accept())
    open_request.server.dies()
    assert open_request.reply.error["message"] == "it crashed"
    assert wire.desk == []
