"""The HTTP server for hosts: check Host, Origin and token, then dispatch. lazy_server.py opens the port.

A request to `/mcp` or `/mcp/{server}` goes straight to modern.py or legacy.py, without a framework's routing,
because this is the hot path. other_routes.py serves all other paths. MCP messages are not interpreted here.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import socket
from base64 import b64decode
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import msgspec
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from bridge.core.ports import Caller, HostPort
from bridge.errors import wrong_method
from bridge.settings.host_tokens import Identify, RevokedToken, unproven
from bridge.system.fast.lazy_import import lazy_import
from bridge.system.line_buffer import without_newlines
from bridge.system.sparse_logging import is_logged_repetition
from bridge.transports.http.fast.connection import HttpConnection
from bridge.transports.http.fast.fast_reply import FastReplies, StartAsgiTask
from bridge.transports.http.legacy import SESSION_HEADER, LegacyHttp
from bridge.transports.http.modern import HEADER_MISMATCH, ROUTING_HEADERS, ModernHttp, is_modern
from bridge.transports.http.request import HttpRefusal, HttpRequest, accepts, read_body, refuse, send_json

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from bridge.transports.http import other_routes
else:
    other_routes = lazy_import("bridge.transports.http.other_routes")

BODY_LIMIT = 64 * 1024 * 1024  # bytes
_KEEP_ALIVE = 300  # seconds
SHUTDOWN_TIMEOUT = 0.5  # seconds for open requests
BROWSER_PATHS = frozenset({"/docs", "/openapi.json"})  # also open to Basic authentication

_ORIGIN = re.compile(rb"https?://(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", re.IGNORECASE)
_SINGLE_HEADERS = (b"host", b"origin", b"authorization", b"content-length", SESSION_HEADER, *ROUTING_HEADERS)

_WRONG_HOST = HttpRefusal(421, "Deskbell answers only to 127.0.0.1 and localhost at its own port.")
_WRONG_ORIGIN = HttpRefusal(403, "Web pages from elsewhere may not talk to Deskbell.")
_NO_TOKEN = HttpRefusal(
    401,
    "Send 'Authorization: Bearer' with the token from the file `token` in Deskbell's folder.",
    headers=((b"www-authenticate", b"Bearer"),),
)
_OLD_TOKEN = replace(
    _NO_TOKEN,
    message="This token was replaced. The new one is in the file `token` in Deskbell's folder; "
    "put it where this application keeps the old one.",
)
_REVOKED = replace(
    _NO_TOKEN, message="Deskbell's user has revoked this application's access. Connect it again in Deskbell."
)
_NO_PASSWORD = HttpRefusal(
    401,
    "Give the token from the file `token` in Deskbell's folder as the password; any name will do.",
    headers=((b"www-authenticate", b'Basic realm="Deskbell", charset="UTF-8"'),),
)
_NO_MODELS = HttpRefusal(401, "Models are for servers whose entry in config.toml says `models = true`.")
_CLOSING_STATUSES = frozenset({401, 403, 421})  # after the reply the connection is closed
_TOO_LONG = HttpRefusal(413, f"The body is longer than {BODY_LIMIT // 1024 // 1024} MiB.")
_NOT_JSON = HttpRefusal(415, "The header Content-Type must be application/json.")
_ACCEPT = HttpRefusal(406, "The header Accept must allow application/json and text/event-stream.")
_STOPPING = HttpRefusal(503, "Deskbell is shutting down.")
_METHODS = HttpRefusal(405, "Use POST, GET or DELETE here.", headers=((b"allow", b"GET, POST, DELETE"),))
_ONLY_POST = HttpRefusal(405, "In this revision there is only POST.", headers=((b"allow", b"POST"),))


class HttpServer:
    """`servers` returns the names that `/mcp/{server}` may reach now; `identify` the name that an
    application's own token proves; `model_user` the server whose token for `/models/` these headers have."""

    fast = True  # False: ASGI serves every request, with the same bytes but more slowly

    def __init__(
        self,
        front: HostPort,
        token: str,
        servers: Callable[[], Collection[str]],
        extra_routes: Callable[[], Sequence[BaseRoute]] = tuple,
        retired: Collection[str] = (),
        identify: Identify = unproven,
        model_user: Callable[[dict[bytes, bytes]], str] = lambda headers: "",
    ) -> None:
        if not token:
            raise ValueError("an empty token would admit everybody")
        self._token = token.encode()
        self._bearer = b"Bearer " + self._token
        self._retired = tuple(old.encode() for old in retired)  # replaced tokens get a message of their own
        self._hosts: frozenset[bytes] = frozenset()
        self._identify = identify
        self._model_user = model_user
        self._servers = servers
        self._front = front
        self._modern = ModernHttp(front)
        self._legacy = LegacyHttp(front)
        self._fast_replies = FastReplies()
        self._extra_routes = extra_routes
        self._other_routes: ASGIApp | None = None
        self._server: uvicorn.Server | None = None
        self._stopping = False
        self._too_long_count = 0  # messages

    async def serve(self, listener: socket.socket, first: socket.socket | None = None) -> None:
        """Serve the connections of `listener`, and `first`, which was accepted before."""
        port: int = listener.getsockname()[1]
        names = (b"127.0.0.1", b"localhost", b"[::1]")
        self._hosts = frozenset([*names, *(b"%b:%d" % (name, port) for name in names)])
        config = _config(self._serve)
        server = uvicorn.Server(config)
        # Server.serve() would install signal handlers, and a timer that fires ten times a second.
        server.lifespan = config.lifespan_class(config)
        server.lifespan.state["serve_fast"] = self._serve_fast if self.fast else lambda *_: False
        await server.startup(sockets=[listener])
        self._server = server
        if first is not None:
            connect = partial(HttpConnection, config, server.server_state, server.lifespan.state)
            await asyncio.get_running_loop().connect_accepted_socket(connect, first)

    async def stop(self) -> None:
        """End all streams and requests, then close the connections, within a second."""
        self._stopping = True
        self._fast_replies.end()
        self._modern.end()
        self._legacy.end()
        server, self._server = self._server, None
        if server is not None:
            await _shut_down(server)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        path: str = scope["path"]
        is_mcp = path == "/mcp" or path.startswith("/mcp/")
        if refusal := self._refusal(scope, headers):
            if refusal is _TOO_LONG and is_mcp:
                self._record_too_long(path[5:])
            if refusal.status in _CLOSING_STATUSES:
                refusal = replace(refusal, headers=(*refusal.headers, (b"connection", b"close")))
            await (refuse(send, refusal) if is_mcp else _refuse_without_jsonrpc(send, refusal))
        elif is_mcp:
            abort, identity = scope["state"]["abort"], self._identity(headers)
            request = HttpRequest(path[5:], headers, receive, send, abort, identity)
            if refusal := await self._mcp(scope["method"], request):
                await refuse(send, refusal)
        else:
            if self._other_routes is None:
                self._other_routes = await asyncio.to_thread(
                    lambda: other_routes.application(self._extra_routes())
                )
            await self._other_routes(scope, other_routes.limit_body(receive, BODY_LIMIT, _TOO_LONG), send)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> HttpRefusal | None:
        """Check headers and token. The Host check stops DNS rebinding by web pages."""
        if len(headers) < len(scope["headers"]) and (repeated := _repeated_header(scope["headers"])):
            return HttpRefusal(400, f"The header {repeated} appears more than once.", HEADER_MISMATCH)
        if headers.get(b"host", b"").lower() not in self._hosts:
            return _WRONG_HOST
        if b"origin" in headers and not _ORIGIN.fullmatch(headers[b"origin"]):
            return _WRONG_ORIGIN
        if scope["method"] == "OPTIONS":
            return _options(scope["path"])
        if scope["path"] != "/health":
            if scope["path"].startswith("/models/"):
                if not self._model_user(headers):
                    return _NO_MODELS
            elif refusal := self._token_refusal(scope["path"], headers.get(b"authorization", b"")):
                return refusal
            scope["state"]["trust"]()
        if int(headers.get(b"content-length", b"0")) > BODY_LIMIT:
            return _TOO_LONG
        return _STOPPING if self._stopping else None

    def _token_refusal(self, path: str, authorization: bytes) -> HttpRefusal | None:
        """Check the token. Browsers can ask for a password, but not for a bearer token. Other sites can make
        a browser send that password again, so it opens only pages that change nothing."""
        if hmac.compare_digest(authorization, self._bearer):
            return None
        token = _bearer_token(authorization)
        if hmac.compare_digest(token, self._token):
            return None
        try:
            if self._identify(token.decode("latin-1")):
                return None
        except RevokedToken:
            return _REVOKED
        if path in BROWSER_PATHS:
            return None if hmac.compare_digest(_basic_password(authorization), self._token) else _NO_PASSWORD
        is_old = any(hmac.compare_digest(token, old) for old in self._retired)
        return _OLD_TOKEN if is_old else _NO_TOKEN

    def _identity(self, headers: Mapping[bytes, bytes]) -> str:
        """Return the name that the token of an accepted request proves; "" for the token of everyone."""
        authorization = headers.get(b"authorization", b"")
        if hmac.compare_digest(authorization, self._bearer):
            return ""
        return self._identify(_bearer_token(authorization).decode("latin-1"))

    def _serve_fast(self, cycle: RequestResponseCycle, start_asgi_task: StartAsgiTask) -> bool:
        """Serve a valid POST without an ASGI task. False: ASGI must serve this request, or refuse it."""
        scope = cast(Scope, cycle.scope)
        path = scope["path"]
        if scope["method"] != "POST" or not (path == "/mcp" or path.startswith("/mcp/")):
            return False
        headers = dict(scope["headers"])
        if self._refusal(scope, headers) or _bad_headers(headers) or not self._has_server(path[5:]):
            return False
        body = without_newlines(bytes(cycle.body))
        era = self._modern if is_modern(headers, body) else self._legacy
        make_reply = partial(self._fast_replies.add, cycle, start_asgi_task)
        return era.serve_fast(path[5:], self._identity(headers), headers, body, make_reply)

    def _has_server(self, server: str) -> bool:
        return not server or server in self._servers()

    async def _mcp(self, method: str, request: HttpRequest) -> HttpRefusal | None:
        """Serve a request to an MCP endpoint, or return why not."""
        if not self._has_server(request.server):
            return HttpRefusal(404, f"There is no server named {request.server}.")
        if method == "POST":
            return await self._post(request)
        if method not in ("GET", "DELETE"):
            return _METHODS
        if is_modern(request.headers, b""):
            return _ONLY_POST
        return await (self._legacy.get(request) if method == "GET" else self._legacy.delete(request))

    async def _post(self, request: HttpRequest) -> HttpRefusal | None:
        if refusal := _bad_headers(request.headers):
            return refusal
        body = await read_body(request.receive, BODY_LIMIT)
        if body is None:
            self._record_too_long(request.server)
            return _TOO_LONG
        era = self._modern if is_modern(request.headers, body) else self._legacy
        return await era.post(request, body)

    def _record_too_long(self, server: str) -> None:
        """Record the 1st, 10th, 100th… in the history. The unread body has the host's name."""
        self._too_long_count += 1
        if is_logged_repetition(self._too_long_count):
            caller = Caller("http", server, host_name="HTTP")
            link = self._front.open_link(caller, lambda *_: None, lambda: None)
            self._front.close_link(link, f"It sent a message of more than {BODY_LIMIT >> 20} MiB.")


