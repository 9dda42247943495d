"""Our HTTP/1.1 against servers that mean harm, or know no better."""

from __future__ import annotations

import asyncio

import pytest

from bridge.upstreams.http.failures import ConnectionLost
from bridge.upstreams.http.fast import http1
from bridge.upstreams.http.fast.dialer import Dialer
from tests.bridge.upstreams.raw_http_server import Server, answer, whole
from tests.fixtures.patience import WITHIN

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "said",
    [
        OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nit\r\n0\r\n\r\n",
        OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\nit",
        OK + b"Content-Length: +2\r\n\r\nit",
        OK + b"Content-Length: -2\r\n\r\nit",
        OK + b"Content-Length: 99999999999999999999\r\n\r\nit",
        OK + b"X-Odd: a\0b\r\nContent-Length: 2\r\n\r\nit",
        CHUNKED + b"zz\r\nit\r\n0\r\n\r\n",
        CHUNKED + b"fffffffffffffffffffff\r\nit\r\n0\r\n\r\n",
        CHUNKED + b"-2\r\nit\r\n0\r\n\r\n",
        CHUNKED + b"2\r\nit too much\r\n0\r\n\r\n",
    ],
)
async def test_an_answer_whose_end_can_be_read_in_two_ways_is_none(said: bytes):
    async with Server(said) as server:
        with pytest.raises(ConnectionLost):
            await whole(await server.ask())
        assert server.pool.idle == 0


@pytest.mark.parametrize(
    "said",
    [
        b"HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 2\n\nit",
        OK + b"X-Folded: one\r\n  two\r\nContent-Length: 2\r\n\r\nit",
        OK + b"X-Odd: a\x01b\xff\r\nContent-Length: 2\r\n\r\nit",
        OK + b"Upgrade: h2,h2c\r\nConnection: Upgrade, Keep-Alive\r\nContent-Length: 2\r\n\r\nit",
        b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nit\r\n",
        CHUNKED + b"2 \r\nit\r\n0\r\n\r\n",
        CHUNKED + b"2;name=value\r\nit\r\n0\r\nX-After: all\r\n\r\n",
    ],
)
async def test_a_server_with_odd_manners_is_understood(said: bytes):
    async with Server(said, answer(b"next")) as server:
        assert await whole(await server.ask()) == b"it"
        assert await whole(await server.ask()) == b"next"
        assert server.connections == 1


async def test_an_encoding_that_changes_nothing_lasts_until_the_server_hangs_up():
    async with Server(OK + b"Transfer-Encoding: identity\r\n\r\nall of it...") as server:
        assert await whole(await server.ask()) == b"all of it..."


@pytest.mark.parametrize(
    ("start", "more"),
    [
        (b"HTTP/1.1 200 ", b"x" * 50_000),
        (OK + b"X-", b"x" * 50_000),
        (OK + b"X-Endless: ", b"x" * 50_000),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 2_000),
        (CHUNKED + b"2\r\nit\r\n0\r\nX-Endless: ", b"x" * 50_000),
        (CHUNKED + b"2\r\nit\r\n0\r\n", b"X-More: x\r\n" * 5_000),
        (CHUNKED + b"2;", b"x" * 50_000),
    ],
)
async def test_what_goes_on_and_on_and_is_no_body_is_left(start: bytes, more: bytes):
    left = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        try:
            writer.write(start)
            while True:
                writer.write(more)
                await writer.drain()
        except ConnectionError:
            left.set()
        writer.close()

    async with asyncio.timeout(WITHIN), Server() as server:
        endless = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = endless.sockets[0].getsockname()[1]
        pool = http1.ConnectionPool(Dialer(f"http://127.0.0.1:{port}/", {}))
        with pytest.raises(ConnectionLost, match="too long"):
            await whole(await pool.request("GET", server.url, {}))
        await left.wait()
        endless.close()


async def test_an_answer_nobody_took_does_not_hold_up_the_next_on_its_connection(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(http1, "_UNREAD", 1000)
    page = answer(bytes(5000), status="500 Oops")
    async with asyncio.timeout(WITHIN), Server(page, answer(b"next")) as server:
        (await server.ask()).close()
        assert await whole(await server.ask()) == b"next"
        assert server.connections == 1


async def test_a_server_that_answers_before_it_has_read_the_question_is_not_asked_again_there():
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer(b"too large", status="413 Content Too Large"))
        await hung_up.wait()
        writer.close()

    hung_up = asyncio.Event()
    hasty = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1024)
    url = f"http://127.0.0.1:{hasty.sockets[0].getsockname()[1]}/"
    pool = http1.ConnectionPool(Dialer(url, {}))
    async with asyncio.timeout(WITHIN):
        response = await pool.request("POST", url, {}, bytes(32 << 20))
        assert (response.status, await whole(response)) == (413, b"too large")
    assert pool.idle == 0
    hung_up.set()
    hasty.close()


async def test_whoever_is_interrupted_as_the_answer_comes_does_not_disturb_who_asks_next():
    async with asyncio.timeout(WITHIN), Server(answer(b"one"), answer(b"two")) as server:
        first = asyncio.get_running_loop().create_task(server.ask())
        while not server.pool.idle:  # noqa: ASYNC110 - to be there before its turn
            await asyncio.sleep(0)
        assert not first.done()  # its answer is here, but its turn has not come
        first.cancel()
        assert await whole(await server.ask()) == b"two"
        assert first.cancelled()
        assert server.connections == 1
