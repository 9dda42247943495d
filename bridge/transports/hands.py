"""A host's own ends of its pipes, handed to us by the shim: what it says needs no step between then.

Unix only: Windows has no way to hand them over that needs no more than a socket.
"""

from __future__ import annotations

import asyncio
import os
import socket
from io import FileIO
from typing import Protocol

OFFERED = 2  # the version of a hello whose caller would hand its ends over
WANTED, UNWANTED = b"hands\n", b"copy\n"  # our answer to it
POSSIBLE = hasattr(socket, "recv_fds")


class Owner(Protocol):
    """Whose ends they are, from now on."""

    def heard(self, data: bytes) -> None: ...
    def heard_the_end(self) -> None: ...
    def silenced(self) -> None: ...


async def taken(transport: asyncio.Transport) -> list[FileIO]:
    """What the shim hands over, after it was told that it is wanted. Nothing, or less, if it went away, or
    if the system does not let it through: no more files may be open, or a sandbox forbids it."""
    loop = asyncio.get_running_loop()
    given = asyncio.Event()
    # By a socket of our own: a transport reads bytes alone, and what comes with them would be lost.
    with socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno())) as sock:
        loop.add_reader(sock.fileno(), given.set)
        try:
            await given.wait()
            _, ends, _, _ = socket.recv_fds(sock, 1, 2)
        except OSError:
            ends = []
        finally:
            loop.remove_reader(sock.fileno())
    for end in ends:
        os.set_inheritable(end, False)
    return [FileIO(end, mode) for end, mode in zip(ends, ("rb", "wb"), strict=False)]


async def listen(end: FileIO, owner: Owner) -> asyncio.ReadTransport:
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: _Ear(owner), end)
    return transport


async def speak(end: FileIO, owner: Owner) -> asyncio.WriteTransport:
    transport, _ = await asyncio.get_running_loop().connect_write_pipe(lambda: _Mouth(owner), end)
    return transport


class _Ear(asyncio.Protocol):
    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if hasattr(transport, "max_size"):  # asyncio would make a buffer of 256 KiB for every read
            transport.max_size = 65536

    def data_received(self, data: bytes) -> None:
        self._owner.heard(data)

    def connection_lost(self, error: Exception | None) -> None:
        self._owner.heard_the_end()


class _Mouth(asyncio.BaseProtocol):
    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    def connection_lost(self, error: Exception | None) -> None:
        self._owner.silenced()
