"""A refusal that nobody made brings the question to the desk, and the host is not asked again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.core import events as ev
from bridge.core.exchange.who_asks import who_asks
from bridge.core.policy.rules import HostRule, Policy, QuestionPlace
from bridge.core.policy.unshown_questions import MOST, QUICK, SILENCE, UnshownQuestions
from bridge.core.protocol.handshake import host_from_initialize
from bridge.core.questions.question import Action, Answer, Mode, accept
from bridge.core.routing.asking.host_reply_trust import MOST_HANDED
from bridge.core.routing.asking.question_history import TOO_QUICK
from tests.core.fake_peers import EPOCH, MODERN, Host, Wire, script
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, URL, wants

DECLINE, CANCEL = {"action": "decline"}, {"action": "cancel"}
ACCEPT: dict[str, Any] = {"action": "accept", "content": {"name": "Ada"}}
AGREE: dict[str, Any] = {"action": "accept"}
CONFIRM = {"message": "Delete it?", "requestedSchema": {"type": "object", "properties": {}}}
NAME_REQUIRED = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
NAMES = {"legacy": "Old Host", "modern": "New Host"}


def of_era(wire: Wire, era: str, can: dict[str, Any] = ELICIT) -> Host:
    return wire.legacy_host(can) if era == "legacy" else wire.modern_host(can)


def asked(host: Host, answer: Any, after: float = 0.0, params: Any = FORM) -> bytes:
    """The host calls, is asked, and answers; return the id under which it waits."""
    call = host.calls()
    files = host.wire.upstreams["files"]
    files.asks(b'"%d"' % len(files.heard), params)
    host.wire.passes(after)
    if host.meta:
        (key,) = host.replies[call].result["inputRequests"]
        return host.returns(call, inputResponses={key: answer})
    host.answers(host.asked[-1], answer)
    return call


def server_heard(wire: Wire) -> Any:
    return wire.upstreams["files"].last().result


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("no", [DECLINE, CANCEL, {"action": "?"}, {}])
def test_a_host_that_says_no_at_once_has_the_desk_asked_then_and_there_the_first_time_too(era, no):
    wire = Wire(script())
    host = of_era(wire, era)
    call = asked(host, no, after=QUICK / 2)
    assert wire.question().message == "Who?"
    wire.person(accept({"name": "Ada"}))
    assert server_heard(wire) == ACCEPT
    files = wire.upstreams["files"]
    files.replies(next(one for one in files.calls if one.method == "tools/call"), {"content": []})
    assert host.replies[call].result["content"] == []


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_that_host_is_remembered_and_not_asked_again(era):
    wire = Wire(script())
    wire.legacy_host(ELICIT, name="Another")
    host, name = of_era(wire, era), NAMES[era]
    asked(host, DECLINE)
    wire.person(accept({"name": "Ada"}))
    wire.upstreams["files"].asks(b'"in the same call"', FORM)
    wire.person(accept({"name": "Ada"}))
    host.new()
    host.calls()
    wire.upstreams["files"].asks(b'"another"', FORM)
    assert (len(wire.desk), host.heard) == (1, [])
    assert wire.refusals == [{name: EPOCH}]
    (notice,) = wire.state.unshown.notices
    assert notice.startswith(f"{name} refused a question without showing it")
    found = [record for record in wire.records if record.outcome == "auto-decline"]
    assert [(record.kind, record.host, record.detail) for record in found] == [("notice", name, notice)]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_a_host_that_refused_in_an_earlier_run_is_not_asked_until_the_person_wants_it(era):
    wire = Wire(script())
    host, name = of_era(wire, era), NAMES[era]
    wire.state.unshown.refused[name] = 1.0
    wire.edits(wire.state.servers)
    host.calls()
    wire.upstreams["files"].asks(b'"a"', FORM)
    wire.person(accept({"name": "Ada"}))
    wire.feed(ev.RefusalForgotten(name))
    wire.feed(ev.RefusalForgotten("nobody"))
    assert wire.refusals == [{}]
    asked(host, ACCEPT, after=1.0)
    assert wire.desk == []
    assert server_heard(wire) == ACCEPT


@pytest.mark.parametrize("after", [2 * QUICK, 5.0])
@pytest.mark.parametrize("answer", [DECLINE, CANCEL, ACCEPT])
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_a_host_that_takes_its_time_is_believed(era, answer, after):
    wire = Wire(script())
    asked(of_era(wire, era), answer, after)
    assert (wire.desk, wire.refusals) == ([], [])
    assert server_heard(wire) == answer


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize(("answer", "params"), [(CANCEL, FORM), (AGREE, CONFIRM)])
@pytest.mark.parametrize(
    ("load", "after", "comes"), [(4.0, 1.1, True), (4.0, 1.3, False), (90.0, 3.1, False)]
)
def test_on_a_busy_machine_a_reply_that_nobody_made_takes_longer(era, answer, params, load, after, comes):
    wire = Wire(script())
    wire.feed(ev.ClockRead(wire.state.offset, load))
    asked(of_era(wire, era), answer, after, params)
    assert bool(wire.desk) is comes
    assert wire.refusals == []


def test_a_quick_error_brings_the_question_to_the_desk_but_the_host_is_asked_again():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    host.calls()
    wire.upstreams["files"].asks(b"9", FORM)
    host.fails(host.asked[-1], {"code": -1, "message": "no"})
    assert (len(wire.desk), wire.refusals) == (1, [])


def test_where_the_person_wants_the_host_to_ask_it_is_asked_each_time_and_the_desk_after_it():
    wire = Wire(script(), policy=Policy(hosts={"*": HostRule(QuestionPlace.HOST)}))
    host = wire.legacy_host()
    for times in (1, 2):
        asked(host, DECLINE)
        assert len(host.asked) == times
        wire.person(accept({"name": "Ada"}))


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_without_a_desk_a_refusal_is_believed_since_nobody_else_can_be_asked(era):
    wire = Wire(script(), has_desk=False)
    asked(of_era(wire, era), DECLINE)
    assert server_heard(wire) == DECLINE
    assert (wire.desk, wire.refusals) == ([], [])


def test_what_no_person_is_asked_tells_nothing():
    wire = Wire(script())
    host = wire.legacy_host({**ELICIT, "roots": {}})
    host.calls()
    wire.upstreams["files"].asks(b"9", {}, "roots/list")
    host.answers(host.asked[-1], {"roots": []})
    assert (wire.desk, wire.refusals) == ([], [])


# --- a yes within 300 ms -----------------------------------------------------------------------------------


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("schema", [{"type": "object", "properties": {}}, {"type": "object"}, {}])
def test_a_yes_at_once_to_what_needs_but_a_yes_is_not_believed(era, schema):
    wire = Wire(script())
    asked(of_era(wire, era), AGREE, params={**CONFIRM, "requestedSchema": schema})
    assert wire.question().message == "Delete it?"
    assert [one.host for one in wire.records if one.outcome == "too quick"] == [NAMES[era]]
    wire.person(accept({}))
    assert server_heard(wire) == {"action": "accept", "content": {}}


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("answer", [AGREE, {"action": "accept", "content": {}}])
def test_a_yes_at_once_that_leaves_a_required_field_empty_is_not_believed(era, answer):
    wire = Wire(script())
    asked(of_era(wire, era), answer, params={**FORM, "requestedSchema": NAME_REQUIRED})
    wire.person(accept({"name": "Ada"}))
    assert server_heard(wire) == ACCEPT


def test_a_host_that_is_known_to_fail_at_links_is_not_given_one():
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": ELICIT_ALL,
        "clientInfo": {"name": "copilot-cli"},
    }
    known = host_from_initialize(json.dumps(hello).encode())
    assert Mode.URL in known.can
    assert Mode.URL not in who_asks(HostRule(), known)[1]


@pytest.mark.parametrize("schema", [FORM["requestedSchema"], {"properties": 7}])
def test_a_form_that_is_filled_in_at_once_is_believed_and_marked_in_history(schema):
    wire = Wire(script())
    asked(wire.legacy_host(ELICIT), ACCEPT, params={**FORM, "requestedSchema": schema})
    assert server_heard(wire) == ACCEPT
    assert wire.records[-1].facts["doubt"] == TOO_QUICK
    asked(wire.legacy_host(ELICIT), ACCEPT, after=1.0)
    assert "doubt" not in wire.records[-1].facts


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_a_link_that_is_said_to_be_opened_at_once_comes_to_the_desk(era):
    wire = Wire(script())
    asked(of_era(wire, era, ELICIT_ALL), AGREE, params=URL)
    assert wire.question().url == URL["url"]
    assert [one.host for one in wire.records if one.outcome == "too quick"] == [NAMES[era]]
    wire.person(Answer(Action.ACCEPT))
    assert server_heard(wire) == AGREE


def test_without_a_desk_a_servers_confirmation_is_the_hosts_affair():
    wire = Wire(script(), has_desk=False)
    asked(wire.legacy_host(ELICIT), AGREE, params=CONFIRM)
    assert server_heard(wire) == AGREE


# --- a modern host in front of a modern server, which has the question word for word -----------------------


def handed(host: Host, answer: Any, after: float = 0.0, state: str | None = "theirs") -> bytes:
    """The host gets a modern server's question as it is, and calls again with its answer."""
    call = host.calls(arguments={"a": 1})
    files = host.wire.upstreams["files"]
    files.replies(files.calls[-1], wants(state, who=FORM, roots=("roots/list", {})))
    host.wire.passes(after)
    more: dict[str, Any] = {"requestState": state} if state else {}
    assert host.replies[call].result == wants(state, who=FORM, roots=("roots/list", {}))
    answers = {"who": answer, "roots": {"roots": []}}
    return host.calls(arguments={"a": 1}, inputResponses=answers, **more)


