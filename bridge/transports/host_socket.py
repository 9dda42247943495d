"""The owner-only socket that the shim connects to, for hosts that use stdio.

The first line of a connection is the hello (hello.py). Each further line of a host is one message, passed to
the engine unread. On Unix the shim passes its host's pipes (fd_passing.py); its connection then only shows
that the shim is alive.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import stat
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, cast

import msgspec

from bridge.core.ports import Caller, HostPort
from bridge.errors import AlreadyRunning, DeskbellError
from bridge.i18n import say
from bridge.settings.host_tokens import Identify, RevokedToken, unproven
from bridge.system.fast.write_batch import WriteBatch
from bridge.system.line_buffer import LineBuffer, LineTooLong
from bridge.system.ownership import refuse_foreign
from bridge.system.process.descriptors import SCARCE, is_scarce
from bridge.system.process.peer_terminal import lacks_terminal
from bridge.system.socket_activation import inherited_socket
from bridge.transports import fd_passing
from bridge.transports.hello import SCRIPTED, WITH_FDS, BadHello, caller_of, read_hello

if sys.platform != "win32":
    from bridge.shim.unix import peer_uid

log = logging.getLogger(__name__)
MAX_LINE = 64 << 20
MAX_UNREAD = 64 << 20  # bytes; a host that leaves more unread is disconnected
LINGER = 1.0  # seconds for a host to read the last messages

AnswerCommand = Callable[[dict[str, Any]], AsyncIterator[bytes]]  # hello → lines
# From Python 3.13 on, loops would remove the socket's file when they close it, systemd's too.
_KEEP_FILE: dict[str, Any] = {"cleanup_socket": False} if sys.version_info >= (3, 13) else {}


class HostSocket:
    """Listens at `path`. Hosts' connections become Links; `answer_command` replies to other commands.
    `identify` returns the name that a host's token proves."""

    def __init__(
        self,
        front: HostPort,
        path: str,
        answer_command: AnswerCommand,
        write_batch: WriteBatch | None = None,
        identify: Identify = unproven,
    ) -> None:
        self.front = front
        self.answer_command = answer_command
        self.identify = identify
        self.write_batch = write_batch or WriteBatch()
        self._path = path
        self._server: Any = None
        self._file = (0, 0)  # device and inode of the socket
        self._connections: set[HostConnection] = set()
        self._closed_one = asyncio.Event()

    async def start(self) -> None:
        loop: Any = asyncio.get_running_loop()
        if sys.platform == "win32":
            try:
                [self._server] = await loop.start_serving_pipe(lambda: HostConnection(self), self._path)
            except PermissionError as error:  # asyncio creates only the first instance of a pipe
                raise _already_running(self._path) from error
        else:
            sock = inherited_socket(self._path)
            if sock is None:
                sock = bind_socket(self._path)
                self._file = _identity(self._path)  # systemd's stays: it starts us again
            self._server = await loop.create_unix_server(
                lambda: HostConnection(self), sock=sock, **_KEEP_FILE
            )

    async def stop(self) -> None:
        """Stop listening, then close each connection after its last messages, within LINGER seconds."""
        if self._server is None:
            return
        with suppress(FileNotFoundError):
            if sys.platform != "win32" and _identity(self._path) == self._file:
                os.unlink(self._path)
        self._server.close()
        self._server = None
        for connection in tuple(self._connections):
            connection.hang_up()
        while self._connections:
            self._closed_one.clear()
            await self._closed_one.wait()

    def drop(self, identity: str) -> None:
        """Close the connections of a host whose token was revoked."""
        for connection in tuple(self._connections):
            if connection.identity == identity:
                connection.hang_up()

    def opened(self, connection: HostConnection) -> None:
        self._connections.add(connection)
        if self._server is None:  # stopped between accept() and here
            connection.hang_up()

    def closed(self, connection: HostConnection) -> None:
        self._connections.discard(connection)
        self._closed_one.set()


