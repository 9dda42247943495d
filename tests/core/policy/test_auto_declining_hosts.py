"""Hosts that decline questions unseen are noticed, and those that ask a person are not."""

from __future__ import annotations

from typing import Any

import pytest

from bridge.core.policy.auto_declining_hosts import MOST, QUICK, AutoDeclineDetector
from bridge.core.policy.rules import HostRule, Policy, QuestionPlace
from bridge.core.routing.asking.open_questions import MOST_HANDED
from tests.core.fake_peers import MODERN, Host, Wire, script
from tests.core.wire_messages import ELICIT, ELICIT_ALL, FORM, wants

DECLINE, CANCEL = {"action": "decline"}, {"action": "cancel"}
ACCEPT: dict[str, Any] = {"action": "accept", "content": {"name": "Ada"}}


def asked(host: Host, answer: Any, after: float = 0.0, method: str = "elicitation/create") -> None:
    """The host calls, is asked, and answers."""
    call = host.calls()
    files = host.wire.upstreams["files"]
    files.asks(b'"%d"' % len(files.heard), FORM, method)
    host.wire.passes(after)
    if host.meta:
        (key,) = host.replies[call].result["inputRequests"]
        host.returns(call, inputResponses={key: answer})
    else:
        question = host.asked[-1]
        if answer is None:
            host.fails(question, {"code": 1, "message": "no"})
        else:
            host.answers(question, answer)
    files.replies([one for one in files.calls if one.method == "tools/call"][-1], {"ok": 1})


def notices(wire: Wire, policy: Policy | None = None) -> tuple[str, ...]:
    return wire.questions.suspicion.notices(policy or wire.state.policy)


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("no", [DECLINE, CANCEL])
def test_a_host_that_says_no_at_once_twice_is_suspected(era, no):
    wire = Wire(script())
    host = wire.legacy_host(ELICIT) if era == "legacy" else wire.modern_host(ELICIT)
    asked(host, no)
    assert notices(wire) == ()
    asked(host, no, after=QUICK / 2)
    (notice,) = notices(wire)
    name = "Old Host" if era == "legacy" else "New Host"
    assert notice.startswith(f"{name} seems to decline questions without showing them.")
    assert f'[hosts."{name}"]' in notice
    asked(host, no)
    found = [record for record in wire.records if record.outcome == "auto-decline"]
    assert [(record.kind, record.host, record.detail) for record in found] == [("notice", name, notice)]


@pytest.mark.parametrize(
    ("answer", "after"), [(ACCEPT, 0.0), (DECLINE, 2 * QUICK), (CANCEL, 5.0)], ids=["yes", "slow", "slower"]
)
def test_a_host_that_shows_them_is_not(answer, after):
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    asked(host, DECLINE)
    asked(host, answer, after)
    asked(host, DECLINE)
    assert notices(wire) == ()


def test_a_host_that_turns_out_to_ask_is_cleared():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    for answer in (DECLINE, DECLINE, ACCEPT):
        asked(host, answer)
    assert notices(wire) == ()


def handed(host: Host, answer: Any, after: float = 0.0, tool: str = "ask") -> None:
    """The host gets a modern server's question word for word, and calls again with its answer."""
    call = host.calls(tool)
    files = host.wire.upstreams["files"]
    files.replies(files.calls[-1], wants(who=FORM, roots=("roots/list", {})))
    host.wire.passes(after)
    again = host.returns(call, tool=tool, inputResponses={"who": answer, "roots": {"roots": []}})
    files.replies(files.calls[-1], {"resultType": "complete"})
    assert host.replies[again].result == {"resultType": "complete"}


@pytest.mark.parametrize(
    ("answer", "after", "suspected"), [(DECLINE, 0.1, 1), (DECLINE, 2.0, 0), (ACCEPT, 0.1, 0)]
)
def test_a_modern_host_in_front_of_a_modern_server_is_judged_by_its_return(answer, after, suspected):
    wire = Wire(script("files", MODERN))
    host = wire.modern_host({**ELICIT_ALL, "roots": {}})
    handed(host, answer, after)
    assert notices(wire) == ()
    handed(host, answer, after)
    assert len(notices(wire)) == suspected


def test_answers_to_what_nobody_asked_tell_nothing():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host(ELICIT_ALL)
    for _ in range(3):
        host.calls(inputResponses={"who": DECLINE})
    assert notices(wire) == ()


def test_a_flood_of_questions_handed_on_is_forgotten():
    wire = Wire(script("files", MODERN))
    host = wire.modern_host({**ELICIT_ALL, "roots": {}})
    for number in range(MOST_HANDED + 1):
        host.calls(f"tool {number}")
        files = wire.upstreams["files"]
        files.replies(files.calls[-1], wants(who=FORM))
    (tenant,) = wire.state.tenants.values()
    assert len(wire.questions._handed[tenant]) == 1


def test_errors_and_what_no_person_is_asked_do_not_count():
    wire = Wire(script())
    host = wire.legacy_host({**ELICIT, "roots": {}})
    for _ in range(3):
        asked(host, None)
        asked(host, DECLINE, method="roots/list")
    assert notices(wire) == ()


def test_once_the_desk_asks_there_is_nothing_more_to_say():
    wire = Wire(script())
    host = wire.legacy_host(ELICIT)
    asked(host, DECLINE)
    asked(host, DECLINE)
    assert notices(wire, Policy(hosts={"Old Host": HostRule(QuestionPlace.DESKTOP)})) == ()


def test_only_so_many_names_are_kept():
    suspicion = AutoDeclineDetector()
    for number in range(MOST + 1):
        suspicion.answered(f"host {number}", False, 0.0)
    assert len(suspicion._quick) == 1
