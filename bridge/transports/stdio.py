"""Hosts that speak stdio: the owner-only socket to which the shim carries their lines.

The first line of a connection is the hello, written by our own side (bridge/shim.py, bridge/cli.py): who
calls, or a word from another Deskbell. Each further line is one message, handed to the engine unread.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import stat
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, cast

import msgspec

from bridge import turns
from bridge.core.ports import Caller, Front, ServerSpec
from bridge.errors import AlreadyRunning, DeskbellError
from bridge.lines import Lines, LineTooLong
from bridge.transports.inquiries import Inquire

if sys.platform != "win32":
    from bridge.shim import peer_uid

MAX_HELLO = 1 << 20
MAX_LINE = 64 << 20
MAX_UNREAD = 64 << 20  # bytes; a host that leaves more waiting is taken for dead
FUNCTIONS = "functions"  # the verb after which the next line is an inquiry
LINGER = 1.0  # seconds a host may take to read our last words

Control = Callable[[dict[str, Any]], bytes | Awaitable[bytes] | AsyncIterator[bytes]]


class SocketTransport:
    """Listens at `path`. A connection becomes a Link, `on_control` answers its hello with one line, or
    `inquire` its second line in its own time."""

    def __init__(self, front: Front, path: str, on_control: Control, inquire: Inquire | None = None) -> None:
        self.front = front
        self.on_control = on_control
        self.inquire = inquire
        self._path = path
        self._server: Any = None
        self._file = (0, 0)  # device and inode of our socket
        self._wires: set[Wire] = set()
        self._emptied = asyncio.Event()

    async def start(self) -> None:
        loop: Any = asyncio.get_running_loop()
        if sys.platform == "win32":
            try:
                [self._server] = await loop.start_serving_pipe(lambda: Wire(self), self._path)
            except PermissionError as error:  # asyncio insists on being the first
                raise _already(self._path) from error
        else:
            sock = bound(self._path)
            self._file = _identity(self._path)
            self._server = await loop.create_unix_server(lambda: Wire(self), sock=sock)

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

    def came(self, wire: Wire) -> None:
        self._wires.add(wire)
        if self._server is None:  # accepted, but we stopped meanwhile
            wire.hang_up()

    def left(self, wire: Wire) -> None:
        self._wires.discard(wire)
        self._emptied.set()


class Wire(asyncio.Protocol):
    """One connection: the hello, then messages both ways."""

    def __init__(self, transport: SocketTransport) -> None:
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

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport = cast(asyncio.Transport, transport)
        if hasattr(transport, "max_size"):  # asyncio would make a buffer of 256 KiB for every read
            transport.max_size = 65536
        self._house.came(self)
        if is_foreign(transport):
            self._abort()

    def data_received(self, data: bytes) -> None:
        if self._closing:
            return
        try:
            lines = self._lines.feed(data)
        except LineTooLong:
            self._refuse()
            return
        with turns.turn:
            for line in lines:
                self._hear(line.strip())

    def eof_received(self) -> None:
        self._hear(self._lines.rest().strip())
        self.hang_up()
        self._close_link()

    def connection_lost(self, error: Exception | None) -> None:
        self._closing = True
        if self._linger is not None:
            self._linger.cancel()
        if self._talking is not None:
            self._talking.cancel()
        self._close_link()
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

    async def _answer(self, inquire: Inquire, line: bytes) -> None:
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
        if caller is not None:
            self._link = self._house.front.open_link(caller, self.deliver, self.hang_up)
        elif hello["verb"] != FUNCTIONS:
            said = self._house.on_control(hello)
            if isinstance(said, bytes):
                self._close_with(said)
            elif isinstance(said, AsyncIterator):
                self._talking = self._loop.create_task(self._talk(said))
            else:
                self._answering = self._loop.create_task(self._answer_later(said))

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
            turns.owe(self._flush)

    def _flush(self) -> None:
        if self._said:
            said, self._said = self._said, []
            self._transport.writelines(said)
            self._unread = self._transport.get_write_buffer_size()

    def hang_up(self) -> None:
        """Closes once what was delivered is out. The Link is closed when the connection is."""
        if self._closing:
            return
        self._closing = True
        self._flush()
        self._transport.close()
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
    if hello.get("deskbell") != 1:
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
    name = said.name or wrap_name(said.command, said.args)
    spec = ServerSpec(name, said.command, said.args, cwd=said.cwd, base_env=said.env)
    return Caller("stdio", wrap=spec, host_name=said.host_name)


# ---- a name for a wrapped command ------------------------------------------------------------------

# Programs that only run another: the words between, and the options that take the next word with them.
_PACKAGES = "-p --package -c --call --from --with --spec --python --index --index-url --directory --project"
_SCRIPTS = "-c -e -r -W -X --require --import --loader --env-file --eval"
_CONTAINERS = (
    "-e --env --env-file -v --volume --mount -p --publish --name --network --net -u --user -w --workdir"
    " -l --label --platform --entrypoint --add-host --pull --memory -m --cpus --gpus --device --cap-add"
    " --cap-drop --security-opt --tmpfs --dns -h --hostname --restart --ulimit --shm-size --secret"
)
_RUNNERS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    program: (frozenset(between.split()), frozenset(options.split()))
    for programs, between, options in (
        ("npx bunx uvx", "", _PACKAGES),
        ("npm pnpm yarn bun pipx uv deno", "exec x dlx tool run", _PACKAGES),
        ("docker podman nerdctl", "container run", _CONTAINERS),
        ("node python py ruby php perl bash sh zsh tsx ts-node java go dotnet", "run", _SCRIPTS),
        ("env sudo cmd", "/c /C /d /s", "-u -S"),
    )
    for program in programs.split()
}
_TAIL = re.compile(r"(?<=.)[@\[=<>~!:;#?,].*")  # a version, a tag, extras
_SUFFIX = re.compile(r"\.(?:py|pyz|[cm]?[jt]s|jar|dll|exe|cmd|bat|ps1|sh|rb|php|pl|go|git)$", re.IGNORECASE)
_TELLS_NOTHING = re.compile(r"index|main|__main__|cli|mcp|dist|build|src|lib|bin|out|\.\.?", re.IGNORECASE)


def wrap_name(command: str, args: Sequence[str]) -> str:
    """What a person would call this server: the package or script, not the program that runs it."""
    words = [command, *args]
    while (runner := _RUNNERS.get(re.sub(r"[\d.]+$", "", _plain(words[0])).lower())) is not None:
        target = _target(words[1:], *runner)
        if not target:
            break
        words = target
    return _name(words[0])


def _target(words: list[str], between: frozenset[str], options: frozenset[str]) -> list[str]:
    """What is run, with its own words after it."""
    while words and (words[0].startswith("-") or words[0] in between or re.match(r"\w+=", words[0])):
        words = words[2 if words[0] in options else 1 :]
    return words


def _name(word: str) -> str:
    parts = [_plain(part) for part in re.split(r"[/\\]", word) if part]
    telling = (part for part in reversed(parts) if not _TELLS_NOTHING.fullmatch(part))
    name = next(telling, parts[-1] if parts else "")
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "server"


def _plain(word: str) -> str:
    """The last part of a path, without version and suffix."""
    last = re.split(r"[/\\]", word.rstrip("/\\"))[-1]
    return _SUFFIX.sub("", _TAIL.sub("", last)).lstrip("@")


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
            raise DeskbellError(f"Deskbell cannot listen at {path}", str(error)) from error
        return sock

    def _own(folder: str) -> None:
        """A link in /tmp that another user made leads to a folder of ours, and tomorrow to one of theirs."""
        try:
            os.makedirs(folder, 0o700, exist_ok=True)
            if {os.lstat(folder).st_uid, os.stat(folder).st_uid} != {os.getuid()}:
                raise PermissionError("it belongs to another user")
            os.chmod(folder, 0o700)
        except OSError as error:
            hint = f"{error}. Set DESKBELL_HOME to a folder of your own."
            raise DeskbellError(f"{folder} cannot be used", hint) from error

    def _clear(path: str) -> None:
        """Removes the socket of a Deskbell that was killed; never one that answers, nor anything else."""
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            return
        if not stat.S_ISSOCK(mode):
            raise DeskbellError(f"{path} is in the way", "Move it away, then start Deskbell again.")
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
