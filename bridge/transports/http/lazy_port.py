"""The HTTP port, on the loopback address only: it is open from the start.

What serves there (server.py, and uvicorn under it) weighs as much as a tenth of the application, and most AI
applications never come by HTTP: it is loaded when somebody does. Whoever comes meanwhile waits in the queue.
Linux can tell who says something from who only looks whether the port is open.
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

if TYPE_CHECKING:
    from bridge.transports.http.server import HttpTransport

HOST = "127.0.0.1"
_QUEUE = 2048
_SILENT = 30  # seconds after which somebody who says nothing counts too
_AGAIN = 1.0  # seconds until somebody is let in again after no file was left
_REASONS = {
    errno.EADDRINUSE: say("Another program uses it"),
    errno.EACCES: say("This account may not use it"),
}


class HttpPort:
    """`port` 0 takes any free one. `make` gives what serves, once that is loaded."""

    def __init__(self, port: int, make: Callable[[], HttpTransport]) -> None:
        self._port = port
        self._make = make
        self._http: HttpTransport | None = None
        self._listener: socket.socket | None = None
        self._opening: asyncio.Task[None] | None = None

    async def start(self) -> int:
        """Listens from now on; returns the port."""
        listener = self._listener = listen(self._port)
        _wait_for_words(listener, _SILENT)
        self._opening = asyncio.get_running_loop().create_task(self._open(listener))
        port: int = listener.getsockname()[1]
        return port

    async def stop(self) -> None:
        if self._opening is None or self._listener is None:
            return
        if self._http is None:  # half of what serves could not be ended
            self._opening.cancel()
        await asyncio.wait((self._opening,))
        if self._http is not None:
            await self._http.stop()
        self._listener.close()

    async def _open(self, listener: socket.socket) -> None:
        first = await _first(listener)
        _wait_for_words(listener, 0)
        try:
            await asyncio.to_thread(import_module, "bridge.transports.http.server")
        except BaseException:
            first.close()
            raise
        self._http = self._make()
        await self._http.serve(listener, first)


def _wait_for_words(listener: socket.socket, seconds: int) -> None:
    if hasattr(socket, "TCP_DEFER_ACCEPT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, seconds)


async def _first(listener: socket.socket) -> socket.socket:
    loop = asyncio.get_running_loop()
    while True:
        try:
            came, _ = await loop.sock_accept(listener)
        except OSError:
            await asyncio.sleep(_AGAIN)
            continue
        if not _has_left(came):
            return came
        came.close()


def _has_left(visitor: socket.socket) -> bool:
    """Without a word."""
    try:
        return visitor.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def listen(port: int) -> socket.socket:
    # asyncio turns Nagle's delay off only on sockets that name TCP; without that a reply takes 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows, where SO_REUSEADDR would share the port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(_QUEUE)  # now, so that a port shared by SO_REUSEADDR is refused here
    except (OSError, OverflowError) as error:
        listener.close()
        raise _no_port(port, error) from error
    listener.setblocking(False)
    return listener


def _no_port(port: int, error: OSError | OverflowError) -> NetworkError:
    known = _REASONS.get(error.errno or 0) if isinstance(error, OSError) else None
    why = known or str(error).capitalize().rstrip(".")
    hint = say("{why}. Choose another one: `port` in config.toml, or --port.", why=why)
    return NetworkError(say("Port {port} cannot be used", port=port), hint)
