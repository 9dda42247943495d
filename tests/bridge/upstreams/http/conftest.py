"""A server that plays a script, and a connection to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from aiohttp import web

from bridge.core.ports import ServerSpec
from bridge.upstreams.http.connection import RemoteConnection
from tests.fixtures.patience import WITHIN
from tests.fixtures.recording_back import Recorder
from tests.fixtures.scripted_http_server import Answer, Stage, json_answer

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
