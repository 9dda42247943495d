"""Streams that break: resumed with Last-Event-ID, or given up and their requests cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import pytest

from bridge.transports.http import event_replay, legacy_link, response
from bridge.transports.http.event_replay import EventReplay, parse_event_id
from bridge.transports.http.server import HttpServer
from tests.bridge.transports.http.http_rig import TOKEN, Host, Recorder, Wire, pack, start
from tests.fixtures.patience import NEVER, WITHIN, leap

SLOW = pack({"id": "s", "method": "slow"})
OLD = {"MCP-Protocol-Version": "2025-06-18"}


@pytest.fixture
async def front() -> Recorder:
    return Recorder()


@pytest.fixture
async def host(front: Recorder, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Host]:
    monkeypatch.setattr(response, "WATCH_AFTER", 0.02)
    monkeypatch.setattr(response, "STREAM_AFTER", NEVER)
    monkeypatch.setattr(legacy_link, "GRACE", NEVER)
    transport = HttpServer(front, TOKEN, set)
    host = Host(await start(transport))
    yield host
    host.leave()
    await transport.stop()


async def _broken(host: Host, front: Recorder, session: dict[str, str]) -> tuple[str, int]:
    """A call whose connection broke after one progress event: that event's id, and the number of its Link."""
    before = len(front.heard)
    wire = await host.post(SLOW, session)
    await front.until(lambda: len(front.heard) > before)
    heard = front.heard[-1]
    front.say(heard.link, "notifications/progress", "s", params={"progress": 1})
    await wire.head()
    assert (await wire.event()).data == ""
    seen = await wire.event()
    wire.drop()
    return seen.id, heard.link


async def _resumed(host: Host, session: dict[str, str], after: str) -> Wire:
    wire = await host.get({**session, "Last-Event-ID": after})
    assert (await wire.head()).status == 200
    return wire