def _bearer_token(authorization: bytes) -> bytes:
    scheme, _, token = authorization.partition(b" ")
    return token.strip() if scheme.lower() == b"bearer" else b""


def _basic_password(authorization: bytes) -> bytes:
    scheme, _, coded = authorization.partition(b" ")
    try:
        return b64decode(coded, validate=True).partition(b":")[2] if scheme.lower() == b"basic" else b""
    except ValueError:
        return b""


def _bad_headers(headers: Mapping[bytes, bytes]) -> HttpRefusal | None:
    """Check Accept and Content-Type of a POST to an MCP endpoint."""
    if not accepts(headers.get(b"accept", b""), b"application/json", b"text/event-stream"):
        return _ACCEPT
    is_json = headers.get(b"content-type", b"").lower().startswith(b"application/json")
    return None if is_json else _NOT_JSON


def _config(app: Callable[[Scope, Receive, Send], Any]) -> uvicorn.Config:
    config = uvicorn.Config(
        app,
        http=HttpConnection,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="error",  # warnings are about malformed requests: anybody could fill the log
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=_KEEP_ALIVE,
    )
    config.load()
    return config


async def _shut_down(server: uvicorn.Server) -> None:
    """Shut down within a second. Server.shutdown() waits without end for a host that does not read."""
    tasks, connections = server.server_state.tasks, server.server_state.connections
    for listener in server.servers:
        listener.close()
    for connection in list(connections):
        connection.shutdown()
    await _wait(tasks, SHUTDOWN_TIMEOUT)
    await asyncio.sleep(0)
    if connections:
        await asyncio.sleep(0.05)  # the last bytes are being written
    for connection in list(connections):
        connection.transport.abort()
    await _wait(tasks, 0.1)
    for task in list(tasks):
        task.cancel()
    await _wait(tasks, 0.1)


async def _wait(tasks: set[asyncio.Task[None]], seconds: float) -> None:
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)


def _options(path: str) -> HttpRefusal:
    """Refuse a CORS preflight: no other site may use this server."""
    allowed = "GET, POST, DELETE" if path.startswith("/mcp") else "POST" if "/functions/" in path else "GET"
    return HttpRefusal(405, wrong_method(allowed), headers=((b"allow", allowed.encode()),))


def _repeated_header(headers: Sequence[tuple[bytes, bytes]]) -> str:
    """Return a header that must be unique and is not: two parsers could use different values of it."""
    names = [name for name, _ in headers if name in _SINGLE_HEADERS]
    return next((name.decode() for name in names if names.count(name) > 1), "")


async def _refuse_without_jsonrpc(send: Send, refusal: HttpRefusal) -> None:
    await send_json(send, refusal.status, msgspec.json.encode({"error": refusal.message}), refusal.headers)
