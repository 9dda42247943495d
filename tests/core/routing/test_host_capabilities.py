"""What a host declares is believed as far as its revision goes, and until it says itself that it cannot."""

from __future__ import annotations

import pytest

from bridge.core.questions.question import Mode, accept
from tests.core.fake_peers import LEGACY, MODERN, Upstream, Wire, script
from tests.core.wire_messages import ELICIT_ALL, FORM, URL, strict, wants

DONE = {"content": [{"type": "text", "text": "done"}]}
LINK = {**URL, "elicitationId": "e1"}
UNKNOWN = {"code": -32601, "message": "Method not found"}


def files(wire: Wire) -> Upstream:
    return wire.upstreams["files"]


@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize(
    ("revision", "desk"),
    [
        ("2024-11-05", [Mode.FORM, Mode.URL]),
        ("2025-03-26", [Mode.FORM, Mode.URL]),
        ("2025-06-18", [Mode.URL]),
        ("2025-11-25", []),
    ],
)
def test_what_a_revision_does_not_have_its_host_is_not_asked(revision, desk, era):
    wire = Wire(script("files", era))
    host = wire.legacy_host(ELICIT_ALL, revision=revision)
    host.calls()
    if era == LEGACY:
        files(wire).asks(b"8", FORM)
        files(wire).asks(b"9", LINK)
    else:
        files(wire).replies(files(wire).calls[-1], wants(who=FORM, login=URL))
    assert [question.mode for question in wire.desk] == desk
    assert len(host.asked) == 2 - len(desk)


def test_a_modern_host_hears_of_a_legacy_servers_link_without_its_id():
    wire = Wire(script())
    host = wire.modern_host(ELICIT_ALL)
    call = host.calls()
    files(wire).asks(b"9", LINK)
    ((key, request),) = host.replies[call].result["inputRequests"].items()
    assert request == {"method": "elicitation/create", "params": URL}
    wire.passes(1.0)
    host.returns(call, inputResponses={key: {"action": "accept"}})
    assert strict(files(wire).last().data)["result"] == {"action": "accept"}


@pytest.mark.parametrize(
    ("more", "left"),
    [({}, {}), ({"_meta": {"traceparent": "00-1"}}, {"_meta": {"traceparent": "00-1"}})],
    ids=["nothing more", "a trace"],
)
def test_a_legacy_server_is_not_told_what_a_modern_host_says_of_itself_in_each_request(more, left):
    wire = Wire(script())
    host = wire.modern_host(ELICIT_ALL)
    call = host.calls(arguments={"a": 1}, **more)
    assert files(wire).calls[-1].params == {"name": "ask", "arguments": {"a": 1}, **left}
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.replies[call].result == {**DONE, "resultType": "complete"}


@pytest.mark.parametrize("code", [-32601, -32602])
@pytest.mark.parametrize("asked", [FORM, LINK])
def test_a_question_that_the_host_cannot_show_after_all_comes_to_the_desk(asked, code):
    wire = Wire(script())
    host = wire.legacy_host(ELICIT_ALL)
    call = host.calls()
    files(wire).asks(b"9", asked)
    before = len(files(wire).heard)
    host.fails(host.asked[-1], {"code": code, "message": "I cannot"})
    assert len(files(wire).heard) == before
    assert wire.question().message == asked["message"]
    wire.person(accept({"name": "Ada"}))
    assert strict(files(wire).last().data)["result"]["action"] == "accept"
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.replies[call].result == DONE


def test_and_a_modern_server_is_called_again_when_all_is_answered():
    wire = Wire(script("files", MODERN))
    host = wire.legacy_host(ELICIT_ALL)
    host.calls()
    files(wire).replies(files(wire).calls[-1], wants(who=FORM, login=URL))
    who, login = host.asked
    host.fails(who, UNKNOWN)
    wire.passes(1.0)
    host.answers(login, {"action": "accept"})
    assert len(files(wire).calls) == 1
    wire.person(accept({"name": "Ada"}))
    assert files(wire).calls[-1].params["inputResponses"] == {
        "who": {"action": "accept", "content": {"name": "Ada"}},
        "login": {"action": "accept"},
    }


def test_when_its_call_ends_meanwhile_the_question_leaves_the_desk():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT_ALL)
    call = host.calls()
    files(wire).asks(b"9", FORM)
    host.fails(host.asked[-1], UNKNOWN)
    host.cancels(call)
    assert wire.desk == []


@pytest.mark.parametrize("error", [{"code": -1, "message": "no"}, {"code": "odd"}, 7])
def test_any_other_error_is_the_hosts_own_word_to_the_server(error):
    wire = Wire(script())
    host = wire.legacy_host(ELICIT_ALL)
    host.calls()
    files(wire).asks(b"9", FORM)
    wire.passes(1.0)
    host.fails(host.asked[-1], error)
    assert strict(files(wire).last().data)["error"] == error
    assert wire.desk == []


def test_who_owns_a_connection_is_known_by_the_name_its_entry_gives_it():
    wire = Wire(script())
    wire.legacy_host(name="own-name", host_name="Zed")
    (tenant,) = wire.state.tenants.values()
    assert wire.state.host_name(tenant) == "Zed"
    wire.upstreams["files"].dies()
    assert [(record.host, record.outcome) for record in wire.records] == [("Zed", "ended")]
