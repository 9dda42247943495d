"""What one connection may cost before its token was checked: every user of this computer can connect."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bridge.transports.http.fast import connection
from tests.bridge.transports.http.http_rig import (
    Host,
    Recorder,
    Wire,
    modern,
)
from tests.fixtures.patience import WITHIN, leap


async def _dropped(wire: Wire) -> bytes:
    """What came until the connection was closed on us."""
    async with asyncio.timeout(WITHIN):
        try:
            return await wire.reader.read()
        except ConnectionError:
            return b""


@pytest.mark.parametrize("endless", [b"GET /", b"GET /health HTTP/1.1\r\nX: ", b"GET /health HTTP/1.1\r\n"])
async def test_a_head_without_end_is_cut_off(host: Host, endless: bytes) -> None:
    wire = await host.wire()
    more = b"A: b\r\n" if endless.endswith(b"\n") else b"aaaaaa"
    with suppress(ConnectionError):
        wire.writer.write(endless)
        for _ in range(64):
            wire.writer.write(more * 10_000)
            await wire.writer.drain()
    assert b"200 OK" not in await _dropped(wire)


async def test_trailers_without_end_are_cut_off_too(host: Host, front: Recorder) -> None:
    wire = await host.wire()
    wire.write("POST", "/mcp", headers={"Transfer-Encoding": "chunked", "Content-Length": None})
    with suppress(ConnectionError):
        wire.writer.write(b"2\r\n{}\r\n0\r\n")
        for _ in range(64):
            wire.writer.write(b"A: b\r\n" * 10_000)
            await wire.writer.drain()
    assert b"200 OK" not in await _dropped(wire)
    assert front.heard == []


@pytest.mark.parametrize("begun", [b"", b"GET /health HT"])
async def test_a_request_that_never_gets_anywhere_loses_its_connection(
    host: Host, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEADER_TIMEOUT", 0.05)
    wire = await host.wire()
    wire.writer.write(begun)
    assert await _dropped(wire) == b""


async def test_a_second_request_must_come_as_quickly_as_the_first(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = await host.wire()
    wire.write("GET", "/health")
    assert (await wire.response()).status == 200
    monkeypatch.setattr(connection, "HEADER_TIMEOUT", 0.05)
    wire.writer.write(b"GET /health HT")
    assert await _dropped(wire) == b""


async def test_a_host_that_waits_for_a_reply_is_not_disconnected(host: Host, front: Recorder) -> None:
    wire = await host.post(*modern("slow"))
    heard = await front.hears("slow")
    leap(5 * connection.HEADER_TIMEOUT)
    assert (await host.ask("GET", "/health")).status == 200  # what was due by then has happened
    front.reply(heard, result={})
    assert (await wire.response()).status == 200


async def test_a_refused_request_closes_its_connection(host: Host) -> None:
    for changed in ({"Authorization": None}, {"Host": "evil.example"}, {"Origin": "https://evil.example"}):
        wire = await host.wire()
        wire.write("POST", "/mcp", headers=changed)
        assert b"connection: close" in (await _dropped(wire)).lower()


async def test_only_an_authenticated_connection_may_be_idle_for_long(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "UNAUTHENTICATED_KEEP_ALIVE", 0.01)
    known, stranger = await host.wire(), await host.wire()
    known.write("GET", "/nothing")
    assert (await known.response()).status == 404
    stranger.write("GET", "/health")
    assert b"200 OK" in await _dropped(stranger)
    known.write("GET", "/nothing")
    assert (await known.response()).status == 404


async def test_when_the_house_is_full_a_stranger_gives_up_his_place(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MAX_CONNECTIONS", 2)
    known, stranger = await host.wire(), await host.wire()
    known.write("GET", "/nothing")
    assert (await known.response()).status == 404
    late = await host.wire()
    late.write("GET", "/nothing")
    assert (await late.response()).status == 404
    assert await _dropped(stranger) == b""
    known.write("GET", "/nothing")
    assert (await known.response()).status == 404


async def test_a_new_connection_is_refused_when_all_others_are_authenticated(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MAX_CONNECTIONS", 2)
    inside = [await host.wire(), await host.wire()]
    for wire in inside:
        wire.write("GET", "/nothing")
        assert (await wire.response()).status == 404
    assert await _dropped(await host.wire()) == b""
    inside[1].write("GET", "/health")
    assert (await inside[1].response()).status == 200


async def test_requests_piled_up_behind_one_another_end_the_connection(host: Host) -> None:
    wire = await host.wire()
    for _ in range(2 * connection.MAX_PIPELINED):
        wire.write("GET", "/health")
    assert (await _dropped(wire)).count(b"200 OK") < connection.MAX_PIPELINED


async def test_a_stranger_cannot_fill_the_log(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    wire = await host.wire()
    wire.writer.write(b"\x16\x03\x01 this is not HTTP\r\n\r\n")
    assert b"400 Bad Request" in await _dropped(wire)
    assert caplog.records == []
