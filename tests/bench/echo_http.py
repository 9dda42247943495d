"""The same server as echo_server.py over Streamable HTTP. Standard library only; run with -I -S PORT."""

from __future__ import annotations

import selectors
import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from echo_server import answer  # type: ignore[import-not-found]  # run by its path, without tests/

_HEAD = b"HTTP/1.1 %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"


def respond(request: bytes, body: bytes) -> bytes:
    if not request.startswith(b"POST /mcp "):
        return _HEAD % (b"405 Method Not Allowed" if b" /mcp " in request[:20] else b"404 Not Found", 0, b"")
    said = answer(body).rstrip()
    return _HEAD % ((b"200 OK", len(said), said) if said else (b"202 Accepted", 0, b""))


def serve(connection: socket.socket, waiting: bytearray) -> bool:
    """Answers what is whole; False when the other side has gone."""
    try:
        data = connection.recv(65536)
    except BlockingIOError:
        return True
    except OSError:
        return False
    if not data:
        return False
    waiting += data
    while (end := waiting.find(b"\r\n\r\n")) >= 0:
        head = bytes(waiting[:end]).lower()
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0] or b"0")
        if len(waiting) < end + 4 + length:
            return True
        reply = respond(bytes(waiting[: min(end, 40)]), bytes(waiting[end + 4 : end + 4 + length]))
        del waiting[: end + 4 + length]
        connection.setblocking(True)
        connection.sendall(reply)
        connection.setblocking(False)
    return True


def main() -> None:
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=256)
    print(listener.getsockname()[1], flush=True)
    poll = selectors.DefaultSelector()
    poll.register(listener, selectors.EVENT_READ)
    while True:
        for key, _ in poll.select():
            if key.fileobj is listener:
                connection, _ = listener.accept()
                connection.setblocking(False)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                poll.register(connection, selectors.EVENT_READ, bytearray())
            elif isinstance(key.fileobj, socket.socket) and not serve(key.fileobj, key.data):
                poll.unregister(key.fileobj)
                key.fileobj.close()


if __name__ == "__main__":
    main()
