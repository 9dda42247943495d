"""The running app, as our other commands reach it: over its socket, and started first if need be.

Light on purpose: a shell waits for this while somebody types.
"""

from __future__ import annotations

import itertools
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import msgspec

from bridge.errors import DeskbellError, NetworkError
from bridge.settings.paths import Home

if sys.platform != "win32":
    from bridge.shim.unix import peer_uid

HELLO = b'{"deskbell":1,"verb":"functions"}\n'
_LIMIT = 25.0  # seconds; the shim gives up before that
_PAUSE = 0.02
_QUIET = 2.0  # seconds without a word, after which somebody who waits is told so

OnNote = Callable[[str, Any], None]


class NotRunning(NetworkError):
    """Nobody listens at the socket."""


def ask_running(home: Home, verb: str, patience: float = 5.0, **details: object) -> dict[str, Any] | None:
    """Ask the Deskbell that runs with this home; None if none does."""
    hello = msgspec.json.encode({"deskbell": 1, "verb": verb, **details}) + b"\n"
    try:
        answer = _over_pipe(home, hello) if sys.platform == "win32" else _over_socket(home, hello, patience)
    except OSError:
        return None
    said: dict[str, Any] = msgspec.json.decode(answer or b"{}")
    if "error" in said:
        raise NetworkError("The running Deskbell refused", str(said["error"]))
    return said


def stream_from_running(
    home: Home, verb: str, hear: Callable[[dict[str, Any]], None], **details: object
) -> bool:
    """Like `ask_running`, for what takes its time: `hear` gets each word as it is said. False: none runs."""
    said = _talk(home, msgspec.json.encode({"deskbell": 1, "verb": verb, **details}) + b"\n")
    try:
        first = next(said, {})
    except OSError:
        return False
    for word in itertools.chain((first,), said):
        if "error" in word:
            raise NetworkError("The running Deskbell refused", str(word["error"]))
        hear(word)
    return True


def _talk(home: Home, hello: bytes) -> Iterator[dict[str, Any]]:
    """Each line the running Deskbell says, as it says it. Raises OSError if none runs."""
    if sys.platform == "win32":
        with open(home.socket, "r+b", buffering=0) as pipe:
            pipe.write(hello)
            yield from map(msgspec.json.decode, iter(pipe.readline, b""))
    else:
        with socket.socket(socket.AF_UNIX) as running:
            running.connect(home.socket)
            running.sendall(hello)
            with running.makefile("rb") as lines:
                yield from map(msgspec.json.decode, lines)


def _over_socket(home: Home, hello: bytes, patience: float) -> bytes:
    with socket.socket(socket.AF_UNIX) as running:
        running.settimeout(patience)
        running.connect(home.socket)
        running.sendall(hello)
        return b"".join(iter(lambda: running.recv(65536), b""))


def _over_pipe(home: Home, hello: bytes) -> bytes:
    with open(home.socket, "r+b", buffering=0) as running:
        running.write(hello)
        return running.readline()


def inquire(
    home: Home, asked: dict[str, Any], *, start: bool = True, on_note: OnNote | None = None
) -> dict[str, Any]:
    """Ask the running Deskbell; without one, `start` it. `on_note` hears of progress, and of long silence."""
    try:
        wire = _connected(home)
    except NotRunning:
        if not start:
            raise
        wire = _started(home)
    with wire:
        wire.write(HELLO + msgspec.json.encode(asked) + b"\n")
        for line in _lines(wire, on_note):
            said: dict[str, Any] = msgspec.json.decode(line)
            if "note" not in said:
                return said
            if on_note is not None:
                on_note(said["note"], said["params"])
    raise NetworkError("Deskbell ended before it answered", "Call again, and it will be started.")


class AppConnection(Protocol):
    """A connection to the app."""

    def write(self, data: bytes, /) -> object: ...
    def readline(self) -> bytes: ...
    def __enter__(self) -> Any: ...
    def __exit__(self, *ending: Any) -> None: ...


def _lines(wire: AppConnection, on_note: OnNote | None) -> Iterator[bytes]:
    try:
        if on_note is not None and _is_quiet(wire):
            on_note("quiet", None)
        while line := wire.readline():
            yield line
    except OSError as error:
        raise NetworkError("Deskbell ended before it answered", str(error)) from error


if sys.platform == "win32":

    def _connected(home: Home) -> AppConnection:
        try:
            return open(home.socket, "r+b", buffering=0)
        except OSError as error:
            raise NotRunning("Deskbell is not running") from error

    def _is_quiet(wire: AppConnection) -> bool:
        return False

else:

    class Socket:
        def __init__(self, sock: socket.socket) -> None:
            self.sock = sock
            self.write = sock.sendall
            self._reader = sock.makefile("rb")
            self.readline = self._reader.readline

        def __enter__(self) -> Socket:
            return self

        def __exit__(self, *ending: Any) -> None:
            self._reader.close()
            self.sock.close()

    def _connected(home: Home) -> AppConnection:
        sock = socket.socket(socket.AF_UNIX)
        try:
            sock.connect(home.socket)
        except OSError as error:
            sock.close()
            raise NotRunning("Deskbell is not running") from error
        if peer_uid(sock) not in (-1, os.getuid()):
            sock.close()
            raise NetworkError(f"{home.socket} belongs to another user", "Remove it and try again.")
        return Socket(sock)

    def _is_quiet(wire: AppConnection) -> bool:
        return isinstance(wire, Socket) and not select.select([wire.sock], [], [], _QUIET)[0]


def _started(home: Home) -> AppConnection:
    """By the shim, as AI applications do; it stays until we are connected ourselves."""
    own = [] if hasattr(sys, "frozen") else [str(Path(__file__).parents[1] / "__main__.py")]
    command = [sys.executable, *own, "stdio"]
    pipes: dict[str, Any] = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.PIPE,
    }
    end = time.monotonic() + _LIMIT
    with subprocess.Popen(command, **pipes) as child:  # at the end its stdin is closed, and it leaves
        while time.monotonic() < end:
            ended = child.poll()
            try:
                return _connected(home)
            except NotRunning:
                if ended is not None:
                    raise _refused(child) from None
            time.sleep(_PAUSE)
    raise NetworkError("Deskbell was started but does not answer", f"Its log is {home.log}.")


def _refused(child: subprocess.Popen[bytes]) -> DeskbellError:
    words = child.communicate()[1].decode(errors="replace").strip().removeprefix("deskbell: ")
    error = NetworkError(words or "Deskbell cannot be started")
    error.exit_code = child.returncode or error.exit_code
    return error
