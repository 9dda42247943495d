"""RemoteConnection against servers over real sockets: scripted ones, and those others wrote."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gzip
import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path

import pytest
from aiohttp import web

from bridge.core.ports import ServerPort, ServerSpec
from bridge.core.protocol.jsonrpc import peek
from bridge.system.line_buffer import LineTooLong
from bridge.upstreams.http import connection as http_connection
from bridge.upstreams.http.connection import RemoteConnection
from bridge.upstreams.http.sse import EventDecoder
from tests.bridge.upstreams.raw_http_server import Server as Raw
from tests.bridge.upstreams.raw_http_server import answer as raw_answer
from tests.contracts.upstreams import UpstreamContract, call, finished
from tests.fixtures.patience import NEVER, WITHIN, leap
from tests.fixtures.peers import EVERYTHING, NODE, needs_everything
from tests.fixtures.recording_back import Recorder
from tests.fixtures.scripted_http_server import Answer, Stage, json_answer, stream

FIXTURES = Path(__file__).parents[2] / "fixtures"
Open = Callable[[Answer], Awaitable[Stage]]
Connect = Callable[..., RemoteConnection]

INITIALIZE = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}'
INITIALIZED = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
WELCOME = b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{}}}'
META = b'"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}'


def modern(number: int, method: str = "tools/call", params: bytes = b'"name":"add"') -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"method":"%s","params":{%s,%s}}' % (
        number,
        method.encode(),
        params,
        META,
    )


def reply(number: int, text: str = "") -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"result":{"text":"%s"}}' % (number, text.encode())


def event(data: bytes, number: int | None = None) -> bytes:
    return (b"id: %d\n" % number if number is not None else b"") + b"data: " + data + b"\n\n"


def id_of(body: bytes) -> int:
    found: int = json.loads(body)["id"]
    return found


async def accept(request: web.Request, body: bytes) -> web.StreamResponse:
    """What a plain legacy server says."""
    if request.method != "POST":
        return web.Response(status=405)
    if b'"initialize"' in body:
        return json_answer(WELCOME, Mcp_Session_Id="abc-123")
    if b'"id"' not in body:
        return web.Response(status=202)
    return json_answer(reply(id_of(body)))


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said last still arrives, however late it comes."""
    monkeypatch.setattr(http_connection, "_LAST_NOTIFICATIONS", NEVER)
    monkeypatch.setattr(http_connection, "_GOODBYE", NEVER)


@pytest.fixture
async def back() -> Recorder:
    return Recorder()


@pytest.fixture
async def play() -> AsyncIterator[Open]:
    stages: list[Stage] = []

    async def open_stage(answer: Answer) -> Stage:
        stages.append(await Stage(answer).open())
        return stages[-1]

    yield open_stage
    for stage in stages:
        await stage.close()


@pytest.fixture
async def connect(back: Recorder) -> AsyncIterator[Connect]:
    made: list[RemoteConnection] = []

    def to(url: str, **more) -> RemoteConnection:
        made.append(RemoteConnection(1, ServerSpec("probe", url=url, **more), back))
        return made[-1]

    yield to
    for connection in made:
        connection.close()
        await connection.closed()


async def initialized(connection: RemoteConnection, back: Recorder) -> None:
    connection.send(INITIALIZE)
    await back.message()
    connection.send(INITIALIZED)


def errors(back: Recorder) -> list[dict]:
    return [json.loads(message)["error"] for message in back.messages]


async def eventually(condition: Callable[[], bool], seconds: float = WITHIN) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for is on the other side of a socket
            await asyncio.sleep(0.01)


class TestRemoteConnection(UpstreamContract):
    @pytest.fixture(autouse=True)
    async def _stage(self, play: Open) -> None:
        async def echo(request: web.Request, body: bytes) -> web.StreamResponse:
            return json_answer(
                body.replace(b'"method":"echo","params"', b'"result"').replace(b'"method"', b'"result"')
            )

        self.stage = await play(echo)

    def connect(self, back: ServerPort) -> RemoteConnection:
        return RemoteConnection(1, ServerSpec("probe", url=self.stage.url), back)


# --- what passes -------------------------------------------------------------------------------------------


async def test_a_json_answer_passes_byte_for_byte_and_names_its_request(
    play: Open, connect: Connect, back: Recorder
):
    odd = b'{"result": {"n":1.0e400, "t":"\\u00e9\xc3\xa9" ,"big":12345678901234567},"id":"a\\u0062","x":[]}'

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return json_answer(odd)

    stage = await play(answer)
    request = b'{"jsonrpc":"2.0",  "id":"a\\u0062","method":"ping"}'
    connect(stage.url).send(request)
    assert await back.message() == odd
    assert back.about == [b'"a\\u0062"']
    assert stage.bodies() == [request]


