"""Our HTTP/1.1 against servers that write every byte themselves, as odd ones do."""

from __future__ import annotations

import asyncio
import gzip
import ssl
import zlib
from collections.abc import AsyncIterator, Callable

import pytest

from bridge.http_client import content_encoding
from bridge.http_client.proxy_and_tls import UnusableProxy
from bridge.upstreams.http.client import Cookies
from bridge.upstreams.http.failures import ConnectionLost, ProxyRefused
from bridge.upstreams.http.fast import http1
from bridge.upstreams.http.fast.dialer import Dialer
from bridge.upstreams.http.fast.http1 import ConnectionPool
from tests.bridge.upstreams.raw_http_server import Server, answer, whole
from tests.fixtures.http_proxy import HttpProxy
from tests.fixtures.patience import WITHIN


async def test_one_connection_carries_one_request_after_the_other():
    async with Server(answer(b"one"), answer(b"two"), answer(b"three")) as server:
        said = [await whole(await server.ask("POST", b"?")) for _ in range(3)]
        assert said == [b"one", b"two", b"three"]
        assert server.connections == 1
        assert server.bodies == [b"?"] * 3


async def test_requests_at_the_same_time_do_not_wait_for_each_other():
    async with Server(answer(b"one"), answer(b"two")) as server:
        await asyncio.gather(server.ask(), server.ask())
        assert server.connections == 2


