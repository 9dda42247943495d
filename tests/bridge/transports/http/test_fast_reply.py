"""Replies written without an ASGI task give the same bytes as those of the ASGI application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from uvicorn.protocols.http import httptools_impl

from bridge.transports.http import response as http_response
from bridge.transports.http.server import HttpServer
from tests.bridge.transports.http.http_rig import TOKEN, Host, Recorder, modern, pack, start
from tests.fixtures.patience import NEVER, WITHIN


@pytest.fixture
def front() -> Recorder:
    return Recorder()


@pytest.fixture
async def transport(front: Recorder, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[HttpServer]:
    monkeypatch.setattr(http_response, "WATCH_AFTER", 0.02)
    monkeypatch.setattr(http_response, "STREAM_AFTER", NEVER)
    transport = HttpServer(front, TOKEN, set)
    yield transport
    await transport.stop()


@pytest.fixture
async def host(transport: HttpServer) -> AsyncIterator[Host]:
    host = Host(await start(transport))
    yield host
    host.leave()


def call(number: int, method: str = "wait/for-it") -> bytes:
    return pack({"id": number, "method": method, "params": {"n": number}})


async def test_an_immediate_reply_needs_no_asgi_task(
    host: Host, front: Recorder, transport: HttpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_response, "WATCH_AFTER", NEVER)
    session = await host.initialize()
    wire = await host.post(call(1), session)
    heard = await front.hears("wait/for-it")
    server = transport._server
    assert server is not None
    assert not server.server_state.tasks
    front.reply(heard, result={"n": 1})
    response = await wire.response()
    assert (response.status, response.json) == (200, {"jsonrpc": "2.0", "id": 1, "result": {"n": 1}})
    assert response.headers == {"content-type": "application/json", "content-length": str(len(response.body))}


@pytest.mark.parametrize("era", ["legacy", "modern"])
async def test_a_request_that_comes_in_pieces_is_answered_just_as_well(host: Host, era: str) -> None:
    body, headers = modern("echo/it", {"n": 1})
    if era == "legacy":
        body, headers = call(1, "echo/it"), {**await host.initialize()}
    response = await host.ask("POST", "/mcp", body, headers)
    again = await host.wire()
    head = b"".join(
        f"{name}: {value}\r\n".encode()
        for name, value in {
            "Host": f"127.0.0.1:{again.port}",
            "Authorization": f"Bearer {TOKEN}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(body)),
            **headers,
        }.items()
    )
    for piece in (b"POST /mcp HTTP/1.1\r\n", head + b"\r\n" + body[:7], body[7:]):
        again.writer.write(piece)
        await again.writer.drain()
    assert (await again.response()).json == response.json


async def test_requests_sent_behind_one_another_are_answered_in_their_order(
    host: Host, front: Recorder
) -> None:
    session = await host.initialize()
    wire = await host.wire()
    for number in (1, 2, 3):
        wire.write("POST", "/mcp", call(number, "wait/for-it" if number == 1 else "echo/it"), session)
    front.reply(await front.hears("wait/for-it"), result={"n": 1})
    assert [(await wire.response()).json["id"] for _ in range(3)] == [1, 2, 3]


async def test_a_reply_that_takes_its_time_is_json_as_long_as_nothing_was_streamed(
    host: Host, front: Recorder, transport: HttpServer
) -> None:
    session = await host.initialize()
    wire = await host.post(call(1), session)
    heard = await front.hears("wait/for-it")
    server = transport._server
    assert server is not None
    async with asyncio.timeout(WITHIN):
        # Nothing signals the start of the ASGI task.
        while not server.server_state.tasks:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    front.reply(heard, result={})
    assert (await wire.response()).headers["content-type"] == "application/json"


async def test_a_notification_before_the_reply_opens_a_stream(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    wire = await host.post(call(1), session)
    heard = await front.hears("wait/for-it")
    front.say(heard.link, "notifications/progress", about=1, params={})
    assert (await wire.head()).headers["content-type"] == "text/event-stream"
    front.reply(heard, result={})
    await wire.event()  # with which it can be resumed
    assert (await wire.event()).message["method"] == "notifications/progress"
    assert (await wire.event()).message["id"] == 1
    assert await wire.ended()


async def test_a_host_that_disconnects_cancels_its_request(host: Host, front: Recorder) -> None:
    session = await host.initialize()
    wire = await host.post(call(1), session)
    await front.hears("wait/for-it")
    wire.drop()
    assert (await front.hears("notifications/cancelled")).message["params"]["requestId"] == 1


async def test_a_reply_to_a_host_that_has_just_hung_up_goes_nowhere(host: Host, front: Recorder) -> None:
    body, headers = modern("wait/for-it")
    wire = await host.post(body, headers)
    heard = await front.hears("wait/for-it")
    wire.drop()
    front.reply(heard, result={})
    await front.until(lambda: front.closed == [heard.link])
    assert (await host.ask("POST", "/mcp", *modern())).status == 200


async def test_a_connection_that_is_to_end_ends_with_the_reply(host: Host) -> None:
    body, headers = modern()
    wire = await host.post(body, {**headers, "Connection": "close"})
    assert (await wire.response()).headers["connection"] == "close"
    assert await wire.reader.read() == b""


REQUESTS = {
    "legacy result": call(1, "echo/it"),
    "legacy text beyond ASCII": '{"jsonrpc":"2.0","id":"ä","method":"echo/it","params":{"é":"✓"}}'.encode(),
    "legacy on several lines": b'{"jsonrpc": "2.0",\r\n "id": 1,\n "method": "echo/it", "params": {}}',
    "legacy notification": pack({"method": "notifications/initialized"}),
    "legacy batch": b"[" + call(1, "echo/it") + b"]",
    "not JSON": b"{",
    "modern result": modern("echo/it", {"n": 1}),
    "modern without its method header": modern("echo/it", Mcp_Method=None),
    "modern of an unknown version": modern("echo/it", MCP_Protocol_Version="2030-01-01"),
    "unknown session": (call(1, "echo/it"), {"Mcp-Session-Id": "x"}),
    "wrong token": (call(1, "echo/it"), {"Authorization": "Bearer x"}),
    "wrong content type": (call(1, "echo/it"), {"Content-Type": "text/plain"}),
    "unknown server": call(1, "echo/it"),
}


async def everything_sent(fast: bool, name: str) -> bytes:
    """All bytes that the server sends for one request, its connection kept alive until the server stops."""
    server = HttpServer(Recorder(), TOKEN, set)
    server.fast = fast
    host = Host(await start(server))
    request = REQUESTS[name]
    body, headers = request if isinstance(request, tuple) else (request, {**await host.initialize()})
    wire = await host.post(body, headers, "/mcp/nobody" if name == "unknown server" else "/mcp")
    async with asyncio.timeout(WITHIN):
        head = await wire.reader.readuntil(b"\r\n\r\n")
        await server.stop()
        received = head + await wire.reader.read()
    host.leave()
    return received.replace(str(host.port).encode(), b"PORT")


@pytest.mark.parametrize("name", REQUESTS)
async def test_the_fast_path_and_asgi_send_the_same_bytes(name: str) -> None:
    assert await everything_sent(True, name) == await everything_sent(False, name)


async def test_uvicorn_has_the_private_api_that_the_fast_path_uses(
    host: Host, front: Recorder, transport: HttpServer
) -> None:
    body, headers = modern("wait/for-it")
    await host.post(body, headers)
    await front.hears("wait/for-it")
    assert transport._server is not None
    [connection] = transport._server.server_state.connections
    cycle = getattr(connection, "cycle", None)
    assert isinstance(connection, httptools_impl.HttpToolsProtocol)
    assert isinstance(cycle, httptools_impl.RequestResponseCycle)
    parsing = "_start_asgi_task send_400_response on_headers_complete on_body on_message_complete"
    state = "app_state connections loop pipeline timeout_keep_alive transport"
    assert [name for name in f"{parsing} {state}".split() if not hasattr(connection, name)] == []
    request = "body disconnected flow keep_alive more_body on_response scope transport"
    response = "response_complete response_started"
    assert [name for name in f"{request} {response}".split() if not hasattr(cycle, name)] == []
    assert cycle.flow.write_paused is False
    assert httptools_impl.STATUS_LINE[200] == b"HTTP/1.1 200 OK\r\n"
