"""Functions over HTTP: `POST /functions/{tool}`, `GET /openapi.json`, and the same to read at `/docs`.

The door (Host, Origin, token, length) is transports/http/server.py's; what a call means is caller.py's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from bridge.functions.caller import ToolCaller
from bridge.functions.docs_page import page
from bridge.tools.results import CallResult

T = TypeVar("T")

WIRE = "rest"
JSON = "application/json"
PAGE_HEADERS = {  # inert, whatever a server writes into its descriptions
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def routes(functions: ToolCaller) -> Sequence[BaseRoute]:
    async def call(request: Request) -> Response:
        try:
            body = await request.body()
        except ClientDisconnect:
            return Response(status_code=499)  # nobody reads it
        answer = await _while_connected(request, functions.call(WIRE, request.path_params["name"], body))
        return Response(status_code=499) if answer is None else said(answer)

    async def openapi(request: Request) -> Response:
        document = msgspec.json.encode(await functions.document(WIRE))
        return Response(document, media_type=JSON)

    async def docs(request: Request) -> Response:
        text = page(await functions.all(WIRE))
        return Response(text, media_type="text/html; charset=utf-8", headers=PAGE_HEADERS)

    return (
        Route("/functions/{name:path}", call, methods=["POST"]),
        Route("/openapi.json", openapi, methods=["GET"]),
        Route("/docs", docs, methods=["GET"]),
    )


def said(answer: CallResult) -> Response:
    return Response(answer.body, answer.status, media_type=JSON)


async def _while_connected(request: Request, work: Awaitable[T]) -> T | None:
    """None: the caller hung up, and its call was called off."""
    working = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        gone.cancel()
        working.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