async def test_what_was_read_of_an_answer_goes_along_so_that_it_is_read_once(
    play: Open, connect: Connect, back: Recorder
):
    nobodys = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}'
    words = [reply(1), reply(2), nobodys, b"[" + reply(4) + b"]"]

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        number = id_of(body)
        said = words[number - 1]
        return await stream(request, event(said)) if number == 2 else json_answer(said)

    connection = connect((await play(answer)).url)
    for number in range(1, 5):
        connection.send(call(number))
        await back.message(number)
    changed, batch = None, None
    assert back.envelopes == [peek(reply(1)), peek(reply(2)), changed, batch]
    assert bytes(peek(back.messages[2]).id) == b"3"


async def test_each_event_of_a_stream_names_the_request_it_belongs_to(
    play: Open, connect: Connect, back: Recorder
):
    notice = b'{"jsonrpc":"2.0","method":"notifications/progress"}'
    asks = b'{"jsonrpc":"2.0","id":"s1","method":"elicitation/create"}'
    wire = (
        b": hello\r\n\r\nevent: message\r\ndata: " + notice + b"\r\n\r\n"
        b"event: endpoint\ndata: /elsewhere\n\nretry: 10\ndata:" + asks + b"\n\n"
        b"data: {\ndata: " + reply(5, "end")[1:] + b"\n\n"
    )

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return await stream(request, *(wire[at : at + 7] for at in range(0, len(wire), 7)))

    connect((await play(answer)).url).send(call(5))
    await back.message(3)
    assert back.messages == [notice, asks, b"{ " + reply(5, "end")[1:]]
    assert back.about == [b"5"] * 3


async def test_a_question_is_answered_while_its_call_is_open(play: Open, connect: Connect, back: Recorder):
    answered = asyncio.Event()

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if b'"result"' in body:
            answered.set()
            return web.Response(status=202)
        response = await stream(request, event(b'{"jsonrpc":"2.0","id":"q","method":"elicitation/create"}'))
        await answered.wait()
        await response.write(event(reply(1)))
        return response

    connection = connect((await play(answer)).url)
    connection.send(call(1))
    await back.message()
    connection.send(b'{"jsonrpc":"2.0","id":"q","result":{"action":"cancel"}}')
    assert await back.message(2) == reply(1)


async def test_an_answer_that_ends_late_does_not_hold_up_what_follows(
    play: Open, connect: Connect, back: Recorder
):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if b'"initialize"' not in body:
            return await accept(request, body)
        response = await stream(request, event(WELCOME))
        await asyncio.sleep(60)
        return response

    connection = connect((await play(answer)).url)
    for message in (INITIALIZE, INITIALIZED, call(1)):
        connection.send(message)
    assert await back.message(2) == reply(1)


# --- the legacy era ----------------------------------------------------------------------------------------


async def test_after_initialize_every_message_carries_the_id_and_the_revision(
    play: Open, connect: Connect, back: Recorder
):
    stage = await play(accept)
    connection = connect(stage.url, headers={"X-Key": "k"})
    for message in (INITIALIZE, INITIALIZED, call(1)):  # at once: what needs the handshake waits for it
        connection.send(message)
    await back.message(2)
    await eventually(lambda: len(stage.asked) == 4)
    await finished(connection)
    first, *rest = stage.asked
    assert "mcp-session-id" not in first.headers
    assert "mcp-protocol-version" not in first.headers
    assert stage.bodies() == [INITIALIZE, INITIALIZED, call(1)]
    assert sorted(asked.method for asked in rest) == ["DELETE", "GET", "POST", "POST"]
    for asked in rest:
        assert (asked.headers["mcp-session-id"], asked.headers["mcp-protocol-version"]) == (
            "abc-123",
            "2025-06-18",
        )
        assert "mcp-method" not in asked.headers
    assert {asked.headers["x-key"] for asked in stage.asked} == {"k"}


async def test_later_messages_wait_until_initialized_has_arrived(
    play: Open, connect: Connect, back: Recorder
):
    arrived = asyncio.Event()
    order: list[bytes] = []

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if body == INITIALIZED:
            await arrived.wait()
        order.append(body)
        return await accept(request, body)

    stage = await play(answer)
    connection = connect(stage.url)
    connection.send(INITIALIZE)
    await back.message()
    connection.send(INITIALIZED)
    connection.send(call(1))
    await eventually(lambda: INITIALIZED in stage.bodies())
    assert call(1) not in stage.bodies()
    arrived.set()
    await back.message(2)
    assert [body for body in order if body] == [INITIALIZE, INITIALIZED, call(1)]


