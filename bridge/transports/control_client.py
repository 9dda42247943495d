"""Send requests to the running Deskbell over its socket, and start it if needed.

Imports little: shell completion waits for this module.
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
from typing import Any, BinaryIO, cast

import msgspec

from bridge.errors import DeskbellError, NetworkError
from bridge.settings.paths import Home
from bridge.system.own_command import running_command

if sys.platform != "win32":
    from bridge.shim.unix import peer_uid

_START_TIMEOUT = 25.0  # seconds; longer than the timeout of the shim
_POLL_INTERVAL = 0.02  # seconds
_QUIET_AFTER = 2.0  # seconds without a line, after which `on_note` gets "quiet"

OnNote = Callable[[str, Any], None]  # method and params of a notification


class NotRunning(NetworkError):
    """No Deskbell listens at the socket."""


def ask_running(home: Home, verb: str, timeout: float = 5.0, **details: object) -> dict[str, Any] | None:
    """Send a control verb to the Deskbell that uses this home; None if it is not running."""
    try:
        return _accept(next(_stream(home, verb, details, timeout), {}))
    except (NotRunning, OSError):
        return None


def stream_from_running(
    home: Home, verb: str, on_reply: Callable[[dict[str, Any]], None], **details: object
) -> bool:
    """Send a control verb; pass each reply to `on_reply`. False if Deskbell is not running."""
    replies = _stream(home, verb, details)
    try:
        first = next(replies, {})
    except (NotRunning, OSError):
        return False
    for reply in itertools.chain((first,), replies):
        on_reply(_accept(reply))
    return True


def _stream(
    home: Home, verb: str, details: dict[str, object], timeout: float | None = None
) -> Iterator[dict[str, Any]]:
    """Yield each reply as it arrives."""
    with _connect(home, timeout) as connection:
        _send_hello(connection, verb, **details)
        yield from map(msgspec.json.decode, iter(connection.readline, b""))


def _send_hello(connection: BinaryIO, verb: str, **details: object) -> None:
    connection.write(msgspec.json.encode({"deskbell": 1, "verb": verb, **details}) + b"\n")
    connection.flush()


def _accept(reply: dict[str, Any]) -> dict[str, Any]:
    if "error" in reply:
        raise NetworkError("The running Deskbell refused", str(reply["error"]))
    return reply


def request_functions(
    home: Home, request: dict[str, Any], *, start: bool = True, on_note: OnNote | None = None
) -> dict[str, Any]:
    """Send a FunctionRequest (control.py) and return the reply; start Deskbell if it is not running.

    `on_note` gets progress notifications, and "quiet" if the reply takes long.
    """
    try:
        connection = _connect(home)
    except NotRunning:
        if not start:
            raise
        connection = _start(home)
    with connection:
        _send_hello(connection, "functions", request=request)
        for line in _lines(connection, on_note):
            message: dict[str, Any] = msgspec.json.decode(line)
            if "note" not in message:
                return message
            if on_note is not None:
                on_note(message["note"], message["params"])
    raise NetworkError("Deskbell ended before it answered", "Call again, and it will be started.")


def _lines(connection: BinaryIO, on_note: OnNote | None) -> Iterator[bytes]:
    try:
        if on_note is not None and _is_quiet(connection):
            on_note("quiet", None)
        while line := connection.readline():
            yield line
    except OSError as error:
        raise NetworkError("Deskbell ended before it answered", str(error)) from error


def _connect(home: Home, timeout: float | None = None) -> BinaryIO:
    try:
        return _open(home.socket, timeout)
    except OSError as error:
        raise NotRunning("Deskbell is not running") from error


if sys.platform == "win32":

    def _open(path: str, timeout: float | None) -> BinaryIO:
        return open(path, "r+b", buffering=0)

    def _is_quiet(connection: BinaryIO) -> bool:
        return False

else:

    def _open(path: str, timeout: float | None) -> BinaryIO:
        with socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(timeout)
            sock.connect(path)
            if peer_uid(sock) not in (-1, os.getuid()):
                raise NetworkError(f"{path} belongs to another user", "Remove it and try again.")
            return cast(BinaryIO, sock.makefile("rwb"))  # keeps the socket open

    def _is_quiet(connection: BinaryIO) -> bool:
        return not select.select([connection], [], [], _QUIET_AFTER)[0]


def _start(home: Home) -> BinaryIO:
    """Start Deskbell by the shim, as AI applications do; the shim runs until this process is connected."""
    command = [*running_command(), "stdio"]
    pipes: dict[str, Any] = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.PIPE,
    }
    deadline = time.monotonic() + _START_TIMEOUT
    with subprocess.Popen(command, **pipes) as child:  # leaving the block closes its stdin, which ends it
        while time.monotonic() < deadline:
            exit_code = child.poll()
            try:
                return _connect(home)
            except NotRunning:
                if exit_code is not None:
                    raise _start_error(child) from None
            time.sleep(_POLL_INTERVAL)
    raise NetworkError("Deskbell was started but does not answer", f"Its log is {home.log}.")


def _start_error(child: subprocess.Popen[bytes]) -> DeskbellError:
    text = child.communicate()[1].decode(errors="replace").strip().removeprefix("deskbell: ")
    error = NetworkError(text or "Deskbell cannot be started")
    error.exit_code = child.returncode or error.exit_code
    return error
