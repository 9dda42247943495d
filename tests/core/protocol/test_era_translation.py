"""Hosts and servers of different eras, and hosts or servers that leave meanwhile."""

from __future__ import annotations

import pytest

from bridge.core.exchange.replies import MAX_ROUNDS
from bridge.core.protocol.revisions import CAPABILITIES_KEY, INFO_KEY, MODERN_REVISION, VERSION_KEY
from bridge.core.questions.question import CANCEL, accept
from tests.core.fake_peers import LEGACY, MODERN, Wire, script
from tests.core.protocol.era_samples import COMPLETE, DECLARED, DONE, YES, files
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, URL, strict, wants


def test_a_legacy_host_that_can_is_asked_and_the_modern_server_retried():
    wire = Wire(script("files", MODERN))
    host = wire.legacy_host(ELICIT_ALL)
    call = host.calls(_meta={"progressToken": "mine"})
    first = files(wire).calls[-1]
    assert first.params["_meta"] == {
        "progressToken": int(first.id),
        VERSION_KEY: MODERN_REVISION,
        CAPABILITIES_KEY: DECLARED,
        INFO_KEY: {"name": "Old Host", "version": "1"},
    }
    files(wire).replies(first, wants(who=FORM, login=URL))
    who, login = host.asked
    assert (who.params, who.about) == (FORM, call)
    assert set(login.params) == {*URL, "elicitationId"}
    wire.passes(1.0)
    host.answers(login, {"action": "accept"})
    host.fails(who, {"code": -32603, "message": "the window broke"})
    retry = files(wire).calls[-1]
    assert retry.params["inputResponses"] == {"login": {"action": "accept"}, "who": {"action": "cancel"}}
    assert retry.params["_meta"]["progressToken"] == int(retry.id) != int(first.id)
    files(wire).replies(retry, COMPLETE)
    assert host.replies[call].result == DONE


def test_a_sample_the_host_refuses_ends_the_retry_and_tells_why():
    wire = Wire(script("files", MODERN))
    host = wire.legacy_host({"sampling": {}})
    call = host.calls()
    files(wire).replies(files(wire).calls[-1], wants(it=("sampling/createMessage", {"n": 1})))
    host.fails(host.asked[-1], {"code": -1, "message": "no sampling today"})
    assert host.replies[call].error == {"code": -1, "message": "no sampling today"}


def test_a_legacy_host_that_cannot_has_the_desk_asked_round_by_round():
    wire = Wire(script("files", MODERN))
    host = wire.legacy_host()
    call = host.calls()
    for number in range(MAX_ROUNDS):
        files(wire).replies(files(wire).calls[-1], wants(f"t{number}", who=FORM))
        wire.person(accept({"name": "Ada"}))
        assert files(wire).calls[-1].params["requestState"] == f"t{number}"
    files(wire).replies(files(wire).calls[-1], wants("once too often", who=FORM))
    assert str(MAX_ROUNDS) in host.replies[call].error["message"]
    assert wire.desk == []


def test_a_legacy_host_and_a_modern_server_introduce_each_other():
    wire = Wire(script("files", MODERN, capabilities={"prompts": {}}))
    host = wire.legacy_host(ELICIT, revision="2025-06-18")
    hello = host.replies[b"1"].result
    assert hello == {
        "protocolVersion": "2025-06-18",
        "capabilities": {"prompts": {}},
        "serverInfo": {"name": "files-server", "version": "1"},
    }
    heard = [message.method for message in files(wire).new()]
    assert heard == ["initialize", "server/discover"]
    for method in ("ping", "logging/setLevel"):
        assert host.replies[host.requests(method, {"level": "info"})].result == {}
    assert files(wire).new() == []


# modern → legacy


def test_a_modern_host_gets_a_legacy_servers_question_back_and_the_call_stays_parked():
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    call = host.calls(request_id=b'"one"')
    files(wire).asks(b"9", FORM)
    handed = host.replies[call]
    assert (handed.about, handed.final) == (b'"one"', True)
    assert handed.result["resultType"] == "input_required"
    ((key, request),) = handed.result["inputRequests"].items()
    assert request == {"method": "elicitation/create", "params": FORM}
    again = host.returns(call, request_id=b'"two"', inputResponses={key: YES})
    assert strict(files(wire).last().data) == {"jsonrpc": "2.0", "id": 9, "result": YES}
    (only,) = files(wire).calls
    files(wire).replies(only, DONE)
    assert host.replies[again].result == {**DONE, "resultType": "complete"}
    assert wire.state.open_requests == {}


