"""Open the HTTP port on the loopback address; import the HTTP server with the first connection.

server.py and uvicorn take a tenth of the application's memory, and most AI applications never use HTTP.
Connections wait in the listen queue meanwhile. On Linux, TCP_DEFER_ACCEPT holds back connections that send
nothing, such as port checks.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from bridge.errors import NetworkError
from bridge.i18n import say
from bridge.system.process.port_owner import port_owner

if TYPE_CHECKING:
    from bridge.transports.http.server import HttpServer

HOST = "127.0.0.1"
_BACKLOG = 2048  # connections waiting to be accepted
_DEFER_ACCEPT = 30  # seconds after which a connection that sent nothing is accepted too
_RETRY = 1.0  # seconds until the next accept() after it failed for want of file descriptors
_REASONS = {
    errno.EADDRINUSE: say("Another program uses it"),
    errno.EACCES: say("This account may not use it"),
}


class LazyHttpServer:
    """`port` 0 takes any free port. `make` returns the HTTP server; it is called after its import."""

    def __init__(self, port: int, make: Callable[[], HttpServer]) -> None:
        self._port = port
        self._make = make
        self._http: HttpServer | None = None
        self._listener: socket.socket | None = None
        self._opening: asyncio.Task[None] | None = None

    async def start(self) -> int:
        """Start listening; return the port."""
        listener = self._listener = listen(self._port)
        _defer_accept(listener, _DEFER_ACCEPT)
        self._opening = asyncio.get_running_loop().create_task(self._open(listener))
        port: int = listener.getsockname()[1]
        return port

    async def stop(self) -> None:
        if self._opening is None or self._listener is None:
            return
        if self._http is None:  # later, a cancelled serve() would leave the server half started
            self._opening.cancel()
        await asyncio.wait((self._opening,))
        if self._http is not None:
            await self._http.stop()
        self._listener.close()

    async def _open(self, listener: socket.socket) -> None:
        first = await _accept_first(listener)
        _defer_accept(listener, 0)
        try:
            await asyncio.to_thread(import_module, "bridge.transports.http.server")
        except BaseException:
            first.close()
            raise
        self._http = self._make()
        await self._http.serve(listener, first)


def _defer_accept(listener: socket.socket, seconds: int) -> None:
    if hasattr(socket, "TCP_DEFER_ACCEPT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, seconds)


async def _accept_first(listener: socket.socket) -> socket.socket:
    loop = asyncio.get_running_loop()
    while True:
        try:
            connection, _ = await loop.sock_accept(listener)
        except OSError:
            await asyncio.sleep(_RETRY)
            continue
        if not _is_closed(connection):
            return connection
        connection.close()


def _is_closed(connection: socket.socket) -> bool:
    """True if the other side closed the connection without sending anything."""
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def listen(port: int) -> socket.socket:
    # asyncio sets TCP_NODELAY only on sockets created with IPPROTO_TCP; without it a reply takes 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows, where SO_REUSEADDR would share the port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(_BACKLOG)  # here, to fail on a port that is shared by SO_REUSEADDR
    except (OSError, OverflowError) as error:
        listener.close()
        raise _port_error(port, error) from error
    listener.setblocking(False)
    return listener


def _port_error(port: int, error: OSError | OverflowError) -> NetworkError:
    known = _REASONS.get(error.errno or 0) if isinstance(error, OSError) else None
    why = known or str(error).capitalize().rstrip(".")
    if owner := port_owner(port):
        why = say("Another program uses it: {program}", program=owner)
    hint = say("{why}. Choose another one in Settings, under Advanced, or by --port.", why=why)
    return NetworkError(say("Port {port} cannot be used", port=port), hint)
