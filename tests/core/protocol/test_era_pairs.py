"""What happens when a server asks, for each pair of eras, and when one of them leaves meanwhile."""

from __future__ import annotations

import pytest

from bridge.core.protocol.revisions import CAPABILITIES_KEY
from bridge.core.questions.question import CANCEL, DECLINE, Mode, accept
from tests.core.fake_peers import MODERN, Wire, script
from tests.core.protocol.era_samples import COMPLETE, DECLARED, DONE, YES, files
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, URL, strict, wants

# legacy → legacy


def test_a_legacy_host_that_can_is_asked_itself_while_it_waits():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    call = host.calls()
    host.new()
    files(wire).asks(b'"theirs"', FORM)
    question = host.only()
    assert (question.method, question.params, question.about, question.final) == (
        "elicitation/create",
        FORM,
        call,
        False,
    )
    host.answers(question, YES)
    assert strict(files(wire).last().data) == {"jsonrpc": "2.0", "id": "theirs", "result": YES}
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.replies[call].result == DONE
    assert wire.desk == []


@pytest.mark.parametrize("answer", [accept({"name": "Ada"}), DECLINE, CANCEL])
def test_for_a_legacy_host_that_cannot_the_desk_is_asked(answer):
    wire = Wire(script())
    host = wire.legacy_host(name="Claude")
    call = host.calls("save", arguments={"a": 1})
    host.new()
    files(wire).asks(b"9", FORM)
    question = wire.question()
    assert (question.mode, question.server, question.host, question.tool, question.message) == (
        Mode.FORM,
        "files",
        "Claude",
        "save",
        "Who?",
    )
    assert strict(question.schema) == FORM["requestedSchema"]
    assert question.arguments == b'{"a":1}'
    wire.person(answer, question)
    assert host.new() == []
    assert files(wire).last().data == b'{"jsonrpc":"2.0","id":9,"result":' + answer.result() + b"}"
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.replies[call].result == DONE


def test_forms_go_to_the_host_and_links_to_the_desk_where_it_can_only_forms():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    host.calls()
    files(wire).asks(b"8", {**URL, "elicitationId": "e1"})
    files(wire).asks(b"9", FORM)
    assert [message.params for message in host.asked] == [FORM]
    question = wire.question()
    assert (question.mode, question.url, question.elicitation_id) == (Mode.URL, URL["url"], "e1")


def test_a_host_is_asked_for_its_roots_and_samples_and_what_else_it_may_know():
    wire = Wire(script())
    host = wire.legacy_host({"roots": {}, "sampling": {}})
    host.calls()
    for number, method in enumerate(("roots/list", "sampling/createMessage", "acme/ask")):
        files(wire).asks(b"%d" % number, {"n": number}, method)
    assert [(message.method, message.params["n"]) for message in host.asked] == [
        ("roots/list", 0),
        ("sampling/createMessage", 1),
        ("acme/ask", 2),
    ]
    host.fails(host.asked[1], {"code": -1, "message": "no"})
    assert strict(files(wire).last().data)["error"] == {"code": -1, "message": "no"}


@pytest.mark.parametrize("method", ["roots/list", "sampling/createMessage"])
def test_what_nobody_can_answer_is_refused_and_the_call_goes_on(method):
    wire = Wire(script(sampling="host"))
    host = wire.legacy_host(ELICIT)
    call = host.calls()
    files(wire).asks(b"9", {}, method)
    refusal = files(wire).last()
    assert refusal.error["code"] == -32601
    assert method in refusal.error["message"]
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.replies[call].result == DONE


def test_an_elicitation_that_makes_no_sense_is_sent_back():
    wire = Wire(script())
    host = wire.legacy_host()
    host.calls()
    files(wire).asks(b"9", {"message": 7})
    assert files(wire).last().error["code"] == -32602
    assert wire.desk == []


def test_a_question_that_the_server_withdraws_leaves_the_host():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    call = host.calls()
    files(wire).asks(b"9", FORM)
    question = host.last()
    files(wire).withdraws(b"9")
    told = host.last()
    assert (told.method, told.params, told.about) == (
        "notifications/cancelled",
        {"requestId": int(question.id)},
        call,
    )
    files(wire).new()
    host.answers(question, YES)
    assert files(wire).new() == []


def test_a_question_that_the_server_withdraws_leaves_the_desk():
    wire = Wire(script())
    host = wire.legacy_host()
    host.calls()
    files(wire).asks(b"9", FORM)
    files(wire).withdraws(b"8")
    assert len(wire.desk) == 1
    files(wire).withdraws(b"9")
    assert wire.desk == []
    assert wire.records[-1].outcome == "withdrawn"


def test_questions_of_parallel_calls_do_not_end_with_each_others_calls():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    first, second = host.calls(), host.calls()
    files(wire).asks(b"8", FORM)
    files(wire).asks(b"9", FORM)
    one, other = host.asked
    files(wire).replies(files(wire).calls[0], DONE)
    assert host.replies[first].result == DONE
    host.answers(other, YES)
    wire.passes(1.0)
    host.answers(one, {"action": "decline"})
    assert [strict(message.data) for message in files(wire).heard[-2:]] == [
        {"jsonrpc": "2.0", "id": 9, "result": YES},
        {"jsonrpc": "2.0", "id": 8, "result": {"action": "decline"}},
    ]
    files(wire).replies(files(wire).calls[1], DONE)
    assert host.replies[second].result == DONE


