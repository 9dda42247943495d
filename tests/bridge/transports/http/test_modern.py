"""Modern hosts over HTTP: one POST, one Link, one answer; the header checks of 2026-07-28."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bridge.transports.http import response as http_response
from bridge.transports.http.server import HttpServer
from tests.bridge.transports.http.http_rig import (
    LEGACY,
    MODERN,
    PREFIX,
    TOKEN,
    Host,
    Recorder,
    modern,
    pack,
    start,
)
from tests.fixtures.patience import NEVER, WITHIN


@pytest.fixture
async def front() -> Recorder:
    return Recorder()


@pytest.fixture
async def host(front: Recorder, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Host]:
    monkeypatch.setattr(http_response, "WATCH_AFTER", 0.02)
    monkeypatch.setattr(http_response, "STREAM_AFTER", NEVER)
    transport = HttpServer(front, TOKEN, lambda: {"github"})
    host = Host(await start(transport))
    yield host
    host.leave()
    await transport.stop()


def _without(key: str) -> bytes:
    message = json.loads(modern()[0])
    del message["params"]["_meta"][PREFIX + key]
    return json.dumps(message).encode()


async def test_a_request_is_answered_as_json_and_its_link_closed(host: Host, front: Recorder) -> None:
    body, headers = modern(params={"a": [1, 2.50]})
    response = await host.ask("POST", "/mcp", body, headers)
    assert (response.status, response.headers["content-type"]) == (200, "application/json")
    assert response.json["result"]["a"] == [1, 2.5]
    assert "mcp-session-id" not in response.headers
    await front.until(lambda: front.closed)
    assert [(h.link, h.raw) for h in front.heard] == [(1, body)]
    assert front.closed == [1]


async def test_all_requests_of_one_application_name_the_same_tenant(host: Host, front: Recorder) -> None:
    body, headers = modern()
    for path in ("/mcp", "/mcp", "/mcp/github"):
        await host.ask("POST", path, body, headers)
    await host.ask("POST", "/mcp", _without("clientInfo"), headers)
    tenants = [caller.tenant for caller in front.callers.values()]
    assert tenants == ["http:::tester:3", "http:::tester:3", "http:github::tester:3", "http::::"]


@pytest.mark.parametrize("request_id", [7, "7", 1.0, 'é"\\', -3, 2**70])
async def test_ids_come_back_as_they_were(host: Host, request_id: Any) -> None:
    body, headers = modern(request_id=request_id)
    response = await host.ask("POST", "/mcp", body, headers)
    assert response.status == 200
    assert json.dumps(response.json["id"]) == json.dumps(request_id)


@pytest.mark.parametrize(
    ("code", "status"),
    [(-32700, 400), (-32600, 400), (-32602, 400), (-32020, 400), (-32021, 400), (-32022, 400), (-32601, 404),
     (-32603, 200), (-32000, 200), (42, 200), ("odd", 200)],
)  # fmt: skip
async def test_an_error_has_its_http_status(host: Host, front: Recorder, code: Any, status: int) -> None:
    wire = await host.post(*modern("ask"))
    heard = await front.hears("ask")
    front.reply(heard, error={"code": code, "message": "no"})
    response = await wire.response()
    assert (response.status, response.json["error"]["code"]) == (status, code)


async def test_a_result_that_talks_about_an_error_is_a_result(host: Host) -> None:
    body, headers = modern(params={"error": {"code": -32601}})
    assert (await host.ask("POST", "/mcp", body, headers)).status == 200


async def test_what_comes_before_the_reply_makes_it_an_event_stream(host: Host, front: Recorder) -> None:
    wire = await host.post(*modern("slow"))
    heard = await front.hears("slow")
    front.say(heard.link, "notifications/progress", 1, params={"progress": 1})
    head = await wire.head()
    assert (head.status, head.headers["content-type"]) == (200, "text/event-stream")
    assert (await wire.event()).message["params"] == {"progress": 1}
    assert front.closed == []
    front.say(heard.link, "notifications/message")
    assert (await wire.event()).message["method"] == "notifications/message"
    front.reply(heard, result={"done": True})
    last = await wire.event()
    assert (last.id, last.message["result"]) == ("", {"done": True})
    assert await wire.ended()
    await front.until(lambda: front.closed == [heard.link])


async def test_the_connection_can_be_used_again_after_a_stream(host: Host, front: Recorder) -> None:
    wire = await host.post(*modern("slow"))
    heard = await front.hears("slow")
    front.say(heard.link, "notifications/progress", 1)
    front.reply(heard, result={})
    assert b"progress" in (await wire.response()).body
    wire.write("POST", "/mcp", *modern(request_id=2))
    assert (await wire.response()).json["id"] == 2


async def test_a_reply_that_takes_long_comes_on_a_stream_with_heartbeats(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_response, "HEARTBEAT", 0.02)
    monkeypatch.setattr(http_response, "STREAM_AFTER", 0.08)
    wire = await host.post(*modern("slow"))
    heard = await front.hears("slow")
    assert (await wire.head()).headers["content-type"] == "text/event-stream"
    beat = await asyncio.wait_for(wire.reader.readuntil(b"\n\n"), WITHIN)
    assert beat.split(b"\r\n")[1].startswith(b":")
    front.reply(heard, error={"code": -32601, "message": "late"})
    rest = await asyncio.wait_for(wire.reader.readuntil(b"0\r\n\r\n"), WITHIN)
    assert b'"late"' in rest


async def test_a_reply_between_the_watch_and_the_stream_is_still_json(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_response, "WATCH_AFTER", 0.0)
    wire = await host.post(*modern("slow"))
    heard = await front.hears("slow")
    assert (await host.ask("GET", "/health")).status == 200  # the watch has begun meanwhile
    front.reply(heard, error={"code": -32601, "message": "no such method"})
    assert (await wire.response()).status == 404


async def test_line_breaks_in_a_message_do_not_break_its_event(host: Host, front: Recorder) -> None:
    wire = await host.post(*modern("slow"))
    heard = await front.hears("slow")
    front.deliver[heard.link](b'{"jsonrpc":"2.0",\r\n"method":"x",\n\n "params":\r{}}', b"1", False)
    await wire.head()
    assert (await wire.event()).message == {"jsonrpc": "2.0", "method": "x", "params": {}}


@pytest.mark.parametrize("streaming", [False, True])
async def test_hanging_up_is_how_a_host_cancels(host: Host, front: Recorder, streaming: bool) -> None:
    wire = await host.post(*modern("slow"))
    heard = await front.hears("slow")
    if streaming:
        front.say(heard.link, "notifications/progress", 1)
        await wire.head()
        await wire.event()
    wire.drop()
    await front.until(lambda: front.closed == [heard.link])
    front.reply(heard, result={})  # too late, and harmless
    assert len(front.heard) == 1


async def test_hanging_up_is_noticed_after_a_large_body(host: Host, front: Recorder) -> None:
    wire = await host.post(*modern("slow", {"text": "x" * 300_000}))
    heard = await front.hears("slow")
    wire.drop()
    await front.until(lambda: front.closed == [heard.link])


async def test_a_host_that_does_not_read_is_cut_off(
    host: Host, front: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = await host.post(*modern("slow"))
    heard = await front.hears("slow")
    said = 0
    while front.closed == [] and said < 200:
        front.say(heard.link, "notifications/progress", 1, params={"text": "x" * 1_000_000})
        said += 1
        await asyncio.sleep(0)
    await front.until(lambda: front.closed == [heard.link])
    assert 60 < said < 90  # 64 MiB, and what the kernel holds
    await wire.head()
    assert await wire.breaks_off()


async def test_the_engine_hanging_up_is_told_as_503(host: Host, front: Recorder) -> None:
    wire = await host.post(*modern("slow", request_id="q"))
    heard = await front.hears("slow")
    front.hang_up[heard.link]()
    response = await wire.response()
    assert (response.status, response.code, response.json["id"]) == (503, -32603, "q")
    assert "shutting down" in response.json["error"]["message"]
    await front.until(lambda: front.closed == [heard.link])


async def test_the_engine_hanging_up_ends_a_stream_with_an_error(host: Host, front: Recorder) -> None:
    wire = await host.post(*modern("slow"))
    heard = await front.hears("slow")
    front.say(heard.link, "notifications/progress", 1)
    await wire.head()
    await wire.event()
    front.hang_up[heard.link]()
    assert (await wire.event()).message["error"]["code"] == -32603
    assert await wire.ended()


async def test_a_notification_is_handed_over_and_accepted(host: Host, front: Recorder) -> None:
    body, headers = modern("notifications/odd", request_id=None)
    response = await host.ask("POST", "/mcp", body, headers)
    assert (response.status, response.body) == (202, b"")
    assert [h.raw for h in front.heard] == [body]
    assert front.closed == [1]


async def test_a_posted_cancel_goes_nowhere(host: Host, front: Recorder) -> None:
    body, headers = modern("notifications/cancelled", {"requestId": 1}, request_id=None)
    assert (await host.ask("POST", "/mcp", body, headers)).status == 202
    assert front.heard == []


async def test_a_notification_of_an_unknown_revision_is_refused(host: Host, front: Recorder) -> None:
    body, _ = modern("notifications/odd", request_id=None)
    response = await host.ask("POST", "/mcp", body, {"MCP-Protocol-Version": "2030-01-01"})
    assert (response.status, response.code) == (400, -32022)
    assert front.heard == []


@pytest.mark.parametrize("body", [b"[]", b"[" + modern()[0] + b"]", pack({"id": 1, "result": {}})])
async def test_only_a_single_request_or_notification_is_taken(
    host: Host, front: Recorder, body: bytes
) -> None:
    response = await host.ask("POST", "/mcp", body, modern()[1])
    assert (response.status, response.code) == (400, -32600)
    assert front.heard == []


@pytest.mark.parametrize(
    "body",
    [
        pack({"id": 1, "method": "echo/it"}),
        pack({"id": 1, "method": "echo/it", "params": {}}),
        pack({"id": 1, "method": "echo/it", "params": []}),
        pack({"id": 1, "method": "echo/it", "params": {"_meta": []}}),
        _without("protocolVersion"),
        _without("clientCapabilities"),
    ],
)
async def test_a_request_without_its_required_meta_is_refused(
    host: Host, front: Recorder, body: bytes
) -> None:
    response = await host.ask("POST", "/mcp", body, modern()[1])
    assert (response.status, response.code, response.json["id"]) == (400, -32602, 1)
    assert front.heard == []


def _encoded(text: str) -> str:
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


@pytest.mark.parametrize(
    ("method", "params", "changes"),
    [
        ("echo/it", {}, {"Mcp_Method": None}),
        ("echo/it", {}, {"Mcp_Method": "echo/other"}),
        ("echo/it", {}, {"Mcp_Method": "Echo/it"}),
        ("echo/it", {}, {"MCP_Protocol_Version": "2027-01-01"}),
        ("tools/call", {"name": "a"}, {}),
        ("tools/call", {"name": "a"}, {"Mcp_Name": "b"}),
        ("tools/call", {"name": 5}, {"Mcp_Name": "5"}),
        ("prompts/get", {"name": "a"}, {"Mcp_Name": "A"}),
        ("resources/read", {"uri": "a:b", "name": "n"}, {"Mcp_Name": "n"}),
        ("tools/call", {"name": "é"}, {"Mcp_Name": "=?base64?6Q==?="}),
        ("tools/call", {"name": "a"}, {"Mcp_Name": "=?base64?YR==?="}),
        ("tools/call", {"name": "a"}, {"Mcp_Name": "=?base64?Y!?="}),
    ],
)
async def test_a_header_that_contradicts_the_body_is_refused(
    host: Host, front: Recorder, method: str, params: dict[str, Any], changes: dict[str, str | None]
) -> None:
    response = await host.ask("POST", "/mcp", *modern(method, params, **changes))
    assert (response.status, response.code, response.json["id"]) == (400, -32020, 1)
    assert front.heard == []


@pytest.mark.parametrize(
    ("method", "params", "name"),
    [
        ("tools/call", {"name": "a"}, "a"),
        ("tools/call", {"name": "Grüße"}, _encoded("Grüße")),
        ("tools/call", {"name": "=?base64?x?="}, _encoded("=?base64?x?=")),
        ("prompts/get", {"name": " a "}, _encoded(" a ")),
        ("resources/read", {"uri": "file:///a b"}, "file:///a b"),
        ("tools/call", {}, None),
    ],
)
async def test_a_header_that_agrees_is_let_through(
    host: Host, front: Recorder, method: str, params: dict[str, Any], name: str | None
) -> None:
    wire = await host.post(*modern(method, params, Mcp_Name=name, Mcp_Param_City="anything"))
    front.reply(await front.hears(method), result={})
    assert (await wire.response()).status == 200


@pytest.mark.parametrize("version", ["2027-01-01", "2025-11-26", "tomorrow"])
async def test_an_unknown_revision_gets_the_list_of_supported_ones(
    host: Host, front: Recorder, version: str
) -> None:
    body, headers = modern()
    body = body.replace(MODERN.encode(), version.encode())
    response = await host.ask("POST", "/mcp", body, headers | {"MCP-Protocol-Version": version})
    assert (response.status, response.code, response.json["id"]) == (400, -32022, 1)
    data = response.json["error"]["data"]
    assert data["requested"] == version
    assert data["supported"] == [MODERN]
    assert front.heard == []


async def test_a_broken_body_that_mentions_the_revision_is_broken(host: Host) -> None:
    response = await host.ask("POST", "/mcp", modern()[0][:-1])
    assert (response.status, response.code) == (400, -32700)


@pytest.mark.parametrize("version", [None, LEGACY])
async def test_a_modern_body_needs_its_header(host: Host, front: Recorder, version: str | None) -> None:
    body, headers = modern()
    response = await host.ask("POST", "/mcp", body, headers | {"MCP-Protocol-Version": version})
    assert (response.status, response.code) == (400, -32020)
    assert front.heard == []


async def test_the_body_of_a_legacy_host_may_mention_the_new_revision(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    body, _ = modern()
    assert (await host.ask("POST", "/mcp", body, session)).status == 200
    assert front.heard[-1].raw == body


async def test_a_thousand_requests_at_once_get_their_own_answers(host: Host, front: Recorder) -> None:
    async def burst(first: int) -> list[int]:
        wire = await host.wire()
        seen = []
        for number in range(first, first + 20):
            wire.write("POST", "/mcp", *modern(params={"n": number}, request_id=number))
            reply = (await wire.response()).json
            assert reply["id"] == reply["result"]["n"]
            seen.append(reply["id"])
        return seen

    answers = await asyncio.gather(*(burst(at * 20) for at in range(50)))
    assert sorted(n for part in answers for n in part) == list(range(1000))
    assert sorted(front.closed) == sorted(front.callers)
