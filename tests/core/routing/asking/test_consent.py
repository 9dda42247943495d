"""What Deskbell itself does by a yes is asked on the desk; without one a host must choose the yes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bridge.core.policy.rules import HostRule, Policy, QuestionPlace, Verdict
from bridge.core.ports import ServerSpec
from bridge.core.protocol.elicitation import CONSENT_KEY, NO_FIELDS, YES_OR_NO
from bridge.core.questions.question import DECLINE, NOBODY, Mode, accept
from tests.core.fake_peers import Host, Script, Upstream, Wire, script
from tests.core.wire_messages import ELICIT, FORM

MARK = {"_meta": {CONSENT_KEY: True}}
SEND = {"message": "Send it?", "requestedSchema": msgspec.json.decode(YES_OR_NO), **MARK}
CHOSEN: dict[str, Any] = {"action": "accept", "content": {"answer": "yes"}}
BUILT_IN = Script(ServerSpec("files", builtin=True))


def asked(
    era: str = "legacy",
    can: dict[str, Any] = ELICIT,
    params: Any = SEND,
    plot: Script = BUILT_IN,
    **wire_: Any,
) -> tuple[Wire, Host, bytes, Upstream]:
    wire = Wire(plot, **wire_)
    host = wire.legacy_host(can) if era == "legacy" else wire.modern_host(can)
    call = host.calls()
    files = wire.upstreams["files"]
    files.asks(b"9", params, about=files.calls[-1].id)
    return wire, host, call, files


@pytest.mark.parametrize("place", QuestionPlace)
@pytest.mark.parametrize("can", [{}, ELICIT])
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_consent_is_asked_on_the_desk_whatever_the_host_can_and_the_settings_say(era, can, place):
    wire, host, call, files = asked(era, can, policy=Policy(hosts={"*": HostRule(place)}))
    question = wire.question()
    assert (question.message, question.consent, question.schema) == ("Send it?", True, NO_FIELDS)
    assert (host.asked, host.replies.get(call)) == ([], None)
    wire.person(accept({}))
    assert files.last().result == CHOSEN


def test_a_no_on_the_desk_is_a_no():
    wire, _, _, files = asked()
    wire.person(DECLINE)
    assert files.last().result == {"action": "decline"}


def test_consent_with_fields_keeps_them():
    wire, _, _, files = asked(params={**FORM, **MARK})
    wire.person(accept({"name": "Ada"}))
    assert files.last().result == {"action": "accept", "content": {"name": "Ada"}}


def test_a_server_that_is_not_built_in_cannot_mark_its_questions():
    wire, host, _, _ = asked(plot=script())
    assert wire.desk == []
    assert host.asked[-1].params["message"] == "Send it?"


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_without_a_desk_a_host_is_asked_for_a_required_choice(era):
    wire, host, call, files = asked(era, has_desk=False)
    wire.passes(1.0)
    if era == "legacy":
        params = host.asked[-1].params
        host.answers(host.asked[-1], CHOSEN)
    else:
        ((key, request),) = host.replies[call].result["inputRequests"].items()
        params = request["params"]
        host.returns(call, inputResponses={key: CHOSEN})
    assert params["requestedSchema"]["required"] == ["answer"]
    assert files.last().result == CHOSEN


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_without_a_desk_a_yes_that_nobody_can_have_given_counts_as_no_answer(era):
    wire, host, call, files = asked(era, has_desk=False)
    if era == "legacy":
        host.answers(host.asked[-1], CHOSEN)
    else:
        (key,) = host.replies[call].result["inputRequests"]
        host.returns(call, inputResponses={key: CHOSEN})
    assert files.last().result == {"action": "cancel", "_meta": {"deskbell/unanswered": "nobody"}}
    assert [one.outcome for one in wire.records if one.kind == "notice"] == ["too quick"]


def test_without_a_desk_and_a_host_that_can_ask_nobody_is_asked():
    wire, host, _, _ = asked(can={}, has_desk=False)
    assert host.asked == []
    assert wire.question().consent


# --- approvals ---------------------------------------------------------------------------------------------

CONFIRMED = Policy((("files_save", Verdict.CONFIRM),))
DONE: dict[str, Any] = {"content": []}


def approving(
    era: str = "legacy", can: dict[str, Any] = ELICIT, has_desk: bool = False
) -> tuple[Wire, Host, bytes, Upstream]:
    wire = Wire(script(), policy=CONFIRMED, has_desk=has_desk, limit=60.0)
    host = wire.legacy_host(can) if era == "legacy" else wire.modern_host(can)
    call = host.calls("save", arguments={"a": 1})
    return wire, host, call, wire.upstreams["files"]


def reply(host: Host, call: bytes, answer: Any) -> bytes:
    """Answer the approval; return the id under which the host waits."""
    if host.meta:
        (key,) = host.replies[call].result["inputRequests"]
        return host.returns(call, tool="save", arguments={"a": 1}, inputResponses={key: answer})
    host.answers(host.asked[-1], answer)
    return call


def text(host: Host, call: bytes) -> str:
    result = host.replies[call].result
    assert result["isError"] is True
    return str(result["content"][0]["text"])


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_an_approval_is_asked_on_the_desk_if_there_is_one(era):
    wire, host, _, files = approving(era, has_desk=True)
    assert host.asked == []
    assert wire.question().mode is Mode.CONFIRM
    wire.person(accept())
    assert files.calls[-1].params["name"] == "save"


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_without_a_desk_an_approval_goes_through_the_host_as_a_required_choice(era):
    wire, host, call, files = approving(era)
    wire.passes(1.0)
    asked = host.asked[-1].params if era == "legacy" else None
    if asked is None:
        ((_, request),) = host.replies[call].result["inputRequests"].items()
        asked = request["params"]
    assert asked["requestedSchema"]["required"] == ["answer"]
    assert '{"a":1}' in asked["message"]
    assert "Allow files_save?" in asked["message"]
    assert files.calls == []
    again = reply(host, call, CHOSEN)
    (made,) = files.calls
    assert made.params["arguments"] == {"a": 1}
    files.replies(made, DONE)
    assert host.replies[again].result["content"] == []
    assert wire.state.open_requests == {}


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize(
    "answer",
    [
        {"action": "accept"},
        {"action": "accept", "content": {}},
        {"action": "accept", "content": {"answer": "no"}},
        {"action": "accept", "content": 7},
        {"action": "decline"},
        {"action": "decline", "content": {"answer": "yes"}},
    ],
)
def test_without_a_desk_anything_but_the_yes_is_a_no(era, answer):
    wire, host, call, files = approving(era)
    wire.passes(1.0)
    again = reply(host, call, answer)
    assert "The person did not allow files_save." in text(host, again)
    assert (files.calls, wire.state.open_requests) == ([], {})


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_without_a_desk_a_yes_within_300_ms_approves_nothing(era):
    wire, host, call, files = approving(era)
    again = reply(host, call, CHOSEN)
    assert "nobody can be asked here" in text(host, again)
    assert (files.calls, wire.state.open_requests) == ([], {})


def test_without_a_desk_a_host_that_cannot_show_the_approval_or_never_does_gets_no_call():
    wire, host, call, files = approving()
    host.fails(host.asked[-1], {"code": -32601, "message": "no"})
    assert "nobody can be asked here" in text(host, call)
    call = host.calls("save")
    wire.passes(59.0)
    assert call not in host.replies
    wire.passes(1.0)
    assert "nobody answered within 60 s" in text(host, call)
    assert host.heard[-2].method == "notifications/cancelled"
    assert files.calls == []


def test_without_a_desk_an_approval_that_a_modern_host_brings_back_unanswered_is_asked_again():
    wire, host, call, files = approving("modern")
    again = host.returns(call, tool="save", arguments={"a": 1}, inputResponses={"another": CHOSEN})
    wire.passes(1.0)
    reply(host, again, CHOSEN)
    assert len(files.calls) == 1


@pytest.mark.parametrize("end", ["leaves", "cancels", "stays away", "server dies"])
def test_without_a_desk_an_approval_ends_with_its_host_or_server_and_nothing_is_called(end):
    wire, host, call, files = approving("legacy" if end == "cancels" else "modern")
    if end == "leaves":
        host.leaves()
    elif end == "cancels":
        host.cancels(call)
        assert host.last().method == "notifications/cancelled"
    elif end == "stays away":
        wire.passes(60.0)
    else:
        files.dies()
    assert (files.calls, wire.state.open_requests) == ([], {})


def test_a_plain_caller_and_a_host_that_cannot_ask_get_no_approval_where_there_is_no_desk():
    wire, _, _, files = approving(can={})
    assert wire.question().mode is Mode.CONFIRM
    wire.person(NOBODY)
    assert files.calls == []
