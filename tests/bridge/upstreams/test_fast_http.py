"""The fast HTTP/1.1 client against its plain twin on httpx: the same requests, the same replies and words."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Mapping
from typing import Any

import pytest

from bridge.core.ports import ServerSpec
from bridge.upstreams.http.client import OriginClient, Prepare
from bridge.upstreams.http.failures import RequestFailed
from bridge.upstreams.http.fast import http1
from tests.fixtures import plain_http

PREPARE = {"fast": http1.prepare, "plain": plain_http.prepare}


class RawServer:
    """Replies to every request on every connection with the same bytes, and then closes it."""

    def __init__(self, reply: bytes) -> None:
        self._reply = reply
        self.requests: list[tuple[bytes, dict[str, str], bytes]] = []

    async def __aenter__(self) -> RawServer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/mcp?a=b"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        line, *fields = head.decode().strip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (field.partition(": ") for field in fields)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.requests.append((line.encode(), headers, body))
        writer.write(self._reply)
        await writer.drain()
        writer.close()


async def outcome(
    prepare: Prepare, url: str, method: str, headers: Mapping[str, str], body: bytes | None
) -> Any:
    """Return what the engine would see: status, headers and body, or the words of the failure."""
    http = OriginClient(ServerSpec("probe", url=url, headers={"X-Key": "k"}), prepare=prepare)
    await http.open(ServerSpec("probe", url=url, headers={"X-Key": "k"}))
    try:
        async with asyncio.timeout(20):
            response = await http.request(method, headers, body)
            content = await http.body(response)
    except RequestFailed as error:
        return error.words, error.status
    finally:
        http.close()
    return (
        response.status,
        response.reason,
        response.ok,
        response.content_type,
        response.headers("x-twice"),
        response.header("x-none"),
        content,
    )


def reply(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\n\r\n"


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize(
    "answer",
    [
        reply(b'{"a":1}', "Content-Type: Application/JSON; charset=utf-8", "X-Twice: 1", "X-Twice: 2"),
        reply(b""),
        reply(b"no", status="404 Not Found"),
        reply(b"", status="202 Accepted"),
        reply(b"oops", status="500 Internal Server Error"),
        CHUNKED,
        b"HTTP/1.1 200 OK\r\n\r\nuntil the end",
        b"HTTP/1.1 100 Continue\r\n\r\n" + reply(b"after an interim reply"),
        reply(gzip.compress(b"x" * 100_000), "Content-Encoding: gzip"),
        reply(b"", "Location: https://elsewhere.example/", status="308 Permanent Redirect"),
        reply(b"", "Location: /mcp?a=b", status="307 Temporary Redirect"),
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab",
        b"",
        b"not http at all\r\n\r\n",
    ],
    ids=lambda answer: answer[:60].decode().split("\r\n")[0] + f" #{len(answer)}",
)
async def test_both_see_the_same_reply(method: str, answer: bytes):
    body = b'{"jsonrpc":"2.0"}' if method == "POST" else None
    outcomes, requests = {}, {}
    for name, prepare in PREPARE.items():
        async with RawServer(answer) as server:
            port = server.url.split(":")[2].split("/")[0]
            found = await outcome(prepare, server.url, method, {"Accept": "application/json"}, body)
            outcomes[name] = str(found).replace(port, "PORT")
            requests[name] = [(line, _meaningful(headers), sent) for line, headers, sent in server.requests]
    assert outcomes["fast"] == outcomes["plain"]
    assert requests["fast"] == requests["plain"]
    assert requests["fast"]


def _meaningful(headers: dict[str, str]) -> dict[str, str]:
    """Headers that carry meaning: `Connection: keep-alive` is the default of HTTP/1.1, and ports differ."""
    return {name: value for name, value in headers.items() if name not in ("host", "connection")}


@pytest.mark.parametrize("prepare", PREPARE.values(), ids=PREPARE)
async def test_both_name_a_body_that_cannot_be_decoded(prepare: Prepare):
    async with RawServer(reply(b"this is not gzip", "Content-Encoding: gzip")) as server:
        words, _ = await outcome(prepare, server.url, "GET", {}, None)
    assert words.endswith("cannot be read: it is badly packed.")


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/mcp", "http://name.example.invalid/mcp"])
async def test_both_fail_in_the_same_words(url: str, monkeypatch: pytest.MonkeyPatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    fast, plain = [await outcome(prepare, url, "POST", {}, b"{}") for prepare in PREPARE.values()]
    assert fast == plain
    assert fast[0].startswith("Could not reach probe: ")
