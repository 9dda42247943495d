"""Send requests to the running Deskbell over its socket, and start it if needed.

Imports little: shell completion waits for this module.
"""

from __future__ import annotations

import itertools
import os
import select
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, cast

import msgspec

from bridge.errors import NetworkError
from bridge.settings.paths import Home

if sys.platform != "win32":
    from bridge.shim.unix import peer_uid

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
    with _connect(home, _hello(verb, **details), timeout) as replies:
        yield from map(msgspec.json.decode, replies)


def _hello(verb: str, **details: object) -> bytes:
    return msgspec.json.encode({"deskbell": 1, "verb": verb, **details}) + b"\n"


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
    hello = _hello("functions", request=request)
    try:
        replies = _connect(home, hello)
    except NotRunning:
        if not start:
            raise
        replies = _start(home, hello)
    with replies:
        for line in _lines(replies, on_note):
            message: dict[str, Any] = msgspec.json.decode(line)
            if "note" not in message:
                return message
            if on_note is not None:
                on_note(message["note"], message["params"])
    raise NetworkError("Deskbell ended before it answered", "Call again, and it will be started.")


def _lines(replies: BinaryIO, on_note: OnNote | None) -> Iterator[bytes]:
    try:
        if on_note is not None and _is_quiet(replies):
            on_note("quiet", None)
        yield from replies
    except OSError as error:
        raise NetworkError("Deskbell ended before it answered", str(error)) from error


def _connect(home: Home, hello: bytes, timeout: float | None = None) -> BinaryIO:
    """Send the hello; return the lines of the reply as a file. Raises NotRunning."""
    try:
        return _open(home.socket, hello, timeout)
    except OSError as error:
        raise NotRunning("Deskbell is not running") from error


if sys.platform == "win32":

    def _open(path: str, hello: bytes, timeout: float | None) -> BinaryIO:
        pipe = open(path, "r+b", buffering=0)  # noqa: SIM115 - the caller closes it
        pipe.write(hello)
        return pipe

    def _is_quiet(replies: BinaryIO) -> bool:
        return False

else:

    def _open(path: str, hello: bytes, timeout: float | None) -> BinaryIO:
        with socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(timeout)
            sock.connect(path)
            if peer_uid(sock) not in (-1, os.getuid()):
                raise NetworkError(f"{path} belongs to another user", "Remove it and try again.")
            sock.sendall(hello)
            return cast(BinaryIO, sock.makefile("rb"))  # keeps the socket open

    def _is_quiet(replies: BinaryIO) -> bool:
        return not select.select([replies], [], [], _QUIET_AFTER)[0]


def _start(home: Home, hello: bytes) -> BinaryIO:
    """Start Deskbell as the shim does, then connect."""
    from bridge.shim import Finished
    from bridge.shim.start_app import start as start_app

    try:
        first = start_app(str(home.root), home.socket, dict(os.environ))
    except Finished as finished:
        error = NetworkError(finished.words.strip().removeprefix("deskbell: "))
        error.exit_code = finished.code
        raise error from None
    replies = _connect(home, hello)
    if sys.platform != "win32":  # where it is a handle, closed at the end of this command
        first.close()  # not before: Deskbell may end with its last connection
    return replies
