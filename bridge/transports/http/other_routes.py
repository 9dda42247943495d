"""All HTTP paths but `/mcp`, as a Starlette application: `/health` and the routes passed in.

Imported with the first such request, which most hosts never send. server.py has checked the token.
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
from bridge.errors import wrong_method
from bridge.transports.http.request import HttpRefusal


def application(extra: Sequence[BaseRoute]) -> Starlette:
    return Starlette(
        routes=[Route("/health", _health), *extra],
        exception_handlers={HTTPException: _error_response, Exception: _fault_response},
    )


def limit_body(receive: Receive, max_bytes: int, refusal: HttpRefusal) -> Receive:
    """Refuse a chunked body over the limit: it has no Content-Length to check beforehand."""
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > max_bytes:
            raise HTTPException(refusal.status, refusal.message)
        return message

    return limited


async def _health(request: Request) -> JSONResponse:
    return JSONResponse({"status": "ok", "version": __version__})


async def _fault_response(request: Request, error: Exception) -> JSONResponse:
    """Reply to an exception, which Starlette has logged."""
    return JSONResponse({"error": f"Deskbell failed: {type(error).__name__}."}, 500)


async def _error_response(request: Request, error: Exception) -> JSONResponse:
    problem = cast(HTTPException, error)  # the handler is registered for this class only
    detail = problem.detail
    if problem.status_code == 405:
        allowed = (problem.headers or {}).get("Allow", "").split(", ")
        detail = wrong_method(", ".join(sorted({*allowed} - {"HEAD"})))
    return JSONResponse({"error": detail}, problem.status_code, problem.headers)
