"""RemoteConnection against servers over real sockets: scripted ones, and those others wrote."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
from aiohttp import web

from bridge.core.ports import ServerPort, ServerSpec
from bridge.core.protocol.jsonrpc import peek
from bridge.upstreams.http import connection as http_connection
from bridge.upstreams.http.connection import RemoteConnection
from tests.bridge.upstreams.http.conftest import (
    INITIALIZE,
    INITIALIZED,
    WELCOME,
    Connect,
    Open,
    accept,
    event,
    eventually,
    id_of,
    initialized,
    modern,
    reply,
)
from tests.contracts.upstreams import UpstreamContract, call, finished
from tests.fixtures.patience import NEVER, leap
from tests.fixtures.recording_back import Recorder
from tests.fixtures.scripted_http_server import json_answer, stream


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said last still arrives, however late it comes."""
    monkeypatch.setattr(http_connection, "_LAST_NOTIFICATIONS", NEVER)
    monkeypatch.setattr(http_connection, "_GOODBYE", NEVER)


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


async def test_a_stream_that_ends_at_once_is_not_opened_again_without_a_pause(
    play: Open, connect: Connect, back: Recorder
):
    opened: list[float] = []

    async def answer(request: web.Request, body: bytes) -> web.StreamResponse:
        if request.method != "GET":
            return await accept(request, body)
        opened.append(time.monotonic())
        return await stream(request, b"retry: 1\n\n")

    await initialized(connect((await play(answer)).url), back)
    await eventually(lambda: len(opened) == 4)
    assert opened[3] - opened[1] > 2 * 0.09  # a slow machine only makes it longer


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