def test_a_modern_host_that_cannot_has_the_desk_asked_while_it_waits():
    wire = Wire(script())
    host = wire.modern_host()
    call = host.calls()
    files(wire).asks(b"9", FORM)
    assert call not in host.replies
    wire.person(accept({"name": "Ada"}))
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.replies[call].result == {**DONE, "resultType": "complete"}


def test_a_result_that_comes_while_the_host_is_away_is_held():
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    call = host.calls()
    files(wire).asks(b"9", FORM)
    files(wire).replies(files(wire).calls[-1], DONE)
    again = host.returns(call, inputResponses={})
    assert host.replies[again].result == {**DONE, "resultType": "complete"}


def test_a_question_that_its_call_did_not_wait_for_comes_to_the_desk_when_a_modern_host_leaves_it_open():
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    call = host.calls()
    files(wire).asks(b"9", FORM)
    files(wire).replies(files(wire).calls[-1], DONE)
    host.returns(call, inputResponses={})
    wire.person(accept({"name": "Ada"}))
    assert files(wire).last().result == {"action": "accept", "content": {"name": "Ada"}}
    assert wire.state.open_requests == {}


@pytest.mark.parametrize("can", [{}, ELICIT])
def test_a_question_outside_any_call_outlives_an_unrelated_call(can):
    wire = Wire(script())
    host = wire.legacy_host(can)
    call = host.calls("slow")
    files(wire).asks(b"9", FORM)
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.replies[call].result == DONE
    if can:
        assert host.last().method != "notifications/cancelled"
        host.answers(host.asked[-1], YES)
    else:
        wire.person(accept(YES["content"]))
    assert files(wire).last().result == YES
    assert (wire.desk, wire.state.open_requests) == ([], {})


def test_a_question_that_outlived_its_call_goes_with_its_host():
    wire = Wire(script())
    host = wire.legacy_host()
    host.calls()
    files(wire).asks(b"9", FORM)
    files(wire).replies(files(wire).calls[-1], DONE)
    assert len(wire.desk) == 1
    host.leaves()
    assert wire.nothing_left()


def test_a_question_of_one_call_by_the_words_of_the_wire_ends_with_it():
    wire = Wire(script())
    host = wire.legacy_host()
    host.calls()
    files(wire).asks(b"9", FORM, about=files(wire).calls[-1].id)
    files(wire).replies(files(wire).calls[-1], DONE)
    assert (wire.desk, wire.state.open_requests) == ([], {})


def test_the_death_of_a_server_while_the_host_is_away_is_told_on_its_return():
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    call = host.calls()
    files(wire).asks(b"9", FORM)
    files(wire).dies("out of memory")
    again = host.returns(call, inputResponses={})
    assert host.replies[again].error["message"] == "out of memory"


def test_parallel_calls_of_a_modern_host_each_carry_a_question_and_every_answer_arrives():
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    calls = [host.calls() for _ in range(3)]
    for number in (7, 8, 9):
        files(wire).asks(b"%d" % number, {**FORM, "message": str(number)})
    for message in files(wire).calls:
        files(wire).replies(message, {"content": [int(message.id)]})
    wire.passes(1.0)
    for call in calls:
        ((key, request),) = host.replies[call].result["inputRequests"].items()
        again = host.returns(call, inputResponses={key: {"action": request["params"]["message"]}})
        assert "content" in host.replies[again].result
    answers = [strict(message.data) for message in files(wire).heard if "result" in message.json]
    assert {answer["id"]: answer["result"]["action"] for answer in answers} == {7: "7", 8: "8", 9: "9"}


def test_more_questions_than_calls_go_to_the_desk():
    wire = Wire(script())
    host = wire.modern_host(ELICIT)
    host.calls()
    host.calls()
    for number in (b"7", b"8", b"9"):
        files(wire).asks(number, FORM)
    assert len(wire.desk) == 1
    wire.person(CANCEL)
    assert files(wire).last().data == b'{"jsonrpc":"2.0","id":9,"result":{"action":"cancel"}}'


