"""A host's own ends of its pipes, handed to us by the shim: what it says needs no step between then.

Unix only: Windows has no way to hand them over that needs no more than a socket.
"""

from __future__ import annotations

import asyncio
import os
import socket
import stat
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Protocol

from bridge.system.pipe import Pipe

OFFERED = 2  # the version of a hello whose caller would hand its ends over
WANTED, UNWANTED = b"hands\n", b"copy\n"  # our answer to it
POSSIBLE = hasattr(socket, "recv_fds")

Connect = Callable[..., Awaitable[tuple[Any, Any]]]  # of a loop, for a pipe
_CLOSED_IN_CHILDREN = getattr(socket, "MSG_CMSG_CLOEXEC", 0)


class Owner(Protocol):
    """Whose ends they are, from now on."""

    def heard(self, data: bytes) -> None: ...
    def heard_the_end(self) -> None: ...
    def silenced(self) -> None: ...


class End:
    """One of them. Others may hold it too (the shim, a script that started it), and whether it blocks is the
    same for all of them: so a pipe is opened anew where that can be, and all else is left as it was found."""

    def __init__(self, given: int) -> None:
        self._given = given
        self._was_blocking = os.get_blocking(given)
        self._own = _opened_anew(given)
        self._joined = False

    async def join(self, protocol: asyncio.Protocol, connect: Connect) -> Any:
        """The transport, which closes what it is given."""
        self._joined = True
        if not stat.S_ISSOCK(os.fstat(self._own).st_mode):
            transport, _ = await connect(lambda: protocol, Pipe(self._own))
        else:  # one that a host speaks and listens through; it may have closed the half that it does not need
            sock = socket.socket(fileno=self._own)
            loop = asyncio.get_running_loop()
            transport, _ = await loop.create_unix_connection(lambda: protocol, sock=sock)
        return transport

    def let_go(self) -> None:
        if self._given >= 0:
            os.set_blocking(self._given, self._was_blocking)
            os.close(self._given)
            self._given = -1
            if not self._joined:
                os.close(self._own)


def _opened_anew(given: int) -> int:
    import fcntl  # late: not on Windows

    path = f"/proc/self/fd/{given}"
    with suppress(OSError):  # no Linux, or not allowed
        if os.readlink(path).startswith("pipe:"):  # a pipe with a name has its own rules for whoever opens it
            return os.open(path, fcntl.fcntl(given, fcntl.F_GETFL) & os.O_ACCMODE | os.O_NONBLOCK)
    return os.dup(given)


async def taken(transport: asyncio.Transport) -> list[End]:
    """What the shim hands over, after it was told that it is wanted. Nothing if it went away, or if the
    system does not let it through: no more files may be open, or a sandbox forbids it."""
    loop = asyncio.get_running_loop()
    given = asyncio.Event()
    # By a socket of our own: a transport reads bytes alone, and what comes with them would be lost.
    with socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno())) as sock:
        loop.add_reader(sock.fileno(), given.set)
        try:
            await given.wait()
            _, ends, _, _ = socket.recv_fds(sock, 1, 2, _CLOSED_IN_CHILDREN)
        except OSError:
            ends = []
        finally:
            loop.remove_reader(sock.fileno())
    made: list[End] = []
    with suppress(OSError):  # no more files may be open
        if len(ends) == 2 and all(map(_is_usable, ends)):
            made += (End(end) for end in ends)
    if len(made) == 2:
        return made
    for one in made:
        one.let_go()
    for end in ends[len(made) :]:
        os.close(end)
    return []


def _is_usable(end: int) -> bool:
    """A pipe, or a socket that is used like one."""
    mode = os.fstat(end).st_mode
    if not stat.S_ISSOCK(mode):
        return stat.S_ISFIFO(mode)
    with socket.socket(fileno=os.dup(end)) as sock:
        return (sock.family, sock.type) == (socket.AF_UNIX, socket.SOCK_STREAM)


async def listen(end: End, owner: Owner) -> asyncio.ReadTransport:
    heard: asyncio.ReadTransport = await end.join(
        _Ear(end, owner), asyncio.get_running_loop().connect_read_pipe
    )
    return heard


async def speak(end: End, owner: Owner) -> asyncio.WriteTransport:
    said: asyncio.WriteTransport = await end.join(
        _Mouth(end, owner), asyncio.get_running_loop().connect_write_pipe
    )
    return said


class _Ear(asyncio.Protocol):
    def __init__(self, end: End, owner: Owner) -> None:
        self._end = end
        self._owner = owner

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if hasattr(transport, "max_size"):  # asyncio would make a buffer of 256 KiB for every read
            transport.max_size = 65536

    def data_received(self, data: bytes) -> None:
        self._owner.heard(data)

    def connection_lost(self, error: Exception | None) -> None:
        self._end.let_go()
        self._owner.heard_the_end()


class _Mouth(asyncio.Protocol):
    def __init__(self, end: End, owner: Owner) -> None:
        self._end = end
        self._owner = owner

    def eof_received(self) -> bool:
        return True  # it says nothing here; that is not to say that it does not listen

    def connection_lost(self, error: Exception | None) -> None:
        self._end.let_go()
        self._owner.silenced()