async def test_a_broken_call_is_resumed_where_it_was(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    seen, link = await _broken(host, front, session)
    front.say(link, "notifications/progress", "s", params={"progress": 2})
    wire = await _resumed(host, session, seen)
    assert (await wire.event()).data == ""
    assert (await wire.event()).message["params"] == {"progress": 2}
    front.say(link, "elicitation/create", "s", id=5)
    assert (await wire.event()).message["id"] == 5
    front.reply(await front.hears("slow"), result={"ok": True})
    assert (await wire.event()).message == {"jsonrpc": "2.0", "id": "s", "result": {"ok": True}}
    assert await wire.ended()
    assert [h.message["method"] for h in front.heard] == ["initialize", "slow"]


async def test_a_reply_that_came_while_the_host_was_away_waits_for_it(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    seen, _ = await _broken(host, front, session)
    front.reply(await front.hears("slow"), result={"ok": True})
    for _ in range(2):  # it may break again
        wire = await _resumed(host, session, seen)
        assert (await wire.event()).data == ""
        assert (await wire.event()).message["result"] == {"ok": True}
        assert await wire.ended()


async def test_a_call_can_be_resumed_with_only_its_first_empty_event(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response, "STREAM_AFTER", 0.04)
    session = await host.initialize()
    call = await host.post(SLOW, session)
    heard = await front.hears("slow")
    await call.head()
    seen = (await call.event()).id
    call.drop()
    wire = await _resumed(host, session, seen)
    front.reply(heard, result={})
    assert (await wire.event()).data == ""
    assert (await wire.event()).message["result"] == {}


async def test_a_resume_takes_over_from_a_connection_not_yet_known_to_be_dead(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(response, "STREAM_AFTER", 0.04)
    session = await host.initialize()
    call = await host.post(SLOW, session)
    heard = await front.hears("slow")
    await call.head()
    seen = (await call.event()).id
    wire = await _resumed(host, session, seen)
    assert await call.ended()
    front.reply(heard, result={})
    assert (await wire.event()).data == ""
    assert (await wire.event()).message["result"] == {}


async def test_a_host_that_does_not_come_back_has_cancelled(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legacy_link, "GRACE", 0.05)
    session = await host.initialize()
    seen, link = await _broken(host, front, session)
    cancel = await front.hears("notifications/cancelled")
    assert cancel.message["params"] == {"requestId": "s", "reason": "the host went away"}
    assert cancel.link == link
    assert front.closed == []  # the session lives on
    assert (await host.ask("GET", "/mcp", headers={**session, "Last-Event-ID": seen})).status == 400
    front.deliver[link](pack({"id": "s", "result": {}}), b'"s"', True)  # too late, and harmless
    assert (await host.ask("POST", "/mcp", pack({"id": "s", "method": "echo/x"}), session)).status == 200


async def test_a_resumed_call_is_not_cancelled_when_its_grace_is_over(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await host.initialize()
    seen, _ = await _broken(host, front, session)
    wire = await _resumed(host, session, seen)
    leap(legacy_link.GRACE)
    monkeypatch.setattr(legacy_link, "GRACE", 0.05)
    other = await host.initialize()
    await _broken(host, front, other)
    cancel = await front.hears("notifications/cancelled")
    assert cancel.link == 2
    assert len([h for h in front.heard if h.message["method"] == "notifications/cancelled"]) == 1
    wire.drop()
    await front.until(lambda: front.heard[-1].link == 1)
    assert front.heard[-1].message["method"] == "notifications/cancelled"


@pytest.mark.parametrize("stream", [False, True])
async def test_a_host_with_nothing_to_resume_by_has_cancelled_at_once(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch, stream: bool
) -> None:
    monkeypatch.setattr(response, "STREAM_AFTER", 0.04 if stream else NEVER)
    session = {**await host.initialize(), **OLD}
    wire = await host.post(SLOW, session)
    await front.hears("slow")
    if stream:
        await wire.head()
    wire.drop()
    cancel = await front.hears("notifications/cancelled")
    assert cancel.message["params"]["requestId"] == "s"


async def test_every_request_of_a_broken_batch_is_cancelled(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legacy_link, "GRACE", 0.05)
    session = await host.initialize()
    wire = await host.post(b"[" + SLOW + b"," + pack({"id": 1.0, "method": "slow"}) + b"]", session)
    await wire.head()
    wire.drop()
    await front.until(lambda: len(front.heard) == 5)
    assert {h.raw.split(b'"requestId":')[1].split(b",")[0] for h in front.heard[3:]} == {b'"s"', b"1.0"}


async def test_the_get_stream_is_resumed_too(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    stream = await host.get(session)
    await stream.head()
    for number in (1, 2, 3):
        front.say(1, "notifications/message", params={"n": number})
    assert (await stream.event()).data == ""
    first = await stream.event()
    stream.drop()
    again = await _resumed(host, session, first.id)
    front.say(1, "notifications/message", params={"n": 4})
    numbers: list[int] = []
    while len(numbers) < 3:
        event = await again.event()
        numbers += [event.message["params"]["n"]] if event.data else []
    assert numbers == [2, 3, 4]


async def test_questions_on_a_broken_get_stream_are_left_open(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    stream = await host.get(session)
    await stream.head()
    front.say(1, "elicitation/create", id=8)
    assert (await stream.event()).data == ""
    assert (await stream.event()).message["id"] == 8
    stream.drop()
    answer = pack({"id": 8, "result": {"action": "cancel"}})
    assert (await host.ask("POST", "/mcp", answer, session)).status == 202
    assert [h.raw for h in front.heard[1:]] == [answer]
    assert front.closed == []


def _count(front: Recorder, expected: int) -> bool:
    return len(front.heard) == expected


async def test_event_ids_are_unique_in_a_session(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    ids: list[str] = []
    for number in range(3):
        wire = await host.post(pack({"id": number, "method": "slow"}), session)
        await front.until(partial(_count, front, number + 2))
        front.say(1, "notifications/progress", number)
        front.reply(front.heard[-1], result={})
        await wire.head()
        ids += [(await wire.event()).id for _ in range(3)]
        assert await wire.ended()
    assert len(set(ids)) == 9


@pytest.mark.parametrize("named", ["", "x", "1", "1-", "-1", "99-1", "1-1-1", "\xb2-1", "9" * 5000 + "-1"])
async def test_an_unknown_event_id_cannot_be_resumed(host: Host, named: str) -> None:
    session = await host.initialize()
    assert (await host.ask("GET", "/mcp", headers={**session, "Last-Event-ID": named})).status == 400


async def test_a_reply_larger_than_the_whole_log_can_still_be_fetched(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    seen, _ = await _broken(host, front, session)
    front.reply(await front.hears("slow"), result="x" * (event_replay.MAX_BYTES + 1))
    wire = await _resumed(host, session, seen)
    async with asyncio.timeout(WITHIN):
        while not (event := await wire.event()).data:
            pass
    assert len(event.message["result"]) == event_replay.MAX_BYTES + 1


class TestLog:
    def test_a_resumed_stream_repeats_only_its_own_later_events(self) -> None:
        log = EventReplay(print)
        log.prime(1)
        log.add(1, b"a")
        log.add(2, b"b")
        log.add(1, b"c")
        assert [event.split(b"\n")[0] for event in log.after(1, 2)] == [b"id: 1-4"]
        assert log.after(3, 0) == []

    def test_events_of_finished_streams_are_dropped_first(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(event_replay, "MAX_EVENTS", 3)
        forgotten: list[int] = []
        log = EventReplay(forgotten.append)
        log.add(1, b"live")
        log.add(2, b"done")
        log.finish(2)
        log.add(3, b"x")
        log.add(3, b"y")
        assert len(log.after(1, 0)) == 1
        assert log.after(2, 0) == []
        log.add(3, b"z")
        assert (forgotten, 2 in log) == ([2], False)

    def test_without_finished_streams_the_oldest_event_is_dropped(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(event_replay, "MAX_EVENTS", 3)
        log = EventReplay(print)
        for number in range(6):
            log.add(number % 2, b"%d" % number)
        assert [e[-3:-2] for e in log.after(0, 0)] == [b"4"]
        assert [e[-3:-2] for e in log.after(1, 0)] == [b"3", b"5"]
        assert 0 in log

    def test_is_bounded_in_bytes(self) -> None:
        log = EventReplay(print)
        for _ in range(100):
            log.add(1, b"x" * 100_000)
        assert sum(map(len, log.after(1, 0))) <= event_replay.MAX_BYTES

    def test_a_forgotten_stream_keeps_no_events(self) -> None:
        log = EventReplay(print)
        log.add(1, b"a")
        log.finish(1)
        log.forget(1)
        assert 1 not in log
        assert not log.is_finished(1)
        log.finish(1)
        assert not log.is_finished(1)

    def test_event_ids_are_two_numbers(self) -> None:
        assert parse_event_id(b"3-17") == (3, 17)
        assert parse_event_id(b"3-") is None