@pytest.mark.parametrize("state", ["theirs", None])
def test_a_retry_that_refuses_at_once_is_sent_when_the_desk_has_asked(state):
    wire = Wire(script("files", MODERN))
    host = wire.modern_host({**ELICIT_ALL, "roots": {}})
    files_before = handed(host, DECLINE, after=0.1, state=state)
    files = wire.upstreams["files"]
    sent = len(files.calls)
    assert wire.question().tool == "ask"
    wire.person(accept({"name": "Ada"}))
    retry = files.calls[-1]
    assert len(files.calls) == sent + 1
    assert retry.params["inputResponses"] == {"roots": {"roots": []}, "who": ACCEPT}
    assert retry.params.get("requestState") == state
    assert retry.params["arguments"] == {"a": 1}
    files.replies(retry, {"resultType": "complete", "content": []})
    assert host.replies[files_before].result["content"] == []
    assert wire.refusals == [{"New Host": EPOCH + 0.1}]
    host.calls()
    files.replies(files.calls[-1], wants(who=FORM))
    assert len(wire.desk) == 1


@pytest.mark.parametrize(("answer", "after"), [(DECLINE, 2.0), (ACCEPT, 0.1)])
def test_a_retry_that_took_its_time_or_is_filled_in_goes_as_it_came(answer, after):
    wire = Wire(script("files", MODERN))
    host = wire.modern_host({**ELICIT_ALL, "roots": {}})
    handed(host, answer, after)
    retry = wire.upstreams["files"].calls[-1]
    assert retry.params["inputResponses"] == {"who": answer, "roots": {"roots": []}}
    assert wire.desk == []