async def test_a_server_speaks_unasked_and_its_stream_is_taken_up_where_it_broke(
    play: Open, connect: Connect, back: Recorder
):
    def notice(number: int) -> bytes:
        return b'{"jsonrpc":"2.0","method":"notifications/n","params":{"n":%d}}' % number

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if request.method != "GET":
            return await accept(request, body)
        last = request.headers.get("Last-Event-ID")
        if last is None:
            return await stream(request, b"retry: 20\n\n", event(notice(1), 1), b"id: 2\ndata: {half of it")
        if last == "1" and len(stage.bodies("GET")) == 2:
            return web.Response(status=503)
        response = await stream(request, event(notice(2), 2))
        await asyncio.sleep(60)
        return response

    stage = await play(answer)
    await initialized(connect(stage.url), back)
    await back.message(3)
    assert back.messages[1:] == [notice(1), notice(2)]
    assert back.about[1:] == [b"", b""]
    asked = [asked.headers.get("last-event-id") for asked in stage.asked if asked.method == "GET"]
    assert asked == [None, "1", "1"]


async def test_after_a_sleep_its_stream_is_opened_anew_and_requests_go_out_on_fresh_connections(
    play: Open, connect: Connect, back: Recorder
):
    ports: list[int] = []  # of our side of each connection

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        assert request.transport is not None
        ports.append(request.transport.get_extra_info("peername")[1])
        if request.method != "GET":
            return await accept(request, body)
        response = await stream(request, event(b'{"jsonrpc":"2.0","method":"notifications/n"}', 7))
        await asyncio.sleep(60)
        return response

    stage = await play(answer)
    connection = connect(stage.url)
    await initialized(connection, back)
    await back.message(2)
    before = set(ports)
    connection.rouse()
    await back.message(3)
    connection.send(call(5))
    await back.message(4)
    asked = [asked.headers.get("last-event-id") for asked in stage.asked if asked.method == "GET"]
    assert asked == [None, "7"]
    assert before & set(ports[-2:]) == set()


async def test_a_server_without_such_a_stream_is_asked_for_it_once(
    play: Open, connect: Connect, back: Recorder
):
    stage = await play(accept)
    connection = connect(stage.url)
    await initialized(connection, back)
    await eventually(lambda: len(stage.bodies("GET")) == 1)
    connection.send(call(1))
    await back.message(2)
    assert len(stage.bodies("GET")) == 1
    assert back.remarks == []


async def test_a_broken_answer_is_taken_up_where_it_stood(play: Open, connect: Connect, back: Recorder):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if request.method == "GET":
            return await stream(request, event(reply(1, request.headers["Last-Event-ID"]), 8))
        return await stream(request, b"id: 7\nretry: 10\ndata:\n\n")

    connect((await play(answer)).url).send(call(1))
    assert await back.message() == reply(1, "7")
    assert back.about == [b"1"]


@pytest.mark.parametrize("request_", [call(1), modern(1)])
async def test_a_broken_answer_that_cannot_be_taken_up_becomes_an_error(
    play: Open, connect: Connect, back: Recorder, request_: bytes
):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        first = event(b'{"jsonrpc":"2.0","method":"notifications/n"}', 1 if body == modern(1) else None)
        return await stream(request, first)

    stage = await play(answer)
    connect(stage.url).send(request_)
    error = json.loads(await back.message(2))
    assert (error["id"], error["error"]["message"]) == (1, "probe ended its answer before the result.")
    assert stage.bodies("GET") == []


async def test_closing_says_goodbye_but_does_not_wait_for_an_answer(
    play: Open, connect: Connect, back: Recorder
):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if request.method == "DELETE":
            await asyncio.sleep(60)
        return await accept(request, body)

    stage = await play(answer)
    connection = connect(stage.url)
    await initialized(connection, back)
    await eventually(lambda: len(stage.bodies("GET")) == 1)
    connection.close()
    await eventually(lambda: len(stage.bodies("DELETE")) == 1)
    leap(NEVER)
    await finished(connection)


async def test_what_was_told_just_before_closing_still_arrives(play: Open, connect: Connect, back: Recorder):
    stage = await play(accept)
    connection = connect(stage.url)
    connection.send(call(1))
    await back.message()
    told = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}'
    connection.send(told)
    await finished(connection)
    assert told in stage.bodies()


