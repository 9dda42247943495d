"""Legacy hosts over HTTP: a Link per Mcp-Session-Id, streams of their own, GET, DELETE, batches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bridge.transports.http import legacy_link
from bridge.transports.http import response as http_response
from bridge.transports.http.server import HttpServer
from tests.bridge.transports.http.http_rig import LEGACY, TOKEN, Host, Recorder, Wire, pack, start
from tests.fixtures.patience import NEVER, WITHIN, leap

SLOW = pack({"id": 1, "method": "slow"})
PING = pack({"id": 9, "method": "echo/ping", "params": {}})


@pytest.fixture
async def front() -> Recorder:
    return Recorder()


@pytest.fixture
async def host(front: Recorder, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Host]:
    monkeypatch.setattr(http_response, "WATCH_AFTER", 0.02)
    monkeypatch.setattr(http_response, "STREAM_AFTER", NEVER)
    monkeypatch.setattr(legacy_link, "GRACE", NEVER)
    transport = HttpServer(front, TOKEN, lambda: {"github"})
    host = Host(await start(transport))
    yield host
    host.leave()
    await transport.stop()


async def test_initialize_opens_a_link_and_names_it(host: Host, front: Recorder) -> None:
    response = await host.ask("POST", "/mcp/github", pack({"id": "a", "method": "initialize", "params": {}}))
    assert (response.status, response.headers["content-type"]) == (200, "application/json")
    assert response.json["id"] == "a"
    assert len(response.headers["mcp-session-id"]) >= 32
    assert front.callers[1].server == "github"
    assert front.callers[1].tenant == ""
    assert front.closed == []


async def test_later_requests_reach_the_same_link(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    other = await host.initialize()
    assert session != other
    response = await host.ask("POST", "/mcp", PING, session)
    assert (response.status, response.json["id"]) == (200, 9)
    await host.ask("POST", "/mcp", PING, other)
    assert [(h.link, h.raw) for h in front.heard[2:]] == [(1, PING), (2, PING)]


async def test_an_initialize_that_fails_opens_nothing(host: Host, front: Recorder) -> None:
    front.initialize = {"error": {"code": -32602, "message": "no such revision"}}
    response = await host.ask("POST", "/mcp", pack({"id": 1, "method": "initialize", "params": {}}))
    assert (response.status, response.code) == (200, -32602)
    assert "mcp-session-id" not in response.headers
    assert front.closed == [1]


async def test_an_initialize_may_take_its_time(host: Host, front: Recorder) -> None:
    front.initialize = {}
    wire = await host.post(pack({"id": 1, "method": "initialize"}), {})
    heard = await front.hears("initialize")
    front.say(heard.link, "notifications/message", 1, params={"data": "early"})
    await host.ask("GET", "/health")
    front.reply(heard, result={"protocolVersion": LEGACY})
    response = await wire.response()
    assert response.headers["content-type"] == "application/json"
    session = {"Mcp-Session-Id": response.headers["mcp-session-id"]}
    stream = await host.get(session)
    await stream.head()
    assert (await stream.event()).message["params"] == {"data": "early"}


async def test_a_host_that_leaves_during_initialize_leaves_no_link(host: Host, front: Recorder) -> None:
    front.initialize = {}
    wire = await host.post(pack({"id": 1, "method": "initialize"}), {})
    await front.hears("initialize")
    wire.drop()
    await front.until(lambda: front.closed == [1])


async def test_the_engine_hanging_up_during_initialize_is_a_503(host: Host, front: Recorder) -> None:
    front.initialize = {}
    wire = await host.post(pack({"id": 1, "method": "initialize"}), {})
    heard = await front.hears("initialize")
    front.hang_up[heard.link]()
    response = await wire.response()
    assert (response.status, response.code) == (503, -32603)
    assert "mcp-session-id" not in response.headers
    assert front.closed == [1]


@pytest.mark.parametrize(
    "body", [PING, pack({"method": "notifications/initialized"}), pack({"method": "initialize"})]
)
async def test_without_a_session_only_initialize_is_served(host: Host, front: Recorder, body: bytes) -> None:
    response = await host.ask("POST", "/mcp", body)
    assert (response.status, response.code) == (400, -32600)
    assert "initialize" in response.json["error"]["message"]
    assert (await host.ask("GET", "/mcp")).status == 400
    assert (await host.ask("DELETE", "/mcp")).status == 400
    assert (await host.ask("POST", "/mcp", b"[" + body + b"]")).status == 400
    assert front.callers == {}


async def test_an_unknown_session_is_404_so_that_the_host_begins_again(host: Host, front: Recorder) -> None:
    for method, body in (("POST", PING), ("GET", b""), ("DELETE", b"")):
        assert (await host.ask(method, "/mcp", body, {"Mcp-Session-Id": "nobody"})).status == 404
    assert front.callers == {}


async def test_a_session_belongs_to_its_server(host: Host, front: Recorder) -> None:
    session = await host.initialize("/mcp/github")
    assert (await host.ask("POST", "/mcp", PING, session)).status == 404
    assert (await host.ask("DELETE", "/mcp", headers=session)).status == 404
    assert (await host.ask("POST", "/mcp/github", PING, session)).status == 200
    assert len(front.heard) == 2


@pytest.mark.parametrize(
    "message",
    [
        {"method": "notifications/initialized"},
        {"id": 4, "result": {"action": "accept"}},
        {"id": "q", "error": {"code": 1, "message": "no"}},
    ],
)
async def test_notifications_and_responses_are_accepted_at_once(
    host: Host, front: Recorder, message: dict[str, Any]
) -> None:
    session = await host.initialize()
    response = await host.ask("POST", "/mcp", pack(message), session)
    assert (response.status, response.body) == (202, b"")
    assert front.heard[-1].raw == pack(message)


async def test_messages_about_a_request_go_on_its_own_stream(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    first = await host.post(pack({"id": 7, "method": "one"}), session)
    second = await host.post(pack({"id": "7", "method": "two"}), session)
    one, two = await front.hears("one"), await front.hears("two")
    front.say(1, "elicitation/create", "7", id=100)
    front.say(1, "elicitation/create", 7, id=101)
    for wire, number in ((first, 101), (second, 100)):
        assert (await wire.head()).headers["content-type"] == "text/event-stream"
        assert (await wire.event()).data == ""
        assert (await wire.event()).message["id"] == number
    front.reply(two, result="second")
    front.reply(one, result="first")
    assert (await first.event()).message["result"] == "first"
    assert (await second.event()).message["result"] == "second"
    assert await first.ended()
    assert await second.ended()


@pytest.mark.parametrize(("version", "primed"), [(LEGACY, True), ("2025-06-18", False), (None, False)])
async def test_only_the_newest_legacy_hosts_get_an_empty_first_event(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch, version: str | None, primed: bool
) -> None:
    monkeypatch.setattr(http_response, "STREAM_AFTER", 0.08)
    session: dict[str, str | None] = {**await host.initialize(), "MCP-Protocol-Version": version}
    wire = await host.post(SLOW, session)
    heard = await front.hears("slow")
    assert (await wire.head()).headers["content-type"] == "text/event-stream"  # after a while, by itself
    front.reply(heard, result={})
    first = await wire.event()
    assert (first.data == "") == primed
    last = await wire.event() if primed else first
    assert last.message["result"] == {}
    assert last.id
    assert await wire.ended()


async def test_what_belongs_to_no_request_goes_on_the_get_stream(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    call = await host.post(SLOW, session)
    heard = await front.hears("slow")
    stream = await host.get(session)
    head = await stream.head()
    assert (head.status, head.headers["content-type"]) == (200, "text/event-stream")
    front.say(1, "notifications/tools/list_changed")
    assert (await stream.event()).data == ""
    assert (await stream.event()).message["method"] == "notifications/tools/list_changed"
    front.reply(heard, result={})
    assert b"list_changed" not in (await call.response()).body


async def test_without_a_get_stream_any_open_request_carries_it(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    call = await host.post(SLOW, session)
    heard = await front.hears("slow")
    front.say(1, "roots/list", id=3)
    front.reply(heard, result={})
    body = (await call.response()).body
    assert body.index(b"roots/list") < body.index(b'"result"')


async def test_with_nothing_open_the_latest_messages_wait_for_a_get_stream(
    host: Host, front: Recorder
) -> None:
    session = await host.initialize()
    for number in range(300):
        front.say(1, "notifications/message", params={"n": number})
    assert (await host.ask("POST", "/mcp", PING, session)).headers["content-type"] == "application/json"
    stream = await host.get(session)
    await stream.head()
    assert (await stream.event()).data == ""
    assert [(await stream.event()).message["params"]["n"] for _ in range(256)] == list(range(44, 300))


async def test_a_late_word_about_a_finished_request_is_not_lost(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    await host.ask("POST", "/mcp", PING, session)
    front.say(1, "notifications/cancelled", 9)
    front.deliver[1](PING, b"9", True)  # a second reply is
    stream = await host.get(session)
    await stream.head()
    assert (await stream.event()).data == ""
    assert (await stream.event()).message["method"] == "notifications/cancelled"


async def test_there_is_one_get_stream_at_a_time(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    first = await host.get(session)
    assert (await first.head()).status == 200
    assert (await host.ask("GET", "/mcp", headers=session)).status == 409
    first.drop()
    await _opened_again(host, session)


async def _opened_again(host: Host, session: dict[str, str]) -> Wire:
    async with asyncio.timeout(WITHIN):
        status = 409
        while status == 409:  # until the hang-up is noticed
            wire = await host.get(session)
            status = (await wire.head()).status
    assert status == 200
    return wire


async def test_a_get_must_take_events(host: Host) -> None:
    session = await host.initialize()
    assert (await host.ask("GET", "/mcp", headers={**session, "Accept": "application/json"})).status == 406


async def test_delete_ends_the_session_and_all_that_is_open(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    stream = await host.get(session)
    assert (await stream.head()).status == 200
    assert (await stream.event()).data == ""
    call = await host.post(SLOW, session)
    await front.hears("slow")
    assert (await host.ask("DELETE", "/mcp", headers=session)).status == 204
    assert front.closed == [1]
    assert await stream.ended()
    assert (await call.response()).code == -32603
    assert (await host.ask("POST", "/mcp", PING, session)).status == 404


async def test_the_engine_hanging_up_ends_all_and_forgets_the_session(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    plain = await host.post(SLOW, session)
    streaming = await host.post(pack({"id": 2, "method": "talk"}), session)
    await front.hears("slow")
    await front.hears("talk")
    front.say(1, "notifications/progress", 2)
    await streaming.head()
    front.hang_up[1]()
    response = await plain.response()
    assert (response.status, response.code, response.json["id"]) == (503, -32603, 1)
    assert (await streaming.event()).data == ""
    assert (await streaming.event()).message["method"] == "notifications/progress"
    error = (await streaming.event()).message
    assert (error["id"], error["error"]["message"]) == (2, "Deskbell is shutting down.")
    assert await streaming.ended()
    assert (await host.ask("POST", "/mcp", PING, session)).status == 404
    assert front.closed == [1]


async def test_a_request_that_the_host_cancels_ends_its_response(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    call = await host.post(SLOW, session)
    heard = await front.hears("slow")
    cancel = pack({"method": "notifications/cancelled", "params": {"requestId": 1}})
    assert (await host.ask("POST", "/mcp", cancel, session)).status == 202
    assert front.heard[-1].raw == cancel
    response = await call.response()
    assert (response.status, response.code, response.json["id"]) == (200, -32800, 1)
    front.reply(heard, result={})  # too late, and harmless


@pytest.mark.parametrize("params", [{"requestId": 77}, {}, [], None])
async def test_a_cancel_of_nothing_we_know_is_passed_on(host: Host, front: Recorder, params: object) -> None:
    session = await host.initialize()
    cancel = pack({"method": "notifications/cancelled", "params": params})
    assert (await host.ask("POST", "/mcp", cancel, session)).status == 202
    assert front.heard[-1].raw == cancel


async def test_an_id_is_not_given_to_two_open_requests(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    call = await host.post(SLOW, session)
    heard = await front.hears("slow")
    assert (await host.ask("POST", "/mcp", SLOW, session)).status == 400
    front.reply(heard, result={})
    assert (await call.response()).json["result"] == {}
    assert (await host.ask("POST", "/mcp", pack({"id": 1, "method": "echo/again"}), session)).status == 200


async def test_the_messages_of_a_batch_go_one_by_one_and_share_a_stream(host: Host, front: Recorder) -> None:
    session: dict[str, str | None] = {**await host.initialize(), "MCP-Protocol-Version": "2025-03-26"}
    parts = [
        pack({"id": 1, "method": "slow"}),
        pack({"method": "notifications/x"}),
        pack({"id": 2, "method": "echo/y"}),
    ]
    wire = await host.post(b" [" + b" , ".join(parts) + b"]", session)
    heard = await front.hears("slow")
    assert [h.raw for h in front.heard[1:]] == parts
    assert (await wire.head()).headers["content-type"] == "text/event-stream"
    assert (await wire.event()).message["id"] == 2
    front.reply(heard, result={})
    assert (await wire.event()).message["id"] == 1
    assert await wire.ended()


async def test_a_batch_that_would_keep_everybody_waiting_is_refused(host: Host, front: Recorder) -> None:
    headers = await host.initialize()
    before = len(front.heard)
    one = pack({"method": "notifications/one"})
    response = await host.ask("POST", "/mcp", b"[" + b",".join([one] * 1001) + b"]", headers)
    assert (response.status, len(front.heard)) == (400, before)
    assert "1000" in response.json["error"]["message"]


async def test_a_batch_without_requests_is_accepted(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    parts = [pack({"method": "notifications/x"}), pack({"id": 5, "result": {}})]
    assert (await host.ask("POST", "/mcp", b"[" + b",".join(parts) + b"]", session)).status == 202
    assert [h.raw for h in front.heard[1:]] == parts


@pytest.mark.parametrize(
    "body",
    [b"[]", b"[1]", b"[", b"[[]]", b"[" + PING + b",{}]", b"[" + PING + b"," + PING + b"]", b'["\xff"]'],
)
async def test_a_broken_batch_is_refused_whole(host: Host, front: Recorder, body: bytes) -> None:
    session = await host.initialize()
    assert (await host.ask("POST", "/mcp", body, session)).status == 400
    assert len(front.heard) == 1


async def test_a_session_between_two_calls_lives_on(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    for number in range(3):
        wire = await host.post(pack({"id": number, "method": "echo/x"}), session)
        assert (await wire.response()).status == 200
        wire.drop()
    assert (await host.ask("POST", "/mcp", PING, session)).status == 200
    assert front.closed == []


async def test_a_silent_session_ends_in_the_end(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legacy_link, "IDLE", 0.05)
    session = await host.initialize()
    await front.until(lambda: front.closed == [1])
    assert (await host.ask("POST", "/mcp", PING, session)).status == 404


async def test_a_session_with_an_open_stream_is_not_silent(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await host.initialize()
    stream = await host.get(session)
    assert (await stream.head()).status == 200
    leap(legacy_link.IDLE)
    monkeypatch.setattr(legacy_link, "IDLE", 0.05)
    monkeypatch.setattr(legacy_link, "RECHECK", 0.01)
    await host.initialize()
    await front.until(lambda: front.closed)
    assert front.closed == [2]
    stream.drop()
    await front.until(lambda: 1 in front.closed)


async def test_a_host_that_does_not_read_its_get_stream_is_cut_off(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_response, "MAX_BACKLOG", 8 << 20)
    session = await host.initialize()
    stream = await host.get(session)
    await stream.head()
    for _ in range(32):
        front.say(1, "notifications/message", params={"text": "x" * 1_000_000})
        await asyncio.sleep(0)
    assert await stream.breaks_off()
    assert (await host.ask("POST", "/mcp", PING, session)).status == 200
    assert front.closed == []


async def test_a_host_that_drops_its_own_stream_and_says_no_more_is_gone(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legacy_link, "GRACE", 0.05)
    session = await host.initialize()
    stream = await host.get(session)
    assert (await stream.head()).status == 200
    call = await host.post(pack({"id": 1, "method": "slow/x"}), session)
    await front.hears("slow/x")
    stream.drop()
    call.drop()
    await front.until(lambda: front.closed == [1])
    assert (await host.ask("POST", "/mcp", PING, session)).status == 404


async def test_a_host_that_opens_its_stream_again_or_speaks_is_alive(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await host.initialize()
    stream = await host.get(session)
    assert (await stream.head()).status == 200
    stream.drop()
    again = await _opened_again(host, session)
    leap(legacy_link.GRACE)
    monkeypatch.setattr(legacy_link, "GRACE", 0.05)
    quiet = await host.get(await host.initialize())
    assert (await quiet.head()).status == 200
    quiet.drop()
    await front.until(lambda: front.closed == [2])
    assert (await host.ask("POST", "/mcp", PING, session)).status == 200
    again.drop()