class HostConnection(asyncio.Protocol):
    """One connection: the hello, then messages in both directions."""

    def __init__(self, host_socket: HostSocket) -> None:
        self._socket = host_socket
        self._lines = LineBuffer(MAX_LINE)
        self._has_hello = False
        self._closing = False
        self._link: int | None = None
        self.identity = ""  # of the host, proven by its token
        self._answering: asyncio.Task[None] | None = None  # a command
        self._unsent: list[bytes] = []  # in this write batch
        self._unread = 0  # bytes in the write buffer, and unsent
        self._linger_timer: asyncio.TimerHandle | None = None
        self._receiving_fds: asyncio.Task[None] | None = None
        self._input: asyncio.ReadTransport | None = None  # the host's own pipes, if they were passed
        self._output: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport = cast(asyncio.Transport, transport)
        if hasattr(transport, "max_size"):  # asyncio would allocate 256 KiB for each read
            transport.max_size = 65536
        self._socket.opened(self)
        if is_other_user(transport):
            self._abort()

    def data_received(self, data: bytes) -> None:
        if self._receiving_fds is None:
            self._received(data)

    def _received(self, data: bytes) -> None:
        if self._closing:
            return
        try:
            lines = self._lines.feed(data)
        except LineTooLong:
            self._refuse_long_line()
            return
        with self._socket.write_batch:
            for line in lines:
                self._line_received(line.strip())

    def eof_received(self) -> None:
        self._input_ended()

    def _input_ended(self) -> None:
        self._line_received(self._lines.rest().strip())
        self.hang_up()
        self._close_link()

    def _output_closed(self) -> None:
        """Close the connection: the host's stdout has sent everything, or the host closed it."""
        self._output = None
        if self._closing:
            self._transport.close()
        else:
            self._abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._closing = True
        if self._linger_timer is not None:
            self._linger_timer.cancel()
        for task in (self._answering, self._receiving_fds):
            if task is not None:
                task.cancel()
        self._close_link()
        if self._input is not None:
            self._input.close()
        if self._output is not None:
            self._output.abort()
        self._socket.closed(self)

    def _line_received(self, line: bytes) -> None:
        if self._closing or not line:
            return
        if self._link is not None:
            self._socket.front.host_sent(self._link, line)
        elif not self._has_hello:
            self._has_hello = True
            self._hello_received(line)

    def _hello_received(self, line: bytes) -> None:
        try:
            hello = read_hello(line)
            caller = caller_of(hello, self._socket.identify)
        except BadHello as error:
            self._close_with({"error": str(error)})
            return
        except RevokedToken as error:
            self._refuse(f"Deskbell's user has revoked the access of {error}. Connect it again in Deskbell.")
            return
        if caller is None:
            self._answering = self._loop.create_task(self._answer(hello))
        elif self._is_one_too_many():
            self._refuse(SCARCE)
        elif hello["deskbell"] != WITH_FDS:
            self._open_link(caller)
        elif fd_passing.POSSIBLE:
            self._receiving_fds = self._loop.create_task(self._receive_fds(caller))
        else:
            self._transport.write(fd_passing.UNWANTED)
            self._open_link(caller)

    def _is_one_too_many(self) -> bool:
        """True if a host would take the last file descriptors; commands may."""
        sock = self._transport.get_extra_info("socket")  # Windows: a pipe
        return sock is not None and is_scarce(sock.fileno())

    async def _answer(self, hello: dict[str, Any]) -> None:
        hello[SCRIPTED] = lacks_terminal(self._transport.get_extra_info("socket"))
        try:
            async for line in self._socket.answer_command(hello):
                self.deliver(line, b"", False)
        finally:
            self.hang_up()

    def _open_link(self, caller: Caller) -> None:
        self.identity = caller.identity
        self._link = self._socket.front.open_link(caller, self.deliver, self.hang_up)

    async def _receive_fds(self, caller: Caller) -> None:
        try:
            await self._connect_fds(caller)
        except OSError as error:  # no file descriptors are left
            log.warning("A host was refused: %s", error)
            self._receiving_fds = None
            self._refuse(SCARCE)

    async def _connect_fds(self, caller: Caller) -> None:
        self._transport.pause_reading()
        self._transport.write(fd_passing.WANTED)
        fds = await fd_passing.receive_fds(self._transport)
        self._transport.resume_reading()
        if not fds:
            self._receiving_fds = None
            self._transport.write(fd_passing.UNWANTED)
            self._open_link(caller)
            return
        try:
            self._output = await fd_passing.connect_output(fds[1], self._output_closed)
            self._open_link(caller)
            self._input = await fd_passing.connect_input(fds[0], self._received, self._input_ended)
        except BaseException:
            for fd in fds:
                fd.release()
            raise

    def _refuse_long_line(self) -> None:
        """Disconnect a host that exceeds the limit: the next message cannot be found in its input."""
        text = f"A message is longer than {MAX_LINE >> 20} MiB; Deskbell has closed the connection."
        self._refuse(text) if self._has_hello else self._close_with({"error": text})
        self._close_link(f"It sent a message of more than {MAX_LINE >> 20} MiB.")

    def _refuse(self, text: str) -> None:
        """Close a host's connection with an error about no request."""
        self._close_with({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": text}})

    def _close_with(self, message: dict[str, Any]) -> None:
        self.deliver(msgspec.json.encode(message), b"", True)
        self.hang_up()

    def deliver(self, message: bytes, about: bytes, final: bool, /) -> None:
        if self._closing:
            return
        self._unsent += (message, b"\n")
        self._unread += len(message)
        if self._unread > MAX_UNREAD:
            why = f"It does not read what it is sent: more than {MAX_UNREAD >> 20} MiB are waiting."
            self._loop.call_soon(self._close_link, why)  # connection_lost would close it without a reason
            self._abort()
        elif len(self._unsent) == 2:
            self._socket.write_batch.schedule(self._flush)

    def _flush(self) -> None:
        if self._unsent:
            unsent, self._unsent = self._unsent, []
            output = self._output or self._transport
            output.writelines(unsent)
            self._unread = output.get_write_buffer_size()

    def hang_up(self) -> None:
        """Close the connection after the delivered messages are written; connection_lost closes the Link."""
        if self._closing:
            return
        self._closing = True
        self._flush()
        (self._output or self._transport).close()
        self._linger_timer = self._loop.call_later(LINGER, self._transport.abort)

    def _abort(self) -> None:
        self._closing = True
        self._unsent.clear()
        self._transport.abort()

    def _close_link(self, why: str = "") -> None:
        if self._link is not None:
            link, self._link = self._link, None
            self._socket.front.close_link(link, why)


# --- the socket ------------------------------------------------------------------------------------------


def is_other_user(transport: asyncio.BaseTransport) -> bool:
    """True for a process of another user. (On Windows the pipe's permissions exclude other users.)"""
    if sys.platform == "win32":
        return False
    else:
        return peer_uid(transport.get_extra_info("socket")) not in (-1, os.getuid())


def _already_running(path: str) -> AlreadyRunning:
    return AlreadyRunning("Deskbell is already running", f"It answers at {path}.")


def _identity(path: str) -> tuple[int, int]:
    info = os.stat(path)
    return info.st_dev, info.st_ino


if sys.platform != "win32":

    def bind_socket(path: str) -> socket.socket:
        """Bind a socket at `path` that only this user can connect to. chmod before listen() leaves no gap;
        the umask would affect all threads."""
        _make_private_folder(os.path.dirname(path))
        _remove_stale_socket(path)
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            sock.bind(path)
            os.chmod(path, 0o600)
        except OSError as error:
            sock.close()
            raise DeskbellError(say("Deskbell cannot listen at {path}", path=path), str(error)) from error
        return sock

    def _make_private_folder(folder: str) -> None:
        """Refuse another user's symbolic link in /tmp: its target can change later."""
        try:
            os.makedirs(folder, 0o700, exist_ok=True)
            refuse_foreign(folder)
            os.chmod(folder, 0o700)
        except OSError as error:
            hint = say("{why}. Set DESKBELL_HOME to a folder of your own.", why=error.strerror)
            raise DeskbellError(say("{path} cannot be used", path=folder), hint) from error

    def _remove_stale_socket(path: str) -> None:
        """Remove the socket of a killed Deskbell; raise for one that answers, or another file."""
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            return
        if not stat.S_ISSOCK(mode):
            hint = say("Move it away, then start Deskbell again.")
            raise DeskbellError(say("{path} is in the way", path=path), hint)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.setblocking(False)
            try:
                probe.connect(path)
            except ConnectionRefusedError:
                os.unlink(path)
                return
            except BlockingIOError:  # its accept queue is full: a Deskbell is running
                pass
        raise _already_running(path)