# --- the modern era ----------------------------------------------------------------------------------------


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

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return json_answer(own if id_of(body) == 1 else nameless, status=400)

    connection = connect((await play(answer)).url)
    connection.send(call(1))
    assert await back.message() == own
    connection.send(call(2))
    assert await back.message(2) == b'{"jsonrpc":"2.0","id":2,"error":{"code":-32600, "message":"no"}}'


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (502, "probe answered HTTP 502 Bad Gateway."),
        (401, "probe wants you to sign in (HTTP 401)."),
        (404, "probe answered HTTP 404 Not Found."),
        (202, "probe accepted the request and left it unanswered."),
        (200, "probe answered with text/html. Is `url` its MCP address?"),
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
    assert errors(back)[0]["message"] == "probe answered with something that is not MCP."


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
    assert await back.ending() == "The address of probe is not an http address. Correct `url` in config.toml."
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


# --- where requests go, and where they do not --------------------------------------------------------------


async def test_a_redirect_within_the_server_is_followed(play: Open, connect: Connect, back: Recorder):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if request.path == "/mcp":
            return web.Response(status=307, headers={"Location": "/mcp/"})
        return await accept(request, body)

    stage = await play(answer)
    connect(stage.url).send(call(1))
    assert await back.message() == reply(1)
    assert [asked.path for asked in stage.asked] == ["/mcp", "/mcp/"]
    assert stage.bodies() == [call(1), call(1)]


@pytest.mark.parametrize("status", [302, 307])
async def test_a_redirect_elsewhere_is_not_followed(
    play: Open, connect: Connect, back: Recorder, status: int
):
    other = await play(accept)

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return web.Response(status=status, headers={"Location": other.url + "?key=secret"})

    connect((await play(answer)).url, headers={"Authorization": "Bearer t0ken"}).send(call(1))
    await back.message()
    assert f"probe has moved to {other.url}." in errors(back)[0]["message"]
    assert b"secret" not in back.messages[0]
    assert other.asked == []


@pytest.mark.parametrize("place", ["http://[::1/mcp", "http://127.0.0.1:99999999/mcp"])
async def test_a_redirect_to_what_is_no_address_becomes_an_error(
    play: Open, connect: Connect, back: Recorder, place: str
):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return web.Response(status=307, headers={"Location": place})

    connect((await play(answer)).url).send(call(1))
    await back.message()
    assert errors(back)[0]["message"] == "probe redirects to an invalid address."


async def test_a_message_for_a_person_repeats_no_more_of_a_server_than_one_can_read(
    play: Open, connect: Connect, back: Recorder
):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if id_of(body) == 1:
            return web.Response(status=307, headers={"Location": "http://a.example/" + "x" * 5000})
        return web.Response(headers={"Content-Type": "text/" + "x" * 5000})

    connection = connect((await play(answer)).url)
    for number in (1, 2):
        connection.send(call(number))
        await back.message(number)
    assert all(200 < len(error["message"]) < 400 for error in errors(back))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            b"SSH-2.0-OpenSSH_9.6\r\n",
            "Could not reach probe: the answer of 127.0.0.1 cannot be read: it is no HTTP.",
        ),
        (
            raw_answer(b"[]", "Content-Encoding: gzip"),
            "Could not reach probe: the answer of 127.0.0.1 cannot be read: it is badly packed.",
        ),
        (
            b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n"
            b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"[]")[:-5],
            "The answer of probe cannot be read: it broke off.",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Type: application/json\r\n\r\n[...",
            "probe broke off its answer.",
        ),
    ],
)
async def test_an_answer_that_cannot_be_read_is_told_from_one_that_broke_off(
    connect: Connect, back: Recorder, said: bytes, words: str
):
    async with Raw(said) as server:
        connect(server.url).send(call(1))
        await back.message()
    assert errors(back)[0]["message"] == words


async def test_a_redirect_in_circles_ends(play: Open, connect: Connect, back: Recorder):
    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        return web.Response(status=308, headers={"Location": "/mcp"})

    connect((await play(answer)).url).send(call(1))
    await back.message()
    assert errors(back)[0]["message"] == "probe redirects in circles."


async def test_a_proxy_is_used_for_other_machines_but_not_for_this_one(
    play: Open, connect: Connect, back: Recorder, monkeypatch: pytest.MonkeyPatch
):
    proxy, local = await play(accept), await play(accept)
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    connect("http://mcp.example.invalid/mcp").send(call(1))
    connect(local.url).send(call(2))
    await back.message(2)
    assert [asked.body for asked in proxy.asked] == [call(1)]
    assert [asked.body for asked in local.asked] == [call(2)]


