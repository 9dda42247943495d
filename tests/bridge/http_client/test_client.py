"""Replies of any server: packed ones are unpacked in bounded pieces; a bomb is refused while it is small."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from threading import Thread

import pytest

from bridge.errors import NetworkError
from bridge.http_client.client import HttpClient

HUGE = 64 << 20
zstd = pytest.importorskip("zstandard").compress  # atproto brings it; httpx would use it
PACKED = {  # path → Content-Encoding, body
    "/plain": ("", b'{"a":1}'),
    "/identity": ("identity", b'{"a":1}'),
    "/gzip": ("gzip", gzip.compress(b'{"a":1}')),
    "/deflate": ("Deflate", zlib.compress(b'{"a":1}')),
    "/bomb": ("gzip", gzip.compress(bytes(HUGE))),
    "/zstd": ("zstd", zstd(bytes(HUGE))),
    "/twice": ("gzip, gzip", gzip.compress(gzip.compress(bytes(HUGE)))),
    "/broken": ("gzip", b"no gzip"),
    "/short": ("gzip", gzip.compress(b"a" * 1000)[:-8]),
}


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        encoding, body = PACKED[self.path]
        self.send_response(200)
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("path", ["/plain", "/identity", "/gzip", "/deflate"])
async def test_a_reply_is_unpacked(address: str, path: str):
    async with HttpClient() as http:
        assert (await http.request("GET", address + path)).json() == {"a": 1}


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/bomb", "More than"),
        ("/zstd", "badly packed"),
        ("/twice", "badly packed"),
        ("/broken", "badly packed"),
        ("/short", "broke off"),
    ],
)
async def test_a_reply_that_unpacks_without_end_or_cannot_be_unpacked_is_refused_while_it_is_small(
    address: str, path: str, words: str
):
    async def nothing(*_: int) -> None:
        """Show no progress."""

    async with HttpClient() as http:
        await http.request("GET", f"{address}/plain")  # imports, and tables that are made once
        tracemalloc.start()
        try:
            with pytest.raises(NetworkError) as failed:
                await http.request("GET", address + path)
            with pytest.raises(NetworkError):
                await http.download(address + path, {}, BytesIO(), 1 << 20, nothing)
            assert tracemalloc.get_traced_memory()[1] < 16 << 20
        finally:
            tracemalloc.stop()
    assert words in str(failed.value)
