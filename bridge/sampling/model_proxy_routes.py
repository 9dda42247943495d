"""The HTTP routes of the model proxy. transports/http/server.py has checked the server's token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from bridge.functions.rest import while_connected
from bridge.sampling.model_proxy import APIS, ModelProxy, Refused


def routes(model_proxy: ModelProxy) -> Sequence[BaseRoute]:
    return [Route(f"/models/v1/{api}", _endpoint(model_proxy, api), methods=["POST"]) for api in APIS]


def _endpoint(model_proxy: ModelProxy, api: str) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        server = model_proxy.user_of(dict(request.headers.raw))
        try:
            body = await request.body()
            reply = await while_connected(request, model_proxy.forward(server, api, body))
        except ClientDisconnect:
            reply = None
        except Refused as refused:
            return _refusal(refused)
        if reply is None:
            return Response(status_code=499)  # not sent: the server has disconnected
        return StreamingResponse(reply.chunks(), reply.status, media_type=reply.content_type)

    return serve


def _refusal(error: Refused) -> Response:
    """Return a refusal in the shape that both vendors' SDKs read."""
    body = {"type": "error", "error": {"type": "deskbell", "message": str(error)}}
    return Response(msgspec.json.encode(body), error.status, media_type="application/json")
