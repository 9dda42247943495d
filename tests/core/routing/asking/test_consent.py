"""What Deskbell itself does by a yes is asked on the desk; without one a host must choose the yes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bridge.core.policy.rules import HostRule, Policy, QuestionPlace
from bridge.core.ports import ServerSpec
from bridge.core.protocol.elicitation import CONSENT_KEY, NO_FIELDS, YES_OR_NO
from bridge.core.questions.question import DECLINE, accept
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
