"""The HTTP port is open from the start; the server is imported with the first connection."""

from __future__ import annotations

import asyncio
import contextlib
import socket

import pytest

from bridge.transports.http.lazy_server import LazyHttpServer
from bridge.transports.http.server import HttpServer
from tests.bridge.transports.http.http_rig import TOKEN, Host, Recorder
from tests.fixtures.patience import WITHIN


def open_to(front: Recorder, port: int = 0) -> LazyHttpServer:
    return LazyHttpServer(port, lambda: HttpServer(front, TOKEN, set))


async def test_the_first_connection_and_all_later_ones_are_served() -> None:
    port = open_to(Recorder())
    host = Host(await port.start())
    first, second = await asyncio.gather(host.ask("GET", "/health"), host.ask("GET", "/health"))
    assert (first.status, second.status) == (200, 200)
    session = await host.initialize()
    assert session
    host.leave()
    await port.stop()


async def test_a_connection_that_is_closed_at_once_does_not_block_others() -> None:
    port = open_to(Recorder())
    number = await port.start()
    _, writer = await asyncio.open_connection("127.0.0.1", number)
    writer.close()
    await writer.wait_closed()
    assert (await Host(number).ask("GET", "/health")).status == 200
    await port.stop()


class Noting(HttpServer):
    """Notes who came first."""

    came: tuple[str, int] | None = None

    async def serve(self, listener: socket.socket, first: socket.socket | None = None) -> None:
        if first is not None:
            self.came = first.getpeername()
        await super().serve(listener, first)


@pytest.mark.skipif(not hasattr(socket, "TCP_DEFER_ACCEPT"), reason="Linux tells them apart")
async def test_the_server_is_imported_only_after_the_first_bytes_arrive() -> None:
    noting = Noting(Recorder(), TOKEN, set)
    port = LazyHttpServer(0, lambda: noting)
    number = await port.start()
    silent = await asyncio.open_connection("127.0.0.1", number)
    speaks = await asyncio.open_connection("127.0.0.1", number)
    async with asyncio.timeout(WITHIN):
        for reader, writer in (speaks, silent):
            writer.write(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % number)
            assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
    assert noting.came == speaks[1].get_extra_info("sockname")
    for _, writer in (speaks, silent):
        writer.close()
    await port.stop()


async def test_a_port_stopped_before_the_first_connection_is_free_again() -> None:
    first = open_to(Recorder())
    number = await first.start()
    await first.stop()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", number)
    again = open_to(Recorder(), number)
    assert await again.start() == number
    await again.stop()


async def test_a_port_can_be_stopped_while_a_connection_arrives() -> None:
    port = open_to(Recorder())
    reader, writer = await asyncio.open_connection("127.0.0.1", await port.start())
    writer.write(b"GET ")
    await port.stop()
    async with asyncio.timeout(WITHIN):
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
    writer.close()


async def test_to_end_without_a_start_is_nothing() -> None:
    await open_to(Recorder()).stop()
