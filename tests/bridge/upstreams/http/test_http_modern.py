"""Connections to remote servers of the modern era, and what goes wrong on them."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import socket

import pytest
from aiohttp import web

from bridge.system.line_buffer import LineTooLong
from bridge.upstreams.http.sse import EventDecoder
from tests.bridge.upstreams.http.conftest import (
    INITIALIZE,
    INITIALIZED,
    Connect,
    Open,
    accept,
    errors,
    event,
    eventually,
    id_of,
    initialized,
    modern,
    reply,
)
from tests.contracts.upstreams import call, finished
from tests.fixtures.patience import WITHIN
from tests.fixtures.recording_back import Recorder
from tests.fixtures.scripted_http_server import Stage, json_answer, stream


async def test_a_modern_request_carries_its_headers_and_no_legacy_id(
    play: Open, connect: Connect, back: Recorder
):
    stage = await play(accept)
    connection = connect(stage.url)
    odd = "größer – naïve"
    connection.send(modern(1, "tools/call", b'"name":"add"'))
    connection.send(modern(2, "resources/read", b'"uri":"file:///a b"'))
    connection.send(modern(3, "prompts/get", b'"name":' + json.dumps(odd).encode()))
    connection.send(modern(4, "prompts/get", b'"name":"=?base64?YQ==?="'))
    connection.send(modern(5, "tools/list", b'"cursor":"c"'))
    await back.message(5)
    seen = {id_of(asked.body): asked.headers for asked in stage.asked}
    assert {headers["mcp-protocol-version"] for headers in seen.values()} == {"2026-07-28"}
    assert all("mcp-session-id" not in headers for headers in seen.values())
    assert seen[1]["mcp-method"] == "tools/call"
    assert [seen[number]["mcp-name"] for number in (1, 2)] == ["add", "file:///a b"]
    assert seen[3]["mcp-name"] == f"=?base64?{base64.b64encode(odd.encode()).decode()}?="
    assert seen[4]["mcp-name"] == f"=?base64?{base64.b64encode(b'=?base64?YQ==?=').decode()}?="
    assert "mcp-name" not in seen[5]


async def test_cancelling_a_modern_request_closes_its_answer_and_posts_nothing(
    play: Open, connect: Connect, back: Recorder
):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        response = await stream(request, event(b'{"jsonrpc":"2.0","method":"notifications/progress"}'))
        await asyncio.sleep(60)
        return response

    stage = await play(answer)
    connection = connect(stage.url)
    connection.send(modern(1))
    await back.message()
    connection.send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
    connection.send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}')
    async with asyncio.timeout(WITHIN):
        await stage.abandoned.wait()
    await finished(connection)
    assert stage.bodies() == [modern(1)]
    assert len(back.messages) == 1


async def test_a_legacy_server_is_told_of_the_cancellation_and_its_endless_answer_is_left(
    play: Open, connect: Connect, back: Recorder
):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if b'"id":7' not in body:
            return await accept(request, body)
        response = await stream(request)
        while True:
            await response.write(b": nothing yet\n\n")
            await asyncio.sleep(0.01)

    stage = await play(answer)
    connection = connect(stage.url)
    await initialized(connection, back)
    connection.send(b'{"jsonrpc":"2.0","id":7,"method":"tools/call"}')
    await eventually(lambda: len(stage.bodies()) == 3)
    cancelled = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}'
    connection.send(cancelled)
    async with asyncio.timeout(WITHIN):
        await stage.abandoned.wait()
    assert stage.bodies()[-1] == cancelled
    assert len(back.messages) == 1


async def test_a_server_found_to_be_legacy_is_not_told_the_modern_revision(
    play: Open, connect: Connect, back: Recorder
):
    stage = await play(accept)
    connection = connect(stage.url)
    connection.send(modern(9, "server/discover", b'"x":1'))
    await back.message()
    connection.send(INITIALIZE)
    await back.message(2)
    assert "mcp-protocol-version" not in stage.asked[1].headers
    assert "mcp-method" not in stage.asked[1].headers


# --- what goes wrong ---------------------------------------------------------------------------------------


async def test_a_json_rpc_error_behind_a_bad_status_is_the_servers_own_word(
    play: Open, connect: Connect, back: Recorder
):
    own = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"mismatch"}}'
    nameless = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600, "message":"no"}}'
    of_the_sdk = nameless.replace(b"null", b'"server-error"')

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return json_answer({1: own, 2: nameless}.get(id_of(body), of_the_sdk), status=400)

    connection = connect((await play(answer)).url)
    connection.send(call(1))
    assert await back.message() == own
    connection.send(call(2))
    assert await back.message(2) == b'{"jsonrpc":"2.0","id":2,"error":{"code":-32600, "message":"no"}}'
    connection.send(call(3))
    assert await back.message(3) == b'{"jsonrpc":"2.0","id":3,"error":{"code":-32600, "message":"no"}}'


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (502, "probe answered HTTP 502 Bad Gateway."),
        (401, "probe wants you to sign in (HTTP 401)."),
        (404, "probe answered HTTP 404 Not Found."),
        (202, "probe accepted the request and left it unanswered."),
        (200, "probe answered with text/html. Is this its MCP address?"),
    ],
)
async def test_any_other_bad_answer_becomes_an_error_with_its_status(
    play: Open, connect: Connect, back: Recorder, status: int, words: str
):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return web.Response(status=status, text="<html>", content_type="text/html")

    connect((await play(answer)).url).send(b'{"jsonrpc":"2.0","id":"x","method":"ping"}')
    assert json.loads(await back.message()) == {
        "jsonrpc": "2.0",
        "id": "x",
        "error": {"code": -32000, "message": words, "data": {"status": status}},
    }


@pytest.mark.parametrize("body", [b'{"hello":1}', b"{broken", b""])
async def test_json_that_is_no_reply_becomes_an_error(
    play: Open, connect: Connect, back: Recorder, body: bytes
):
    async def answer(request: web.Request, _: bytes) -> web.StreamResponse:
        return json_answer(body)

    connect((await play(answer)).url).send(call(1))
    await back.message()
    assert errors(back)[0]["message"] == "probe sent an answer that is not MCP."


async def test_a_reply_to_another_request_is_an_error_of_this_one(
    play: Open, connect: Connect, back: Recorder
):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return json_answer(reply(9)) if id_of(body) == 1 else await stream(request, event(reply(9)))

    connection = connect((await play(answer)).url)
    connection.send(call(1))
    await back.message()
    connection.send(call(2))
    await back.message(3)  # the stray one is passed on: the history tells it
    assert back.messages.pop(1) == reply(9)
    assert [error["message"] for error in errors(back)] == [
        "probe answered another request than this one.",
        "probe ended its answer before the result.",
    ]


@pytest.mark.parametrize(
    ("status", "words"), [(404, "?"), (400, "Bad Request: No valid session ID provided")]
)
async def test_a_server_that_forgot_us_says_404_whatever_its_body_or_names_the_session(
    play: Open, connect: Connect, back: Recorder, status: int, words: str
):
    said = json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": words}}).encode()

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if request.headers.get("Mcp-Session-Id") and request.method == "POST" and body != INITIALIZED:
            return json_answer(said, status=status)
        return await accept(request, body)

    connection = connect((await play(answer)).url)
    await initialized(connection, back)
    connection.send(call(1))
    error = json.loads(await back.message(2))["error"]
    assert error["data"] == {"status": 404}
    assert error["message"] == f"probe no longer knows this connection (HTTP {status})."


async def test_a_server_that_is_down_is_an_error_for_each_request_and_found_again_once_it_is_up(
    connect: Connect, back: Recorder
):
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    connection = connect(f"http://127.0.0.1:{port}/mcp")
    connection.send(call(1))
    await back.message()
    words = f"Could not reach probe: nothing listens at 127.0.0.1:{port}. Is it running?"
    assert errors(back)[0]["message"] == words
    stage = await Stage(accept).open(port)
    connection.send(call(2))
    assert await back.message(2) == reply(2)
    await stage.close()
    assert back.endings == []


async def test_a_host_that_does_not_exist_is_said_so(connect: Connect, back: Recorder):
    connect("http://no-such-host.invalid/mcp").send(call(1))
    await back.message()
    assert "no-such-host.invalid was not found" in errors(back)[0]["message"]


async def test_a_notification_that_does_not_arrive_is_noted(play: Open, connect: Connect, back: Recorder):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return web.Response(status=500)

    connect((await play(answer)).url).send(b'{"jsonrpc":"2.0","method":"notifications/n"}')
    await back.until(lambda: bool(back.remarks))
    assert back.remarks == ["notifications/n did not arrive: probe answered HTTP 500 Internal Server Error."]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "mcp.example.com/mcp",
        "file:///etc/passwd",
        "http://",
        "http://[::1/mcp",
        "https://faß.example/mcp",  # fass.example for some, xn--fa-hia.example for others
        "https://" + "ü" * 70 + ".example/mcp",
    ],
)
async def test_an_address_that_is_none_ends_the_connection(connect: Connect, back: Recorder, url: str):
    connection = connect(url)
    connection.send(call(1))
    assert (
        await back.ending()
        == "The address of probe is not a web address. Edit it so that it begins with https://."
    )
    await connection.closed()
    assert (len(back.endings), back.messages) == (1, [])


async def test_a_header_that_cannot_be_sent_ends_the_connection_without_telling_its_value(
    connect: Connect, back: Recorder
):
    connect("http://127.0.0.1:1/mcp", headers={"X-Key": "secret\r\nX-Evil: 1"})
    reason = await back.ending()
    assert "'X-Key'" in reason
    assert "secret" not in reason


async def test_an_answer_of_more_than_64_mib_becomes_an_error(play: Open, connect: Connect, back: Recorder):
    block = b"x" * 2**20

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        kind = "application/json" if id_of(body) == 1 else "text/event-stream"
        response = web.StreamResponse(headers={"Content-Type": kind})
        await response.prepare(request)
        await response.write(b"data: {")
        for _ in range(66):
            await response.write(block)
        return response

    connection = connect((await play(answer)).url)
    connection.send(call(1))
    await back.message()
    connection.send(call(2))
    await back.message(2)
    assert [error["message"] for error in errors(back)] == [
        "probe answered with more than 64 MiB.",
        "probe sent an event of more than 64 MiB.",
    ]


def test_an_event_of_empty_lines_without_end_is_too_large():
    events = EventDecoder(1000)
    assert events.feed(b"data\n" * 900) == []
    with pytest.raises(LineTooLong):
        events.feed(b"data\n" * 101)


async def test_a_flood_of_events_leaves_others_their_turns(connect: Connect, back: Recorder):
    turns, over = 0, asyncio.Event()

    async def another_host() -> None:
        nonlocal turns
        while not over.is_set():
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(another_host())
    note = event(b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}')
    connection = connect("http://127.0.0.1:9/mcp")
    await connection._take_part(EventDecoder(1 << 20), note * 30_000, None)
    over.set()
    await other
    assert len(back.messages) == 30_000
    assert turns > 10
