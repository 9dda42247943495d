"""Streamable HTTP for hosts: serving, the door, and who handles what. Where it listens is lazy_port.py's.

A request to `/mcp` or `/mcp/{server}` goes straight to its era (modern.py, legacy.py), past any framework's
routing: this is the hot path. Everything else is other_routes.py's. Nothing here reads what a message means.
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

from bridge.core.ports import Caller, Front
from bridge.system.fast.lazy_import import late
from bridge.system.line_buffer import one_line
from bridge.transports.http.fast.connection import HttpConnection
from bridge.transports.http.fast.fast_reply import LongWay, Quick
from bridge.transports.http.lazy_port import listen
from bridge.transports.http.legacy import KEY_HEADER, Legacy
from bridge.transports.http.modern import HEADER_MISMATCH, ROUTING_HEADERS, Modern, is_modern
from bridge.transports.http.request import Incoming, Refusal, accepts, answer, read, refuse

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from bridge.transports.http import other_routes
else:
    other_routes = late("bridge.transports.http.other_routes")

BODY_LIMIT = 64 * 1024 * 1024  # bytes
_KEEP_ALIVE = 300  # seconds
READABLE = frozenset({"/docs", "/openapi.json"})  # for a person with a browser

_ORIGIN = re.compile(rb"https?://(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", re.IGNORECASE)
_ONCE = (b"host", b"origin", b"authorization", b"content-length", KEY_HEADER, *ROUTING_HEADERS)

_WRONG_HOST = Refusal(421, "Deskbell answers only to 127.0.0.1 and localhost at its own port.")
_WRONG_ORIGIN = Refusal(403, "Web pages from elsewhere may not talk to Deskbell.")
_NO_TOKEN = Refusal(
    401,
    "Send 'Authorization: Bearer' with the token from the file `token` in Deskbell's folder.",
    headers=((b"www-authenticate", b"Bearer"),),
)
_OLD_TOKEN = replace(
    _NO_TOKEN,
    message="This token was replaced. The new one is in the file `token` in Deskbell's folder; "
    "put it where this application keeps the old one.",
)
_NO_PASSWORD = Refusal(
    401,
    "Give the token from the file `token` in Deskbell's folder as the password; any name will do.",
    headers=((b"www-authenticate", b'Basic realm="Deskbell", charset="UTF-8"'),),
)
_TURNED_AWAY = frozenset({401, 403, 421})  # strangers: their connections are closed with the answer
_TOO_LONG = Refusal(413, f"The body is longer than {BODY_LIMIT // 1024 // 1024} MiB.")
_NOT_JSON = Refusal(415, "The header Content-Type must be application/json.")
_ACCEPT = Refusal(406, "The header Accept must allow application/json and text/event-stream.")
_STOPPING = Refusal(503, "Deskbell is shutting down.")
_METHODS = Refusal(405, "Use POST, GET or DELETE here.", headers=((b"allow", b"GET, POST, DELETE"),))
_ONLY_POST = Refusal(405, "In this revision there is only POST.", headers=((b"allow", b"POST"),))


class HttpTransport:
    """`servers` names what `/mcp/{server}` may reach now. `port` 0 takes any free one."""

    def __init__(
        self,
        front: Front,
        token: str,
        port: int,
        servers: Callable[[], Collection[str]],
        extra_routes: Callable[[], Sequence[BaseRoute]] = tuple,
        retired: Collection[str] = (),
    ) -> None:
        if not token:
            raise ValueError("an empty token would let everybody in")
        self._token = token.encode()
        self._bearer = b"Bearer " + self._token
        self._retired = tuple(old.encode() for old in retired)  # who shows one of these is told so
        self._port = port
        self._hosts: frozenset[bytes] = frozenset()
        self._servers = servers
        self._front = front
        self._modern = Modern(front)
        self._legacy = Legacy(front)
        self._lane = Quick()
        self._extra_routes = extra_routes
        self._other: ASGIApp | None = None
        self._server: uvicorn.Server | None = None
        self._stopping = False
        self._too_long = 0  # messages

    async def start(self) -> int:
        """Listens from now on; returns the port."""
        listener = listen(self._port)
        await self.serve(listener)
        port: int = listener.getsockname()[1]
        return port

    async def serve(self, listener: socket.socket, first: socket.socket | None = None) -> None:
        """Whoever comes here; `first` has come already."""
        port: int = listener.getsockname()[1]
        names = (b"127.0.0.1", b"localhost", b"[::1]")
        self._hosts = frozenset([*names, *(b"%b:%d" % (name, port) for name in names)])
        config = _config(self._serve)
        server = uvicorn.Server(config)
        # Without Server.serve(): no signal handlers, and no clock that wakes the process ten times a second.
        server.lifespan = config.lifespan_class(config)
        server.lifespan.state["quick"] = self._quick
        await server.startup(sockets=[listener])
        self._server = server
        if first is not None:
            connect = partial(HttpConnection, config, server.server_state, server.lifespan.state)
            await asyncio.get_running_loop().connect_accepted_socket(connect, first)

    async def stop(self) -> None:
        """Ends every stream and request, then the connections; at most a second."""
        self._stopping = True
        self._lane.end()
        self._modern.end()
        self._legacy.end()
        server, self._server = self._server, None
        if server is not None:
            await _shut_down(server)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        path: str = scope["path"]
        mcp = path == "/mcp" or path.startswith("/mcp/")
        if refusal := self._refusal(scope, headers):
            if refusal is _TOO_LONG and mcp:
                self._tell_too_long(path[5:])
            if refusal.status in _TURNED_AWAY:
                refusal = replace(refusal, headers=(*refusal.headers, (b"connection", b"close")))
            await (refuse(send, refusal) if mcp else _refuse_plainly(send, refusal))
        elif mcp:
            incoming = Incoming(path[5:], headers, receive, send, scope["state"]["abort"])
            await self._mcp(scope["method"], incoming)
        else:
            if self._other is None:
                self._other = await asyncio.to_thread(lambda: other_routes.application(self._extra_routes()))
            await self._other(scope, other_routes.limited(receive, BODY_LIMIT, _TOO_LONG), send)

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> Refusal | None:
        """The door. A web page must not get through by a name that resolves to us, nor without the token."""
        if len(headers) < len(scope["headers"]) and (twice := _repeated(scope["headers"])):
            return Refusal(400, f"The header {twice} appears more than once.", HEADER_MISMATCH)
        if headers.get(b"host", b"").lower() not in self._hosts:
            return _WRONG_HOST
        if b"origin" in headers and not _ORIGIN.fullmatch(headers[b"origin"]):
            return _WRONG_ORIGIN
        if scope["method"] == "OPTIONS":
            return _options(scope["path"])
        if scope["path"] != "/health" and not self._knows(headers.get(b"authorization", b"")):
            stranger = self._stranger(headers.get(b"authorization", b""))
            refusal = stranger if scope["path"] not in READABLE else self._unknown_reader(headers)
            if refusal is not None:
                return refusal
        if scope["path"] != "/health":
            scope["state"]["trust"]()
        if int(headers.get(b"content-length", b"0")) > BODY_LIMIT:
            return _TOO_LONG
        return _STOPPING if self._stopping else None

    def _knows(self, authorization: bytes) -> bool:
        if hmac.compare_digest(authorization, self._bearer):
            return True
        return hmac.compare_digest(_bearer_in(authorization), self._token)

    def _stranger(self, authorization: bytes) -> Refusal:
        shown = _bearer_in(authorization)
        was = any(hmac.compare_digest(shown, old) for old in self._retired)
        return _OLD_TOKEN if was else _NO_TOKEN

    def _unknown_reader(self, headers: dict[bytes, bytes]) -> Refusal | None:
        """A browser can ask a person for a password, but not for a bearer token. Pages of others can make it
        send that again, so that it opens only what is to be read."""
        scheme, _, coded = headers.get(b"authorization", b"").partition(b" ")
        try:
            password = b64decode(coded, validate=True).partition(b":")[2]
        except ValueError:
            password = b""
        known = scheme.lower() == b"basic" and hmac.compare_digest(password, self._token)
        return None if known else _NO_PASSWORD

    def _quick(self, cycle: RequestResponseCycle, long_way: LongWay) -> bool:
        """Whether this request is taken care of; if not, what is wrong with it is said on the long way."""
        scope = cast(Scope, cycle.scope)
        path = scope["path"]
        if scope["method"] != "POST" or not (path == "/mcp" or path.startswith("/mcp/")):
            return False
        headers = dict(scope["headers"])
        if self._refusal(scope, headers) or _unfit(headers) or not self._is_known(path[5:]):
            return False
        body = one_line(bytes(cycle.body))
        era = self._modern if is_modern(headers, body) else self._legacy
        return era.quick(path[5:], headers, body, lambda: self._lane.outlet(cycle, long_way))

    def _is_known(self, server: str) -> bool:
        return not server or server in self._servers()

    async def _mcp(self, method: str, incoming: Incoming) -> None:
        if not self._is_known(incoming.server):
            await refuse(incoming.send, Refusal(404, f"There is no server named {incoming.server}."))
        elif method == "POST":
            await self._post(incoming)
        elif method not in ("GET", "DELETE"):
            await refuse(incoming.send, _METHODS)
        elif is_modern(incoming.headers, b""):
            await refuse(incoming.send, _ONLY_POST)
        elif method == "GET":
            await self._legacy.get(incoming)
        else:
            await self._legacy.delete(incoming)

    async def _post(self, incoming: Incoming) -> None:
        headers = incoming.headers
        if unfit := _unfit(headers):
            await refuse(incoming.send, unfit)
        elif (body := await read(incoming.receive, BODY_LIMIT)) is None:
            self._tell_too_long(incoming.server)
            await refuse(incoming.send, _TOO_LONG)
        elif is_modern(headers, body):
            await self._modern.post(incoming, body)
        else:
            await self._legacy.post(incoming, body)

    def _tell_too_long(self, server: str) -> None:
        """For the history, of the 1st, 10th, 100th… Who it is stands in the body, which nobody has read."""
        self._too_long += 1
        if str(self._too_long).strip("0") == "1":
            caller = Caller("http", server, host_name="HTTP")
            link = self._front.open_link(caller, lambda *_: None, lambda: None)
            self._front.close_link(link, f"It sent a message of more than {BODY_LIMIT >> 20} MiB.")


def _bearer_in(authorization: bytes) -> bytes:
    """The token of a Bearer header, however it is written."""
    scheme, _, token = authorization.partition(b" ")
    return token.strip() if scheme.lower() == b"bearer" else b""


def _unfit(headers: Mapping[bytes, bytes]) -> Refusal | None:
    """Of a POST to an MCP endpoint."""
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
        log_level="error",  # its warnings are strangers' mistakes: anybody could fill the log
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=_KEEP_ALIVE,
    )
    config.load()
    return config


async def _shut_down(server: uvicorn.Server) -> None:
    """Like Server.shutdown(), which waits in steps of 0.1 s and for a host that does not read, forever."""
    tasks, connections = server.server_state.tasks, server.server_state.connections
    for listener in server.servers:
        listener.close()
    for connection in list(connections):
        connection.shutdown()
    await _over(tasks, 0.5)
    await asyncio.sleep(0)
    if connections:
        await asyncio.sleep(0.05)  # for the last bytes to leave
    for connection in list(connections):
        connection.transport.abort()
    await _over(tasks, 0.1)
    for task in list(tasks):
        task.cancel()
    await _over(tasks, 0.1)


async def _over(tasks: set[asyncio.Task[None]], within: float) -> None:
    if tasks:
        await asyncio.wait(tasks, timeout=within)


def _options(path: str) -> Refusal:
    """No page elsewhere may do anything here, so that there is nothing to tell a browser but the methods."""
    allowed = "GET, POST, DELETE" if path.startswith("/mcp") else "POST" if "/functions/" in path else "GET"
    return Refusal(405, f"Use {allowed} here.", headers=((b"allow", allowed.encode()),))


def _repeated(headers: Sequence[tuple[bytes, bytes]]) -> str:
    """A header that may come only once and did not: its first and last readers would disagree."""
    names = [name for name, _ in headers if name in _ONCE]
    return next((name.decode() for name in names if names.count(name) > 1), "")


async def _refuse_plainly(send: Send, refusal: Refusal) -> None:
    await answer(send, refusal.status, msgspec.json.encode({"error": refusal.message}), refusal.headers)
