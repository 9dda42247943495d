"""Unix: copy bytes both ways where stdin and stdout cannot be passed to the app: a terminal, a file.

A second thread copies what the host sends, so that a slow reader slows its writer down. O_NONBLOCK, which all
holders of a pipe or terminal share, is left as it is: where it is set, `poll` waits.
"""

import _socket
import _thread
import posix
import select
import sys

from bridge.shim import CHUNK

assert sys.platform != "win32"  # noqa: S101 - for the type checker

_FIRST = 5.0  # seconds for a host to send its first request to an app that refuses it

from bridge.shim.unix import wait_for_app  # noqa: E402 - it exists on Unix only


def copy_both_ways(sock: _socket.socket, first: bytes, received: bytes = b"") -> None:
    """Copy until the app or the host ends."""
    sock.setblocking(True)
    _thread.start_new_thread(_copy_from_host, (sock, first))
    try:
        _write_all(received)
        while wait_for_app(sock) and (chunk := sock.recv(CHUNK)):
            _write_all(chunk)
    except OSError:  # a reset connection, or a closed stdout, is an end like any other
        return


def pass_refusal(refusal: bytes) -> None:
    """Write the refusal to the host as the reply to its first request: hosts drop an error about none."""
    import json

    request, poll = b"", select.poll()
    poll.register(0, select.POLLIN)
    while b"\n" not in request and poll.poll(_FIRST * 1000) and (chunk := _read()):
        request += chunk
    try:
        request_id = json.loads(request.partition(b"\n")[0])["id"]
    except (ValueError, KeyError, TypeError, RecursionError):  # no request
        request_id = None
    if isinstance(request_id, str | int):
        refusal = refusal.replace(b'"id":null', f'"id":{json.dumps(request_id)}'.encode(), 1)
    try:
        _write_all(refusal)
    except OSError:
        return


def _copy_from_host(sock: _socket.socket, first: bytes) -> None:
    try:
        sock.sendall(first)
        while chunk := _read():
            sock.sendall(chunk)
        sock.shutdown(_socket.SHUT_WR)
    except OSError:  # the app has closed; its last output is still to be read
        return


def _read() -> bytes:
    while True:
        try:
            return posix.read(0, CHUNK)
        except BlockingIOError:
            _wait_for(0, select.POLLIN)
        except OSError:
            return b""


def _write_all(data: bytes) -> None:
    while data:
        try:
            data = data[posix.write(1, data) :]
        except BlockingIOError:
            _wait_for(1, select.POLLOUT)


def _wait_for(fd: int, event: int) -> None:
    poll = select.poll()
    poll.register(fd, event)
    poll.poll()