async def test_a_certificate_nobody_vouches_for_is_refused(connect: Connect, back: Recorder, tmp_path: Path):
    stage = await Stage(accept).open(tls=self_signed(tmp_path))
    connect(stage.url).send(call(1))
    await back.message()
    assert errors(back)[0]["message"] == "Could not reach probe: the certificate of 127.0.0.1 is not trusted."
    assert stage.asked == []
    await stage.close()


def self_signed(place: Path):
    import datetime
    import ssl

    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (place / "pem").write_bytes(plain + certificate.public_bytes(pem))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(place / "pem")
    return context


# --- servers others wrote ----------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["stream", "json"])
def sdk(request: pytest.FixtureRequest) -> Iterator[str]:
    command = [sys.executable, str(FIXTURES / "sdk_server.py"), f"--{request.param}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield process.stdout.readline().strip()
    process.kill()
    process.communicate()


def hello(capabilities: dict[str, object]) -> bytes:
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "clientInfo": {"name": "t", "version": "1"},
    }
    return json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).encode()


def tool(
    number: int, name: str, arguments: dict[str, object], meta: Mapping[str, object] | None = None
) -> bytes:
    params = {"name": name, "arguments": arguments, "_meta": meta or {"progressToken": number}}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}).encode()


def result(message: bytes) -> str:
    found: str = json.loads(message)["result"]["content"][0]["text"]
    return found


async def replied(back: Recorder, number: int) -> bytes:
    def found() -> list[bytes]:
        messages = [(json.loads(message), message) for message in back.messages]
        return [raw for read, raw in messages if read.get("id") == number and "method" not in read]

    await back.until(lambda: bool(found()))
    return found()[0]


async def test_the_sdks_server_works_in_the_legacy_era(sdk: str, connect: Connect, back: Recorder):
    connection = connect(sdk)
    connection.send(hello({"elicitation": {}}))
    connection.send(INITIALIZED)
    connection.send(tool(1, "add", {"a": 2, "b": 3}))
    assert result(await replied(back, 1)) == "5"
    connection.send(tool(2, "count", {"to": 3}))
    assert result(await replied(back, 2)) == "done"
    await finished(connection)
    assert back.endings == []


@pytest.mark.parametrize("sdk", ["stream"], indirect=True)  # in JSON it has no way to ask
async def test_the_sdks_server_asks_mid_call_in_the_legacy_era(sdk: str, connect: Connect, back: Recorder):
    connection = connect(sdk)
    connection.send(hello({"elicitation": {}}))
    connection.send(INITIALIZED)
    connection.send(tool(1, "order", {}))
    await back.until(lambda: any(b"elicitation/create" in message for message in back.messages))
    asked = next(json.loads(message) for message in back.messages if b"elicitation/create" in message)
    answer = {
        "jsonrpc": "2.0",
        "id": asked["id"],
        "result": {"action": "accept", "content": {"drink": "tea"}},
    }
    connection.send(json.dumps(answer).encode())
    assert result(await replied(back, 1)) == "one tea"


async def test_the_sdks_server_works_in_the_modern_era(sdk: str, connect: Connect, back: Recorder):
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "progressToken": "p",
    }
    connection = connect(sdk)
    connection.send(tool(1, "add", {"a": 2, "b": 3}, meta))
    connection.send(tool(2, "größer – naïve", {"a": 1}, meta))
    connection.send(tool(3, "count", {"to": 3}, meta))
    assert [result(await replied(back, number)) for number in (1, 2, 3)] == ["5", "2", "done"]
    await finished(connection)


@needs_everything
async def test_the_official_everything_server_answers_over_http(connect: Connect, back: Recorder):
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    command = (str(NODE), str(EVERYTHING), "streamableHttp")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command, env={"PORT": str(port)}, stderr=pipe, stdout=pipe
    )
    try:
        assert process.stderr is not None
        while f"port {port}".encode() not in await process.stderr.readline():
            pass
        connection = connect(f"http://127.0.0.1:{port}/mcp")
        connection.send(hello({"elicitation": {}}))
        connection.send(INITIALIZED)
        connection.send(tool(1, "echo", {"message": "hi"}))
        assert result(await replied(back, 1)) == "Echo: hi"
        connection.send(tool(2, "trigger-long-running-operation", {"duration": 0.2, "steps": 2}))
        await replied(back, 2)
        progress = [
            at for m, at in zip(back.messages, back.about, strict=True) if b"notifications/progress" in m
        ]
        assert progress == [b"2", b"2"]
        await finished(connection)
    finally:
        process.kill()
        await process.communicate()