def test_a_question_on_the_stream_of_a_call_belongs_to_it():
    wire = Wire(script())
    host = wire.legacy_host()
    host.calls("one")
    host.calls("two")
    files(wire).asks(b"9", FORM, about=files(wire).calls[1].id)
    assert wire.question().tool == "two"
    files(wire).replies(files(wire).calls[1], DONE)
    assert wire.desk == []
    assert strict(files(wire).last().data) == {"jsonrpc": "2.0", "id": 9, "result": {"action": "cancel"}}


def test_the_end_of_a_list_takes_no_question_along():
    wire = Wire(script())
    host = wire.legacy_host({"roots": {}})
    host.requests("tools/list")
    files(wire).asks(b"9", method="roots/list")
    question = host.last()
    files(wire).replies(files(wire).calls[-1], {"tools": []})
    host.answers(question, {"roots": []})
    assert strict(files(wire).last().data) == {"jsonrpc": "2.0", "id": 9, "result": {"roots": []}}


def test_an_unprompted_question_goes_to_the_host_that_can():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    host.new()
    files(wire).asks(b"9", FORM)
    question = host.only()
    assert question.about == b""
    host.answers(question, YES)
    assert files(wire).last().result == YES
    assert wire.state.open_requests == {}


def test_an_unprompted_question_goes_to_the_desk_where_the_host_cannot():
    wire = Wire(script())
    host = wire.legacy_host()
    files(wire).asks(b"9", FORM)
    assert wire.question().tool == ""
    host.leaves()
    assert wire.nothing_left()


def test_a_ping_is_answered_without_troubling_the_host():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    host.new()
    files(wire).asks(b'"p"', method="ping")
    assert files(wire).last().data == b'{"jsonrpc":"2.0","id":"p","result":{}}'
    assert host.new() == []


# modern → modern


def test_a_modern_host_that_can_gets_input_required_verbatim_and_retries_itself():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host(ELICIT_ALL)
    call = host.calls(request_id=b'"one"')
    sent = files(wire).calls[-1]
    assert sent.params["_meta"][CAPABILITIES_KEY] == DECLARED
    files(wire).replies(sent, wants(who=FORM, login=URL))
    assert host.replies[call].result == wants(who=FORM, login=URL)
    again = host.calls(request_id=b'"two"', requestState="theirs", inputResponses={"who": YES})
    retry = files(wire).calls[-1]
    assert (retry.params["requestState"], retry.params["inputResponses"]) == ("theirs", {"who": YES})
    files(wire).replies(retry, COMPLETE)
    assert host.replies[again].data.startswith(b'{"jsonrpc":"2.0","id":"two",')
    assert host.replies[again].result == COMPLETE
    assert wire.desk == []


def test_what_a_modern_host_cannot_is_asked_here_and_the_server_retried():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host()
    call = host.calls("save", arguments={"a": 1}, _meta={"acme": 1})
    first = files(wire).calls[-1]
    assert first.params["_meta"][CAPABILITIES_KEY] == DECLARED
    assert first.params["_meta"]["acme"] == 1
    files(wire).replies(first, wants(who=FORM, login=URL))
    who, login = wire.desk
    wire.person(accept({"name": "Ada"}), who)
    wire.person(accept(), login)
    retry = files(wire).calls[-1]
    assert retry.id != first.id
    assert retry.params == {
        **first.params,
        "inputResponses": {"who": YES, "login": {"action": "accept"}},
        "requestState": "theirs",
    }
    files(wire).replies(retry, COMPLETE)
    assert host.replies[call].result == COMPLETE


def test_a_modern_host_that_can_a_part_answers_that_and_the_desk_the_rest():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host(ELICIT)
    call = host.calls()
    files(wire).replies(files(wire).calls[-1], wants(who=FORM, login=URL))
    handed = host.replies[call].result
    assert handed["inputRequests"] == {"who": {"method": "elicitation/create", "params": FORM}}
    assert handed["requestState"].startswith("deskbell:")
    again = host.returns(call, inputResponses={"who": YES})
    assert again not in host.replies
    wire.person(DECLINE)
    retry = files(wire).calls[-1].params
    assert retry["inputResponses"] == {"who": YES, "login": {"action": "decline"}}
    assert retry["requestState"] == "theirs"
    files(wire).replies(files(wire).calls[-1], COMPLETE)
    assert host.replies[again].result == COMPLETE


def test_a_server_without_a_ticket_is_retried_without_one():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host()
    host.calls()
    files(wire).replies(files(wire).calls[-1], wants(None, who=FORM))
    wire.person(CANCEL)
    assert "requestState" not in files(wire).calls[-1].params


def test_a_server_that_wants_only_a_retry_gets_it_from_the_host_that_can():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host(ELICIT)
    call = host.calls()
    files(wire).replies(files(wire).calls[-1], wants("later"))
    assert host.replies[call].result == wants("later")


def test_a_server_that_wants_only_a_retry_gets_it_from_us_where_the_host_cannot():
    wire = Wire(script("files", MODERN))
    wire.modern_host().calls()
    files(wire).replies(files(wire).calls[-1], wants("later"))
    assert files(wire).calls[-1].params["requestState"] == "later"
    assert "inputResponses" not in files(wire).calls[-1].params


def test_a_modern_server_that_sends_a_request_is_refused():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host(ELICIT)
    host.calls()
    files(wire).asks(b"9", FORM)
    assert files(wire).last().error["code"] == -32601
    assert wire.desk == []


def test_only_a_call_may_want_input():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host()
    request = host.requests("tools/list")
    files(wire).replies(files(wire).calls[-1], wants(who=FORM))
    assert host.replies[request].result == wants(who=FORM)
