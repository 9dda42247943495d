"""Functions over HTTP: `POST /functions/{tool}`, `GET /openapi.json`, and `GET /docs` for people.

transports/http/server.py has checked Host, Origin, token and length; tool_caller.py makes the call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from bridge.functions.docs_page import render_page
from bridge.functions.tool_caller import ToolCaller

T = TypeVar("T")

WIRE = "rest"
JSON = "application/json"
PAGE_HEADERS = {  # no script runs, whatever servers write into their descriptions
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def routes(caller: ToolCaller) -> Sequence[BaseRoute]:
    async def call(request: Request) -> Response:
        try:
            body = await request.body()
        except ClientDisconnect:
            return Response(status_code=499)  # not sent: the caller disconnected
        result = await while_connected(request, caller.call(WIRE, request.path_params["name"], body))
        if result is None:
            return Response(status_code=499)
        return Response(result.body, result.status, media_type=JSON)

    async def openapi(request: Request) -> Response:
        document = msgspec.json.encode(await caller.openapi_document(WIRE))
        return Response(document, media_type=JSON)

    async def docs(request: Request) -> Response:
        html = render_page(await caller.list_functions(WIRE))
        return Response(html, media_type="text/html; charset=utf-8", headers=PAGE_HEADERS)

    return (
        Route("/functions/{name:path}", call, methods=["POST"]),
        Route("/openapi.json", openapi, methods=["GET"]),
        Route("/docs", docs, methods=["GET"]),
    )


async def while_connected(request: Request, work: Awaitable[T]) -> T | None:
    """Run `work`; cancel it and return None if the caller disconnects."""
    working = asyncio.ensure_future(work)
    disconnect = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait((working, disconnect), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        disconnect.cancel()
        working.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
