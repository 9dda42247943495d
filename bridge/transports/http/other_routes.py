"""All of HTTP but `/mcp`, as a small Starlette application: `/health` and the routes that are handed in.

Loaded with the first such request: most hosts never make one. The door is server.py's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Message, Receive

from bridge import __version__
from bridge.transports.http.request import Refusal


def application(extra: Sequence[BaseRoute]) -> Starlette:
    return Starlette(
        routes=[Route("/health", _health), *extra],
        exception_handlers={HTTPException: _say_error, Exception: _say_fault},
    )


def limited(receive: Receive, most: int, refusal: Refusal) -> Receive:
    """A body sent in chunks has no length to check beforehand."""
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            raise HTTPException(refusal.status, refusal.message)
        return message

    return limited


async def _health(request: Request) -> JSONResponse:
    return JSONResponse({"status": "ok", "version": __version__})


async def _say_fault(request: Request, error: Exception) -> JSONResponse:
    """A fault of ours; the log has it."""
    return JSONResponse({"error": f"Deskbell failed: {type(error).__name__}."}, 500)


async def _say_error(request: Request, error: Exception) -> JSONResponse:
    said = cast(HTTPException, error)  # registered for that alone
    return JSONResponse({"error": said.detail}, said.status_code, said.headers)
