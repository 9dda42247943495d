"""Receive the host's stdin and stdout from the shim (SCM_RIGHTS), so that no relay process copies messages.

Unix only: Windows cannot pass file descriptors over a socket.
"""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import sys
from array import array
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from bridge.system.pipe_file import PipeFile

WANTED, UNWANTED = b"hands\n", b"copy\n"  # replies to a hello that offers file descriptors
POSSIBLE = hasattr(socket, "recv_fds")

ConnectPipe = Callable[..., Awaitable[tuple[Any, Any]]]  # of a loop: connect_read_pipe, connect_write_pipe
_CLOSE_ON_EXEC = getattr(socket, "MSG_CMSG_CLOEXEC", 0)


class PassedFd:
    """One file descriptor of the host. Its O_NONBLOCK flag is shared with other processes (the shim, a script
    that started it): a pipe is therefore opened anew where /proc allows it; otherwise the flag is
    restored."""

    def __init__(self, fd: int) -> None:
        self._passed = fd
        self._was_blocking = sys.platform == "win32" or os.get_blocking(fd)
        self._own = _reopen(fd)
        self._connected = False

    async def connect(self, protocol: asyncio.Protocol, connect_pipe: ConnectPipe) -> Any:
        """Return the transport, which will close the descriptor."""
        self._connected = True
        if not stat.S_ISSOCK(os.fstat(self._own).st_mode):
            transport, _ = await connect_pipe(lambda: protocol, PipeFile(self._own))
        else:  # some hosts use one socket for both directions, or have shut down one of them
            sock = socket.socket(fileno=self._own)
            loop = asyncio.get_running_loop()
            transport, _ = await loop.create_unix_connection(lambda: protocol, sock=sock)
        return transport

    def release(self) -> None:
        if self._passed >= 0:
            if sys.platform != "win32":
                os.set_blocking(self._passed, self._was_blocking)
            os.close(self._passed)
            self._passed = -1
            if not self._connected:
                os.close(self._own)


def _reopen(fd: int) -> int:
    if sys.platform == "win32":
        return fd
    import fcntl

    path = f"/proc/self/fd/{fd}"
    with suppress(OSError):  # no /proc, or no permission
        if os.readlink(path).startswith("pipe:"):  # opening a named pipe (FIFO) has side effects
            return os.open(path, fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE | os.O_NONBLOCK)
    return os.dup(fd)


async def receive_fds(transport: asyncio.Transport) -> list[PassedFd]:
    """Return stdin and stdout of the host; [] if the shim left or the system does not pass them (no free file
    descriptor, a sandbox)."""
    fds = await _receive(transport)
    passed: list[PassedFd] = []
    with suppress(OSError):  # no free file descriptor
        if len(fds) == 2 and all(map(_is_usable, fds)):
            passed += (PassedFd(fd) for fd in fds)
    if len(passed) == 2:
        return passed
    for fd_owner in passed:
        fd_owner.release()
    for fd in fds[len(passed) :]:
        os.close(fd)
    return []


async def _receive(transport: asyncio.Transport) -> list[int]:
    if sys.platform == "win32":
        return []
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    # asyncio's transport would read the bytes and lose the descriptors that come with them.
    with socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno())) as sock:
        loop.add_reader(sock.fileno(), readable.set)
        try:
            await readable.wait()
            return _recv_fds(sock)
        except OSError:
            return []
        finally:
            loop.remove_reader(sock.fileno())


def _recv_fds(sock: socket.socket) -> list[int]:
    """Receive two descriptors that no program started here inherits. socket.recv_fds ignores its flags."""
    if sys.platform == "win32":
        return []
    fds = array("i")
    _, controls, _, _ = sock.recvmsg(1, socket.CMSG_LEN(2 * fds.itemsize), _CLOSE_ON_EXEC)
    for level, kind, data in controls:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            fds.frombytes(data[: len(data) - len(data) % fds.itemsize])
    for fd in fds:
        os.set_inheritable(fd, False)  # where there is no MSG_CMSG_CLOEXEC
    return list(fds)


def _is_usable(fd: int) -> bool:
    """True for a pipe and for a Unix stream socket."""
    if sys.platform == "win32":
        return False
    mode = os.fstat(fd).st_mode
    if not stat.S_ISSOCK(mode):
        return stat.S_ISFIFO(mode)
    with socket.socket(fileno=os.dup(fd)) as sock:
        return (sock.family, sock.type) == (socket.AF_UNIX, socket.SOCK_STREAM)


async def connect_input(
    fd: PassedFd, on_data: Callable[[bytes], None], on_end: Callable[[], None]
) -> asyncio.ReadTransport:
    connect_pipe = asyncio.get_running_loop().connect_read_pipe
    transport: asyncio.ReadTransport = await fd.connect(_Pipe(fd, on_end, on_data), connect_pipe)
    if hasattr(transport, "max_size"):  # asyncio would allocate 256 KiB for each read
        transport.max_size = 65536
    return transport


async def connect_output(fd: PassedFd, on_end: Callable[[], None]) -> asyncio.WriteTransport:
    connect_pipe = asyncio.get_running_loop().connect_write_pipe
    transport: asyncio.WriteTransport = await fd.connect(_Pipe(fd, on_end), connect_pipe)
    return transport


class _Pipe(asyncio.Protocol):
    def __init__(
        self, fd: PassedFd, on_end: Callable[[], None], on_data: Callable[[bytes], None] | None = None
    ) -> None:
        self._fd = fd
        self._on_end = on_end
        self._on_data = on_data  # None: an output

    def data_received(self, data: bytes) -> None:
        if self._on_data is not None:
            self._on_data(data)

    def eof_received(self) -> bool:
        """Keep the socket of an output open: a host that sends nothing there may still read."""
        return self._on_data is None

    def connection_lost(self, error: Exception | None) -> None:
        self._fd.release()
        self._on_end()
