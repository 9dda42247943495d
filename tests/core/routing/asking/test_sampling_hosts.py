"""Sampling: which hosts get a server's request for a model, and what servers are told of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bridge.core import events as ev
from bridge.core.exchange.replies import MAX_ROUNDS
from bridge.core.ports import ServerSpec
from bridge.core.protocol.capabilities import with_sampling
from bridge.core.protocol.elicitation import uses_tools
from bridge.core.protocol.revisions import CAPABILITIES_KEY
from bridge.core.questions.question import CANCEL, DECLINE, EXPIRED, Mode, accept
from bridge.core.sampling.rules import SAMPLING_MODES, USUAL_RULES, SamplingRules
from tests.core.fake_peers import LEGACY, MODERN, Host, Wire, script
from tests.core.routing.asking.sampling_samples import (
    ALLOWED,
    ANSWER,
    DONE,
    FAR,
    HELLO,
    METHOD,
    TOOLS,
    WITH_MODEL,
    YES,
    asking,
    files,
    wired,
)
from tests.core.sampling.requests import (
    WEATHER,
    made,
    text,
)
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, strict, wants

NOBODY = SamplingRules(person=False)


def sampling_declared(wire: Wire) -> Any:
    """What the server was told of sampling, in its era."""
    for message in files(wire).heard:
        if message.method == "initialize":
            return message.params["capabilities"].get("sampling")
        if message.method == "tools/call":
            return message.params["_meta"][CAPABILITIES_KEY].get("sampling")
    raise AssertionError


def modern(rules: SamplingRules = WITH_MODEL, **asked: Any) -> tuple[Wire, Host, bytes]:
    """A modern server that wants these inputs for a call of a modern host."""
    wire = wired(rules, script("files", MODERN))
    host = wire.modern_host(name="Claude")
    call = host.calls("ask")
    files(wire).replies(files(wire).calls[-1], wants(**asked))
    return wire, host, call


def test_a_host_that_declares_sampling_comes_first():
    wire, host = asking(can={"sampling": {}})
    assert host.asked[-1].params == HELLO
    assert wire.desk == []


def test_3_host_declares_sampling_but_not_tools_and_the_request_has_tools_it_is_answered_here():
    wire, host = asking(params=TOOLS, can={"sampling": {}})
    assert host.asked == []
    assert wire.question().mode is Mode.SAMPLING


def test_3_host_declares_tools_the_request_is_relayed():
    wire, host = asking(params=TOOLS, can={"sampling": {"tools": {}}})
    assert host.asked[-1].params == TOOLS
    assert wire.desk == []


def test_3_nobody_can_call_tools_it_is_refused():
    wire, _ = asking(SamplingRules((FAR,)), TOOLS, {"sampling": {}})
    assert files(wire).last().error["code"] == -32602
    wire, _ = asking(WITH_MODEL)
    wire.edits(wire.state.servers, sampling=NOBODY)
    files(wire).asks(b"10", HELLO, METHOD)
    assert files(wire).last().error["code"] == -32601


def test_a_host_that_declares_sampling_and_then_cannot_is_replaced():
    wire, host = asking(can={"sampling": {}})
    host.fails(host.asked[-1], {"code": -32601, "message": "Method not found"})
    wire.person(YES)
    assert len(wire.samples) == 1


def test_a_host_that_refuses_is_heard():
    wire, host = asking(can={"sampling": {}})
    host.fails(host.asked[-1], {"code": -1, "message": "no"})
    assert files(wire).last().error["code"] == -1
    assert wire.desk == []


@pytest.mark.parametrize(("rules", "here"), [(WITH_MODEL, True), (NOBODY, False)])
def test_a_host_that_refused_twice_is_not_asked_where_somebody_here_can_answer(rules, here):
    wire, host = asking(rules, can={"sampling": {}})
    host.fails(host.asked[-1], {"code": -1, "message": "no"})
    files(wire).asks(b"10", HELLO, METHOD)
    host.fails(host.asked[-1], {"code": -1, "message": "no"})
    files(wire).asks(b"11", HELLO, METHOD)
    assert (len(host.asked), len(wire.desk)) == ((2, 1) if here else (3, 0))


def test_a_host_that_refuses_to_tell_its_roots_is_still_asked_for_its_model():
    wire, host = asking(can={"sampling": {}, "roots": {}})
    for number in (10, 11):
        files(wire).asks(b"%d" % number, {}, "roots/list")
        host.fails(host.asked[-1], {"code": -32603, "message": "no"})
    files(wire).asks(b"12", HELLO, METHOD)
    assert host.asked[-1].method == METHOD


@pytest.mark.parametrize("who", ["model", "person"])
def test_a_server_whose_settings_name_another_answerer_never_reaches_the_host(who):
    wire = wired(plot=script(sampling=who))
    host = wire.legacy_host({"sampling": {}})
    host.calls()
    files(wire).asks(b"9", HELLO, METHOD)
    assert host.asked == []
    assert wire.question().mode is (Mode.SAMPLING if who == "model" else Mode.FORM)


# --- rule 17: what is declared ------------------------------------------------------------------------------


@pytest.mark.parametrize("era", [LEGACY, MODERN])
@pytest.mark.parametrize(
    ("rules", "who", "can", "declared"),
    [
        (NOBODY, "auto", {}, None),
        (NOBODY, "auto", {"sampling": {}}, {}),
        (WITH_MODEL, "auto", {}, {"tools": {}}),
        (WITH_MODEL, "auto", {"sampling": {"context": {}}}, {"context": {}, "tools": {}}),
        (SamplingRules((FAR,)), "auto", {}, {}),
        (SamplingRules((replace(FAR, servers=("other",)),), person=False), "auto", {}, None),
        (USUAL_RULES, "auto", {}, {}),
        (USUAL_RULES, "model", {}, None),
        (WITH_MODEL, "host", {}, None),
        (WITH_MODEL, "off", {"sampling": {}}, None),
        (WITH_MODEL, "person", {}, {}),
        (WITH_MODEL, "model", {"sampling": {"context": {}}}, {"tools": {}}),
    ],
)
def test_17_a_capability_is_declared_only_for_what_can_be_answered(era, rules, who, can, declared):
    wire = wired(rules, script("files", era, sampling=who))
    host = wire.legacy_host(can) if era == LEGACY else wire.modern_host({**can, **ELICIT_ALL})
    host.calls()
    assert sampling_declared(wire) == declared


@pytest.mark.parametrize("who", ["auto", "person"])
def test_17_where_nobody_can_be_asked_the_person_is_not_offered(who):
    plot = script(sampling=who)
    wire = Wire(plot, has_desk=False)
    wire.edits({plot.spec.name: plot.spec})
    wire.legacy_host()
    assert sampling_declared(wire) is None


def test_17_a_modern_server_hears_of_sampling_with_its_lists_too():
    wire = wired(plot=script("files", MODERN))
    wire.modern_host(server="").requests("tools/list")
    listing = next(message for message in files(wire).heard if message.method == "tools/list")
    assert listing.params["_meta"][CAPABILITIES_KEY]["sampling"] == {"tools": {}}


def test_our_own_tools_ask_a_person_by_questions_not_in_place_of_a_model():
    desk = ServerSpec("desk", builtin=True)
    assert USUAL_RULES.declares(desk, has_desk=True) == frozenset()
    assert WITH_MODEL.declares(desk, has_desk=True) == SAMPLING_MODES


def test_17_a_sampling_capability_that_is_no_object_is_replaced():
    declared = strict(with_sampling(b'{"sampling":true}', SAMPLING_MODES, frozenset()))
    assert declared == {"sampling": {"tools": {}}}


@pytest.mark.parametrize(
    ("given", "needs"),
    [
        (made(tools=[WEATHER]), True),
        (made(toolChoice={}), True),
        (made(tools=[]), False),
        (made(), False),
        (b"[", False),
    ],
)
def test_what_needs_the_hosts_sampling_tools_is_seen_even_in_params_that_are_not_valid(given, needs):
    assert uses_tools(given) is needs


# --- rule 15: no --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [DECLINE, CANCEL])
def test_15_the_person_says_no_legacy_error_minus_1_user_rejected_sampling_request(answer):
    wire, host = asking()
    wire.person(answer)
    assert files(wire).last().error == {"code": -1, "message": "User rejected sampling request"}
    assert wire.samples == []
    files(wire).replies(files(wire).calls[-1], DONE)
    assert host.last().result == DONE


def test_15_nobody_there_is_not_a_no():
    wire, _ = asking()
    wire.person(EXPIRED)
    assert files(wire).last().error == {"code": -32001, "message": "Nobody allowed it."}


def test_15_the_person_says_no_modern_the_hosts_call_is_answered_with_an_error_and_not_retried():
    wire, host, call = modern(it=(METHOD, HELLO))
    wire.person(DECLINE)
    assert host.replies[call].result == {
        "content": [text("User rejected sampling request")],
        "isError": True,
        "resultType": "complete",
    }
    assert len(files(wire).calls) == 1
    assert wire.state.open_requests == {}


def test_21_loops_end_after_10_rounds_of_input():
    wire, host, call = modern(ALLOWED, it=(METHOD, HELLO))
    for number in range(2, MAX_ROUNDS + 2):
        wire.model_says(ANSWER)
        files(wire).replies(files(wire).calls[-1], wants(f"t{number}", it=(METHOD, HELLO)))
    assert (MAX_ROUNDS, len(wire.samples)) == (10, 10)
    assert "10 times" in host.replies[call].error["message"]


def test_15_a_prompt_that_needs_a_model_fails_with_an_error():
    wire = wired(plot=script("files", MODERN))
    host = wire.modern_host()
    call = host.requests("prompts/get", {"name": "p"})
    files(wire).replies(files(wire).calls[-1], wants(it=(METHOD, HELLO)))
    wire.person(DECLINE)
    assert host.replies[call].error["message"] == "User rejected sampling request"


def test_15_a_model_that_fails_ends_a_modern_call_too():
    wire, host, call = modern(ALLOWED, it=(METHOD, HELLO))
    wire.feed(ev.Sampled(wire.samples[0].id, problem="It is down.", code=-32602))
    assert host.replies[call].result["isError"] is True


# --- rule 16: mixed -----------------------------------------------------------------------------------------


def test_16_mixed_input_requests_are_all_answered_before_one_retry_and_the_model_works_meanwhile():
    wire, host, call = modern(ALLOWED, who=("elicitation/create", FORM), it=(METHOD, HELLO))
    assert len(wire.samples) == 1
    wire.model_says(ANSWER)
    assert len(files(wire).calls) == 1
    wire.person(accept({"name": "Ada"}))
    retry = files(wire).calls[-1]
    assert retry.params["inputResponses"] == {
        "who": {"action": "accept", "content": {"name": "Ada"}},
        "it": ANSWER,
    }
    assert retry.params["requestState"] == "theirs"
    files(wire).replies(retry, {"resultType": "complete", **DONE})
    assert host.replies[call].result["content"] == DONE["content"]


def test_16_a_refused_model_takes_the_other_questions_along():
    wire, host, call = modern(who=("elicitation/create", FORM), it=(METHOD, HELLO))
    (consent,) = [question for question in wire.desk if question.mode is Mode.SAMPLING]
    wire.person(DECLINE, consent)
    assert wire.desk == []
    assert host.replies[call].result["isError"] is True


def test_a_modern_host_that_can_all_of_it_gets_it_verbatim():
    wire = wired(plot=script("files", MODERN))
    host = wire.modern_host({"sampling": {"tools": {}}, **ELICIT_ALL})
    call = host.calls()
    assert CAPABILITIES_KEY in str(files(wire).calls[-1].params)
    files(wire).replies(files(wire).calls[-1], wants(it=(METHOD, TOOLS)))
    assert host.replies[call].result["inputRequests"]["it"]["params"] == TOOLS


def test_a_legacy_host_in_front_of_a_modern_server_gets_the_answer_of_a_model():
    wire = wired(ALLOWED, script("files", MODERN))
    host = wire.legacy_host(ELICIT)
    call = host.calls()
    files(wire).replies(files(wire).calls[-1], wants(it=(METHOD, HELLO)))
    wire.model_says(ANSWER)
    assert files(wire).calls[-1].params["inputResponses"] == {"it": ANSWER}
    files(wire).replies(files(wire).calls[-1], {"resultType": "complete", **DONE})
    assert host.replies[call].result == DONE