def test_a_modern_host_is_never_handed_back_a_list():
    wire = Wire(script())
    host = wire.modern_host({"roots": {}, **ELICIT})
    request = host.requests("tools/list")
    files(wire).asks(b"8", method="roots/list", about=files(wire).calls[-1].id)
    files(wire).asks(b"9", FORM)
    assert request not in host.replies
    assert len(wire.desk) == 1


def test_a_question_for_the_host_is_carried_by_the_only_call_there_is():
    wire = Wire(script())
    host = wire.modern_host({"roots": {}})
    call = host.calls()
    files(wire).asks(b"9", method="roots/list")
    ((_, request),) = host.replies[call].result["inputRequests"].items()
    assert request == {"method": "roots/list"}


def test_a_modern_host_and_a_legacy_server_introduce_each_other():
    wire = Wire(script("files", LEGACY, capabilities={"tools": {}}))
    host = wire.modern_host(ELICIT)
    found = host.replies[host.requests("server/discover")].result
    assert found["supportedVersions"][0] == MODERN_REVISION
    assert found["capabilities"] == {"tools": {}}
    assert found["_meta"] == {"io.modelcontextprotocol/serverInfo": {"name": "files-server", "version": "1"}}
    assert (found["resultType"], found["ttlMs"], found["cacheScope"]) == ("complete", 0, "private")
    assert [m.method for m in files(wire).new()] == [
        "server/discover",
        "initialize",
        "notifications/initialized",
    ]
    listed = host.requests("tools/list")
    files(wire).replies(files(wire).last(), {"tools": [], "ttlMs": 5})
    assert host.replies[listed].result == {
        "tools": [],
        "ttlMs": 5,
        "resultType": "complete",
        "cacheScope": "private",
    }


# Death and departure


@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize("host_era", [LEGACY, MODERN])
def test_when_the_server_dies_mid_question_the_host_gets_an_error_at_once(era, host_era):
    wire = Wire(script("files", era))
    host = wire.legacy_host() if host_era == LEGACY else wire.modern_host()
    call = host.calls()
    if era == LEGACY:
        files(wire).asks(b"9", FORM)
    else:
        files(wire).replies(files(wire).calls[-1], wants(who=FORM))
    assert len(wire.desk) == 1
    files(wire).dies()
    assert host.replies[call].error["message"] == "it crashed"
    assert wire.desk == []
    host.leaves()
    assert wire.nothing_left()


@pytest.mark.parametrize("can", [{}, ELICIT])
@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize("host_era", [LEGACY, MODERN])
def test_when_the_host_leaves_mid_question_nothing_is_left(era, host_era, can):
    wire = Wire(script("files", era))
    host = wire.legacy_host(can) if host_era == LEGACY else wire.modern_host(can)
    host.calls()
    server = files(wire)
    if era == LEGACY:
        server.asks(b"9", FORM)
    else:
        server.replies(server.calls[-1], wants(who=FORM, login=URL))
    server.new()
    host.leaves()
    assert wire.nothing_left()
    if era == LEGACY:
        heard = server.new()
        assert heard[0].data == b'{"jsonrpc":"2.0","id":9,"result":{"action":"cancel"}}'
        assert [message.method for message in heard[1:]] == ["notifications/cancelled"]


def test_a_server_that_died_is_started_again_for_the_next_call():
    wire = Wire(script())
    host = wire.legacy_host()
    old = files(wire)
    old.dies()
    call = host.calls()
    assert files(wire) is not old
    assert [message.method for message in files(wire).heard] == [
        "initialize",
        "notifications/initialized",
        "tools/call",
    ]
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.replies[call].result == DONE


SCHEMA: dict = {"type": "object", "properties": {"name": {"type": "string"}}}
CONTEXT = {"flights": [1, 2]}
MARKED = 'Which?\n\n--x-elicit-context: application/json\n{"flights":[1,2]}'


@pytest.mark.parametrize(
    "params",
    [
        {**FORM, "message": MARKED},
        {"message": "Which?", "requestedSchema": {**SCHEMA, "x-elicit-context": CONTEXT}},
        {"message": MARKED, "mode": "url", "url": "https://example.com"},
    ],
)
def test_the_context_of_a_question_is_no_part_of_its_message(params):
    wire = Wire(script())
    host = wire.legacy_host()
    host.calls()
    files(wire).asks(b"9", params)
    question = wire.question()
    assert question.message == "Which?"
    assert strict(question.context) == CONTEXT