async def test_what_is_always_said_gives_way_to_what_is_said_now():
    async with Server(answer(b""), answer(b"")) as server:
        await server.ask()
        await server.ask(headers={"x-always": "no", "X-More": "ünïcode"})
        first, second = server.heads
        assert first.startswith(b"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % server.port)
        assert b"X-Always: yes\r\n" in first
        assert b"X-Always" not in second
        assert b"x-always: no\r\nX-More: \xc3\xbcn\xc3\xafcode\r\n\r\n" in second


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\rb"])
async def test_a_header_cannot_bring_another_one(value: str):
    async with Server() as server:
        with pytest.raises(ValueError, match="line break"):
            await server.ask(headers={"X-More": value})
        assert server.connections == 0


async def test_an_answer_in_chunks_of_any_cut_is_put_together():
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n5\r\n, two\r\n0\r\n\r\n"
    async with Server(chunked, answer(b"next")) as server:
        assert await whole(await server.ask()) == b"one, two"
        assert await whole(await server.ask()) == b"next"
        assert server.connections == 1


async def test_an_answer_without_a_length_lasts_until_the_server_hangs_up():
    async with Server(b"HTTP/1.0 200 OK\r\n\r\nall of it...", answer(b"next")) as server:
        assert await whole(await server.ask()) == b"all of it..."
        assert await whole(await server.ask()) == b"next"
        assert server.connections == 2


@pytest.mark.parametrize("told", ["Connection: close", "Connection: Close"])
async def test_a_server_that_wants_to_hang_up_is_not_asked_again_on_that_connection(told: str):
    async with Server(answer(b"one", told), answer(b"two")) as server:
        assert await whole(await server.ask()) == b"one"
        assert await whole(await server.ask()) == b"two"
        assert server.connections == 2


async def test_what_comes_before_the_answer_is_not_taken_for_it():
    early = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
    async with Server(early + answer(b"it", "X-Is: this")) as server:
        response = await server.ask()
        assert (response.status, response.reason, response.header("x-is")) == (200, "OK", "this")
        assert response.header("link") == ""
        assert await whole(response) == b"it"


@pytest.mark.parametrize(("name", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
async def test_a_packed_answer_is_unpacked(name: str, pack: Callable[[bytes], bytes]):
    async with Server(answer(pack(b"text " * 1000), f"Content-Encoding: {name}")) as server:
        assert await whole(await server.ask()) == b"text " * 1000


async def test_several_gzips_in_a_row_are_one_answer_and_what_follows_is_nobodys():
    body = gzip.compress(b"one, ") + gzip.compress(b"two") + bytes(1 << 14) + gzip.compress(b"not this")
    async with Server(answer(body, "Content-Encoding: gzip")) as server:
        assert await whole(await server.ask()) == b"one, two"


@pytest.mark.parametrize("last", [b"", b"\r\n"])
async def test_a_packed_answer_that_comes_a_byte_at_a_time_is_unpacked(last: bytes):
    body = gzip.compress(b"one, ") + gzip.compress(b"two")
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n" + last
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with Server(head + chunks) as server:
        assert await whole(await server.ask()) == b"one, two"


@pytest.mark.parametrize(  # a gzip tells when it was made: workers must agree on the names of their tests
    "body", [b"no gzip", gzip.compress(bytes(1 << 12))[:-5]], ids=["none", "cut"]
)
async def test_a_packed_answer_that_is_none_or_cut_is_no_answer(body: bytes):
    async with Server(answer(body, "Content-Encoding: gzip")) as server:
        with pytest.raises(ConnectionLost):
            await whole(await server.ask())


async def test_while_an_answer_is_unpacked_others_have_their_turns():
    turns, over = 0, asyncio.Event()

    async def another_host() -> None:
        nonlocal turns
        while not over.is_set():
            turns += 1
            await asyncio.sleep(0)

    async with Server(answer(gzip.compress(bytes(16 << 20)), "Content-Encoding: gzip")) as server:
        response = await server.ask()
        other = asyncio.create_task(another_host())
        pieces = [len(piece) async for piece in response.parts()]
        over.set()
        await other
    assert sum(pieces) == 16 << 20
    assert max(pieces) <= content_encoding.PIECE
    assert turns >= len(pieces) >= 64


async def test_an_answer_without_a_body_may_be_called_packed():
    async with Server(answer(b"", "Content-Encoding: gzip", status="202 Accepted")) as server:
        assert await whole(await server.ask()) == b""


@pytest.mark.parametrize(
    "odd",
    [
        None,
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 200_000 + b"\r\n\r\n",
        answer(b"it") + answer(b"and another nobody asked for"),
    ],
)
async def test_what_is_no_answer_is_told_apart_from_one(odd: bytes | None):
    async with Server(odd) as server:
        with pytest.raises(ConnectionLost):
            await server.ask()


async def test_an_answer_that_breaks_off_is_no_answer():
    async with Server(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf...") as server:
        response = await server.ask()
        with pytest.raises(ConnectionLost):
            await whole(response)


async def test_whoever_stops_waiting_hangs_up():
    async with Server(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf") as server:
        (await server.ask()).close()
        await asyncio.wait_for(server.left.wait(), WITHIN)
    async with Server(b"HTTP/1.1 100 Continue\r\n\r\n") as server:
        asking = asyncio.create_task(server.ask())
        async with asyncio.timeout(WITHIN):
            while not server.heads:  # noqa: ASYNC110 - what is waited for is on the other side of a socket
                await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.wait_for(server.left.wait(), WITHIN)


async def test_a_connection_that_rests_too_long_is_left(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(http1, "_KEEP", 0.02)
    async with Server(answer(b"one")) as server:
        await server.ask()
        await asyncio.wait_for(server.left.wait(), WITHIN)


@pytest.mark.parametrize(
    ("told", "connections"),
    [("timeout=1", 2), ("timeout=0, max=5", 2), ("timeout=3600", 1), ("max=100", 1), ("timeout=soon", 1)],
)
async def test_a_server_that_tells_how_long_it_keeps_a_connection_is_believed(told: str, connections: int):
    async with Server(answer(b"one", f"Keep-Alive: {told}"), answer(b"two")) as server:
        await server.ask()
        assert await whole(await server.ask()) == b"two"
        assert server.connections == connections


async def test_a_connection_that_was_closed_meanwhile_is_not_used_again():
    async with Server(answer(b"one"), answer(b"two")) as server:
        line = await server.ask()
        server.hang_up()
        async with asyncio.timeout(WITHIN):
            while server.pool.idle:  # noqa: ASYNC110 - what is waited for is on the other side of a socket
                await asyncio.sleep(0.01)
        assert await whole(line) == b"one"
        assert await whole(await server.ask()) == b"two"
        assert server.connections == 2


async def test_after_retiring_no_connection_is_kept():
    async with Server(answer(b"one"), answer(b"two")) as server:
        await server.ask()
        assert server.pool.idle == 1
        server.pool.retire()
        assert await whole(await server.ask()) == b"two"
        assert server.pool.idle == 0


async def test_a_long_answer_is_held_back_while_nobody_takes_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(http1, "_UNREAD", 1000)
    body = bytes(range(256)) * 4096
    async with Server(answer(body)) as server:
        response = await server.ask()
        assert not response.complete
        assert await whole(response) == body


# --- the way there -----------------------------------------------------------------------------------------


@pytest.fixture
async def heard() -> AsyncIterator[list[bytes]]:
    """What a server behind a proxy hears first; it never answers."""
    said: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said.append(await reader.read(1))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    said.append(str(server.sockets[0].getsockname()[1]).encode())
    yield said
    server.close()


@pytest.mark.parametrize("says", [b"HTTP/1.1 200 Connection established", b"HTTP/1.0 200", b"HTTP/1.1 204 "])
async def test_tls_goes_through_a_proxy_that_is_told_nothing_but_the_place(
    heard: list[bytes], monkeypatch: pytest.MonkeyPatch, says: bytes
):
    async with HttpProxy(int(heard.pop()), says=says) as proxy:
        monkeypatch.setenv("https_proxy", f"http://me:p%40ss@127.0.0.1:{proxy.port}")
        monkeypatch.setenv("no_proxy", "")
        pool = ConnectionPool(
            Dialer("https://mcp.example.invalid/secret", {"Authorization": "Bearer secret"})
        )
        with pytest.raises((ConnectionError, ssl.SSLError)):
            await pool.request("GET", "https://mcp.example.invalid/secret", {})
    assert proxy.heads == [
        b"CONNECT mcp.example.invalid:443 HTTP/1.1\r\nHost: mcp.example.invalid:443\r\n"
        b"Proxy-Authorization: Basic bWU6cEBzcw==\r\n\r\n"
    ]
    assert heard == [b"\x16"]  # a TLS handshake


async def test_a_proxy_that_refuses_is_told_apart(monkeypatch: pytest.MonkeyPatch):
    async with HttpProxy(0, refuses=True) as proxy:
        monkeypatch.setenv("https_proxy", f"127.0.0.1:{proxy.port}")
        monkeypatch.setenv("no_proxy", "")
        with pytest.raises(ProxyRefused, match="407"):
            await ConnectionPool(Dialer("https://mcp.example.invalid/", {})).request("GET", "", {})
    with pytest.raises(ProxyRefused):  # it is closed by now
        await ConnectionPool(Dialer("https://mcp.example.invalid/", {})).request("GET", "", {})
    monkeypatch.setenv("https_proxy", "https://127.0.0.1:1")
    with pytest.raises(UnusableProxy):
        Dialer("https://mcp.example.invalid/", {})


@pytest.mark.parametrize(
    ("url", "line", "host"),
    [
        ("http://localhost", b"GET / HTTP/1.1", b"localhost"),
        ("http://localhost:80/a b?q=ü&x=%20", b"GET /a%20b?q=%C3%BC&x=%20 HTTP/1.1", b"localhost"),
        ("http://[::1]:8080/mcp#part", b"GET /mcp HTTP/1.1", b"[::1]:8080"),
        ("http://büro.localhost:81/", b"GET / HTTP/1.1", b"xn--bro-hoa.localhost:81"),
    ],
)
def test_an_address_is_asked_for_as_http_wants_it(url: str, line: bytes, host: bytes):
    first, second, *_ = Dialer(url, {}).head("GET", url, {}, None).split(b"\r\n")
    assert (first, second) == (line, b"Host: " + host)


def test_who_is_named_in_an_address_signs_in_by_it():
    head = Dialer("http://me:p%40ss@localhost/", {}).head("GET", "http://me:p%40ss@localhost/", {}, None)
    assert b"\r\nAuthorization: Basic bWU6cEBzcw==\r\n" in head
    assert b"@" not in head


# --- cookies -----------------------------------------------------------------------------------------------


def test_cookies_go_back_until_they_end():
    cookies = Cookies()
    assert cookies.added_to({"A": "b"}) == {"A": "b"}
    cookies.learn(["lb=machine-7; Path=/; HttpOnly; Secure", 'b="two words"; Max-Age=60'])
    assert cookies.added_to({"A": "b"}) == {"A": "b", "Cookie": 'lb=machine-7; b="two words"'}
    cookies.learn(["lb=machine-8", "b=; max-age=0"])
    assert cookies.added_to({}) == {"Cookie": "lb=machine-8"}
    cookies.learn(["lb=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "odd=1; Max-Age=soon"])
    assert cookies.added_to({}) == {"Cookie": "odd=1"}


def test_whatever_a_cookie_holds_goes_back_as_it_came():
    cookies = Cookies()
    odd = ['a={"x":1}', "b=c3+/==; samesite=none; partitioned", "c=", "d=a b", "e:f=g", "=no name", "none"]
    cookies.learn([*odd, "long=" + "x" * 5000, "far=1; expires=Fri, 31 Dec 9999 23:59:59 GMT"])
    assert cookies.added_to({}) == {"Cookie": 'a={"x":1}; b=c3+/==; c=; d=a b; e:f=g; far=1'}


def test_cookies_do_not_grow_without_end():
    cookies = Cookies()
    cookies.learn([f"name{number}=1" for number in range(1000)])
    assert len(cookies.added_to({})["Cookie"].split("; ")) == 50
