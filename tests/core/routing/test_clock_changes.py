"""The machine sleeps and wakes: nobody's time runs out asleep, and what may have died is opened anew."""

from __future__ import annotations

import pytest

from bridge.core import events as ev
from bridge.core.ports import ServerSpec
from tests.core.fake_peers import Script, Wire, script
from tests.core.wire_messages import FORM


def asking(limit: float = 300.0) -> Wire:
    """A question waits since a minute."""
    wire = Wire(script(), limit=limit)
    wire.sleeps(1_000_000.0)  # the first time the clock is read is no sleep
    wire.legacy_host().calls()
    wire.upstreams["files"].asks(b"1", FORM)
    wire.passes(60.0)
    return wire


def notices(wire: Wire) -> list[str]:
    return [record.outcome for record in wire.records if record.kind == "notice"]


def outcomes(wire: Wire) -> list[str]:
    return [record.outcome for record in wire.records if record.kind == "question"]


def test_a_question_keeps_the_time_it_had_when_the_machine_fell_asleep():
    wire = asking()
    wire.sleeps(8 * 3600.0)
    assert wire.question().deadline == wire.state.epoch + 240.0
    assert notices(wire) == ["slept"]
    wire.passes(239.0)
    assert outcomes(wire) == []
    wire.passes(1.0)
    assert outcomes(wire) == ["expired"]


def test_a_clock_set_back_or_forth_takes_and_gives_no_time():
    wire = asking()
    wire.sleeps(-7200.0)
    assert wire.question().deadline == wire.state.epoch + 240.0
    wire.sleeps(10.0)
    assert wire.question().deadline == wire.state.epoch + 240.0
    assert notices(wire) == ["clock changed", "clock changed"]


def test_a_clock_that_is_kept_right_is_nothing_to_speak_of():
    wire = asking()
    before = wire.question().deadline
    wire.sleeps(0.5)
    assert (wire.question().deadline, notices(wire)) == (before, [])


def test_nobody_who_waits_for_no_one_is_told_of_a_clock():
    wire = Wire(script())
    wire.sleeps(1_000_000.0)
    wire.sleeps(10.0)
    assert notices(wire) == []


def test_asleep_while_the_person_snoozes_no_question_grows_old():
    wire = asking()
    wire.feed(ev.Snoozed())
    wire.sleeps(24 * 3600.0)
    wire.passes(1.0)
    assert outcomes(wire) == []
    wire.feed(ev.Resumed())
    assert wire.question().deadline == wire.state.epoch + 240.0


def test_a_question_without_a_limit_gets_none_by_sleeping():
    wire = asking(limit=0.0)
    wire.sleeps(3600.0)
    assert wire.question().deadline == 0.0


def test_a_question_that_the_host_shows_keeps_its_time_too():
    wire = Wire(script(), limit=300.0)
    wire.sleeps(1_000_000.0)
    host = wire.legacy_host(can={"elicitation": {}})
    host.calls()
    wire.upstreams["files"].asks(b"1", FORM)
    wire.passes(60.0)
    wire.sleeps(3600.0)
    wire.passes(100.0)
    assert outcomes(wire) == []
    wire.passes(140.0)
    assert outcomes(wire) == ["expired"]


@pytest.mark.parametrize(("url", "roused"), [("https://files.example", 1), ("", 0)])
def test_connections_over_the_network_are_roused_after_a_sleep(url: str, roused: int):
    wire = Wire(Script(ServerSpec("files", command="" if url else "files", url=url)))
    wire.sleeps(1_000_000.0)
    wire.legacy_host().calls()
    wire.sleeps(3600.0)
    assert len(wire.roused) == roused


def test_a_server_on_the_network_that_was_left_alone_is_tried_at_once_after_a_sleep():
    far = Script(ServerSpec("far", url="http://127.0.0.1:9/mcp"))
    wire = Wire(far, script("near"))
    wire.sleeps(1_000_000.0)
    for name in ("far", "near"):
        for _ in range(20):
            wire.router.connections.backoff.ended("x", name, wire.state.now, f"{name} ended", "tried")
    wire.sleeps(10.0)
    assert wire.router.connections.backoff.until("far", wire.state.now) > 0
    wire.sleeps(3600.0)
    assert wire.router.connections.backoff.until("far", wire.state.now) == 0
    assert wire.router.connections.backoff.until("near", wire.state.now) > 0