def test_a_host_that_never_retries_is_silent():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host(ELICIT_ALL)
    for number in range(3):
        host.calls(f"tool {number}")
        files = wire.upstreams["files"]
        files.replies(files.calls[-1], wants(who=FORM))
        wire.passes(SILENCE)
    assert list(wire.state.unshown.silent) == ["New Host"]


def test_answers_to_what_nobody_asked_tell_nothing():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host(ELICIT_ALL)
    for _ in range(3):
        host.calls(inputResponses={"who": DECLINE})
    assert (wire.desk, wire.refusals) == ([], [])


def test_a_flood_of_questions_handed_on_is_forgotten():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host({**ELICIT_ALL, "roots": {}})
    for number in range(MOST_HANDED + 1):
        host.calls(f"tool {number}")
        files = wire.upstreams["files"]
        files.replies(files.calls[-1], wants(who=FORM))
    (tenant,) = wire.state.tenants.values()
    assert len(wire.router.runner.host_reply_trust._handed[tenant]) == 1


# --- what is remembered ------------------------------------------------------------------------------------


def test_only_so_many_names_are_kept_the_newest_of_them():
    unshown = UnshownQuestions()
    for number in range(MOST + 1):
        assert unshown.refuse(f"host {number}", 0.0)
        unshown.fell_silent(f"host {number}")
    assert len(unshown.refused) == len(unshown.notices) == MOST
    assert f"host {MOST}" in unshown.refused
    assert not unshown.refuse(f"host {MOST}", 1.0)
    assert unshown.silent == ()


def test_a_host_is_named_silent_after_its_second_silence():
    unshown = UnshownQuestions()
    unshown.fell_silent("Quiet")
    assert list(unshown.silent) == []
    unshown.fell_silent("Quiet")
    assert list(unshown.silent) == ["Quiet"]


def test_a_person_who_answers_through_a_host_clears_its_silences():
    unshown = UnshownQuestions()
    unshown.fell_silent("Quiet")
    unshown.answered("Quiet")
    unshown.fell_silent("Quiet")
    assert list(unshown.silent) == []


def test_hosts_that_invent_a_name_for_each_silence_fill_no_memory():
    unshown = UnshownQuestions()
    for number in range(3 * MOST):
        unshown.fell_silent(f"host {number}")
        assert len(unshown._silences) <= MOST
