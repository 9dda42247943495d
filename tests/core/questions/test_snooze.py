"""A person who snoozes, mutes or is flooded: what each server hears, and what waits on the Desk."""

from __future__ import annotations

import pytest

from bridge.core import events as ev
from bridge.core.policy.rules import Policy, Verdict
from bridge.core.questions.desk import LONGEST_PAUSE, MOST_OF_ONE
from bridge.core.questions.flood_control import LIMIT
from bridge.core.questions.question import DECLINE, accept
from tests.core.fake_peers import MODERN, Wire, script
from tests.core.wire_messages import FORM, URL, wants


def outcomes(wire: Wire) -> list[str]:
    return [record.outcome for record in wire.records if record.kind == "question"]


def notices(wire: Wire) -> list[str]:
    return [record.outcome for record in wire.records if record.kind == "notice"]


def flood(wire: Wire, times: int) -> list[dict[str, object]]:
    """So many calls that ask; what the server has heard of its questions so far."""
    host = wire.legacy_host()
    host.calls()
    server = wire.upstreams["files"]
    for n in range(times):
        server.asks(b"%d" % (1000 + n), FORM)
    return replies(wire)


def replies(wire: Wire) -> list[dict[str, object]]:
    heard = wire.upstreams["files"].heard
    return [m.json["result"] for m in heard if not m.method and "result" in m.json]


# --- snooze ------------------------------------------------------------------------------------------


def test_while_the_person_snoozes_questions_wait_and_no_clock_runs():
    wire = Wire(script(), limit=300.0)
    wire.feed(ev.Snoozed(wire.state.epoch + 1800))
    flood(wire, 1)
    wire.passes(1799.0)
    assert wire.question().deadline == 0.0
    wire.passes(1.0)
    assert not wire.router.snooze.on
    assert wire.question().deadline == wire.state.epoch + 300.0
    wire.passes(300.0)
    assert (outcomes(wire), replies(wire)) == (["expired"], [{"action": "cancel"}])
    assert notices(wire) == ["snoozed", "resumed"]


def test_a_snooze_without_end_ends_when_the_person_says_so():
    wire = Wire(script(), limit=300.0)
    flood(wire, 1)
    wire.passes(100.0)
    wire.feed(ev.Snoozed())
    wire.passes(3600.0)
    wire.feed(ev.Resumed())
    wire.feed(ev.Resumed())
    assert wire.question().deadline == wire.state.epoch + 200.0
    assert notices(wire) == ["snoozed", "resumed"]


def test_but_no_question_waits_for_ever():
    wire = Wire(script(), limit=300.0)
    flood(wire, 1)
    wire.feed(ev.Snoozed())
    wire.passes(LONGEST_PAUSE + 1.0)
    assert (outcomes(wire), replies(wire)) == (["expired"], [{"action": "cancel"}])


def test_a_person_who_snoozes_may_answer_all_the_same():
    wire = Wire(script())
    flood(wire, 1)
    wire.feed(ev.Snoozed())
    wire.person(accept({"name": "Ada"}))
    assert replies(wire) == [{"action": "accept", "content": {"name": "Ada"}}]


# --- mute --------------------------------------------------------------------------------------------


def test_a_muted_server_hears_no_to_what_waits_and_to_what_it_asks_then():
    wire = Wire(script())
    flood(wire, 2)
    wire.feed(ev.Muted("files", wire.state.epoch + 3600))
    wire.upstreams["files"].asks(b"5", FORM)
    assert wire.desk == []
    assert replies(wire) == [{"action": "decline"}] * 3
    assert outcomes(wire) == ["muted"] * 3


@pytest.mark.parametrize("undo", ["time", "person"])
def test_a_mute_ends_by_itself_or_is_undone(undo):
    wire = Wire(script(timeout=9999.0))
    flood(wire, 0)
    wire.feed(ev.Muted("files", wire.state.epoch + 3600))
    if undo == "time":
        wire.passes(3600.0)
    else:
        wire.feed(ev.Unmuted("files"))
        wire.feed(ev.Unmuted("files"))
    wire.upstreams["files"].asks(b"5", FORM)
    assert wire.question().server == "files"
    assert notices(wire) == ["muted", "unmuted"]


def test_a_mute_concerns_no_other_server():
    wire = Wire(script("files"), script("github"))
    wire.feed(ev.Muted("github", wire.state.epoch + 3600))
    flood(wire, 1)
    assert wire.question().server == "files"


def test_a_call_that_needs_approval_is_refused_while_its_server_is_muted():
    wire = Wire(script(), policy=Policy((("*", Verdict.CONFIRM),)))
    wire.feed(ev.Muted("files", wire.state.epoch + 3600))
    host = wire.legacy_host()
    call = host.calls("risky")
    assert host.replies[call].result["isError"]
    assert wire.desk == []


def test_a_modern_server_gets_all_its_answers_in_one_retry():
    wire = Wire(script("files", MODERN))
    wire.feed(ev.Muted("files", wire.state.epoch + 3600))
    host = wire.legacy_host()
    host.calls()
    server = wire.upstreams["files"]
    server.replies(server.calls[-1], wants(who=FORM, login=URL))
    assert server.calls[-1].params["inputResponses"] == {
        "who": {"action": "decline"},
        "login": {"action": "decline"},
    }


# --- floods ------------------------------------------------------------------------------------------


def test_a_flood_waits_on_the_desk_and_the_person_is_told_once():
    wire = Wire(script())
    flood(wire, LIMIT + 5)
    assert len(wire.desk) == LIMIT + 5
    assert wire.questions.floods.flooding == ("files",)
    assert notices(wire) == ["flood"]


def test_a_flood_is_over_when_none_of_it_waits():
    wire = Wire(script())
    flood(wire, LIMIT + 1)
    for question in wire.desk[1:]:
        wire.person(DECLINE, question)
    assert "files" in wire.questions.floods.flooding
    wire.upstreams["files"].withdraws(b"1000")
    assert "files" not in wire.questions.floods.flooding


def test_the_person_wants_to_be_asked_all_the_same():
    wire = Wire(script())
    flood(wire, LIMIT + 1)
    wire.feed(ev.FloodAllowed("files"))
    assert wire.questions.floods.flooding == ()
    assert len(wire.desk) == LIMIT + 1


def test_how_many_are_too_many_is_a_setting():
    wire = Wire(script())
    state = wire.state
    wire.feed(ev.SettingsChanged(state.servers, state.policy, state.question_limit, flood=2))
    flood(wire, 3)
    assert wire.questions.floods.flooding == ("files",)


def test_what_has_no_room_on_the_desk_is_cancelled_at_once():
    wire = Wire(script())
    heard = flood(wire, MOST_OF_ONE + 3)
    assert len(wire.desk) == MOST_OF_ONE
    assert heard == [{"action": "cancel"}] * 3
    assert outcomes(wire) == ["too many"] * 3


# --- time --------------------------------------------------------------------------------------------


def test_time_is_wanted_when_a_snooze_or_a_mute_will_end():
    wire = Wire(script())
    assert wire.router.pace == 0.0
    wire.feed(ev.Snoozed())
    assert wire.router.pace == 0.0
    wire.feed(ev.Snoozed(wire.state.epoch + 40))
    assert wire.router.pace == 40.0
    wire.feed(ev.Muted("files", wire.state.epoch + 0.5))
    assert wire.router.pace == 1.0
    wire.passes(40.0)
    assert wire.router.pace == 0.0
    wire.feed(ev.Muted("files", wire.state.epoch + 3600))
    assert wire.router.pace == 60.0
