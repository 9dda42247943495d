"""Hosts that speak stdio: the owner-only socket to which the shim carries their lines.

The first line of a connection is the hello, written by our own side (bridge/shim,
bridge/transports/control_client.py): who calls, or a word from another Deskbell. Each further line is one
message, handed to the engine unread. A shim that can hands us its host's pipes instead (fd_passing.py); its
connection then only tells that it is there.
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
from typing import Any, cast

import msgspec

from bridge.core.ports import Caller, Front, ServerSpec
from bridge.errors import AlreadyRunning, DeskbellError
from bridge.i18n import say
from bridge.system.command_name import name_of
from bridge.system.fast import write_batch
from bridge.system.line_buffer import Lines, LineTooLong
from bridge.transports import fd_passing
from bridge.transports.control import AnswerRequest

if sys.platform != "win32":
    from bridge.shim.unix import peer_uid

MAX_HELLO = 1 << 20
MAX_LINE = 64 << 20
MAX_UNREAD = 64 << 20  # bytes; a host that leaves more waiting is taken for dead
FUNCTIONS = "functions"  # the verb after which the next line is an inquiry
LINGER = 1.0  # seconds a host may take to read our last words

Control = Callable[[dict[str, Any]], bytes | Awaitable[bytes] | AsyncIterator[bytes]]


class HostSocket:
    """Listens at `path`. A connection becomes a Link, `on_control` answers its hello with one line, or
    `inquire` its second line in its own time."""

    def __init__(
        self, front: Front, path: str, on_control: Control, inquire: AnswerRequest | None = None
    ) -> None:
        self.front = front
        self.on_control = on_control
        self.inquire = inquire
        self._path = path
        self._server: Any = None
        self._file = (0, 0)  # device and inode of our socket
        self._wires: set[HostConnection] = set()
        self._emptied = asyncio.Event()

    async def start(self) -> None:
        loop: Any = asyncio.get_running_loop()
        if sys.platform == "win32":
            try:
                [self._server] = await loop.start_serving_pipe(lambda: HostConnection(self), self._path)
            except PermissionError as error:  # asyncio insists on being the first
                raise _already(self._path) from error
        else:
            sock = bound(self._path)
            self._file = _identity(self._path)
            self._server = await loop.create_unix_server(lambda: HostConnection(self), sock=sock)

    async def stop(self) -> None:
        """Nobody new; who is here gets what was said to him, within LINGER seconds."""
        if self._server is None:
            return
        with suppress(FileNotFoundError):
            if sys.platform != "win32" and _identity(self._path) == self._file:
                os.unlink(self._path)
        self._server.close()
        self._server = None
        for wire in tuple(self._wires):
            wire.hang_up()
        while self._wires:
            self._emptied.clear()
            await self._emptied.wait()

    def came(self, wire: HostConnection) -> None:
        self._wires.add(wire)
        if self._server is None:  # accepted, but we stopped meanwhile
            wire.hang_up()

    def left(self, wire: HostConnection) -> None:
        self._wires.discard(wire)
        self._emptied.set()


class HostConnection(asyncio.Protocol):
    """One connection: the hello, then messages both ways."""

    def __init__(self, transport: HostSocket) -> None:
        self._house = transport
        self._lines = Lines(MAX_HELLO)
        self._greeted = False
        self._closing = False
        self._link: int | None = None
        self._inquiry: asyncio.Task[None] | None = None
        self._said: list[bytes] = []  # in this turn
        self._unread = 0  # bytes, with those
        self._talking: asyncio.Task[None] | None = None
        self._linger: asyncio.TimerHandle | None = None
        self._taking: asyncio.Task[None] | None = None  # the host's pipes
        self._ear: asyncio.ReadTransport | None = None
        self._mouth: asyncio.WriteTransport | None = None  # its own; else the connection is

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport = cast(asyncio.Transport, transport)
        if hasattr(transport, "max_size"):  # asyncio would make a buffer of 256 KiB for every read
            transport.max_size = 65536
        self._house.came(self)
        if is_foreign(transport):
            self._abort()

    def data_received(self, data: bytes) -> None:
        if self._taking is None:
            self.heard(data)

    def heard(self, data: bytes) -> None:
        if self._closing:
            return
        try:
            lines = self._lines.feed(data)
        except LineTooLong:
            self._refuse()
            return
        with write_batch.turn:
            for line in lines:
                self._hear(line.strip())

    def eof_received(self) -> None:
        self.heard_the_end()

    def heard_the_end(self) -> None:
        self._hear(self._lines.rest().strip())
        self.hang_up()
        self._close_link()

    def silenced(self) -> None:
        """The host's own pipe is closed: all is said, or nobody reads it."""
        self._mouth = None
        if self._closing:
            self._transport.close()
        else:
            self._abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._closing = True
        if self._linger is not None:
            self._linger.cancel()
        for task in (self._talking, self._taking):
            if task is not None:
                task.cancel()
        self._close_link()
        if self._ear is not None:
            self._ear.close()
        if self._mouth is not None:
            self._mouth.abort()
        self._house.left(self)

    def _hear(self, line: bytes) -> None:
        if self._closing or not line:
            return
        if self._link is not None:
            self._house.front.host_sent(self._link, line)
        elif not self._greeted:
            self._greeted = True
            self._lines.limit = MAX_LINE
            self._greet(line)
        elif self._house.inquire is not None and self._inquiry is None:
            self._inquiry = self._loop.create_task(self._answer(self._house.inquire, line))

    async def _answer(self, inquire: AnswerRequest, line: bytes) -> None:
        answer = await inquire(line, lambda note: self.deliver(note, b"", False))
        self.deliver(answer, b"", True)
        self.hang_up()

    def _greet(self, line: bytes) -> None:
        try:
            hello = read_hello(line)
            caller = caller_of(hello)
        except BadHello as error:
            self._last_word({"error": str(error)})
            return
        offered = hello["deskbell"] == fd_passing.OFFERED
        if caller is not None and offered and fd_passing.POSSIBLE:
            self._taking = self._loop.create_task(self._take_hands(caller))
        elif caller is not None:
            if offered:
                self._transport.write(fd_passing.UNWANTED)
            self._open(caller)
        elif hello["verb"] != FUNCTIONS:
            said = self._house.on_control(hello)
            if isinstance(said, bytes):
                self._close_with(said)
            elif isinstance(said, AsyncIterator):
                self._talking = self._loop.create_task(self._talk(said))
            else:
                self._answering = self._loop.create_task(self._answer_later(said))

    def _open(self, caller: Caller) -> None:
        self._link = self._house.front.open_link(caller, self.deliver, self.hang_up)

    async def _take_hands(self, caller: Caller) -> None:
        self._transport.pause_reading()
        self._transport.write(fd_passing.WANTED)
        ends = await fd_passing.taken(self._transport)
        self._transport.resume_reading()
        if not ends:
            self._taking = None
            self._transport.write(fd_passing.UNWANTED)
            self._open(caller)
            return
        try:
            self._mouth = await fd_passing.speak(ends[1], self)
            self._open(caller)
            self._ear = await fd_passing.listen(ends[0], self)
        except BaseException:
            for end in ends:
                end.let_go()
            raise

    async def _talk(self, words: AsyncIterator[bytes]) -> None:
        async for word in words:
            self.deliver(word, b"", False)
        self.hang_up()

    async def _answer_later(self, said: Awaitable[bytes]) -> None:
        self._close_with(await said)

    def _close_with(self, word: bytes) -> None:
        self.deliver(word, b"", True)
        self.hang_up()

    def _refuse(self) -> None:
        """A line without end: what else would come could not be told from it."""
        if self._greeted:
            text = f"A message is longer than {MAX_LINE >> 20} MiB; Deskbell has closed the connection."
            self._last_word({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": text}})
            self._close_link(f"It sent a message of more than {MAX_LINE >> 20} MiB.")
        else:
            self._last_word({"error": f"The first line is longer than {MAX_HELLO >> 10} KiB."})

    def _last_word(self, word: dict[str, Any]) -> None:
        self.deliver(msgspec.json.encode(word), b"", False)
        self.hang_up()

    def deliver(self, message: bytes, about: bytes, final: bool, /) -> None:
        if self._closing:
            return
        self._said += (message, b"\n")
        self._unread += len(message)
        if self._unread > MAX_UNREAD:
            why = f"It does not read what it is sent: more than {MAX_UNREAD >> 20} MiB are waiting."
            self._loop.call_soon(self._close_link, why)  # before the connection is lost, which has no reason
            self._abort()
        elif len(self._said) == 2:
            write_batch.owe(self._flush)

    def _flush(self) -> None:
        if self._said:
            said, self._said = self._said, []
            mouth = self._mouth or self._transport
            mouth.writelines(said)
            self._unread = mouth.get_write_buffer_size()

    def hang_up(self) -> None:
        """Closes once what was delivered is out. The Link is closed when the connection is."""
        if self._closing:
            return
        self._closing = True
        self._flush()
        (self._mouth or self._transport).close()
        self._linger = self._loop.call_later(LINGER, self._transport.abort)

    def _abort(self) -> None:
        self._closing = True
        self._said.clear()
        self._transport.abort()

    def _close_link(self, why: str = "") -> None:
        if self._inquiry is not None:
            self._inquiry.cancel()
        if self._link is not None:
            link, self._link = self._link, None
            self._house.front.close_link(link, why)


# ---- the hello -------------------------------------------------------------------------------------


class BadHello(ValueError):
    """The first line is not one of ours; says why."""


class Greeting(msgspec.Struct, frozen=True):
    """What the shim says of the host that started it."""

    server: str = ""
    name: str = ""
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: str = ""
    env: dict[str, str] = {}
    host_name: str = ""


def read_hello(line: bytes) -> dict[str, Any]:
    try:
        hello = json.loads(line)  # msgspec refuses lone surrogates, which stand for odd bytes in `env`
    except (ValueError, RecursionError) as error:
        raise BadHello("The first line is not JSON.") from error
    if not isinstance(hello, dict) or not isinstance(hello.get("verb"), str):
        raise BadHello("The first line does not say what is wanted.")
    if hello.get("deskbell") not in (1, fd_passing.OFFERED):
        raise BadHello("The caller and the running Deskbell are of different versions; restart Deskbell.")
    return hello


def caller_of(hello: dict[str, Any]) -> Caller | None:
    """None: not a host."""
    if hello["verb"] not in ("stdio", "wrap"):
        return None
    try:
        said = msgspec.convert(hello, Greeting)
    except msgspec.ValidationError as error:
        raise BadHello(f"The first line is wrong: {error}.") from error
    if hello["verb"] == "stdio":
        return Caller("stdio", server=said.server, host_name=said.host_name)
    if not said.command:
        raise BadHello("The first line names no command to wrap.")
    name = said.name or name_of(said.command, said.args)
    spec = ServerSpec(name, said.command, said.args, cwd=said.cwd, base_env=said.env)
    return Caller("stdio", wrap=spec, host_name=said.host_name)


# ---- the socket ------------------------------------------------------------------------------------


def is_foreign(transport: asyncio.BaseTransport) -> bool:
    """Another user's process. (On Windows nobody else may write to the pipe.)"""
    if sys.platform == "win32":
        return False
    else:
        return peer_uid(transport.get_extra_info("socket")) not in (-1, os.getuid())


def _already(path: str) -> AlreadyRunning:
    return AlreadyRunning("Deskbell is already running", f"It answers at {path}.")


def _identity(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_dev, found.st_ino


if sys.platform != "win32":

    def bound(path: str) -> socket.socket:
        """A socket at `path` that only we can connect to. It gets its mode before it listens, so no moment
        is between; the umask would be that of all threads."""
        _own(os.path.dirname(path))
        _clear(path)
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            sock.bind(path)
            os.chmod(path, 0o600)
        except OSError as error:
            sock.close()
            raise DeskbellError(say("Deskbell cannot listen at {path}", path=path), str(error)) from error
        return sock

    def _own(folder: str) -> None:
        """A link in /tmp that another user made leads to a folder of ours, and tomorrow to one of theirs."""
        try:
            os.makedirs(folder, 0o700, exist_ok=True)
            if {os.lstat(folder).st_uid, os.stat(folder).st_uid} != {os.getuid()}:
                raise PermissionError("it belongs to another user")
            os.chmod(folder, 0o700)
        except OSError as error:
            hint = say("{why}. Set DESKBELL_HOME to a folder of your own.", why=str(error))
            raise DeskbellError(say("{path} cannot be used", path=folder), hint) from error

    def _clear(path: str) -> None:
        """Removes the socket of a Deskbell that was killed; never one that answers, nor anything else."""
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
            except BlockingIOError:  # its queue is full: it lives
                pass
        raise _already(path)
