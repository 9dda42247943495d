"""The owner-only socket that the shim connects to, for hosts that use stdio.

The first line of a connection is the hello of bridge/shim or bridge/transports/control_client.py: it names
the host, or the verb of another `deskbell` command. Each further line is one message, passed to the engine
unread. On Unix the shim passes its host's pipes (fd_passing.py); its connection then only shows that the shim
is alive.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any, Literal, cast

import msgspec

from bridge.core.ports import Caller, HostPort, ServerSpec
from bridge.errors import AlreadyRunning, DeskbellError
from bridge.i18n import say
from bridge.system.command_name import program_name
from bridge.system.fast.write_batch import WriteBatch
from bridge.system.line_buffer import LineBuffer, LineTooLong
from bridge.transports import fd_passing
from bridge.transports.control import AnswerRequest, VerbReply

if sys.platform != "win32":
    from bridge.shim.unix import peer_uid

MAX_HELLO = 1 << 20
MAX_LINE = 64 << 20
MAX_UNREAD = 64 << 20  # bytes; a host that leaves more unread is disconnected
FUNCTIONS = "functions"  # verb of a connection whose second line is a FunctionRequest
LINGER = 1.0  # seconds for a host to read the last messages

OnControl = Callable[[dict[str, Any]], VerbReply]


class HostSocket:
    """Listens at `path`. A host's connection becomes a Link; `on_control` replies to the hello of a command,
    `answer_request` to the FunctionRequest in its second line."""

    def __init__(
        self,
        front: HostPort,
        path: str,
        on_control: OnControl,
        answer_request: AnswerRequest | None = None,
        write_batch: WriteBatch | None = None,
    ) -> None:
        self.front = front
        self.on_control = on_control
        self.answer_request = answer_request
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
            sock = bind_socket(self._path)
            self._file = _identity(self._path)
            self._server = await loop.create_unix_server(lambda: HostConnection(self), sock=sock)

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
        self._lines = LineBuffer(MAX_HELLO)
        self._has_hello = False
        self._closing = False
        self._link: int | None = None
        self._answering: asyncio.Task[None] | None = None  # a FunctionRequest
        self._unsent: list[bytes] = []  # in this write batch
        self._unread = 0  # bytes in the write buffer, and unsent
        self._streaming: asyncio.Task[None] | None = None  # replies to a control verb
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
            self.received(data)

    def received(self, data: bytes) -> None:
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
        self.input_ended()

    def input_ended(self) -> None:
        self._line_received(self._lines.rest().strip())
        self.hang_up()
        self._close_link()

    def output_closed(self) -> None:
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
        for task in (self._streaming, self._receiving_fds):
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
            self._lines.limit = MAX_LINE
            self._hello_received(line)
        elif self._socket.answer_request is not None and self._answering is None:
            self._answering = self._loop.create_task(self._answer(self._socket.answer_request, line))

    async def _answer(self, answer_request: AnswerRequest, line: bytes) -> None:
        self._close_with(await answer_request(line, lambda note: self.deliver(note, b"", False)))

    def _hello_received(self, line: bytes) -> None:
        try:
            hello = read_hello(line)
            caller = caller_of(hello)
        except BadHello as error:
            self._close_with_json({"error": str(error)})
            return
        offers_fds = hello["deskbell"] == fd_passing.HELLO_VERSION
        if caller is not None and offers_fds and fd_passing.POSSIBLE:
            self._receiving_fds = self._loop.create_task(self._receive_fds(caller))
        elif caller is not None:
            if offers_fds:
                self._transport.write(fd_passing.UNWANTED)
            self._open_link(caller)
        elif hello["verb"] != FUNCTIONS:
            reply = self._socket.on_control(hello)
            if isinstance(reply, bytes):
                self._close_with(reply)
            elif isinstance(reply, AsyncIterator):
                self._streaming = self._loop.create_task(self._send_each(reply))
            else:  # goes on after a disconnect: what the verb changes must be complete
                self._replying = self._loop.create_task(self._send_reply(reply))

    def _open_link(self, caller: Caller) -> None:
        self._link = self._socket.front.open_link(caller, self.deliver, self.hang_up)

    async def _receive_fds(self, caller: Caller) -> None:
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
            self._output = await fd_passing.connect_output(fds[1], self)
            self._open_link(caller)
            self._input = await fd_passing.connect_input(fds[0], self)
        except BaseException:
            for fd in fds:
                fd.release()
            raise

    async def _send_each(self, lines: AsyncIterator[bytes]) -> None:
        async for line in lines:
            self.deliver(line, b"", False)
        self.hang_up()

    async def _send_reply(self, reply: Awaitable[bytes]) -> None:
        self._close_with(await reply)

    def _close_with(self, line: bytes) -> None:
        self.deliver(line, b"", True)
        self.hang_up()

    def _refuse_long_line(self) -> None:
        """Disconnect a host that exceeds the limit: the next message cannot be found in its input."""
        if self._has_hello:
            text = f"A message is longer than {MAX_LINE >> 20} MiB; Deskbell has closed the connection."
            self._close_with_json({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": text}})
            self._close_link(f"It sent a message of more than {MAX_LINE >> 20} MiB.")
        else:
            self._close_with_json({"error": f"The first line is longer than {MAX_HELLO >> 10} KiB."})

    def _close_with_json(self, message: dict[str, Any]) -> None:
        self._close_with(msgspec.json.encode(message))

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
        if self._answering is not None:
            self._answering.cancel()
        if self._link is not None:
            link, self._link = self._link, None
            self._socket.front.close_link(link, why)


# --- the hello -------------------------------------------------------------------------------------------


class BadHello(ValueError):
    """The first line is not a valid hello; the text gives the reason."""


class HostHello(msgspec.Struct, frozen=True):
    """The hello of a shim, about the host that started it."""

    server: str = ""
    name: str = ""
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: str = ""
    env: dict[str, str] = {}
    host_name: str = ""
    era: Literal["", "legacy", "modern"] = ""


def read_hello(line: bytes) -> dict[str, Any]:
    try:
        hello = json.loads(line)  # msgspec refuses lone surrogates, which stand for odd bytes in `env`
    except (ValueError, RecursionError) as error:
        raise BadHello("The first line is not JSON.") from error
    if not isinstance(hello, dict) or not isinstance(hello.get("verb"), str):
        raise BadHello("The first line does not say what is wanted.")
    if hello.get("deskbell") not in (1, fd_passing.HELLO_VERSION):
        raise BadHello("The caller and the running Deskbell are of different versions; restart Deskbell.")
    return hello


def caller_of(hello: dict[str, Any]) -> Caller | None:
    """Return the caller of a host's hello; None for the hello of a command."""
    if hello["verb"] not in ("stdio", "wrap"):
        return None
    try:
        host = msgspec.convert(hello, HostHello)
    except msgspec.ValidationError as error:
        raise BadHello(f"The first line is wrong: {error}.") from error
    if hello["verb"] == "stdio":
        return Caller("stdio", server=host.server, host_name=host.host_name)
    if not host.command:
        raise BadHello("The first line names no command to wrap.")
    name = host.name or program_name(host.command, host.args)
    spec = ServerSpec(name, host.command, host.args, cwd=host.cwd, base_env=host.env, era=host.era)
    return Caller("stdio", wrap=spec, host_name=host.host_name)


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
            if {os.lstat(folder).st_uid, os.stat(folder).st_uid} != {os.getuid()}:
                raise PermissionError("it belongs to another user")
            os.chmod(folder, 0o700)
        except OSError as error:
            hint = say("{why}. Set DESKBELL_HOME to a folder of your own.", why=str(error))
            raise DeskbellError(say("{path} cannot be used", path=folder), hint) from error

    def _remove_stale_socket(path: str) -> None:
        """Remove the socket of a killed Deskbell; raise if the socket answers or the file is something
        else."""
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
