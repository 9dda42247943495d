"""The HTTP routes of the purse. transports/http/server.py has checked the server's token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from bridge.functions.rest import while_connected
from bridge.sampling.purse import APIS, Purse, Refused


def routes(purse: Purse) -> Sequence[BaseRoute]:
    return [Route(f"/models/v1/{api}", _endpoint(purse, api), methods=["POST"]) for api in APIS]


def _endpoint(purse: Purse, api: str) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        server = purse.user_of(dict(request.headers.raw))
        try:
            body = await request.body()
            reply = await while_connected(request, purse.forward(server, api, body))
        except ClientDisconnect:
            reply = None
        except Refused as refused:
            return _refusal(refused)
        if reply is None:
            return Response(status_code=499)  # not sent: the server has left
        return StreamingResponse(reply.chunks(), reply.status, media_type=reply.content_type)

    return serve


def _refusal(error: Refused) -> Response:
    """Return a refusal in the shape that both vendors' SDKs read."""
    body = {"type": "error", "error": {"type": "deskbell", "message": str(error)}}
    return Response(msgspec.json.encode(body), error.status, media_type="application/json")
