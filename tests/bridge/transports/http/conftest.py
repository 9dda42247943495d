"""The HTTP server with one server and one more route. Files that need another override `front` and `host`."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from bridge.transports.http.server import HttpServer
from tests.bridge.transports.http.http_rig import (
    TOKEN,
    Host,
    Recorder,
    start,
)


async def reply_with_length(request: Request) -> JSONResponse:
    return JSONResponse({"result": len(await request.body())})


@pytest.fixture
async def front() -> Recorder:
    return Recorder()


@pytest.fixture
async def host(front: Recorder) -> AsyncIterator[Host]:
    extra = [Route("/length", reply_with_length, methods=["POST"])]
    transport = HttpServer(front, TOKEN, lambda: {"github"}, lambda: extra)
    host = Host(await start(transport))
    yield host
    host.leave()
    await transport.stop()
